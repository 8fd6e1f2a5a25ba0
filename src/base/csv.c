/* csv.c - comma-separated values into cells.  A file may be anybody's: its size and its columns
 * are bounded, and the text is cut up in place, so that a cell costs one pointer. */
#include "base/csv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { MAX_BYTES = 64 << 20, MAX_COLUMNS = 256, CHUNK = 1 << 16 };

struct cutter {
    struct csv *table;
    char *at; /* what is left of the text */
    int line;
    struct err *e;
};

static bool refuse_line(const struct cutter *c, const char *why)
{
    return err_set(c->e, STATUS_BAD_INPUT, "%.200s:%d: %s", c->table->file, c->line, why);
}

bool csv_refuse(const struct csv *t, int row, int column, const char *why, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%.200s:%d: %.60s: \"%.60s\" %s", t->file, t->line[row],
                   t->name[column], csv_text(t, row, column), why);
}

/* All of the file and a NUL after it, twice as much room whenever it is used up: what an arena
 * has handed out stays in it. */
static char *read_all(struct arena *a, const char *path, size_t *used, struct err *e)
{
    FILE *f = fopen(path, "rb");
    size_t room = CHUNK, n = f ? 1 : 0;
    char *text = arena_alloc(a, room + 1);
    *used = 0;
    while (n > 0 && *used <= MAX_BYTES) {
        n = fread(text + *used, 1, room - *used, f);
        *used += n;
        if (*used == room) {
            char *larger = arena_alloc(a, 2 * room + 1);
            memcpy(larger, text, *used);
            text = larger;
            room *= 2;
        }
    }
    bool ok = f && !ferror(f);
    if (!ok)
        err_set(e, STATUS_BAD_INPUT, "%.200s: cannot read: %s", path, strerror(errno));
    else if (*used > MAX_BYTES)
        ok = err_set(e, STATUS_BAD_INPUT, "%.200s: larger than 64 MiB", path);
    if (f)
        fclose(f);
    text[*used] = '\0';
    return ok ? text : NULL;
}

/* Takes the quotes off a cell in place; returns what follows it, NULL when the quote stays open. */
static char *cut_quoted(char *s)
{
    char *to = s;
    for (char *from = s + 1; *from; from++) {
        if (*from == '"' && from[1] != '"') {
            *to = '\0';
            return from + 1;
        }
        from += *from == '"';
        *to++ = *from;
    }
    return NULL;
}

/* One line, already ended by a NUL, into cells; returns how many, -1 with *e set. */
static int cut_line(struct cutter *c, char *s, const char *cells[MAX_COLUMNS])
{
    for (int n = 0;; n++) {
        if (n == MAX_COLUMNS) {
            refuse_line(c, "more than 256 columns");
            return -1;
        }
        cells[n] = s;
        char *end = *s == '"' ? cut_quoted(s) : s + strcspn(s, ",");
        if (!end || (*end != ',' && *end != '\0')) {
            refuse_line(c, end ? "text after a closing quote" : "a quote that is not closed");
            return -1;
        }
        bool is_last = *end == '\0';
        *end = '\0';
        if (is_last)
            return n + 1;
        s = end + 1;
    }
}

/* The next line that is neither blank nor a comment, ended by a NUL; NULL at the end of the text. */
static char *next_line(struct cutter *c)
{
    while (*c->at) {
        char *s = c->at;
        size_t n = strcspn(s, "\n");
        c->at += n + (s[n] == '\n');
        c->line++;
        while (n > 0 && (s[n - 1] == '\r' || s[n - 1] == ' '))
            n--;
        s[n] = '\0';
        if (n > 0 && *s != '#')
            return s;
    }
    return NULL;
}

static bool read_names(struct cutter *c, struct arena *a)
{
    const char *cells[MAX_COLUMNS];
    char *s = next_line(c);
    if (!s)
        return err_set(c->e, STATUS_BAD_INPUT, "%.200s:1: no line of column names", c->table->file);
    int n = cut_line(c, s, cells);
    if (n < 0)
        return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(cells[i], cells[k]) == 0)
                return refuse_line(c, "two columns of the same name");
    c->table->ncolumns = n;
    c->table->name = ARENA_ARRAY(a, const char *, n);
    memcpy(c->table->name, cells, (size_t)n * sizeof *cells);
    return true;
}

static bool read_rows(struct cutter *c)
{
    struct csv *t = c->table;
    const char *cells[MAX_COLUMNS];
    for (char *s; (s = next_line(c)) != NULL; t->nrows++) {
        int n = cut_line(c, s, cells);
        if (n < 0)
            return false;
        if (n != t->ncolumns)
            return err_set(c->e, STATUS_BAD_INPUT, "%.200s:%d: %d cells, %d columns", t->file,
                           c->line, n, t->ncolumns);
        memcpy(t->cell + (size_t)t->nrows * (size_t)n, cells, (size_t)n * sizeof *cells);
        t->line[t->nrows] = c->line;
    }
    return true;
}

static int lines_of(const char *s)
{
    int n = 1;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

struct csv *csv_read(struct arena *a, const char *path, struct err *e)
{
    size_t used;
    char *text = read_all(a, path, &used, e);
    if (!text)
        return NULL;
    struct csv *t = ARENA_NEW(a, struct csv);
    t->file = arena_strdup(a, path);
    struct cutter c = {.table = t, .at = text, .e = e};
    if (memchr(text, '\0', used)) {
        err_set(e, STATUS_BAD_INPUT, "%.200s: no text: it has a NUL byte", path);
        return NULL;
    }
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        c.at += 3;
    if (!read_names(&c, a))
        return NULL;
    size_t most = (size_t)lines_of(c.at);
    t->line = ARENA_ARRAY(a, int, most);
    t->cell = ARENA_ARRAY(a, const char *, most *(size_t)t->ncolumns);
    return read_rows(&c) ? t : NULL;
}

int csv_column(const struct csv *t, const char *name, struct err *e)
{
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < t->ncolumns; i++) {
        if (strcmp(t->name[i], name) == 0)
            return i;
        str_hint_offer(&hint, t->name[i]);
    }
    err_set(e, STATUS_BAD_INPUT, "%.200s:1: no column \"%s\"%s", t->file, name,
            str_hint_text(&hint, ""));
    return -1;
}

const char *csv_text(const struct csv *t, int row, int column)
{
    HD_ASSERT(row >= 0 && row < t->nrows, "row %d of %d", row, t->nrows);
    HD_ASSERT(column >= 0 && column < t->ncolumns, "column %d of %d", column, t->ncolumns);
    return t->cell[(size_t)row * (size_t)t->ncolumns + (size_t)column];
}

bool csv_real(const struct csv *t, int row, int column, double *out, struct err *e)
{
    return str_to_real_in(csv_text(t, row, column), "", out) ||
           csv_refuse(t, row, column, "is no number", e);
}

bool csv_count(const struct csv *t, int row, int column, uint32_t *out, struct err *e)
{
    double v;
    if (!csv_real(t, row, column, &v, e))
        return false;
    *out = v >= 0 && v <= UINT32_MAX ? (uint32_t)v : 0;
    return (double)*out == v || csv_refuse(t, row, column, "is no whole number", e);
}
