/* What limits the rate of a slice beside its tags: the ports of the data array; and its latency
 * when that is counted in cycles of the SMs.  Closed forms, to the cycle. */
#include "check.h"
#include "rig/l2_rig.h"

#define ALL UINT32_MAX
enum { L = 10, HIT = 3, FILL = 2, N = 40 };
#define BASE "l2.size=64K l2.ways=4 l2.latency=10 l2.hit_latency=3 l2.fill_latency=2 l2.mshrs=64 "

/* From the push of a request to the sight of its reply, when it hits and nothing is in the way. */
static hd_cycle hit_time(uint32_t latency)
{
    return 1 + latency + HIT + 1;
}

static struct l2_rig *with_port(uint32_t bytes, const char *more, const struct l2_rig_options *opt)
{
    char text[512];
    snprintf(text, sizeof text, BASE "l2.port_bytes=%u %s", bytes, more);
    return l2_rig_new(text, opt);
}

static uint32_t cycles_for(uint32_t bytes, uint32_t port)
{
    return (bytes + port - 1) / port;
}

static const uint32_t widths[] = {4, 16, 32, 48, 64, 100, 128};

static void lines_that_hit_leave_at_the_width_of_the_data_port(void)
{
    for (int i = 0; i < 7; i++) {
        struct l2_rig *r = with_port(widths[i], "", &(struct l2_rig_options){0});
        uint32_t each = cycles_for(128, widths[i]);
        l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
        for (uint32_t k = 0; k < N; k++)
            l2_rig_send(r, REQUEST_READ, 0, ALL, 1000);
        CHECK(l2_rig_finish(r));
        for (uint32_t k = 0; k < N; k++)
            CHECK_EQ(r->sent[1 + k].answered, 1000 + hit_time(L) + k * each);
        CHECK_EQ(l2_rig_stats(r)->stall_data, (N - 1) * (each - 1));
        l2_rig_free(r);
    }
}

static void without_a_width_a_line_moves_in_a_cycle(void)
{
    struct l2_rig *r = with_port(0, "", &(struct l2_rig_options){0});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    for (uint32_t k = 0; k < N; k++)
        l2_rig_send(r, REQUEST_READ, 0, ALL, 1000);
    CHECK(l2_rig_finish(r));
    for (uint32_t k = 0; k < N; k++)
        CHECK_EQ(r->sent[1 + k].answered, 1000 + hit_time(L) + k);
    CHECK_EQ(l2_rig_stats(r)->stall_data, 0);
    l2_rig_free(r);
}

/* One request of each kind, then a hit of one sector that shows when the port is free again. */
static void a_hit_holds_the_port_for_the_bytes_of_its_data(void)
{
    static const struct {
        enum request_kind kind;
        uint32_t words;
        uint8_t sectors;
        uint32_t bytes;
    } of[] = {{REQUEST_READ, 1, 1, 32},      {REQUEST_READ, 1, 15, 128},
              {REQUEST_READ, 0x101, 3, 64},  {REQUEST_WRITE, 1, 1, 4},
              {REQUEST_WRITE, ALL, 15, 128}, {REQUEST_WRITE, 0x1ff, 3, 36},
              {REQUEST_ATOMIC, 7, 1, 12},    {REQUEST_REDUCE, 0xffff, 3, 64}};
    for (int w = 0; w < 7; w++) {
        for (int i = 0; i < 8; i++) {
            struct l2_rig *r = with_port(widths[w], "l2.banks=2", &(struct l2_rig_options){0});
            const struct l2_rig_ask ask = {
                .kind = of[i].kind, .words = of[i].words, .sectors = of[i].sectors};
            l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
            l2_rig_send(r, REQUEST_READ, 128, ALL, 0); /* in another bank */
            uint32_t first = l2_rig_ask(r, &ask, 1000);
            uint32_t next = l2_rig_send(r, REQUEST_READ, 128, 1, 1000);
            CHECK(l2_rig_finish(r));
            CHECK_EQ(r->sent[first].answered, 1000 + hit_time(L));
            CHECK_EQ(r->sent[next].answered,
                     r->sent[first].answered + cycles_for(of[i].bytes, widths[w]));
            l2_rig_free(r);
        }
    }
}

