#include "check.h"

#include "rig/capture.h"
#include "rig/icc_rig.h"
#include "sim/waitgraph.h"
#include "stream/stream.h"

static const struct icc_spec table = {
    .enabled = true, .entries = 4, .latency = 1, .broadcast = true};
static const struct icc_spec with_cc = {
    .enabled = true, .entries = 4, .cc_lines = 4, .latency = 1, .broadcast = true};

enum { LINE = 0x600 };

/* SMs 0 and 1 ask for the line at `now`, and CC has it 10 cycles later; all ports are empty. */
static void coalesce(struct icc_bench *b, hd_cycle now, uint64_t line, uint32_t version)
{
    uint32_t first = icc_bench_read(b, now, 0, line);
    icc_bench_read(b, now, 1, line);
    icc_bench_run(b, now, now + 5);
    CHECK_EQ(icc_bench_sent(b, now + 5), first);
    icc_bench_answer(b, now + 5, first, version);
    icc_bench_run(b, now + 5, now + 10);
    CHECK_EQ(icc_bench_got(b, now + 10, 0), first);
    CHECK(icc_bench_got(b, now + 10, 1) != PACKET_NONE);
}

/* ---- requests ---- */

static void icc_adds_its_latency_to_the_way_to_the_network(void)
{
    for (int64_t latency = 0; latency < 4; latency++) {
        struct icc_bench b;
        struct icc_spec icc = table;
        icc.latency = latency;
        icc_bench_open(&b, &icc, 2);
        uint32_t id = icc_bench_read(&b, 10, 0, LINE);
        icc_bench_run(&b, 10, 40);
        CHECK_EQ(b.pool.packets.at[id].born, 11 + latency);
        CHECK_EQ(b.pool.at[id].part[PART_SM], 1 + latency);
        CHECK(b.pool.at[id].flags & REQUEST_TRACKED);
        CHECK_EQ(b.pool.packets.at[id].dst, 42);
        icc_bench_close(&b);
    }
}

static void one_request_goes_out_for_all_sms_that_want_the_line(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &table, 3);
    uint32_t id[3];
    for (uint32_t sm = 0; sm < 3; sm++)
        id[sm] = icc_bench_read(&b, 0, sm, LINE);
    icc_bench_run(&b, 0, 10);
    CHECK_EQ(icc_bench_sent(&b, 10), id[0]);
    CHECK_EQ(icc_bench_sent(&b, 10), PACKET_NONE);
    CHECK_EQ(b.c->ops->live(b.c), 2);
    CHECK_EQ(b.wants, HD_NEVER);
    CHECK_EQ(icc_bench_stat(&b, "icc.merges"), 2);
    CHECK_EQ(icc_bench_stat(&b, "cluster.reads"), 1);
    CHECK_EQ(icc_bench_stat(&b, "cluster.conflicts"), 2); /* one lookup per cycle */
    icc_bench_close(&b);
}

static void a_merge_needs_no_room_in_the_network_but_waits_its_turn(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &table, 3);
    for (uint64_t k = 0; k < 4; k++) /* all that the injection port holds */
        icc_bench_read(&b, k, 0, LINE + k * LINE_BYTES);
    icc_bench_run(&b, 0, 10);
    icc_bench_read(&b, 10, 1, LINE);
    icc_bench_run(&b, 10, 13);
    CHECK_EQ(icc_bench_stat(&b, "icc.merges"), 1);
    icc_bench_read(&b, 13, 2, LINE + 9 * LINE_BYTES); /* SM 2 is next, and must leave */
    icc_bench_read(&b, 13, 1, LINE + 1 * LINE_BYTES);
    icc_bench_run(&b, 13, 20);
    CHECK_EQ(b.wants, HD_NEVER);
    CHECK_EQ(icc_bench_stat(&b, "icc.merges"), 1);
    b.c->wake_at = HD_NEVER;
    CHECK(icc_bench_sent(&b, 20) != PACKET_NONE);
    CHECK_EQ(b.c->wake_at, 21);
    icc_bench_run(&b, 21, 24);
    CHECK_EQ(icc_bench_stat(&b, "icc.merges"), 2);
    CHECK_EQ(icc_bench_stat(&b, "cluster.request_blocked"), 6); /* 15 to 20 */
    icc_bench_close(&b);
}

