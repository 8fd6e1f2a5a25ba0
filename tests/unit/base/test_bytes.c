#include "check.h"

#include "base/bytes.h"

static const uint64_t numbers[] = {
    0, 1, 127, 128, 16383, 16384, UINT32_MAX, 1ull << 32, UINT64_MAX / 3, INT64_MAX, UINT64_MAX};
enum { N = sizeof numbers / sizeof numbers[0] };

static void numbers_read_as_they_were_written(void)
{
    struct bytes b = {0};
    for (int i = 0; i < N; i++) {
        bytes_put_varint(&b, numbers[i]);
        bytes_put_u8(&b, (uint8_t)numbers[i]);
        bytes_put_u32(&b, (uint32_t)numbers[i]);
        bytes_put_u64(&b, numbers[i]);
    }
    struct bytes_in in = {b.at, b.at + b.used, false};
    for (int i = 0; i < N; i++) {
        CHECK(bytes_take_varint(&in) == numbers[i]);
        CHECK_EQ(bytes_take_u8(&in), (uint8_t)numbers[i]);
        CHECK_EQ(bytes_take_u32(&in), (uint32_t)numbers[i]);
        CHECK(bytes_take_u64(&in) == numbers[i]);
    }
    CHECK(!in.is_short && bytes_left(&in) == 0);
    bytes_free(&b);
}

static void numbers_have_the_same_bytes_on_every_machine(void)
{
    struct bytes b = {0};
    bytes_put_u32(&b, 0x04030201);
    bytes_put_u64(&b, 0x0c0b0a0908070605);
    bytes_put_varint(&b, 300);
    for (int i = 0; i < 12; i++)
        CHECK_EQ(b.at[i], i + 1);
    CHECK(b.used == 14 && b.at[12] == 0xac && b.at[13] == 0x02);
    bytes_free(&b);
}

static void small_differences_of_either_sign_fold_to_small_numbers(void)
{
    CHECK_EQ(bytes_zigzag(0), 0);
    CHECK_EQ(bytes_zigzag((uint64_t)-1), 1);
    CHECK_EQ(bytes_zigzag(1), 2);
    CHECK_EQ(bytes_zigzag((uint64_t)-64), 127);
    for (int i = 0; i < N; i++)
        CHECK(bytes_unzigzag(bytes_zigzag(numbers[i])) == numbers[i]);
}

static void what_ends_too_early_is_zero_and_said_to_be_short(void)
{
    const uint8_t three[] = {0x81, 0x82, 0x83};
    struct bytes_in in = {three, three + 3, false};
    CHECK_EQ(bytes_take_u32(&in), 0);
    CHECK(in.is_short && bytes_left(&in) == 0);
    in = (struct bytes_in){three, three + 3, false};
    CHECK_EQ(bytes_take_varint(&in), 0);
    CHECK(in.is_short);
    in = (struct bytes_in){three, three + 3, false};
    CHECK(bytes_take(&in, 3) == three && bytes_take(&in, 0) == three + 3 && !in.is_short);
    CHECK(!bytes_take(&in, 1) && in.is_short);
    in = (struct bytes_in){three, three, false};
    CHECK(bytes_take_u8(&in) == 0 && in.is_short);
}

static void a_number_of_more_than_64_bits_or_above_the_limit_is_refused(void)
{
    uint8_t long_one[10] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    struct bytes_in in = {long_one, long_one + 10, false};
    CHECK(bytes_take_varint(&in) == UINT64_MAX && !in.is_short);
    long_one[9] = 0x02;
    in = (struct bytes_in){long_one, long_one + 10, false};
    CHECK(bytes_take_varint(&in) == 0 && in.is_short);
    const uint8_t seven = 7;
    in = (struct bytes_in){&seven, &seven + 1, false};
    CHECK(bytes_take_at_most(&in, 7) == 7 && !in.is_short);
    in = (struct bytes_in){&seven, &seven + 1, false};
    CHECK(bytes_take_at_most(&in, 6) == 0 && in.is_short);
}

static void any_changed_bit_and_any_length_changes_the_hash(void)
{
    uint8_t text[40] = {0};
    for (size_t n = 0; n < sizeof text; n++) {
        uint64_t h = bytes_hash(1, text, n);
        CHECK(h != bytes_hash(2, text, n));
        CHECK(h != bytes_hash(1, text, n + 1)); /* one more zero */
        for (size_t bit = 0; bit < 8 * n; bit++) {
            text[bit / 8] ^= (uint8_t)(1 << bit % 8);
            CHECK(h != bytes_hash(1, text, n));
            text[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static void a_freed_buffer_can_be_filled_again(void)
{
    struct bytes b = {0};
    bytes_put(&b, NULL, 0);
    CHECK(b.used == 0);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 3000; i++)
            bytes_put_u32(&b, i);
        CHECK(b.used == 12000 && bytes_load64(b.at + 11992) == (2999ull << 32 | 2998));
        bytes_free(&b);
        CHECK(b.used == 0 && !b.at);
    }
}

static void texts_and_numbers_are_hashed_as_their_bytes(void)
{
    const uint8_t number[] = {8, 7, 6, 5, 4, 3, 2, 1};
    CHECK_EQ(bytes_hash_text(3, "ab"), bytes_hash(3, "ab\0", 3));
    CHECK_EQ(bytes_hash_u64(3, 0x0102030405060708), bytes_hash(3, number, 8));
}

CHECK_MAIN("bytes", TEST(numbers_read_as_they_were_written),
           TEST(numbers_have_the_same_bytes_on_every_machine),
           TEST(small_differences_of_either_sign_fold_to_small_numbers),
           TEST(what_ends_too_early_is_zero_and_said_to_be_short),
           TEST(a_number_of_more_than_64_bits_or_above_the_limit_is_refused),
           TEST(any_changed_bit_and_any_length_changes_the_hash),
           TEST(a_freed_buffer_can_be_filled_again),
           TEST(texts_and_numbers_are_hashed_as_their_bytes))
