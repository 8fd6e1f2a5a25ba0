/* store_sql.h - statements of the store, and what their failures are called. */
#ifndef HEDDLE_STUDY_STORE_SQL_H
#define HEDDLE_STUDY_STORE_SQL_H

#include <sqlite3.h>

#include "study/store.h"

enum { STORE_ID = 0x68646472, STORE_SCHEMA = 2 }; /* "hddr" */
#define STORE_MARK "PRAGMA application_id = 1751409778; PRAGMA user_version = 2"
#define STORE_DAMAGED "%s: damaged (%s); move it away, and the study makes it anew"

struct store {
    struct arena *arena;
    sqlite3 *db;
    const char *path;
};

/* What SQLite's last error means for the user; returns false. */
bool store_sql_fail(struct store *s, struct err *e);

bool store_sql(struct store *s, const char *sql, struct err *e); /* one or more, without results */
bool store_sql_number(struct store *s, const char *sql, int64_t *n, struct err *e);
/* COMMIT, or ROLLBACK when not `ok`; whether all is well. */
bool store_sql_end(struct store *s, bool ok, struct err *e);

sqlite3_stmt *store_sql_prepare(struct store *s, const char *sql, struct err *e);
bool store_sql_step(struct store *s, sqlite3_stmt *q, bool *has_row, struct err *e);
bool store_sql_run(struct store *s, sqlite3_stmt *q, struct err *e);    /* to be bound again */
bool store_sql_finish(struct store *s, sqlite3_stmt *q, struct err *e); /* run once, then gone */

/* Whether it is the contents of the file that are not right: not its lock, nor the disk. */
bool store_sql_is_damaged(const char *path);

#endif
