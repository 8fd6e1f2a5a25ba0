/* The packet-coalescing router by hand: who meets whom, in which cycle which flit arrives. */
#include "check.h"

#include "noc/aside.h"
#include "rig/coalesce_rig.h"

/* Three routers in a row, one VC of eight flits, five cycles per hop without waits.  A packet that is
 * sent at t comes to the first router at t + IN; PER_HOP later to the next. */
enum { IN = 2, PER_HOP = 5, START = 10 };
static const char row3[] = "mesh.width=3 mesh.height=1 router.vcs=1 router.depth=8 "
                           "coalesce.strategy=fixed coalesce.delay=5";

static struct net_rig rig;

static struct net_rig *open_with(const char *more, uint32_t depth)
{
    char settings[384];
    snprintf(settings, sizeof settings, "%s %s", row3, more);
    coalesce_rig_open(&rig, settings, depth);
    return &rig;
}

static void run(struct net_rig *r, uint32_t packets)
{
    CHECK_EQ(net_rig_run(r, net_rig_now(r) + 10000), ENGINE_IDLE);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(r->nlog, packets);
    CHECK_EQ(r->pool.live, 0);
}

/* When a packet that waits in every router for its full time, sent at `at`, arrives. */
static hd_cycle alone(struct net_rig *r, hd_cycle at, uint32_t src, uint32_t dst, uint32_t delay)
{
    uint32_t hops = r->graph->hops(r->graph->ctx, src, dst);
    return at + noc_zero_load(r->graph, net_rig_router(r), src, dst, 1) + (uint64_t)delay * hops;
}

static void check_arrival(const struct net_rig *r, uint32_t i, uint32_t src, hd_cycle at)
{
    if (r->log[i].src != src || r->log[i].at != at)
        print_error("arrival %u: from node %u at %llu\n", i, r->log[i].src,
                    (unsigned long long)r->log[i].at);
    CHECK_EQ(r->log[i].src, src);
    CHECK_EQ(r->log[i].at, at);
}

static const struct coalesce_ask row7 = {.row = 7, .line = 70}, row8 = {.row = 8, .line = 80};

static void a_read_that_meets_nobody_waits_for_its_time_in_every_router(void)
{
    struct net_rig *r = open_with("", 8);
    coalesce_rig_send(r, START, 0, 2, row7);
    hd_cycle at = alone(r, START, 0, 2, 5);
    run(r, 1);
    check_arrival(r, 0, 0, at);
    CHECK_EQ(coalesce_rig_stat(r, "waited"), 15);
    CHECK_EQ(coalesce_rig_stat(r, "went_due"), 3);
    CHECK_EQ(coalesce_rig_stat(r, "reads_same_sm") + coalesce_rig_stat(r, "reads_other_sms"), 0);
    net_rig_close(r);
}

/* The read of node 0 is in router 1 from START + IN + 10 to + 15.  That of node 1 comes `late`
 * cycles after it. */
static struct net_rig *two_meet(const char *more, uint32_t late, struct coalesce_ask second)
{
    struct net_rig *r = open_with(more, 8);
    coalesce_rig_send(r, START, 0, 2, row7);
    coalesce_rig_send(r, START + PER_HOP + 5 + late, 1, 2, second);
    return r;
}

static void two_reads_of_a_row_leave_together_when_the_first_is_due(void)
{
    for (uint32_t late = 0; late < 5; late++) {
        struct net_rig *r = two_meet("", late, row7);
        hd_cycle at = alone(r, START, 0, 2, 5);
        run(r, 2);
        check_arrival(r, 0, 0, at);     /* not a cycle later than alone */
        check_arrival(r, 1, 1, at + 1); /* and the other in the flit behind it */
        CHECK_EQ(coalesce_rig_stat(r, "reads_other_sms"), 2);
        CHECK_EQ(coalesce_rig_stat(r, "big_packet"), 1);
        /* 5 and 5 by the first, 5 - late by the second, both 5 at the end */
        CHECK_EQ(coalesce_rig_stat(r, "waited"), 5 + 5 + (5 - late) + 10);
        net_rig_close(r);
    }
}

static void a_cycle_too_late_they_travel_apart(void)
{
    struct net_rig *r = two_meet("", 5, row7);
    hd_cycle first = alone(r, START, 0, 2, 5), second = alone(r, START + 15, 1, 2, 5);
    run(r, 2);
    check_arrival(r, 0, 0, first);
    check_arrival(r, 1, 1, second);
    CHECK_EQ(coalesce_rig_stat(r, "joined"), 0);
    net_rig_close(r);
}

