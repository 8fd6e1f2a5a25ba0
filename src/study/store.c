/* store.c - results of runs in SQLite.
 *
 * One row of `run` per result, its numbers in `value` (their names once, in `name`), and a view
 * `stat` that joins them for people with the sqlite3 program.  Whatever belongs together is one
 * immediate transaction, so that a writer that is killed, or finds the disk full, leaves nothing
 * half done.  The application id tells our files from other programs', the user version one
 * schema from the next; an older one is brought up to date.  The write-ahead log needs memory that
 * its users share, so a database on a file system that several computers share has SQLite's rollback
 * journal instead; a note in it says so, and whoever opens it leaves it at that. */
#include "study/store.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "study/store_sql.h"

enum { BUSY_MS = 60000, JOURNAL_TRIES = 200, JOURNAL_WAIT_MS = 25 };

static const char schema[] =
    "CREATE TABLE note(name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE run(key INTEGER PRIMARY KEY, machine TEXT, workload TEXT, variant TEXT,"
    " version TEXT, config TEXT, cycles INTEGER, digest INTEGER, wall_s REAL, asked INTEGER);"
    "CREATE INDEX run_workload ON run(workload);"
    "CREATE TABLE name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE value(run INTEGER NOT NULL, name INTEGER NOT NULL, value REAL,"
    " PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "CREATE TABLE failure(key INTEGER PRIMARY KEY, why TEXT NOT NULL);"
    "CREATE VIEW stat AS SELECT printf('%016x', run.key) AS run, machine, workload, variant,"
    " name.name AS name, value FROM value JOIN run ON run.key = value.run"
    " JOIN name ON name.id = value.name;"
    "CREATE INDEX run_asked ON run(asked);";

/* Of schema 1, which did not know what was asked. */
static const char from_1[] = "ALTER TABLE run ADD COLUMN asked INTEGER;"
                             "CREATE INDEX run_asked ON run(asked);" STORE_MARK;

/* ---- opening ---------------------------------------------------------------------------------- */

/* Two processes that make the same new file: the second waits here and finds it made. */
static bool make_schema(struct store *s, struct err *e)
{
    int64_t id, tables;
    if (!store_sql(s, "BEGIN IMMEDIATE", e))
        return false;
    bool ok = store_sql_number(s, "PRAGMA application_id", &id, e) &&
              store_sql_number(s, "SELECT count(*) FROM sqlite_master", &tables, e);
    if (ok && id != STORE_ID && (id != 0 || tables != 0))
        ok = err_set(e, STATUS_BAD_INPUT, "%s: a database of another program, not of heddle's",
                     s->path);
    if (ok && id != STORE_ID)
        ok = store_sql(s, schema, e) && store_sql(s, STORE_MARK, e);
    return store_sql_end(s, ok, e);
}

/* Again the second of two finds it done. */
static bool migrate(struct store *s, struct err *e)
{
    int64_t version = 0;
    if (!store_sql(s, "BEGIN IMMEDIATE", e))
        return false;
    bool ok = store_sql_number(s, "PRAGMA user_version", &version, e) &&
              (version != 1 || store_sql(s, from_1, e));
    return store_sql_end(s, ok, e);
}

/* Changing to or from the write-ahead log needs the file for itself, and SQLite does not wait for
 * that. */
static bool use_journal(struct store *s, const char *sql, struct err *e)
{
    int rc = SQLITE_OK;
    for (int i = 0; i < JOURNAL_TRIES; i++) {
        rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
        if ((rc & 0xff) != SQLITE_BUSY)
            break;
        sqlite3_sleep(JOURNAL_WAIT_MS);
    }
    return rc == SQLITE_OK || store_sql_fail(s, e);
}

/* The note comes first: one who opens the file meanwhile leaves the journal alone, too. */
static bool choose_journal(struct store *s, bool becomes_shared, struct err *e)
{
    if (becomes_shared)
        return store_put_note(s, "journal", "rollback", e) &&
               use_journal(s, "PRAGMA journal_mode=DELETE", e);
    int64_t is_shared;
    return store_sql_number(s, "SELECT count(*) FROM note WHERE name = 'journal'", &is_shared, e) &&
           (is_shared || use_journal(s, "PRAGMA journal_mode=WAL", e));
}

