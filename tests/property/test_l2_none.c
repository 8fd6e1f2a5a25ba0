/* A slice without an L2: every read is a fetch of its own, every write goes to memory and is
 * acknowledged when memory has confirmed it, atomics of a line take turns. */
#include "base/rng.h"
#include "check.h"
#include "rig/l2_rig.h"

static const struct l2_rig_options checked = {.check = true, .audit = 7};
#define NONE "l2.enabled=false l2.latency=10 l2.hit_latency=3 l2.fill_latency=2 "
#define ALL UINT32_MAX
enum { L = 10, FILL = 2, ROUND = 1 + 20 + 1 };

static void a_read_is_a_fetch_of_just_its_sectors(void)
{
    struct l2_rig *r = l2_rig_new(NONE, &checked);
    for (uint32_t sectors = 1; sectors < 16; sectors++) {
        const struct l2_rig_ask ask = {
            .line = 128, .words = 1u << 8 * __builtin_ctz(sectors), .sectors = (uint8_t)sectors};
        l2_rig_ask(r, &ask, 100 * sectors);
    }
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 15);
    for (uint32_t i = 0; i < 15; i++) {
        CHECK_EQ(r->seen[i].t.sectors, i + 1);
        CHECK(!r->seen[i].t.is_write);
        CHECK_EQ(r->seen[i].seen, 100 * (i + 1) + 1 + L + 1);
        CHECK_EQ(r->sent[i].answered, 100 * (i + 1) + 1 + L + ROUND + FILL + 1);
    }
    CHECK_EQ(l2_rig_stats(r)->read_misses, 15);
    CHECK_EQ(l2_rig_stats(r)->fetched_sectors, 32);
    CHECK_EQ(r->oracle.unfounded, 0);
    CHECK_EQ(r->oracle.ndone, 0);
    l2_rig_free(r);
}

static void reads_of_a_line_on_its_way_are_not_merged(void)
{
    struct l2_rig *r = l2_rig_new(NONE "l2.miss_queue=8 l2.merges=1", &checked);
    for (uint32_t i = 0; i < 8; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 8);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(r->sent[i].answered, 1 + L + i + ROUND + FILL + 1);
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK_EQ(s->fetches, 8);
    CHECK_EQ(s->read_misses, 8);
    CHECK_EQ(s->read_hits + s->read_merges, 0);
    l2_rig_free(r);
}

static void a_write_is_acknowledged_when_memory_has_it(void)
{
    struct l2_rig *r = l2_rig_new(NONE, &checked);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 0, 0x00ff0001, 0);
    uint32_t read = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK(r->seen[0].t.is_write);
    CHECK_EQ(r->seen[0].t.sectors, 5);
    CHECK_EQ(r->seen[0].seen, 1 + L + 1);
    CHECK_EQ(r->sent[w].answered, 1 + L + ROUND + FILL + 1);
    CHECK_EQ(r->pool.at[w].version, 1);
    CHECK_EQ(r->pool.at[read].version, 1);
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK_EQ(s->write_misses, 1);
    CHECK_EQ(s->throughs, 1);
    CHECK_EQ(s->through_sectors, 2);
    CHECK_EQ(s->throughs_done, 1);
    CHECK_EQ(s->fetches, 1);
    l2_rig_free(r);
}

static void an_atomic_is_a_fetch_and_then_a_write(void)
{
    struct l2_rig *r = l2_rig_new(NONE, &checked);
    uint32_t a = l2_rig_send(r, REQUEST_ATOMIC, 128, 0x0100ff00, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK(!r->seen[0].t.is_write && r->seen[1].t.is_write);
    CHECK_EQ(r->seen[0].t.sectors, 10);
    CHECK_EQ(r->seen[1].t.sectors, 10);
    CHECK_EQ(r->seen[1].t.version, 1);
    CHECK(r->seen[1].seen > r->seen[0].returned);
    CHECK_EQ(r->sent[a].answered, 1 + L + ROUND + FILL + 1);
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK(s->atomic_misses == 1 && s->fetches == 1 && s->throughs == 1 && s->throughs_done == 1);
    l2_rig_free(r);
}

/* The second fetch leaves when the write of the first is on its way, and finds it. */
static void atomics_of_a_line_take_turns(void)
{
    static const enum request_kind kinds[] = {REQUEST_ATOMIC, REQUEST_REDUCE};
    for (int k = 0; k < 2; k++) {
        struct l2_rig *r = l2_rig_new(NONE, &checked);
        for (uint32_t i = 0; i < 5; i++)
            l2_rig_send(r, kinds[k], 128, 1, 0);
        uint32_t read = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->nseen, 11);
        for (uint32_t i = 0; i < 5; i++) {
            CHECK(!r->seen[2 * i].t.is_write && r->seen[2 * i + 1].t.is_write);
            CHECK_EQ(r->seen[2 * i + 1].t.version, i + 1);
            CHECK(r->seen[2 * i + 1].seen > r->seen[2 * i].returned);
            CHECK_EQ(r->pool.at[i].version, i + 1);
        }
        CHECK_EQ(r->pool.at[read].version, 5);
        CHECK_EQ(r->stale, 0);
        l2_rig_free(r);
    }
}

