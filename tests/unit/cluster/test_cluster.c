#include "check.h"

#include "base/rng.h"
#include "cluster/cluster.h"
#include "rig/capture.h"
#include "rig/toy_rig.h"
#include "sim/waitgraph.h"

/* A cluster between SMs and a network that do nothing by themselves: the test moves the items. */
enum { SMS = 70, FIRST = 10, NODE = 5, SLICES = 4, POOL = 512 };
static const uint32_t mem_nodes[SLICES] = {40, 41, 42, 43};

struct bench {
    struct arena *arena;
    struct cluster *cluster;
    struct cluster_spec spec;
    struct addrmap map;
    struct request_pool pool;
    struct toy_sleeper net, sm[SMS];
    struct port inject, eject, *out[SMS], *in[SMS];
    struct component *c;
};

static void bench_open(struct bench *b, uint32_t nsms, uint32_t inject_depth, bool check)
{
    *b = (struct bench){.arena = arena_new(),
                        .spec = {.request_latency = 1,
                                 .reply_latency = 1,
                                 .request_queue = 8,
                                 .response_fifo = 32,
                                 .response_queue = 2},
                        .map = {.slices = SLICES, .slices_per_channel = 1, .chunk_shift = 8},
                        .net = toy_sleeper("net", 1)};
    request_pool_init(&b->pool, b->arena, POOL);
    struct cluster_options opt = {.path = "cluster[2]",
                                  .spec = &b->spec,
                                  .index = 2,
                                  .nsms = nsms,
                                  .first_sm = FIRST,
                                  .pool = &b->pool,
                                  .map = &b->map,
                                  .node = NODE,
                                  .inject_vertex = 77,
                                  .mem_nodes = mem_nodes,
                                  .flit_bytes = 32,
                                  .check = check};
    b->cluster = cluster_new(b->arena, &opt);
    b->c = cluster_component(b->cluster);
    b->c->period = 1;
    for (uint32_t i = 0; i < nsms; i++) {
        b->sm[i] = toy_sleeper("sm", 1);
        cluster_connect_sm(b->cluster, b->arena, i, &b->sm[i].c, 9, &b->out[i], &b->in[i]);
    }
    port_init(&b->inject, b->arena, inject_depth, 1, (struct port_end){b->c, CLUSTER_SLOT_INJECT},
              (struct port_end){&b->net.c, 0});
    port_init(&b->eject, b->arena, 32, 1, (struct port_end){&b->net.c, 0},
              (struct port_end){b->c, CLUSTER_SLOT_EJECT});
    cluster_connect_network(b->cluster, &b->inject, &b->eject);
}

static void bench_close(struct bench *b)
{
    cluster_free(b->cluster);
    arena_free(b->arena);
}

static hd_cycle bench_tick(struct bench *b, hd_cycle now)
{
    return b->c->ops->tick(b->c, now);
}

static uint32_t bench_ask(struct bench *b, hd_cycle now, uint32_t sm, uint8_t kind, uint64_t line)
{
    uint32_t id = packet_alloc(&b->pool.packets);
    b->pool.at[id] = (struct request){
        .line = line, .sm = (uint16_t)(FIRST + sm), .kind = kind, .bytes = 128, .stamp = now};
    port_push(b->out[sm], now, id);
    return id;
}

/* The request `id` comes back as its own answer. */
static void bench_answer(struct bench *b, hd_cycle now, uint32_t id, uint32_t version)
{
    b->pool.at[id].version = version;
    b->pool.packets.at[id].flits = request_flits(&b->pool.at[id], true, 32);
    port_push(&b->eject, now, id);
}

/* The value of a counter, by name. */
static uint64_t bench_stat(struct bench *b, const char *name)
{
    struct stats *tree = stats_new(b->arena);
    struct text t;
    char key[64];
    unsigned long long value = 0;
    cluster_add_stats(b->cluster, tree);
    text_open(&t);
    struct json j;
    json_begin(&j, t.out);
    stats_write_json(tree, &j);
    json_end(&j);
    text_close(&t);
    snprintf(key, sizeof key, "\"cluster.%s\": ", name);
    const char *at = strstr(t.s, key);
    int found = at ? sscanf(at + strlen(key), "%llu", &value) : 0;
    text_free(&t);
    CHECK_EQ(found, 1);
    return value;
}

/* ---- requests ---- */

