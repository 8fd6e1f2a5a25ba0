/* libheddle_gpu.c - the public interface of machines (heddle/gpu.h), in terms of src/machine. */
#include "libheddle_gpu.h"

#include <string.h>

#include "libheddle_error.h"
#include "machine/results.h"
#include "stream/source.h"

/* What the first question after a statistic finds out; the others use it. */
struct prices {
    bool are_known;
    struct results_scale scale;
};

struct hd_gpu {
    struct arena *arena;
    struct machine *machine;
    struct prices *prices;
};

struct machine *libheddle_machine(struct hd_gpu *g)
{
    return g->machine;
}

struct hd_gpu *hd_gpu_new(const struct hd_config *c, const struct hd_gpu_options *o,
                          struct hd_error *e)
{
    struct err err = {0};
    struct machine_options mo = {0};
    if (o)
        mo = (struct machine_options){.check = o->check,
                                      .no_skip = o->no_skip,
                                      .threads = o->threads,
                                      .max_cycles = o->max_cycles,
                                      .max_insns = o->max_insns};
    struct machine *m = machine_new(libheddle_config(c), &mo, &err);
    if (!pass(&err, e))
        return NULL;
    struct arena *a = arena_new();
    struct hd_gpu *g = ARENA_NEW(a, struct hd_gpu);
    *g = (struct hd_gpu){a, m, ARENA_NEW(a, struct prices)};
    return g;
}

void hd_gpu_free(struct hd_gpu *g)
{
    if (!g)
        return;
    machine_free(g->machine);
    arena_free(g->arena);
}

bool hd_gpu_replay(struct hd_gpu *g, const char *trace_file, struct hd_error *e)
{
    struct err err = {0};
    struct stream_source *s = stream_source_of_file(trace_file, &err);
    if (s)
        machine_run_source(g->machine, s, &err);
    stream_source_free(s);
    return pass(&err, e);
}

bool hd_gpu_finish(struct hd_gpu *g, struct hd_error *e)
{
    struct err err = {0};
    machine_finish(g->machine, &err);
    return pass(&err, e);
}

uint64_t hd_gpu_cycles(const struct hd_gpu *g)
{
    return machine_cycles(g->machine);
}

static const struct results_scale *scale_of(const struct hd_gpu *g)
{
    struct err unpriced = {0};
    if (!g->prices->are_known) /* without prices energies are NaN */
        results_scale_of(&g->prices->scale, g->machine, g->arena, &unpriced);
    g->prices->are_known = true;
    return &g->prices->scale;
}

double hd_gpu_stat(const struct hd_gpu *g, const char *name)
{
    struct arena *a = arena_new();
    struct results_view view = {.scale = scale_of(g),
                                .values = stats_snapshot(machine_stats(g->machine), a),
                                .cycles = machine_cycles(g->machine)};
    double v = stats_snapshot_value(view.values, name);
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            v = results_rows[i].value(&view);
    arena_free(a);
    return v;
}

uint64_t hd_gpu_digest(const struct hd_gpu *g)
{
    return machine_digest(g->machine);
}
