/* gather.c - see gather.h. */
#include "study/gather.h"

#include <stdio.h>
#include <string.h>

#include "study/lockfile.h"
#include "study/store_sql.h"

enum { LOCK_WAIT_S = 60 };

/* The first statement takes the lock of the database; BEGIN IMMEDIATE would take that of the shard, too,
 * which is its task's.  Ids of names are each database's own.  A run that is there has all its
 * values. */
static const char merge[] =
    "DELETE FROM main.failure WHERE 0;"
    "CREATE TEMP TABLE fresh AS SELECT key FROM shard.run WHERE key NOT IN (SELECT key FROM "
    "main.run);"
    "INSERT INTO main.run SELECT * FROM shard.run WHERE key IN fresh;"
    "INSERT OR IGNORE INTO main.name(name) SELECT name FROM shard.name;"
    "CREATE TEMP TABLE ids AS SELECT theirs.id AS theirs, ours.id AS ours FROM shard.name AS "
    "theirs JOIN main.name AS ours ON ours.name = theirs.name;"
    "CREATE UNIQUE INDEX temp.ids_theirs ON ids(theirs);"
    "INSERT INTO main.value SELECT run, ours, value FROM fresh JOIN shard.value ON run = key JOIN"
    " ids ON theirs = shard.value.name;"
    "INSERT OR REPLACE INTO main.failure SELECT * FROM shard.failure;"
    "DELETE FROM main.failure WHERE key IN (SELECT key FROM main.run);";

static const char forget[] = "DROP TABLE IF EXISTS temp.fresh; DROP TABLE IF EXISTS temp.ids;";

static bool attach(struct store *s, const char *path, struct err *e)
{
    sqlite3_stmt *q = store_sql_prepare(s, "ATTACH ?1 AS shard", e);
    if (!q)
        return false;
    sqlite3_bind_text(q, 1, path, -1, SQLITE_STATIC);
    return store_sql_finish(s, q, e);
}

static bool merge_attached(struct store *s, uint32_t *fresh, struct err *e)
{
    int64_t n = 0;
    bool ok = store_sql(s, "BEGIN", e);
    ok = ok && store_sql_end(s,
                             store_sql(s, merge, e) &&
                                 store_sql_number(s, "SELECT count(*) FROM temp.fresh", &n, e),
                             e);
    struct err ignored = {0}; /* a rollback has dropped them already */
    store_sql(s, forget, &ignored);
    *fresh = (uint32_t)n;
    return ok;
}

static bool merge_shard(struct store *s, const char *path, uint32_t *fresh, struct err *e)
{
    struct err ignored = {0};
    if (!attach(s, path, e))
        return false;
    bool ok = merge_attached(s, fresh, e);
    store_sql(s, "DETACH shard", &ignored);
    return ok;
}

/* Opening it ends what its writer left in the middle, and refuses what is not ours. */
static bool look_at(const char *path, bool *is_closed, struct err *e)
{
    struct arena *a = arena_new();
    struct store *s = store_open(path, e);
    bool ok = s && store_check(s, false, e);
    *is_closed = ok && store_note(s, a, SHARD_CLOSED) != NULL;
    store_close(s);
    arena_free(a);
    return ok;
}

static bool set_aside(struct arena *a, const char *path, struct gather_result *r)
{
    const char *away = arena_printf(a, "%s.damaged", path);
    r->damaged = r->damaged ? r->damaged : away;
    r->ndamaged++;
    return rename(path, away) == 0;
}

static bool gather_one(struct arena *a, struct store *into, const char *path,
                       struct gather_result *r, struct err *e)
{
    struct err why = {0};
    bool is_closed;
    uint32_t fresh = 0;
    if (!look_at(path, &is_closed, &why))
        return (store_sql_is_damaged(path) && set_aside(a, path, r)) ||
               err_set(e, why.status, "%s", why.text);
    if (!merge_shard(into, path, &fresh, e) || (is_closed && !shard_remove(path, e)))
        return false;
    r->shards++;
    r->runs += fresh;
    r->open += !is_closed;
    return true;
}

bool gather_shards(struct arena *a, const char *into, const struct shard_list *from,
                   const char *lock, struct gather_result *r, struct err *e)
{
    *r = (struct gather_result){0};
    if (!from->n)
        return true;
    if (!lockfile_take(lock, "gathers", LOCK_WAIT_S, e))
        return false;
    struct store *s = store_open(into, e);
    bool ok = s != NULL;
    for (uint32_t i = 0; ok && i < from->n; i++) {
        ok = gather_one(a, s, from->paths[i], r, e);
        lockfile_touch(lock);
    }
    store_close(s);
    lockfile_release(lock);
    return ok;
}
