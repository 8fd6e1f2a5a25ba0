/* study_ask.h - what was asked of heddle study, for all that can be asked of it. */
#ifndef HEDDLE_CLI_STUDY_ASK_H
#define HEDDLE_CLI_STUDY_ASK_H

#include "cli/study_out.h"
#include "study/job.h"

struct study_ask {
    const char *name;    /* of the study, or its file */
    const char *command; /* that asks, as it was typed */
    struct study_options study;
    uint64_t jobs; /* 0: not said */
    const char *db;
    struct study_out out;
    bool is_strict;
    /* on a cluster */
    const char *part; /* of --shard and --record, "K/N"; of --task, "FILE:K" */
    const char *partition, *time;
    uint64_t per_task, max_tasks;
    bool is_dry;
};

/* One thing that can be asked: it ends with outputs written, or *e set. */
typedef bool study_act(const struct study_ask *o, const struct study *s, struct arena *a,
                       struct err *e);

/* Files of a study on a cluster, in its folder. */
static inline const char *study_ask_shards(struct arena *a, const struct study_ask *o)
{
    return arena_printf(a, "%s/shards", o->out.dir);
}

static inline const char *study_ask_streams(struct arena *a, const struct study_ask *o)
{
    return arena_printf(a, "%s/streams", o->out.dir);
}

#endif
