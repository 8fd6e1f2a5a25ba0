#include "check.h"

#include "report/heatmap.h"
#include "rig/picture_rig.h"
#include "rig/topo_rig.h"

struct shot {
    char *text;
    bool ok;
    struct err err;
};

/* The heat map of one or two graphs, each channel a little hotter than the one before. */
static struct shot take(struct topo_rig *r, const char *path, bool both)
{
    const struct graph *g[2];
    const double *out[2], *in[2];
    for (int k = 0; k < 1 + both; k++) {
        g[k] = topo_rig_build(r, !both ? DIR_ANY : k == 0 ? DIR_REQUEST : DIR_REPLY);
        double *o = ARENA_ARRAY(r->arena, double, g[k]->nouts + 1);
        double *i = ARENA_ARRAY(r->arena, double, g[k]->nins + 1);
        for (uint32_t port = 0; port < g[k]->nouts; port++)
            o[port] = 0.5 * port / g[k]->nouts;
        out[k] = o;
        in[k] = i;
    }
    struct shot s = {0};
    s.ok = heatmap_write(path, g, 1 + both, out, in, "a <title>", &s.err);
    s.text = picture_rig_read(path);
    return s;
}

static void every_channel_is_drawn_and_told(void)
{
    struct topo_rig r;
    picture_rig_enter();
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=4 mesh.height=3"));
    struct shot s = take(&r, "a.svg", false);
    CHECK(s.ok);
    CHECK(picture_rig_is_well_formed(s.text));
    CHECK_EQ(picture_rig_count(s.text, "<title>"), 2 * (3 * 3 + 4 * 2) + 2 * 12);
    CHECK(strstr(s.text, "router 0 to router 1: ") != NULL);
    CHECK(strstr(s.text, "router 1 to router 0: ") != NULL);
    CHECK(strstr(s.text, "node 11 to router 11: 0<") != NULL);
    CHECK(strstr(s.text, "a &lt;title&gt;") != NULL);
    free(s.text);
    topo_rig_close(&r);
    picture_rig_leave();
}

static void channels_of_light_are_dashed(void)
{
    struct topo_rig r;
    picture_rig_enter();
    CHECK(topo_rig_open(&r, "mwsr", "mwsr.inputs=3 mwsr.outputs=3"));
    struct shot s = take(&r, "a.svg", false);
    CHECK(s.ok);
    CHECK(picture_rig_is_well_formed(s.text));
    CHECK_EQ(picture_rig_count(s.text, "stroke-dasharray"), 9);
    free(s.text);
    topo_rig_close(&r);
    CHECK(topo_rig_open(&r, "mwsr", "mwsr.inputs=3 mwsr.outputs=3 mwsr.medium=wire"));
    s = take(&r, "a.svg", false);
    CHECK_EQ(picture_rig_count(s.text, "stroke-dasharray"), 0);
    free(s.text);
    topo_rig_close(&r);
    CHECK(topo_rig_open(&r, "intra", "mesh.width=5 mesh.height=4 mesh.mem=2,10,19"));
    s = take(&r, "a.svg", false);
    CHECK(picture_rig_is_well_formed(s.text));
    CHECK_EQ(picture_rig_count(s.text, "stroke-dasharray"), 3);
    CHECK(strstr(s.text, "router 10 to the ring: ") != NULL);
    free(s.text);
    topo_rig_close(&r);
    picture_rig_leave();
}

static void two_graphs_are_the_request_and_the_reply_network(void)
{
    struct topo_rig r;
    picture_rig_enter();
    CHECK(topo_rig_open(&r, "cxbar", "cxbar.cores=7 cxbar.ports=2 cxbar.mems=2"));
    struct shot s = take(&r, "a.svg", true);
    CHECK(s.ok);
    CHECK(picture_rig_is_well_formed(s.text));
    CHECK(strstr(s.text, ">request network<") != NULL);
    CHECK(strstr(s.text, ">reply network<") != NULL);
    CHECK_EQ(picture_rig_count(s.text, "<title>"), 8);
    CHECK(strstr(s.text, "nodes 0-3 to router 0: ") != NULL);
    CHECK(strstr(s.text, "router 0 to nodes 4-6: ") != NULL);
    free(s.text);
    topo_rig_close(&r);
    picture_rig_leave();
}

static void a_large_network_does_not_make_a_large_picture(void)
{
    static const struct {
        const char *topology, *settings;
    } large[] = {
        {"mesh", "mesh.width=64 mesh.height=64"},       {"mesh", "mesh.width=200 mesh.height=200"},
        {"xbar", "xbar.inputs=4096 xbar.outputs=4096"}, {"fly", "fly.k=2 fly.n=13"},
        {"clos", "clos.m=200 clos.n=200 clos.r=200"},
    };
    picture_rig_enter();
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, large[i].topology, large[i].settings));
        struct shot s = take(&r, "a.svg", false);
        CHECK(s.ok);
        CHECK(picture_rig_is_well_formed(s.text));
        CHECK(strlen(s.text) < 1000000);
        free(s.text);
        topo_rig_close(&r);
    }
    picture_rig_leave();
}

static void a_network_without_routers_has_a_picture_too(void)
{
    struct topo_rig r;
    picture_rig_enter();
    CHECK(topo_rig_open(&r, "ideal", ""));
    struct shot s = take(&r, "a.svg", true);
    CHECK(s.ok);
    CHECK(picture_rig_is_well_formed(s.text));
    free(s.text);
    topo_rig_close(&r);
    picture_rig_leave();
}

static void what_cannot_be_written_is_an_error(void)
{
    struct topo_rig r;
    picture_rig_enter();
    CHECK(topo_rig_open(&r, "mesh", ""));
    struct shot s = take(&r, "no/a.svg", false);
    CHECK(!s.ok);
    CHECK_EQ(s.err.status, STATUS_BAD_INPUT);
    topo_rig_close(&r);
    picture_rig_leave();
}

CHECK_MAIN("heatmap", TEST(every_channel_is_drawn_and_told), TEST(channels_of_light_are_dashed),
           TEST(two_graphs_are_the_request_and_the_reply_network),
           TEST(a_large_network_does_not_make_a_large_picture),
           TEST(a_network_without_routers_has_a_picture_too),
           TEST(what_cannot_be_written_is_an_error))
