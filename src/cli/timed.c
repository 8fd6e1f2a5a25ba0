/* timed.c - a timed run: its machine, its progress line, what it writes. */
#include "cli/timed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/origin.h"
#include "cli/timed_out.h"
#include "cta/registers_of.h"
#include "machine/machine.h"
#include "machine/several.h"
#include "sim/stats_sampler.h"
#include "sm/sm.h"
#include "study/solo_store.h"

struct timed {
    struct timed_options *o;
    struct arena *arena;
    struct config *cfg;
    struct machine *machine;
    FILE *timeline_file; /* without a name until it is whole */
    struct timeline *timeline;
    struct stats_sampler *sampler;
    struct results_scale scale;
    uint64_t sampled_at;
    double start_s, shown_s;
    uint64_t ctas_before; /* of kernels that are over */
    uint64_t ctas_known;  /* of kernels that have begun */
    double kernel_s;      /* when the last of them began */
    uint32_t kernels;
    bool is_terminal, is_shown;
};

/* --- progress --------------------------------------------------------------------------------- */

static void wipe(struct timed *t)
{
    if (t->is_shown)
        fputs("\r\033[K", stderr);
    t->is_shown = false;
}

/* How many kernels will follow is not known, so what is foretold is the end of this one. */
static void show_rest(const struct timed *t, const struct machine_progress *p, double now)
{
    uint64_t all = p->ctas - t->ctas_before, done = p->ctas_done - t->ctas_before;
    fprintf(stderr, "; kernel %u: CTA %llu of %llu", t->kernels, (unsigned long long)done,
            (unsigned long long)all);
    if (done && done < all && now - t->kernel_s > 1)
        fprintf(stderr, ", about %.0f s left",
                (now - t->kernel_s) * (double)(all - done) / (double)done);
}

static void progress(void *context, const struct machine_progress *p)
{
    struct timed *t = context;
    if (!t->is_terminal)
        return;
    double now = tally_clock(), s = now - t->start_s;
    if (p->ctas != t->ctas_known) {
        t->ctas_before = t->ctas_known;
        t->ctas_known = p->ctas;
        t->kernel_s = now;
        t->kernels++;
    }
    if (now - t->shown_s < 0.2)
        return;
    t->shown_s = now;
    t->is_shown = true;
    fprintf(stderr, "\r%llu cycles, %.0f k/s, IPC %.1f", (unsigned long long)p->cycles,
            s > 0 ? (double)p->cycles / s / 1e3 : 0,
            p->cycles ? (double)p->thread_insns / (double)p->cycles : 0);
    show_rest(t, p, now);
    fputs(" \033[K", stderr);
    fflush(stderr);
}

/* --- time line and series --------------------------------------------------------------------- */

static void cta_done(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct timed *t = context;
    struct timeline_cta c = {kernel, sm, slot, cta, begin, end};
    timeline_add_cta(t->timeline, &c);
}

static void sampled(void *context, uint64_t cycle)
{
    struct timed *t = context;
    const struct stats_snapshot *d = stats_sampler_take(t->sampler, cycle);
    if (t->timeline)
        timed_out_counters(t->timeline, &t->scale, d, t->sampled_at, cycle);
    t->sampled_at = cycle;
}

/* What came after the last whole period, so that the rows add up to the whole.  A run that came to
 * its end has also drained, after its last cycle. */
static void end_samples(struct timed *t, bool has_drained)
{
    uint64_t end = machine_cycles(t->machine);
    if (end > t->sampled_at || has_drained)
        sampled(t, end > t->sampled_at ? end : t->sampled_at + 1);
}

static void add_kernels(struct timed *t)
{
    for (uint32_t i = 0; i < machine_nkernels(t->machine); i++) {
        const struct machine_kernel *k = machine_kernel(t->machine, i);
        struct timeline_kernel tk = {.name = k->name, .begin = k->begin, .end = k->end};
        memcpy(tk.grid, k->grid, sizeof tk.grid);
        memcpy(tk.block, k->block, sizeof tk.block);
        timeline_add_kernel(t->timeline, &tk);
    }
    timeline_end(t->timeline, origin_json);
}

/* A time line grows all through the run: until it is whole it is a file without a name, of which
 * nothing is left when the run is killed. */
static bool open_timeline(struct timed *t, struct err *e)
{
    const struct gpu_spec *gpu = config_get(t->cfg, &gpu_section);
    const struct sm_spec *sm = config_get(t->cfg, &sm_section);
    if (!t->o->timeline)
        return true;
    t->timeline_file = tmpfile();
    if (!t->timeline_file)
        return err_set(e, STATUS_BAD_INPUT, "a temporary file for %s: cannot write: %s",
                       t->o->timeline, strerror(errno));
    t->timeline = timeline_new(t->arena, t->timeline_file, gpu->clock, (uint32_t)gpu_sms(gpu),
                               (uint32_t)sm->ctas);
    return true;
}

