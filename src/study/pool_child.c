/* pool_child.c - what one child of a pool does: a run, from a recorded stream to the store.
 *
 * The store is opened only when there is something to put: a run takes seconds to hours, and
 * nobody should find the database held by somebody who computes.  One thread, no limits: how many
 * runs there are at once is the pool's business. */
#include "study/pool_child.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/results.h"
#include "stream/source.h"
#include "study/inputs.h"
#include "study/store.h"

enum { TEXT_BYTES = 1 << 20 };

/* ---- timing ----------------------------------------------------------------------------------- */

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

/* ---- what came out ---------------------------------------------------------------------------- */

/* A writer's text in memory from `a`, of whatever length it turns out to have. */
static char *text_from(struct arena *a, void (*write)(const void *what, FILE *out),
                       const void *what)
{
    for (size_t size = TEXT_BYTES;; size *= 2) {
        char *text = arena_alloc(a, size);
        FILE *out = fmemopen(text, size, "w");
        HD_ASSERT(out, "no stream in memory");
        write(what, out);
        bool fits = fflush(out) == 0 && !ferror(out) && ftell(out) < (long)size - 1;
        fclose(out);
        if (fits)
            return text;
    }
}

static void write_config(const void *config, FILE *out)
{
    struct json j;
    json_begin(&j, out);
    config_echo_json(config, &j);
    json_end(&j);
}

static void write_values(const void *snapshot, FILE *out)
{
    stats_snapshot_csv(snapshot, out);
}

struct values {
    const char **names;
    double *values;
    uint32_t n;
};

static void add(struct values *v, const char *name, double value)
{
    v->names[v->n] = name;
    v->values[v->n++] = value;
}

/* A line "name,value"; where samples were counted, their sum can be asked for, too. */
static void add_line(struct values *v, const struct stats_snapshot *s, char *line, struct arena *a)
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
static void add_links(struct values *v, const struct machine *m, struct arena *a)
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
static struct values values_of(const struct machine *m, struct arena *a)
{
    struct results_scale scale;
    struct values v = {0};
    struct err unpriced = {0};
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    const struct stats_snapshot *s = stats_snapshot(machine_stats(m), a);
    struct results_view view = {.scale = &scale, .values = s, .cycles = machine_cycles(m)};
    char *text = text_from(a, write_values, s);
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

static bool put(const struct pool_child *c, const struct store_run *r, struct err *e)
{
    struct store *s = store_open(c->store, e);
    bool ok = s && store_put(s, r, e);
    store_close(s);
    return ok;
}

static bool keep(const struct pool_child *c, const struct machine *m, double wall_s, struct err *e)
{
    struct arena *a = arena_new();
    const struct study_workload *w = &c->study->workloads[c->job->workload];
    const struct study_variant *v = &c->study->variants[c->job->variant];
    struct values x = values_of(m, a);
    struct store_run r = {.key = c->job->key,
                          .machine = v->machine,
                          .workload = arena_printf(a, "%s@%s", w->name, w->size),
                          .variant = v->name,
                          .version = inputs_version(),
                          .asked = c->job->asked,
                          .config = text_from(a, write_config, c->job->config),
                          .cycles = machine_cycles(m),
                          .digest = machine_digest(m),
                          .wall_s = wall_s,
                          .nstats = x.n,
                          .names = x.names,
                          .values = x.values};
    bool ok = put(c, &r, e);
    arena_free(a);
    return ok;
}

bool pool_child_run(const struct pool_child *c, struct err *e)
{
    double start = clock_s();
    struct machine *m = machine_new(c->job->config, &(struct machine_options){0}, e);
    bool ok = m && replay_file(m, c->stream, e) && keep(c, m, clock_s() - start, e);
    machine_free(m);
    return ok;
}
