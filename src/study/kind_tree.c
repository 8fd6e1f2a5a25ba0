/* kind_tree.c - see kind_tree.h. */
#include "study/kind_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 20, NAMES_BYTES = 1 << 18 };

struct kind_values kind_values_new(struct arena *a, size_t most)
{
    return (struct kind_values){.names = ARENA_ARRAY(a, const char *, most + 1),
                                .values = ARENA_ARRAY(a, double, most + 1)};
}

void kind_values_add(struct kind_values *v, const char *name, double value)
{
    v->names[v->n] = name;
    v->values[v->n++] = value;
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Lines "name,value" in memory from `a`, of whatever length they turn out to have. */
static char *lines_of(struct arena *a, const struct stats_snapshot *s)
{
    for (size_t size = TEXT_BYTES;; size *= 2) {
        char *text = arena_alloc(a, size);
        FILE *out = fmemopen(text, size, "w");
        HD_ASSERT(out, "no stream in memory");
        stats_snapshot_csv(s, out);
        bool fits = fflush(out) == 0 && !ferror(out) && ftell(out) < (long)size - 1;
        fclose(out);
        if (fits)
            return text;
    }
}

static void add_line(struct kind_values *v, const struct stats_snapshot *s, char *line,
                     struct arena *a)
{
    char *comma = strchr(line, ',');
    HD_ASSERT(comma, "\"%s\" is no statistic", line);
    *comma = '\0';
    kind_values_add(v, line, comma[1] ? strtod(comma + 1, NULL) : (double)NAN);
    size_t n = strlen(line);
    const char *sum = arena_printf(a, "%.*s.sum", n > 2 ? (int)n - 2 : 0, line);
    if (n > 2 && strcmp(line + n - 2, ".n") == 0 && stats_snapshot_has(s, sum))
        kind_values_add(v, sum, stats_snapshot_value(s, sum));
}

size_t kind_tree_room(const struct stats_snapshot *s, struct arena *a)
{
    size_t n = 0;
    for (const char *text = lines_of(a, s); (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return 2 * n;
}

void kind_tree_add(struct kind_values *v, const struct stats_snapshot *s, struct arena *a)
{
    char *text = lines_of(a, s);
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        *end = '\0';
        add_line(v, s, text, a);
    }
}

uint32_t kind_tree_names(const struct stats *t, const char **all, uint32_t n, uint32_t most,
                         struct arena *a)
{
    char *text = arena_alloc(a, NAMES_BYTES), *save = NULL;
    FILE *f = fmemopen(text, NAMES_BYTES, "w");
    if (f) {
        stats_names(t, f);
        fclose(f);
    }
    text[NAMES_BYTES - 1] = '\0';
    for (char *w = strtok_r(text, "\n", &save); w && n < most; w = strtok_r(NULL, "\n", &save))
        all[n++] = w;
    return n;
}

/* ---- links ----------------------------------------------------------------------------------- */

size_t kind_links_room(const struct fabric *g)
{
    size_t n = 0;
    for (int i = 0; i < g->n; i++)
        n += (size_t)g->graph[i]->nouts + g->graph[i]->nins;
    return n;
}

void kind_links_add(struct kind_values *v, const struct kind_links *l, struct arena *a)
{
    const struct fabric *g = l->fabric;
    for (int i = 0; i < g->n && !g->graph[i]->ideal_latency; i++) {
        for (uint32_t p = 0; p < g->graph[i]->nouts; p++)
            kind_values_add(v, arena_printf(a, "link.%d.out.%u", i, p), l->out(l->context, i, p));
        for (uint32_t p = 0; p < g->graph[i]->nins; p++)
            kind_values_add(v, arena_printf(a, "link.%d.in.%u", i, p), l->in(l->context, i, p));
    }
}