static void reads_of_different_rows_never_meet(void)
{
    struct net_rig *r = two_meet("", 4, row8);
    hd_cycle first = alone(r, START, 0, 2, 5), second = alone(r, START + 14, 1, 2, 5);
    run(r, 2);
    check_arrival(r, 0, 0, first);
    check_arrival(r, 1, 1, second);
    CHECK_EQ(coalesce_rig_stat(r, "joined"), 0);
    net_rig_close(r);
}

static void the_same_row_of_another_controller_is_another_row(void)
{
    struct net_rig *r = open_with("", 8);
    coalesce_rig_send(r, START, 1, 0, row7);
    coalesce_rig_send(r, START + 1, 1, 2, row7);
    run(r, 2);
    CHECK_EQ(coalesce_rig_stat(r, "joined"), 0);
    net_rig_close(r);
}

static void reads_of_one_sm_are_told_from_those_of_several(void)
{
    struct net_rig *r = open_with("", 8);
    coalesce_rig_send(r, START, 0, 2, row7);
    coalesce_rig_send(r, START + 1, 0, 2, row7);
    hd_cycle at = alone(r, START, 0, 2, 5);
    run(r, 2);
    check_arrival(r, 0, 0, at);
    check_arrival(r, 1, 0, at + 1);
    CHECK_EQ(coalesce_rig_stat(r, "reads_same_sm"), 2);
    CHECK_EQ(coalesce_rig_stat(r, "reads_other_sms"), 0);
    net_rig_close(r);
}

/* A stream of reads of one row: the first is not held back by those that come. */
static void a_steady_stream_does_not_keep_the_first_for_ever(void)
{
    struct net_rig *r = open_with("coalesce.most=200 coalesce.buffer=500", 8);
    for (uint32_t i = 0; i < 60; i++)
        coalesce_rig_send(r, START + i, 0, 2, row7);
    hd_cycle at = alone(r, START, 0, 2, 5);
    run(r, 60);
    check_arrival(r, 0, 0, at);
    for (uint32_t i = 1; i < 60; i++)
        CHECK_EQ(r->log[i].serial, i);
    net_rig_close(r);
}

/* Twelve requests through buffers of two flits, into a port of one slot: in order, a flit each. */
static void a_big_packet_may_be_longer_than_a_buffer(void)
{
    struct net_rig *r = open_with("router.depth=2 coalesce.delay=40", 1);
    for (uint32_t i = 0; i < 12; i++)
        coalesce_rig_send(r, START + i, 0, 2, row7);
    hd_cycle at = alone(r, START, 0, 2, 40);
    run(r, 12);
    check_arrival(r, 0, 0, at);
    for (uint32_t i = 0; i < 12; i++)
        CHECK_EQ(r->log[i].serial, i);
    CHECK_EQ(coalesce_rig_stat(r, "big_packet"), 1);
    CHECK_EQ(coalesce_rig_stat(r, "reads_same_sm"), 12);
    CHECK_EQ(noc_stats(r->noc)->flits_out, 12);
    net_rig_close(r);
}

/* A header and payloads, four in a flit: 1, 2 and 3 requests are one flit, 4 are two. */
static void payloads_can_share_flits(void)
{
    static const uint32_t flits[] = {1, 1, 1, 2, 2, 2, 2, 3};
    for (uint32_t k = 1; k <= 8; k++) {
        struct net_rig *r = open_with("coalesce.size=header coalesce.delay=40", 4);
        for (uint32_t i = 0; i < k; i++)
            coalesce_rig_send(r, START + i, 0, 2, row7);
        run(r, k);
        CHECK_EQ(noc_stats(r->noc)->flits_in, k);
        CHECK_EQ(noc_stats(r->noc)->flits_out, flits[k - 1]);
        CHECK_EQ(noc_merged_flits(r->noc), k - flits[k - 1]);
        for (uint32_t i = 0; i < k; i++)
            CHECK_EQ(r->log[i].serial, i);
        net_rig_close(r);
    }
}

/* ---- full ---- */

static void a_packet_with_the_most_requests_goes_at_once_or_waits(void)
{
    for (int waits = 0; waits < 2; waits++) {
        struct net_rig *r =
            open_with(waits ? "coalesce.most=2 coalesce.packet_full=wait" : "coalesce.most=2", 8);
        coalesce_rig_send(r, START, 0, 2, row7);
        coalesce_rig_send(r, START + 1, 0, 2, row7);
        hd_cycle at = alone(r, START, 0, 2, 0);
        run(r, 2);
        check_arrival(r, 0, 0, at + (waits ? 5 : 1)); /* it is full: further on nobody can join */
        CHECK_EQ(coalesce_rig_stat(r, "went_full"), !waits);
        net_rig_close(r);
    }
}

