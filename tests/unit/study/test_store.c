/* Results in SQLite: what is put is got back, whatever happens to the one who puts it. */
#include "study/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { NSTATS = 40, WRITERS = 4, RUNS_EACH = 8 };

struct world {
    struct arena *a;
    char dir[64], path[96];
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-store-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    snprintf(w->path, sizeof w->path, "%s/results.db", w->dir);
}

static void close_world(struct world *w)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        unlink(arena_printf(w->a, "%s%s", w->path, ends[i]));
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

static struct store *open_store(struct world *w)
{
    struct store *s = store_open(w->path, &w->e);
    CHECK_STR(w->e.text, "");
    CHECK(s);
    return s;
}

/* A run whose values all follow from its key. */
static struct store_run make_run(struct arena *a, uint64_t key)
{
    const char **names = ARENA_ARRAY(a, const char *, NSTATS);
    double *values = ARENA_ARRAY(a, double, NSTATS);
    for (uint32_t i = 0; i < NSTATS; i++) {
        names[i] = arena_printf(a, "l1.stat%02u", i);
        values[i] = (double)key + i;
    }
    return (struct store_run){.key = key,
                              .machine = "icc60",
                              .workload = "HS@tiny",
                              .variant = "rr",
                              .version = "1.2",
                              .config = "{}",
                              .cycles = key + 7,
                              .digest = ~key,
                              .wall_s = 2,
                              .nstats = NSTATS,
                              .names = names,
                              .values = values};
}

static bool is_whole(struct world *w, struct store *s, uint64_t key)
{
    struct store_run r;
    bool found;
    CHECK(store_get(s, w->a, key, &r, &found, &w->e));
    if (!found)
        return false;
    CHECK_EQ(r.nstats, NSTATS);
    CHECK_EQ(r.cycles, key + 7);
    for (uint32_t i = 0; i < NSTATS; i++)
        CHECK_NEAR(r.values[i], (double)key + i, 0);
    return true;
}

