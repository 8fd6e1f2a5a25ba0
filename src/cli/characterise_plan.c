/* characterise_plan.c - what is measured of a machine: points and the benchmarks' arguments there.
 *
 * Footprints and occupancies are those at which the chip was measured, where there is one; else they
 * follow from the machine's caches and threads.  Warm-ups are what the level needs and no more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/characterise.h"
#include "dram/mc.h"
#include "l1/lsu.h"
#include "l2/slice.h"
#include "machine/machine.h"
#include "sm/sm.h"

enum {
    LINE = 128,
    WORDS = 16,
    SECTOR_WORDS = 4,
    KIB = 1024,
    MIB = 1024 * 1024,
    MOST_POINTS = 128,
    MOST_CURVES = 24,
    MOST_LEVELS = 8
};

struct facts { /* of the machine */
    int64_t sms, threads, ctas, shared;
    int64_t l1, l2; /* bytes */
};

struct planner {
    struct characterise *c;
    struct facts f;
    struct arena *a;
};

static struct facts facts_of(const struct config *cfg)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct sm_spec *sm = config_get(cfg, &sm_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct mc_spec *mc = config_get(cfg, &mc_section);
    int64_t slices = mc->channels * l2->slices_per_channel;
    return (struct facts){.sms = gpu_kernel_sms(gpu),
                          .threads = sm->threads,
                          .ctas = sm->ctas,
                          .shared = sm->shared,
                          .l1 = l1->enabled ? l1->size : 0,
                          .l2 = l2->enabled ? slices * l2->size : 0};
}

/* ---- curves ---------------------------------------------------------------------------------- */

static struct characterise_curve *add_curve(struct planner *p, struct characterise_curve like)
{
    struct characterise_curve *c = &p->c->curves[p->c->ncurves++];
    HD_ASSERT(p->c->ncurves <= MOST_CURVES, "more than %d curves", MOST_CURVES);
    *c = like;
    c->points = ARENA_ARRAY(p->a, struct characterise_point, MOST_POINTS);
    return c;
}

static void add_point(struct characterise_curve *c, double x, const char *row, const char *args,
                      double chip)
{
    HD_ASSERT(c->n < MOST_POINTS, "more than %d points", MOST_POINTS);
    c->points[c->n++] = (struct characterise_point){row, x, args, chip};
}

/* "latency_120.8K" */
static const char *row_of_bytes(const struct planner *p, const char *curve, int64_t bytes)
{
    char kib[STR_REAL_N];
    return arena_printf(p->a, "%s_%sK", curve,
                        str_from_real(kib, round((double)bytes / KIB * 10) / 10));
}

/* ---- footprints ------------------------------------------------------------------------------ */

struct footprint {
    int64_t bytes;
    double chip;
};

/* The chip's point that is nearest to a wish, of the granularity that a benchmark has. */
static struct footprint nearest(const struct chip_curve *chip, double wish, int64_t unit)
{
    struct footprint f = {(int64_t)round(wish / (double)unit) * unit, (double)NAN};
    double best = INFINITY;
    for (uint32_t i = 0; i < chip->n; i++) {
        double away = fabs(log(chip->x[i] / wish));
        if (away < best) {
            best = away;
            f = (struct footprint){(int64_t)round(chip->x[i] / (double)unit) * unit, chip->y[i]};
        }
    }
    if (f.bytes < unit)
        f.bytes = unit;
    return f;
}

static int by_bytes(const void *x, const void *y)
{
    int64_t a = ((const struct footprint *)x)->bytes, b = ((const struct footprint *)y)->bytes;
    return (a > b) - (a < b);
}

/* Sorted, each once; `wish` has n of them.  Returns how many. */
static uint32_t footprints(const struct chip_curve *chip, const double *wish, uint32_t n,
                           int64_t unit, struct footprint *all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        all[i] = nearest(chip, wish[i], unit);
    qsort(all, n, sizeof *all, by_bytes);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || all[i].bytes != all[kept - 1].bytes)
            all[kept++] = all[i];
    return kept;
}

/* Footprints around the capacities of caches, closer where latencies change, and where the chip's
 * change; and some beyond. */
