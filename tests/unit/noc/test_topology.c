#include "check.h"

#include "rig/topo_rig.h"

static void a_topology_is_found_by_its_name(void)
{
    static const char *const names[] = {"mesh",  "smesh",  "torus",  "xbar",  "cxbar",
                                        "fly",   "clos",   "cdxbar", "ideal", "mwsr",
                                        "cfnoc", "hrcnet", "intra"};
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

/* With its defaults each topology builds at least one of its graphs, for the nodes it counted; some
 * need to know where memory is. */
static void every_topology_builds_with_its_defaults(void)
{
    for (int i = 0; i < topology_count; i++) {
        const char *name = topology_all[i]->name;
        bool needs_memory = strcmp(name, "smesh") == 0 || strcmp(name, "cfnoc") == 0 ||
                            strcmp(name, "hrcnet") == 0 || strcmp(name, "intra") == 0;
        struct topo_rig r;
        int built = 0;
        CHECK(topo_rig_open(&r, name, needs_memory ? "mesh.mem=0-7" : ""));
        for (enum direction dir = DIR_ANY; dir <= DIR_REPLY; dir++) {
            r.err = (struct err){0};
            const struct graph *g = topo_rig_build(&r, dir);
            CHECK((g == NULL) == (r.err.status == STATUS_BAD_INPUT));
            if (!g)
                continue;
            built++;
            CHECK(g->nnodes <= r.nodes.total);
            CHECK(graph_sources(g, NULL) > 0 && graph_sinks(g, NULL) > 0);
        }
        CHECK(built > 0);
        topo_rig_close(&r);
    }
}

CHECK_MAIN("topology", TEST(a_topology_is_found_by_its_name), TEST(every_topology_is_complete),
           TEST(every_topology_builds_with_its_defaults))
