#include "check.h"

#include "rig/capture.h"
#include "rig/toy_rig.h"
#include "sim/port.h"

struct ends {
    struct arena *arena;
    struct toy_sleeper writer, reader;
    struct port port;
};

static void ends_open(struct ends *x, uint32_t depth, uint32_t latency)
{
    x->arena = arena_new();
    x->writer = toy_sleeper("writer", 1);
    x->reader = toy_sleeper("reader", 1);
    port_init(&x->port, x->arena, depth, latency, (struct port_end){&x->writer.c, 11},
              (struct port_end){&x->reader.c, 22});
}

static void ends_close(struct ends *x)
{
    arena_free(x->arena);
}

static void a_port_holds_its_depth_and_no_more(void)
{
    for (uint32_t depth = 1; depth <= 9; depth++) {
        struct ends x;
        ends_open(&x, depth, 1);
        for (uint32_t i = 0; i < depth; i++) {
            CHECK_EQ(port_room(&x.port, 0), depth - i);
            CHECK(port_can_push(&x.port, 0));
            port_push(&x.port, 0, i);
        }
        CHECK_EQ(port_held(&x.port), depth);
        CHECK(!port_can_push(&x.port, 0));
        CHECK(!port_can_push(&x.port, 1000)); /* time alone frees nothing */
        ends_close(&x);
    }
}

static void items_come_out_in_order_over_many_turns_of_the_ring(void)
{
    struct ends x;
    uint64_t in = 0, out = 0;
    ends_open(&x, 3, 1);
    for (hd_cycle now = 0; out < 1000; now++) {
        while (now % 3 != 2 && port_can_push(&x.port, now))
            port_push(&x.port, now, 7 * in++);
        while (now % 5 != 4 && port_has(&x.port, now)) {
            CHECK_EQ(port_peek(&x.port), 7 * out);
            CHECK_EQ(port_pop(&x.port, now), 7 * out++);
        }
    }
    ends_close(&x);
}

static void an_item_shows_after_exactly_the_latency(void)
{
    for (uint32_t latency = 1; latency <= 5; latency++) {
        struct ends x;
        ends_open(&x, 4, latency);
        CHECK_EQ(port_ready(&x.port), HD_NEVER);
        port_push(&x.port, 10, 1);
        CHECK_EQ(port_ready(&x.port), 10 + latency);
        CHECK(!port_has(&x.port, 10 + latency - 1));
        CHECK(port_has(&x.port, 10 + latency));
        ends_close(&x);
    }
}

static void a_freed_slot_is_seen_at_the_writers_next_edge_only(void)
{
    struct ends x;
    ends_open(&x, 2, 1);
    port_push(&x.port, 0, 1);
    port_push(&x.port, 0, 2);
    port_pop(&x.port, 5);
    CHECK_EQ(port_room(&x.port, 5), 0); /* the writer may tick before or after the reader */
    CHECK_EQ(port_room(&x.port, 6), 1);
    port_pop(&x.port, 6);
    CHECK_EQ(port_room(&x.port, 6), 1);
    CHECK_EQ(port_room(&x.port, 7), 2);
    ends_close(&x);
}

static void two_slots_freed_in_one_cycle_come_free_together(void)
{
    struct ends x;
    ends_open(&x, 2, 1);
    port_push(&x.port, 0, 1);
    port_push(&x.port, 0, 2);
    port_pop(&x.port, 5);
    port_pop(&x.port, 5);
    CHECK_EQ(port_room(&x.port, 5), 0);
    CHECK_EQ(port_room(&x.port, 6), 2);
    ends_close(&x);
}

static uint32_t passed_in_100_cycles(uint32_t depth, uint32_t latency)
{
    struct ends x;
    uint32_t passed = 0;
    ends_open(&x, depth, latency);
    for (hd_cycle now = 0; now < 100 + latency; now++) {
        if (port_has(&x.port, now)) {
            port_pop(&x.port, now);
            passed++;
        }
        if (port_can_push(&x.port, now))
            port_push(&x.port, now, 0);
    }
    ends_close(&x);
    return passed;
}

static void full_rate_takes_one_slot_more_than_the_latency(void)
{
    for (uint32_t latency = 1; latency <= 6; latency++) {
        CHECK_EQ(passed_in_100_cycles(latency + 1, latency), 100);
        CHECK_EQ(passed_in_100_cycles(latency + 5, latency), 100);
        /* With one slot less, latency of every latency + 1 cycles are used. */
        CHECK(passed_in_100_cycles(latency, latency) <= 100 * latency / (latency + 1) + latency);
        CHECK(passed_in_100_cycles(latency, latency) < 100);
    }
}

static void a_push_wakes_the_reader_when_the_item_shows(void)
{
    struct ends x;
    ends_open(&x, 2, 3);
    port_push(&x.port, 4, 1);
    CHECK_EQ(x.reader.wakes, 1);
    CHECK_EQ(x.reader.slot, 22);
    CHECK_EQ(x.reader.at, 7);
    CHECK_EQ(x.reader.c.wake_at, 7);
    CHECK_EQ(x.writer.wakes, 0);
    port_push(&x.port, 5, 2);
    CHECK_EQ(x.reader.at, 8);
    CHECK_EQ(x.reader.c.wake_at, 7); /* the earlier wish stands */
    ends_close(&x);
}

