#include "check.h"

#include "rig/topo_rig.h"

static const char *const sizes[] = {
    "torus.width=8 torus.height=8", "torus.width=5 torus.height=4",
    "torus.width=2 torus.height=3", "torus.width=2 torus.height=2",
    "torus.width=1 torus.height=7", "torus.width=6 torus.height=1",
    "torus.width=1 torus.height=1", "torus.width=3 torus.height=2 torus.concentration=4",
};
static const char *const classes[] = {"torus.classes=dateline", "torus.classes=balanced"};
enum { NSIZES = sizeof sizes / sizeof sizes[0] };

static struct graph *open_torus(struct topo_rig *r, const char *size, const char *more,
                                enum direction dir)
{
    char settings[256];
    snprintf(settings, sizeof settings, "%s %s", size, more);
    CHECK(topo_rig_open(r, "torus", settings));
    struct graph *g = topo_rig_build(r, dir);
    CHECK(g != NULL);
    return g;
}

/* ---- ways ---- */

static void every_packet_arrives_in_ring_distance_plus_one_routers(void)
{
    for (int i = 0; i < 2 * NSIZES; i++) {
        struct topo_rig r;
        const struct graph *g = open_torus(&r, sizes[i / 2], classes[i % 2], DIR_ANY);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(topo_rig_lost(&r, g, 4), 0);
        topo_rig_close(&r);
    }
}

static uint32_t shorter_way(uint32_t k, uint32_t a, uint32_t b)
{
    uint32_t apart = a > b ? a - b : b - a;
    return apart < k - apart ? apart : k - apart;
}

static void hops_are_the_shorter_ways_round_both_rings(void)
{
    struct topo_rig r;
    const struct graph *g = open_torus(&r, "torus.width=7 torus.height=4", "", DIR_ANY);
    for (uint32_t a = 0; a < 28; a++)
        for (uint32_t b = 0; b < 28; b++)
            CHECK_EQ(g->hops(g->ctx, a, b),
                     1 + shorter_way(7, a % 7, b % 7) + shorter_way(4, a / 7, b / 7));
    topo_rig_close(&r);
}

static void half_way_round_both_ways_are_taken_equally_often(void)
{
    struct topo_rig r;
    const struct graph *g = open_torus(&r, sizes[0], "", DIR_ANY);
    int taken[4] = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        struct packet p = {.src = 0, .dst = 4, .serial = i};
        taken[topo_rig_first_route(&r, g, &p).out]++;
        p = (struct packet){.src = 0, .dst = 32, .serial = i};
        taken[topo_rig_first_route(&r, g, &p).out]++;
    }
    for (int out = 0; out < 4; out++)
        CHECK(taken[out] > 430);
    topo_rig_close(&r);
}

static void rows_come_before_columns(void)
{
    struct topo_rig r;
    const struct graph *g = open_torus(&r, sizes[0], "", DIR_ANY);
    struct packet p = {.src = 0, .dst = 8 * 3 + 6};
    CHECK_EQ(topo_rig_first_route(&r, g, &p).out, 1); /* round the edge, to x = 7 */
    p = (struct packet){.src = 0, .dst = 8 * 6};
    CHECK_EQ(topo_rig_first_route(&r, g, &p).out, 3);
    topo_rig_close(&r);
}

/* ---- VC classes ---- */

/* Channel and class that each packet holds, and which it waits for next. */
struct waits {
    uint32_t n;
    bool *edge; /* [from * n + to] */
    uint8_t *mark;
};

static void follow(struct topo_rig *r, const struct graph *g, struct packet *p, struct waits *w)
{
    uint32_t in = g->inject[p->src], held = GRAPH_NONE;
    g->launch(&r->view, g->ctx, p);
    for (;;) {
        uint32_t router = g->in[in].router, first = g->router[router].first_out;
        struct route to = g->route(&r->view, g->ctx, router, in - g->router[router].first_in, p);
        const struct graph_out *o = &g->out[first + to.out];
        if (o->dst_router == GRAPH_NONE) {
            CHECK_EQ(to.vclass, g->subclasses);
            return;
        }
        CHECK(to.vclass < g->subclasses);
        uint32_t next = (first + to.out) * g->subclasses + to.vclass;
        if (held != GRAPH_NONE)
            w->edge[(uint64_t)held * w->n + next] = true;
        held = next;
        in = g->router[o->dst_router].first_in + o->dst_in;
    }
}

/* Depth first: 1 is under way, 2 is done. */
static bool has_cycle(struct waits *w, uint32_t from)
{
    if (w->mark[from])
        return w->mark[from] == 1;
    w->mark[from] = 1;
    for (uint32_t to = 0; to < w->n; to++)
        if (w->edge[(uint64_t)from * w->n + to] && has_cycle(w, to))
            return true;
    w->mark[from] = 2;
    return false;
}

