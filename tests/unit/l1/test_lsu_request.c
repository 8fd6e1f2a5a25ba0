/* Requests: their fields, room for them, and where the time of their trip went. */
#include "check.h"
#include "rig/lsu_rig.h"

#define OPEN(r, ...)                                                                               \
    struct lsu_rig r;                                                                              \
    lsu_rig_open(&r, &(struct lsu_rig_options){__VA_ARGS__})

static void a_read_asks_for_the_whole_line(void)
{
    OPEN(r, .latency = 50);
    struct lsu_rig_step *s = lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1040);
    lsu_rig_lanes(s, 4, 4, 3);
    s->warp = 5;
    lsu_rig_run(&r, HD_NEVER);
    const struct request *q = &r.memory.seen[0];
    CHECK_EQ(q->line, 0x1000);
    CHECK_EQ(q->words, 3u << 16);
    CHECK_EQ(q->sectors, 15);
    CHECK_EQ(q->bytes, 128);
    CHECK_EQ(q->cta, 15);
    CHECK_EQ(q->kernel, 3);
    CHECK_EQ(q->sm, 7);
    CHECK_EQ(q->kind, REQUEST_READ);
    CHECK_EQ(q->space, STREAM_GLOBAL);
    CHECK_EQ(q->flags, 0);
    CHECK_EQ(q->part[PART_SM], 1); /* looked at in 1, popped in 2 */
    lsu_rig_close(&r);
}

static void writes_and_atomics_carry_their_words(void)
{
    OPEN(r, .latency = 50);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_GLOBAL, 0x1000), 1, 1, 0xff);
    lsu_rig_lanes(lsu_rig_add(&r, 10, INSN_ATOMIC | INSN_LOAD, STREAM_GLOBAL, 0x1020), 8, 0, 0xff);
    lsu_rig_lanes(lsu_rig_add(&r, 20, INSN_ATOMIC, STREAM_GLOBAL, 0x1000), 4, 128, 3);
    lsu_rig_run(&r, HD_NEVER);
    const struct request *q = r.memory.seen;
    CHECK_EQ(r.memory.nseen, 4);
    CHECK_EQ(q[0].kind, REQUEST_WRITE);
    CHECK_EQ(q[0].words, 3);
    CHECK_EQ(q[0].bytes, 8);
    CHECK_EQ(q[0].sectors, 1);
    CHECK_EQ(q[1].kind, REQUEST_ATOMIC);
    CHECK_EQ(q[1].bytes, 8);
    CHECK_EQ(q[1].sectors, 2);
    CHECK_EQ(q[3].kind, REQUEST_REDUCE);
    CHECK_EQ(q[3].bytes, 4);
    CHECK_EQ(r.sm.lsu->trip[REQUEST_REDUCE].sent, 2);
    CHECK_EQ(lsu_rig_usable(&r, 1), 10 + 54);
    CHECK_EQ(lsu_rig_usable(&r, 2), HD_NEVER);
    lsu_rig_close(&r);
}

static void the_parts_of_the_latency_sum_to_it(void)
{
    OPEN(r, .latency = 50);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    const struct trip_stats *t = &r.sm.lsu->trip[REQUEST_READ];
    CHECK_EQ(t->answers, 1);
    CHECK_EQ(t->bytes, 128);
    CHECK_EQ(t->time_sm, 1);
    CHECK_EQ(t->time_dram, 50);
    CHECK_EQ(t->time_return, 1);
    lsu_rig_close(&r);
}

static void times_of_a_trip_are_in_ticks(void)
{
    OPEN(r, .latency = 50, .period = 3);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 0), 54);
    CHECK_EQ(r.sm.lsu->trip[REQUEST_READ].time_sm, 3);
    CHECK_EQ(r.sm.lsu->trip[REQUEST_READ].time_dram, 150);
    lsu_rig_close(&r);
}

static void a_stalled_request_was_born_when_it_was_first_looked_at(void)
{
    OPEN(r, .latency = 50, .requests = 2);
    for (uint32_t i = 0; i < 3; i++)
        lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000 * (i + 1));
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_request, 53 - 3);
    CHECK_EQ(r.memory.seen[2].part[PART_SM], 54 - 3);
    lsu_rig_close(&r);
}

/* The memory takes one in 0, 10, 20, ...; the third line finds both places taken in 3. */
static void a_full_port_stalls_the_head(void)
{
    OPEN(r, .latency = 50, .depth = 2, .every = 10);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_GLOBAL, 0x1000), 4, 128, 0xf);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 4);
    CHECK_EQ(r.sm.lsu->stats.stall_port, 8 + 9); /* until 11, and from 12 until 21 */
    lsu_rig_close(&r);
}

static void a_port_of_two_carries_a_request_per_cycle(void)
{
    OPEN(r, .latency = 50, .depth = 2);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_GLOBAL, 0x1000), 4, 128, 0xff);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_port, 0);
    lsu_rig_close(&r);
}

static void a_miss_waits_until_its_victim_can_leave_too(void)
{
    OPEN(r, .latency = 50, .requests = 2,
         .set = (const char *const[]){"l1.ways=1", "l1.size=128", NULL});
    lsu_rig_add(&r, 0, INSN_STORE, STREAM_LOCAL, 0);
    lsu_rig_lanes(lsu_rig_add(&r, 1, INSN_LOAD | INSN_BYPASS_L1, STREAM_GLOBAL, 0x1000), 4, 4, 1);
    lsu_rig_add(&r, 2, INSN_LOAD, STREAM_GLOBAL, 0x2000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 3);
    CHECK_EQ(r.memory.seen[1].kind, REQUEST_WRITE);
    CHECK_EQ(r.sm.lsu->stats.stall_request, 54 - 3);
    lsu_rig_close(&r);
}

CHECK_MAIN("lsu_request", TEST(a_read_asks_for_the_whole_line),
           TEST(writes_and_atomics_carry_their_words), TEST(the_parts_of_the_latency_sum_to_it),
           TEST(times_of_a_trip_are_in_ticks),
           TEST(a_stalled_request_was_born_when_it_was_first_looked_at),
           TEST(a_full_port_stalls_the_head), TEST(a_port_of_two_carries_a_request_per_cycle),
           TEST(a_miss_waits_until_its_victim_can_leave_too))
