/* store.h - results of runs in SQLite: one transaction per finished run, keyed by what was run.
 *
 * Write-ahead log, so that several studies can write while others read; a killed writer loses at
 * most the run it was writing.  A damaged or foreign file is refused with one line. */
#ifndef HEDDLE_STUDY_STORE_H
#define HEDDLE_STUDY_STORE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct store;

struct store_run {
    uint64_t key;
    const char *machine, *workload, *variant; /* for people who look into the database */
    const char *version;                      /* of the program */
    uint64_t asked;                           /* the question, whatever model answers it */
    const char *config;                       /* JSON */
    uint64_t cycles, digest;
    double wall_s;
    uint32_t nstats;
    const char *const *names; /* statistics and derived values */
    const double *values;     /* NaN: no value */
};

struct store *store_open(const char *path, struct err *e); /* makes it when it is not there */
/* Makes it, or makes what is there, one that computers which share its file system can use: no
 * write-ahead log, now and whenever it is opened. */
bool store_share(const char *path, struct err *e);
void store_close(struct store *s);
bool store_has(struct store *s, uint64_t key, bool *has, struct err *e);
bool store_put(struct store *s, const struct store_run *r, struct err *e); /* replaces */
/* The run, or *found false; strings and arrays in `a`. */
bool store_get(struct store *s, struct arena *a, uint64_t key, struct store_run *r, bool *found,
               struct err *e);
/* Runs that answer the same question under other keys: of other models.  Those of databases that
 * did not know questions yet are found by the names of machine, workload and variant. */
struct store_other {
    uint64_t key;
    const char *version;
};
bool store_others(struct store *s, struct arena *a, const struct store_run *like,
                  struct store_other **others, uint32_t *n, struct err *e);
/* Whether the file is whole and, where asked, can be written: before hours of running, not after. */
bool store_check(struct store *s, bool for_writing, struct err *e);

/* Why a run failed when it was last tried; a result that is put takes it away.  NULL: it did not. */
bool store_put_failure(struct store *s, uint64_t key, const char *why, struct err *e);
const char *store_failure(struct store *s, struct arena *a, uint64_t key);

/* Notes on the whole database, by name; NULL: there is none. */
bool store_put_note(struct store *s, const char *name, const char *text, struct err *e);
const char *store_note(struct store *s, struct arena *a, const char *name);

/* Seconds that this workload took on average (any machine), for guessing; 0: never run. */
double store_guess(struct store *s, const char *workload);

/* The keys of all runs; of all failures, and why. */
bool store_each_run(struct store *s, void (*tell)(void *context, uint64_t key), void *context,
                    struct err *e);
bool store_each_failure(struct store *s, void (*tell)(void *context, uint64_t key, const char *why),
                        void *context, struct err *e);

#endif
