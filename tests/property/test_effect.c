/* A parameter either changes something or is said to have no effect.
 *
 * Every number, switch and choice of a machine is changed, and kernels run: either a statistic, the
 * energy or the digest is another one, or config_why_idle gives a reason (and then nothing may be
 * another one).  What is neither must be in the table of those that these small runs cannot reach,
 * with the reason. */
#include "check.h"

#include <inttypes.h>

#include "base/str.h"
#include "lab/lab.h"
#include "libheddle_gpu.h"
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
    {"volta", "gpu.clusters=8 xbar.inputs=8 gpu.sm_count=6 mc.channels=4 xbar.outputs=4 "
              "sm.instructions=ptx"},
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

static void drop(struct run *r)
{
    machine_free(r->machine);
    arena_free(r->arena);
}

/* All that a run prints of its results, as text. */
static char *outcome(struct run *r, struct stream_source *s)
{
    struct err e = {0};
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    struct json j;
    stream_source_restart(s);
    bool ok = machine_run_source(r->machine, s, &e) && machine_finish(r->machine, &e);
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

/* What workloads come to before anything is changed. */
struct usual {
    struct stream_source *source[NWORKLOADS];
    char *text[NWORKLOADS];
};

static struct usual usual_of(const struct config *c)
{
    struct usual u;
    for (int i = 0; i < NWORKLOADS; i++) {
        struct run r;
        CHECK(build(&r, c));
        u.source[i] = workload_rig_source(workloads[i], true);
        u.text[i] = outcome(&r, u.source[i]);
        drop(&r);
    }
    return u;
}

static void forget(struct usual *u)
{
    for (int i = 0; i < NWORKLOADS; i++) {
        stream_source_free(u->source[i]);
        free(u->text[i]);
    }
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
    bool was_shown;  /* of another row of its section: not run again for the same reason */
};

/* Whether a machine, which is used up by it, comes to something else. */
static bool differs(struct run *r, const struct usual *u, int i)
{
    char *text = outcome(r, u->source[i]);
    bool is_other = strcmp(text, u->text[i]) != 0;
    free(text);
    drop(r);
    return is_other;
}

/* Whether the last setting left its parameter as it was. */
static bool is_same(const struct config *c)
{
    bool same = false;
    for (int i = 0; config_setting(c, i, &same); i++)
        ;
    return same;
}

static void try_value(struct tried *t, struct arena *a, const struct shape *s, const char *key,
                      const char *value, const struct usual *u)
{
    struct err e = {0};
    struct config *c = config_of(a, s);
    struct run r;
    if (!config_set(c, arena_printf(a, "%s=%s", key, value), &e) || is_same(c) || !build(&r, c))
        return;
    t->was_built = true;
    t->why = config_why_idle(c, a, key);
    if (t->was_shown && t->why && strstr(t->why, "section")) {
        drop(&r);
        return;
    }
    t->differs = differs(&r, u, 0);
    for (int i = 1; i < NWORKLOADS && !t->why && !t->differs && build(&r, c); i++)
        t->differs = differs(&r, u, i);
}

static struct tried try_field(struct arena *a, const struct shape *s, const char *key,
                              const struct cfg_field *f, const void *now, const struct usual *u,
                              bool is_shown)
{
    struct tried t = {.was_shown = is_shown};
    const char *value;
    for (int i = 0; !t.differs && !t.why && (value = other_value(a, f, now, i)); i++)
        try_value(&t, a, s, key, value, u);
    return t;
}

/* ---- all of them ---- */

/* Neither seen here nor said to be without effect: why small runs do not show what they do. */
static const struct {
    const char *keys, *why;
} unseen[] = {
    {"gpu.chip", "whose measurements stand beside"},
    {"sm.instructions", "a shape sets it; property/assembled sees it"},
    {"gpu.paper_dram_gbs", "printed beside the peak"},
    {"power.load", "of heddle cost"},
    {"gpu.cta_rate|sm.ctas|sm.register_unit|sm.register_count", "there are few CTAs"},
    {"pipe.int_mad_latency|pipe.int_mad_interval|pipe.int_div_latency|pipe.int_div_interval|"
     "pipe.fp64_mul_latency|pipe.fp64_mul_interval|pipe.fp64_div_latency|pipe.fp64_div_interval|"
     "pipe.special_latency|pipe.special_interval|pipe.shuffle_latency|pipe.shuffle_interval|"
     "l2.atomic_cycles|constant.latency|constant.mshrs|constant.merges|texture.latency|"
     "texture.mshrs|texture.merges",
     "these kernels have no such instruction"},
    {"l1.hashed|l1.masked|l1.allocate|l2.hashed|l2.dirty_lines", "the data fit"},
    {"l2.passing", "of policies that let requests pass"},
    {"cluster.response_fifo|cluster.response_queue|icc.hit_queue|l2.miss_queue|l2.fill_queue|"
     "l2.input_queue|l2.writebacks",
     "never full"},
    {"l2.latency_clock|mc.latency_clock", "the clocks are the same"},
    {"dram.trp|dram.tras|dram.trc|dram.trrdl|dram.tfaw|dram.twr|dram.trtp|frfcfs.cap",
     "a bank opens one row"},
    {"sim.seed", "nothing is drawn"},
    {"sim.watchdog", "it watches and changes nothing"},
    {"noc.classes", "classes without messages"},
    {"router.alloc_holds", "allocators take one cycle"},
    {"router.vc_allocator|router.sw_allocator|router.iterations", "nobody is in the way"},
};
enum { NUNSEEN = sizeof unseen / sizeof unseen[0] };

static bool is_unseen(const char *key)
{
    for (int i = 0; i < NUNSEEN; i++)
        if (str_is_word(key, unseen[i].keys))
            return true;
    return false;
}

static void check_field(const struct shape *s, const struct cfg_section *in,
                        const struct cfg_field *f, const void *now, const struct usual *u)
{
    struct arena *a = arena_new();
    const char *key = arena_printf(a, "%s.%s", in->name, f->name);
    if (!is_unseen(key)) {
        struct tried t = try_field(a, s, key, f, now, u, f != in->fields);
        if (t.was_built && t.differs == (t.why != NULL))
            print_error("%s %s: %s %s\n", s->machine, s->settings, key,
                        t.why ? t.why : "changes nothing, and nobody says so");
        CHECK(!t.was_built || t.differs == (t.why == NULL));
    }
    arena_free(a);
}

static void check_shape(const struct shape *s)
{
    struct arena *a = arena_new();
    const struct cfg_section *all[64];
    struct config *base = config_of(a, s);
    struct usual u = usual_of(base);
    int n = machine_sections(all, 64);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < all[i]->nfields; k++) {
            const struct cfg_field *f = &all[i]->fields[k];
            check_field(s, all[i], f, (const char *)config_get(base, all[i]) + f->offset, &u);
        }
    forget(&u);
    arena_free(a);
}