static bool set_up(struct store *s, bool becomes_shared, struct err *e)
{
    int64_t id, version;
    bool is_read_only = sqlite3_db_readonly(s->db, "main") == 1;
    if (!store_sql_number(s, "PRAGMA application_id", &id, e))
        return false;
    if (id != STORE_ID && is_read_only)
        return err_set(e, STATUS_BAD_INPUT, "%s: no database of heddle's, and read-only", s->path);
    if (id != STORE_ID && !make_schema(s, e))
        return false;
    if (!store_sql_number(s, "PRAGMA user_version", &version, e))
        return false;
    if (version == 1 && is_read_only)
        return err_set(e, STATUS_BAD_INPUT, "%s: made by an older heddle, and read-only", s->path);
    if (version == 1 && !migrate(s, e))
        return false;
    if (version != 1 && version != STORE_SCHEMA)
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: made by another heddle (schema %lld, expected %d); move it away",
                       s->path, (long long)version, STORE_SCHEMA);
    return is_read_only || choose_journal(s, becomes_shared, e);
}

static struct store *open_file(const char *path, bool becomes_shared, struct err *e)
{
    struct arena *a = arena_new();
    struct store *s = ARENA_NEW(a, struct store);
    s->arena = a;
    s->path = arena_strdup(a, path);
    int rc = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (rc != SQLITE_OK) {
        store_sql_fail(s, e);
        store_close(s);
        return NULL;
    }
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (set_up(s, becomes_shared, e))
        return s;
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, struct err *e)
{
    return open_file(path, false, e);
}

bool store_share(const char *path, struct err *e)
{
    struct store *s = open_file(path, true, e);
    store_close(s);
    return s != NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    arena_free(s->arena);
}

bool store_check(struct store *s, bool for_writing, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "PRAGMA quick_check(1)", e);
    bool more = false;
    bool ok = q && store_sql_step(s, q, &more, e);
    const char *found = ok && more ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (ok && (!found || strcmp(found, "ok") != 0))
        ok = err_set(e, STATUS_BAD_INPUT, STORE_DAMAGED, s->path, found ? found : "no answer");
    sqlite3_finalize(q);
    if (!ok || !for_writing)
        return ok;
    return store_sql(s, "BEGIN IMMEDIATE", e) && store_sql(s, "ROLLBACK", e);
}

/* ---- putting ---------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *q, int i, const char *text)
{
    sqlite3_bind_text(q, i, text, -1, SQLITE_STATIC); /* NULL is NULL */
}

static bool put_run(struct store *s, const struct store_run *r, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(
        s, "INSERT OR REPLACE INTO run VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)r->key);
    bind_text(q, 2, r->machine);
    bind_text(q, 3, r->workload);
    bind_text(q, 4, r->variant);
    bind_text(q, 5, r->version);
    bind_text(q, 6, r->config);
    sqlite3_bind_int64(q, 7, (int64_t)r->cycles);
    sqlite3_bind_int64(q, 8, (int64_t)r->digest);
    sqlite3_bind_double(q, 9, r->wall_s);
    sqlite3_bind_int64(q, 10, (int64_t)r->asked);
    return store_sql_finish(s, q, e);
}

/* The first of two with one name stays.  SQLite makes NULL of NaN. */
static bool put_values(struct store *s, const struct store_run *r, struct err *e)
{
    sqlite3_stmt *name = store_sql_prepare(s, "INSERT OR IGNORE INTO name(name) VALUES(?1)", e);
    sqlite3_stmt *value = store_sql_prepare(
        s, "INSERT OR IGNORE INTO value SELECT ?1, id, ?2 FROM name WHERE name = ?3", e);
    bool ok = name && value;
    for (uint32_t i = 0; ok && i < r->nstats; i++) {
        bind_text(name, 1, r->names[i]);
        sqlite3_bind_int64(value, 1, (int64_t)r->key);
        sqlite3_bind_double(value, 2, r->values[i]);
        bind_text(value, 3, r->names[i]);
        ok = store_sql_run(s, name, e) && store_sql_run(s, value, e);
    }
    sqlite3_finalize(name);
    sqlite3_finalize(value);
    return ok;
}

static bool delete_key(struct store *s, const char *sql, uint64_t key, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, sql, e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)key);
    return store_sql_finish(s, q, e);
}

