/* study_end.c - see study_end.h. */
#include "cli/study_end.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/origin.h"
#include "study/gather.h"

static bool put_note(const struct study_ask *o, struct store *s, const struct study_note *n,
                     struct arena *a, struct err *e)
{
    const char *own = arena_printf(a, "%s/results.db", o->out.dir);
    return study_out_put_note(s, o->out.dir, strcmp(own, o->db) != 0, n, e);
}

bool study_end_prepare(const struct study_ask *o, const char *command, struct arena *a,
                       struct study_note *note, struct err *e)
{
    char full[PATH_MAX];
    HD_ASSERT(o->name, "a study without a name");
    bool is_path = strchr(o->name, '/') || strstr(o->name, ".yaml");
    const char *name = is_path && realpath(o->name, full) ? arena_strdup(a, full) : o->name;
    *note = (struct study_note){.study = name, .options = o->study, .command = command};
    if (!study_out_folder(o->out.dir, e) || !study_out_probe(&o->out, a, e))
        return false;
    struct store *s = store_open(o->db, e);
    bool ok = s && store_check(s, true, e) && put_note(o, s, note, a, e);
    store_close(s);
    return ok;
}

/* Where all runs were there, the note of those who did them stays. */
static bool note_runs(const struct study_ask *o, struct store *s, const char *host,
                      struct study_note *n, struct arena *a, struct err *e)
{
    if (host) {
        n->ran = origin_date(a);
        n->host = host;
        return put_note(o, s, n, a, e);
    }
    struct study_note before;
    if (study_out_get_note(s, a, o->out.dir, &before)) {
        n->ran = before.ran;
        n->host = before.host;
    }
    return true;
}

bool study_end_judge(const struct study_ask *o, const struct study *s, const struct study_plan *p,
                     const char *host, struct study_note *note, struct arena *a,
                     struct study_result *r, struct err *e)
{
    struct store *store = store_open(o->db, e);
    bool ok = store && note_runs(o, store, host, note, a, e) && study_judge(a, s, p, store, r, e);
    store_close(store);
    if (ok)
        study_out_origin(a, o->out.dir, note, r);
    return ok;
}

bool study_end_take_shards(const struct study_ask *o, struct arena *a, struct gather_result *r,
                           struct err *e)
{
    struct shard_list shards;
    const char *folder = study_ask_shards(a, o);
    if (!shard_find(a, folder, NULL, &shards, e) ||
        !gather_shards(a, o->db, &shards, arena_printf(a, "%s/gather.lock", o->out.dir), r, e))
        return false;
    rmdir(folder); /* stays where there is a shard that somebody may still write */
    if (r->ndamaged)
        fprintf(stderr, "heddle: %s: damaged, and set aside with %u others; its runs are missing\n",
                r->damaged, r->ndamaged - 1);
    return true;
}
