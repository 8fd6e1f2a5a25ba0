#include "check.h"

#include "base/arena.h"
#include "base/rng.h"
#include "rig/capture.h"

static bool is_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static void memory_is_zeroed_aligned_and_disjoint(void)
{
    enum { N = 2000 };
    struct arena *a = arena_new();
    static unsigned char *at[N];
    static size_t size[N];
    for (int i = 0; i < N; i++) { /* across many chunks, some larger than one */
        size[i] = rng_below(rng_at(1, (uint64_t)i), i % 50 == 0 ? 200000 : 300);
        at[i] = arena_alloc(a, size[i]);
        CHECK(is_zero(at[i], size[i]));
        CHECK_EQ((uintptr_t)at[i] % (size[i] >= 64 ? 64 : 16), 0);
        memset(at[i], i & 0xff, size[i]);
    }
    for (int i = 0; i < N; i++)
        for (size_t k = 0; k < size[i]; k++)
            if (at[i][k] != (i & 0xff))
                CHECK_EQ(at[i][k], i & 0xff);
    arena_free(a);
}

static void bytes_counts_what_was_asked_for(void)
{
    struct arena *a = arena_new();
    CHECK_EQ(arena_bytes(a), 0);
    arena_alloc(a, 3);
    arena_alloc(a, 1 << 20);
    (void)ARENA_ARRAY(a, int64_t, 5);
    CHECK_EQ(arena_bytes(a), 3 + (1 << 20) + 40);
    arena_free(a);
}

static void empty_objects_are_distinct(void)
{
    struct arena *a = arena_new();
    void *p = arena_alloc(a, 0), *q = arena_alloc(a, 0);
    CHECK(p && q && p != q);
    arena_free(a);
}

static void a_large_table_that_is_not_touched_costs_nothing(void)
{
    struct arena *a = arena_new();
    char *p = arena_alloc(a, (size_t)1 << 30);
    p[0] = p[(1 << 30) - 1] = 1;
    CHECK_EQ(p[1 << 29], 0);
    arena_free(a);
}

static void a_large_object_does_not_end_the_current_chunk(void)
{
    struct arena *a = arena_new();
    char *p = arena_alloc(a, 16);
    arena_alloc(a, 1 << 20);
    char *q = arena_alloc(a, 16);
#if defined(__SANITIZE_ADDRESS__)
    CHECK(p != q); /* every object is on its own there */
#else
    CHECK_EQ(q - p, 16);
#endif
    arena_free(a);
}

static void strings_are_copied_and_formatted(void)
{
    struct arena *a = arena_new();
    char word[] = "mesh";
    char *copy = arena_strdup(a, word);
    word[0] = 'x';
    CHECK_STR(copy, "mesh");
    CHECK_STR(arena_strdup(a, ""), "");
    CHECK_STR(arena_printf(a, "%s[%d]", copy, 12), "mesh[12]");
    CHECK_STR(arena_printf(a, "%s", ""), "");
    arena_free(a);
}

static void freeing_nothing_is_fine(void)
{
    arena_free(NULL);
    arena_free(arena_new());
}

static void ask_for_too_much(void)
{
    arena_alloc(arena_new(), SIZE_MAX - 8);
}

static void ask_for_half(void)
{
    arena_alloc(arena_new(), SIZE_MAX / 2 + 1);
}

static void ask_for_a_product_that_wraps(void)
{
    (void)ARENA_ARRAY(arena_new(), int64_t, SIZE_MAX / 8 + 2);
}

static void ask_for_a_negative_number(void)
{
    int n = -1;
    (void)ARENA_ARRAY(arena_new(), int64_t, n);
}

static void running_out_of_memory_is_one_line_and_status_4(void)
{
    void (*const ways[])(void) = {ask_for_too_much, ask_for_half, ask_for_a_product_that_wraps,
                                  ask_for_a_negative_number};
    for (int i = 0; i < 4; i++) {
        struct death d = death_of(ways[i]);
        CHECK_EQ(d.status, 4);
        CHECK(strncmp(d.text, "heddle: out of memory", 21) == 0);
        CHECK(strchr(d.text, '\n') == d.text + strlen(d.text) - 1);
    }
}

CHECK_MAIN("arena", TEST(memory_is_zeroed_aligned_and_disjoint),
           TEST(bytes_counts_what_was_asked_for), TEST(empty_objects_are_distinct),
           TEST(a_large_table_that_is_not_touched_costs_nothing),
           TEST(a_large_object_does_not_end_the_current_chunk),
           TEST(strings_are_copied_and_formatted), TEST(freeing_nothing_is_fine),
           TEST(running_out_of_memory_is_one_line_and_status_4))
