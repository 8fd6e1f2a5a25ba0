/* The line of registers: grouped by source, each kernel once, no wider than a screen. */
#include "check.h"
#include "cli/registers_out.h"

#include <stdlib.h>

static void says(const struct registers_out *rows, uint32_t n, const char *expected)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    registers_out_print(rows, n, out);
    fclose(out);
    CHECK_STR(text, expected);
    free(text);
}

static void equal_rows_are_said_once_and_sources_apart(void)
{
    const struct registers_out rows[] = {{"a", 22, "ptxas"}, {"b", 40, "set"},
                                         {"a", 22, "ptxas"}, {"c", 9, "ptxas"},
                                         {"d", 1, "given"},  {"never_began", 0, NULL}};
    says(rows, 6, "registers per thread: a 22, c 9 (ptxas); d 1 (given); b 40 (set)\n");
    says(rows, 1, "registers per thread: a 22 (ptxas)\n");
    says(rows + 5, 1, "");
    says(rows, 0, "");
}

static void long_lists_are_broken_into_lines(void)
{
    struct registers_out rows[8];
    for (uint32_t i = 0; i < 8; i++)
        rows[i] = (struct registers_out){"kernel_of_twenty_four_ch", i, "liveness"};
    says(rows, 8,
         "registers per thread: kernel_of_twenty_four_ch 0, kernel_of_twenty_four_ch 1,\n"
         "  kernel_of_twenty_four_ch 2, kernel_of_twenty_four_ch 3, kernel_of_twenty_four_ch 4,\n"
         "  kernel_of_twenty_four_ch 5, kernel_of_twenty_four_ch 6, kernel_of_twenty_four_ch 7 "
         "(liveness)\n");
}

static void no_line_is_wider_than_a_screen(void)
{
    char name[41] = "";
    for (int length = 1; length <= 40; length++) {
        struct registers_out rows[9];
        memset(name, 'k', (size_t)length);
        for (uint32_t i = 0; i < 9; i++)
            rows[i] = (struct registers_out){name, 247 + i, i < 5 ? "liveness" : "ptxas"};
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        registers_out_print(rows, 9, out);
        fclose(out);
        for (const char *p = text; *p; p += strcspn(p, "\n") + 1)
            CHECK(strcspn(p, "\n") <= 100);
        free(text);
    }
}

CHECK_MAIN("registers_out", TEST(equal_rows_are_said_once_and_sources_apart),
           TEST(long_lists_are_broken_into_lines), TEST(no_line_is_wider_than_a_screen))
