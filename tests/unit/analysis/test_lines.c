#include "check.h"

#include "analysis/lines.h"
#include "base/rng.h"

static void keys_get_numbers_in_the_order_of_their_coming(void)
{
    struct lines l = {.bytes = sizeof(uint64_t)};
    CHECK_EQ(lines_find(&l, 7), LINES_NONE);
    CHECK_EQ(lines_add(&l, 7), 0);
    CHECK_EQ(lines_add(&l, 0), 1);
    CHECK_EQ(lines_add(&l, UINT64_MAX), 2);
    CHECK_EQ(lines_add(&l, 7), 0);
    CHECK_EQ(lines_find(&l, UINT64_MAX), 2);
    CHECK_EQ(lines_find(&l, 8), LINES_NONE);
    CHECK_EQ(l.n, 3);
    CHECK_EQ(l.key[1], 0);
    lines_clear(&l);
    CHECK_EQ(l.n, 0);
    CHECK_EQ(lines_find(&l, 7), LINES_NONE);
    CHECK_EQ(lines_add(&l, 9), 0);
    CHECK_EQ(*(uint64_t *)lines_at(&l, 0), 0); /* a record begins with zeros */
    lines_clear(&l);
}

static void records_stay_with_their_keys_however_many_come(void)
{
    enum { KEYS = 5000 };
    struct lines l = {.bytes = sizeof(uint64_t)};
    for (uint64_t i = 0; i < 4 * KEYS; i++) {
        uint64_t key = rng_below(rng_at(3, i), KEYS) * 128;
        uint32_t at = lines_add(&l, key);
        uint64_t *record = lines_at(&l, at);
        CHECK(*record == 0 || *record == key + 1);
        *record = key + 1;
    }
    for (uint32_t i = 0; i < l.n; i++) {
        CHECK_EQ(lines_find(&l, l.key[i]), i);
        CHECK_EQ(*(uint64_t *)lines_at(&l, i), l.key[i] + 1);
    }
    CHECK(l.n > KEYS / 2 && l.n <= KEYS);
    lines_clear(&l);
}

static void keys_alone_need_no_records(void)
{
    struct lines l = {0};
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_EQ(lines_add(&l, i << 32), i);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_EQ(lines_find(&l, i << 32), i);
    lines_clear(&l);
}

CHECK_MAIN("lines", TEST(keys_get_numbers_in_the_order_of_their_coming),
           TEST(records_stay_with_their_keys_however_many_come), TEST(keys_alone_need_no_records))
