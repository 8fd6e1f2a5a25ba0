#include "check.h"

#include "mem/request.h"
#include "rig/capture.h"

static void the_parts_of_a_latency_sum_to_the_whole_whatever_way_it_took(void)
{
    struct request r = {.stamp = 100};
    request_mark(&r, PART_SM, 107);
    request_mark(&r, PART_REQUEST, 150);
    request_mark(&r, PART_L2, 150); /* no time at all */
    request_mark(&r, PART_DRAM, 400);
    request_mark(&r, PART_L2, 410); /* a part can come twice */
    request_mark(&r, PART_REPLY, 450);
    request_mark(&r, PART_RETURN, 460);
    CHECK_EQ(r.part[PART_SM], 7);
    CHECK_EQ(r.part[PART_L2], 10);
    CHECK_EQ(r.part[PART_DRAM], 250);
    CHECK_EQ(request_latency(&r), 360);
}

static void shares_of_a_pool_do_not_overlap_and_end(void)
{
    struct arena *a = arena_new();
    struct request_pool whole;
    request_pool_init(&whole, a, 10);
    struct request_pool one = request_pool_part(&whole, 0, 4);
    struct request_pool two = request_pool_part(&whole, 4, 6);
    uint32_t seen = 0;
    for (int i = 0; i < 4; i++) {
        CHECK(request_pool_has_room(&one));
        seen |= 1u << packet_alloc(&one.packets);
    }
    CHECK(!request_pool_has_room(&one));
    for (int i = 0; i < 6; i++) {
        CHECK(request_pool_has_room(&two));
        uint32_t id = packet_alloc(&two.packets);
        CHECK_EQ(seen >> id & 1, 0);
        seen |= 1u << id;
    }
    CHECK(!request_pool_has_room(&two));
    CHECK_EQ(seen, 0x3ff);
    packet_free(&one.packets, 2);
    CHECK(request_pool_has_room(&one));
    CHECK(!request_pool_has_room(&two));
    CHECK_EQ(packet_alloc(&one.packets), 2);
    CHECK(one.at == two.at); /* the requests themselves are everybody's */
    arena_free(a);
}

static void take_too_large_a_share(void)
{
    struct arena *a = arena_new();
    struct request_pool whole;
    request_pool_init(&whole, a, 10);
    request_pool_part(&whole, 5, 6);
}

static void a_share_beyond_the_pool_is_our_own_fault(void)
{
    struct death d = death_of(take_too_large_a_share);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "a share of 6 at 5 in a pool of 10") != NULL);
}

static void data_goes_with_writes_and_comes_with_reads_and_atomics(void)
{
    static const struct {
        uint8_t kind;
        uint32_t there, back;
    } cases[] = {{REQUEST_READ, 8, 136},
                 {REQUEST_WRITE, 136, 8},
                 {REQUEST_ATOMIC, 136, 136},
                 {REQUEST_REDUCE, 136, 8}};
    for (int i = 0; i < 4; i++) {
        struct request r = {.kind = cases[i].kind, .bytes = 128};
        CHECK_EQ(request_message_bytes(&r, false), cases[i].there);
        CHECK_EQ(request_message_bytes(&r, true), cases[i].back);
    }
}

static void a_message_fills_whole_flits(void)
{
    struct request r = {.kind = REQUEST_WRITE, .bytes = 24};
    CHECK_EQ(request_flits(&r, false, 32), 1); /* 8 + 24: just one */
    r.bytes = 25;
    CHECK_EQ(request_flits(&r, false, 32), 2);
    r.bytes = 128;
    CHECK_EQ(request_flits(&r, false, 32), 5);
    CHECK_EQ(request_flits(&r, true, 32), 1);
    CHECK_EQ(request_flits(&r, false, 16), 9);
}

static void words_lie_in_their_sectors(void)
{
    CHECK_EQ(request_sectors_of(0), 0);
    CHECK_EQ(request_sectors_of(0x00000001), 1);
    CHECK_EQ(request_sectors_of(0x00000180), 3); /* across a border */
    CHECK_EQ(request_sectors_of(0x80000000), 8);
    CHECK_EQ(request_words_of(0), 0);
    CHECK_EQ(request_words_of(5), 0x00ff00ff);
    for (uint8_t s = 0; s < 16; s++)
        CHECK_EQ(request_sectors_of(request_words_of(s)), s);
}

static void a_program_is_told_by_the_highest_bits_of_its_addresses(void)
{
    struct request r = {.line = 0x1234580};
    CHECK_EQ(request_program(&r), 0);
    r.line |= (uint64_t)1 << 50 | (uint64_t)1 << 48; /* local memory, parameters */
    CHECK_EQ(request_program(&r), 0);
    r.line += (uint64_t)11 << REQUEST_PROGRAM_SHIFT;
    CHECK_EQ(request_program(&r), 11);
}

CHECK_MAIN("request", TEST(the_parts_of_a_latency_sum_to_the_whole_whatever_way_it_took),
           TEST(shares_of_a_pool_do_not_overlap_and_end),
           TEST(a_share_beyond_the_pool_is_our_own_fault),
           TEST(data_goes_with_writes_and_comes_with_reads_and_atomics),
           TEST(a_message_fills_whole_flits), TEST(words_lie_in_their_sectors),
           TEST(a_program_is_told_by_the_highest_bits_of_its_addresses))