static void a_write_that_is_kept_holds_the_port_like_a_hit(void)
{
    struct l2_rig *r = with_port(8, "l2.write_fetch=false", &(struct l2_rig_options){0});
    for (uint32_t k = 0; k < N; k++)
        l2_rig_send(r, REQUEST_WRITE, 128 * k, 0x3ff, 0); /* 40 bytes */
    CHECK(l2_rig_finish(r));
    for (uint32_t k = 0; k < N; k++)
        CHECK_EQ(r->sent[k].answered, hit_time(L) + 5 * k);
    l2_rig_free(r);
}

static void a_miss_that_evicts_nothing_dirty_does_not_hold_the_port(void)
{
    struct l2_rig *r = with_port(4, "l2.miss_queue=64", &(struct l2_rig_options){0});
    for (uint32_t k = 0; k < N; k++)
        l2_rig_send(r, REQUEST_READ, 128 * k, ALL, 0);
    CHECK(l2_rig_finish(r));
    for (uint32_t k = 0; k < N; k++)
        CHECK_EQ(r->seen[k].seen, 1 + L + 1 + k);
    CHECK_EQ(l2_rig_stats(r)->stall_data, 0);
    l2_rig_free(r);
}

static void a_miss_that_evicts_a_dirty_line_reads_all_of_it_out(void)
{
    for (int i = 0; i < 7; i++) {
        for (int dirty = 0; dirty < 2; dirty++) {
            struct l2_rig *r = with_port(widths[i], "l2.size=256 l2.ways=1", /* two sets */
                                         &(struct l2_rig_options){0});
            l2_rig_send(r, REQUEST_READ, 0, 1, 0);
            l2_rig_send(r, REQUEST_READ, 128, 1, 100);
            if (dirty)
                l2_rig_send(r, REQUEST_WRITE, 0, 1, 300);
            l2_rig_send(r, REQUEST_READ, 256, 1, 1000);
            uint32_t hit = l2_rig_send(r, REQUEST_READ, 128, 1, 1000);
            CHECK(l2_rig_finish(r));
            uint32_t held = dirty ? cycles_for(128, widths[i]) : 1;
            CHECK_EQ(r->sent[hit].answered, 1000 + hit_time(L) + held);
            CHECK_EQ(l2_rig_stats(r)->writebacks, dirty);
            l2_rig_free(r);
        }
    }
}

/* Fetches leave one per cycle and come back as fast. */
static void lines_are_filled_at_the_width_of_the_fill_port(void)
{
    for (int i = 0; i < 7; i++) {
        struct l2_rig *r = with_port(widths[i], "l2.miss_queue=64", &(struct l2_rig_options){0});
        for (uint32_t k = 0; k < N; k++)
            l2_rig_send(r, REQUEST_READ, 128 * k, 1, 0);
        CHECK(l2_rig_finish(r));
        hd_cycle first = 1 + L + 1 + 20 + 1 + FILL + 1;
        for (uint32_t k = 0; k < N; k++)
            CHECK_EQ(r->sent[k].answered, first + k * cycles_for(128, widths[i]));
        l2_rig_free(r);
    }
}

static void sectors_are_filled_at_the_width_of_the_fill_port(void)
{
    for (int i = 0; i < 7; i++) {
        struct l2_rig *r =
            with_port(widths[i], "l2.miss_queue=64 l2.sectored=true", &(struct l2_rig_options){0});
        for (uint32_t k = 0; k < N; k++) {
            const struct l2_rig_ask ask = {.line = 128 * k, .words = 1, .sectors = k & 1 ? 7 : 1};
            l2_rig_ask(r, &ask, 0);
        }
        CHECK(l2_rig_finish(r));
        hd_cycle at = 1 + L + 1 + 20 + 1 + FILL + 1;
        for (uint32_t k = 0; k < N; k++) {
            CHECK_EQ(r->sent[k].answered, at);
            at += cycles_for(k & 1 ? 96 : 32, widths[i]);
        }
        l2_rig_free(r);
    }
}

/* Hits of a sector take two cycles, fills of a line eight; their replies never meet: those of hits
 * leave in odd cycles, those of fills in even ones. */
