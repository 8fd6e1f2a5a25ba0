/* CD-Xbar paper, Table 2: 80 SMs and 16 LLC slices, 4 VCs, request and reply together. */
#include "check.h"

#include "noc/count.h"
#include "rig/topo_rig.h"

/* The paper does not say where the slices of a mesh stand; for these four it does not matter. */
#define MEM "84-99"

static void count_both(struct count *c, const char *topology, const char *settings)
{
    struct topo_rig r;
    *c = (struct count){0};
    CHECK(topo_rig_open(&r, topology, settings));
    CHECK_EQ(r.nodes.ncores, 80);
    CHECK_EQ(r.nodes.nmems, 16);
    count_add(c, topo_rig_build(&r, DIR_REQUEST), 4);
    count_add(c, topo_rig_build(&r, DIR_REPLY), 4);
    topo_rig_close(&r);
}

static void counts_equal_table_2_of_the_paper(void)
{
    static const struct {
        const char *topology, *settings;
        struct count want;
    } row[] = {
        {"xbar",
         "xbar.inputs=80 xbar.outputs=16",
         {.routers = 2, .buffers = 384, .links = 192, .xbar = {{80, 16, 2}}, .nxbars = 1}},
        {"mesh",
         "mesh.width=10 mesh.height=10 mesh.cores=80 mesh.mem=" MEM,
         {.routers = 200, .buffers = 4000, .links = 912, .xbar = {{5, 5, 200}}, .nxbars = 1}},
        {"clos",
         "clos.m=8 clos.n=10 clos.r=10 clos.cores=80 clos.mem=" MEM,
         {.routers = 56,
          .buffers = 2080,
          .links = 512,
          .xbar = {{10, 8, 40}, {10, 10, 16}},
          .nxbars = 2}},
        {"fly",
         "fly.k=10 fly.n=2 fly.cores=80 fly.mem=" MEM,
         {.routers = 40, .buffers = 1600, .links = 392, .xbar = {{10, 10, 40}}, .nxbars = 1}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct count got;
        const struct count *want = &row[i].want;
        count_both(&got, row[i].topology, row[i].settings);
        CHECK_EQ(got.routers, want->routers);
        CHECK_EQ(got.buffers, want->buffers);
        CHECK_EQ(got.links, want->links);
        CHECK_EQ(got.nxbars, want->nxbars);
        for (int x = 0; x < got.nxbars; x++) {
            CHECK_EQ(got.xbar[x].in, want->xbar[x].in);
            CHECK_EQ(got.xbar[x].out, want->xbar[x].out);
            CHECK_EQ(got.xbar[x].n, want->xbar[x].n);
        }
    }
}

static char *written(const struct count *c, void (*write)(const struct count *c, FILE *out))
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    write(c, f);
    fclose(f);
    return text;
}

static void write_json(const struct count *c, FILE *out)
{
    struct json j;
    json_begin(&j, out);
    count_json(c, &j);
    json_end(&j);
}

static void a_table_is_for_people_and_an_object_for_programs(void)
{
    struct count c;
    count_both(&c, "clos", "clos.m=8 clos.n=10 clos.r=10 clos.cores=80 clos.mem=" MEM);
    char *table = written(&c, count_print), *json = written(&c, write_json);
    CHECK_STR(table, "routers           56\n"
                     "VC buffers      2080\n"
                     "links            512\n"
                     "crossbars         40 (10x8)\n"
                     "                  16 (10x10)\n");
    CHECK(strstr(json, "\"routers\": 56") != NULL);
    CHECK(strstr(json, "\"vc_buffers\": 2080") != NULL);
    CHECK(strstr(json, "\"links\": 512") != NULL);
    CHECK(strstr(json, "\"count\": 40") != NULL);
    free(table);
    free(json);
}

static void more_sizes_than_there_is_room_for_are_counted_together(void)
{
    struct arena *a = arena_new();
    struct graph *g = graph_new(a, 1);
    struct count c = {0};
    for (uint32_t i = 1; i <= 40; i++)
        graph_add_router(g, i, 1, 0, 0);
    count_add(&c, g, 1);
    CHECK_EQ(c.routers, 40);
    CHECK_EQ(c.nxbars, COUNT_MAX_SIZES);
    CHECK_EQ(c.other, 40 - COUNT_MAX_SIZES);
    arena_free(a);
}

CHECK_MAIN("count", TEST(counts_equal_table_2_of_the_paper),
           TEST(a_table_is_for_people_and_an_object_for_programs),
           TEST(more_sizes_than_there_is_room_for_are_counted_together))
