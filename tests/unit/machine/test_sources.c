/* What results are kept under: which sources and which parameters a configuration depends on. */
#include "check.h"

#include <string.h>

#include "machine/machine.h"
#include "machine/sources.h"

static struct sources_part parts[] = {
    {"noc/topo_mesh", "mesh", "mesh", 11},          {"noc/topo_smesh", "smesh|s-mesh", "mesh", 12},
    {"noc/topo_xbar", "xbar|crossbar", "xbar", 13}, {"sm/policy_gto", "gto", "", 14},
    {"study/kind_merged", "merged", "icc", 15},     {0}};
static const struct sources_part drivers[] = {
    {"workloads/hs.c", "HS", "", 21}, {"workloads/bp.c", "BP", "", 22}, {0}};

static struct config *config_with(struct arena *a, const char *set)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    CHECK(!set || config_set(c, set, &e));
    return c;
}

static uint64_t model_of(const struct config *c, int part, uint64_t hash)
{
    struct sources_part changed[sizeof parts / sizeof parts[0]];
    memcpy(changed, parts, sizeof parts);
    changed[part].hash = hash;
    struct sources s = {.model = 1, .front_end = 2, .parts = changed, .drivers = drivers};
    return sources_model(&s, c, "kernel");
}

static void only_parts_that_a_configuration_names_count(void)
{
    static const struct {
        const char *set;
        bool counts[4];
    } cases[] = {{"noc.topology=mesh", {true, false, false, true}},
                 {"noc.topology=s_mesh", {false, true, false, true}},
                 {"noc.topology=crossbar", {false, false, true, true}},
                 {"sm.scheduler=lrr", {true, false, false, false}}};
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config *c = config_with(a, cases[i].set);
        for (int k = 0; k < 4; k++) {
            uint64_t before = model_of(c, k, parts[k].hash), after = model_of(c, k, 99);
            CHECK_EQ(before != after, cases[i].counts[k]);
        }
    }
    arena_free(a);
}

static void the_rest_of_the_model_counts_for_everybody(void)
{
    struct arena *a = arena_new();
    struct config *c = config_with(a, NULL);
    struct sources s = {.model = 1, .front_end = 2, .parts = parts, .drivers = drivers};
    uint64_t h = sources_model(&s, c, "kernel");
    s.front_end = 3; /* which a stream knows */
    CHECK(sources_model(&s, c, "kernel") == h);
    s.model = 2;
    CHECK(sources_model(&s, c, "kernel") != h);
    arena_free(a);
}

static uint64_t values_for(struct arena *a, const char *set, const char *more, const char *kind)
{
    static const struct sources s = {.parts = parts, .drivers = drivers};
    struct err e = {0};
    struct config *c = config_with(a, set);
    CHECK(config_set(c, more, &e));
    return sources_config(&s, c, kind);
}

static uint64_t values_of(struct arena *a, const char *set, const char *more)
{
    return values_for(a, set, more, "kernel");
}

static void parameters_of_parts_that_are_not_there_do_not_count(void)
{
    struct arena *a = arena_new();
    const char *xbar = "noc.topology=xbar", *mesh = "noc.topology=mesh";
    CHECK(values_of(a, xbar, "mesh.width=8") == values_of(a, xbar, "mesh.width=5"));
    CHECK(values_of(a, xbar, "xbar.inputs=8") != values_of(a, xbar, "xbar.inputs=5"));
    CHECK(values_of(a, mesh, "mesh.width=8") != values_of(a, mesh, "mesh.width=5"));
    CHECK(values_of(a, "noc.topology=smesh", "mesh.width=8") !=
          values_of(a, "noc.topology=smesh", "mesh.width=5"));
    CHECK(values_of(a, xbar, "l1.mshrs=8") != values_of(a, xbar, "l1.mshrs=5"));
    arena_free(a);
}

static void parameters_of_a_kind_of_run_count_for_runs_of_it(void)
{
    struct arena *a = arena_new();
    const char *xbar = "noc.topology=xbar", *more = "icc.entries=8", *less = "icc.entries=4";
    CHECK(values_for(a, xbar, more, "merged") != values_for(a, xbar, less, "merged"));
    CHECK(values_for(a, xbar, more, "kernel") == values_for(a, xbar, less, "kernel"));
    arena_free(a);
}

static void a_stream_follows_from_its_own_driver(void)
{
    struct sources s = {.model = 1, .front_end = 2, .parts = parts, .drivers = drivers};
    uint64_t hs = sources_stream(&s, "HS"), bp = sources_stream(&s, "BP");
    CHECK(hs != bp);
    s.model = 5;
    parts[0].hash++;
    CHECK(sources_stream(&s, "HS") == hs);
    s.front_end = 3;
    CHECK(sources_stream(&s, "HS") != hs);
    parts[0].hash--;
}

/* What the build made of the source tree. */
static void the_table_has_every_registered_part_and_driver(void)
{
    const struct sources *s = &sources_built;
    int nparts = 0;
    for (int i = 0; i < topology_count; i++) {
        bool found = false;
        for (const struct sources_part *p = s->parts; p->files; p++)
            found |= strncmp(p->files, "noc/", 4) == 0 &&
                     strncmp(p->words, topology_all[i]->name, strlen(topology_all[i]->name)) == 0;
        CHECK(found);
    }
    for (const struct sources_part *p = s->parts; p->files; p++, nparts++)
        for (const struct sources_part *q = s->parts; q != p; q++)
            CHECK(q->hash != p->hash);
    CHECK(nparts > topology_count);
    CHECK(sources_stream(s, "HS") != sources_stream(s, "BFS"));
    CHECK(sources_all(s) != 0 && s->model != s->front_end);
}

CHECK_MAIN("sources", TEST(only_parts_that_a_configuration_names_count),
           TEST(the_rest_of_the_model_counts_for_everybody),
           TEST(parameters_of_parts_that_are_not_there_do_not_count),
           TEST(parameters_of_a_kind_of_run_count_for_runs_of_it),
           TEST(a_stream_follows_from_its_own_driver),
           TEST(the_table_has_every_registered_part_and_driver))
