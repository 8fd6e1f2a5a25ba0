/* Kinds of runs: what they say they know is what comes of them. */
#include "study/kind.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "machine/machine.h"

static struct config *icc60(struct arena *a)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    CHECK(config_load(c, HEDDLE_SOURCE_DIR "/machines/icc60.yaml", &e));
    return c;
}

static void kinds_have_names(void)
{
    CHECK(kind_find("kernel") == &kind_kernel && kind_kernel.has_stream);
    CHECK(kind_find("cost") == &kind_cost && !kind_cost.has_stream);
    CHECK(kind_find("kernels") == NULL);
    for (int i = 0; i < kind_count; i++)
        CHECK(kind_find(kind_all[i]->name) == kind_all[i]);
}

static void names_are_known_before_anything_is_run(void)
{
    static const char *const own[] = {"l1.read_hits", "cost.noc.area"};
    struct arena *a = arena_new();
    for (int i = 0; i < 2; i++) {
        const struct study_kind *kind = i ? &kind_cost : &kind_kernel;
        const char *names[4096];
        struct err e = {0};
        void *trial = kind->try_out(icc60(a), a, &e);
        CHECK(trial != NULL);
        uint32_t n = kind->names(trial, names, 4096, a);
        CHECK(n > 20 && n < 4096);
        for (uint32_t k = 0; k < n; k++)
            CHECK(kind->knows(trial, names[k]));
        CHECK(!kind->knows(trial, own[!i]));
        CHECK_EQ(kind->names(trial, names, 3, a), 3);
        if (kind->end)
            kind->end(trial);
    }
    arena_free(a);
}

static void what_a_cost_knows_is_what_comes_of_it(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *c = icc60(a);
    struct kind_values v;
    void *trial = kind_cost.try_out(c, a, &e);
    CHECK(trial != NULL);
    CHECK(kind_cost.run(&(struct kind_run){.config = c, .arena = a}, &v, &e));
    CHECK_EQ(v.cycles, 0);
    for (uint32_t i = 0; i < v.n; i++) {
        CHECK(kind_cost.knows(trial, v.names[i]));
        CHECK(!isnan(v.values[i]));
    }
    arena_free(a);
}

static void a_machine_that_cannot_be_built_is_refused(void)
{
    struct arena *a = arena_new();
    for (int i = 0; i < kind_count; i++) {
        struct err e = {0};
        struct config *c = icc60(a);
        CHECK(config_set(c, "gpu.clusters=5", &e));
        CHECK(kind_all[i]->try_out(c, a, &e) == NULL);
        CHECK(strstr(e.text, "gpu.clusters") != NULL);
    }
    arena_free(a);
}

CHECK_MAIN("kind", TEST(kinds_have_names), TEST(names_are_known_before_anything_is_run),
           TEST(what_a_cost_knows_is_what_comes_of_it),
           TEST(a_machine_that_cannot_be_built_is_refused))
