/* point.c - see point.h. */
#include "lab/point.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/wall.h"
#include "fabric/netcost.h"
#include "traffic/pattern.h"

#define KEEPS_UP 0.97 /* accepted / offered below this: saturated */
#define STEADY 0.03   /* successive batches agree */
#define MIN_WARMUP 4  /* batches */
#define MAX_WARMUP 40
#define MIN_BATCHES 10
#define SURE_BATCHES 30 /* after so many, a network that does not keep up is saturated */
#define DRAIN_WINDOWS 4 /* how many times the measured time a drain may take */
#define LEAST_LOAD 1e-4 /* what a search for a load gives up at */

/* Batch means: Welford's running variance. */
struct batches {
    uint64_t n;
    double mean, m2;
};

static void batches_add(struct batches *b, double v)
{
    double d = v - b->mean;
    b->n++;
    b->mean += d / (double)b->n;
    b->m2 += d * (v - b->mean);
}

/* Half width of the 95 % interval.  Student's quantile: a table, then a fit good to 0.5 %. */
static double batches_ci(const struct batches *b)
{
    static const double few[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31};
    if (b->n < 2)
        return INFINITY;
    double df = (double)(b->n - 1);
    double t = b->n - 2 < sizeof few / sizeof few[0] ? few[b->n - 2] : 1.96 + 2.72 / df;
    return t * sqrt(b->m2 / df / (double)b->n);
}

struct run {
    struct lab *lab;
    const struct measure_spec *spec;
    uint64_t flits, latency_n, latency_sum; /* at the end of the last batch */
    double accepted, mean;                  /* of the last batch */
};

static bool run_batch(struct run *r, uint64_t cycles, struct err *e)
{
    if (!lab_run(r->lab, lab_now(r->lab) + cycles, e))
        return false;
    struct lab_totals t = lab_totals(r->lab);
    uint64_t n = t.latency_n - r->latency_n;
    r->accepted = (double)(t.flits_out - r->flits) / (double)cycles / lab_nsources(r->lab);
    r->mean = n ? (double)(t.latency_sum - r->latency_sum) / (double)n : 0;
    r->flits = t.flits_out;
    r->latency_n = t.latency_n;
    r->latency_sum = t.latency_sum;
    return true;
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= STEADY * fmax(fabs(a), fabs(b));
}

static bool warm_up(struct run *r, struct err *e)
{
    uint64_t batch = (uint64_t)r->spec->batch;
    if (r->spec->warmup)
        return run_batch(r, (uint64_t)r->spec->warmup, e);
    for (int k = 1; k <= MAX_WARMUP; k++) {
        double accepted = r->accepted, mean = r->mean;
        if (!run_batch(r, batch, e))
            return false;
        if (k >= MIN_WARMUP && close_to(accepted, r->accepted) && close_to(mean, r->mean))
            break;
    }
    return true;
}

/* Whether the network took what was offered.  At low loads few packets are born, so what the
 * draws may have fallen short of the rate counts for it. */
static bool keeps_up(const struct batches *accepted, double mean, double rate)
{
    double chance = accepted->n < 2 ? 0 : batches_ci(accepted);
    return mean + chance >= KEEPS_UP * rate;
}

static bool is_narrow(const struct batches *b, double ci)
{
    return b->n >= MIN_BATCHES && batches_ci(b) <= ci * b->mean;
}

/* Goes on until latency and accepted load are both known well enough.  The load matters where few
 * packets are born: their number and their ways are then far from the mean. */
static bool measure(struct run *r, double rate, struct batches *latency, struct batches *accepted,
                    struct point *p, struct err *e)
{
    uint64_t batch = (uint64_t)r->spec->batch;
    uint64_t fixed = (uint64_t)r->spec->cycles;
    uint64_t most = fixed ? (fixed + batch - 1) / batch : (uint64_t)r->spec->max_batches;
    for (uint64_t k = 0; k < most; k++) {
        uint64_t left = fixed ? fixed - k * batch : batch;
        if (!run_batch(r, left < batch ? left : batch, e))
            return false;
        batches_add(accepted, r->accepted);
        if (r->mean > 0)
            batches_add(latency, r->mean);
        p->converged = is_narrow(latency, r->spec->ci) && is_narrow(accepted, r->spec->ci);
        bool hopeless = k >= SURE_BATCHES && !keeps_up(accepted, accepted->mean, rate);
        if ((p->converged || hopeless) && !fixed)
            break;
    }
    return true;
}

