/* Kinds of runs: what they say they know is what comes of them. */
#include "study/kind.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "machine/machine.h"

/* A configuration that a kind takes: of a machine, or of a network. */
static struct config *of(const struct study_kind *kind, struct arena *a)
{
    struct err e = {0};
    struct config *c = kind->config(a);
    CHECK(config_load(c,
                      kind->is_of_network ? HEDDLE_SOURCE_DIR "/networks/mesh8_gpu56.yaml"
                                          : HEDDLE_SOURCE_DIR "/machines/icc60.yaml",
                      &e));
    return c;
}

static struct kind_run run_of(const struct study_kind *kind, struct arena *a)
{
    return (struct kind_run){.config = of(kind, a),
                             .nprograms = kind->most_programs < 2 ? kind->most_programs : 2,
                             .arena = a};
}

static void kinds_have_names(void)
{
    CHECK(kind_find("kernel") == &kind_kernel && kind_kernel.most_programs == 1);
    CHECK(kind_find("cost") == &kind_cost && !kind_cost.most_programs);
    CHECK(kind_find("kernels") == NULL);
    for (int i = 0; i < kind_count; i++)
        CHECK(kind_find(kind_all[i]->name) == kind_all[i]);
}

static const struct {
    const struct study_kind *kind;
    const char *has, *has_not;
} cases[] = {
    {&kind_kernel, "l1.stores", "stp"},
    {&kind_last, "before.l1.stores", "before.stp"},
    {&kind_launches, "launches", "stp"},
    {&kind_loop, "energy.structural.power", "launches"},
    {&kind_programs, "program1.progress.same_sms", "program2.progress"},
    {&kind_cost, "cost.l1.area", "ipc"},
    {&kind_noc, "latency.p99", "knee"},
    {&kind_saturation, "knee.latency", "latency"},
    {&kind_noc_cost, "cost.noc.area", "cost.l1.area"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void names_are_known_before_anything_is_run(void)
{
    struct arena *a = arena_new();
    CHECK_EQ(CASES, kind_count);
    for (int i = 0; i < CASES; i++) {
        const struct study_kind *kind = cases[i].kind;
        const char *names[4096];
        struct err e = {0};
        struct kind_run r = run_of(kind, a);
        void *trial = kind->try_out(&r, &e);
        CHECK_STR(e.text, "");
        CHECK(trial != NULL);
        uint32_t n = kind->names(trial, names, 4096, a);
        CHECK(n > 20 && n < 4096);
        for (uint32_t k = 0; k < n; k++)
            CHECK(kind->knows(trial, names[k]));
        CHECK(kind->knows(trial, cases[i].has));
        CHECK(!kind->knows(trial, cases[i].has_not));
        CHECK_EQ(kind->names(trial, names, 3, a), 3);
        if (kind->end)
            kind->end(trial);
    }
    arena_free(a);
}

/* Of kinds that need no recording; a network at little load, for few cycles. */
static struct kind_values run_short(const struct study_kind *kind, const char *rate,
                                    struct arena *a)
{
    struct err e = {0};
    struct kind_values v = {0};
    struct config *c = of(kind, a);
    if (kind->is_of_network)
        CHECK(config_set(c, rate, &e) && config_set(c, "measure.warmup=500", &e) &&
              config_set(c, "measure.cycles=2000", &e) && config_set(c, "measure.step=0.2", &e));
    CHECK(kind->run(&(struct kind_run){.config = c, .arena = a}, &v, &e));
    CHECK_STR(e.text, "");
    return v;
}

static double value(const struct kind_values *v, const char *name)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->names[i], name) == 0)
            return v->values[i];
    return NAN;
}

static void what_a_kind_knows_is_what_comes_of_it(void)
{
    struct arena *a = arena_new();
    for (int i = 0; i < CASES; i++) {
        const struct study_kind *kind = cases[i].kind;
        struct err e = {0};
        if (kind->most_programs)
            continue;
        struct kind_run r = run_of(kind, a);
        struct kind_values v = run_short(kind, "traffic.rate=0.02", a);
        void *trial = kind->try_out(&r, &e);
        CHECK(trial != NULL);
        const char *names[4096];
        uint32_t n = kind->names(trial, names, 4096, a);
        for (uint32_t k = 0; k < v.n; k++)
            CHECK(strncmp(v.names[k], "link.", 5) == 0 || kind->knows(trial, v.names[k]));
        for (uint32_t k = 0; k < n; k++) { /* once each */
            uint32_t times = 0;
            for (uint32_t m = 0; m < v.n; m++)
                times += strcmp(v.names[m], names[k]) == 0;
            CHECK(times <= 1);
        }
        CHECK(!isnan(value(&v, cases[i].has)));
        if (kind->end)
            kind->end(trial);
    }
    arena_free(a);
}

static void a_point_is_what_heddle_noc_measures(void)
{
    struct arena *a = arena_new();
    struct kind_values few = run_short(&kind_noc, "traffic.rate=0.02", a);
    struct kind_values again = run_short(&kind_noc, "traffic.rate=0.02", a);
    struct kind_values many = run_short(&kind_noc, "traffic.rate=0.1", a);
    CHECK_NEAR(value(&few, "offered"), 0.02, 1e-12);
    CHECK_NEAR(value(&few, "accepted"), 0.02, 0.1);
    CHECK(value(&many, "latency") > value(&few, "latency"));
    CHECK(value(&many, "power") > value(&few, "power"));
    CHECK(value(&few, "latency") >= value(&few, "latency.zero_load"));
    CHECK(few.digest != 0 && few.digest == again.digest && few.digest != many.digest);
    CHECK_EQ(few.cycles, again.cycles);
    CHECK_NEAR(value(&few, "latency"), value(&again, "latency"), 0);
    CHECK(value(&few, "link.0.out.0") >= 0);
    arena_free(a);
}

static void a_machine_or_network_that_cannot_be_built_is_refused(void)
{
    struct arena *a = arena_new();
    for (int i = 0; i < kind_count; i++) {
        struct err e = {0};
        struct kind_run r = run_of(kind_all[i], a);
        const char *bad = kind_all[i]->is_of_network ? "mesh.width=3" : "gpu.clusters=5";
        CHECK(config_set((struct config *)r.config, bad, &e));
        CHECK(kind_all[i]->try_out(&r, &e) == NULL);
        CHECK(strstr(e.text, kind_all[i]->is_of_network ? "mesh." : "gpu.clusters") != NULL);
    }
    arena_free(a);
}

CHECK_MAIN("kind", TEST(kinds_have_names), TEST(names_are_known_before_anything_is_run),
           TEST(what_a_kind_knows_is_what_comes_of_it), TEST(a_point_is_what_heddle_noc_measures),
           TEST(a_machine_or_network_that_cannot_be_built_is_refused))
