/* noc_out.c - tables for people, JSON and CSV for programs, pictures. */
#include "cli/noc_out.h"

#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/table.h"
#include "report/curves.h"
#include "report/heatmap.h"
#include "traffic/pattern.h"

static void print_header(const struct noc_results *r, FILE *out)
{
    const struct noc_spec *s = config_get(r->config, &noc_section);
    const struct traffic_spec *t = config_get(r->config, &traffic_section);
    fprintf(out, "%s: %s, %s traffic%s\n", r->network, s->topology, t->pattern,
            strcmp(s->networks, "two") == 0 ? ", request and reply networks" : "");
    fprintf(out, "%9s %9s %9s %8s %7s %7s %8s %6s %7s", "offered", "accepted", "latency", "+-95%",
            "p50", "p99", "queueing", "hops", "W");
    fprintf(out, r->point[0].round_trip > 0 ? " %10s\n" : "\n", "round trip");
}

static void print_point(const struct point *p, bool wants_ci, FILE *out)
{
    fprintf(out, "%9.4f %9.4f", p->offered, p->accepted);
    if (p->packets == 0) {
        fprintf(out,
                p->saturated ? "    >%6.0f  saturated: no packet born in the window arrived\n"
                             : "         -\n",
                p->mean);
        return;
    }
    fprintf(out, " %9.2f %8.2f %7.0f %7.0f %8.2f %6.3f", p->mean, p->ci95, p->p50, p->p99,
            p->queueing, p->hops);
    if (isnan(p->power))
        fprintf(out, " %7s", "-");
    else
        fprintf(out, " %7.3f", p->power);
    if (p->round_trip > 0)
        fprintf(out, " %10.1f", p->round_trip);
    fputs(p->saturated                ? "  saturated"
          : !p->settled               ? "  does not settle"
          : wants_ci && !p->converged ? "  interval not reached"
                                      : "",
          out);
    fputc('\n', out);
}

static void print_search(const struct noc_results *r, FILE *out)
{
    const struct measure_spec *m = config_get(r->config, &measure_section);
    const struct point *peak = &r->point[NOC_PEAK], *knee = &r->point[NOC_KNEE];
    fprintf(out, "highest accepted load: %.4f, at %.4f offered\n", peak->accepted, peak->offered);
    if (knee->settled)
        fprintf(out,
                "knee: %.4f, the highest load that settles (latency within %g x %.1f cycles)\n",
                knee->offered, m->settle, knee->zero_load);
    else
        fprintf(out, "knee: below %.4f: no load was found that settles\n", knee->offered);
}

static void print_histogram(const struct lab *l, FILE *out)
{
    struct stat_hist h;
    uint64_t peak = 1;
    lab_latency(l, &h);
    for (uint32_t b = 0; b < STAT_HIST_N; b++)
        peak = h.bucket[b] > peak ? h.bucket[b] : peak;
    for (uint32_t b = 0; b < STAT_HIST_N; b++) {
        if (!h.bucket[b])
            continue;
        int width = (int)ceil(50.0 * h.bucket[b] / (double)peak);
        fprintf(out, "%10llu %9u %.*s\n", (unsigned long long)stat_hist_lower(b), h.bucket[b],
                width, "##################################################");
    }
}

static void print_stats(const struct lab *l, FILE *out)
{
    struct arena *a = arena_new();
    struct stats *t = stats_new(a);
    lab_add_stats(l, t);
    stats_write_text(t, out);
    arena_free(a);
}

void noc_print(const struct noc_results *r, FILE *out)
{
    const struct measure_spec *m = config_get(r->config, &measure_section);
    print_header(r, out);
    for (int i = 0; i < r->n; i++) {
        print_point(&r->point[i], m->cycles == 0, out);
        if (r->histogram)
            print_histogram(r->lab[i], out);
        if (r->stats)
            print_stats(r->lab[i], out);
    }
    const struct noc_spec *s = config_get(r->config, &noc_section);
    fprintf(out,
            "rates in flits per source and cycle (1 is %.4g GB/s), times in cycles (of %.3g ns)",
            (double)s->width * s->clock / 1e9, 1e9 / s->clock);
    fputc('\n', out);
    if (r->saturation)
        print_search(r, out);
}

void noc_print_searches(const struct noc_results *r, int n, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<network",      "highest accepted", "at offered", "knee",
                                        "latency there", "when empty",       "W there"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (int i = 0; i < n; i++) {
        const struct point *peak = &r[i].point[NOC_PEAK], *knee = &r[i].point[NOC_KNEE];
        table_cell(t, "%s", r[i].network);
        table_cell(t, "%.4f", peak->accepted);
        table_cell(t, "%.4f", peak->offered);
        table_cell(t, knee->settled ? "%.4f" : "below %.4f", knee->offered);
        table_cell(t, knee->settled ? "%.1f" : "-", knee->mean);
        table_cell(t, "%.1f", knee->zero_load);
        table_cell(t, isnan(knee->power) || !knee->settled ? "-" : "%.3f", knee->power);
    }
    table_print(t, out);
}