/* Lets the measured packets arrive; false when they do not in good time. */
static bool drain_window(struct run *r, uint64_t measured, bool *late, struct err *e)
{
    uint64_t step = 100, limit = DRAIN_WINDOWS * measured + 10000;
    *late = false;
    for (uint64_t t = 0; !lab_is_complete(r->lab); t += step) {
        if (t >= limit) {
            *late = true;
            return true;
        }
        if (!lab_run(r->lab, lab_now(r->lab) + step, e))
            return false;
    }
    return true;
}

/* The least and the most that a source got through, over the mean. */
static void fairness(const struct lab *l, const uint64_t *before, struct point *p)
{
    uint32_t n = lab_nsources(l);
    double sum = 0, least = INFINITY, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        double v = (double)(lab_flits_from(l, lab_source(l, i)) - before[i]);
        sum += v;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    p->least = sum > 0 ? least * n / sum : 0;
    p->most = sum > 0 ? most * n / sum : 0;
}

static double busiest(const struct lab *l)
{
    double most = 0;
    const struct fabric *g = lab_fabric(l);
    for (int i = 0; i < g->n; i++)
        for (uint32_t o = 0; o < g->graph[i]->nouts; o++)
            most = fmax(most, noc_channel_load(lab_network(l, i), o));
    return most;
}

static double network_power(const struct lab *l, int net, double packets_per_flit)
{
    const struct noc_spec *spec = config_get(lab_config_of(l), &noc_section);
    const struct noc *n = lab_network(l, net);
    const struct graph *g = lab_fabric(l)->graph[net];
    const char *path = lab_fabric(l)->name[net];
    struct arena *a = arena_new();
    struct netcost c;
    struct err e = {0};
    double joules = NAN; /* per cycle */
    if (netcost_of(lab_config_of(l), g, path, a, &c, &e)) {
        const struct kinds *k = c.kinds;
        joules = c.clock_cycle + c.link_clock;
        for (int i = 0; i < NETCOST_PARTS; i++)
            joules += c.leak[i] / spec->clock;
        for (uint32_t o = 0; o < g->nouts; o++) {
            uint32_t router = k->of_router[g->out[o].router], link = k->of_out[o];
            double load = noc_out_load(n, o);
            if (router != GRAPH_NONE)
                joules += load * netcost_flit(&c.router[router], packets_per_flit);
            if (link != GRAPH_NONE)
                joules += load * c.link[link].cost.energy;
        }
        for (uint32_t i = 0; g->ring && i < g->ring->nstations; i++)
            joules += noc_ring_load(n, i) * c.link[k->of_ring].cost.energy;
        for (uint32_t i = 0; i < g->nins; i++)
            if (k->of_in[i] != GRAPH_NONE)
                joules += noc_in_load(n, i) * c.link[k->of_in[i]].cost.energy;
    }
    arena_free(a);
    return joules * spec->clock;
}

static double power(const struct lab *l)
{
    struct lab_totals t = lab_totals(l);
    double sum = 0, heads = t.flits_out ? (double)t.packets_out / (double)t.flits_out : 0;
    for (int i = 0; i < lab_fabric(l)->n; i++)
        sum += lab_fabric(l)->graph[i]->ideal_latency ? 0 : network_power(l, i, heads);
    return sum;
}

/* Cycles of an empty ring, over all packets. */
static double ring_flight(const struct lab *l, uint64_t packets)
{
    double sum = 0;
    for (int i = 0; packets && i < lab_fabric(l)->n; i++) {
        struct noc_ring_times t;
        if (noc_ring_times(lab_network(l, i), &t))
            sum += (double)t.flight / (double)packets;
    }
    return sum;
}

static double zero_load(const struct lab *l, double hops)
{
    const struct router_spec *r = config_get(lab_config_of(l), &router_section);
    const struct fabric *g = lab_fabric(l);
    struct lab_totals t = lab_totals(l);
    double sum = 0, flits = t.packets_out ? (double)t.flits_out / (double)t.packets_out : 1;
    for (int i = 0; i < g->n; i++)
        sum += noc_zero_load_mean(g->graph[i], r, hops, flits);
    return sum / g->n + ring_flight(l, t.latency_n);
}

