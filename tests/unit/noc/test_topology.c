#include "check.h"

#include "noc/topology.h"

static void a_topology_is_found_by_its_name(void)
{
    static const char *const names[] = {"mesh", "smesh", "torus",  "xbar",  "cxbar",
                                        "fly",  "clos",  "cdxbar", "ideal", "mwsr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct topology *t = topology_find(names[i]);
        CHECK(t != NULL);
        CHECK_STR(t->name, names[i]);
    }
    CHECK_STR(topology_find("crossbar")->name, "xbar");
    CHECK(topology_find("CD-Xbar") == NULL); /* case matters */
    CHECK_STR(topology_find("cd_xbar")->name, "cdxbar");
    CHECK(topology_find("hypercube") == NULL);
    CHECK(topology_find("") == NULL);
}

static void every_topology_is_complete(void)
{
    for (int i = 0; i < topology_count; i++) {
        const struct topology *t = topology_all[i];
        CHECK(t->section != NULL && t->nodes != NULL && t->build != NULL);
        CHECK(strlen(t->help) > 10);
        CHECK(topology_find(t->name) == t); /* names are unique */
    }
}

/* With its defaults each topology builds at least one of its graphs, for the nodes it counted. */
static void every_topology_builds_with_its_defaults(void)
{
    for (int i = 0; i < topology_count; i++) {
        const struct topology *t = topology_all[i];
        struct arena *a = arena_new();
        const struct cfg_section *section = t->section;
        const struct config *cfg = config_new(a, &section, 1);
        struct topology_nodes n;
        struct err e = {0};
        int built = 0;
        CHECK(t->nodes(cfg, a, &n, &e));
        for (enum direction dir = DIR_ANY; dir <= DIR_REPLY; dir++) {
            struct err refused = {0};
            const struct graph *g = t->build(cfg, dir, &n, a, &refused);
            CHECK((g == NULL) == (refused.status == STATUS_BAD_INPUT));
            if (!g)
                continue;
            built++;
            CHECK(g->nnodes <= n.total);
            CHECK(graph_sources(g, NULL) > 0 && graph_sinks(g, NULL) > 0);
        }
        bool needs_memory = strcmp(t->name, "smesh") == 0;
        CHECK(built > 0 || needs_memory);
        arena_free(a);
    }
}

CHECK_MAIN("topology", TEST(a_topology_is_found_by_its_name), TEST(every_topology_is_complete),
           TEST(every_topology_builds_with_its_defaults))