static void a_request_leaves_as_a_packet_for_the_slice_of_its_line(void)
{
    struct bench b;
    bench_open(&b, 2, 4, false);
    uint32_t id = bench_ask(&b, 3, 1, REQUEST_WRITE, 0x600); /* chunk 6: slice 2 */
    bench_tick(&b, 4);
    CHECK_EQ(port_held(&b.inject), 1);
    CHECK_EQ(port_peek(&b.inject), id);
    const struct packet *p = &b.pool.packets.at[id];
    CHECK_EQ(p->src, NODE);
    CHECK_EQ(p->dst, 42);
    CHECK_EQ(p->flits, 5); /* 8 + 128 bytes in flits of 32 */
    CHECK_EQ(p->kind, REQUEST_WRITE);
    CHECK_EQ(p->msgclass, 0);
    CHECK_EQ(p->born, 4);
    CHECK_EQ(p->serial, 0);
    CHECK_EQ(b.pool.at[id].part[PART_SM], 1);
    bench_close(&b);
}

static void a_birth_is_told_in_cycles_of_the_network(void)
{
    struct bench b;
    bench_open(&b, 1, 4, false);
    b.c->period = 3;
    b.sm[0].c.period = 3;
    b.net.c.period = 2;
    uint32_t id = bench_ask(&b, 4, 0, REQUEST_READ, 0);
    b.pool.at[id].stamp = 12;
    bench_tick(&b, 5); /* tick 15 */
    CHECK_EQ(b.pool.packets.at[id].born, 7);
    CHECK_EQ(b.pool.at[id].part[PART_SM], 3); /* ticks */
    bench_close(&b);
}

static void sms_take_turns_one_request_per_cycle(void)
{
    struct bench b;
    bench_open(&b, 3, 32, false);
    for (int k = 0; k < 3; k++)
        for (uint32_t sm = 0; sm < 3; sm++)
            if (sm != 1 || k < 2)
                bench_ask(&b, 0, sm, REQUEST_READ, 0);
    CHECK_EQ(bench_tick(&b, 0), 1); /* not before they show */
    CHECK_EQ(port_held(&b.inject), 0);
    static const uint32_t order[] = {0, 1, 2, 0, 1, 2, 0, 2};
    for (uint32_t k = 0; k < 8; k++) {
        CHECK_EQ(bench_tick(&b, 1 + k), k < 7 ? 2 + k : HD_NEVER);
        CHECK_EQ(port_held(&b.inject), k + 1);
        uint64_t id = b.inject.ring[k].item;
        CHECK_EQ(b.pool.at[id].sm, FIRST + order[k]);
        CHECK_EQ(b.pool.packets.at[id].serial, k);
    }
    CHECK_EQ(bench_stat(&b, "conflicts"), 7); /* in all but the last cycle */
    CHECK_EQ(bench_stat(&b, "reads"), 8);
    CHECK_EQ(bench_stat(&b, "request_flits"), 8);
    CHECK_EQ(bench_stat(&b, "request_bytes"), 64);
    bench_close(&b);
}

static void turns_go_round_more_sms_than_a_word_has_bits(void)
{
    struct bench b;
    bench_open(&b, SMS, 128, false);
    for (uint32_t sm = 0; sm < SMS; sm++)
        bench_ask(&b, 0, sm, REQUEST_READ, 0);
    for (uint32_t k = 0; k < SMS; k++) {
        bench_tick(&b, 1 + k);
        CHECK_EQ(b.pool.at[b.inject.ring[k].item].sm, FIRST + k);
    }
    bench_ask(&b, 80, 3, REQUEST_READ, 0);
    bench_ask(&b, 80, 69, REQUEST_READ, 0);
    bench_tick(&b, 81);
    CHECK_EQ(b.pool.at[b.inject.ring[SMS].item].sm, FIRST + 3); /* 69 was last: 0 is first */
    bench_close(&b);
}

