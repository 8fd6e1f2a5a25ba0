/* A parameter either changes something or is said to have no effect.
 *
 * Every number, switch and choice of a machine is changed, and kernels run: either a statistic, the
 * energy or the digest is another one, or config_why_idle gives a reason (and then nothing may be
 * another one).  What is neither must be in the table of those that these small runs cannot reach,
 * with the reason; and what is in that table must be neither. */
#include "check.h"

#include <inttypes.h>

#include "machine/energy.h"
#include "machine/machine.h"
#include "machine/results.h"
#include "rig/workload_rig.h"

struct shape {
    const char *machine, *settings; /* separated by blanks */
};

static const struct shape shapes[] = {
    {"icc60", "gpu.sm_count=10 icc.enabled=true icc.cc_lines=16"},
    {"cdxbar56_mesh", ""},
    {"icc60", "l2.perfect=true noc.topology=ideal ideal.cores=12 ideal.mems=8 l2.clock=0.7GHz"},
    {"sharing15", "l2.enabled=false"},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

/* Taken one after the other until a difference is seen. */
static const char *const workloads[] = {"HS", "LUD", "BFS"};
enum { NWORKLOADS = sizeof workloads / sizeof workloads[0] };

static void must(bool ok, const struct err *e)
{
    if (!ok)
        print_error("%s\n", e->text);
    CHECK(ok);
}

static struct config *config_of(struct arena *a, const struct shape *s)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    must(config_load(c, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, s->machine), &e),
         &e);
    char *text = arena_strdup(a, s->settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        must(config_set(c, w, &e), &e);
    return c;
}

/* ---- what a run comes to ---- */

struct run {
    struct arena *arena;
    struct machine *machine;
    struct results_scale scale;
};

static bool build(struct run *r, const struct config *c)
{
    struct err e = {0};
    r->arena = arena_new();
    r->machine = machine_new(c, &(struct machine_options){.max_cycles = 1000000}, &e);
    if (r->machine && results_scale_of(&r->scale, r->machine, r->arena, &e))
        return true;
    machine_free(r->machine);
    arena_free(r->arena);
    return false;
}

/* All that a run prints of its results, as text. */
static char *outcome(struct run *r, const char *workload)
{
    struct err e = {0};
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    struct json j;
    struct stream_source *s = workload_rig_source(workload, true);
    bool ok = machine_run_source(r->machine, s, &e) && machine_finish(r->machine, &e);
    stream_source_free(s);
    struct results_view v = {.scale = &r->scale,
                             .values = stats_snapshot(machine_stats(r->machine), r->arena),
                             .cycles = machine_cycles(r->machine)};
    fprintf(f, "%d %" PRIu64 " ", ok, machine_digest(r->machine));
    json_begin(&j, f);
    json_open_object(&j, true);
    results_json(&v, &j);
    json_key(&j, "energy");
    energy_bill_json(r->scale.energy, &v, &j);
    json_close_object(&j);
    json_end(&j);
    fclose(f);
    return text;
}

static char *outcome_of(const struct config *c, const char *workload)
{
    struct run r;
    if (!build(&r, c))
        return NULL;
    char *text = outcome(&r, workload);
    machine_free(r.machine);
    arena_free(r.arena);
    return text;
}

/* ---- other values ---- */

/* The i-th value to try in place of `now`, as text; NULL: there are no more. */
static const char *other_value(struct arena *a, const struct cfg_field *f, const void *now, int i)
{
    static const double factor[] = {2, 0.5, 1, 0}, add[] = {2, 0, 1, 1};
    enum { NFACTORS = sizeof factor / sizeof factor[0] };
    if (f->type == CFG_BOOL)
        return i > 0 ? NULL : *(const bool *)now ? "false" : "true";
    if (f->type == CFG_CHOICE) {
        const char *word = f->unit;
        for (int k = 0; word; k++, word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
            if (k == i)
                return arena_printf(a, "%.*s", (int)strcspn(word, "|"), word);
    }
    if ((f->type != CFG_INT && f->type != CFG_REAL) || i >= NFACTORS)
        return NULL;
    double v = f->type == CFG_INT ? (double)*(const int64_t *)now : *(const double *)now;
    v = floor(v * factor[i]) + add[i];
    v = v < f->lo ? f->lo : v > f->hi ? f->hi : v;
    return arena_printf(a, "%.17g", v);
}

/* ---- one parameter ---- */

struct tried {
    bool was_built, differs;
    const char *why; /* it is said to have no effect */
};

static bool differs(const struct config *c, char *const *usual, int n)
{
    bool is_other = false;
    for (int i = 0; i < n && !is_other; i++) {
        char *text = outcome_of(c, workloads[i]);
        is_other = strcmp(text, usual[i]) != 0;
        free(text);
    }
    return is_other;
}

static void try_value(struct tried *t, struct arena *a, const struct shape *s, const char *key,
                      const char *value, char *const *usual)
{
    struct err e = {0};
    struct config *c = config_of(a, s);
    struct run r;
    bool is_same;
    if (!config_set(c, arena_printf(a, "%s=%s", key, value), &e) || !build(&r, c))
        return;
    machine_free(r.machine);
    arena_free(r.arena);
    int last = 0;
    while (config_setting(c, last + 1, &is_same))
        last++;
    config_setting(c, last, &is_same);
    if (is_same)
        return;
    t->was_built = true;
    t->why = config_why_idle(c, a, key);
    t->differs = differs(c, usual, t->why ? 1 : NWORKLOADS);
}

static struct tried try_field(struct arena *a, const struct shape *s, const char *key,
                              const struct cfg_field *f, const void *now, char *const *usual)
{
    struct tried t = {0};
    const char *value;
    for (int i = 0; !t.differs && !t.why && (value = other_value(a, f, now, i)); i++)
        try_value(&t, a, s, key, value, usual);
    return t;
}


int main(void)
{
    const struct cfg_section *all[64];
    int n = machine_sections(all, 64);
    for (int s = 0; s < NSHAPES; s++) {
        struct arena *top = arena_new();
        struct config *base = config_of(top, &shapes[s]);
        char *usual[NWORKLOADS];
        for (int w = 0; w < NWORKLOADS; w++)
            usual[w] = outcome_of(base, workloads[w]);
        printf("== %s %s\n", shapes[s].machine, shapes[s].settings);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < all[i]->nfields; k++) {
                const struct cfg_field *f = &all[i]->fields[k];
                const void *now = (const char *)config_get(base, all[i]) + f->offset;
                struct arena *a = arena_new();
                const char *key = arena_printf(a, "%s.%s", all[i]->name, f->name);
                struct tried t = try_field(a, &shapes[s], key, f, now, usual);
                if (t.was_built && t.why && t.differs) printf("WRONG %s %s\n", key, t.why);
                else if (t.was_built && !t.why && !t.differs) printf("silent %s\n", key);
                arena_free(a);
            }
        arena_free(top);
    }
    return 0;
}