static uint32_t wishes(const struct planner *p, const struct chip_curve *chip, double *wish)
{
    static const double full[] = {0.0625, 0.125, 0.25, 0.5, 0.7, 0.85, 0.94, 1.02,
                                  1.1,    1.2,   1.3,  1.4, 1.6, 2,    3,    4};
    static const double quick[] = {0.125, 0.5, 0.84, 1.3, 2};
    const double *at = p->c->quick ? quick : full;
    uint32_t nat = p->c->quick ? sizeof quick / sizeof *quick : sizeof full / sizeof *full, n = 0;
    const int64_t caches[] = {p->f.l1, p->f.l2};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; caches[k] && i < nat; i++)
            wish[n++] = at[i] * (double)caches[k];
    struct level levels[MOST_LEVELS];
    uint32_t nlevels = levels_of(chip->x, chip->y, chip->n, levels, MOST_LEVELS);
    for (uint32_t k = 0; k + 1 < nlevels; k++)
        for (double part = p->c->quick ? 0.75 : 0.8; part < 1.4; part += p->c->quick ? 0.6 : 0.1)
            wish[n++] = part * levels[k].until;
    wish[n++] = 8.0 * (double)p->f.l2 + 16.0 * MIB;
    if (!p->c->quick) {
        wish[n++] = 256.0 * MIB;
        wish[n++] = 640.0 * MIB;
    }
    return n;
}

/* ---- latency --------------------------------------------------------------------------------- */

/* Of footprints that an L1 may hold all words are walked before.  About the size of the L2 it matters
 * which sectors a line brought when it came: warm-up and steps are four walks, all words of a sector.
 * Of others as many lines as an L1 holds are walked; those far larger than the L2 are not touched
 * before, as no line of them is met twice. */
static const char *chase_args(const struct planner *p, int64_t bytes)
{
    int64_t lines = bytes / LINE, steps = p->c->quick ? 1024 : 2048, warmup = 2 * p->f.l1 / LINE;
    bool is_about_l2 = (double)bytes > 0.85 * (double)p->f.l2 && bytes <= 5 * p->f.l2 / 4;
    if (bytes <= 2 * p->f.l1)
        warmup = WORDS * lines;
    else if (is_about_l2)
        warmup = steps = SECTOR_WORDS * lines;
    return arena_printf(p->a, "footprint: %lld, steps: %lld, warmup: %lld, touch: %lld",
                        (long long)bytes, (long long)steps, (long long)warmup,
                        (long long)(5 * p->f.l2 / 4));
}

static void plan_latency(struct planner *p)
{
    struct characterise_curve *c =
        add_curve(p, (struct characterise_curve){
                         .name = "latency",
                         .part = "latency",
                         .title = "Latency of a load over footprint, one thread",
                         .x = "footprint",
                         .unit = "cycle",
                         .workload = "CHASE",
                         .expr = "(cycles - before.cycles) / arg.steps",
                         .tolerance = 0.02,
                         .is_line = true,
                     });
    double wish[MOST_POINTS];
    struct footprint all[MOST_POINTS];
    uint32_t n =
        footprints(&p->c->chip.latency, wish, wishes(p, &p->c->chip.latency, wish), LINE, all);
    for (uint32_t i = 0; i < n; i++)
        add_point(c, (double)all[i].bytes, row_of_bytes(p, "latency", all[i].bytes),
                  chase_args(p, all[i].bytes), all[i].chip);
}

/* ---- bandwidth of caches --------------------------------------------------------------------- */

/* An L1 that may hold the buffer holds it before; of others a round is enough, but it takes many until SMs
 * that began together go each at its own pace. */
static const char *cache_args(const struct planner *p, int64_t bytes)
{
    const int64_t round = 64 * KIB; /* of a CTA of 1024 threads */
    bool may_be_in_l1 = bytes <= 2 * p->f.l1;
    int64_t rounds = (p->c->quick ? 4 : 16) * (may_be_in_l1 ? 1 : 2);
    return arena_printf(p->a, "footprint: %lld, ctas: %lld, bytes: %lld, warmup: %lld, touch: %lld",
                        (long long)bytes, (long long)p->f.sms, (long long)(rounds * round),
                        (long long)(may_be_in_l1 ? bytes : round),
                        (long long)(2 * p->f.l2 / KIB * KIB));
}

static void plan_cache(struct planner *p)
{
    struct characterise_curve *c =
        add_curve(p, (struct characterise_curve){
                         .name = "cache",
                         .part = "cache",
                         .title = "Bandwidth over footprint, all SMs reading the same buffer",
                         .x = "footprint",
                         .unit = "GB/s",
                         .workload = "CACHEBW",
                         .expr = "arg.ctas * arg.bytes / (time_us - before.time_us) / 1000",
                         .tolerance = 0.1,
                         .is_line = true,
                     });
    double wish[MOST_POINTS];
    struct footprint all[MOST_POINTS];
    uint32_t n = wishes(p, &p->c->chip.cache, wish);
    while (n > 0 && wish[n - 1] > 64.0 * MIB)
        n--;
    n = footprints(&p->c->chip.cache, wish, n, 2 * KIB, all);
    for (uint32_t i = 0; i < n; i++)
        if (p->c->quick || i % 2 == 0 || all[i].bytes > p->f.l1 / 2)
            add_point(c, (double)all[i].bytes, row_of_bytes(p, "cache", all[i].bytes),
                      cache_args(p, all[i].bytes), all[i].chip);
}

