/* study_gather.c - see study_gather.h. */
#include "cli/study_gather.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/origin.h"
#include "cli/slurm.h"
#include "cli/study_end.h"
#include "cli/study_file.h"
#include "cli/study_jobs.h"
#include "heddle/heddle.h"
#include "study/gather.h"
#include "study/recordings.h"

/* ---- --gather --------------------------------------------------------------------------------- */

/* The command without the word that says not to run anything. */
static const char *without_gather(const char *command, struct arena *a)
{
    static const char word[] = " --gather";
    const char *at = strstr(command, word), *rest = at ? at + strlen(word) : NULL;
    if (!at || (*rest && *rest != ' '))
        return command;
    return arena_printf(a, "%.*s%s", (int)(at - command), command, rest);
}

/* What makes the study again: the command of its submission, else ours, run here. */
static const char *command_of(const struct study_ask *o, struct arena *a)
{
    struct study_note before;
    struct err ignored = {0};
    struct store *s = access(o->db, F_OK) == 0 ? store_open(o->db, &ignored) : NULL;
    bool has = s && study_out_get_note(s, a, o->out.dir, &before) && before.command;
    store_close(s);
    return has ? before.command : without_gather(o->command, a);
}

static void take_failures(struct arena *a, const struct study_plan *p, const struct done *d,
                          struct study_result *r)
{
    struct pool_failure *f = ARENA_ARRAY(a, struct pool_failure, p->njobs + 1);
    r->failures = f;
    for (uint32_t i = 0; i < p->njobs; i++)
        if (d->of[i] == RUN_FAILED)
            f[r->nfailures++] = (struct pool_failure){p->jobs[i].label, d->why[i]};
}

static bool show(const struct study_ask *o, const struct study *s, const struct study_plan *p,
                 const struct gather_result *g, struct study_note *note, struct done *d,
                 struct arena *a, struct err *e)
{
    struct study_result r;
    struct shard_list none = {0};
    const char *host =
        g->runs ? arena_printf(a, "%u tasks, gathered on %s", g->shards, origin_host(a)) : NULL;
    if (!done_find(a, p, o->db, &none, d, e) || !study_end_judge(o, s, p, host, note, a, &r, e))
        return false;
    take_failures(a, p, d, &r);
    r.version = hd_version();
    if (!study_out_write(&o->out, &r, a, e))
        return false;
    study_out_print(&o->out, &r, a);
    return true;
}

bool study_gather(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    struct study_plan plan;
    struct study_note note;
    struct gather_result g;
    struct done d;
    if (!study_plan(a, s, &study_file_above, &plan, e) || !study_out_folder(o->out.dir, e) ||
        !store_share(o->db, e) || !study_end_prepare(o, command_of(o, a), a, &note, e) ||
        !study_end_take_shards(o, a, &g, e) || !show(o, s, &plan, &g, &note, &d, a, e))
        return false;
    if (!study_out_takes_stdout(&o->out))
        printf("gathered %u new results from %u shards; %u of %u runs are done\n", g.runs, g.shards,
               d.n[RUN_IN_STORE], plan.njobs);
    if (d.n[RUN_IN_STORE] == plan.njobs)
        return shard_clear(a, study_ask_shards(a, o), e) && study_jobs_settle(a, o, e);
    if (d.n[RUN_FAILED])
        return err_set(e, STATUS_FAILED, "%u of %u runs failed, %u are missing; %s does them",
                       d.n[RUN_FAILED], plan.njobs, d.n[RUN_MISSING], note.command);
    return err_set(e, STATUS_FAILED, "%u of %u runs are missing; %s does them", d.n[RUN_MISSING],
                   plan.njobs, note.command);
}

/* ---- --status --------------------------------------------------------------------------------- */

static void print_recordings(const struct study_ask *o, const struct study *s,
                             const struct study_plan *p, const struct done *d, struct arena *a)
{
    struct recordings r;
    uint32_t needed = 0, there = 0;
    recordings_find(a, s, p, d, study_ask_streams(a, o), &r);
    for (uint32_t i = 0; i < r.n; i++) {
        needed += r.all[i].is_needed;
        there += r.all[i].is_needed && r.all[i].insns;
    }
    if (needed)
        printf("recordings for the rest: %u of %u\n", there, needed);
}

static void print_failures(const struct study_plan *p, const struct done *d)
{
    enum { MOST = 5 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->njobs && n < MOST; i++)
        if (d->of[i] == RUN_FAILED)
            printf("%s %s: %s\n", n++ ? "       " : "failed:", p->jobs[i].label, d->why[i]);
    if (d->n[RUN_FAILED] > n)
        printf("        and %u more\n", d->n[RUN_FAILED] - n);
}

/* A computer that knows nothing of the jobs still knows what they have done. */
static void print_jobs(const struct study_ask *o, struct arena *a)
{
    struct slurm_queue q;
    struct err why = {0};
    const char *names = study_jobs_names(a, o);
    if (!names)
        return;
    if (!slurm_queue(a, names, &q, &why))
        printf("jobs: %s\n", why.text);
    else if (q.running || q.pending || q.other)
        printf("jobs: %u running, %u pending, %u ending\n", q.running, q.pending, q.other);
    else
        printf("jobs: none\n");
}

bool study_status(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    struct study_plan plan;
    struct shard_list shards;
    struct done d;
    if (!study_plan(a, s, &study_file_above, &plan, e) ||
        !shard_find(a, study_ask_shards(a, o), NULL, &shards, e) ||
        !done_find(a, &plan, o->db, &shards, &d, e))
        return false;
    printf("%s: %u runs: %u in the database, %u in shards, %u failed, %u missing\n", s->name,
           plan.njobs, d.n[RUN_IN_STORE], d.n[RUN_IN_SHARD], d.n[RUN_FAILED], d.n[RUN_MISSING]);
    print_recordings(o, s, &plan, &d, a);
    print_failures(&plan, &d);
    if (d.n[RUN_IN_SHARD] + d.n[RUN_IN_STORE] == plan.njobs && study_jobs_owe(a, o))
        puts("all runs are done, but the report is not; --slurm or --gather makes it");
    print_jobs(o, a);
    return true;
}
