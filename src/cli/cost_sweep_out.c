/* cost_sweep_out.c - heddle cost --sweep for programs: JSON of everything, CSV of all networks. */
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/cost_options.h"
#include "cli/cost_sweep.h"

/* ---- JSON ---- */

struct shown { /* a network of the sweep or of Fig. 11 */
    const char *figure;
    uint32_t sms;
    enum sweep_kind kind;
    const struct sweep_network *network;
    const double *power;
};

static void write_network(struct json *j, const struct shown *s)
{
    const struct sweep_network *n = s->network;
    json_open_object(j, false);
    json_key(j, "sms");
    json_uint(j, s->sms);
    json_key(j, "network");
    json_string(j, sweep_names[s->kind]);
    json_key(j, "size");
    json_string(j, n->size);
    json_key(j, "counts");
    count_json(&n->count, j);
    cost_json_parts(j, "area_mm2", n->area, COST_MM2);
    cost_json_parts(j, "power_w", s->power, 1);
    cost_json_number(j, "wire_area_mm2", n->wire_area * COST_MM2);
    cost_json_number(j, "max_clock_hz", n->max_clock);
    json_key(j, "links_met");
    json_bool(j, n->links_met);
    json_close_object(j);
}

static void write_claims(struct json *j, const struct cost_evaluation *v)
{
    json_key(j, "claims");
    json_open_array(j, false);
    for (int i = 0; i < CLAIMS; i++) {
        const struct cost_claim *c = &cost_claims[i];
        json_open_object(j, true);
        json_key(j, "name");
        json_string(j, c->name);
        json_key(j, "text");
        json_string(j, c->text);
        json_key(j, "section");
        json_string(j, c->section);
        cost_json_number(j, "paper", c->paper);
        json_key(j, "is_bound");
        json_bool(j, c->is_bound);
        cost_json_number(j, "measured", v->value[i]);
        json_key(j, "verdict");
        json_string(j, verdict_name[cost_claim_verdict(c, v->value[i])]);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_sensitivity(struct json *j, const struct cost_sweep_results *r)
{
    json_key(j, "sensitivity");
    json_open_array(j, false);
    for (int i = 0; i < r->nevaluations; i++) {
        const struct cost_evaluation *v = &r->evaluation[i];
        json_open_object(j, true);
        json_key(j, "assumption");
        json_string(j, v->text);
        json_key(j, "set");
        json_string(j, v->set);
        for (int k = 0; k < CLAIMS; k++)
            cost_json_number(j, cost_claims[k].name, v->value[k]);
        json_close_object(j);
    }
    json_close_array(j);
}

/* Calls `show` for every network of the sweep, then for those of Fig. 11. */
static void each_network(const struct cost_sweep_results *r, bool is_fig11,
                         void (*show)(const struct shown *s, void *context), void *context)
{
    const struct cost_evaluation *v = &r->evaluation[0];
    for (int i = 0; !is_fig11 && i < r->n; i++)
        for (int k = 0; k < SWEEP_KINDS; k++) {
            const struct sweep_network *n = &r->network[i][k];
            show(&(struct shown){"2,3", r->sms[i], (enum sweep_kind)k, n, n->power}, context);
        }
    for (int i = 0; is_fig11 && i < FIG11_NETWORKS; i++)
        show(&(struct shown){"11", FIG11_SMS, cost_fig11_kinds[i], &v->fig11[i], v->fig11_power[i]},
             context);
}

static void show_json(const struct shown *s, void *context)
{
    write_network(context, s);
}

bool cost_sweep_json(const struct cost_sweep_results *r, const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_key(&j, "networks");
    json_open_array(&j, false);
    each_network(r, false, show_json, &j);
    json_close_array(&j);
    json_key(&j, "fig11");
    json_open_array(&j, false);
    each_network(r, true, show_json, &j);
    json_close_array(&j);
    write_claims(&j, &r->evaluation[0]);
    write_sensitivity(&j, r);
    return outfile_commit_json(&out, &j, e);
}

/* ---- CSV ---- */

static void show_csv(const struct shown *s, void *context)
{
    const struct sweep_network *n = s->network;
    FILE *f = context;
    fprintf(f, "\"%s\",%u,%s,\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64, s->figure, s->sms,
            sweep_names[s->kind], n->size, n->count.routers, n->count.buffers, n->count.links);
    for (int i = 0; i < NETCOST_PARTS; i++)
        fprintf(f, ",%.9g", n->area[i] * COST_MM2);
    fprintf(f, ",%.9g", sweep_sum(n->area) * COST_MM2);
    for (int i = 0; i < NETCOST_PARTS; i++)
        fprintf(f, ",%.9g", s->power[i]);
    fprintf(f, ",%.9g,%.9g,%.9g,%d\n", sweep_sum(s->power), n->wire_area * COST_MM2, n->max_clock,
            n->links_met);
}

bool cost_sweep_csv(const struct cost_sweep_results *r, const char *path, struct err *e)
{
    struct outfile out;
    if (!outfile_open_csv(&out, path, e))
        return false;
    fputs("figure,sms,network,size,routers,vc_buffers,links", out.f);
    for (int i = 0; i < NETCOST_PARTS; i++)
        fprintf(out.f, ",area_%s_mm2", netcost_part_names[i]);
    fputs(",area_total_mm2", out.f);
    for (int i = 0; i < NETCOST_PARTS; i++)
        fprintf(out.f, ",power_%s_w", netcost_part_names[i]);
    fputs(",power_total_w,wire_area_mm2,max_clock_hz,links_met\n", out.f);
    each_network(r, false, show_csv, out.f);
    each_network(r, true, show_csv, out.f);
    return outfile_commit(&out, e);
}