static void an_atomic_holds_up_those_of_its_line_and_all_behind_them(void)
{
    struct l2_rig *r = l2_rig_new(NONE "l2.miss_queue=8", &checked);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0); /* of another line: goes on */
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);   /* waits */
    l2_rig_send(r, REQUEST_READ, 128, 1, 0); /* is behind it */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 5);
    CHECK_EQ(r->seen[1].t.line, 128);
    CHECK_EQ(r->seen[1].seen, r->seen[0].seen + 1);
    CHECK(r->seen[2].t.is_write);
    CHECK_EQ(r->seen[3].t.line, 0);
    CHECK(r->seen[3].seen > r->seen[2].seen);
    CHECK_EQ(r->pool.at[2].version, 1);
    CHECK_EQ(r->seen[4].t.line, 128);
    l2_rig_free(r);
}

static void banks_and_ports_of_the_data_array_are_not_there(void)
{
    static const char *const kinds[] = {
        NONE "l2.miss_queue=16",
        NONE "l2.miss_queue=16 l2.port_bytes=4 l2.banks=2 l2.bank_cycles=9 l2.atomic_cycles=7"};
    for (int k = 0; k < 2; k++) {
        struct l2_rig *r = l2_rig_new(kinds[k], &checked);
        for (uint32_t i = 0; i < 12; i++)
            l2_rig_send(r, (enum request_kind)(i % 4), 128 * i, ALL, 0);
        CHECK(l2_rig_finish(r));
        for (uint32_t i = 0; i < 12; i++)
            CHECK_EQ(r->sent[i].answered, 1 + L + i + ROUND + FILL + 1);
        CHECK_EQ(l2_rig_stats(r)->stall_bank + l2_rig_stats(r)->stall_data, 0);
        l2_rig_free(r);
    }
}

static uint32_t most_under_way(const struct l2_rig *r, bool writes)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->nseen; i++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k <= i; k++)
            n += r->seen[k].t.is_write == writes && r->seen[k].returned >= r->seen[i].seen;
        most = n > most ? n : most;
    }
    return most;
}

static void reads_under_way_are_limited_by_mshrs_and_writes_by_writebacks(void)
{
    for (uint32_t n = 1; n <= 4; n++) {
        char text[256];
        snprintf(text, sizeof text, NONE "l2.mshrs=%u l2.writebacks=%u l2.miss_queue=16", n, 5 - n);
        struct l2_rig *r = l2_rig_new(text, &checked);
        for (uint32_t i = 0; i < 20; i++)
            l2_rig_send(r, REQUEST_READ, 128 * i, 1, 0);
        for (uint32_t i = 0; i < 20; i++)
            l2_rig_send(r, REQUEST_WRITE, 128 * i, 1, 5000);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(most_under_way(r, false), n);
        CHECK_EQ(most_under_way(r, true), 5 - n);
        CHECK(l2_rig_stats(r)->stall_mshr > 0);
        CHECK(l2_rig_stats(r)->stall_writeback > 0);
        l2_rig_free(r);
    }
}

/* ---- random requests ---- */

enum { REQUESTS = 400 };

static void check_counts(const struct l2_rig *r)
{
    const struct l2_stats *s = l2_rig_stats(r);
    uint64_t n[REQUEST_KINDS] = {0}, sectors[REQUEST_KINDS] = {0};
    for (uint32_t i = 0; i < r->nsent; i++) {
        const struct request *q = &r->pool.at[i];
        uint8_t moved = q->kind == REQUEST_READ ? q->sectors : request_sectors_of(q->words);
        n[q->kind]++;
        sectors[q->kind] += (uint64_t)__builtin_popcount(moved);
    }
    uint64_t atomics = n[REQUEST_ATOMIC] + n[REQUEST_REDUCE];
    uint64_t atomic_sectors = sectors[REQUEST_ATOMIC] + sectors[REQUEST_REDUCE];
    CHECK_EQ(s->fetches, n[REQUEST_READ] + atomics);
    CHECK_EQ(s->fetched_sectors, sectors[REQUEST_READ] + atomic_sectors);
    CHECK_EQ(s->throughs, n[REQUEST_WRITE] + atomics);
    CHECK_EQ(s->through_sectors, sectors[REQUEST_WRITE] + atomic_sectors);
    CHECK_EQ(s->throughs_done, s->throughs);
    CHECK_EQ(s->read_misses, n[REQUEST_READ]);
    CHECK_EQ(s->write_misses, n[REQUEST_WRITE]);
    CHECK_EQ(s->atomic_misses, atomics);
    CHECK_EQ(s->accesses, r->nsent);
    CHECK_EQ(s->evictions + s->writebacks + s->refetches, 0);
    CHECK_EQ(r->nseen, s->fetches + s->throughs);
    CHECK_EQ(r->oracle.unfounded, 0);
    CHECK_EQ(r->oracle.ndone, atomics); /* whose writes nobody is told of */
    CHECK_EQ(r->stale, 0);
}