/* ---- answers ---- */

static void an_answer_is_broadcast_in_one_cycle(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &table, 3);
    uint32_t id[3];
    for (uint32_t sm = 0; sm < 3; sm++)
        id[sm] = icc_bench_read(&b, 0, sm, LINE);
    icc_bench_run(&b, 0, 10);
    CHECK_EQ(icc_bench_sent(&b, 10), id[0]);
    icc_bench_answer(&b, 50, id[0], 3);
    icc_bench_run(&b, 50, 52);
    for (uint32_t sm = 0; sm < 3; sm++) {
        const struct request *r = &b.pool.at[id[sm]];
        CHECK_EQ(r->version, 3);
        CHECK_EQ(r->flags, REQUEST_SHARED);     /* of which memory knows nothing */
        CHECK_EQ(r->part[PART_SM], 2 + sm);     /* until its lookup */
        CHECK_EQ(r->part[PART_REPLY], 49 - sm); /* until the answer */
        CHECK_EQ(request_latency(r), 51);
        CHECK_EQ(r->part[PART_L2] + r->part[PART_DRAM] + r->part[PART_REQUEST], 0);
        CHECK_EQ(icc_bench_got(&b, 52, sm), id[sm]);
    }
    CHECK_EQ(b.c->ops->live(b.c), 0);
    CHECK_EQ(icc_bench_stat(&b, "icc.broadcasts"), 1);
    CHECK_NEAR(icc_rig_value(b.cluster, "icc.requesters", "mean"), 3, 0);
    CHECK_EQ(icc_bench_stat(&b, "cluster.read_answers"), 1);
    CHECK_EQ(icc_bench_stat(&b, "cluster.answer_flits"), 5);
    icc_bench_close(&b);
}

static void a_broadcast_waits_until_every_sm_has_room(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &table, 3);
    uint32_t first = icc_bench_read(&b, 0, 0, LINE);
    icc_bench_read(&b, 0, 2, LINE);
    icc_bench_run(&b, 0, 5);
    for (int k = 0; k < 2; k++) /* SM 2 leaves its answers where they are */
        icc_bench_answer(&b, 5, icc_bench_write(&b, 5, 2, 0), 1);
    icc_bench_run(&b, 5, 10);
    icc_bench_answer(&b, 10, first, 1);
    icc_bench_run(&b, 10, 15);
    CHECK_EQ(icc_bench_got(&b, 15, 0), PACKET_NONE);
    uint32_t late = icc_bench_read(&b, 15, 1, LINE); /* still in time */
    icc_bench_run(&b, 15, 20);
    CHECK_EQ(b.wants, HD_NEVER);
    b.c->wake_at = HD_NEVER;
    CHECK(icc_bench_got(&b, 20, 2) != PACKET_NONE);
    CHECK_EQ(b.c->wake_at, 21);
    icc_bench_run(&b, 21, 22);
    CHECK_EQ(icc_bench_got(&b, 22, 0), first);
    CHECK_EQ(icc_bench_got(&b, 22, 1), late);
    CHECK_EQ(icc_bench_stat(&b, "cluster.answer_blocked"), 10); /* 11 to 20 */
    icc_bench_close(&b);
}

static void without_broadcast_each_sm_takes_a_cycle_of_the_bus(void)
{
    struct icc_bench b;
    struct icc_spec icc = table;
    icc.broadcast = false;
    icc_bench_open(&b, &icc, 3);
    uint32_t id[3], other;
    for (uint32_t sm = 0; sm < 3; sm++)
        id[sm] = icc_bench_read(&b, 0, sm, LINE);
    other = icc_bench_read(&b, 0, 0, LINE + LINE_BYTES);
    icc_bench_run(&b, 0, 10);
    icc_bench_answer(&b, 10, id[0], 1);
    icc_bench_answer(&b, 10, other, 1);
    for (uint32_t k = 0; k < 3; k++) {
        icc_bench_run(&b, 11 + k, 12 + k);
        CHECK_EQ(b.wants, 12 + k);
        CHECK_EQ(icc_bench_got(&b, 12 + k, k), id[k]);
        CHECK_EQ(icc_bench_got(&b, 12 + k, 0), PACKET_NONE);
        CHECK_EQ(b.c->ops->live(b.c), 3 - k); /* the rest of it, and the other answer */
    }
    icc_bench_run(&b, 14, 15);
    CHECK_EQ(icc_bench_got(&b, 15, 0), other);
    icc_bench_close(&b);
}