static void no_packets_wait_for_each_other_in_a_circle(void)
{
    for (int i = 0; i < 2 * NSIZES; i++) {
        struct topo_rig r;
        const struct graph *g = open_torus(&r, sizes[i / 2], classes[i % 2], DIR_ANY);
        struct waits w = {.n = g->nouts * g->subclasses};
        bool circle = false;
        w.edge = ARENA_ARRAY(r.arena, bool, (uint64_t)w.n *w.n);
        w.mark = ARENA_ARRAY(r.arena, uint8_t, w.n);
        for (uint32_t k = 0; k < g->nnodes * g->nnodes * 8; k++) {
            struct packet p = {.src = k / 8 % g->nnodes, .dst = k / 8 / g->nnodes, .serial = k % 8};
            follow(&r, g, &p, &w);
        }
        for (uint32_t c = 0; c < w.n; c++)
            circle |= has_cycle(&w, c);
        CHECK(!circle);
        topo_rig_close(&r);
    }
}

/* Eastward on a ring of eight: how many of 100 packets are in class 1. */
static int in_class_1(const char *how, uint32_t src, uint32_t dst)
{
    struct topo_rig r;
    const struct graph *g = open_torus(&r, "torus.width=8 torus.height=1", how, DIR_ANY);
    int n = 0;
    for (uint32_t i = 0; i < 100; i++) {
        struct packet p = {.src = src, .dst = dst, .serial = i};
        n += topo_rig_first_route(&r, g, &p).vclass;
        CHECK_EQ(p.vclass, 2); /* from the node, any VC */
    }
    topo_rig_close(&r);
    return n;
}

static void packets_that_cross_the_dateline_are_in_class_1(void)
{
    CHECK_EQ(in_class_1(classes[0], 6, 1), 100);
    CHECK_EQ(in_class_1(classes[0], 1, 6), 100); /* westward */
    CHECK_EQ(in_class_1(classes[0], 1, 3), 0);
    CHECK_EQ(in_class_1(classes[0], 3, 1), 0);
    CHECK_EQ(in_class_1(classes[0], 2, 5), 0);
}

static void balanced_packets_that_cross_nothing_are_in_both(void)
{
    CHECK_EQ(in_class_1(classes[1], 6, 1), 100);
    CHECK_EQ(in_class_1(classes[1], 1, 6), 100);
    CHECK_EQ(in_class_1(classes[1], 2, 5), 0); /* over the middle */
    CHECK_EQ(in_class_1(classes[1], 5, 2), 0);
    int free_ones = in_class_1(classes[1], 1, 3);
    CHECK(free_ones > 25 && free_ones < 75);
}

/* ---- sizes and ends ---- */

static void a_ring_of_two_has_two_channels_each_way_and_one_of_one_has_none(void)
{
    struct topo_rig r;
    const struct graph *g = open_torus(&r, "torus.width=2 torus.height=1", "", DIR_ANY);
    int between = 0;
    for (uint32_t o = 0; o < g->nouts; o++)
        between += g->out[o].dst_router != GRAPH_NONE;
    CHECK_EQ(between, 4);
    topo_rig_close(&r);
}

static void requests_go_from_cores_to_memory_only(void)
{
    struct topo_rig r;
    struct graph *g =
        open_torus(&r, "torus.width=3 torus.height=3", "torus.cores=6 torus.mem=0,8", DIR_REQUEST);
    CHECK_EQ(graph_sources(g, NULL), 6);
    CHECK_EQ(graph_sinks(g, NULL), 2);
    CHECK_EQ(g->inject[7], GRAPH_NONE); /* the spare position */
    g = topo_rig_build(&r, DIR_REPLY);
    CHECK_EQ(graph_sources(g, NULL), 2);
    CHECK_EQ(graph_sinks(g, NULL), 6);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "torus", "torus.width=32768 torus.height=32768", DIR_ANY),
                 "torus.width") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "torus", "torus.mem=64", DIR_ANY), "torus.mem") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "torus", "torus.cores=60 torus.mem=1-5", DIR_ANY),
                 "torus.cores") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "torus", "", DIR_REQUEST), "torus.mem") != NULL);
}

CHECK_MAIN("topo_torus", TEST(every_packet_arrives_in_ring_distance_plus_one_routers),
           TEST(hops_are_the_shorter_ways_round_both_rings),
           TEST(half_way_round_both_ways_are_taken_equally_often), TEST(rows_come_before_columns),
           TEST(no_packets_wait_for_each_other_in_a_circle),
           TEST(packets_that_cross_the_dateline_are_in_class_1),
           TEST(balanced_packets_that_cross_nothing_are_in_both),
           TEST(a_ring_of_two_has_two_channels_each_way_and_one_of_one_has_none),
           TEST(requests_go_from_cores_to_memory_only), TEST(what_does_not_fit_is_refused))
