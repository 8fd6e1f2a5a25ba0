/* Whether cycles are skipped and in which order components are ticked changes nothing; with every
 * queue at one nothing gets stuck. */
#include "base/rng.h"
#include "check.h"
#include "rig/l2_rig.h"

enum { REQUESTS = 400 };

static uint64_t run(const char *settings, struct l2_rig_options opt, uint64_t seed)
{
    opt.check = true;
    opt.audit = 101;
    struct l2_rig *r = l2_rig_new(settings, &opt);
    uint64_t at = 0;
    for (uint64_t i = 0; i < REQUESTS; i++) {
        uint64_t d = rng_at(seed, i);
        struct l2_rig_ask ask = l2_rig_random(seed, i, 24);
        at += d >> 8 & 15 ? d >> 12 & 1 : d >> 16 & 255; /* bursts and pauses */
        l2_rig_ask(r, &ask, at);
    }
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->stale, 0);
    CHECK_EQ(r->oracle.unfounded, 0);
    uint64_t digest = l2_rig_digest(r);
    l2_rig_free(r);
    return digest;
}

static void check_all_ways(const char *settings, struct l2_rig_options opt, uint64_t seed)
{
    uint64_t as_is = run(settings, opt, seed);
    CHECK(run(settings, opt, seed + 1) != as_is);
    opt.reversed = true;
    CHECK(run(settings, opt, seed) == as_is);
    opt.no_skip = true;
    CHECK(run(settings, opt, seed) == as_is);
    opt.reversed = false;
    CHECK(run(settings, opt, seed) == as_is);
}

static const char *const kinds[] = {
    "l2.size=1152 l2.ways=3 ",
    "l2.size=1152 l2.ways=3 l2.write_fetch=false ",
    "l2.size=1280 l2.ways=2 l2.hashed=true l2.sectored=true ",
    "l2.size=384 l2.ways=3 l2.sectored=true l2.write_fetch=false ",
    "l2.size=1152 l2.ways=3 l2.write_through=true ",
    "l2.size=1152 l2.ways=3 l2.write_through=true l2.write_fetch=false ",
    "l2.size=384 l2.ways=3 l2.write_through=true l2.sectored=true ",
    "l2.size=1152 l2.ways=3 l2.port_bytes=32 l2.latency_clock=sm ",
    "l2.size=1152 l2.ways=3 l2.sectored=true l2.sector_fetches=true l2.port_bytes=32 ",
    "l2.size=384 l2.ways=3 l2.sectored=true l2.sector_fetches=true l2.write_fetch=false ",
    "l2.size=384 l2.ways=3 l2.sectored=true l2.sector_fetches=true l2.write_through=true ",
    "l2.size=1152 l2.ways=3 l2.gated=true l2.write_fetch=false l2.port_bytes=48 ",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
#define ONES                                                                                       \
    "l2.mshrs=1 l2.merges=1 l2.miss_queue=1 l2.input_queue=1 l2.reply_queue=1 l2.writebacks=1 "    \
    "l2.latency=1 "

static void skipping_and_order_change_nothing(void)
{
    for (uint64_t k = 0; k < KINDS; k++) {
        char text[512];
        snprintf(text, sizeof text, "%sl2.latency=9 l2.mshrs=5 l2.banks=3 l2.bank_cycles=2",
                 kinds[k]);
        check_all_ways(text, (struct l2_rig_options){.memory_jitter = 30}, k);
        check_all_ways(text, (struct l2_rig_options){.reply_every = 5, .memory_every = 3}, k);
        check_all_ways(text, (struct l2_rig_options){.return_latency = 6, .port_depth = 9}, k);
    }
}

static void with_two_queues_to_memory_skipping_and_order_change_nothing(void)
{
    for (uint64_t k = 0; k < KINDS; k++) {
        char text[512];
        snprintf(text, sizeof text, "%sl2.latency=9 l2.mshrs=5 l2.miss_queue=3 l2.memory_queue=1",
                 kinds[k]);
        check_all_ways(text, (struct l2_rig_options){.memory_jitter = 30}, k);
        check_all_ways(text, (struct l2_rig_options){.reply_every = 5, .memory_every = 3}, k);
    }
}

static void clocks_of_the_network_and_the_slice_may_differ(void)
{
    for (uint64_t k = 0; k < KINDS; k++) {
        check_all_ways(kinds[k], (struct l2_rig_options){.slice_period = 3, .network_period = 2},
                       k);
        check_all_ways(kinds[k], (struct l2_rig_options){.slice_period = 2, .network_period = 7},
                       k);
    }
}

static void nothing_gets_stuck_with_every_queue_at_one(void)
{
    for (uint64_t k = 0; k < KINDS; k++) {
        char text[512];
        bool is_through = strstr(kinds[k], "write_through") && !strstr(kinds[k], "write_fetch");
        snprintf(text, sizeof text, "%s%s%s", kinds[k], ONES,
                 is_through ? "l2.writebacks=2" : ""); /* one for a victim */
        check_all_ways(text, (struct l2_rig_options){.port_depth = 1}, k);
        check_all_ways(text, (struct l2_rig_options){.port_depth = 1, .memory_every = 11}, k);
        check_all_ways(text, (struct l2_rig_options){.port_depth = 1, .reply_every = 11}, k);
    }
}

static void a_cache_of_one_line_works(void)
{
    check_all_ways("l2.size=128 l2.ways=1 " ONES, (struct l2_rig_options){.port_depth = 1}, 5);
    check_all_ways("l2.size=128 l2.ways=1 l2.write_fetch=false",
                   (struct l2_rig_options){.memory_every = 4}, 5);
}

CHECK_MAIN("l2_exact", TEST(skipping_and_order_change_nothing),
           TEST(with_two_queues_to_memory_skipping_and_order_change_nothing),
           TEST(clocks_of_the_network_and_the_slice_may_differ),
           TEST(nothing_gets_stuck_with_every_queue_at_one), TEST(a_cache_of_one_line_works))