/* ---- JSON ---- */

bool noc_write_json(const struct noc_results *r, int n, const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    if (n == 1) {
        noc_json(r, &j);
        return outfile_commit_json(&out, &j, e);
    }
    json_key(&j, "networks");
    json_open_array(&j, false);
    for (int i = 0; i < n; i++) {
        json_open_object(&j, false);
        noc_json(&r[i], &j);
        json_close_object(&j);
    }
    json_close_array(&j);
    return outfile_commit_json(&out, &j, e);
}

/* ---- CSV ---- */

static void csv_point(const struct point *p, FILE *out)
{
    const double v[] = {p->offered, p->accepted, p->mean,    p->ci95, p->p50,       p->p99,
                        p->max,     p->queueing, p->network, p->hops, p->round_trip};
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++)
        fprintf(out, "%.9g,", v[k]);
    fprintf(out, "%d,%d,%llu,%llu,%llu,%016llx,", p->saturated, p->converged,
            (unsigned long long)p->cycles, (unsigned long long)p->packets,
            (unsigned long long)p->flit_hops, (unsigned long long)p->digest);
    if (!isnan(p->power))
        fprintf(out, "%.9g", p->power);
    fprintf(out, ",%d,%.9g", p->settled, p->zero_load);
}

bool noc_write_csv(const struct noc_results *r, int n, const char *path, struct err *e)
{
    static const char *const found[] = {[NOC_PEAK] = "highest_accepted", [NOC_KNEE] = "knee"};
    struct outfile out;
    if (!outfile_open_csv(&out, path, e))
        return false;
    fprintf(out.f,
            "%soffered,accepted,latency_mean,latency_ci95,latency_p50,latency_p99,latency_max,"
            "queueing,network,hops,round_trip,saturated,converged,cycles,packets,flit_hops,digest,"
            "power_w,settled,zero_load%s\n",
            n > 1 ? "name," : "", r->saturation ? ",search" : "");
    for (int k = 0; k < n; k++)
        for (int i = 0; i < r[k].n; i++) {
            if (n > 1) {
                outfile_csv_text(out.f, r[k].network);
                fputc(',', out.f);
            }
            csv_point(&r[k].point[i], out.f);
            HD_ASSERT(!r->saturation || i <= NOC_KNEE, "a search with %d points", r[k].n);
            fprintf(out.f, "%s%s\n", r->saturation ? "," : "", r->saturation ? found[i] : "");
        }
    return outfile_commit(&out, e);
}

/* ---- pictures ---- */

bool noc_write_heatmap(const struct noc_results *r, const char *path, struct err *e)
{
    const struct lab *l = r->lab[r->n - 1];
    const struct fabric *g = lab_fabric(l);
    struct arena *a = arena_new();
    double *out[2] = {0}, *in[2] = {0};
    for (int i = 0; i < g->n; i++) {
        const struct graph *gr = g->graph[i];
        out[i] = ARENA_ARRAY(a, double, gr->nouts + 1);
        in[i] = ARENA_ARRAY(a, double, gr->nins + 1);
        for (uint32_t o = 0; o < gr->nouts; o++)
            out[i][o] = noc_channel_load(lab_network(l, i), o);
        for (uint32_t p = 0; p < gr->nins; p++)
            in[i][p] = noc_in_load(lab_network(l, i), p);
    }
    const char *title = arena_printf(a, "%s at %.4g flits per source and cycle", r->network,
                                     r->point[r->n - 1].offered);
    bool ok = heatmap_write(path, (const struct graph *const *)g->graph, g->n,
                            (const double *const *)out, (const double *const *)in, title, e);
    arena_free(a);
    return ok;
}

bool noc_write_curves(const struct noc_results *r, int n, const char *path, struct err *e)
{
    struct arena *a = arena_new();
    struct curve *c = ARENA_ARRAY(a, struct curve, n);
    bool trips = r[0].point[0].round_trip > 0;
    for (int k = 0; k < n; k++) {
        double *x = ARENA_ARRAY(a, double, r[k].n), *y = ARENA_ARRAY(a, double, r[k].n);
        for (int i = 0; i < r[k].n; i++) {
            x[i] = r[k].point[i].offered;
            y[i] = trips ? r[k].point[i].round_trip : r[k].point[i].mean;
        }
        c[k] = (struct curve){r[k].network, r[k].n, x, y};
    }
    bool ok = curves_write(path, c, n, n == 1 ? r[0].network : "latency over load",
                           "offered load (flits per source and cycle)",
                           trips ? "mean round trip (cycles)" : "mean packet latency (cycles)", e);
    arena_free(a);
    return ok;
}