bool store_put(struct store *s, const struct store_run *r, struct err *e)
{
    if (!store_sql(s, "BEGIN IMMEDIATE", e))
        return false;
    bool ok = delete_key(s, "DELETE FROM value WHERE run = ?1", r->key, e) && put_run(s, r, e) &&
              put_values(s, r, e) && delete_key(s, "DELETE FROM failure WHERE key = ?1", r->key, e);
    return store_sql_end(s, ok, e);
}

bool store_put_failure(struct store *s, uint64_t key, const char *why, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "INSERT OR REPLACE INTO failure VALUES(?1, ?2)", e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)key);
    bind_text(q, 2, why);
    return store_sql_finish(s, q, e);
}

bool store_put_note(struct store *s, const char *name, const char *text, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "INSERT OR REPLACE INTO note VALUES(?1, ?2)", e);
    if (!q)
        return false;
    bind_text(q, 1, name);
    bind_text(q, 2, text);
    return store_sql_finish(s, q, e);
}

/* ---- getting ---------------------------------------------------------------------------------- */

static const char *text_of(sqlite3_stmt *q, int column, struct arena *a)
{
    const char *t = (const char *)sqlite3_column_text(q, column);
    return t ? arena_strdup(a, t) : NULL;
}

bool store_has(struct store *s, uint64_t key, bool *has, struct err *e)
{
    *has = false;
    sqlite3_stmt *q = store_sql_prepare(s, "SELECT 1 FROM run WHERE key = ?1", e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)key);
    bool ok = store_sql_step(s, q, has, e);
    sqlite3_finalize(q);
    return ok;
}

static bool get_run(struct store *s, struct arena *a, struct store_run *r, bool *found,
                    struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(
        s,
        "SELECT machine, workload, variant, version, config, cycles, digest, wall_s,"
        " (SELECT count(*) FROM value WHERE run = key), asked FROM run WHERE key = ?1",
        e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)r->key);
    bool ok = store_sql_step(s, q, found, e);
    if (ok && *found) {
        r->machine = text_of(q, 0, a);
        r->workload = text_of(q, 1, a);
        r->variant = text_of(q, 2, a);
        r->version = text_of(q, 3, a);
        r->config = text_of(q, 4, a);
        r->cycles = (uint64_t)sqlite3_column_int64(q, 5);
        r->digest = (uint64_t)sqlite3_column_int64(q, 6);
        r->wall_s = sqlite3_column_double(q, 7);
        r->nstats = (uint32_t)sqlite3_column_int64(q, 8);
        r->asked = (uint64_t)sqlite3_column_int64(q, 9);
    }
    sqlite3_finalize(q);
    return ok;
}

/* In the order of their names, which does not depend on who was first to write one. */
static bool get_values(struct store *s, struct arena *a, struct store_run *r, struct err *e)
{
    const char **names = ARENA_ARRAY(a, const char *, r->nstats + 1);
    double *values = ARENA_ARRAY(a, double, r->nstats + 1);
    uint32_t n = 0;
    sqlite3_stmt *q =
        store_sql_prepare(s,
                          "SELECT name.name, value FROM value JOIN name ON name.id = value.name"
                          " WHERE run = ?1 ORDER BY name.name",
                          e);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)r->key);
    bool more = true, ok = true;
    while ((ok = store_sql_step(s, q, &more, e)) && more && n < r->nstats) {
        names[n] = text_of(q, 0, a);
        values[n++] =
            sqlite3_column_type(q, 1) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q, 1);
    }
    sqlite3_finalize(q);
    r->nstats = n;
    r->names = names;
    r->values = values;
    return ok;
}

