/* sweep_axes.c - what a sweep goes over, from the options of heddle run. */
#include "cli/sweep_axes.h"

#include <string.h>

#include "machine/machine.h"

static const char *key_of(struct arena *a, const char *set)
{
    return arena_printf(a, "%.*s", (int)strcspn(set, "="), set);
}

/* Words between commas; NULL with *e set: one of them is empty or there twice. */
static const char **split(struct arena *a, const char *set, uint32_t *n, struct err *e)
{
    const char *at = strchr(set, '=') + 1;
    const char **words = ARENA_ARRAY(a, const char *, strlen(at) + 1);
    for (*n = 0;; at++) {
        size_t length = strcspn(at, ",");
        words[*n] = arena_printf(a, "%.*s", (int)length, at);
        for (uint32_t i = 0; i < *n; i++)
            if (strcmp(words[i], words[*n]) == 0)
                length = 0;
        if (!length) {
            err_set(e, STATUS_BAD_INPUT, "--set %s: expected values with commas between, each once",
                    set);
            return NULL;
        }
        ++*n;
        at += length;
        if (!*at)
            return words;
    }
}

/* Whether commas in the value of --set stand between values. */
static bool is_swept(const struct config *c, struct arena *a, const char *set)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,";
    const char *equals = strchr(set, '=');
    if (!equals || !strchr(equals, ','))
        return false;
    struct err unknown = {0}; /* config_set says so */
    const struct cfg_field *f = config_field(c, key_of(a, set), &unknown);
    if (!f || f->type == CFG_LIST)
        return false;
    return f->type != CFG_STR || strspn(equals + 1, plain) == strlen(equals + 1);
}

/* A later --set of the same key would undo the sweep, an earlier one would say nothing. */
static bool check_alone(const struct sweep_given *g, const struct sweep_axis *x, struct arena *a,
                        struct err *e)
{
    for (int i = 0; i < g->nsets; i++)
        if (i != x->set && strcmp(key_of(a, g->sets[i]), x->key) == 0)
            return err_set(e, STATUS_BAD_INPUT, "--set %s: %s is given more than once", g->sets[i],
                           x->key);
    return true;
}

static bool add(struct sweep_axes *x, struct sweep_axis axis, struct err *e)
{
    if (x->n == SWEEP_MAX_AXES)
        return err_set(e, STATUS_BAD_INPUT, "run: more than %d parameters with several values",
                       SWEEP_MAX_AXES);
    x->axis[x->n++] = axis;
    if ((uint64_t)x->runs * axis.n > SWEEP_MAX_RUNS)
        return err_set(e, STATUS_BAD_INPUT, "run: a sweep of more than %d runs", SWEEP_MAX_RUNS);
    x->runs *= axis.n;
    return true;
}

static bool add_machines(struct sweep_axes *x, const struct sweep_given *g, struct err *e)
{
    for (int i = 0; i < g->nmachines; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(g->machines[i], g->machines[k]) == 0)
                return err_set(e, STATUS_BAD_INPUT, "run: -m %s is there twice", g->machines[i]);
    struct sweep_axis axis = {"machine", -1, (uint32_t)g->nmachines, g->machines};
    return g->nmachines < 2 || add(x, axis, e);
}

bool sweep_axes_read(struct sweep_axes *x, const struct sweep_given *g, struct arena *a,
                     struct err *e)
{
    const struct config *c = machine_config(a);
    *x = (struct sweep_axes){.runs = 1};
    if (!add_machines(x, g, e))
        return false;
    for (int i = 0; i < g->nsets; i++) {
        if (!is_swept(c, a, g->sets[i]))
            continue;
        struct sweep_axis axis = {.key = key_of(a, g->sets[i]), .set = i};
        axis.values = split(a, g->sets[i], &axis.n, e);
        if (!axis.values || !check_alone(g, &axis, a, e) || !add(x, axis, e))
            return false;
    }
    return true;
}

const char *sweep_axes_value(const struct sweep_axes *x, uint32_t run, uint32_t axis)
{
    for (uint32_t i = x->n; --i > axis;)
        run /= x->axis[i].n;
    return x->axis[axis].values[run % x->axis[axis].n];
}

const char *sweep_axes_machine(const struct sweep_axes *x, const struct sweep_given *g,
                               uint32_t run)
{
    bool is_axis = x->n && x->axis[0].set < 0;
    return is_axis ? sweep_axes_value(x, run, 0) : g->machines[0];
}

const char *sweep_axes_set(const struct sweep_axes *x, const struct sweep_given *g, uint32_t run,
                           int set, struct arena *a)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->axis[i].set == set)
            return arena_printf(a, "%s=%s", x->axis[i].key, sweep_axes_value(x, run, i));
    return g->sets[set];
}

const char *sweep_axes_label(const struct sweep_axes *x, uint32_t run, struct arena *a)
{
    const char *label = "";
    for (uint32_t i = 0; i < x->n; i++)
        label = arena_printf(a, "%s%s%s=%s", label, i ? ", " : "", x->axis[i].key,
                             sweep_axes_value(x, run, i));
    return label;
}