static void a_full_network_port_blocks_and_the_time_is_counted_also_by_halves(void)
{
    struct bench b;
    bench_open(&b, 1, 1, false);
    bench_ask(&b, 0, 0, REQUEST_READ, 0);
    bench_ask(&b, 0, 0, REQUEST_READ, 0);
    bench_tick(&b, 1);
    CHECK_EQ(bench_tick(&b, 2), HD_NEVER); /* blocked from here on */
    CHECK_EQ(bench_tick(&b, 5), HD_NEVER); /* a needless tick changes nothing */
    b.c->ops->settle(b.c, 7);
    CHECK_EQ(bench_stat(&b, "request_blocked"), 5); /* 2 to 6 */
    b.c->ops->settle(b.c, 7);
    CHECK_EQ(bench_stat(&b, "request_blocked"), 5);
    b.c->wake_at = HD_NEVER;
    port_pop(&b.inject, 10);
    CHECK_EQ(b.c->wake_at, 11);
    bench_tick(&b, 11);
    CHECK_EQ(port_held(&b.inject), 1);
    CHECK_EQ(bench_stat(&b, "request_blocked"), 9); /* 2 to 10 */
    b.c->ops->settle(b.c, 100);
    CHECK_EQ(bench_stat(&b, "request_blocked"), 9);
    bench_close(&b);
}

static void a_long_way_from_the_sm_delays_but_keeps_the_rate(void)
{
    struct bench b;
    bench_open(&b, 1, 200, false);
    b.spec.request_latency = 20;
    b.spec.request_queue = 2;
    cluster_connect_sm(b.cluster, b.arena, 0, &b.sm[0].c, 9, &b.out[0], &b.in[0]);
    for (hd_cycle now = 0; now < 100; now++) {
        bench_tick(&b, now);
        if (port_can_push(b.out[0], now))
            bench_ask(&b, now, 0, REQUEST_READ, 0);
    }
    CHECK_EQ(port_held(&b.inject), 80);
    bench_close(&b);
}

/* ---- answers ---- */

static void answers_go_to_the_sm_that_asked_one_per_cycle(void)
{
    struct bench b;
    bench_open(&b, 3, 8, false);
    uint32_t id[3];
    for (uint32_t sm = 0; sm < 3; sm++) {
        id[sm] = bench_ask(&b, sm, sm, REQUEST_READ, 0);
        bench_tick(&b, sm + 1);
    }
    for (uint32_t k = 0; k < 3; k++)
        bench_answer(&b, 50, id[2 - k], 0);
    CHECK_EQ(bench_tick(&b, 51), 52);
    CHECK_EQ(port_held(b.in[2]), 1);
    CHECK_EQ(port_held(b.in[1]), 0);
    CHECK_EQ(bench_tick(&b, 52), 53);
    CHECK_EQ(bench_tick(&b, 53), HD_NEVER);
    for (uint32_t sm = 0; sm < 3; sm++)
        CHECK_EQ(port_pop(b.in[sm], 54), id[sm]);
    CHECK_EQ(b.pool.at[id[2]].part[PART_REPLY], 48); /* sent at 3, popped at 51 */
    CHECK_EQ(bench_stat(&b, "read_answers"), 3);
    CHECK_EQ(bench_stat(&b, "answer_bytes"), 3 * 136);
    CHECK_EQ(bench_stat(&b, "answer_flits"), 15);
    bench_close(&b);
}

static void an_answer_without_room_at_its_sm_holds_up_the_others(void)
{
    struct bench b;
    bench_open(&b, 2, 8, false);
    for (int k = 0; k < 3; k++)
        bench_answer(&b, 0, bench_ask(&b, 0, 0, REQUEST_READ, 0), 0);
    bench_answer(&b, 0, bench_ask(&b, 0, 1, REQUEST_READ, 0), 0);
    for (hd_cycle now = 1; now < 10; now++)
        bench_tick(&b, now);
    CHECK_EQ(port_held(b.in[0]), 2); /* all its port has */
    CHECK_EQ(port_held(b.in[1]), 0);
    b.c->wake_at = HD_NEVER;
    port_pop(b.in[0], 20);
    CHECK_EQ(b.c->wake_at, 21);
    bench_tick(&b, 21);
    bench_tick(&b, 22);
    CHECK_EQ(port_held(b.in[1]), 1);
    CHECK_EQ(bench_stat(&b, "answer_blocked"), 18); /* 3 to 20 */
    bench_close(&b);
}

static void take_an_answer_for_another_cluster(void)
{
    struct bench b;
    bench_open(&b, 2, 8, false);
    uint32_t id = bench_ask(&b, 0, 0, REQUEST_READ, 0);
    b.pool.at[id].sm = FIRST + 2;
    bench_answer(&b, 0, id, 0);
    bench_tick(&b, 1);
}

