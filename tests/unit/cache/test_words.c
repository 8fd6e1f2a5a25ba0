#include "cache/words.h"

#include "cache/policy.h"
#include "check.h"

static void words_are_bits(void)
{
    CHECK_EQ(words_kinds("read"), 1u << REQUEST_READ);
    CHECK_EQ(words_kinds("reduce|write"), 1u << REQUEST_REDUCE | 1u << REQUEST_WRITE);
    CHECK_EQ(words_kinds("all"), (1u << REQUEST_KINDS) - 1);
    CHECK_EQ(words_spaces("texture|local"), 1u << STREAM_TEX | 1u << STREAM_LOCAL);
    CHECK_EQ(words_spaces("all"), (1u << STREAM_SPACES) - 1);
}

/* All words together are "all", so none is missing. */
static void every_kind_and_space_has_a_word(void)
{
    CHECK_EQ(words_kinds("read|write|atomic|reduce"), words_kinds("all"));
    CHECK_EQ(words_spaces("global|shared|local|const|texture|param"), words_spaces("all"));
}

static void what_is_no_word_is_nothing(void)
{
    CHECK_EQ(words_kinds("reads"), 0);
    CHECK_EQ(words_kinds("read|"), 0);
    CHECK_EQ(words_kinds(""), 0);
    CHECK_EQ(words_spaces("read"), 0);
}

CHECK_MAIN("words", TEST(words_are_bits), TEST(every_kind_and_space_has_a_word),
           TEST(what_is_no_word_is_nothing))
