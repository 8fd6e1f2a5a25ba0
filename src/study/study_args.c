/* study_args.c - arguments that rows of a study give to workloads.
 *
 *     - {name: near, workload: CHASE, args: {footprint: 16K, steps: 1000}}
 *     - {name: latency, workload: CHASE, cross: {footprint: [16K, 1M]}}   # latency_16K, latency_1M
 *     - {name: both, programs: ["CHASE:footprint=16K", HS]} */
#include <string.h>

#include "study/inputs.h"
#include "study/study_priv.h"

bool study_is_arg(const char *key)
{
    return !strchr(key, '.');
}

bool study_args_text(const struct study_reader *r, const struct tree *args, const char **text)
{
    *text = "";
    if (args && !study_expect(r, args, TREE_MAP))
        return false;
    for (const struct tree *c = args ? args->first : NULL; c; c = c->next) {
        if (!study_expect(r, c, TREE_SCALAR))
            return false;
        *text = arena_printf(r->arena, "%s%s%s=%s", *text, **text ? "," : "", c->key, c->text);
    }
    return true;
}

static bool give(const struct study_reader *r, const struct tree *t, const char *text,
                 struct study_program *p)
{
    struct err why = {0};
    if (!p->workload)
        return tree_refuse(t, r->e, "arguments are of workloads that heddle has");
    if (p->args && *p->args)
        text = arena_printf(r->arena, "%s,%s", p->args, text);
    p->args = inputs_args(r->arena, p->workload, p->size, text, &why);
    return p->args || tree_refuse(t, r->e, "%s", why.text);
}

bool study_args_give(const struct study_reader *r, const struct tree *t, const char *text,
                     struct study_workload *w)
{
    if (!*text)
        return true;
    if (w->nprograms != 1)
        return tree_refuse(t, r->e, "arguments are for rows with one workload");
    struct study_program *own = ARENA_NEW(r->arena, struct study_program);
    *own = w->programs[0];
    w->programs = own;
    return give(r, t, text, own);
}
