#include "check.h"
#include "rig/l2_rig.h"
#include "sim/clock.h"

static const struct l2_rig_options plain = {0};
#define SMALL "l2.size=1K l2.ways=2 l2.latency=10 l2.hit_latency=3 l2.fill_latency=2"
#define ALL UINT32_MAX

/* A request pushed at t is popped at t + 1; a reply pushed at t is seen at t + 1. */
static void a_hit_is_answered_after_the_pipeline_and_the_hit_latency(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    uint32_t read = l2_rig_send(r, REQUEST_READ, 0, ALL, 100);
    uint32_t write = l2_rig_send(r, REQUEST_WRITE, 0, 1, 200);
    uint32_t atomic = l2_rig_send(r, REQUEST_ATOMIC, 0, 2, 300);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->sent[read].answered, 101 + 10 + 3 + 1);
    CHECK_EQ(r->sent[write].answered, 201 + 10 + 3 + 1);
    CHECK_EQ(r->sent[atomic].answered, 301 + 10 + 3 + 1);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    CHECK_EQ(l2_rig_stats(r)->time.min, 13);
    l2_rig_free(r);
}

static void a_miss_fetches_when_it_reaches_the_tags_and_answers_after_the_fill_latency(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    uint32_t first = l2_rig_send(r, REQUEST_READ, 0x80, 1, 5);
    CHECK(l2_rig_finish(r));
    hd_cycle tags = 6 + 10, fill = tags + 1 + 20 + 1;
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].seen, tags + 1);
    CHECK_EQ(r->seen[0].t.line, 0x80);
    CHECK_EQ(r->seen[0].t.sectors, 15);
    CHECK(!r->seen[0].t.is_write);
    CHECK_EQ(r->sent[first].answered, fill + 2 + 1);
    l2_rig_free(r);
}

static void those_that_wait_for_a_line_are_answered_one_per_cycle_in_order(void)
{
    struct l2_rig *r = l2_rig_new(SMALL " l2.merges=4", &plain);
    for (uint32_t i = 0; i < 4; i++)
        l2_rig_send(r, REQUEST_READ, 0x80, 1u << i, 0);
    CHECK(l2_rig_finish(r));
    hd_cycle fill = 1 + 10 + 1 + 20 + 1;
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(r->sent[i].answered, fill + i + 2 + 1);
    CHECK_EQ(l2_rig_stats(r)->read_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->read_merges, 3);
    l2_rig_free(r);
}

static void the_parts_of_latency_are_those_of_the_way(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &(struct l2_rig_options){.slice_period = 3});
    uint32_t miss = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    uint32_t hit = l2_rig_send(r, REQUEST_READ, 0, 1, 600);
    CHECK(l2_rig_finish(r));
    const uint32_t *m = r->pool.at[miss].part, *h = r->pool.at[hit].part;
    CHECK_EQ(m[PART_REQUEST], 3); /* pushed at tick 0, popped at the next edge of the slice */
    CHECK_EQ(m[PART_L2], (10 + 2) * 3);
    CHECK_EQ(m[PART_DRAM], (1 + 20 + 1) * 3);
    CHECK_EQ(h[PART_REQUEST], 3);
    CHECK_EQ(h[PART_L2], (10 + 3) * 3);
    CHECK_EQ(h[PART_DRAM], 0);
    l2_rig_free(r);
}

static void who_comes_after_the_fill_has_not_waited_for_memory(void)
{
    struct l2_rig *r = l2_rig_new(SMALL " l2.merges=5", &plain);
    for (int i = 0; i < 4; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    /* At the tags in the cycle after the fill, while the second waiter is answered. */
    hd_cycle fill = 1 + 10 + 1 + 20 + 1;
    uint32_t late = l2_rig_send(r, REQUEST_READ, 0, 1, fill + 1 - 11);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_merges, 4);
    CHECK_EQ(r->pool.at[late].part[PART_DRAM], 0);
    uint64_t answered = r->sent[late].answered, asked = r->sent[late].asked;
    CHECK_EQ(request_latency(&r->pool.at[late]), answered - 1 - asked);
    l2_rig_free(r);
}

static void a_stream_of_hits_is_answered_one_per_cycle(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=1K l2.ways=2 l2.latency=37 l2.hit_latency=5 "
                                  "l2.input_queue=1 l2.reply_queue=1",
                                  &plain);
    for (uint32_t i = 0; i < 8; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, ALL, 0);
    for (uint32_t i = 0; i < 1000; i++)
        l2_rig_send(r, i % 3 ? REQUEST_READ : REQUEST_WRITE, 128 * (i % 8), 1, 1000);
    CHECK(l2_rig_finish(r));
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_EQ(r->sent[8 + i].answered, 1000 + 1 + 37 + 5 + 1 + i);
    CHECK_EQ(l2_rig_stats(r)->stall_reply, 0);
    l2_rig_free(r);
}

