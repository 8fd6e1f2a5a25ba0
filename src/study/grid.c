/* grid.c - tables for people: a pass over the cells finds the widths, another prints.
 *
 * Width is counted in characters, not in bytes; that some characters are two columns wide is left
 * out. */
#include "study/grid.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"

enum { MAX_COLUMNS = 256, GAP = 2, LEAST = 10 };

struct cell {
    struct cell *next;
    const char *text;
};

struct grid {
    struct arena *arena;
    const struct grid_column *columns;
    int n;
    int width[MAX_COLUMNS]; /* of the widest, capped */
    struct cell *first, **last;
    int cells;
};

/* ---- characters ---------------------------------------------------------------------------- */

static bool is_inside(char c) /* of a character of several bytes */
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static int width_of(const char *s, size_t bytes)
{
    int n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += !is_inside(s[i]);
    return n;
}

/* Bytes of `s` that go on a line of `width`: up to a blank, or to the middle of a long word. */
static size_t line_length(const char *s, int width)
{
    size_t n = 0, blank = 0;
    for (int used = 0; s[n]; n++) {
        used += !is_inside(s[n]);
        if (used > width)
            return s[n] == ' ' || !blank ? n : blank;
        if (s[n] == ' ')
            blank = n;
    }
    return n;
}

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " ");
}

static void pad(int n, FILE *out)
{
    fprintf(out, "%*s", n > 0 ? n : 0, "");
}

void grid_wrap(const char *text, int indent, int width, FILE *out)
{
    for (const char *s = skip_blanks(text); *s;) {
        size_t n = line_length(s, width - indent);
        pad(indent, out);
        fprintf(out, "%.*s\n", (int)n, s);
        s = skip_blanks(s + n);
    }
}

/* ---- cells --------------------------------------------------------------------------------- */

struct grid *grid_new(struct arena *a, const struct grid_column *columns, int n)
{
    HD_ASSERT(n > 0 && n <= MAX_COLUMNS, "%d columns", n);
    struct grid *g = ARENA_NEW(a, struct grid);
    *g = (struct grid){.arena = a, .columns = columns, .n = n, .last = &g->first};
    for (int i = 0; i < n; i++)
        g->width[i] = width_of(columns[i].head, strlen(columns[i].head));
    return g;
}

void grid_cell(struct grid *g, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct cell *c = ARENA_NEW(g->arena, struct cell);
    c->text = arena_strdup(g->arena, text);
    *g->last = c;
    g->last = &c->next;
    int column = g->cells++ % g->n, width = width_of(text, strlen(text));
    int cap = g->columns[column].cap;
    width = cap && width > cap ? cap : width;
    g->width[column] = width > g->width[column] ? width : g->width[column];
}

/* ---- print --------------------------------------------------------------------------------- */

struct group { /* columns printed side by side: the first, then from..to-1 */
    int from, to, indent;
    const int *width;
};

static bool is_printed(const struct group *p, int column)
{
    return column == 0 || (column >= p->from && column < p->to);
}

/* One line of a row; *rest[i] moves on over what was printed.  False: nothing was left. */
static bool print_line(const struct grid *g, const struct group *p, const char **rest, FILE *out)
{
    bool any = false;
    int owed = p->indent; /* blanks, printed only before something */
    for (int i = 0; i < g->n; i++)
        any |= is_printed(p, i) && *rest[i];
    if (!any)
        return false;
    for (int i = 0; i < g->n; i++) {
        if (!is_printed(p, i))
            continue;
        size_t n = line_length(rest[i], p->width[i]);
        int fill = p->width[i] - width_of(rest[i], n);
        bool is_left = g->columns[i].is_left;
        if (n) {
            pad(owed + (is_left ? 0 : fill), out);
            fwrite(rest[i], 1, n, out);
            owed = 0;
        }
        owed += GAP + (n == 0 ? p->width[i] : is_left ? fill : 0);
        rest[i] = skip_blanks(rest[i] + n);
    }
    fputc('\n', out);
    return true;
}

static void print_group(const struct grid *g, const struct group *p, FILE *out)
{
    const char *rest[MAX_COLUMNS];
    for (int i = 0; i < g->n; i++)
        rest[i] = g->columns[i].head;
    while (print_line(g, p, rest, out))
        continue;
    for (const struct cell *c = g->first; c;) {
        for (int i = 0; i < g->n; i++, c = c->next)
            rest[i] = c->text;
        while (print_line(g, p, rest, out))
            continue;
    }
}

void grid_print(const struct grid *g, int indent, int width, FILE *out)
{
    int widths[MAX_COLUMNS], total = indent + g->width[0];
    HD_ASSERT(g->cells % g->n == 0, "a row lacks cells");
    memcpy(widths, g->width, sizeof widths);
    for (int i = 1; i < g->n; i++)
        total += GAP + widths[i];
    /* A last column of words gives way before columns are continued below. */
    int *last = &widths[g->n - 1];
    if (total > width && g->columns[g->n - 1].cap && *last - (total - width) >= LEAST)
        *last -= total - width;
    struct group p = {.from = 1, .indent = indent, .width = widths};
    do {
        int used = indent + widths[0];
        for (p.to = p.from; p.to < g->n; p.to++) {
            used += GAP + widths[p.to];
            if (used > width && p.to > p.from)
                break;
        }
        if (p.from > 1)
            fputc('\n', out);
        print_group(g, &p, out);
        p.from = p.to;
    } while (p.from < g->n);
}

/* ---- Markdown ------------------------------------------------------------------------------ */

static void print_escaped(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (*s == '|' || *s == '*' || *s == '_' || *s == '<' || *s == '\\')
            fputc('\\', out);
        fputc(*s == '\n' ? ' ' : *s, out);
    }
}

void grid_markdown(const struct grid *g, FILE *out)
{
    for (int i = 0; i < g->n; i++) {
        fputs("| ", out);
        print_escaped(g->columns[i].head, out);
        fputc(' ', out);
    }
    fputs("|\n", out);
    for (int i = 0; i < g->n; i++)
        fputs(g->columns[i].is_left ? "| --- " : "| ---: ", out);
    fputs("|\n", out);
    for (const struct cell *c = g->first; c;) {
        for (int i = 0; i < g->n; i++, c = c->next) {
            fputs("| ", out);
            print_escaped(c->text, out);
            fputc(' ', out);
        }
        fputs("|\n", out);
    }
}