static void a_pop_wakes_only_a_writer_that_had_found_the_port_full(void)
{
    struct ends x;
    ends_open(&x, 2, 1);
    port_push(&x.port, 0, 1);
    port_push(&x.port, 0, 2);
    port_pop(&x.port, 3);
    CHECK_EQ(x.writer.wakes, 0);
    port_push(&x.port, 4, 3);
    CHECK(!port_can_push(&x.port, 4)); /* subscribes */
    port_pop(&x.port, 9);
    CHECK_EQ(x.writer.wakes, 1);
    CHECK_EQ(x.writer.slot, 11);
    CHECK_EQ(x.writer.at, 10);
    CHECK_EQ(x.writer.c.wake_at, 10);
    port_pop(&x.port, 9); /* once per subscription */
    CHECK_EQ(x.writer.wakes, 1);
    ends_close(&x);
}

/* Whichever of the two ticks first in a cycle: the writer must hear of the pop. */
static void a_writer_that_looks_just_after_the_pop_of_the_same_cycle_is_woken_too(void)
{
    struct ends x;
    ends_open(&x, 1, 1);
    port_push(&x.port, 0, 1);
    port_pop(&x.port, 5);
    CHECK(!port_can_push(&x.port, 5)); /* not free yet, and no other pop will come */
    CHECK_EQ(x.writer.c.wake_at, 6);
    CHECK_EQ(x.writer.wakes, 1);
    CHECK_EQ(x.writer.at, 6);
    CHECK(port_can_push(&x.port, 6));
    ends_close(&x);
}

/* The first edge of a clock strictly after a tick, by trying. */
static hd_cycle edge_after(uint64_t tick, uint64_t period)
{
    hd_cycle c = 0;
    while (c * period <= tick)
        c++;
    return c;
}

static void across_clocks_both_sides_see_the_first_edge_strictly_after(void)
{
    static const uint64_t periods[] = {1, 2, 3, 7};
    for (int w = 0; w < 4; w++)
        for (int r = 0; r < 4; r++)
            for (uint32_t latency = 1; latency <= 3; latency++)
                for (hd_cycle now = 0; now < 45; now++) {
                    struct ends x;
                    ends_open(&x, 1, latency);
                    x.writer.c.period = periods[w];
                    x.reader.c.period = periods[r];
                    port_push(&x.port, now, 1);
                    hd_cycle seen = edge_after(now * periods[w], periods[r]) + latency - 1;
                    CHECK_EQ(port_ready(&x.port), seen);
                    CHECK_EQ(x.reader.c.wake_at, seen * periods[r]);
                    CHECK(!port_can_push(&x.port, now));
                    port_pop(&x.port, seen);
                    hd_cycle freed = edge_after(seen * periods[r], periods[w]);
                    CHECK_EQ(x.writer.at, freed);
                    CHECK_EQ(x.writer.c.wake_at, freed * periods[w]);
                    CHECK_EQ(port_room(&x.port, freed), 1);
                    if (seen * periods[r] % periods[w] == 0) /* a shared edge is too early */
                        CHECK_EQ(port_room(&x.port, seen * periods[r] / periods[w]), 0);
                    ends_close(&x);
                }
}

static void push_too_much(void)
{
    struct ends x;
    ends_open(&x, 1, 1);
    port_push(&x.port, 0, 1);
    port_push(&x.port, 1, 2);
}

static void pop_too_early(void)
{
    struct ends x;
    ends_open(&x, 1, 2);
    port_push(&x.port, 0, 1);
    port_pop(&x.port, 1);
}

static void init_without_latency(void)
{
    struct ends x;
    ends_open(&x, 1, 0);
}

static void misuse_aborts_and_names_the_component(void)
{
    struct death d = death_of(push_too_much);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "writer: push into a full port of reader") != NULL);
    d = death_of(pop_too_early);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "reader: pop from a port that shows nothing") != NULL);
    d = death_of(init_without_latency);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "a port needs depth and latency of at least 1") != NULL);
}

CHECK_MAIN("port", TEST(a_port_holds_its_depth_and_no_more),
           TEST(items_come_out_in_order_over_many_turns_of_the_ring),
           TEST(an_item_shows_after_exactly_the_latency),
           TEST(a_freed_slot_is_seen_at_the_writers_next_edge_only),
           TEST(two_slots_freed_in_one_cycle_come_free_together),
           TEST(full_rate_takes_one_slot_more_than_the_latency),
           TEST(a_push_wakes_the_reader_when_the_item_shows),
           TEST(a_pop_wakes_only_a_writer_that_had_found_the_port_full),
           TEST(a_writer_that_looks_just_after_the_pop_of_the_same_cycle_is_woken_too),
           TEST(across_clocks_both_sides_see_the_first_edge_strictly_after),
           TEST(misuse_aborts_and_names_the_component))