static void a_stream_of_misses_keeps_all_mshrs_busy(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=64K l2.ways=4 l2.mshrs=8 l2.miss_queue=4",
                                  &(struct l2_rig_options){.memory_latency = 100});
    for (uint32_t i = 0; i < 400; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, ALL, 0);
    CHECK(l2_rig_finish(r));
    /* 8 lines per round trip: to memory, its latency, back; an MSHR is taken again in the cycle in
     * which it becomes free. */
    double cycles = (double)(r->sent[399].answered - r->sent[0].answered);
    CHECK_NEAR(cycles, (400. / 8 - 1) * 102, 0.02);
    CHECK_EQ(l2_rig_stats(r)->mshr_occupancy.max, 8);
    CHECK(l2_rig_stats(r)->stall_mshr > 4000);
    l2_rig_free(r);
}

static void a_reply_is_its_request_turned_round(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &(struct l2_rig_options){.network_period = 2});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0); /* 8 + 128 bytes: 5 flits of 32 */
    l2_rig_send(r, REQUEST_WRITE, 0, ALL, 100);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 0xff, 200); /* 8 + 32 */
    l2_rig_send(r, REQUEST_REDUCE, 0, 0xff, 300);
    CHECK(l2_rig_finish(r));
    const uint16_t flits[] = {5, 1, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        const struct packet *p = &r->pool.packets.at[i];
        CHECK_EQ(p->src, 77);
        CHECK_EQ(p->dst, i % L2_RIG_CORES);
        CHECK_EQ(p->flits, flits[i]);
        CHECK_EQ(p->kind, r->pool.at[i].kind);
        CHECK_EQ(p->serial, i);
        CHECK_EQ(p->msgclass, 1);
        CHECK_EQ(p->born, r->sent[i].answered - 1); /* in cycles of the network */
    }
    l2_rig_free(r);
}

static void a_busy_bank_delays_only_requests_for_it(void)
{
    /* 3 banks: lines 0 and 3 share one. */
    struct l2_rig *r = l2_rig_new("l2.size=6K l2.ways=2 l2.latency=10 l2.banks=3 l2.bank_cycles=7 "
                                  "l2.atomic_cycles=5",
                                  &plain);
    for (uint32_t i = 0; i < 4; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, ALL, 100 * i);
    uint32_t a = l2_rig_send(r, REQUEST_READ, 0, 1, 1000);
    l2_rig_send(r, REQUEST_READ, 128, 1, 1000);
    l2_rig_send(r, REQUEST_READ, 256, 1, 1000);
    l2_rig_send(r, REQUEST_READ, 384, 1, 1000);
    l2_rig_send(r, REQUEST_ATOMIC, 128, 1, 2000);
    l2_rig_send(r, REQUEST_READ, 128, 1, 2000);
    CHECK(l2_rig_finish(r));
    const hd_cycle late[] = {0, 1, 2, 7, 1000, 1000 + 12};
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r->sent[a + i].answered, 1000 + 13 + late[i]);
    CHECK_EQ(l2_rig_stats(r)->stall_bank, 4 + 11);
    l2_rig_free(r);
}

static void a_stalled_access_does_not_occupy_its_bank(void)
{
    struct l2_rig *r = l2_rig_new(SMALL " l2.bank_cycles=4 l2.mshrs=1", &plain);
    hd_cycle fill = 1 + 10 + 1 + 20 + 1;
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    uint32_t second = l2_rig_send(r, REQUEST_READ, 512, 1, fill - 2 - 11);
    CHECK(l2_rig_finish(r)); /* stalled since two cycles before the fill, goes on at the fill */
    CHECK_EQ(r->sent[second].answered, fill + 1 + 20 + 1 + 2 + 1);
    CHECK_EQ(l2_rig_stats(r)->stall_mshr, 2);
    CHECK_EQ(l2_rig_stats(r)->stall_bank, 0);
    l2_rig_free(r);
}

static void of_two_replies_at_the_same_time_that_of_the_fill_goes_first(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    uint32_t miss = l2_rig_send(r, REQUEST_READ, 128, 1, 100);
    hd_cycle reply = 101 + 10 + 1 + 20 + 1 + 2;
    uint32_t hit = l2_rig_send(r, REQUEST_READ, 0, 1, reply - 3 - 10 - 1);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->sent[miss].answered, reply + 1);
    CHECK_EQ(r->sent[hit].answered, reply + 2);
    l2_rig_free(r);
}

