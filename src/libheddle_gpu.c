/* libheddle_gpu.c - the public interface of machines (heddle/gpu.h), in terms of src/machine. */
#include "libheddle_gpu.h"

#include <string.h>

#include "base/wall.h"
#include "libheddle_error.h"
#include "report/run_json.h"
#include "stream/source.h"

/* What the first question after a statistic finds out; the others use it. */
struct prices {
    bool are_known;
    struct results_scale scale;
    struct err unpriced;
};

struct hd_gpu {
    struct arena *arena;
    struct machine *machine;
    struct prices *prices;
    struct hd_gpu_options options;
    struct hd_watch watch;
    const char *machine_name, *title; /* title: of what ran on it, "HS@tiny + BFS@tiny" */
    double wall_s;                    /* that it took */
    bool is_partial, is_unchecked;    /* is_unchecked: some output was not compared */
    struct arena *document;
};

struct machine *libheddle_machine(struct hd_gpu *g)
{
    return g->machine;
}

const int *libheddle_stop(const struct hd_gpu *g)
{
    return g->watch.stop;
}

/* --- machines --------------------------------------------------------------------------------- */

static void progress(void *gpu, const struct machine_progress *p)
{
    const struct hd_gpu *g = gpu;
    struct hd_progress out = {p->cycles, p->warp_insns, p->thread_insns, p->ctas_done, p->ctas};
    g->watch.progress(g->watch.context, &out);
}

struct hd_gpu *hd_gpu_new(const struct hd_config *c, const struct hd_gpu_options *o,
                          struct hd_error *e)
{
    struct err err = {0};
    struct arena *a = arena_new();
    struct hd_gpu *g = ARENA_NEW(a, struct hd_gpu);
    *g = (struct hd_gpu){.arena = a,
                         .prices = ARENA_NEW(a, struct prices),
                         .watch = *libheddle_watch(c),
                         .machine_name = arena_strdup(a, libheddle_name(c)),
                         .title = ""};
    if (o)
        g->options = *o;
    struct machine_options mo = {.check = g->options.check,
                                 .no_skip = g->options.no_skip,
                                 .threads = g->options.threads,
                                 .max_cycles = g->options.max_cycles,
                                 .max_insns = g->options.max_insns,
                                 .stop = g->watch.stop,
                                 .progress = g->watch.progress ? progress : NULL,
                                 .context = g};
    g->machine = machine_new(libheddle_fitted(c), &mo, &err);
    if (pass(&err, e))
        return g;
    arena_free(a);
    return NULL;
}

void hd_gpu_free(struct hd_gpu *g)
{
    if (!g)
        return;
    machine_free(g->machine);
    if (g->document)
        arena_free(g->document);
    arena_free(g->arena);
}

/* --- programs --------------------------------------------------------------------------------- */

/* Times what the source has, which is this. */
static void time_source(struct hd_gpu *g, struct stream_source *s, const char *title, struct err *e)
{
    double start = wall_s();
    g->title = *g->title ? arena_printf(g->arena, "%s + %s", g->title, title)
                         : arena_strdup(g->arena, title);
    machine_run_source(g->machine, s, e);
    g->wall_s += wall_s() - start;
    g->is_partial |= e->status == STATUS_BUDGET || e->status == STATUS_STOPPED;
}

bool hd_gpu_replay(struct hd_gpu *g, const char *trace_file, struct hd_error *e)
{
    struct err err = {0};
    struct stream_source *s = stream_source_of_file(trace_file, &err);
    if (s)
        time_source(g, s, trace_file, &err);
    stream_source_free(s);
    g->is_unchecked = true;
    return pass(&err, e);
}

struct run { /* of a workload, for the thread that executes it */
    const struct hd_gpu *gpu;
    struct hd_program program;
    struct libheddle_workload asked;
};

static bool drive(void *context, struct stream_driver *driver, struct err *e)
{
    const struct run *r = context;
    struct hd_error he = {0};
    struct hd_device_options o = {
        .check = r->gpu->options.check, .print = r->program.print, .context = r->program.context};
    struct hd_device *d = hd_device_new(&o, &he);
    if (d) {
        libheddle_drive(d, driver);
        hd_device_watch(d, r->gpu->watch.stop);
        struct workload_request request = {.size = r->asked.size,
                                           .args = r->asked.args.text,
                                           .seed = r->program.seed,
                                           .verify = !r->program.no_verify,
                                           .kernel_dir = r->program.kernels};
        workload_run(r->asked.workload, d, &request, &he);
    }
    hd_device_free(d);
    return he.status == HD_DONE || err_set(e, (enum status)he.status, "%s", he.text);
}

bool hd_gpu_run(struct hd_gpu *g, const struct hd_program *p, struct hd_error *e)
{
    struct err err = {0};
    struct run r = {.gpu = g};
    if (!libheddle_take(&r.program, sizeof r.program, p, "hd_program", &err))
        return pass(&err, e);
    if (!r.program.workload)
        err_set(&err, STATUS_BAD_INPUT, "struct hd_program: no workload");
    else if (libheddle_parse_workload(r.program.workload, &r.asked, &err)) {
        struct stream_driver_options o = {.drive = drive, .context = &r};
        struct stream_source *s = stream_source_of_driver(&o);
        time_source(g, s, libheddle_workload_title(&r.asked, g->arena), &err);
        stream_source_free(s);
    }
    g->is_unchecked |= r.program.no_verify || err.status != STATUS_DONE;
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
    if (!g->prices->are_known) /* without prices energies are NaN */
        results_scale_of(&g->prices->scale, g->machine, g->arena, &g->prices->unpriced);
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

static void write_run(const void *gpu, FILE *out)
{
    const struct hd_gpu *g = gpu;
    bool is_checked = *g->title && !g->is_unchecked;
    struct json j;
    struct run_document d = {.machine = g->machine,
                             .scale = scale_of(g),
                             .machine_name = g->machine_name,
                             .workload = g->title,
                             .wall_s = g->wall_s,
                             .is_partial = g->is_partial,
                             .is_checked = is_checked};
    libheddle_begin_json(&j, out);
    run_json(&d, &j);
    libheddle_end_json(&j);
}

const char *hd_gpu_json(struct hd_gpu *g, struct hd_error *e)
{
    scale_of(g);
    return pass(&g->prices->unpriced, e) ? libheddle_new_document(&g->document, write_run, g)
                                         : NULL;
}

uint64_t hd_gpu_digest(const struct hd_gpu *g)
{
    return machine_digest(g->machine);
}