static void fills_and_hits_do_not_wait_for_each_other(void)
{
    enum { LINES = 8, HITS = 60 };
    struct l2_rig *r = with_port(16, "l2.miss_queue=64 l2.input_queue=64",
                                 &(struct l2_rig_options){.memory_latency = 20});
    l2_rig_send(r, REQUEST_READ, 1 << 20, ALL, 0);
    for (uint32_t k = 0; k < LINES; k++)
        l2_rig_send(r, REQUEST_READ, 128 * k, 1, 1000);
    for (uint32_t k = 0; k < HITS; k++)
        l2_rig_send(r, REQUEST_READ, 1 << 20, 1, 1000);
    CHECK(l2_rig_finish(r));
    hd_cycle fill = 1000 + 1 + L + 1 + 20 + 1 + FILL + 1, hit = 1000 + LINES + hit_time(L);
    CHECK((fill - hit) % 2 == 1);
    for (uint32_t k = 0; k < LINES; k++)
        CHECK_EQ(r->sent[1 + k].answered, fill + 8 * k);
    for (uint32_t k = 0; k < HITS; k++)
        CHECK_EQ(r->sent[1 + LINES + k].answered, hit + 2 * k);
    l2_rig_free(r);
}

/* ---- latency in cycles of the SMs ---- */

static const struct {
    uint64_t sm, l2;
} periods[] = {{1, 1}, {5, 5},  {2, 1},  {1, 2},      {3, 7},
               {7, 3}, {10, 9}, {9, 10}, {1000, 714}, {1, 64}};

static void a_latency_of_the_sms_does_not_depend_on_the_clock_of_the_l2(void)
{
    static const uint32_t latencies[] = {1, 2, 9, 120};
    for (int i = 0; i < 40; i++) {
        const uint64_t sm = periods[i % 10].sm, l2 = periods[i % 10].l2;
        const uint32_t latency = latencies[i / 10];
        const uint32_t expected = (uint32_t)((latency * sm + l2 - 1) / l2);
        char text[256];
        snprintf(text, sizeof text, BASE "l2.latency=%u l2.latency_clock=sm", latency);
        struct l2_rig *r = l2_rig_new(
            text,
            &(struct l2_rig_options){.slice_period = l2, .network_period = l2, .sm_period = sm});
        uint32_t miss = l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
        for (uint32_t k = 0; k < 400; k++)
            l2_rig_send(r, REQUEST_READ, 0, 1, 1000);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->sent[miss].answered, 1 + expected + 1 + 20 + 1 + FILL + 1);
        for (uint32_t k = 0; k < 400; k++) /* at one per cycle, however long the pipeline */
            CHECK_EQ(r->sent[1 + k].answered, 1000 + hit_time(expected) + k);
        l2_rig_free(r);
    }
}

static void a_latency_of_the_l2_does_not_depend_on_the_clock_of_the_sms(void)
{
    struct l2_rig *r =
        l2_rig_new(BASE "l2.latency_clock=l2", &(struct l2_rig_options){.sm_period = 17});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    uint32_t hit = l2_rig_send(r, REQUEST_READ, 0, ALL, 1000);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->sent[hit].answered, 1000 + hit_time(L));
    l2_rig_free(r);
}

CHECK_MAIN("l2_ports", TEST(lines_that_hit_leave_at_the_width_of_the_data_port),
           TEST(without_a_width_a_line_moves_in_a_cycle),
           TEST(a_hit_holds_the_port_for_the_bytes_of_its_data),
           TEST(a_write_that_is_kept_holds_the_port_like_a_hit),
           TEST(a_miss_that_evicts_nothing_dirty_does_not_hold_the_port),
           TEST(a_miss_that_evicts_a_dirty_line_reads_all_of_it_out),
           TEST(lines_are_filled_at_the_width_of_the_fill_port),
           TEST(sectors_are_filled_at_the_width_of_the_fill_port),
           TEST(fills_and_hits_do_not_wait_for_each_other),
           TEST(a_latency_of_the_sms_does_not_depend_on_the_clock_of_the_l2),
           TEST(a_latency_of_the_l2_does_not_depend_on_the_clock_of_the_sms))
