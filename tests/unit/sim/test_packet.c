#include "check.h"

#include "base/rng.h"
#include "rig/capture.h"
#include "sim/packet.h"

static void handles_in_use_are_all_different(void)
{
    enum { N = 1000 };
    struct arena *a = arena_new();
    struct packet_pool p;
    bool used[N] = {0};
    uint32_t held[N], n = 0;
    packet_pool_init(&p, a, N);
    for (uint64_t k = 0; k < 20000; k++) {
        if (n < N && (n == 0 || rng_below(rng_at(1, k), 100) < 55)) {
            uint32_t id = packet_alloc(&p);
            CHECK(id < N);
            CHECK(!used[id]);
            used[id] = true;
            held[n++] = id;
        } else {
            uint32_t i = rng_below(rng_at(2, k), n), id = held[i];
            used[id] = false;
            packet_free(&p, id);
            held[i] = held[--n];
        }
        CHECK_EQ(p.live, n);
    }
    arena_free(a);
}

static void freed_packets_are_used_before_new_ones(void)
{
    struct arena *a = arena_new();
    struct packet_pool p;
    packet_pool_init(&p, a, 4);
    for (int i = 0; i < 100; i++) {
        uint32_t x = packet_alloc(&p), y = packet_alloc(&p);
        packet_free(&p, x);
        packet_free(&p, y);
    }
    CHECK_EQ(p.live, 0);
    CHECK_EQ(p.high, 2);
    arena_free(a);
}

static void alloc_one_too_many(void)
{
    struct packet_pool p;
    packet_pool_init(&p, arena_new(), 3);
    for (int i = 0; i < 4; i++)
        packet_alloc(&p);
}

static void an_empty_pool_is_our_own_fault(void)
{
    struct death d = death_of(alloc_one_too_many);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "packet pool of 3 is empty") != NULL);
}

CHECK_MAIN("packet", TEST(handles_in_use_are_all_different),
           TEST(freed_packets_are_used_before_new_ones), TEST(an_empty_pool_is_our_own_fault))
