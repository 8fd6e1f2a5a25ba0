/* table.c - tables for people: a pass over all rows finds the widths, another prints. */
#include "cli/table.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"

enum { MAX_COLUMNS = 24 };

struct cell {
    struct cell *next;
    const char *text;
};

struct table {
    struct arena *arena;
    int columns;
    const char *const *heads;
    struct cell *first, **last;
};

static bool is_left(const struct table *t, int column)
{
    return t->heads[column][0] == '<';
}

static const char *head(const struct table *t, int column)
{
    return t->heads[column] + is_left(t, column);
}

struct table *table_new(struct arena *a, const char *const *heads, int columns)
{
    HD_ASSERT(columns <= MAX_COLUMNS, "%d columns", columns);
    struct table *t = ARENA_NEW(a, struct table);
    *t = (struct table){.arena = a, .columns = columns, .heads = heads, .last = &t->first};
    return t;
}

void table_cell(struct table *t, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct cell *c = ARENA_NEW(t->arena, struct cell);
    c->text = arena_strdup(t->arena, text);
    *t->last = c;
    t->last = &c->next;
}

static void print_cell(const struct table *t, int column, int width, const char *text, FILE *out)
{
    bool is_last = column == t->columns - 1;
    if (column > 0)
        fputs("  ", out);
    if (!is_left(t, column))
        fprintf(out, "%*s", width, text);
    else if (is_last)
        fputs(text, out);
    else
        fprintf(out, "%-*s", width, text);
    if (is_last)
        fputc('\n', out);
}

void table_print(const struct table *t, FILE *out)
{
    int width[MAX_COLUMNS] = {0}, column = 0;
    for (int i = 0; i < t->columns; i++)
        width[i] = (int)strlen(head(t, i));
    for (const struct cell *c = t->first; c; c = c->next, column = (column + 1) % t->columns)
        if ((int)strlen(c->text) > width[column])
            width[column] = (int)strlen(c->text);
    HD_ASSERT(column == 0, "a row lacks cells");
    for (int i = 0; i < t->columns; i++)
        print_cell(t, i, width[i], head(t, i), out);
    for (const struct cell *c = t->first; c; c = c->next, column = (column + 1) % t->columns)
        print_cell(t, column, width[column], c->text, out);
}

/* Three digits and the first unit in which they are below `base`. */
static const char *scaled(struct arena *a, double v, double base, const char *const units[5])
{
    int unit = 0;
    while (unit < 4 && v >= (unit ? base * 0.9995 : base)) {
        v /= base;
        unit++;
    }
    int decimals = unit == 0 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2;
    return arena_printf(a, "%.*f%s", decimals, v, units[unit]);
}

const char *table_count(struct arena *a, double v)
{
    static const char *const units[5] = {"", "k", "M", "G", "T"};
    return scaled(a, v, 1000, units);
}

const char *table_launches(struct arena *a, uint64_t n)
{
    return arena_printf(a, "%llu launch%s", (unsigned long long)n, n == 1 ? "" : "es");
}

const char *table_bytes(struct arena *a, double v)
{
    static const char *const units[5] = {" B", " KiB", " MiB", " GiB", " TiB"};
    return scaled(a, v, 1024, units);
}
