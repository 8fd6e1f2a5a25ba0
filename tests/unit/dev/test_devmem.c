#define _DEFAULT_SOURCE /* mincore */
/* Device memory: allocations, what is said of wrong addresses, copies. */
#include "base/rng.h"
#include <sys/mman.h>

#include "check.h"
#include "dev/devmem.h"

#define MIB ((uint64_t)1 << 20)

static struct devmem *fresh(uint64_t capacity)
{
    struct err e = {0};
    struct devmem *m = devmem_new(capacity, &e);
    CHECK(m != NULL);
    return m;
}

static uint64_t take(struct devmem *m, uint64_t bytes)
{
    struct err e = {0};
    uint64_t at = devmem_alloc(m, bytes, &e);
    CHECK(at != 0);
    return at;
}

static void give(struct devmem *m, uint64_t at)
{
    struct err e = {0};
    CHECK(devmem_release(m, at, &e));
}

static void allocations_are_aligned_apart_and_zero(void)
{
    struct devmem *m = fresh(0);
    uint64_t last_end = 0;
    static const uint64_t sizes[] = {1, 255, 256, 257, 4096, 100000, 3 * MIB, 1};
    for (int k = 0; k < 8; k++) {
        uint64_t at = take(m, sizes[k]);
        CHECK_EQ(at % 256, 0);
        CHECK(at >= DEVMEM_BASE && at > last_end);
        last_end = at + sizes[k];
        struct devmem_range r;
        CHECK(devmem_find(m, at, &r));
        CHECK(r.lo == at && r.hi == last_end);
        CHECK(devmem_find(m, last_end - 1, &r));
        CHECK(!devmem_find(m, last_end, &r));
        CHECK(!devmem_find(m, at - 1, &r));
        CHECK_EQ(devmem_host(m)[at + sizes[k] - 1], 0);
        devmem_host(m)[at + sizes[k] - 1] = 1;
    }
    CHECK_EQ(devmem_live_bytes(m), 1 + 255 + 256 + 257 + 4096 + 100000 + 3 * MIB + 1);
    devmem_free_all(m);
}

static void an_allocation_of_nothing_has_an_address_but_no_byte(void)
{
    struct devmem *m = fresh(0);
    uint64_t a = take(m, 0), b = take(m, 0);
    struct devmem_range r;
    CHECK(a != b);
    CHECK(!devmem_find(m, a, &r));
    give(m, a);
    give(m, b);
    devmem_free_all(m);
}

static const char *explain(struct devmem *m, uint64_t at, uint64_t bytes, char text[200])
{
    devmem_explain(m, at, bytes, text, 200);
    return text;
}

static void wrong_addresses_are_explained(void)
{
    struct devmem *m = fresh(0);
    char text[200], expected[200];
    uint64_t a = take(m, 1024), b = take(m, 64);
    snprintf(expected, sizeof expected, "4 bytes past the end of the allocation at 0x%llx(+1024)",
             (unsigned long long)a);
    CHECK_STR(explain(m, a + 1028, 4, text), expected);
    CHECK_STR(explain(m, a + 1020, 8, text), expected);
    CHECK_STR(explain(m, a - 4, 4, text), "outside any allocation");
    CHECK_STR(explain(m, 0, 4, text), "outside any allocation");
    CHECK_STR(explain(m, UINT64_MAX, 4, text), "outside any allocation");
    give(m, b);
    snprintf(expected, sizeof expected,
             "in freed memory, 60 bytes into the allocation that was at 0x%llx(+64)",
             (unsigned long long)b);
    CHECK_STR(explain(m, b + 60, 4, text), expected);
    devmem_free_all(m);
}

static void only_the_start_of_a_live_allocation_can_be_freed(void)
{
    struct devmem *m = fresh(0);
    uint64_t a = take(m, 1024);
    struct err e = {0};
    CHECK(!devmem_release(m, a + 256, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "not an allocation's start") != NULL);
    give(m, a);
    struct err twice = {0};
    CHECK(!devmem_release(m, a, &twice));
    CHECK(strstr(twice.text, "freed memory") != NULL);
    CHECK_EQ(devmem_live_bytes(m), 0);
    devmem_free_all(m);
}

static void freed_places_come_back_only_when_space_runs_out_and_then_as_zeros(void)
{
    struct devmem *m = fresh(64 * MIB);
    uint64_t a = take(m, 20 * MIB), b = take(m, 20 * MIB);
    memset(devmem_host(m) + a, 0xff, 20 * MIB);
    give(m, a);
    uint64_t c = take(m, 20 * MIB); /* there is still room above */
    CHECK(c > b);
    uint64_t d = take(m, 19 * MIB);
    CHECK(d <= a && d + 19 * MIB > a);
    for (uint64_t k = 0; k < 19 * MIB; k += 1000)
        CHECK_EQ(devmem_host(m)[d + k], 0);
    struct devmem_range r;
    CHECK(devmem_find(m, d + 5, &r) && r.lo == d);
    char text[200];
    CHECK_STR(explain(m, d + 5, 4, text), ""); /* no longer freed memory */
    struct err e = {0};
    CHECK_EQ(devmem_alloc(m, 20 * MIB, &e), 0);
    CHECK_EQ(e.status, STATUS_BUDGET);
    CHECK(strstr(e.text, "out of device memory") != NULL);
    devmem_free_all(m);
}

