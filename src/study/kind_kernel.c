/* kind_kernel.c - a workload timed on a machine, from its recorded stream. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/results.h"
#include "study/kind.h"

enum { TEXT_BYTES = 1 << 20, NAMES_BYTES = 1 << 18 };

/* ---- trying ---------------------------------------------------------------------------------- */

struct trial {
    struct machine *machine;
    const struct stats_snapshot *snapshot;
};

static void *try_out(const struct config *cfg, struct arena *a, struct err *e)
{
    struct trial *t = ARENA_NEW(a, struct trial);
    struct results_scale scale;
    struct err unpriced = {0};
    t->machine = machine_new(cfg, &(struct machine_options){0}, e);
    if (!t->machine)
        return NULL;
    results_scale_of(&scale, t->machine, a, &unpriced); /* reads what energies depend on */
    t->snapshot = stats_snapshot(machine_stats(t->machine), a);
    return t;
}

static bool knows(const void *trial, const char *name)
{
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            return true;
    return stats_snapshot_has(((const struct trial *)trial)->snapshot, name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    char *text = arena_alloc(a, NAMES_BYTES), *save = NULL;
    uint32_t n = 0;
    FILE *f = fmemopen(text, NAMES_BYTES, "w");
    if (f) {
        stats_names(machine_stats(((const struct trial *)trial)->machine), f);
        fclose(f);
    }
    text[NAMES_BYTES - 1] = '\0';
    for (size_t i = 0; i < results_nrows && n < most; i++)
        all[n++] = results_rows[i].name;
    for (char *w = strtok_r(text, "\n", &save); w && n < most; w = strtok_r(NULL, "\n", &save))
        all[n++] = w;
    return n;
}

static void forget(void *trial)
{
    machine_free(((struct trial *)trial)->machine);
}

/* ---- what came out ---------------------------------------------------------------------------- */

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

static void add(struct kind_values *v, const char *name, double value)
{
    v->names[v->n] = name;
    v->values[v->n++] = value;
}

/* A line "name,value"; where samples were counted, their sum can be asked for, too. */
static void add_line(struct kind_values *v, const struct stats_snapshot *s, char *line,
                     struct arena *a)
{
    char *comma = strchr(line, ',');
    HD_ASSERT(comma, "\"%s\" is no statistic", line);
    *comma = '\0';
    add(v, line, comma[1] ? strtod(comma + 1, NULL) : (double)NAN);
    size_t n = strlen(line);
    const char *sum = arena_printf(a, "%.*s.sum", n > 2 ? (int)n - 2 : 0, line);
    if (n > 2 && strcmp(line + n - 2, ".n") == 0 && stats_snapshot_has(s, sum))
        add(v, sum, stats_snapshot_value(s, sum));
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

static uint32_t count_links(const struct fabric *g)
{
    uint32_t n = 0;
    for (int i = 0; i < g->n; i++)
        n += g->graph[i]->nouts + g->graph[i]->nins;
    return n;
}

/* "link.0.out.3": flits per cycle on output port 3 of the first network; of ideal ones nothing. */
static void add_links(struct kind_values *v, const struct machine *m, struct arena *a)
{
    const struct fabric *g = machine_fabric(m);
    for (int i = 0; i < g->n && !g->graph[i]->ideal_latency; i++) {
        for (uint32_t p = 0; p < g->graph[i]->nouts; p++)
            add(v, arena_printf(a, "link.%d.out.%u", i, p), machine_out_load(m, i, p));
        for (uint32_t p = 0; p < g->graph[i]->nins; p++)
            add(v, arena_printf(a, "link.%d.in.%u", i, p), machine_in_load(m, i, p));
    }
}

/* Derived statistics, then all of the tree, by name; then how busy links were. */
static struct kind_values values_of(const struct machine *m, struct arena *a)
{
    struct results_scale scale;
    struct kind_values v = {0};
    struct err unpriced = {0};
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    const struct stats_snapshot *s = stats_snapshot(machine_stats(m), a);
    struct results_view view = {.scale = &scale, .values = s, .cycles = machine_cycles(m)};
    char *text = lines_of(a, s);
    size_t most =
        results_nrows + 2 * (size_t)count_lines(text) + 1 + count_links(machine_fabric(m));
    v.names = ARENA_ARRAY(a, const char *, most);
    v.values = ARENA_ARRAY(a, double, most);
    for (size_t i = 0; i < results_nrows; i++)
        add(&v, results_rows[i].name, results_rows[i].value(&view));
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        *end = '\0';
        add_line(&v, s, text, a);
    }
    add_links(&v, m, a);
    return v;
}

/* ---- running --------------------------------------------------------------------------------- */

/* A recording that turns out to be damaged is removed, so that the next try makes it anew. */
static bool replay_file(struct machine *m, const char *path, struct err *e)
{
    struct stream_source *s = stream_source_of_file(path, e);
    bool ok = s && machine_run_source(m, s, e) && machine_finish(m, e);
    stream_source_free(s);
    if (!ok && strncmp(e->text, path, strlen(path)) == 0)
        unlink(path);
    return ok;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct machine *m = machine_new(r->config, &(struct machine_options){0}, e);
    bool ok = m && replay_file(m, r->stream, e);
    if (ok) {
        *v = values_of(m, r->arena);
        v->cycles = machine_cycles(m);
        v->digest = machine_digest(m);
    }
    machine_free(m);
    return ok;
}

const struct study_kind kind_kernel = {.name = "kernel",
                                       .help = "a workload timed on the machine",
                                       .what = "the machine",
                                       .has_stream = true,
                                       .try_out = try_out,
                                       .knows = knows,
                                       .names = names,
                                       .end = forget,
                                       .run = run};
