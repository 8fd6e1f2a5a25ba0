/* verdict.c - values of all figures from the runs, and what they say about the paper.
 *
 * A value of the paper is reproduced when the measured one is no farther from it than the figure's
 * tolerance, which scales with the effect the paper saw; on the same side of the neutral value it
 * has at least the direction.  Nothing is concluded from what was not measured: a figure's mean is
 * over the workloads that have data, and says over how many. */
#include "study/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/inputs.h"
#include "study/study_priv.h"
#include "study/verdict_priv.h"

const char *const verdict_name[VERDICTS] = {"reproduced", "direction only", "not reproduced",
                                            "no data",    "holds",          "fails"};

const char *verdict_word(const struct study *s, enum verdict v)
{
    static const char *const quick[VERDICTS] = {[VERDICT_REPRODUCED] = "agrees",
                                                [VERDICT_DIRECTION] = "same direction",
                                                [VERDICT_NOT] = "differs"};
    return s->is_quick && quick[v] ? quick[v] : verdict_name[v];
}

/* ---- one run ------------------------------------------------------------------------------- */

struct run {
    const struct study *study;
    const struct verdict_source *from;
    uint32_t variant, workload;
    int32_t baseline;
    const struct expr *expr; /* being evaluated: its own name in a metric is the statistic */
};

static double name_of_run(void *context, const char *name)
{
    struct run run = *(const struct run *)context;
    if (strncmp(name, "base.", 5) == 0) {
        HD_ASSERT(run.baseline >= 0, "%s without a baseline", name);
        run.variant = (uint32_t)run.baseline;
        name += 5;
    }
    const struct study_metric *m = study_metric(run.study, name);
    if (!m || m->expr == run.expr)
        return run.from->stat(run.from->context, run.variant, run.workload, name);
    run.expr = m->expr;
    return expr_eval(m->expr, &(struct expr_world){.name = name_of_run, .context = &run});
}

static double evaluate(struct run *run, const struct expr *x)
{
    run->expr = x;
    return expr_eval(x, &(struct expr_world){.name = name_of_run, .context = run});
}

/* ---- figures ------------------------------------------------------------------------------- */

static uint32_t parts_of(const struct study_figure *f)
{
    return f->nparts ? f->nparts : 1;
}

static double *cell(const struct verdict_figure *v, uint32_t row, uint32_t column)
{
    return &v->value[((size_t)row * v->figure->nvariants + column) * parts_of(v->figure)];
}

double verdict_value(const struct verdict_figure *v, uint32_t row, uint32_t column, int32_t part)
{
    const double *at = cell(v, row, column);
    double sum = 0;
    if (part >= 0)
        return at[part];
    for (uint32_t i = 0; i < parts_of(v->figure); i++)
        sum += at[i];
    return sum;
}

static void fill_column(struct verdict_figure *v, uint32_t column, struct run *run)
{
    const struct study_figure *f = v->figure;
    for (uint32_t row = 0; row < f->nworkloads; row++) {
        run->variant = f->variants[column];
        run->baseline = study_baseline(run->study, f, run->variant);
        run->workload = f->workloads[row];
        double *at = cell(v, row, column);
        for (uint32_t i = 0; i < parts_of(f); i++)
            at[i] = evaluate(run, f->nparts ? f->parts[i]->expr : f->expr);
        if (!isnan(verdict_value(v, row, column, -1)))
            v->counted[column]++;
    }
}