static bool write_timeline(struct timed *t, struct err *e)
{
    struct outfile f;
    char part[1 << 14];
    if (!t->timeline)
        return true;
    add_kernels(t);
    if (fflush(t->timeline_file) != 0 || ferror(t->timeline_file))
        return err_set(e, STATUS_BAD_INPUT, "a temporary file for %s: cannot write: %s",
                       t->o->timeline, strerror(errno));
    if (!outfile_open(&f, t->o->timeline, e))
        return false;
    rewind(t->timeline_file);
    for (size_t n; (n = fread(part, 1, sizeof part, t->timeline_file)) > 0;)
        fwrite(part, 1, n, f.f);
    return outfile_commit(&f, e);
}

static bool write_series(const struct timed *t, struct err *e)
{
    struct outfile f;
    if (!t->o->series)
        return true;
    if (!outfile_open_csv(&f, t->o->series, e))
        return false;
    stats_sampler_csv(t->sampler, f.f);
    return outfile_commit(&f, e);
}

/* --- running ---------------------------------------------------------------------------------- */

static bool load(struct timed *t, struct err *e)
{
    t->cfg = machine_config(t->arena);
    const char *path = data_machine(t->arena, t->o->machine, e);
    if (!path || !config_load(t->cfg, path, e))
        return false;
    for (int i = 0; i < t->o->nsets; i++)
        if (!config_set(t->cfg, t->o->set[i], e))
            return false;
    machine_fit(t->cfg);
    return true;
}

struct column { /* of the series: a derived statistic */
    const struct results_scale *scale;
    const struct results_row *row;
};

static double derive(const void *context, const struct stats_snapshot *during, uint64_t cycles)
{
    const struct column *c = context;
    struct results_view v = {.scale = c->scale, .values = during, .cycles = cycles};
    return c->row->value(&v);
}

/* A time line alone needs no rows, but for what was counted in a period. */
static struct stats_sampler *new_sampler(struct timed *t, struct err *e)
{
    struct column *column = ARENA_ARRAY(t->arena, struct column, results_nrows);
    struct stats_sampler_extra *extra =
        ARENA_ARRAY(t->arena, struct stats_sampler_extra, results_nrows);
    for (size_t i = 0; i < results_nrows; i++) {
        column[i] = (struct column){&t->scale, &results_rows[i]};
        extra[i] = (struct stats_sampler_extra){results_rows[i].name, derive, &column[i]};
    }
    struct stats_sampler_spec spec = {.tree = machine_stats(t->machine),
                                      .prefixes = t->o->columns ? t->o->columns : "",
                                      .extras = extra,
                                      .nextras = t->o->series ? results_nrows : 0};
    return stats_sampler_new(t->arena, &spec, e);
}

static bool build(struct timed *t, struct err *e)
{
    bool samples = t->o->series || t->o->timeline;
    struct machine_options mo = {.no_skip = t->o->no_skip,
                                 .check = t->o->check,
                                 .threads = t->o->threads,
                                 .only_idle = t->o->only_idle,
                                 .max_cycles = t->o->max_cycles,
                                 .max_insns = t->o->max_insns,
                                 .series_period = samples ? t->o->period : 0,
                                 .details = t->o->details,
                                 .nprograms = t->o->nprograms > 1 ? t->o->nprograms : 0,
                                 .progress = progress,
                                 .cta_done = t->o->timeline ? cta_done : NULL,
                                 .sampled = samples ? sampled : NULL,
                                 .context = t};
    t->machine = machine_new(t->cfg, &mo, e);
    if (!t->machine || !results_scale_of(&t->scale, t->machine, t->arena, e) ||
        !open_timeline(t, e))
        return false;
    if (samples)
        t->sampler = new_sampler(t, e);
    return !samples || t->sampler;
}

/* Whether a document goes to standard output, and so nothing else may. */
static bool owns_stdout(const struct timed_options *o)
{
    const char *const files[] = {o->json, o->csv, o->timeline, o->series};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] && strcmp(files[i], "-") == 0)
            return true;
    return false;
}

/* "HS@tiny", or "HS@tiny + BFS@tiny". */
static const char *title_of(const struct timed *t)
{
    const char *title = t->o->program[0].title;
    for (uint32_t i = 1; i < t->o->nprograms && t->o->program[i].title; i++)
        title = arena_printf(t->arena, "%s + %s", title, t->o->program[i].title);
    return title;
}