static bool is_resident(const struct devmem *m, uint64_t at)
{
    uintptr_t place = (uintptr_t)devmem_host(m) + at;
    unsigned char in_memory = 0;
    CHECK_EQ(mincore((void *)(place & ~(uintptr_t)4095), 1, &in_memory), 0);
    return in_memory & 1;
}

static void pages_of_small_allocations_go_back_to_the_system(void)
{
    struct err e = {0};
    struct devmem *m = devmem_new(1 << 30, &e);
    uint64_t a[3];
    uint8_t one = 1;
    for (int i = 0; i < 3; i++) {
        a[i] = devmem_alloc(m, 100, &e);
        CHECK(devmem_write(m, a[i], &one, 1, &e));
    }
    CHECK(is_resident(m, a[1]));
    CHECK(devmem_release(m, a[1], &e));
    CHECK(!is_resident(m, a[1]));
    uint64_t near = devmem_alloc(m, 5000, &e); /* its second page has the begin of the next */
    uint64_t next = devmem_alloc(m, 100, &e);
    uint8_t got = 0;
    CHECK(devmem_write(m, near + 4999, &one, 1, &e) && devmem_write(m, next, &one, 1, &e));
    CHECK(devmem_release(m, near, &e));
    CHECK(devmem_read(m, &got, next, 1, &e) && devmem_read(m, &one, a[0], 1, &e));
    CHECK(got == 1 && one == 1);
    devmem_free_all(m);
}

static void absurd_sizes_are_refused(void)
{
    struct devmem *m = fresh(64 * MIB);
    struct err e = {0}, f = {0}, g = {0};
    CHECK_EQ(devmem_alloc(m, UINT64_MAX, &e), 0);
    CHECK_EQ(e.status, STATUS_BUDGET);
    CHECK_EQ(devmem_alloc(m, 64 * MIB, &f), 0);
    CHECK(take(m, MIB) != 0);
    devmem_free_all(m);
    CHECK(devmem_new(UINT64_MAX / 2, &g) == NULL);
    CHECK(g.text[0] != '\0');
}

static void copies_stay_within_one_allocation(void)
{
    struct devmem *m = fresh(0);
    uint64_t a = take(m, 16), b = take(m, 16);
    char out[17] = {0};
    struct err e = {0};
    CHECK(devmem_write(m, a, "0123456789abcdef", 16, &e));
    CHECK(devmem_copy(m, b + 4, a, 12, &e));
    CHECK(devmem_set(m, b, 'x', 4, &e));
    CHECK(devmem_read(m, out, b, 16, &e));
    CHECK_STR(out, "xxxx0123456789ab");
    CHECK(devmem_copy(m, b + 1, b, 8, &e)); /* overlapping */
    CHECK(devmem_read(m, out, b, 16, &e));
    CHECK_STR(out, "xxxxx012356789ab");
    CHECK(devmem_write(m, 0, NULL, 0, &e)); /* nothing goes anywhere */
    struct err bad[4] = {{0}};
    CHECK(!devmem_write(m, a + 1, out, 16, &bad[0]));
    CHECK(strstr(bad[0].text, "writing 16 bytes of device memory at 0x") != NULL);
    CHECK(strstr(bad[0].text, "1 bytes past the end") != NULL);
    CHECK(!devmem_read(m, out, a - 1, 2, &bad[1]));
    CHECK(!devmem_copy(m, a, b, 17, &bad[2]));
    CHECK(!devmem_set(m, a, 0, UINT64_MAX, &bad[3]));
    for (int k = 0; k < 4; k++)
        CHECK_EQ(bad[k].status, STATUS_BAD_INPUT);
    devmem_free_all(m);
}

/* Random allocations and frees against a plain list. */
static void the_sorted_lists_agree_with_a_plain_one(void)
{
    struct devmem *m = fresh(0);
    uint64_t key = rng_key(7, 0), draws = 0;
    struct devmem_range live[300];
    int n = 0;
    uint64_t bytes = 0;
    for (int step = 0; step < 3000; step++) {
        if (n < 300 && (n == 0 || rng_below(rng_at(key, draws++), 5) < 3)) {
            uint64_t size = 1 + rng_below(rng_at(key, draws++), 5000);
            uint64_t at = take(m, size);
            live[n++] = (struct devmem_range){at, at + size};
            bytes += size;
        } else {
            int k = (int)rng_below(rng_at(key, draws++), (uint32_t)n);
            give(m, live[k].lo);
            bytes -= live[k].hi - live[k].lo;
            live[k] = live[--n];
        }
        CHECK_EQ(devmem_live_bytes(m), bytes);
    }
    for (int k = 0; k < n; k++) {
        struct devmem_range r;
        CHECK(devmem_find(m, live[k].hi - 1, &r));
        CHECK(r.lo == live[k].lo && r.hi == live[k].hi);
    }
    devmem_free_all(m);
}

CHECK_MAIN("devmem", TEST(allocations_are_aligned_apart_and_zero),
           TEST(an_allocation_of_nothing_has_an_address_but_no_byte),
           TEST(wrong_addresses_are_explained),
           TEST(only_the_start_of_a_live_allocation_can_be_freed),
           TEST(freed_places_come_back_only_when_space_runs_out_and_then_as_zeros),
           TEST(pages_of_small_allocations_go_back_to_the_system), TEST(absurd_sizes_are_refused),
           TEST(copies_stay_within_one_allocation), TEST(the_sorted_lists_agree_with_a_plain_one))
