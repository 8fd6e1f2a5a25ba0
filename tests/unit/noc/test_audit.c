/* The audit is worth something only if it finds what is broken: here it is broken on purpose. */
#include "check.h"

#include "noc/net_priv.h"
#include "rig/net_rig.h"

/* A mesh full of packets, stopped in the middle. */
static void open_busy(struct net_rig *r, bool slow)
{
    net_rig_begin(r, "mesh.width=3 mesh.height=3 router.vcs=2 router.depth=4 noc.port_depth=64");
    r->slow_router = slow;
    CHECK(net_rig_build(r, DIR_ANY));
    for (uint32_t k = 0; k < 200; k++)
        net_rig_send(r, 1 + k / 9, k % 9, k * 5 % 9, 5);
    CHECK_EQ(net_rig_run(r, 40), ENGINE_REACHED);
    struct err e = {0};
    CHECK(engine_audit(r->engine, &e));
    CHECK(noc_stats(r->noc)->flits_in > noc_stats(r->noc)->flits_out);
}

static const char *complaint(struct net_rig *r)
{
    r->err = (struct err){0};
    CHECK(!engine_audit(r->engine, &r->err));
    CHECK_EQ(r->err.status, STATUS_FAILED);
    return r->err.text;
}

static void a_network_at_work_passes_at_every_cycle(void)
{
    for (int slow = 0; slow < 2; slow++) {
        struct net_rig r;
        open_busy(&r, slow);
        struct err e = {0};
        for (hd_cycle t = 41; t < 400; t++) {
            net_rig_run(&r, t);
            CHECK(engine_audit(r.engine, &e));
        }
        CHECK_EQ(noc_stats(r.noc)->packets_out, 200);
        net_rig_close(&r);
    }
}

static void a_credit_too_many_is_found(void)
{
    struct net_rig r;
    open_busy(&r, false);
    struct ovc *ov = &r.noc->ovc[r.noc->router[4].first_out << r.noc->vc_shift];
    ov->credits++;
    const char *text = complaint(&r);
    CHECK(strstr(text, "net cycle ") == text);
    CHECK(strstr(text, "credits") != NULL && strstr(text, "are not 4") != NULL);
    ov->credits--;
    CHECK(engine_audit(r.engine, &r.err));
    net_rig_close(&r);
}

static void a_lost_credit_is_found_at_every_channel(void)
{
    struct net_rig r;
    open_busy(&r, false);
    for (uint32_t o = 0; o < r.noc->nouts + r.noc->ninj; o++) {
        bool used = o >= r.noc->nouts || r.graph->out[o].dst_router != GRAPH_NONE ||
                    r.graph->out[o].dst_node != GRAPH_NONE;
        for (uint32_t v = 0; used && v < 2; v++) {
            struct ovc *ov = &r.noc->ovc[o << r.noc->vc_shift | v];
            ov->credits = (uint16_t)(ov->credits - 1);
            complaint(&r);
            ov->credits = (uint16_t)(ov->credits + 1);
        }
    }
    net_rig_close(&r);
}

static void a_lost_flit_is_found(void)
{
    struct net_rig r;
    open_busy(&r, false);
    r.noc->stats.flits_in++;
    CHECK(strstr(complaint(&r), "flits in") != NULL);
    net_rig_close(&r);
}

static struct ivc *find_active(struct noc *n)
{
    for (uint32_t i = 0; i < n->nivcs; i++)
        if (n->ivc[i].state == VC_ACTIVE)
            return &n->ivc[i];
    return NULL;
}

static void a_vc_that_somebody_else_holds_is_found(void)
{
    for (int slow = 0; slow < 2; slow++) {
        struct net_rig r;
        open_busy(&r, slow);
        struct ivc *iv = find_active(r.noc);
        CHECK(iv != NULL);
        iv->ov->owner = NO_OWNER;
        complaint(&r);
        net_rig_close(&r);
    }
}

/* Somebody who could send but does not ask for the switch would wait for ever. */
static void a_forgotten_bid_is_found(void)
{
    struct net_rig r;
    open_busy(&r, false);
    for (uint32_t id = 0; id < r.noc->nrouters; id++) {
        struct router *router = &r.noc->router[id];
        for (uint32_t out = 0; out < router->nout; out++)
            router->sa_mask[(uint64_t)out * router->words] = 0;
    }
    CHECK(strstr(complaint(&r), "could move but does not bid") != NULL);
    net_rig_close(&r);
}

/* --check stops the run at the first audit after the damage. */
static void the_engine_stops_at_a_broken_invariant(void)
{
    struct net_rig r;
    net_rig_begin(&r, "mesh.width=3 mesh.height=3");
    r.engine_options.audit = 10;
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_send(&r, 15, 0, 8, 50);
    CHECK_EQ(net_rig_run(&r, 25), ENGINE_REACHED);
    r.noc->stats.flits_out++;
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_BROKEN);
    CHECK(net_rig_now(&r) <= 36);
    net_rig_close(&r);
}

CHECK_MAIN("audit", TEST(a_network_at_work_passes_at_every_cycle), TEST(a_credit_too_many_is_found),
           TEST(a_lost_credit_is_found_at_every_channel), TEST(a_lost_flit_is_found),
           TEST(a_vc_that_somebody_else_holds_is_found), TEST(a_forgotten_bid_is_found),
           TEST(the_engine_stops_at_a_broken_invariant))