/* A passes a full table, then B gets an entry for the same line: A's answer is A's alone. */
static void an_answer_of_a_request_that_passed_a_full_table_is_its_own(void)
{
    struct icc_bench b;
    struct icc_spec icc = with_cc;
    icc.entries = 1;
    icc_bench_open(&b, &icc, 4);
    uint32_t blocker = icc_bench_read(&b, 0, 0, 0);
    icc_bench_run(&b, 0, 5);
    uint32_t a = icc_bench_read(&b, 5, 1, LINE);
    icc_bench_run(&b, 5, 10);
    icc_bench_answer(&b, 10, blocker, 1);
    icc_bench_run(&b, 10, 15);
    CHECK_EQ(icc_bench_got(&b, 15, 0), blocker);
    uint32_t second = icc_bench_read(&b, 15, 2, LINE), merged;
    icc_bench_run(&b, 15, 20);
    merged = icc_bench_read(&b, 20, 3, LINE);
    icc_bench_run(&b, 20, 25);
    CHECK_EQ(icc_bench_stat(&b, "icc.pass_full"), 1);
    icc_bench_answer(&b, 25, a, 1);
    icc_bench_run(&b, 25, 30);
    CHECK_EQ(icc_bench_got(&b, 30, 1), a);
    CHECK_EQ(icc_bench_got(&b, 30, 2), PACKET_NONE);
    CHECK_EQ(icc_bench_got(&b, 30, 3), PACKET_NONE);
    icc_bench_answer(&b, 30, second, 2);
    icc_bench_run(&b, 30, 35);
    CHECK_EQ(icc_bench_got(&b, 35, 2), second);
    CHECK_EQ(icc_bench_got(&b, 35, 3), merged);
    CHECK_EQ(icc_bench_got(&b, 35, 1), PACKET_NONE);
    CHECK_EQ(b.pool.packets.live, 0);
    icc_bench_close(&b);
}

/* ---- the coalesced cache ---- */

static void a_hit_comes_back_without_a_request(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &with_cc, 3);
    coalesce(&b, 0, LINE, 4);
    uint32_t id = icc_bench_read(&b, 20, 2, LINE);
    icc_bench_run(&b, 20, 23);
    const struct request *r = &b.pool.at[id];
    CHECK_EQ(r->part[PART_SM], 2);
    CHECK_EQ(r->part[PART_REPLY], 0); /* the bus was free */
    CHECK_EQ(r->version, 4);
    CHECK_EQ(r->flags, REQUEST_SHARED); /* others had it */
    CHECK_EQ(icc_bench_got(&b, 23, 2), id);
    CHECK_EQ(port_held(&b.inject), 0);
    CHECK_EQ(icc_bench_stat(&b, "icc.cc_hits"), 1);
    CHECK_EQ(icc_bench_stat(&b, "cluster.read_answers"), 1);
    icc_bench_close(&b);
}

static void hits_and_answers_of_the_network_take_turns_at_the_bus(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &with_cc, 4);
    coalesce(&b, 0, LINE, 4);
    uint32_t write[4];
    for (uint32_t k = 0; k < 4; k++)
        write[k] = icc_bench_write(&b, 10, k & 1, 0);
    icc_bench_run(&b, 10, 20);
    for (uint32_t k = 0; k < 4; k++) {
        icc_bench_answer(&b, 21, write[k], 1); /* seen at 22, like the hits */
        icc_bench_read(&b, 20, 2 + (k & 1), LINE);
    }
    uint32_t got[2] = {0};
    for (hd_cycle now = 22; now < 30; now++) {
        icc_bench_run(&b, now, now + 1);
        for (uint32_t sm = 0; sm < 4; sm++)
            got[sm / 2] += icc_bench_got(&b, now + 1, sm) != PACKET_NONE;
        CHECK_EQ(got[0] + got[1], now - 21); /* one in each cycle */
        CHECK(got[0] - got[1] <= 1);         /* one of these, one of those */
    }
    CHECK_EQ(b.pool.packets.live, 0);
    icc_bench_close(&b);
}