/* The version of a line is how often it was written: none is lost. */
static void check_versions(const struct l2_rig *r)
{
    uint32_t written[64] = {0};
    for (uint32_t i = 0; i < r->nsent; i++)
        written[r->pool.at[i].line / LINE_BYTES] += r->pool.at[i].kind != REQUEST_READ;
    for (uint32_t i = 0; i < 64; i++)
        CHECK_EQ(versions_get(r->memory.versions, i * LINE_BYTES), written[i]);
}

static uint64_t run(const char *settings, struct l2_rig_options opt, uint64_t seed)
{
    opt.check = true;
    opt.audit = 13;
    struct l2_rig *r = l2_rig_new(settings, &opt);
    uint64_t at = 0;
    for (uint64_t i = 0; i < REQUESTS; i++) {
        uint64_t d = rng_at(seed, i);
        struct l2_rig_ask ask = l2_rig_random(seed, i, 1 + (uint32_t)seed % 40);
        at += d >> 8 & 15 ? d >> 12 & 1 : d >> 16 & 255;
        l2_rig_ask(r, &ask, at);
    }
    CHECK(l2_rig_finish(r));
    check_counts(r);
    check_versions(r);
    uint64_t digest = l2_rig_digest(r);
    l2_rig_free(r);
    return digest;
}

static void check_all_ways(const char *settings, struct l2_rig_options opt, uint64_t seed)
{
    uint64_t as_is = run(settings, opt, seed);
    opt.reversed = true;
    CHECK(run(settings, opt, seed) == as_is);
    opt.no_skip = true;
    CHECK(run(settings, opt, seed) == as_is);
    opt.reversed = false;
    CHECK(run(settings, opt, seed) == as_is);
}

static void nothing_is_lost_merged_or_made_up(void)
{
    static const char *const kinds[] = {
        "l2.enabled=false",
        "l2.enabled=false l2.latency=1 l2.mshrs=3 l2.writebacks=2",
        "l2.enabled=false l2.memory_queue=2 l2.miss_queue=5",
        "l2.enabled=false l2.gated=true l2.latency=9 l2.input_queue=2",
        "l2.enabled=false l2.port_bytes=32 l2.banks=4 l2.bank_cycles=9 l2.latency=5",
    };
    for (uint64_t seed = 0; seed < 40; seed++) {
        const char *kind = kinds[seed % 5];
        check_all_ways(kind, (struct l2_rig_options){.memory_jitter = 30}, seed);
        check_all_ways(kind, (struct l2_rig_options){.reply_every = 5, .memory_every = 3}, seed);
        check_all_ways(kind, (struct l2_rig_options){.return_latency = 6, .port_depth = 9}, seed);
        check_all_ways(kind, (struct l2_rig_options){.slice_period = 3, .network_period = 2}, seed);
    }
}

static void nothing_gets_stuck_with_every_queue_at_one(void)
{
#define ONES                                                                                       \
    "l2.enabled=false l2.mshrs=1 l2.merges=1 l2.miss_queue=1 l2.input_queue=1 l2.reply_queue=1 "   \
    "l2.writebacks=1 l2.latency=1 "
    static const char *const kinds[] = {ONES, ONES "l2.memory_queue=1",
                                        ONES "l2.memory_queue=1 l2.gated=true", ONES "l2.mshrs=5"};
    for (uint64_t seed = 0; seed < 16; seed++) {
        const char *ones = kinds[seed % 4];
        check_all_ways(ones, (struct l2_rig_options){.port_depth = 1}, seed);
        check_all_ways(ones, (struct l2_rig_options){.port_depth = 1, .memory_every = 11}, seed);
        check_all_ways(ones, (struct l2_rig_options){.port_depth = 1, .reply_every = 11}, seed);
    }
}

CHECK_MAIN("l2_none", TEST(a_read_is_a_fetch_of_just_its_sectors),
           TEST(reads_of_a_line_on_its_way_are_not_merged),
           TEST(a_write_is_acknowledged_when_memory_has_it),
           TEST(an_atomic_is_a_fetch_and_then_a_write), TEST(atomics_of_a_line_take_turns),
           TEST(an_atomic_holds_up_those_of_its_line_and_all_behind_them),
           TEST(banks_and_ports_of_the_data_array_are_not_there),
           TEST(reads_under_way_are_limited_by_mshrs_and_writes_by_writebacks),
           TEST(nothing_is_lost_merged_or_made_up),
           TEST(nothing_gets_stuck_with_every_queue_at_one))
