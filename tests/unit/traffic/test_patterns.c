#include "check.h"

#include "traffic/arrival.h"
#include "traffic/pattern.h"

struct fitted {
    struct arena *arena;
    const struct pattern *p;
    struct pattern_ctx x;
    struct err err;
};

static bool fit(struct fitted *f, const char *pattern, const char *settings, uint32_t nsources,
                uint32_t nsinks)
{
    static const struct cfg_section *const sections[] = {&traffic_section};
    *f = (struct fitted){.arena = arena_new()};
    struct config *cfg = config_new(f->arena, sections, 1);
    char *rest = arena_printf(f->arena, "traffic.pattern=%s %s", pattern, settings);
    for (char *s = strtok_r(rest, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        if (!config_set(cfg, s, &f->err))
            return false;
    f->p = pattern_find(cfg, &f->err);
    f->x = (struct pattern_ctx){
        .spec = config_get(cfg, &traffic_section), .nsources = nsources, .nsinks = nsinks};
    return !f->p->fit || f->p->fit(&f->x, cfg, f->arena, &f->err);
}

static uint32_t sink(const struct fitted *f, uint32_t source)
{
    return f->p->sink(&f->x, source, 0x123456789abcdefu);
}

static void unfit(struct fitted *f)
{
    arena_free(f->arena);
}

static void transpose_swaps_row_and_column(void)
{
    struct fitted f;
    CHECK(fit(&f, "transpose", "", 64, 64));
    for (uint32_t x = 0; x < 8; x++)
        for (uint32_t y = 0; y < 8; y++)
            CHECK_EQ(sink(&f, 8 * y + x), 8 * x + y);
    unfit(&f);
    CHECK(fit(&f, "transpose", "", 100, 100)); /* any square, not only powers of two */
    CHECK_EQ(sink(&f, 37), 73);
    unfit(&f);
    CHECK(fit(&f, "transpose", "traffic.row=8", 64, 64));
    CHECK_EQ(sink(&f, 1), 8);
    unfit(&f);
}

static void bit_complement_turns_every_bit_round(void)
{
    struct fitted f;
    CHECK(fit(&f, "bit_complement", "", 64, 64));
    for (uint32_t i = 0; i < 64; i++)
        CHECK_EQ(sink(&f, i), 63 - i);
    unfit(&f);
}

static void bit_reverse_reads_the_number_backwards(void)
{
    static const uint32_t of_16[] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    struct fitted f;
    CHECK(fit(&f, "bit_reverse", "", 16, 16));
    for (uint32_t i = 0; i < 16; i++)
        CHECK_EQ(sink(&f, i), of_16[i]);
    unfit(&f);
    CHECK(fit(&f, "bit_reverse", "", 1, 1));
    CHECK_EQ(sink(&f, 0), 0);
    unfit(&f);
}

static void neighbour_goes_one_on_in_each_dimension(void)
{
    struct fitted f;
    CHECK(fit(&f, "neighbour", "", 10, 10)); /* one row */
    for (uint32_t i = 0; i < 10; i++)
        CHECK_EQ(sink(&f, i), (i + 1) % 10);
    unfit(&f);
    CHECK(fit(&f, "neighbour", "traffic.row=4", 12, 12)); /* three rows of four */
    for (uint32_t x = 0; x < 4; x++)
        for (uint32_t y = 0; y < 3; y++)
            CHECK_EQ(sink(&f, 4 * y + x), 4 * ((y + 1) % 3) + (x + 1) % 4);
    unfit(&f);
}

static void tornado_goes_almost_half_way_round_each_dimension(void)
{
    struct fitted f;
    CHECK(fit(&f, "tornado", "traffic.row=8", 40, 40)); /* five rows of eight */
    for (uint32_t x = 0; x < 8; x++)
        for (uint32_t y = 0; y < 5; y++)
            CHECK_EQ(sink(&f, 8 * y + x), 8 * ((y + 2) % 5) + (x + 3) % 8);
    unfit(&f);
}

static void permutations_reach_every_sink_once(void)
{
    static const char *const names[] = {"transpose", "bit_complement", "bit_reverse", "neighbour",
                                        "tornado"};
    for (int i = 0; i < 5; i++) {
        struct fitted f;
        bool hit[256] = {0};
        CHECK(fit(&f, names[i], "traffic.row=16", 256, 256));
        for (uint32_t s = 0; s < 256; s++) {
            CHECK(!hit[sink(&f, s)]);
            hit[sink(&f, s)] = true;
        }
        unfit(&f);
    }
}

/* Draws as a source makes them; *n counts hits per sink. */
static void draw(const struct fitted *f, uint32_t source, uint32_t *n, uint64_t draws)
{
    for (uint64_t k = 0; k < draws; k++) {
        uint32_t to = f->p->sink(&f->x, source, rng_at(rng_key(1, source), k));
        CHECK(to < f->x.nsinks);
        n[to]++;
    }
}

static void uniform_reaches_every_sink_equally_often_itself_included(void)
{
    static const char *const names[] = {"uniform", "many_to_few", "few_to_many", "request_reply"};
    for (int i = 0; i < 4; i++) {
        struct fitted f;
        uint32_t n[10] = {0};
        CHECK(fit(&f, names[i], "", 40, 10));
        draw(&f, 3, n, 100000);
        for (int s = 0; s < 10; s++)
            CHECK_NEAR(n[s], 10000, 4.5 * sqrt(9.0 / 100000));
        unfit(&f);
    }
}

static void hotspots_get_their_weights(void)
{
    struct fitted f;
    uint32_t n[64] = {0};
    CHECK(fit(&f, "hotspot", "traffic.hotspots=0,9,18 traffic.weights=1,5,2", 64, 64));
    draw(&f, 1, n, 80000);
    CHECK_EQ(n[0] + n[9] + n[18], 80000);
    CHECK_NEAR(n[0], 10000, 0.05);
    CHECK_NEAR(n[9], 50000, 0.02);
    CHECK_NEAR(n[18], 20000, 0.035);
    unfit(&f);
}

static void hotspots_without_weights_are_equal(void)
{
    struct fitted f;
    uint32_t n[64] = {0};
    CHECK(fit(&f, "hotspot", "traffic.hotspots=60-63", 64, 64));
    draw(&f, 1, n, 40000);
    for (int s = 60; s < 64; s++)
        CHECK_NEAR(n[s], 10000, 0.04);
    unfit(&f);
}

/* With share h on one hotspot of N sinks: h + (1 - h) / N there, (1 - h) / N elsewhere. */
static void the_rest_of_hotspot_traffic_is_uniform(void)
{
    struct fitted f;
    uint32_t n[16] = {0};
    CHECK(fit(&f, "hotspot", "traffic.hotspots=5 traffic.hotspot_share=0.2", 16, 16));
    draw(&f, 1, n, 160000);
    for (int s = 0; s < 16; s++)
        CHECK_NEAR(n[s], s == 5 ? 160000 * (0.2 + 0.8 / 16) : 160000 * 0.8 / 16, 0.05);
    unfit(&f);
}

/* 8 memory nodes, then 56 cores: a core never sends to itself. */
static void mixed_traffic_has_its_share_for_memory_nodes(void)
{
    struct fitted f;
    uint32_t n[64] = {0};
    CHECK(fit(&f, "mixed", "traffic.mc_share=0.7", 56, 64));
    f.x.nmems = 8;
    draw(&f, 5, n, 550000);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_NEAR(n[i], 550000 * 0.7 / 8, 0.02);
    for (uint32_t i = 8; i < 64; i++)
        if (i == 8 + 5)
            CHECK_EQ(n[i], 0);
        else
            CHECK_NEAR(n[i], 550000 * 0.3 / 55, 0.08);
    unfit(&f);
    CHECK(!fit(&f, "mixed", "", 1, 9));
    unfit(&f);
}

/* Sink and size of a packet come from one key: half of them to memory nodes, and half of either of five flits. */
static void the_size_of_a_packet_does_not_tell_where_it_goes(void)
{
    static const struct {
        const char *name, *settings;
    } all[] = {{"mixed", "traffic.mc_share=0.5"},
               {"hotspot", "traffic.hotspots=0-7 traffic.hotspot_share=0.5"}};
    const struct arrival_model sizes = {
        .nsizes = 2, .size = (const uint16_t[]){1, 5}, .size_cumulative = (const uint64_t[]){1, 2}};
    for (int i = 0; i < 2; i++) {
        struct fitted f;
        uint32_t packets[2] = {0}, flits[2] = {0};
        CHECK(fit(&f, all[i].name, all[i].settings, 56, 64));
        f.x.nmems = 8;
        for (uint64_t k = 0; k < 100000; k++) {
            uint64_t key = rng_at(7, k);
            bool is_far = f.p->sink(&f.x, 5, key) >= 8;
            packets[is_far]++;
            flits[is_far] += arrival_size(&sizes, key);
        }
        for (int far = 0; far < 2; far++)
            CHECK_NEAR((double)flits[far] / packets[far], 3, 0.02);
        unfit(&f);
    }
}

static void the_ends_are_where_the_pattern_says(void)
{
    struct fitted f;
    static const struct {
        const char *name;
        enum pattern_ends ends;
    } all[] = {{"uniform", ENDS_ALL},
               {"hotspot", ENDS_ALL},
               {"many_to_few", ENDS_MANY_TO_FEW},
               {"few_to_many", ENDS_FEW_TO_MANY},
               {"request_reply", ENDS_REQUEST_REPLY}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fit(&f, all[i].name, "traffic.hotspots=0", 4, 4);
        CHECK_EQ(f.p->ends, all[i].ends);
        unfit(&f);
    }
}

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *pattern, *settings;
        uint32_t nsources, nsinks;
        const char *message;
    } bad[] = {
        {"transpose", "", 80, 80,
         "--set traffic.pattern=transpose: transpose needs a square of nodes, and 80 are no 9 rows "
         "of 9"},
        {"transpose", "traffic.row=4", 64, 64,
         "--set traffic.row=4: transpose needs a square of nodes, and 64 are no 4 rows of 4"},
        {"transpose", "", 64, 16,
         "--set traffic.pattern=transpose: transpose needs as many sinks as sources, and there "
         "are 16 and 64"},
        {"bit_complement", "", 80, 80,
         "--set traffic.pattern=bit_complement: bit_complement needs a power of two of nodes, and "
         "there are 80"},
        {"bit_reverse", "", 100, 100,
         "--set traffic.pattern=bit_reverse: bit_reverse needs a power of two of nodes, and there "
         "are 100"},
        {"bit_reverse", "", 64, 32,
         "--set traffic.pattern=bit_reverse: bit_reverse needs as many sinks as sources, and there "
         "are 32 and 64"},
        {"neighbour", "traffic.row=7", 64, 64,
         "--set traffic.row=7: 64 nodes are no whole number of rows"},
        {"neighbour", "", 80, 16,
         "--set traffic.pattern=neighbour: neighbour needs as many sinks as sources, and there are "
         "16 and 80"},
        {"hotspot", "", 64, 64, "traffic.hotspots: the hotspot pattern needs a list of sinks"},
        {"hotspot", "traffic.hotspots=3,64", 64, 64,
         "--set traffic.hotspots=3,64: sink 64 does not exist (0..63 do)"},
        {"hotspot", "traffic.hotspots=1,2 traffic.weights=1,2,3", 64, 64,
         "--set traffic.weights=1,2,3: 3 weights for 2 hotspots"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fitted f;
        CHECK(!fit(&f, bad[i].pattern, bad[i].settings, bad[i].nsources, bad[i].nsinks));
        CHECK_EQ(f.err.status, STATUS_BAD_INPUT);
        CHECK_STR(f.err.text, bad[i].message);
        unfit(&f);
    }
}

CHECK_MAIN("patterns", TEST(transpose_swaps_row_and_column),
           TEST(bit_complement_turns_every_bit_round), TEST(bit_reverse_reads_the_number_backwards),
           TEST(neighbour_goes_one_on_in_each_dimension),
           TEST(tornado_goes_almost_half_way_round_each_dimension),
           TEST(permutations_reach_every_sink_once),
           TEST(uniform_reaches_every_sink_equally_often_itself_included),
           TEST(hotspots_get_their_weights), TEST(hotspots_without_weights_are_equal),
           TEST(the_rest_of_hotspot_traffic_is_uniform),
           TEST(mixed_traffic_has_its_share_for_memory_nodes),
           TEST(the_size_of_a_packet_does_not_tell_where_it_goes),
           TEST(the_ends_are_where_the_pattern_says), TEST(what_does_not_fit_is_refused))