static void an_answer_for_another_cluster_is_our_own_fault(void)
{
    struct death d = death_of(take_an_answer_for_another_cluster);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "cluster[2]: got an answer for SM 12") != NULL);
}

/* ---- versions ---- */

/* A write is acknowledged with version 5; then a read is sent and comes back with `version`. */
static bool read_after_write(uint8_t writer, uint32_t version, uint64_t line, struct err *e)
{
    struct bench b;
    bench_open(&b, 2, 8, true);
    uint32_t w = bench_ask(&b, 0, 0, writer, 0x1000);
    bench_tick(&b, 1);
    bench_answer(&b, 5, w, 5);
    bench_tick(&b, 6);
    uint32_t r = bench_ask(&b, 7, 1, REQUEST_READ, line);
    bench_tick(&b, 8);
    bench_answer(&b, 20, r, version);
    bench_tick(&b, 21);
    bool fine = b.c->ops->audit(b.c, e);
    bench_close(&b);
    return fine;
}

static void a_read_older_than_what_was_acknowledged_is_found(void)
{
    static const uint8_t writers[] = {REQUEST_WRITE, REQUEST_REDUCE, REQUEST_ATOMIC};
    for (int i = 0; i < 3; i++) {
        struct err e = {0};
        CHECK(read_after_write(writers[i], 5, 0x1000, &e));
        CHECK(read_after_write(writers[i], 9, 0x1000, &e));
        CHECK(read_after_write(writers[i], 0, 0x1080, &e)); /* another line */
        CHECK(!read_after_write(writers[i], 4, 0x1000, &e));
        CHECK_EQ(e.status, STATUS_FAILED);
        CHECK_STR(e.text, "cluster[2] cycle 21: SM 11 read version 4 of line 0x1000, but 5 had "
                          "been acknowledged before it asked (1 such reads)");
    }
}

static void a_read_that_was_sent_before_the_acknowledgement_may_be_older(void)
{
    struct bench b;
    struct err e = {0};
    bench_open(&b, 2, 8, true);
    uint32_t w = bench_ask(&b, 0, 0, REQUEST_WRITE, 0x1000);
    uint32_t r = bench_ask(&b, 0, 1, REQUEST_READ, 0x1000);
    bench_tick(&b, 1);
    bench_tick(&b, 2);
    bench_answer(&b, 5, w, 5);
    bench_answer(&b, 5, r, 4);
    bench_tick(&b, 6);
    bench_tick(&b, 7);
    CHECK_EQ(port_held(b.in[1]), 1);
    CHECK(b.c->ops->audit(b.c, &e));
    bench_close(&b);
}

static void more_answers_than_requests_are_found(void)
{
    struct bench b;
    struct err e = {0};
    bench_open(&b, 1, 8, false);
    uint32_t id = bench_ask(&b, 0, 0, REQUEST_REDUCE, 0);
    bench_tick(&b, 1);
    bench_answer(&b, 1, id, 0);
    bench_tick(&b, 2);
    CHECK(b.c->ops->audit(b.c, &e));
    bench_answer(&b, 2, id, 0);
    bench_tick(&b, 3);
    CHECK(!b.c->ops->audit(b.c, &e));
    CHECK_STR(e.text, "cluster[2]: more answers than requests");
    bench_close(&b);
}

/* ---- for the watchdog ---- */

static void what_is_held_and_who_waits_for_whom_is_told(void)
{
    struct bench b;
    bench_open(&b, 2, 1, false);
    for (int k = 0; k < 4; k++)
        bench_answer(&b, 0, bench_ask(&b, 0, 0, REQUEST_READ, 0), 0);
    for (hd_cycle now = 1; now < 10; now++)
        bench_tick(&b, now);
    CHECK_EQ(b.c->ops->live(b.c), 3 + 2); /* one request and two answers have got through */
    b.c->id = 1;
    b.net.c.id = 2;
    b.sm[0].c.id = 3;
    struct waitgraph *g = waitgraph_new(b.arena);
    b.c->ops->waits(b.c, g);
    CHECK(waitgraph_deadlock(g) == NULL); /* the others may yet move */
    g = waitgraph_new(b.arena);
    b.c->ops->waits(b.c, g);
    waitgraph_vertex(g, &b.sm[0].c, 9, false, "lsu"); /* the SM waits for its requests to leave */
    waitgraph_edge(g, &b.sm[0].c, 9, b.c, 0);
    waitgraph_vertex(g, &b.net.c, 77, false, "injector"); /* and the network for its answers */
    waitgraph_edge(g, &b.net.c, 77, b.c, CLUSTER_SLOT_EJECT);
    const char *cycle = waitgraph_deadlock(g);
    CHECK(cycle != NULL);
    CHECK(strstr(cycle, "cluster[2] requests of SM 10 -> net injector") != NULL);
    CHECK(strstr(cycle, "cluster[2] answer for SM 10 -> sm lsu") != NULL);
    bench_close(&b);
}

