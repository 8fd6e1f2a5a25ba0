/* The slice against a plain model of its time: every reply and every transfer of random requests in
 * its cycle, with random queues, ports, latencies and banks. */
#include "base/rng.h"
#include "check.h"
#include "rig/l2_clock.h"

static uint64_t draw(uint64_t seed, uint64_t n, uint32_t below)
{
    return rng_below(rng_at(seed, n), below);
}

static uint32_t pick(uint64_t seed, uint32_t n, const uint32_t *from, uint32_t count)
{
    return from[draw(seed, n, count)];
}

/* What the size of the cache, the tables and the latencies are. */
static uint32_t set_sizes(uint64_t k, char *text, size_t size)
{
    static const uint32_t ways[] = {1, 2, 3, 8}, sets[] = {1, 2, 5, 8}, few[] = {1, 2, 3, 8},
                          latency[] = {1, 3, 20}, slots[] = {2, 3, 16};
    uint32_t w = pick(k, 0, ways, 4), s = pick(k, 1, sets, 4);
    snprintf(text, size,
             "l2.size=%u l2.ways=%u l2.mshrs=%u l2.merges=%u l2.input_queue=%u l2.writebacks=%u "
             "l2.latency=%u l2.hit_latency=%u l2.fill_latency=%u l2.banks=%u l2.bank_cycles=%u "
             "l2.reply_queue=%u",
             w * s * 128, w, pick(k, 2, few, 4), pick(k, 3, few, 4), pick(k, 4, few, 4),
             pick(k, 5, slots, 3), pick(k, 6, latency, 3), pick(k, 7, latency, 3),
             pick(k, 8, latency, 3), pick(k, 9, few, 4), pick(k, 10, few, 4), pick(k, 17, few, 4));
    return 1 + w * s * pick(k, 11, few, 4);
}

static void judge(uint64_t seed, const char *more, uint32_t mode)
{
    static const uint32_t latency[] = {1, 3, 20}, every[] = {1, 1, 3, 7}, few[] = {1, 2, 3, 8};
    uint64_t k = rng_key(seed, 2);
    char sizes[384], text[640];
    uint32_t lines = set_sizes(k, sizes, sizeof sizes);
    snprintf(text, sizeof text, "%s %s", sizes, more);
    struct l2_rig *r =
        l2_rig_new(text, &(struct l2_rig_options){.memory_latency = pick(k, 12, latency, 3),
                                                  .memory_jitter = pick(k, 13, latency, 3),
                                                  .memory_every = pick(k, 14, every, 4),
                                                  .reply_every = pick(k, 18, every, 4),
                                                  .port_depth = pick(k, 19, few, 4),
                                                  .return_latency = pick(k, 15, few, 4),
                                                  .sm_period = pick(k, 16, few, 4),
                                                  .mode = mode,
                                                  .kinds = 1 + (uint32_t)draw(k, 30, 15),
                                                  .spaces = 1 + (uint32_t)draw(k, 31, 63),
                                                  .check = true});
    for (uint32_t i = 0; i < 300; i++) {
        struct l2_rig_ask ask = l2_rig_random(k, i, lines);
        l2_rig_ask(r, &ask, draw(k, 100 + i, 40) ? 0 : 5 * (uint64_t)i);
    }
    CHECK(l2_rig_finish(r));
    const char *fault = l2_clock_judge(r);
    if (fault)
        print_error("%s\n%s, seed %llu\n", fault, text, (unsigned long long)seed);
    CHECK(fault == NULL);
    l2_rig_free(r);
}

/* All ways of writing, whole lines and sectors. */
static void judge_with(uint64_t first, const char *timing, uint32_t mode)
{
    static const char *const truth[] = {"false", "true"};
    for (uint64_t seed = first; seed < first + 160; seed++) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s l2.write_fetch=%s l2.write_through=%s l2.sectored=%s l2.sector_fetches=%s",
                 timing, truth[seed & 1], truth[seed >> 1 & 1], truth[seed >> 2 & 1],
                 truth[seed >> 3 & 1]);
        judge(seed, text, mode);
    }
}

static void judge_all(uint64_t first, const char *timing)
{
    judge_with(first, timing, CACHE_MODEL_KEEPS);
}

static void with_one_queue_to_memory(void)
{
    judge_all(0, "l2.miss_queue=1");
    judge_all(1000, "l2.miss_queue=4");
}

static void with_two_queues_to_memory(void)
{
    judge_all(2000, "l2.memory_queue=1 l2.miss_queue=3");
    judge_all(3000, "l2.memory_queue=3 l2.miss_queue=8");
}

static void with_ports_of_the_data_array(void)
{
    judge_all(4000, "l2.port_bytes=32");
    judge_all(5000, "l2.port_bytes=48 l2.memory_queue=2 l2.miss_queue=5");
}

static void with_gates(void)
{
    judge_all(6000, "l2.gated=true");
    judge_all(7000, "l2.gated=true l2.memory_queue=2 l2.miss_queue=5 l2.port_bytes=32");
}

static void with_a_latency_of_the_sms(void)
{
    judge_all(8000, "l2.latency_clock=sm");
}

static void with_lines_that_are_not_kept(void)
{
    judge_with(9000, "l2.miss_queue=2", CACHE_MODEL_NO_LINE);
    judge_with(9200, "l2.memory_queue=2 l2.miss_queue=5 l2.port_bytes=32", CACHE_MODEL_NO_LINE);
}

static void with_requests_that_pass_by(void)
{
    judge_with(9400, "l2.miss_queue=2 l2.passing=2", CACHE_MODEL_NO_MSHR);
    judge_with(9600, "l2.memory_queue=2 l2.miss_queue=5 l2.port_bytes=32", CACHE_MODEL_NO_MSHR);
    judge_with(9800, "l2.gated=true l2.passing=1", CACHE_MODEL_NO_MSHR);
}

CHECK_MAIN("l2_clock", TEST(with_one_queue_to_memory), TEST(with_two_queues_to_memory),
           TEST(with_ports_of_the_data_array), TEST(with_gates), TEST(with_a_latency_of_the_sms),
           TEST(with_lines_that_are_not_kept), TEST(with_requests_that_pass_by))