static void split_ring(const struct lab *l, uint64_t packets, struct point *p)
{
    int rings = 0;
    for (int i = 0; packets && i < lab_fabric(l)->n; i++) {
        struct noc_ring_times t;
        if (!noc_ring_times(lab_network(l, i), &t))
            continue;
        p->token_wait += (double)t.token_wait / (double)packets;
        p->ring += (double)t.ring / (double)packets;
        p->ring_used += t.used;
        rings++;
    }
    p->ring_used /= rings ? rings : 1;
}

/* Bits of the widest way, headers included. */
static double energy_per_bit(const struct lab *l, const struct point *p)
{
    const struct noc_spec *s = config_get(lab_config_of(l), &noc_section);
    double bits = p->accepted * lab_nsources(l) * 8 * (double)s->width * s->clock;
    return bits > 0 ? p->power / bits * 1e12 : (double)NAN;
}

static void summarise(const struct lab *l, const struct batches *b, struct point *p)
{
    struct lab_totals t = lab_totals(l);
    struct stat_hist h;
    lab_latency(l, &h);
    p->mean = h.n ? (double)h.sum / (double)h.n : 0;
    p->p50 = stat_hist_percentile(&h, 50);
    p->p99 = stat_hist_percentile(&h, 99);
    p->max = (double)h.max;
    p->ci95 = isfinite(batches_ci(b)) ? batches_ci(b) : 0;
    p->queueing = t.queueing_n ? (double)t.queueing_sum / (double)t.queueing_n : 0;
    p->network = p->mean - p->queueing;
    p->hops = t.hops_n ? (double)t.hops_sum / (double)t.hops_n : 0;
    p->packets = h.n;
    p->zero_load = h.n ? zero_load(l, p->hops) : 0;
    if (h.n == 0 && p->saturated) /* all that is known: they took longer than this */
        p->mean = p->p50 = p->p99 = p->max = p->queueing = (double)(p->cycles - p->warmup);
    p->flit_hops = t.flit_hops;
    p->digest = t.digest;
    p->busiest = busiest(l);
    p->power = power(l);
    p->energy_per_bit = energy_per_bit(l, p);
    split_ring(l, h.n, p);
    const struct stat_hist *rt = lab_round_trip(l);
    if (rt && rt->n) {
        p->round_trip = (double)rt->sum / (double)rt->n;
        p->round_trip_p99 = stat_hist_percentile(rt, 99);
    }
}

static bool run_lab(struct lab *l, double rate, struct point *p, struct err *e)
{
    struct run r = {.lab = l, .spec = config_get(lab_config_of(l), &measure_section)};
    struct batches latency = {0}, accepted = {0};
    struct arena *a = arena_new();
    uint64_t *before = ARENA_ARRAY(a, uint64_t, lab_nsources(l) + 1);
    bool late = false, ok = warm_up(&r, e);
    if (ok) {
        hd_cycle from = lab_now(l) + 1; /* packets born now are under way already */
        uint64_t flits = lab_totals(l).flits_out;
        p->warmup = from;
        lab_measure(l, from, HD_NEVER);
        r.latency_n = r.latency_sum = 0;
        for (uint32_t i = 0; i < lab_nsources(l); i++)
            before[i] = lab_flits_from(l, lab_source(l, i));
        ok = measure(&r, rate, &latency, &accepted, p, e);
        uint64_t cycles = lab_now(l) + 1 - from;
        p->accepted = (double)(lab_totals(l).flits_out - flits) / (double)cycles / lab_nsources(l);
        fairness(l, before, p);
        lab_measure(l, from, lab_now(l) + 1);
        if (ok && keeps_up(&accepted, p->accepted, rate)) /* else the answer is known */
            ok = drain_window(&r, cycles, &late, e);
    }
    arena_free(a);
    if (!ok)
        return false;
    p->cycles = lab_now(l);
    p->offered = rate;
    p->saturated = late || !keeps_up(&accepted, p->accepted, rate);
    summarise(l, &latency, p);
    p->settled = !p->saturated && p->mean <= r.spec->settle * p->zero_load;
    return true;
}

bool point_run(const struct config *cfg, double rate, struct lab_options opt, struct point *p,
               struct lab **keep, struct err *e)
{
    double start = wall_s();
    *p = (struct point){0};
    struct lab *l = lab_new(cfg, rate, opt, e);
    bool ok = l && run_lab(l, rate, p, e);
    p->wall_s = wall_s() - start;
    if (ok && keep)
        *keep = l;
    else
        lab_free(l);
    return ok;
}