static void a_write_back_keeps_the_next_miss_waiting_for_a_cycle(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=256 l2.ways=1 l2.latency=2", &plain);
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 0);
    uint32_t first = l2_rig_send(r, REQUEST_READ, 256, 1, 100);
    uint32_t second = l2_rig_send(r, REQUEST_READ, 128, 1, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->sent[second].answered, r->sent[first].answered + 2);
    CHECK_EQ(l2_rig_stats(r)->stall_miss_queue, 1);
    l2_rig_free(r);
}

static void a_slow_reply_network_stalls_the_tags_and_loses_nothing(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=1K l2.ways=2 l2.latency=10 l2.reply_queue=2",
                                  &(struct l2_rig_options){.reply_every = 10});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    for (uint32_t i = 0; i < 50; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 100);
    CHECK(l2_rig_finish(r));
    for (uint32_t i = 0; i < 51; i++)
        CHECK_EQ(r->answers[i], i);
    CHECK_EQ(r->sent[50].answered - r->sent[1].answered, 490);
    /* All but some 8, for which there are places and the port, wait for 9 of 10 cycles. */
    CHECK_EQ(l2_rig_stats(r)->reply_occupancy.max, 3);
    CHECK_NEAR((double)l2_rig_stats(r)->stall_reply, 42 * 9, 0.03);
    l2_rig_free(r);
}

static void occupancy_is_a_mean_over_time(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK_EQ(s->input_occupancy.sum, 10);
    CHECK_EQ(s->mshr_occupancy.sum, 1 + 20 + 1);
    CHECK_EQ(s->reply_occupancy.sum, 2);
    CHECK_EQ(s->input_occupancy.max, 1);
    CHECK_EQ(s->input_occupancy.n, s->mshr_occupancy.n);
    r->slice->c.ops->settle(&r->slice->c, 1000);
    CHECK_EQ(s->mshr_occupancy.n, 1000);
    CHECK_EQ(s->mshr_occupancy.sum, 22);
    l2_rig_free(r);
}

static void settling_counts_a_stall_that_has_not_ended(void)
{
    struct l2_rig *r = l2_rig_new(SMALL " l2.mshrs=1", &(struct l2_rig_options){0});
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_run(r, 20));
    struct component *c = slice_component(r->slice);
    c->ops->settle(c, 20); /* at the tags since 12 */
    CHECK_EQ(l2_rig_stats(r)->stall_mshr, 8);
    c->ops->settle(c, 20);
    CHECK_EQ(l2_rig_stats(r)->stall_mshr, 8);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->stall_mshr, 1 + 10 + 1 + 20 + 1 - 12);
    l2_rig_free(r);
}

static void a_slice_that_gets_every_nth_chunk_uses_all_its_sets(void)
{
    const struct addrmap map = {.slices = 6, .slices_per_channel = 1, .chunk_shift = 8};
    struct l2_rig *r = l2_rig_new("l2.size=4K l2.ways=1", &(struct l2_rig_options){.map = &map});
    for (uint32_t i = 0; i < 32; i++) /* the lines of slice 0 */
        l2_rig_send(r, REQUEST_READ, (i / 2 * 6 * 2 + i % 2) * 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->evictions, 0);
    l2_rig_free(r);
}

static void a_size_that_is_no_multiple_of_the_ways_is_refused(void)
{
    static const struct cfg_section *const sections[] = {&l2_section};
    struct arena *a = arena_new();
    struct config *cfg = config_new(a, sections, 1);
    struct err e = {0};
    CHECK(slice_check(cfg, 1, 1, &e));
    CHECK(config_set(cfg, "l2.ways=3", &e));
    CHECK(!slice_check(cfg, 1, 1, &e));
    CHECK(strstr(e.text, "l2.size") != NULL);
    CHECK(config_set(cfg, "l2.size=384", &e));
    e = (struct err){0};
    CHECK(slice_check(cfg, 1, 1, &e));
    arena_free(a);
}

static void a_latency_of_far_too_many_cycles_is_refused(void)
{
    static const struct cfg_section *const sections[] = {&l2_section};
    struct arena *a = arena_new();
    struct config *cfg = config_new(a, sections, 1);
    struct err e = {0};
    CHECK(config_set(cfg, "l2.latency_clock=sm", &e));
    CHECK(slice_check(cfg, 833, 1, &e));
    CHECK(!slice_check(cfg, 834, 1, &e));
    CHECK(strstr(e.text, "l2.latency") != NULL && strstr(e.text, "100080") != NULL);
    arena_free(a);
}

