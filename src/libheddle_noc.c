/* libheddle_noc.c - the public interface of networks and of prices. */
#include "heddle/heddle.h"
#include "lab/point.h"
#include "libheddle_error.h"
#include "libheddle_gpu.h"
#include "machine/cost_values.h"
#include "report/cost_json.h"
#include "report/noc_json.h"
#include "traffic/pattern.h"

bool hd_noc_run(const struct hd_config *c, double rate, struct hd_point *p, struct hd_error *e)
{
    struct err err = {0};
    struct point q;
    struct lab_options o = {.stop = libheddle_watch(c)->stop};
    point_run(libheddle_config(c), rate, o, &q, NULL, &err);
    *p = (struct hd_point){.offered = q.offered,
                           .accepted = q.accepted,
                           .latency_mean = q.mean,
                           .latency_p50 = q.p50,
                           .latency_p99 = q.p99,
                           .latency_ci95 = q.ci95,
                           .queueing = q.queueing,
                           .hops = q.hops,
                           .saturated = q.saturated,
                           .cycles = q.cycles,
                           .packets = q.packets,
                           .digest = q.digest};
    return pass(&err, e);
}

/* --- documents -------------------------------------------------------------------------------- */

static bool search(struct noc_results *r, const struct lab_options *o, struct arena *a,
                   struct err *e)
{
    const struct measure_spec *m = config_get(r->config, &measure_section);
    struct saturation found;
    if (!point_saturation(r->config, m->step, *o, &found, e))
        return false;
    r->n = NOC_SEARCH_POINTS;
    r->point = ARENA_ARRAY(a, struct point, NOC_SEARCH_POINTS);
    r->point[NOC_PEAK] = found.peak;
    r->point[NOC_KNEE] = found.knee;
    return true;
}

static bool measure(struct noc_results *r, const struct hd_noc_options *o,
                    const struct lab_options *lo, struct arena *a, struct err *e)
{
    const struct traffic_spec *t = config_get(r->config, &traffic_section);
    struct sweep_options so = {.lab = *lo, .threads = o->threads ? (int)o->threads : 1};
    const double *rates = o->rates ? o->rates : &t->rate;
    if (o->threads > 1024)
        return err_set(e, STATUS_BAD_INPUT, "%u threads, at most 1024", o->threads);
    r->n = o->rates ? (int)o->nrates : 1;
    r->point = ARENA_ARRAY(a, struct point, r->n + 1);
    return point_sweep(r->config, rates, r->n, &so, r->point, e);
}

static void write_noc(const void *results, FILE *out)
{
    struct json j;
    libheddle_begin_json(&j, out);
    noc_json(results, &j);
    libheddle_end_json(&j);
}

const char *hd_noc_json(struct hd_config *c, const struct hd_noc_options *o, struct hd_error *e)
{
    struct err err = {0};
    struct hd_noc_options all = {0};
    struct arena *a = arena_new();
    bool ok = !o || libheddle_take(&all, sizeof all, o, "hd_noc_options", &err);
    struct noc_results r = {
        .network = libheddle_name(c), .config = libheddle_config(c), .saturation = all.saturation};
    struct lab_options lo = {
        .check = all.check, .no_skip = all.no_skip, .stop = libheddle_watch(c)->stop};
    ok = ok && (all.saturation ? search(&r, &lo, a, &err) : measure(&r, &all, &lo, a, &err));
    const char *text = ok ? libheddle_document(c, write_noc, &r) : NULL;
    arena_free(a);
    pass(&err, e);
    return text;
}

/* --- prices ----------------------------------------------------------------------------------- */

static void write_cost(const void *document, FILE *out)
{
    struct json j;
    libheddle_begin_json(&j, out);
    cost_json(document, &j);
    libheddle_end_json(&j);
}

const char *hd_cost_json(struct hd_config *c, struct hd_error *e)
{
    struct err err = {0};
    struct arena *a = arena_new();
    const struct config *cfg = libheddle_fitted(c);
    bool is_network = libheddle_kind(c) == LIBHEDDLE_NETWORK;
    struct cost_document *d = ARENA_NEW(a, struct cost_document);
    d->name = libheddle_name(c);
    d->what = is_network ? "network" : "machine";
    d->noc = config_get(cfg, &noc_section);
    d->power = config_get(cfg, &power_section);
    bool ok =
        is_network ? cost_of_network(cfg, a, &d->cost, &err) : cost_of(cfg, a, &d->cost, &err);
    const char *text = ok ? libheddle_document(c, write_cost, d) : NULL;
    arena_free(a);
    pass(&err, e);
    return text;
}

bool hd_cost(const struct hd_config *c,
             void (*each)(void *context, const char *name, const char *unit, double value),
             void *context, struct hd_error *e)
{
    struct err err = {0};
    struct arena *a = arena_new();
    struct cost_values v = {0};
    const struct config *cfg = libheddle_fitted(c);
    bool ok = libheddle_kind(c) == LIBHEDDLE_NETWORK ? cost_values_of_network(cfg, a, &v, &err)
                                                     : cost_values_of(cfg, a, &v, &err);
    for (uint32_t i = 0; ok && i < v.n; i++)
        each(context, v.all[i].name, v.all[i].unit, v.all[i].value);
    arena_free(a);
    return pass(&err, e);
}
