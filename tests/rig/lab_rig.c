/* lab_rig.c - the same run in several ways. */
#include "rig/lab_rig.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define DRAIN_LIMIT 1000000

struct config *lab_rig_config(struct arena *a, const char *settings, struct err *e)
{
    struct config *cfg = lab_config(a);
    char *rest = arena_strdup(a, settings);
    for (char *s = strtok_r(rest, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        if (!config_set(cfg, s, e))
            return NULL;
    return cfg;
}

void lab_rig_run(struct lab_rig_job *j)
{
    struct lab *l = lab_new(j->cfg, j->rate, j->opt, &j->err);
    j->built = l != NULL;
    j->ok = l && lab_run(l, j->cycles, &j->err) && lab_drain(l, DRAIN_LIMIT, &j->err);
    if (j->ok)
        j->totals = lab_totals(l);
    lab_free(l);
}

static void *in_thread(void *job)
{
    lab_rig_run(job);
    return NULL;
}

void lab_rig_run_together(struct lab_rig_job *jobs, int n)
{
    pthread_t thread[8];
    int started = 0;
    while (started < n && started < 8 &&
           pthread_create(&thread[started], NULL, in_thread, &jobs[started]) == 0)
        started++;
    for (int i = started; i < n; i++)
        lab_rig_run(&jobs[i]);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

bool lab_rig_same(const struct lab_rig_job *a, const struct lab_rig_job *b)
{
    return a->ok && b->ok && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0;
}

static bool describe(char *text, size_t n, const struct lab_rig_job *first,
                     const struct lab_rig_job *j)
{
    const struct lab_totals *t = &j->totals;
    if (!j->ok)
        snprintf(text, n, "%s", j->err.text);
    else if (t->flits_in != t->flits_out || t->packets_out == 0)
        snprintf(text, n, "%llu flits in, %llu out, %llu packets", (unsigned long long)t->flits_in,
                 (unsigned long long)t->flits_out, (unsigned long long)t->packets_out);
    else if (!lab_rig_same(first, j))
        snprintf(text, n, "digest %016llx, not %016llx", (unsigned long long)t->digest,
                 (unsigned long long)first->totals.digest);
    else
        return false;
    return true;
}

const char *lab_rig_disagreement(const struct config *cfg, double rate, hd_cycle cycles)
{
    static _Thread_local char text[1200];
    static const char *const way[] = {
        "plain: ", "no_skip: ", "slow_router: ", "reversed: ", "thread 1: ", "thread 2: "};
    struct lab_rig_job j[6];
    for (int i = 0; i < 6; i++)
        j[i] = (struct lab_rig_job){.cfg = cfg, .rate = rate, .cycles = cycles};
    j[0].opt.check = j[1].opt.check = j[2].opt.check = true;
    j[1].opt.no_skip = true;
    j[2].opt.slow_router = true;
    j[3].opt.reversed = true;
    for (int i = 0; i < 4; i++)
        lab_rig_run(&j[i]);
    lab_rig_run_together(j + 4, 2);
    for (int i = 0; i < 6; i++) {
        size_t at = (size_t)snprintf(text, sizeof text, "%s", way[i]);
        if (describe(text + at, sizeof text - at, &j[0], &j[i]))
            return text;
    }
    return NULL;
}