static void a_hit_in_the_cycle_of_an_answer_takes_the_bus_in_the_next(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &with_cc, 3);
    coalesce(&b, 0, LINE, 4);
    uint32_t write = icc_bench_write(&b, 20, 0, 0);
    icc_bench_run(&b, 20, 30);
    uint32_t hit = icc_bench_read(&b, 30, 2, LINE);
    icc_bench_answer(&b, 31, write, 1); /* both are seen at 32 */
    icc_bench_run(&b, 32, 33);
    CHECK_EQ(b.wants, 33);
    CHECK_EQ(icc_bench_got(&b, 33, 0), write);
    CHECK_EQ(icc_bench_got(&b, 33, 2), PACKET_NONE);
    icc_bench_run(&b, 33, 34);
    CHECK_EQ(b.wants, HD_NEVER);
    CHECK_EQ(b.pool.at[hit].part[PART_REPLY], 1);
    CHECK_EQ(icc_bench_got(&b, 34, 2), hit);
    icc_bench_close(&b);
}

static void a_full_hit_queue_holds_up_lookups_until_the_bus_is_free(void)
{
    struct icc_bench b;
    struct icc_spec icc = with_cc;
    icc.hit_queue = 2;
    icc_bench_open(&b, &icc, 3);
    coalesce(&b, 0, LINE, 4);
    for (int k = 0; k < 6; k++) /* two in SM 2's port, two in the queue, two wait in front */
        icc_bench_read(&b, 20, 2, LINE);
    icc_bench_run(&b, 20, 40);
    CHECK_EQ(icc_bench_stat(&b, "icc.cc_hits"), 4);
    CHECK_EQ(b.c->ops->live(b.c), 4);
    CHECK_EQ(b.wants, HD_NEVER);
    for (hd_cycle now = 40; now < 46; now++) {
        b.c->wake_at = HD_NEVER;
        CHECK(icc_bench_got(&b, now, 2) != PACKET_NONE);
        icc_bench_run(&b, now + 1, now + 2);
    }
    CHECK_EQ(b.c->ops->live(b.c), 0);
    CHECK_EQ(b.pool.packets.live, 0);
    icc_bench_close(&b);
}

static void the_next_kernel_finds_no_line_of_the_last(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &with_cc, 3);
    coalesce(&b, 0, LINE, 4);
    uint32_t old = icc_bench_read(&b, 20, 0, LINE + LINE_BYTES);
    icc_bench_run(&b, 20, 25);
    CHECK_EQ(icc_bench_sent(&b, 25), old);
    cluster_invalidate(b.cluster, 0);
    uint32_t id = icc_bench_read(&b, 25, 2, LINE);
    uint32_t same = icc_bench_read(&b, 25, 1, LINE + LINE_BYTES);
    icc_bench_run(&b, 25, 30);
    CHECK_EQ(icc_bench_sent(&b, 30), same); /* not merged with a read of the last kernel */
    CHECK_EQ(icc_bench_sent(&b, 30), id);
    CHECK_EQ(icc_bench_stat(&b, "icc.cc_flushed"), 1);
    CHECK_EQ(icc_bench_stat(&b, "icc.pass_stale"), 1);
    icc_bench_close(&b);
}

/* ---- writes ---- */