static bool is_refused(const char *const *sets, const char *what)
{
    static const struct cfg_section *const sections[] = {&l2_section};
    struct arena *a = arena_new();
    struct config *cfg = config_new(a, sections, 1);
    struct err e = {0};
    for (; *sets; sets++)
        CHECK(config_set(cfg, *sets, &e));
    bool is_good = slice_check(cfg, 1, 1, &e);
    CHECK(is_good || strstr(e.text, what) != NULL);
    arena_free(a);
    return !is_good;
}

static void queues_that_could_never_hold_what_an_access_sends_are_refused(void)
{
    static const struct {
        const char *sets[6], *what;
        bool is_refused;
    } of[] = {
        {{"l2.memory_queue=1", "l2.miss_queue=1"}, "l2.miss_queue", true},
        {{"l2.memory_queue=1", "l2.miss_queue=2"}, "", false},
        {{"l2.memory_queue=1", "l2.miss_queue=2", "l2.write_through=true"}, "l2.miss_queue", true},
        {{"l2.memory_queue=1", "l2.miss_queue=3", "l2.write_through=true"}, "", false},
        {{"l2.memory_queue=1", "l2.miss_queue=2", "l2.write_through=true", "l2.write_fetch=false"},
         "",
         false},
        {{"l2.writebacks=1", "l2.write_through=true"}, "l2.writebacks", true},
        {{"l2.writebacks=2", "l2.write_through=true"}, "", false},
        {{"l2.writebacks=1", "l2.write_through=true", "l2.write_fetch=false"}, "", false},
        {{"l2.memory_queue=1", "l2.miss_queue=1", "l2.enabled=false"}, "", false},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        CHECK_EQ(is_refused(of[i].sets, of[i].what), of[i].is_refused);
}

static void statistics_of_slices_are_summed_under_one_name(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    struct stats *tree = stats_new(r->arena);
    slice_add_stats(r->slice, tree);
    slice_add_stats(r->slice, tree);
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct json j;
    json_begin(&j, out);
    stats_write_json(tree, &j);
    json_end(&j);
    fclose(out);
    CHECK(strstr(text, "\"l2.read_misses\": 2") != NULL);
    free(text);
    l2_rig_free(r);
}

struct flushed {
    uint32_t n;
    uint64_t line;
};

static void note_flushed(void *context, uint64_t line, uint32_t version)
{
    struct flushed *f = context;
    (void)version;
    f->n++;
    f->line = line;
}

static void a_flushed_slice_has_forgotten_everything_and_tells_of_what_was_dirty(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &plain);
    struct flushed f = {0};
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    l2_rig_send(r, REQUEST_WRITE, 0x80, 1, 100);
    l2_rig_send(r, REQUEST_READ, 0, ALL, 1000);
    l2_rig_send(r, REQUEST_READ, 0x80, ALL, 1100);
    CHECK(l2_rig_run(r, 500));
    uint32_t before = r->nseen;
    slice_flush(r->slice, note_flushed, &f);
    CHECK_EQ(f.n, 1);
    CHECK_EQ(f.line, 0x80);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, before + 2); /* both are fetched, nothing is written back */
    CHECK_EQ(l2_rig_stats(r)->read_hits, 0);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 0);
    l2_rig_free(r);
}

CHECK_MAIN("l2/slice", TEST(a_hit_is_answered_after_the_pipeline_and_the_hit_latency),
           TEST(a_miss_fetches_when_it_reaches_the_tags_and_answers_after_the_fill_latency),
           TEST(those_that_wait_for_a_line_are_answered_one_per_cycle_in_order),
           TEST(the_parts_of_latency_are_those_of_the_way),
           TEST(who_comes_after_the_fill_has_not_waited_for_memory),
           TEST(a_stream_of_hits_is_answered_one_per_cycle),
           TEST(a_stream_of_misses_keeps_all_mshrs_busy), TEST(a_reply_is_its_request_turned_round),
           TEST(a_busy_bank_delays_only_requests_for_it),
           TEST(a_stalled_access_does_not_occupy_its_bank),
           TEST(of_two_replies_at_the_same_time_that_of_the_fill_goes_first),
           TEST(a_write_back_keeps_the_next_miss_waiting_for_a_cycle),
           TEST(a_slow_reply_network_stalls_the_tags_and_loses_nothing),
           TEST(occupancy_is_a_mean_over_time), TEST(settling_counts_a_stall_that_has_not_ended),
           TEST(a_slice_that_gets_every_nth_chunk_uses_all_its_sets),
           TEST(a_size_that_is_no_multiple_of_the_ways_is_refused),
           TEST(a_latency_of_far_too_many_cycles_is_refused),
           TEST(queues_that_could_never_hold_what_an_access_sends_are_refused),
           TEST(statistics_of_slices_are_summed_under_one_name),
           TEST(a_flushed_slice_has_forgotten_everything_and_tells_of_what_was_dirty))