/* Runs of other models are those that answer the same question under another key. */
static void the_same_question_finds_runs_of_other_models(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    struct store_other *others;
    uint32_t n;
    for (uint64_t key = 1; key <= 4; key++) {
        struct store_run r = make_run(w.a, key);
        r.asked = key == 4 ? 8 : UINT64_MAX - 9;
        r.version = key == 1 ? "2" : "1";
        CHECK(store_put(s, &r, &w.e));
    }
    struct store_run like = {.key = 3, .asked = UINT64_MAX - 9, .machine = "another"};
    CHECK(store_others(s, w.a, &like, &others, &n, &w.e));
    CHECK_EQ(n, 2);
    CHECK_EQ(others[0].key, 2);
    CHECK_STR(others[0].version, "1");
    CHECK_EQ(others[1].key, 1);
    CHECK_STR(others[1].version, "2");
    like.asked = 7;
    CHECK(store_others(s, w.a, &like, &others, &n, &w.e));
    CHECK_EQ(n, 0);
    store_close(s);
    close_world(&w);
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *db;
    CHECK_EQ(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void a_database_of_the_first_schema_is_brought_up_to_date(void)
{
    struct world w;
    open_world(&w);
    store_close(open_store(&w));
    struct store *s = open_store(&w);
    struct store_run r = make_run(w.a, 5);
    CHECK(store_put(s, &r, &w.e));
    store_close(s);
    execute(w.path, "DROP INDEX run_asked; ALTER TABLE run DROP COLUMN asked;"
                    "PRAGMA user_version = 1");
    struct store_other *others;
    uint32_t n;
    for (int again = 0; again < 2; again++) {
        s = open_store(&w);
        CHECK(is_whole(&w, s, 5));
        struct store_run like = {
            .key = 6, .asked = 1, .machine = "icc60", .workload = "HS@tiny", .variant = "rr"};
        CHECK(store_others(s, w.a, &like, &others, &n, &w.e)); /* by its names */
        CHECK_EQ(n, 1);
        CHECK_EQ(others[0].key, 5);
        like.variant = "icc";
        CHECK(store_others(s, w.a, &like, &others, &n, &w.e));
        CHECK_EQ(n, 0);
        store_close(s);
    }
    close_world(&w);
}

static void a_run_comes_back_as_it_was_put(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    const char *names[] = {"c", "a", "b", "a"};
    const double values[] = {INFINITY, 0.1, (double)NAN, 9};
    struct store_run got, r = make_run(w.a, UINT64_MAX - 1);
    bool found;
    r.nstats = 4;
    r.names = names;
    r.values = values;
    r.digest = UINT64_MAX;
    CHECK(store_put(s, &r, &w.e));
    store_close(s);
    s = open_store(&w);
    CHECK(store_get(s, w.a, UINT64_MAX - 1, &got, &found, &w.e) && found);
    CHECK_EQ(got.key, UINT64_MAX - 1);
    CHECK_STR(got.machine, "icc60");
    CHECK_STR(got.workload, "HS@tiny");
    CHECK_STR(got.variant, "rr");
    CHECK_STR(got.version, "1.2");
    CHECK_STR(got.config, "{}");
    CHECK(got.cycles == r.cycles && got.digest == UINT64_MAX && got.wall_s == 2);
    CHECK_EQ(got.nstats, 3); /* by name; of two with one name the first */
    CHECK_STR(got.names[0], "a");
    CHECK_NEAR(got.values[0], 0.1, 0);
    CHECK(isnan(got.values[1]) && isinf(got.values[2]));
    store_close(s);
    close_world(&w);
}

static void a_run_that_is_put_again_replaces_all_of_the_first(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    struct store_run got, r = make_run(w.a, 5);
    bool found;
    CHECK(store_put(s, &r, &w.e));
    r.nstats = 1;
    r.cycles = 99;
    CHECK(store_put(s, &r, &w.e));
    CHECK(store_get(s, w.a, 5, &got, &found, &w.e) && found);
    CHECK_EQ(got.nstats, 1);
    CHECK_EQ(got.cycles, 99);
    store_close(s);
    close_world(&w);
}

static void what_was_not_put_is_not_there(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    struct store_run r;
    bool found = true;
    CHECK(store_has(s, 1, &found, &w.e) && !found);
    found = true;
    CHECK(store_get(s, w.a, 1, &r, &found, &w.e) && !found);
    CHECK_NEAR(store_guess(s, "HS@tiny"), 0, 0);
    CHECK(!store_failure(s, w.a, 1) && !store_note(s, w.a, "study"));
    store_close(s);
    close_world(&w);
}

static void a_guess_is_the_average_over_machines(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    for (uint64_t i = 1; i <= 3; i++) {
        struct store_run r = make_run(w.a, i);
        r.wall_s = (double)i;
        r.workload = i == 3 ? "BP@tiny" : "HS@tiny";
        CHECK(store_put(s, &r, &w.e));
    }
    CHECK_NEAR(store_guess(s, "HS@tiny"), 1.5, 1e-12);
    CHECK_NEAR(store_guess(s, "BP@tiny"), 3, 1e-12);
    store_close(s);
    close_world(&w);
}

static void a_result_takes_the_failure_away(void)
{
    struct world w;
    open_world(&w);
    struct store *s = open_store(&w);
    struct store_run r = make_run(w.a, 3);
    CHECK(store_put_failure(s, 3, "killed", &w.e) && store_put_failure(s, 4, "lost", &w.e));
    CHECK(store_put_failure(s, 3, "killed by signal 9", &w.e));
    CHECK_STR(store_failure(s, w.a, 3), "killed by signal 9");
    CHECK(store_put(s, &r, &w.e));
    CHECK(!store_failure(s, w.a, 3));
    CHECK_STR(store_failure(s, w.a, 4), "lost");
    CHECK(store_put_note(s, "study", "a", &w.e) && store_put_note(s, "study", "icc", &w.e));
    CHECK_STR(store_note(s, w.a, "study"), "icc");
    store_close(s);
    close_world(&w);
}

/* ---- files that are not ours ------------------------------------------------------------------ */

static void refused(struct world *w, const char *why)
{
    struct store *s = store_open(w->path, &w->e);
    CHECK(!s || !store_check(s, true, &w->e));
    store_close(s);
    CHECK_EQ(w->e.status, STATUS_BAD_INPUT);
    CHECK(strncmp(w->e.text, w->path, strlen(w->path)) == 0);
    if (!strstr(w->e.text, why))
        CHECK_STR(w->e.text, why);
    w->e = (struct err){0};
}

static void write_file(const char *path, const char *text, long at)
{
    FILE *f = fopen(path, at ? "r+" : "w");
    CHECK(f);
    CHECK_EQ(fseek(f, at, SEEK_SET), 0);
    fputs(text, f);
    CHECK_EQ(fclose(f), 0);
}

static void a_file_that_is_no_database_is_refused_and_left_alone(void)
{
    struct world w;
    char text[64] = "";
    open_world(&w);
    write_file(w.path, "workload,ipc\nHS,100\n", 0);
    refused(&w, "not a database of results");
    FILE *f = fopen(w.path, "r");
    CHECK(f && fread(text, 1, sizeof text - 1, f) == 20);
    fclose(f);
    CHECK_STR(text, "workload,ipc\nHS,100\n");
    close_world(&w);
}

static void sql(const char *path, const char *statements)
{
    sqlite3 *db;
    CHECK_EQ(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_close(db), SQLITE_OK);
}

static void a_database_of_another_program_is_refused(void)
{
    struct world w;
    open_world(&w);
    sql(w.path, "CREATE TABLE bookmarks(url TEXT)");
    refused(&w, "of another program");
    sql(w.path, "INSERT INTO bookmarks VALUES('x')"); /* still its owner's */
    close_world(&w);
}

static void another_schema_is_refused(void)
{
    struct world w;
    open_world(&w);
    store_close(open_store(&w));
    sql(w.path, "PRAGMA user_version = 7");
    refused(&w, "schema 7, expected 2");
    close_world(&w);
}

static void a_damaged_database_is_refused(void)
{
    struct world w;
    struct stat st;
    open_world(&w);
    struct store *s = open_store(&w);
    for (uint64_t i = 0; i < 50; i++) {
        struct store_run r = make_run(w.a, i);
        CHECK(store_put(s, &r, &w.e));
    }
    store_close(s);
    CHECK_EQ(stat(w.path, &st), 0);
    for (long at = 4096; at < st.st_size; at += 4096)
        write_file(w.path, "this was a page", at);
    refused(&w, "damaged");
    CHECK_EQ(truncate(w.path, st.st_size / 2), 0);
    refused(&w, "damaged");
    close_world(&w);
}

static void a_folder_that_is_not_there_is_one_line(void)
{
    struct err e = {0};
    CHECK(!store_open("/nowhere/at/all/results.db", &e));
    CHECK_STR(e.text, "/nowhere/at/all/results.db: cannot open: No such file or directory");
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
}

/* ---- several at once, and ends that come early -------------------------------------------------- */

static void put_some(const char *path, uint64_t first, uint64_t n)
{
    struct err e = {0};
    struct arena *a = arena_new();
    for (uint64_t i = 0; i < n; i++) { /* opened for each, as children of a pool do */
        struct store_run r = make_run(a, first + i);
        struct store *s = store_open(path, &e);
        if (!s || !store_put(s, &r, &e)) {
            fprintf(stderr, "%s\n", e.text);
            _exit(1);
        }
        store_close(s);
    }
    _exit(0);
}

static void writers_that_make_one_file_at_once_lose_nothing(void)
{
    struct world w;
    pid_t pids[WRITERS];
    int status;
    open_world(&w);
    for (uint64_t i = 0; i < WRITERS; i++)
        if ((pids[i] = fork()) == 0)
            put_some(w.path, 1000 * i, RUNS_EACH);
    for (int i = 0; i < WRITERS; i++) {
        CHECK_EQ(waitpid(pids[i], &status, 0), pids[i]);
        CHECK_EQ(status, 0);
    }
    struct store *s = open_store(&w);
    for (uint64_t i = 0; i < WRITERS; i++)
        for (uint64_t k = 0; k < RUNS_EACH; k++)
            CHECK(is_whole(&w, s, 1000 * i + k));
    store_close(s);
    close_world(&w);
}

static void a_killed_writer_leaves_whole_runs_only(void)
{
    struct world w;
    int status;
    uint64_t last = 0;
    open_world(&w);
    for (long i = 0; i < 8; i++) {
        uint64_t first = 10000 * (uint64_t)(i + 1);
        pid_t pid = fork();
        if (pid == 0)
            put_some(w.path, first, 10000);
        nanosleep(&(struct timespec){.tv_nsec = 3000000 + 4000000 * i}, NULL);
        CHECK_EQ(kill(pid, SIGKILL), 0);
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        struct store *s = open_store(&w);
        CHECK(store_check(s, true, &w.e));
        for (last = first; is_whole(&w, s, last);)
            last++;
        for (uint64_t k = last; k < last + 3; k++)
            CHECK(!is_whole(&w, s, k)); /* what is there has no gaps */
        store_close(s);
    }
    close_world(&w);
}

static void fill(const char *path)
{
    struct err e = {0};
    struct arena *a = arena_new();
    struct store *s = store_open(path, &e);
    struct rlimit limit = {200000, 200000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    for (uint64_t i = 100; s && i < 10000; i++) {
        struct store_run r = make_run(a, i);
        if (!store_put(s, &r, &e))
            break;
    }
    bool is_told = strstr(e.text, "cannot read or write: ") || strstr(e.text, "the disk is full");
    if (!is_told)
        fprintf(stderr, "\"%s\"\n", e.text);
    _exit(is_told && e.status == STATUS_BAD_INPUT ? 0 : 1);
}

static void a_full_disk_is_one_line_and_keeps_what_was_there(void)
{
    struct world w;
    int status;
    open_world(&w);
    struct store *s = open_store(&w);
    struct store_run r = make_run(w.a, 1);
    CHECK(store_put(s, &r, &w.e));
    store_close(s);
    pid_t pid = fork();
    if (pid == 0)
        fill(w.path);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    s = open_store(&w);
    CHECK(store_check(s, true, &w.e));
    CHECK(is_whole(&w, s, 1) && is_whole(&w, s, 100));
    store_close(s);
    close_world(&w);
}

/* "wal" or "delete". */
static const char *journal_of(struct world *w)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    CHECK_EQ(sqlite3_open(w->path, &db), SQLITE_OK);
    CHECK_EQ(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &q, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_step(q), SQLITE_ROW);
    const char *mode = arena_strdup(w->a, (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
    return mode;
}

static void a_database_that_computers_share_has_no_write_ahead_log_any_more(void)
{
    struct world w;
    open_world(&w);
    struct store_run r = make_run(w.a, 5);
    struct store *s = open_store(&w);
    CHECK(store_put(s, &r, &w.e));
    store_close(s);
    CHECK_STR(journal_of(&w), "wal");
    CHECK(store_share(w.path, &w.e));
    CHECK_STR(journal_of(&w), "delete");
    s = open_store(&w);
    CHECK(is_whole(&w, s, 5));
    store_close(s);
    CHECK_STR(journal_of(&w), "delete");
    CHECK(store_share(w.path, &w.e)); /* again */
    unlink(w.path);
    CHECK(store_share(w.path, &w.e)); /* or from the beginning */
    CHECK_STR(journal_of(&w), "delete");
    close_world(&w);
}

struct told {
    uint64_t runs, failures;
    char why[32];
};

static void tell_run(void *context, uint64_t key)
{
    ((struct told *)context)->runs += key;
}

static void tell_failure(void *context, uint64_t key, const char *why)
{
    struct told *t = context;
    t->failures += key;
    snprintf(t->why, sizeof t->why, "%s", why);
}

static void every_run_and_every_failure_is_told(void)
{
    struct world w;
    struct told t = {0};
    open_world(&w);
    struct store *s = open_store(&w);
    for (uint64_t key = 1; key <= 3; key++) {
        struct store_run r = make_run(w.a, key * 10);
        CHECK(store_put(s, &r, &w.e));
    }
    CHECK(store_put_failure(s, 7, "deadlock", &w.e));
    CHECK(store_each_run(s, tell_run, &t, &w.e) && store_each_failure(s, tell_failure, &t, &w.e));
    CHECK_EQ(t.runs, 60);
    CHECK_EQ(t.failures, 7);
    CHECK_STR(t.why, "deadlock");
    store_close(s);
    close_world(&w);
}

CHECK_MAIN("store", TEST(the_same_question_finds_runs_of_other_models),
           TEST(a_database_of_the_first_schema_is_brought_up_to_date),
           TEST(a_run_comes_back_as_it_was_put),
           TEST(a_run_that_is_put_again_replaces_all_of_the_first),
           TEST(what_was_not_put_is_not_there), TEST(a_guess_is_the_average_over_machines),
           TEST(a_result_takes_the_failure_away),
           TEST(a_file_that_is_no_database_is_refused_and_left_alone),
           TEST(a_database_of_another_program_is_refused), TEST(another_schema_is_refused),
           TEST(a_damaged_database_is_refused), TEST(a_folder_that_is_not_there_is_one_line),
           TEST(writers_that_make_one_file_at_once_lose_nothing),
           TEST(a_killed_writer_leaves_whole_runs_only),
           TEST(a_full_disk_is_one_line_and_keeps_what_was_there),
           TEST(a_database_that_computers_share_has_no_write_ahead_log_any_more),
           TEST(every_run_and_every_failure_is_told))
