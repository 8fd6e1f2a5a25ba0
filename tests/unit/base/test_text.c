#include "base/text.h"

#include "check.h"

static void write_lines(const void *n, FILE *out)
{
    for (int i = 0; i < *(const int *)n; i++)
        fprintf(out, "line %d\n", i);
}

static void what_is_written_is_the_text(void)
{
    struct arena *a = arena_new();
    int two = 2, none = 0, many = 100000;
    CHECK_STR(text_of(a, write_lines, &two), "line 0\nline 1\n");
    CHECK_STR(text_of(a, write_lines, &none), "");
    const char *long_one = text_of(a, write_lines, &many);
    CHECK_STR(long_one + strlen(long_one) - 11, "line 99999\n");
    arena_free(a);
}

CHECK_MAIN("text", TEST(what_is_written_is_the_text))
