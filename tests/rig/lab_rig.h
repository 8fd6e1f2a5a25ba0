/* lab_rig.h - one lab run from settings to the empty network, and the same run in other ways.
 *
 *     struct lab_rig_job j = {.cfg = cfg, .rate = 0.3, .cycles = 300};
 *     lab_rig_run(&j);
 *     CHECK(j.ok);            // else j.err says why */
#ifndef HEDDLE_TESTS_RIG_LAB_RIG_H
#define HEDDLE_TESTS_RIG_LAB_RIG_H

#include "lab/lab.h"

/* Settings are separated by blanks: "noc.topology=mesh router.vcs=2".  NULL: refused, see *e. */
struct config *lab_rig_config(struct arena *a, const char *settings, struct err *e);

struct lab_rig_job {
    const struct config *cfg;
    double rate;
    hd_cycle cycles; /* of traffic; then the network is drained */
    struct lab_options opt;
    bool built, ok;
    struct err err;
    struct lab_totals totals;
};

/* Builds, runs and drains; never fails a test by itself, so that it may run in any thread. */
void lab_rig_run(struct lab_rig_job *j);
/* All jobs at once, each in a thread of its own (at most 8). */
void lab_rig_run_together(struct lab_rig_job *jobs, int n);

/* Whether two runs delivered the same packets at the same times over the same channels. */
bool lab_rig_same(const struct lab_rig_job *a, const struct lab_rig_job *b);

/* Runs the job audited, then in every other way there is: visiting every cycle, with the router
 * that has all options, ticking components in the opposite order, and twice at once in two threads.  NULL when all agree and nothing is
 * left; otherwise what went wrong, valid until the next call in this thread. */
const char *lab_rig_disagreement(const struct config *cfg, double rate, hd_cycle cycles);

#endif