/* ---- streams --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int64_t streams; /* arrays that are read or written */
} stream_kernels[] = {{"init", 1},  {"read", 1},     {"scale", 2},
                      {"triad", 4}, {"stencil3", 2}, {"stencil5", 2}};
enum { STREAM_KERNELS = sizeof stream_kernels / sizeof stream_kernels[0] };

struct occupancy {
    int64_t block, ctas; /* ctas on an SM */
    const double *chip;  /* by kernel; NULL: not known */
};

/* All of the chip's in a full run, in a quick one every thirteenth; without a chip doubling ones. */
static uint32_t occupancies(const struct planner *p, struct occupancy *all)
{
    const struct chip *chip = &p->c->chip;
    uint32_t n = 0, every = p->c->quick ? 13 : 3;
    for (uint32_t i = 0; i < chip->nstreams; i++) {
        const struct chip_stream *s = &chip->streams[i];
        bool fits = (int64_t)s->block * s->ctas <= p->f.threads;
        if (fits && (i % every == every - 1 || i + 1 == chip->nstreams))
            all[n++] = (struct occupancy){s->block, s->ctas, s->gbs};
    }
    for (int64_t t = 32; chip->nstreams == 0 && t <= p->f.threads; t *= p->c->quick ? 8 : 2)
        all[n++] = (struct occupancy){t > 64 ? t / 2 : t, t > 64 ? 2 : 1, NULL};
    return n;
}

/* Whole waves, as many as it takes for starts and ends, and for what an L2 takes in before it has to
 * write back, not to matter. */
static const char *stream_args(const struct planner *p, uint32_t kernel, const struct occupancy *o)
{
    int64_t wave = p->f.sms * o->ctas * o->block * 8, streams = stream_kernels[kernel].streams;
    int64_t full = 4 * p->f.l2 / streams, wish = full > 2 * MIB ? full : 2 * MIB;
    int64_t waves = (wish + wave - 1) / wave, warm = 3 * p->f.l2 / 2 / streams / 8 * 8;
    waves = waves < 3 ? 3 : waves > 48 ? 48 : waves;
    return arena_printf(p->a, "kernel: %s, block: %lld, shared: %lld, array: %lld, warm: %lld",
                        stream_kernels[kernel].name, (long long)o->block,
                        (long long)(p->f.shared / o->ctas / 128 * 128), (long long)(waves * wave),
                        (long long)(warm > MIB ? warm : MIB));
}

static void plan_streams(struct planner *p)
{
    struct occupancy all[MOST_POINTS];
    uint32_t n = occupancies(p, all);
    for (uint32_t k = 0; k < STREAM_KERNELS; k++) {
        const char *name = stream_kernels[k].name;
        struct characterise_curve *c = add_curve(
            p,
            (struct characterise_curve){
                .name = arena_printf(p->a, "stream_%s", name),
                .part = "stream",
                .title = arena_printf(p->a, "Bandwidth of %s over threads on an SM", name),
                .x = "threads",
                .unit = "GB/s",
                .workload = "STREAM",
                .expr = arena_printf(p->a, "%lld * arg.array / (time_us - before.time_us) / 1000",
                                     (long long)stream_kernels[k].streams),
                .tolerance = 0.1,
                .is_line = true,
            });
        for (uint32_t i = 0; i < n; i++)
            add_point(c, (double)(all[i].block * all[i].ctas),
                      arena_printf(p->a, "%s_%lld", name, (long long)(all[i].block * all[i].ctas)),
                      stream_args(p, k, &all[i]), all[i].chip ? all[i].chip[k] : (double)NAN);
    }
}

/* ---- the others ------------------------------------------------------------------------------- */

/* A curve over values of one argument. */
struct sweep {
    struct characterise_curve curve;
    const char *arg;   /* that changes */
    bool has_ctas;     /* one for each SM */
    int64_t values[8]; /* up to a 0 */
};