/* ---- skipping ---- */

/* Random traffic; the cluster is ticked in every cycle or only when it asked or was woken. */
static uint64_t run_randomly(uint64_t seed, bool skip, uint64_t *ticks)
{
    struct bench b;
    uint64_t digest = 0;
    bench_open(&b, 5, 2, true);
    b.c->wake_at = 0;
    for (hd_cycle now = 0; now < 2000; now++) {
        for (uint32_t sm = 0; sm < 5; sm++) {
            uint64_t draw = rng_at(seed, now * 8 + sm);
            if (now < 1500 && draw % 9 == 0 && port_can_push(b.out[sm], now) &&
                b.pool.packets.live < POOL)
                bench_ask(&b, now, sm, (uint8_t)(draw >> 40 & 3), (draw >> 20 & 7) * LINE_BYTES);
            if (draw >> 50 & 1 && port_has(b.in[sm], now)) {
                uint32_t id = (uint32_t)port_pop(b.in[sm], now);
                digest = rng_mix(digest + b.pool.at[id].line + now * 64 + sm +
                                 b.pool.packets.at[id].serial);
                packet_free(&b.pool.packets, id);
            }
        }
        if (!skip || b.c->wake_at <= now) {
            b.c->wake_at = HD_NEVER;
            component_wake(b.c, bench_tick(&b, now));
            ++*ticks;
        }
        if (rng_at(seed + 1, now) % 3 != 0 && port_has(&b.inject, now) &&
            port_can_push(&b.eject, now))
            bench_answer(&b, now, (uint32_t)port_pop(&b.inject, now), 1);
    }
    b.c->ops->settle(b.c, 2000);
    struct err e = {0};
    CHECK(b.c->ops->audit(b.c, &e));
    CHECK(bench_stat(&b, "reads") > 50);
    CHECK(bench_stat(&b, "request_blocked") > 50);
    CHECK_EQ(bench_stat(&b, "reads"), bench_stat(&b, "read_answers"));
    CHECK_EQ(bench_stat(&b, "atomics"), bench_stat(&b, "atomic_answers"));
    CHECK_EQ(b.pool.packets.live, 0);
    digest += bench_stat(&b, "request_blocked") + 7 * bench_stat(&b, "answer_blocked") +
              49 * bench_stat(&b, "conflicts");
    bench_close(&b);
    return digest;
}

static void sleeping_changes_nothing(void)
{
    uint64_t ticks[2] = {0};
    for (uint64_t seed = 0; seed < 20; seed++)
        CHECK_EQ(run_randomly(seed, true, &ticks[0]), run_randomly(seed, false, &ticks[1]));
    CHECK(ticks[0] < ticks[1]);
}

CHECK_MAIN("cluster", TEST(a_request_leaves_as_a_packet_for_the_slice_of_its_line),
           TEST(a_birth_is_told_in_cycles_of_the_network),
           TEST(sms_take_turns_one_request_per_cycle),
           TEST(turns_go_round_more_sms_than_a_word_has_bits),
           TEST(a_full_network_port_blocks_and_the_time_is_counted_also_by_halves),
           TEST(a_long_way_from_the_sm_delays_but_keeps_the_rate),
           TEST(answers_go_to_the_sm_that_asked_one_per_cycle),
           TEST(an_answer_without_room_at_its_sm_holds_up_the_others),
           TEST(an_answer_for_another_cluster_is_our_own_fault),
           TEST(a_read_older_than_what_was_acknowledged_is_found),
           TEST(a_read_that_was_sent_before_the_acknowledgement_may_be_older),
           TEST(more_answers_than_requests_are_found),
           TEST(what_is_held_and_who_waits_for_whom_is_told), TEST(sleeping_changes_nothing))