bool store_get(struct store *s, struct arena *a, uint64_t key, struct store_run *r, bool *found,
               struct err *e)
{
    *r = (struct store_run){.key = key};
    *found = false;
    if (!store_sql(s, "BEGIN", e)) /* both queries see the same moment */
        return false;
    bool ok = get_run(s, a, r, found, e) && (!*found || get_values(s, a, r, e));
    return store_sql_end(s, ok, e);
}

bool store_others(struct store *s, struct arena *a, const struct store_run *like,
                  struct store_other **others, uint32_t *n, struct err *e)
{
    enum { MOST = 1024 };
    sqlite3_stmt *q = store_sql_prepare(
        s,
        "SELECT key, version FROM run WHERE key != ?1 AND (asked = ?2 OR (asked IS NULL AND"
        " machine = ?3 AND workload = ?4 AND variant = ?5)) ORDER BY version, key",
        e);
    *n = 0;
    *others = ARENA_ARRAY(a, struct store_other, MOST);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, (int64_t)like->key);
    sqlite3_bind_int64(q, 2, (int64_t)like->asked);
    bind_text(q, 3, like->machine);
    bind_text(q, 4, like->workload);
    bind_text(q, 5, like->variant);
    bool more = true, ok = true;
    while ((ok = store_sql_step(s, q, &more, e)) && more && *n < MOST) {
        const char *version = text_of(q, 1, a);
        (*others)[(*n)++] = (struct store_other){.key = (uint64_t)sqlite3_column_int64(q, 0),
                                                 .version = version ? version : "unknown"};
    }
    sqlite3_finalize(q);
    return ok;
}

/* One text by a key that has been bound; NULL where there is none. */
static const char *get_text(struct store *s, sqlite3_stmt *q, struct arena *a)
{
    struct err ignored = {0};
    bool found = false;
    const char *t = store_sql_step(s, q, &found, &ignored) && found ? text_of(q, 0, a) : NULL;
    sqlite3_finalize(q);
    return t;
}

const char *store_failure(struct store *s, struct arena *a, uint64_t key)
{
    struct err ignored = {0};
    sqlite3_stmt *q = store_sql_prepare(s, "SELECT why FROM failure WHERE key = ?1", &ignored);
    if (!q)
        return NULL;
    sqlite3_bind_int64(q, 1, (int64_t)key);
    return get_text(s, q, a);
}

const char *store_note(struct store *s, struct arena *a, const char *name)
{
    struct err ignored = {0};
    sqlite3_stmt *q = store_sql_prepare(s, "SELECT text FROM note WHERE name = ?1", &ignored);
    if (!q)
        return NULL;
    bind_text(q, 1, name);
    return get_text(s, q, a);
}

double store_guess(struct store *s, const char *workload)
{
    struct err ignored = {0};
    bool found = false;
    sqlite3_stmt *q =
        store_sql_prepare(s, "SELECT avg(wall_s) FROM run WHERE workload = ?1", &ignored);
    if (!q)
        return 0;
    bind_text(q, 1, workload);
    double guess =
        store_sql_step(s, q, &found, &ignored) && found ? sqlite3_column_double(q, 0) : 0;
    sqlite3_finalize(q);
    return guess;
}

bool store_each_run(struct store *s, void (*tell)(void *context, uint64_t key), void *context,
                    struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "SELECT key FROM run", e);
    bool more = true, ok = q != NULL;
    while (ok && (ok = store_sql_step(s, q, &more, e)) && more)
        tell(context, (uint64_t)sqlite3_column_int64(q, 0));
    sqlite3_finalize(q);
    return ok;
}

bool store_each_failure(struct store *s, void (*tell)(void *context, uint64_t key, const char *why),
                        void *context, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "SELECT key, why FROM failure", e);
    bool more = true, ok = q != NULL;
    while (ok && (ok = store_sql_step(s, q, &more, e)) && more)
        tell(context, (uint64_t)sqlite3_column_int64(q, 0),
             (const char *)sqlite3_column_text(q, 1));
    sqlite3_finalize(q);
    return ok;
}