static void without_an_entry_a_read_goes_on_or_another_makes_room(void)
{
    for (int evicts = 0; evicts < 2; evicts++) {
        struct net_rig *r = open_with(
            evicts ? "coalesce.entries=1 coalesce.table_full=evict" : "coalesce.entries=1", 8);
        coalesce_rig_send(r, START, 0, 0, row7);
        coalesce_rig_send(r, START + 1, 0, 0, row8);
        hd_cycle first = alone(r, START, 0, 0, 0), second = alone(r, START + 1, 0, 0, 0);
        run(r, 2);
        check_arrival(r, 0, 0, evicts ? first + 1 : second);
        check_arrival(r, 1, 0, evicts ? second + 5 : first + 5);
        CHECK_EQ(r->log[0].serial, !evicts);
        CHECK_EQ(coalesce_rig_stat(r, "went_evicted"), evicts);
        CHECK_EQ(coalesce_rig_stat(r, "no_entry"), !evicts);
        net_rig_close(r);
    }
}

static void without_room_in_the_buffer_a_read_goes_on(void)
{
    struct net_rig *r = open_with("coalesce.buffer=1", 8);
    coalesce_rig_send(r, START, 0, 0, row7);
    coalesce_rig_send(r, START + 1, 0, 0, row7);
    hd_cycle at = alone(r, START + 1, 0, 0, 0);
    run(r, 2);
    check_arrival(r, 0, 0, at); /* the second does not wait for the first */
    CHECK_EQ(r->log[0].serial, 1);
    CHECK_EQ(coalesce_rig_stat(r, "no_room"), 1);
    net_rig_close(r);
}

/* ---- writes ---- */

static void a_write_to_a_line_in_the_table_lets_its_entry_go(void)
{
    struct net_rig *r = open_with("coalesce.delay=50", 8);
    coalesce_rig_send(r, START, 0, 1, row7);
    coalesce_rig_send(r, START, 1, 1, (struct coalesce_ask){.row = 7, .line = 71});
    coalesce_rig_send(r, START + 4, 0, 1, (struct coalesce_ask){.row = 7, .line = 70, .writes = 1});
    run(r, 3);
    CHECK_EQ(coalesce_rig_stat(r, "went_flushed"), 2); /* in router 0, and in router 1 */
    CHECK_EQ(r->log[2].flits, 5);                      /* the write is behind both */
    for (uint32_t i = 0; i < 3; i++)
        CHECK(r->log[i].at < START + 40);
    net_rig_close(r);
}

static void a_write_to_another_line_of_the_row_does_not(void)
{
    struct net_rig *r = open_with("coalesce.delay=50", 8);
    coalesce_rig_send(r, START, 0, 0, row7);
    coalesce_rig_send(r, START + 4, 0, 0, (struct coalesce_ask){.row = 7, .line = 71, .writes = 1});
    hd_cycle at = alone(r, START, 0, 0, 50);
    run(r, 2);
    check_arrival(r, 1, 0, at);
    CHECK_EQ(coalesce_rig_stat(r, "went_flushed"), 0);
    net_rig_close(r);
}

/* A line that came in a big packet from another router is known, too. */
static void lines_of_all_requests_of_a_big_packet_are_looked_at(void)
{
    struct net_rig *r = open_with("coalesce.delay=30", 8);
    for (uint32_t i = 0; i < 3; i++)
        coalesce_rig_send(r, START + i, 0, 1, (struct coalesce_ask){.row = 7, .line = 70 + i});
    coalesce_rig_send(r, START + 40, 1, 1,
                      (struct coalesce_ask){.row = 7, .line = 71, .writes = 1});
    run(r, 4);
    CHECK_EQ(coalesce_rig_stat(r, "went_flushed"), 1);
    net_rig_close(r);
}

/* ---- strategies ---- */

static void every_strategy_waits_the_same_sum_where_nobody_comes(void)
{
    static const char *const strategies[] = {"fixed", "slack", "last", "warps"};
    for (size_t s = 0; s < 4; s++) {
        char settings[256];
        snprintf(settings, sizeof settings,
                 "mesh.width=6 mesh.height=6 router.vcs=1 coalesce.strategy=%s", strategies[s]);
        coalesce_rig_open(&rig, settings, 4);
        for (uint32_t dst = 0; dst < 36; dst += 5) {
            hd_cycle at = net_rig_now(&rig) + 20;
            struct coalesce_ask ask = {.row = 1, .line = dst, .warps = 8};
            rig.nlog = 0;
            coalesce_rig_send(&rig, at, 7, dst, ask);
            hd_cycle due = alone(&rig, at, 7, dst, 5);
            run(&rig, 1);
            check_arrival(&rig, 0, 7, due);
        }
        net_rig_close(&rig);
    }
}

