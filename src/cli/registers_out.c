/* registers_out.c - registers per thread and where they are from, in as few lines as it takes. */
#include "cli/registers_out.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 100, ROOM = 9 }; /* ROOM: of a count, and of what stands around count and source */

static bool is_first(const struct registers_out *rows, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (rows[k].from && strcmp(rows[k].from, rows[i].from) == 0 &&
            strcmp(rows[k].kernel, rows[i].kernel) == 0 && rows[k].registers == rows[i].registers)
            return false;
    return true;
}

/* Rows of one source; returns the column where the line ends. */
static int print_source(const struct registers_out *rows, uint32_t n, const char *from, int column,
                        FILE *out)
{
    const char *between = column > 0 ? ";" : "registers per thread:";
    for (uint32_t i = 0; i < n; i++) {
        if (!rows[i].from || strcmp(rows[i].from, from) != 0 || !is_first(rows, i))
            continue;
        column += fprintf(out, "%s", between);
        if (column + (int)(strlen(rows[i].kernel) + strlen(from)) + ROOM > WIDTH)
            column = fprintf(out, "\n ") - 1;
        column += fprintf(out, " %s %u", rows[i].kernel, rows[i].registers);
        between = ",";
    }
    return *between == ',' ? column + fprintf(out, " (%s)", from) : column;
}

void registers_out_print(const struct registers_out *rows, uint32_t n, FILE *out)
{
    static const char *const sources[] = {"ptxas", "liveness", "given", "set"};
    int column = 0;
    for (size_t s = 0; s < sizeof sources / sizeof sources[0]; s++)
        column = print_source(rows, n, sources[s], column, out);
    if (column > 0)
        fputc('\n', out);
}