static void fill_figure(struct arena *a, struct verdict_figure *v, struct run *run)
{
    const struct study_figure *f = v->figure;
    v->rows = verdict_rows(f);
    size_t n = (size_t)v->rows * f->nvariants * parts_of(f);
    v->value = ARENA_ARRAY(a, double, n);
    v->counted = ARENA_ARRAY(a, uint32_t, f->nvariants);
    for (uint32_t column = 0; column < f->nvariants; column++)
        fill_column(v, column, run);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

enum verdict verdict_of(const struct study_figure *f, double paper, double measured)
{
    double effect = paper - f->neutral, found = measured - f->neutral;
    double rounding = 1e-12 * (fabs(paper) + fabs(measured));
    if (isnan(measured))
        return VERDICT_NO_DATA;
    if (fabs(measured - paper) <= f->reproduced * fabs(effect) + f->absolute + rounding)
        return VERDICT_REPRODUCED;
    return (effect > 0 && found > 0) || (effect < 0 && found < 0) ? VERDICT_DIRECTION : VERDICT_NOT;
}

static const char *describe(struct arena *a, const struct study *s, const struct verdict_figure *v,
                            const struct study_paper *p)
{
    const struct study_figure *f = v->figure;
    uint32_t column = (uint32_t)study_place(f->variants, f->nvariants, p->variant);
    const char *row = p->workload >= 0 ? s->workloads[p->workload].name
                                       : verdict_extent_text(a, v, verdict_paper_row(f, p), column);
    const char *part = p->part < 0 ? "" : f->parts[p->part]->name, *comma = *part ? ", " : "";
    return arena_printf(a, "%s, %s%s%s", s->variants[p->variant].name, row, comma, part);
}

/* What goes beyond a bound is as the paper says, and nothing short of it is. */
static enum verdict judge_value(const struct study_figure *f, const struct study_paper *p,
                                double measured)
{
    struct study_figure exactly = *f;
    if (p->bound == BOUND_NONE)
        return verdict_of(f, p->value, measured);
    exactly.reproduced = exactly.absolute = 0;
    bool is_beyond = p->bound == BOUND_ABOVE ? measured > p->value : measured < p->value;
    return is_beyond ? VERDICT_REPRODUCED : verdict_of(&exactly, p->value, measured);
}

static struct verdict_row judge_paper(struct arena *a, const struct study_result *r,
                                      const struct verdict_figure *v, const struct study_paper *p)
{
    const struct study_figure *f = v->figure;
    uint32_t column = (uint32_t)study_place(f->variants, f->nvariants, p->variant);
    double measured = verdict_value(v, verdict_paper_row(f, p), column, p->part);
    return (struct verdict_row){.figure = f,
                                .paper = p,
                                .what = describe(a, r->study, v, p),
                                .paper_value = p->value,
                                .measured = measured,
                                .verdict = judge_value(f, p, measured)};
}

static struct verdict_row judge_claim(struct arena *a, const struct study_result *r,
                                      const struct study_figure *f, const struct study_claim *c)
{
    double v = verdict_claim_value(a, r, c);
    bool is_own = study_claim_is_own(c);
    enum verdict yes = is_own ? VERDICT_HOLDS : VERDICT_REPRODUCED;
    enum verdict no = is_own ? VERDICT_FAILS : VERDICT_NOT;
    return (struct verdict_row){.figure = f,
                                .claim = c,
                                .what = c->text,
                                .paper_value = NAN,
                                .measured = v,
                                .verdict = isnan(v) ? VERDICT_NO_DATA
                                           : v != 0 ? yes
                                                    : no};
}

void verdict_judge(struct arena *a, const struct study *s, const struct verdict_source *from,
                   struct study_result *r)
{
    struct run run = {.study = s, .from = from};
    uint32_t n = 0;
    r->study = s;
    r->version = inputs_version();
    r->figures = ARENA_ARRAY(a, struct verdict_figure, s->nfigures);
    r->plan = NULL;
    r->heat = (struct verdict_heat){0};
    r->origin = (struct verdict_origin){0};
    memset(r->count, 0, sizeof r->count);
    for (uint32_t i = 0; i < s->nfigures; i++) {
        r->figures[i].figure = &s->figures[i];
        fill_figure(a, &r->figures[i], &run);
        n += s->figures[i].npapers + s->figures[i].nclaims;
    }
    verdict_fill_means(a, r);
    r->rows = ARENA_ARRAY(a, struct verdict_row, n);
    r->nrows = r->own = 0;
    for (uint32_t i = 0; i < s->nfigures; i++) {
        const struct study_figure *f = &s->figures[i];
        for (uint32_t k = 0; k < f->npapers; k++)
            r->rows[r->nrows++] = judge_paper(a, r, &r->figures[i], &f->papers[k]);
        for (uint32_t k = 0; k < f->nclaims; k++)
            r->rows[r->nrows++] = judge_claim(a, r, f, &f->claims[k]);
    }
    for (uint32_t i = 0; i < r->nrows; i++) {
        r->count[r->rows[i].verdict]++;
        r->own += r->rows[i].claim && study_claim_is_own(r->rows[i].claim);
    }
}

/* ---- from the store ------------------------------------------------------------------------ */

enum { MAX_STAT_NAME = 256 };

struct stat_value {
    const char *name;
    double value;
};

struct runs {
    const struct study *study;
    const struct study_plan *plan;
    struct stat_value **stats; /* by job, sorted by name; NULL: not run */
    uint32_t *nstats;
    uint32_t done;
    double wall_s;
};

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct stat_value *)x)->name, ((const struct stat_value *)y)->name);
}

static double find_stat(const struct runs *r, uint32_t job, const char *name)
{
    struct stat_value key = {.name = name}, *v;
    v = bsearch(&key, r->stats[job], r->nstats[job], sizeof key, by_name);
    return v ? v->value : NAN;
}

/* A sum of samples may be stored as their mean and number. */
static double find_sum(const struct runs *r, uint32_t job, const char *name)
{
    char base[MAX_STAT_NAME], count[MAX_STAT_NAME + 8];
    size_t n = strlen(name);
    if (n < 5 || n >= sizeof base || strcmp(name + n - 4, ".sum") != 0)
        return NAN;
    snprintf(base, sizeof base, "%.*s", (int)(n - 4), name);
    snprintf(count, sizeof count, "%s.n", base);
    double samples = find_stat(r, job, count);
    return samples == 0 ? 0 : samples * find_stat(r, job, base);
}