static const struct sweep sweeps[] = {
    {{.name = "stride",
      .part = "stride",
      .title = "Cycles of an SM per load over the distance of lanes, in the L2",
      .x = "bytes",
      .unit = "cycle",
      .workload = "STRIDE",
      .expr = "(cycles - before.cycles) / arg.loads / (arg.block / 32)"},
     "stride",
     true,
     {4, 8, 16, 32, 64, 128}},
    {{.name = "sectors",
      .part = "stride",
      .title = "Sectors per load over the distance of lanes",
      .x = "bytes",
      .unit = "sector",
      .workload = "STRIDE",
      .expr = "l1.global.sectors / l1.global.instructions"},
     "stride",
     true,
     {4, 8, 16, 32, 64, 128}},
    {{.name = "banks",
      .part = "banks",
      .title = "Cycles of an SM per load of shared memory over the degree of bank conflicts",
      .x = "lanes",
      .unit = "cycle",
      .workload = "BANKS",
      .expr = "(cycles - before.cycles) / arg.rounds / 8 / (arg.block / 32)"},
     "degree",
     true,
     {1, 2, 4, 8, 16, 32}},
    {{.name = "launch",
      .part = "launch",
      .title = "CTAs that begin and end in 1000 cycles, over their threads",
      .x = "threads",
      .unit = "CTA",
      .workload = "LAUNCH",
      .expr = "1000 * arg.ctas / (cycles - before.cycles)"},
     "block",
     false,
     {32, 128, 256, 512, 1024}},
};

static void plan_sweeps(struct planner *p)
{
    for (size_t k = 0; k < sizeof sweeps / sizeof sweeps[0]; k++) {
        const struct sweep *s = &sweeps[k];
        struct characterise_curve *c = add_curve(p, s->curve);
        const char *also =
            s->has_ctas ? arena_printf(p->a, ", ctas: %lld", (long long)p->f.sms) : "";
        c->is_line = true;
        for (int i = 0; i < 8 && s->values[i]; i++)
            add_point(c, (double)s->values[i],
                      arena_printf(p->a, "%s_%lld", s->curve.name, (long long)s->values[i]),
                      arena_printf(p->a, "%s: %lld%s", s->arg, (long long)s->values[i], also),
                      (double)NAN);
    }
}

static void plan_atomics(struct planner *p)
{
    static const char *const places[] = {"word", "line", "lines"};
    struct characterise_curve *c = add_curve(
        p,
        (struct characterise_curve){
            .name = "atomics",
            .part = "atomics",
            .title = "Atomic additions per cycle: to one word, to a line, to a line for each warp",
            .x = "place",
            .unit = "1/cycle",
            .workload = "ATOMICS",
            .expr = "arg.rounds * arg.block * arg.ctas / (cycles - before.cycles)",
        });
    for (int i = 0; i < 3; i++)
        add_point(c, i, arena_printf(p->a, "atomics_%s", places[i]),
                  arena_printf(p->a, "place: %s, ctas: %lld", places[i], (long long)p->f.sms),
                  (double)NAN);
}

/* ---- all of it -------------------------------------------------------------------------------- */

/* Leaves what --only names. */
static bool keep(struct characterise *c, const char *only, struct err *e)
{
    for (const char *p = only; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        const char *word = arena_printf(c->arena, "%.*s", (int)strcspn(p, ","), p);
        struct str_hint hint = str_hint(word);
        bool found = false;
        for (uint32_t i = 0; i < c->ncurves; i++) {
            str_hint_offer(&hint, c->curves[i].part);
            found |= strcmp(c->curves[i].part, word) == 0;
        }
        if (!found)
            return err_set(
                e, STATUS_BAD_INPUT, "characterise: --only: no part \"%s\"%s", word,
                str_hint_text(&hint, " (latency, cache, stream, stride, banks, atomics, launch)"));
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->ncurves; i++) {
        bool is_wanted = !only;
        for (const char *p = only; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
            size_t n = strcspn(p, ",");
            is_wanted |= strlen(c->curves[i].part) == n && strncmp(p, c->curves[i].part, n) == 0;
        }
        if (is_wanted)
            c->curves[kept++] = c->curves[i];
    }
    c->ncurves = kept;
    return true;
}

bool characterise_plan(struct arena *a, const struct config *cfg,
                       const struct characterise_options *o, struct characterise *c, struct err *e)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const char *chip = o->chip ? o->chip : gpu->chip;
    *c = (struct characterise){.machine = o->machine, .quick = o->quick, .arena = a};
    c->curves = ARENA_ARRAY(a, struct characterise_curve, MOST_CURVES);
    if (*chip && !chip_read(a, chip, &c->chip, e))
        return false;
    struct planner p = {c, facts_of(cfg), a};
    plan_latency(&p);
    plan_cache(&p);
    plan_streams(&p);
    plan_sweeps(&p);
    plan_atomics(&p);
    return keep(c, o->only, e);
}