static void a_read_waits_in_proportion_to_the_available_warps(void)
{
    static const uint32_t of[][2] = {{0, 0}, {1, 1}, {4, 7}, {7, 13}, {8, 15}, {40, 15}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct net_rig *r = open_with("coalesce.strategy=warps", 4);
        struct coalesce_ask ask = {.row = 1, .warps = of[i][0]};
        coalesce_rig_send(r, START, 0, 2, ask);
        hd_cycle due = alone(r, START, 0, 2, 0) + of[i][1];
        run(r, 1);
        check_arrival(r, 0, 0, due);
        net_rig_close(r);
    }
}

/* Slack of 15 over three hops is 2, 5, 8; of 10 over two, 3 and 7.  The read of node 1 meets that of
 * node 0 in router 1 when it has 4 of its 5 cycles left, and leaves after 3 + 0 or with it. */
static void what_is_left_of_the_slack_is_the_least_of_the_members(void)
{
    struct net_rig *r = open_with("coalesce.strategy=slack", 8);
    coalesce_rig_send(r, START, 0, 2, row7); /* in router 1 from START + IN + 7 to + 12 */
    coalesce_rig_send(r, START + PER_HOP + 3, 1, 2, row7); /* ... + 8 to + 11: it is due first */
    run(r, 2);
    /* Released at + 11: the first has waited 2 + 4 of 15, 9 are left; the second 3 of 10, 7 are left. */
    hd_cycle at = START + IN + 11 + PER_HOP + 7 + PER_HOP;
    check_arrival(r, 0, 0, at);
    check_arrival(r, 1, 1, at + 1);
    CHECK_EQ(coalesce_rig_stat(r, "waited"), 2 + 4 + 3 + 2 * 7);
    net_rig_close(r);
}

/* ---- Grant Holder ---- */

/* Big packets from two nodes through one output, on two VCs: in one piece each, or mixed. */
static uint32_t changes_of_source(const char *hold)
{
    char settings[256];
    snprintf(settings, sizeof settings,
             "noc.topology=xbar xbar.inputs=4 xbar.outputs=4 router.vcs=2 router.depth=16 "
             "coalesce.delay=30 coalesce.hold_grant=%s",
             hold);
    coalesce_rig_open(&rig, settings, 16);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t src = 0; src < 2; src++)
            coalesce_rig_send(&rig, START + i, src, 3,
                              (struct coalesce_ask){.row = src, .line = i});
    run(&rig, 16);
    CHECK_EQ(coalesce_rig_stat(&rig, "big_packet"), 2);
    uint32_t changes = 0;
    for (uint32_t i = 1; i < 16; i++)
        changes += rig.log[i].src != rig.log[i - 1].src;
    net_rig_close(&rig);
    return changes;
}

static void a_big_packet_keeps_the_switch_to_its_end(void)
{
    CHECK_EQ(changes_of_source("true"), 1);
    CHECK(changes_of_source("false") > 1);
}

CHECK_MAIN("coalesce", TEST(a_read_that_meets_nobody_waits_for_its_time_in_every_router),
           TEST(two_reads_of_a_row_leave_together_when_the_first_is_due),
           TEST(a_cycle_too_late_they_travel_apart), TEST(reads_of_different_rows_never_meet),
           TEST(the_same_row_of_another_controller_is_another_row),
           TEST(reads_of_one_sm_are_told_from_those_of_several),
           TEST(a_steady_stream_does_not_keep_the_first_for_ever),
           TEST(a_big_packet_may_be_longer_than_a_buffer), TEST(payloads_can_share_flits),
           TEST(a_packet_with_the_most_requests_goes_at_once_or_waits),
           TEST(without_an_entry_a_read_goes_on_or_another_makes_room),
           TEST(without_room_in_the_buffer_a_read_goes_on),
           TEST(a_write_to_a_line_in_the_table_lets_its_entry_go),
           TEST(a_write_to_another_line_of_the_row_does_not),
           TEST(lines_of_all_requests_of_a_big_packet_are_looked_at),
           TEST(every_strategy_waits_the_same_sum_where_nobody_comes),
           TEST(a_read_waits_in_proportion_to_the_available_warps),
           TEST(what_is_left_of_the_slack_is_the_least_of_the_members),
           TEST(a_big_packet_keeps_the_switch_to_its_end))