/* Of a row that is about one kernel, by the name under which its run has it. */
static const char *name_in_run(char buf[MAX_STAT_NAME], const struct runs *r, uint32_t job,
                               uint32_t workload, const char *name)
{
    const struct study_workload *w = &r->study->workloads[workload];
    if (!w->kernel || r->plan->jobs[job].kind != w->kind)
        return name;
    snprintf(buf, MAX_STAT_NAME, "kernel.%s.%s", w->kernel, name);
    return buf;
}

static double stat_of_run(const void *context, uint32_t variant, uint32_t workload,
                          const char *name)
{
    const struct runs *r = context;
    char buf[MAX_STAT_NAME];
    uint32_t job = study_plan_job(r->plan, variant * r->study->nworkloads + workload, name);
    if (job == UINT32_MAX || !r->stats[job])
        return NAN;
    name = name_in_run(buf, r, job, workload, name);
    double v = find_stat(r, job, name);
    return isnan(v) ? find_sum(r, job, name) : v;
}

static bool load_run(struct arena *a, struct runs *runs, uint32_t job, struct store *store,
                     struct err *e)
{
    struct store_run run = {0};
    bool found = false;
    if (!store_get(store, a, runs->plan->jobs[job].key, &run, &found, e))
        return false;
    if (!found)
        return true;
    struct stat_value *v = ARENA_ARRAY(a, struct stat_value, run.nstats + 1);
    for (uint32_t i = 0; i < run.nstats; i++)
        v[i] = (struct stat_value){run.names[i], run.values[i]};
    qsort(v, run.nstats, sizeof *v, by_name);
    runs->stats[job] = v;
    runs->nstats[job] = run.nstats;
    runs->done++;
    runs->wall_s += run.wall_s;
    return true;
}

static double link_load(const struct runs *r, uint32_t job, int net, const char *way, uint32_t port)
{
    char name[64];
    snprintf(name, sizeof name, "link.%d.%s.%u", net, way, port);
    return find_stat(r, job, name);
}

/* Flits per cycle and link of one network.  Inputs are counted where nodes feed them: the others'
 * flits have been counted as some output's. */
static double find_load(const struct runs *r, uint32_t job, int net)
{
    char prefix[16];
    double sum = 0;
    uint32_t n = 0;
    int length = snprintf(prefix, sizeof prefix, "link.%d.", net);
    for (uint32_t i = 0; i < r->nstats[job]; i++) {
        const struct stat_value *v = &r->stats[job][i];
        if (strncmp(v->name, prefix, (size_t)length) != 0 || isnan(v->value))
            continue;
        bool is_unused = v->name[length] == 'i' && v->value == 0;
        sum += v->value;
        n += !is_unused;
    }
    return n ? sum / n : 0;
}

static void load_links(struct arena *a, const struct runs *r, uint32_t job, struct verdict_heat *h)
{
    struct err ignored = {0};
    if (!fabric_of(r->plan->jobs[job].config, a, &h->graphs, &ignored))
        return;
    for (int i = 0; i < h->graphs.n; i++) {
        const struct graph *g = h->graphs.graph[i];
        h->out[i] = ARENA_ARRAY(a, double, g->nouts + 1);
        h->in[i] = ARENA_ARRAY(a, double, g->nins + 1);
        for (uint32_t p = 0; p < g->nouts; p++)
            h->out[i][p] = link_load(r, job, i, "out", p);
        for (uint32_t p = 0; p < g->nins; p++)
            h->in[i][p] = link_load(r, job, i, "in", p);
    }
    h->job = &r->plan->jobs[job];
}

static void find_heat(struct arena *a, const struct runs *r, struct verdict_heat *h)
{
    uint32_t hottest = UINT32_MAX;
    double most = 0;
    for (uint32_t j = 0; j < r->plan->njobs; j++)
        for (int net = 0; net < 2; net++) {
            double load = find_load(r, j, net);
            if (load <= most)
                continue;
            most = load;
            hottest = j;
            h->busiest = net;
        }
    if (hottest != UINT32_MAX)
        load_links(a, r, hottest, h);
}

bool study_judge(struct arena *a, const struct study *s, const struct study_plan *p,
                 struct store *store, struct study_result *r, struct err *e)
{
    struct runs runs = {.study = s, .plan = p};
    runs.stats = ARENA_ARRAY(a, struct stat_value *, p->njobs);
    runs.nstats = ARENA_ARRAY(a, uint32_t, p->njobs);
    for (uint32_t i = 0; i < p->njobs; i++)
        if (!load_run(a, &runs, i, store, e))
            return false;
    struct verdict_source from = {stat_of_run, &runs};
    verdict_judge(a, s, &from, r);
    r->plan = p;
    r->origin.runs = p->njobs;
    r->origin.done = runs.done;
    r->origin.wall_s = runs.wall_s;
    find_heat(a, &runs, &r->heat);
    return true;
}
