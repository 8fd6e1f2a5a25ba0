/* Shards into one database: everything once, however often, and nothing of it lost. */
#include "study/gather.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "study/store.h"

enum { NSTATS = 12 };

struct world {
    struct arena *a;
    char dir[64];
    const char *folder, *db, *lock;
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-gather-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    w->folder = arena_printf(w->a, "%s/shards", w->dir);
    w->db = arena_printf(w->a, "%s/results.db", w->dir);
    w->lock = arena_printf(w->a, "%s/lock", w->dir);
    CHECK(store_share(w->db, &w->e));
}

static void close_world(struct world *w)
{
    CHECK(access(w->lock, F_OK) != 0);
    CHECK(shard_clear(w->a, w->folder, &w->e));
    CHECK(shard_remove(w->db, &w->e));
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

/* A run whose values follow from its key; names come in another order in every shard. */
static void put(struct world *w, const char *path, uint64_t key, uint32_t turn)
{
    const char *names[NSTATS];
    double values[NSTATS];
    for (uint32_t i = 0; i < NSTATS; i++) {
        uint32_t k = (i * 5 + turn) % NSTATS;
        names[i] = arena_printf(w->a, "stat%u", k);
        values[i] = k == 3 ? (double)NAN : (double)key + k;
    }
    struct store_run r = {.key = key,
                          .machine = "icc60",
                          .workload = "HS@tiny",
                          .variant = "rr",
                          .version = "1",
                          .config = "{}",
                          .cycles = key + 1,
                          .digest = ~key,
                          .asked = key * 3,
                          .nstats = NSTATS,
                          .names = names,
                          .values = values};
    struct store *s = store_open(path, &w->e);
    CHECK(s && store_put(s, &r, &w->e));
    store_close(s);
}

static const char *make_shard(struct world *w, const char *label, uint64_t first, uint64_t last)
{
    const char *path = shard_make(w->a, w->folder, label, &w->e);
    CHECK(path);
    for (uint64_t key = first; key <= last; key++)
        put(w, path, key, (uint32_t)first);
    return path;
}

static struct gather_result gather(struct world *w)
{
    struct shard_list l;
    struct gather_result r;
    CHECK(shard_find(w->a, w->folder, NULL, &l, &w->e));
    gather_shards(w->a, w->db, &l, w->lock, &r, &w->e);
    CHECK_STR(w->e.text, "");
    return r;
}

static bool has(struct world *w, uint64_t key)
{
    struct store_run r;
    bool found;
    struct store *s = store_open(w->db, &w->e);
    CHECK(s && store_get(s, w->a, key, &r, &found, &w->e));
    store_close(s);
    if (!found)
        return false;
    CHECK_EQ(r.nstats, NSTATS);
    CHECK(r.cycles == key + 1 && r.digest == ~key && r.asked == key * 3);
    for (uint32_t i = 0; i < NSTATS; i++) {
        double k = atof(r.names[i] + 4);
        CHECK(k == 3 ? isnan(r.values[i]) : r.values[i] == (double)key + k);
    }
    return true;
}

static void all_runs_of_all_shards_are_there_once(void)
{
    struct world w;
    open_world(&w);
    put(&w, w.db, 1, 0);
    CHECK(shard_close(make_shard(&w, "a", 1, 4), &w.e));
    CHECK(shard_close(make_shard(&w, "b", 3, 6), &w.e));
    struct gather_result r = gather(&w);
    CHECK_EQ(r.shards, 2);
    CHECK_EQ(r.runs, 5);
    CHECK_EQ(r.open, 0);
    for (uint64_t key = 1; key <= 6; key++)
        CHECK(has(&w, key));
    CHECK(!has(&w, 7));
    CHECK(access(w.folder, F_OK) == 0);
    CHECK_EQ(gather(&w).shards, 0); /* closed shards are gone when their rows are safe */
    close_world(&w);
}

static void a_shard_that_is_still_written_stays_and_is_merged_again(void)
{
    struct world w;
    open_world(&w);
    const char *path = make_shard(&w, "a", 1, 2);
    CHECK_EQ(gather(&w).runs, 2);
    struct gather_result again = gather(&w);
    CHECK_EQ(again.runs, 0);
    CHECK_EQ(again.open, 1);
    put(&w, path, 3, 7);
    CHECK_EQ(gather(&w).runs, 1);
    for (uint64_t key = 1; key <= 3; key++)
        CHECK(has(&w, key));
    close_world(&w);
}

static const char *why(struct world *w, uint64_t key)
{
    struct store *s = store_open(w->db, &w->e);
    const char *text = store_failure(s, w->a, key);
    store_close(s);
    return text;
}

/* It is its task's, also where the one who gathers could. */
static void a_shard_is_read_and_never_written(void)
{
    struct world w;
    struct stat before, after;
    open_world(&w);
    const char *path = make_shard(&w, "a", 1, 9);
    CHECK_EQ(chmod(path, 0444), 0);
    CHECK_EQ(stat(path, &before), 0);
    CHECK_EQ(gather(&w).runs, 9);
    CHECK_EQ(stat(path, &after), 0);
    CHECK_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    close_world(&w);
}

static void a_failure_is_kept_until_somebody_succeeds(void)
{
    struct world w;
    open_world(&w);
    const char *path = make_shard(&w, "a", 1, 1);
    struct store *s = store_open(path, &w.e);
    CHECK(store_put_failure(s, 8, "killed by signal 9", &w.e));
    CHECK(store_put_failure(s, 9, "deadlock", &w.e));
    store_close(s);
    gather(&w);
    CHECK_STR(why(&w, 9), "deadlock");
    make_shard(&w, "b", 9, 9);
    gather(&w);
    CHECK(!why(&w, 9));
    CHECK_STR(why(&w, 8), "killed by signal 9");
    close_world(&w);
}

static void a_damaged_shard_is_set_aside_and_the_others_are_taken(void)
{
    struct world w;
    open_world(&w);
    const char *bad = make_shard(&w, "a", 1, 40);
    int fd = open(bad, O_WRONLY);
    char noise[8192];
    memset(noise, 0x5a, sizeof noise);
    CHECK(fd >= 0 && pwrite(fd, noise, sizeof noise, 4096) == (ssize_t)sizeof noise);
    close(fd);
    make_shard(&w, "b", 50, 51);
    struct gather_result r = gather(&w);
    CHECK_EQ(r.ndamaged, 1);
    CHECK_STR(r.damaged, arena_printf(w.a, "%s.damaged", bad));
    CHECK(has(&w, 50) && has(&w, 51) && !has(&w, 1));
    CHECK_EQ(unlink(r.damaged), 0);
    close_world(&w);
}

/* Gathers until the disk is full, in a process whose files cannot grow. */
static int gather_with_little_room(struct world *w)
{
    fflush(NULL); /* cmocka's lines are said once */
    pid_t child = fork();
    if (child == 0) {
        struct shard_list l;
        struct gather_result r;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){49152, 49152});
        bool ok = shard_find(w->a, w->folder, NULL, &l, &w->e) &&
                  gather_shards(w->a, w->db, &l, w->lock, &r, &w->e);
        _exit(ok ? 0 : (int)w->e.status);
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void where_the_disk_is_full_shards_stay_until_there_is_room(void)
{
    struct world w;
    open_world(&w);
    for (int i = 0; i < 4; i++) {
        const char *path = make_shard(&w, "a", 100u * (uint32_t)i, 100u * (uint32_t)i + 30);
        CHECK(shard_close(path, &w.e));
    }
    CHECK_EQ(gather_with_little_room(&w), STATUS_BAD_INPUT);
    gather(&w);
    for (uint64_t i = 0; i < 4; i++)
        CHECK(has(&w, 100 * i) && has(&w, 100 * i + 30));
    close_world(&w);
}

static void one_who_is_killed_while_gathering_loses_nothing(void)
{
    struct world w;
    open_world(&w);
    for (uint32_t i = 0; i < 6; i++)
        CHECK(shard_close(make_shard(&w, "a", 20u * i, 20u * i + 9), &w.e));
    for (long wait_ns = 500000; wait_ns < 40000000; wait_ns *= 2) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            gather(&w);
            _exit(0);
        }
        nanosleep(&(struct timespec){.tv_nsec = wait_ns}, NULL);
        kill(child, SIGKILL);
        CHECK_EQ(waitpid(child, NULL, 0), child);
    }
    gather(&w);
    for (uint64_t i = 0; i < 6; i++)
        for (uint64_t k = 0; k < 10; k++)
            CHECK(has(&w, 20 * i + k));
    close_world(&w);
}

CHECK_MAIN("gather", TEST(all_runs_of_all_shards_are_there_once),
           TEST(a_shard_that_is_still_written_stays_and_is_merged_again),
           TEST(a_shard_is_read_and_never_written), TEST(a_failure_is_kept_until_somebody_succeeds),
           TEST(a_damaged_shard_is_set_aside_and_the_others_are_taken),
           TEST(where_the_disk_is_full_shards_stay_until_there_is_room),
           TEST(one_who_is_killed_while_gathering_loses_nothing))
