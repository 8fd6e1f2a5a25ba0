/* store_sql.c - statements of the store, and what their failures are called.
 *
 * SQLite has some hundred codes of failure; a user can do something about five things: the file
 * is not ours or damaged, the disk is full, it cannot be written, it cannot be reached, or
 * somebody else holds it. */
#include "study/store_sql.h"

#include <errno.h>
#include <string.h>

static const char *system_says(sqlite3 *db)
{
    int no = sqlite3_system_errno(db);
    return no ? strerror(no) : sqlite3_errmsg(db);
}

bool store_sql_fail(struct store *s, struct err *e)
{
    if (!s->db)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot open: no memory", s->path);
    switch (sqlite3_errcode(s->db) & 0xff) {
    case SQLITE_NOTADB:
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: not a database of results; move it away, and the study makes one",
                       s->path);
    case SQLITE_CORRUPT:
        return err_set(e, STATUS_BAD_INPUT, STORE_DAMAGED, s->path, sqlite3_errmsg(s->db));
    case SQLITE_FULL:
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: the disk is full", s->path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: it is read-only", s->path);
    case SQLITE_CANTOPEN:
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot open: %s", s->path, system_says(s->db));
    case SQLITE_IOERR:
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot read or write: %s", s->path,
                       system_says(s->db));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(e, STATUS_BAD_INPUT, "%s: another program holds it", s->path);
    default:
        return err_set(e, STATUS_BAD_INPUT, "%s: %s", s->path, sqlite3_errmsg(s->db));
    }
}

bool store_sql(struct store *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_sql_fail(s, e);
}

bool store_sql_end(struct store *s, bool ok, struct err *e)
{
    if (ok && store_sql(s, "COMMIT", e))
        return true;
    struct err ignored = {0}; /* SQLite may have rolled back by itself */
    store_sql(s, "ROLLBACK", &ignored);
    return false;
}

sqlite3_stmt *store_sql_prepare(struct store *s, const char *sql, struct err *e)
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        store_sql_fail(s, e);
    return q;
}

bool store_sql_step(struct store *s, sqlite3_stmt *q, bool *has_row, struct err *e)
{
    int rc = sqlite3_step(q);
    *has_row = rc == SQLITE_ROW;
    return rc == SQLITE_ROW || rc == SQLITE_DONE || store_sql_fail(s, e);
}

bool store_sql_run(struct store *s, sqlite3_stmt *q, struct err *e)
{
    bool has_row;
    bool ok = store_sql_step(s, q, &has_row, e);
    sqlite3_reset(q);
    return ok;
}

bool store_sql_finish(struct store *s, sqlite3_stmt *q, struct err *e)
{
    bool has_row;
    bool ok = store_sql_step(s, q, &has_row, e);
    sqlite3_finalize(q);
    return ok;
}

bool store_sql_number(struct store *s, const char *sql, int64_t *n, struct err *e)
{
    bool has_row = false;
    sqlite3_stmt *q = store_sql_prepare(s, sql, e);
    if (!q)
        return false;
    bool ok = store_sql_step(s, q, &has_row, e);
    *n = ok && has_row ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return ok;
}

bool store_sql_is_damaged(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
    bool is_whole = true;
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &q, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(q);
        is_whole = rc != SQLITE_ROW || strcmp((const char *)sqlite3_column_text(q, 0), "ok") == 0;
    }
    sqlite3_finalize(q);
    sqlite3_close(db);
    return !is_whole || (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
}