/* Outputs of all programs were compared; one that was stopped in the middle has none yet. */
static bool are_checked(struct timed_options *o)
{
    bool all = !o->window;
    for (uint32_t i = 0; all && i < o->nprograms; i++)
        all = o->program[i].done.is_checked;
    return all;
}

static bool compare(struct timed *t, struct timed_result *r, struct err *e)
{
    const struct timed_options *o = t->o;
    struct several_run run = {.n = o->nprograms,
                              .window = o->window,
                              .memory = solo_store_at(o->solo),
                              .no_skip = o->no_skip,
                              .check = o->check,
                              .threads = o->only_idle ? 1 : o->threads};
    for (uint32_t i = 0; i < run.n; i++) {
        run.title[i] = o->program[i].title;
        run.source[i] = o->program[i].source;
        if (!o->no_alone && !program_hash(&o->program[i], &run.hash[i], e))
            return false;
    }
    r->several = ARENA_NEW(t->arena, struct several);
    several_init(r->several, &run, t->machine);
    return o->no_alone || several_run_alone(r->several, &run, t->cfg, e);
}

/* First kernels are executed while the machine is built. */
static bool open_programs(struct timed *t, struct err *e)
{
    struct timed_options *o = t->o;
    for (uint32_t i = 0; i < o->nprograms; i++) {
        o->program[i].execute.prints_to_stderr = owns_stdout(o);
        if (!program_open(&o->program[i], o->nprograms > 1 || o->window, e))
            return false;
    }
    return true;
}

static bool run_kernels(struct timed *t, struct timed_result *r, struct err *e)
{
    struct timed_options *o = t->o;
    struct machine_programs all = {.n = o->nprograms, .window = o->window};
    const bool is_several = o->nprograms > 1;
    t->start_s = t->shown_s = tally_clock();
    t->is_terminal = isatty(STDERR_FILENO);
    for (uint32_t i = 0; i < o->nprograms; i++)
        all.source[i] = o->program[i].source;
    r->workload = title_of(t);
    bool ok = machine_run_programs(t->machine, &all, e);
    r->is_checked = ok && are_checked(o);
    ok = ok && (o->window || machine_finish(t->machine, e));
    r->wall_s = tally_clock() - t->start_s;
    if (ok && is_several)
        ok = compare(t, r, e);
    wipe(t);
    return ok;
}

/* A name in sm.registers_of that no kernel has may be meant for another run of the same machine
 * file; it may also be misspelt. */
static void tell_unknown_kernels(const struct timed *t)
{
    const struct sm_spec *sm = config_get(machine_config_of(t->machine), &sm_section);
    int length;
    const char *name;
    for (uint32_t i = 0; (name = registers_of_name(sm->registers_of, i, &length)); i++) {
        bool found = false;
        for (uint32_t k = 0; !found && k < machine_nkernels(t->machine); k++)
            found = str_names_kernel(name, length, machine_kernel(t->machine, k)->name);
        if (!found)
            fprintf(stderr, "heddle: sm.registers_of: no kernel \"%.*s\" was launched\n", length,
                    name);
    }
}

static bool write_all(struct timed *t, struct timed_result *r, struct err *e)
{
    if (t->sampler)
        end_samples(t, !r->is_partial);
    if (!write_timeline(t, e) || !write_series(t, e) ||
        (t->o->json && !timed_out_json(r, t->o->json, e)) ||
        (t->o->csv && !timed_out_csv(r, t->o->csv, e)))
        return false;
    if (!owns_stdout(t->o))
        timed_out_print(r, t->arena, stdout);
    tell_unknown_kernels(t);
    return true;
}

bool timed_run(struct timed_options *o, struct arena *a, struct err *e)
{
    struct timed t = {.o = o, .arena = a};
    bool ok =
        load(&t, e) && open_programs(&t, e) && build(&t, e) && effect_tell(t.cfg, o->is_strict, e);
    if (ok) {
        struct timed_result r = {.machine = t.machine,
                                 .scale = &t.scale,
                                 .machine_name = o->machine,
                                 .has_details = o->details};
        ok = run_kernels(&t, &r, e);
        r.is_partial = !ok && e->status == STATUS_BUDGET;
        struct err unwritten = {0};
        if ((ok || r.is_partial) && !write_all(&t, &r, &unwritten)) {
            *e = unwritten;
            ok = false;
        }
    }
    for (uint32_t i = 0; i < o->nprograms; i++)
        program_free(&o->program[i]);
    if (t.timeline_file)
        fclose(t.timeline_file);
    if (t.sampler)
        stats_sampler_free(t.sampler);
    machine_free(t.machine);
    return ok;
}
