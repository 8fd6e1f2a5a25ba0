/* Two real networks and an endpoint per node, each in a lane of its own: the same in any number of
 * threads.  Endpoints of different threads push into one network at the same time. */
#include "check.h"

#include "base/rng.h"
#include "lab/lab.h"
#include "rig/lab_rig.h"
#include "sim/engine.h"

enum { SHARE = 16, PACKETS = 40, MAX_NODES = 64 };

struct world;

struct endpoint {
    struct component c;
    struct world *world;
    uint32_t node, sent, returned, answers;
    hd_cycle next_at;
    struct packet_pool pool; /* its share */
    uint64_t trace;
};

struct world {
    struct arena *arena;
    struct engine *engine;
    struct packet_pool pool;
    struct noc *net[2];
    uint32_t nnodes;
    struct endpoint at[MAX_NODES];
};

/* Answers are always taken; a request is turned round when the reply network takes it. */
static void receive(struct endpoint *p, hd_cycle now)
{
    struct port *requests = noc_eject_port(p->world->net[0], p->node, 0);
    struct port *answers = noc_eject_port(p->world->net[1], p->node, 0);
    struct port *back = noc_inject_port(p->world->net[1], p->node, 0);
    if (port_has(answers, now)) {
        uint32_t id = (uint32_t)port_pop(answers, now);
        p->trace = rng_mix(p->trace + now * 64 + p->pool.at[id].src);
        packet_free(&p->pool, id);
        p->returned++;
    }
    if (port_has(requests, now) && port_can_push(back, now)) {
        uint32_t id = (uint32_t)port_pop(requests, now);
        struct packet *k = &p->pool.at[id];
        *k = (struct packet){
            .born = now, .src = p->node, .dst = k->src, .serial = p->answers++, .flits = 5};
        port_push(back, now, id);
    }
}

static void issue(struct endpoint *p, hd_cycle now)
{
    struct port *out = noc_inject_port(p->world->net[0], p->node, 0);
    if (p->sent == PACKETS || p->sent - p->returned == SHARE || p->next_at > now ||
        !port_can_push(out, now))
        return;
    uint64_t draw = rng_at(p->node, p->sent);
    uint32_t id = packet_alloc(&p->pool);
    p->pool.at[id] = (struct packet){.born = now,
                                     .src = p->node,
                                     .dst = rng_below(draw, p->world->nnodes),
                                     .serial = p->sent++,
                                     .flits = 1};
    port_push(out, now, id);
    p->next_at = now + 1 + (draw & 7 ? 0 : draw >> 8 & 63);
}

static hd_cycle look(const struct port *p, hd_cycle now)
{
    hd_cycle ready = port_ready(p);
    return ready > now ? ready : now + 1;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct endpoint *p = (struct endpoint *)c;
    receive(p, now);
    issue(p, now);
    hd_cycle next = p->sent < PACKETS && p->next_at > now ? p->next_at : HD_NEVER;
    if (p->sent < PACKETS && p->next_at <= now && p->sent - p->returned < SHARE)
        next = now + 1;
    for (int i = 0; i < 2; i++) {
        hd_cycle at = look(noc_eject_port(p->world->net[i], p->node, 0), now);
        next = at < next ? at : next;
    }
    return next;
}

static uint64_t live(const struct component *c)
{
    const struct endpoint *p = (const struct endpoint *)c;
    return PACKETS - p->returned;
}

static const struct component_ops ops = {.kind = "endpoint", .tick = tick, .live = live};

static void build_nets(struct world *w, const char *settings, struct engine_options opt)
{
    struct err e = {0};
    struct config *cfg = lab_rig_config(w->arena, settings, &e);
    struct fabric g;
    CHECK(fabric_of(cfg, w->arena, &g, &e));
    w->nnodes = g.graph[0]->nnodes;
    packet_pool_init(&w->pool, w->arena, w->nnodes * SHARE);
    for (int i = 0; i < 2; i++)
        w->net[i] =
            noc_new(w->arena, &(struct noc_options){.path = i ? "reply" : "request",
                                                    .graph = g.graph[0],
                                                    .router = config_get(cfg, &router_section),
                                                    .pool = &w->pool,
                                                    .classes = 1,
                                                    .port_depth = 4,
                                                    .no_skip = opt.no_skip,
                                                    .seed = 1});
}

static struct world *world_new(const char *settings, struct engine_options opt, uint64_t period)
{
    struct arena *a = arena_new();
    struct world *w = ARENA_NEW(a, struct world);
    w->arena = a;
    w->engine = engine_new(a, opt);
    build_nets(w, settings, opt);
    for (uint32_t i = 0; i < 2; i++) {
        engine_add(w->engine, noc_component(w->net[i]), 2);
        engine_place(w->engine, noc_component(w->net[i]), 0, i);
    }
    for (uint32_t i = 0; i < w->nnodes; i++) {
        struct endpoint *p = &w->at[i];
        *p = (struct endpoint){
            .c = {.ops = &ops, .path = "endpoint"}, .world = w, .node = i, .pool = w->pool};
        p->pool.high = i * SHARE;
        p->pool.capacity = (i + 1) * SHARE;
        engine_add(w->engine, &p->c, period);
        engine_place(w->engine, &p->c, 1, i);
        for (int k = 0; k < 2; k++) {
            noc_set_writer(w->net[k], i, &p->c, 0);
            noc_attach_reader(w->net[k], a, i, 4, &p->c, 1);
        }
    }
    return w;
}

static uint64_t run(const char *settings, struct engine_options opt, uint64_t period)
{
    struct world *w = world_new(settings, opt, period);
    struct err e = {0};
    CHECK_EQ(engine_run(w->engine, 1000000, &e), ENGINE_IDLE);
    CHECK(engine_audit(w->engine, &e));
    uint64_t digest = noc_stats(w->net[0])->digest + 3 * noc_stats(w->net[1])->digest;
    CHECK_EQ(noc_stats(w->net[0])->packets_out, w->nnodes * PACKETS);
    for (uint32_t i = 0; i < w->nnodes; i++)
        digest = rng_mix(digest + w->at[i].trace);
    engine_stop_threads(w->engine);
    arena_free(w->arena);
    return digest;
}

static void check_all(const char *settings, uint64_t period)
{
    uint64_t one = run(settings, (struct engine_options){0}, period);
    CHECK_EQ(run(settings, (struct engine_options){.no_skip = true}, period), one);
    CHECK_EQ(run(settings, (struct engine_options){.reversed = true}, period), one);
    for (uint32_t threads = 2; threads <= 3; threads++)
        for (int reversed = 0; reversed < 2; reversed++) {
            struct engine_options opt = {
                .threads = threads, .always_share = true, .reversed = reversed};
            CHECK_EQ(run(settings, opt, period), one);
        }
}

static void a_mesh_does_the_same_in_any_number_of_threads(void)
{
    check_all("noc.topology=mesh mesh.width=4 mesh.height=4", 2);
}

static void so_it_does_across_clocks(void)
{
    check_all("noc.topology=mesh mesh.width=3 mesh.height=3", 3);
    check_all("noc.topology=mesh mesh.width=3 mesh.height=3", 1);
}

static void so_does_an_ideal_network(void)
{
    check_all("noc.topology=ideal ideal.nodes=9", 2);
}

CHECK_MAIN("threads_noc", TEST(a_mesh_does_the_same_in_any_number_of_threads),
           TEST(so_it_does_across_clocks), TEST(so_does_an_ideal_network))