/* An answer that was asked for before a write must not go to who asked after its acknowledgement. */
static void a_read_after_a_write_does_not_merge_with_one_before_it(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &with_cc, 4);
    uint32_t before = icc_bench_read(&b, 0, 0, LINE);
    icc_bench_read(&b, 0, 1, LINE);
    icc_bench_run(&b, 0, 5);
    uint32_t write = icc_bench_write(&b, 5, 2, LINE);
    icc_bench_run(&b, 5, 10);
    icc_bench_answer(&b, 10, write, 5);
    icc_bench_run(&b, 10, 15);
    uint32_t after = icc_bench_read(&b, 15, 3, LINE);
    icc_bench_run(&b, 15, 20);
    CHECK_EQ(icc_bench_stat(&b, "icc.pass_stale"), 1);
    icc_bench_answer(&b, 20, before, 4); /* it was there before the write: rightly old */
    icc_bench_answer(&b, 20, after, 5);
    icc_bench_run(&b, 20, 25);
    CHECK_EQ(icc_bench_got(&b, 25, 0), before);
    CHECK(icc_bench_got(&b, 25, 1) != PACKET_NONE);
    CHECK_EQ(icc_bench_got(&b, 25, 3), after);
    CHECK_EQ(icc_bench_stat(&b, "icc.no_fill"), 1);
    icc_bench_close(&b); /* the audit finds no stale read */
}

/* A read that leaves after a write may still overtake it: only the acknowledgement settles that. */
static void a_line_read_around_a_write_is_not_kept_beyond_its_acknowledgement(void)
{
    static const uint8_t writers[] = {REQUEST_WRITE, REQUEST_ATOMIC, REQUEST_REDUCE};
    for (int i = 0; i < 3; i++) {
        struct icc_bench b;
        icc_bench_open(&b, &with_cc, 4);
        uint32_t write =
            icc_bench_ask(&b, 0, 2, &(struct request){.kind = writers[i], .line = LINE});
        icc_bench_run(&b, 0, 5);
        CHECK_EQ(icc_bench_sent(&b, 5), write);
        coalesce(&b, 10, LINE, 4);
        icc_bench_answer(&b, 20, write, 5);
        icc_bench_run(&b, 20, 25);
        uint32_t after = icc_bench_read(&b, 25, 3, LINE);
        icc_bench_run(&b, 25, 30);
        CHECK_EQ(icc_bench_sent(&b, 30), after);
        CHECK_EQ(icc_bench_stat(&b, "icc.cc_invalidations"), 1);
        icc_bench_answer(&b, 30, after, 5);
        icc_bench_run(&b, 30, 35);
        icc_bench_close(&b);
    }
}

static void merged_reads_are_checked_like_those_that_were_sent(void)
{
    struct icc_bench b;
    struct err e = {0};
    icc_bench_open(&b, &with_cc, 4);
    uint32_t write = icc_bench_write(&b, 0, 2, LINE);
    icc_bench_run(&b, 0, 5);
    icc_bench_answer(&b, 5, write, 5);
    icc_bench_run(&b, 5, 10);
    uint32_t first = icc_bench_read(&b, 10, 0, LINE);
    icc_bench_read(&b, 10, 1, LINE);
    icc_bench_run(&b, 10, 20);
    icc_bench_answer(&b, 20, first, 4); /* memory is wrong */
    icc_bench_run(&b, 20, 25);
    icc_bench_read(&b, 25, 3, LINE); /* and so is CC, then */
    icc_bench_run(&b, 25, 30);
    CHECK(!b.c->ops->audit(b.c, &e));
    CHECK_STR(e.text, "cluster[2] cycle 21: SM 10 read version 4 of line 0x600, but 5 had been "
                      "acknowledged before it asked (3 such reads)");
    cluster_free(b.cluster);
    arena_free(b.arena);
}

/* ---- for the watchdog ---- */

static const char *deadlock_of(struct icc_bench *b, uint32_t sm, uint64_t vertex)
{
    struct waitgraph *g = waitgraph_new(b->arena);
    b->c->id = 1;
    b->sm[sm].c.id = 3 + sm;
    b->c->ops->waits(b->c, g);
    if (waitgraph_deadlock(g) != NULL)
        return "without the SM";
    g = waitgraph_new(b->arena);
    b->c->ops->waits(b->c, g);
    waitgraph_vertex(g, &b->sm[sm].c, 9, false, "lsu"); /* the SM waits for the cluster */
    waitgraph_edge(g, &b->sm[sm].c, 9, b->c, vertex);
    const char *cycle = waitgraph_deadlock(g);
    return cycle ? cycle : "";
}