bool point_try(const struct config *cfg, double rate, struct err *e)
{
    struct lab *l = lab_new(cfg, rate, (struct lab_options){0}, e);
    if (l)
        (void)power(l);
    lab_free(l);
    return l != NULL;
}

/* ---- sweeps ---- */

struct sweep {
    const struct config *cfg;
    const double *rates;
    int n;
    const struct sweep_options *opt;
    struct point *points;
    struct err *errors; /* one per point */
    double start;
    atomic_int next;
    pthread_mutex_t lock;
    int done;
};

static void report(struct sweep *s)
{
    pthread_mutex_lock(&s->lock);
    s->done++;
    if (s->opt->progress)
        s->opt->progress(s->done, s->n, (wall_s() - s->start) / s->done * (s->n - s->done));
    pthread_mutex_unlock(&s->lock);
}

static void *sweep_worker(void *arg)
{
    struct sweep *s = arg;
    for (;;) {
        int i = atomic_fetch_add(&s->next, 1);
        if (i >= s->n)
            return NULL;
        point_run(s->cfg, s->rates[i], s->opt->lab, &s->points[i],
                  s->opt->keep ? &s->opt->keep[i] : NULL, &s->errors[i]);
        report(s);
    }
}

bool point_sweep(const struct config *cfg, const double *rates, int n,
                 const struct sweep_options *opt, struct point *points, struct err *e)
{
    struct arena *a = arena_new();
    struct sweep s = {.cfg = cfg,
                      .rates = rates,
                      .n = n,
                      .opt = opt,
                      .points = points,
                      .errors = ARENA_ARRAY(a, struct err, n),
                      .start = wall_s()};
    pthread_t *t = ARENA_ARRAY(a, pthread_t, opt->threads);
    int started = 0;
    pthread_mutex_init(&s.lock, NULL);
    while (started < opt->threads - 1 && started < n - 1 &&
           pthread_create(&t[started], NULL, sweep_worker, &s) == 0)
        started++;
    sweep_worker(&s);
    for (int i = 0; i < started; i++)
        pthread_join(t[i], NULL);
    pthread_mutex_destroy(&s.lock);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        if (s.errors[i].status != STATUS_DONE) {
            *e = s.errors[i];
            ok = false;
        }
    }
    arena_free(a);
    return ok;
}

/* ---- saturation ---- */

struct search {
    const struct config *cfg;
    struct lab_options opt;
    struct saturation *found;
    double saturated; /* the lowest load known to be too much */
};

static bool try_load(struct search *s, double load, struct point *p, struct err *e)
{
    if (!point_run(s->cfg, load, s->opt, p, NULL, e))
        return false;
    if (p->accepted > s->found->peak.accepted)
        s->found->peak = *p;
    if (p->saturated && load < s->saturated)
        s->saturated = load;
    return true;
}

/* The first load that settles is looked for however low it is. */
static bool find_knee(struct search *s, double step, struct err *e)
{
    double lo = 0, hi = s->found->knee.offered;
    while (hi - lo > step || (lo <= 0 && hi > LEAST_LOAD)) {
        double mid = (lo + hi) / 2;
        struct point p;
        if (!try_load(s, mid, &p, e))
            return false;
        if (p.settled || lo <= 0)
            s->found->knee = p;
        if (p.settled)
            lo = mid;
        else
            hi = mid;
    }
    return true;
}

/* Loads between the knee and the first that saturates: where most is accepted. */
static bool find_peak(struct search *s, double step, struct err *e)
{
    double lo = s->found->knee.offered;
    while (s->saturated - lo > step) {
        double mid = (lo + s->saturated) / 2;
        struct point p;
        if (!try_load(s, mid, &p, e))
            return false;
        if (!p.saturated)
            lo = mid;
    }
    return true;
}

bool point_saturation(const struct config *cfg, double step, struct lab_options opt,
                      struct saturation *found, struct err *e)
{
    double most = lab_max_rate(cfg);
    struct search s = {.cfg = cfg, .opt = opt, .found = found, .saturated = INFINITY};
    *found = (struct saturation){.peak.accepted = -1};
    if (!try_load(&s, most, &found->knee, e))
        return false;
    if (!found->knee.settled && !find_knee(&s, step, e))
        return false;
    return isinf(s.saturated) || find_peak(&s, step, e);
}
