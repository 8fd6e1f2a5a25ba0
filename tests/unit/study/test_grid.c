#include "check.h"

#include "rig/capture.h"
#include "study/grid.h"

static const struct grid_column columns[] = {
    {"what", 12, true}, {"n", 0, false}, {"source", 10, true}};

static struct grid *example(struct arena *a)
{
    struct grid *g = grid_new(a, columns, 3);
    grid_cell(g, "%s", "short");
    grid_cell(g, "%d", 1);
    grid_cell(g, "here");
    grid_cell(g, "a text of several words");
    grid_cell(g, "%d", 12345);
    grid_cell(g, "%s", "");
    return g;
}

static void prints(const struct grid *g, int indent, int width, const char *expected)
{
    struct text t;
    text_open(&t);
    grid_print(g, indent, width, t.out);
    CHECK_STR(text_close(&t), expected);
    text_free(&t);
}

static void words_stand_left_numbers_right_and_long_ones_are_wrapped(void)
{
    struct arena *a = arena_new();
    prints(example(a), 2, 100,
           "  what              n  source\n"
           "  short             1  here\n"
           "  a text of     12345\n"
           "  several\n"
           "  words\n");
    arena_free(a);
}

static void too_many_columns_go_on_below(void)
{
    static const struct grid_column many[] = {
        {"", 0, true}, {"one", 0, false}, {"two", 0, false}, {"three", 0, false}};
    struct arena *a = arena_new();
    struct grid *g = grid_new(a, many, 4);
    for (int i = 0; i < 4; i++)
        grid_cell(g, "%d", i);
    prints(g, 0, 12,
           "   one  two\n"
           "0    1    2\n"
           "\n"
           "   three\n"
           "0      3\n");
    prints(g, 0, 3, "   one\n0    1\n\n   two\n0    2\n\n   three\n0      3\n");
    arena_free(a);
}

static void the_last_column_gives_way_first(void)
{
    static const struct grid_column two[] = {{"a", 0, true}, {"b", 40, true}};
    struct arena *a = arena_new();
    struct grid *g = grid_new(a, two, 2);
    grid_cell(g, "x");
    grid_cell(g, "some words that are many");
    prints(g, 0, 18,
           "a  b\n"
           "x  some words that\n"
           "   are many\n");
    arena_free(a);
}

static void characters_are_counted_not_bytes(void)
{
    static const struct grid_column two[] = {{"a", 4, true}, {"b", 0, false}};
    struct arena *a = arena_new();
    struct grid *g = grid_new(a, two, 2);
    grid_cell(g, "\u00b5\u00b5\u00b5\u00b5\u00b5");
    grid_cell(g, "1");
    prints(g, 0, 80,
           "a     b\n"
           "\u00b5\u00b5\u00b5\u00b5  1\n"
           "\u00b5\n");
    arena_free(a);
}

static void markdown_is_escaped(void)
{
    struct arena *a = arena_new();
    struct grid *g = grid_new(a, columns, 3);
    struct text t;
    grid_cell(g, "a_b|c");
    grid_cell(g, "1");
    grid_cell(g, "x\ny");
    text_open(&t);
    grid_markdown(g, t.out);
    CHECK_STR(text_close(&t), "| what | n | source |\n"
                              "| --- | ---: | --- |\n"
                              "| a\\_b\\|c | 1 | x y |\n");
    text_free(&t);
    arena_free(a);
}

static void text_is_wrapped_at_blanks(void)
{
    struct text t;
    text_open(&t);
    grid_wrap(" one two  three", 2, 9, t.out);
    grid_wrap("", 2, 9, t.out);
    CHECK_STR(text_close(&t), "  one two\n  three\n");
    text_free(&t);
}

CHECK_MAIN("grid", TEST(words_stand_left_numbers_right_and_long_ones_are_wrapped),
           TEST(too_many_columns_go_on_below), TEST(the_last_column_gives_way_first),
           TEST(characters_are_counted_not_bytes), TEST(markdown_is_escaped),
           TEST(text_is_wrapped_at_blanks))