static void with_icc_and_few_SMs(void)
{
    check_shape(&shapes[0]);
}

static void on_a_mesh(void)
{
    check_shape(&shapes[1]);
}

static void with_a_perfect_L2_and_an_ideal_network(void)
{
    check_shape(&shapes[2]);
}

static void without_an_L2(void)
{
    check_shape(&shapes[3]);
}

static void on_a_machine_like_those_since_volta(void)
{
    check_shape(&shapes[4]);
}

static void what_rows_need_exists(void)
{
    struct arena *a = arena_new();
    struct config *c = libheddle_any_config(a);
    const struct cfg_section *all[64];
    int n = machine_sections(all, 64);
    n += lab_sections(all + n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < all[i]->nneeds; k++) {
            const char *when = all[i]->needs[k].when;
            char *text = arena_printf(a, "%.*s=", (int)strcspn(when, "!="), when);
            struct err e = {0};
            bool is_known = config_set(c, text, &e) || !strstr(e.text, "unknown");
            if (!is_known)
                print_error("%s: %s\n", all[i]->name, e.text);
            CHECK(is_known);
        }
    arena_free(a);
}

CHECK_MAIN("effect", TEST(with_icc_and_few_SMs), TEST(on_a_mesh),
           TEST(with_a_perfect_L2_and_an_ideal_network), TEST(without_an_L2),
           TEST(on_a_machine_like_those_since_volta), TEST(what_rows_need_exists))