static void who_waits_for_whom_is_told(void)
{
    struct icc_bench b;
    struct icc_spec icc = with_cc;
    icc.hit_queue = 1;
    icc_bench_open(&b, &icc, 3);
    coalesce(&b, 0, LINE, 4);
    for (int k = 0; k < 4; k++) /* two in its port, one in the queue, one in front of it */
        icc_bench_read(&b, 20, 2, LINE);
    icc_bench_run(&b, 20, 40);
    const char *cycle = deadlock_of(&b, 2, 2);
    CHECK(strstr(cycle, "cluster[2] requests of SM 12 -> cluster[2] hit for SM 12") != NULL);
    CHECK(strstr(cycle, "cluster[2] hit for SM 12 -> sm lsu") != NULL);
    icc_bench_answer(&b, 40, icc_bench_write(&b, 40, 0, 0), 1); /* waits for the bus */
    icc_bench_run(&b, 40, 45);
    cycle = deadlock_of(&b, 2, CLUSTER_SLOT_EJECT);
    CHECK(strstr(cycle, "cluster[2] answer for SM 10 -> cluster[2] hit for SM 12") != NULL);
    icc_bench_close(&b);
}

static void a_broadcast_waits_for_the_sm_that_has_no_room(void)
{
    struct icc_bench b;
    icc_bench_open(&b, &table, 3);
    uint32_t first = icc_bench_read(&b, 0, 0, LINE);
    icc_bench_read(&b, 0, 2, LINE);
    icc_bench_run(&b, 0, 5);
    for (int k = 0; k < 2; k++)
        icc_bench_answer(&b, 5, icc_bench_write(&b, 5, 2, 0), 1);
    icc_bench_run(&b, 5, 10);
    icc_bench_answer(&b, 10, first, 1);
    icc_bench_run(&b, 10, 15);
    CHECK(strstr(deadlock_of(&b, 2, CLUSTER_SLOT_EJECT), "cluster[2] answer for SM 10 -> sm lsu") !=
          NULL);
    CHECK_STR(deadlock_of(&b, 0, CLUSTER_SLOT_EJECT), ""); /* it does not wait for SM 0 */
    icc_bench_close(&b);
}

static void an_answer_for_one_sm_says_what_memory_says(void)
{
    for (int says = 0; says < 2; says++) {
        struct icc_bench b;
        icc_bench_open(&b, &with_cc, 2);
        uint32_t id = icc_bench_read(&b, 0, 1, LINE);
        icc_bench_run(&b, 0, 5);
        CHECK_EQ(icc_bench_sent(&b, 5), id);
        b.pool.at[id].flags |= says ? REQUEST_SHARED : 0;
        icc_bench_answer(&b, 5, id, 1);
        icc_bench_run(&b, 5, 10);
        CHECK_EQ(icc_bench_got(&b, 10, 1), id);
        CHECK_EQ(b.pool.at[id].flags, says ? REQUEST_SHARED : 0);
        icc_bench_close(&b);
    }
}

CHECK_MAIN("cluster_icc", TEST(icc_adds_its_latency_to_the_way_to_the_network),
           TEST(one_request_goes_out_for_all_sms_that_want_the_line),
           TEST(a_merge_needs_no_room_in_the_network_but_waits_its_turn),
           TEST(an_answer_is_broadcast_in_one_cycle),
           TEST(a_broadcast_waits_until_every_sm_has_room),
           TEST(without_broadcast_each_sm_takes_a_cycle_of_the_bus),
           TEST(an_answer_of_a_request_that_passed_a_full_table_is_its_own),
           TEST(a_hit_comes_back_without_a_request),
           TEST(hits_and_answers_of_the_network_take_turns_at_the_bus),
           TEST(a_hit_in_the_cycle_of_an_answer_takes_the_bus_in_the_next),
           TEST(a_full_hit_queue_holds_up_lookups_until_the_bus_is_free),
           TEST(the_next_kernel_finds_no_line_of_the_last),
           TEST(a_read_after_a_write_does_not_merge_with_one_before_it),
           TEST(a_line_read_around_a_write_is_not_kept_beyond_its_acknowledgement),
           TEST(merged_reads_are_checked_like_those_that_were_sent),
           TEST(who_waits_for_whom_is_told), TEST(a_broadcast_waits_for_the_sm_that_has_no_room),
           TEST(an_answer_for_one_sm_says_what_memory_says))
