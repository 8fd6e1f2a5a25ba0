/* The round-robin unit on a router of its own: any output will do.
 *
 *   node 0 -+         +- node 4
 *   node 1 -| router  +- node 5
 *   node 2 -|         +- node 6
 *   node 3 -+                                                                              */
#include "check.h"

#include "rig/net_rig.h"

enum { INPUTS = 4, OUTPUTS = 3 };

static struct route any_output(const struct route_view *v, const void *ctx, uint32_t router,
                               uint32_t in, struct packet *p)
{
    (void)v;
    (void)ctx;
    (void)router;
    (void)in;
    (void)p;
    return (struct route){.out = 0, .span = OUTPUTS};
}

static void open_unit(struct net_rig *r, const char *settings, bool slow)
{
    net_rig_begin(r, settings);
    r->slow_router = slow;
    r->engine_options.audit = 1;
    struct graph *g = graph_new(r->arena, INPUTS + OUTPUTS);
    graph_add_router(g, INPUTS, OUTPUTS, 0, 0);
    for (uint32_t i = 0; i < INPUTS; i++)
        graph_inject(g, i, 0, i, 1, 1);
    for (uint32_t i = 0; i < OUTPUTS; i++)
        graph_eject(g, 0, i, INPUTS + i, 1, 1);
    g->route = any_output;
    net_rig_wire(r, g);
    net_rig_read_all(r, 64);
}

static void finish(struct net_rig *r, uint32_t packets)
{
    enum engine_stop stop = net_rig_run(r, 100000);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(stop, ENGINE_IDLE);
    CHECK_EQ(r->nlog, packets);
}

static const struct net_rig_arrival *from(const struct net_rig *r, uint32_t src, uint32_t serial)
{
    for (uint32_t i = 0; i < r->nlog; i++)
        if (r->log[i].src == src && r->log[i].serial == serial)
            return &r->log[i];
    return NULL;
}

static void outputs_are_taken_in_turn(void)
{
    for (int slow = 0; slow < 2; slow++) {
        struct net_rig r;
        open_unit(&r, "router.vcs=2", slow);
        for (uint32_t k = 0; k < 9; k++)
            net_rig_send(&r, 1 + 50 * k, k % INPUTS, INPUTS, 1);
        finish(&r, 9);
        for (uint32_t k = 0; k < 9; k++) {
            CHECK_EQ(r.log[k].node, INPUTS + k % OUTPUTS);
            CHECK_EQ(r.log[k].at, 1 + 50 * k + 7); /* the unit costs no cycle */
        }
        net_rig_close(&r);
    }
}

/* As many packets as there are outputs in one step; the next one waits for the next step. */
static void a_step_serves_one_packet_per_output(void)
{
    for (int slow = 0; slow < 2; slow++) {
        struct net_rig r;
        open_unit(&r, "router.vcs=4", slow);
        for (uint32_t src = 0; src < INPUTS; src++)
            net_rig_send(&r, 1, src, INPUTS, 1);
        finish(&r, 4);
        for (uint32_t src = 0; src < 3; src++) {
            CHECK_EQ(from(&r, src, 0)->node, INPUTS + src);
            CHECK_EQ(from(&r, src, 0)->at, 8);
        }
        CHECK_EQ(from(&r, 3, 0)->node, INPUTS);
        CHECK_EQ(from(&r, 3, 0)->at, 9);
        net_rig_close(&r);
    }
}

/* Outputs without a free VC are passed over, and who waits gets the first that frees. */
static void taken_outputs_are_passed_over(void)
{
    for (int slow = 0; slow < 2; slow++) {
        struct net_rig r;
        open_unit(&r, "router.vcs=1 router.depth=64", slow);
        net_rig_send(&r, 1, 0, INPUTS, 40);  /* output 0 until about cycle 45 */
        net_rig_send(&r, 10, 1, INPUTS, 40); /* output 1 until about cycle 54 */
        net_rig_send(&r, 20, 2, INPUTS, 1);  /* output 2 */
        net_rig_send(&r, 30, 3, INPUTS, 1);  /* it is the turn of 0, then 1, but 2 is free */
        net_rig_send(&r, 40, 2, INPUTS, 30); /* output 2 again, and now all are taken */
        net_rig_send(&r, 42, 3, INPUTS, 1);  /* waits for output 0 */
        finish(&r, 6);
        CHECK_EQ(from(&r, 0, 0)->node, 4);
        CHECK_EQ(from(&r, 1, 0)->node, 5);
        CHECK_EQ(from(&r, 2, 0)->node, 6);
        CHECK_EQ(from(&r, 3, 0)->node, 6);
        CHECK_EQ(from(&r, 2, 1)->node, 6);
        CHECK_EQ(from(&r, 3, 1)->node, 4);
        /* The tail of the first is granted in 5 + 39; then a VC, the switch, and out. */
        CHECK_EQ(from(&r, 3, 1)->at, 44 + 1 + 1 + 3);
        net_rig_close(&r);
    }
}

static void who_comes_first_is_served_first(void)
{
    struct net_rig r;
    open_unit(&r, "router.vcs=1 router.depth=64", false);
    for (uint32_t src = 0; src < 3; src++)
        net_rig_send(&r, 1, src, INPUTS, 40); /* all outputs are taken until 44 */
    net_rig_send(&r, 10, 3, INPUTS, 4);
    for (uint32_t src = 0; src < 3; src++)
        net_rig_send(&r, 1, src, INPUTS, 4); /* behind their own first packets: at the unit in 45 */
    finish(&r, 7);
    CHECK_EQ(from(&r, 3, 0)->at, 44 + 2 + 3 + 3); /* a VC in 45, the switch in 46..49 */
    for (uint32_t src = 0; src < 3; src++)
        CHECK(from(&r, src, 1)->at > from(&r, 3, 0)->at);
    net_rig_close(&r);
}

CHECK_MAIN("router_ports", TEST(outputs_are_taken_in_turn),
           TEST(a_step_serves_one_packet_per_output), TEST(taken_outputs_are_passed_over),
           TEST(who_comes_first_is_served_first))
