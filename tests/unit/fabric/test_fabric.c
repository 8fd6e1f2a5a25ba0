/* The networks of a configuration: as graphs, and which sections describe them. */
#include "check.h"

#include <string.h>

#include "fabric/fabric.h"
#include "rig/lab_rig.h"

#define MESH4 "mesh.width=4 mesh.height=4 "
#define XBAR "noc.topology=xbar noc.networks=two xbar.inputs=12 xbar.outputs=4 "

static void graphs_come_without_a_simulation(void)
{
    struct arena *a = arena_new();
    struct fabric g;
    struct err e = {0};
    CHECK(fabric_of(lab_rig_config(a, XBAR, &e), a, &g, &e));
    CHECK_EQ(g.n, 2);
    CHECK_STR(g.name[0], "noc.request");
    CHECK_STR(g.name[1], "noc.reply");
    CHECK_STR(g.topology->name, "xbar");
    CHECK_EQ(g.nodes.ncores, 12);
    CHECK_EQ(g.graph[0]->router[0].nin, 12);
    CHECK_EQ(g.graph[1]->router[0].nin, 4);
    CHECK(fabric_of(lab_rig_config(a, MESH4, &e), a, &g, &e));
    CHECK_EQ(g.n, 1);
    CHECK_STR(g.name[0], "noc");
    arena_free(a);
}

static void an_unknown_topology_is_refused_with_the_nearest_one(void)
{
    struct arena *a = arena_new();
    struct fabric g;
    struct err e = {0};
    CHECK(!fabric_of(lab_rig_config(a, "noc.topology=mehs", &e), a, &g, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "no topology \"mehs\"; did you mean mesh?") != NULL);
    arena_free(a);
}

/* Two topologies may have one section (mesh and S-Mesh). */
static void every_section_is_there_once(void)
{
    enum { ROOM = 64 };
    const struct cfg_section *all[ROOM];
    int n = fabric_sections(all, ROOM);
    for (int i = 0; i < topology_count; i++) {
        int found = 0;
        for (int k = 0; k < n; k++)
            found += all[k] == topology_all[i]->section;
        CHECK_EQ(found, 1);
    }
    CHECK(all[0] == &noc_section);
}

CHECK_MAIN("fabric", TEST(graphs_come_without_a_simulation),
           TEST(an_unknown_topology_is_refused_with_the_nearest_one),
           TEST(every_section_is_there_once))
