/* cmd_noc.c - heddle noc: a network under synthetic traffic. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/noc_out.h"
#include "lab/point.h"
#include "noc/bisection.h"
#include "noc/count.h"
#include "traffic/pattern.h"

static const char help[] =
    "usage: heddle noc -m NETWORK [OPTION]...\n\n"
    "  -m NETWORK            name (heddle list networks) or a YAML file; may be given several\n"
    "                        times to compare networks, in tables and files\n"
    "  --rate A[:B:STEP]     offered load, flits per source and cycle (default: traffic.rate)\n"
    "  --saturation[=STEP]   search the highest accepted load, and the knee: the highest load at\n"
    "                        which latency is at most 3 (measure.settle) times that of the\n"
    "                        empty network (default step: measure.step)\n"
    "  --traffic PATTERN     traffic pattern (heddle list traffic)\n"
    "  --set KEY=VALUE       any parameter (heddle list params)\n" EFFECT_HELP
    "  --print               print the network's component counts and stop\n"
    "  --json FILE           results as JSON ('-': standard output, and nothing else there)\n"
    "  --csv FILE            results as CSV\n"
    "  --svg FILE            heat map of channel utilisation (of the last point)\n"
    "  --curve FILE          latency-load curves of all networks as SVG\n"
    "  --histogram           latency histogram of each point\n"
    "  --stats               all statistics of each point\n"
    "  --threads N           points of a sweep to run at once (default 1)\n"
    "  --seed N              short for --set sim.seed=N\n"
    "  --max-cycles N        short for --set measure.max_cycles=N\n"
    "  --check               audit all invariants while running\n"
    "  --no-skip             visit every cycle and every router (same results, slower)\n"
    "  --slow-router         use the router with all options throughout (same results, slower)\n";

enum { MAX_NETWORKS = 16 };

struct options {
    const char *network[MAX_NETWORKS];
    int nnetworks;
    const char *rate, *json, *csv, *svg, *curve;
    int threads;
    bool saturation, print, histogram, stats, is_strict;
    struct lab_options lab;
    int nsets;
    const char *set[256];
    bool is_option[256]; /* of these: given as an option of its own */
};

enum {
    OPT_RATE = 256,
    OPT_SAT,
    OPT_TRAFFIC,
    OPT_SET,
    OPT_PRINT,
    OPT_JSON,
    OPT_CSV,
    OPT_SVG,
    OPT_CURVE,
    OPT_HIST,
    OPT_STATS,
    OPT_THREADS,
    OPT_SEED,
    OPT_MAX,
    OPT_CHECK,
    OPT_NO_SKIP,
    OPT_SLOW,
    OPT_STRICT
};

static const struct option long_options[] = {{"rate", required_argument, NULL, OPT_RATE},
                                             {"saturation", optional_argument, NULL, OPT_SAT},
                                             {"traffic", required_argument, NULL, OPT_TRAFFIC},
                                             {"set", required_argument, NULL, OPT_SET},
                                             {"print", no_argument, NULL, OPT_PRINT},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"csv", required_argument, NULL, OPT_CSV},
                                             {"svg", required_argument, NULL, OPT_SVG},
                                             {"curve", required_argument, NULL, OPT_CURVE},
                                             {"histogram", no_argument, NULL, OPT_HIST},
                                             {"stats", no_argument, NULL, OPT_STATS},
                                             {"threads", required_argument, NULL, OPT_THREADS},
                                             {"seed", required_argument, NULL, OPT_SEED},
                                             {"max-cycles", required_argument, NULL, OPT_MAX},
                                             {"check", no_argument, NULL, OPT_CHECK},
                                             {"no-skip", no_argument, NULL, OPT_NO_SKIP},
                                             {"slow-router", no_argument, NULL, OPT_SLOW},
                                             {"strict", no_argument, NULL, OPT_STRICT},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

static bool add_set(struct options *o, struct arena *a, const char *key, const char *value,
                    struct err *e)
{
    if (o->nsets == (int)(sizeof o->set / sizeof o->set[0]))
        return err_set(e, STATUS_BAD_INPUT, "noc: more than %d --set options", o->nsets);
    o->is_option[o->nsets] = key != NULL;
    o->set[o->nsets++] = key ? arena_printf(a, "%s=%s", key, value) : value;
    return true;
}

static bool add_network(struct options *o, const char *name, struct err *e)
{
    if (o->nnetworks == MAX_NETWORKS)
        return err_set(e, STATUS_BAD_INPUT, "noc: more than %d networks", MAX_NETWORKS);
    o->network[o->nnetworks++] = name;
    return true;
}

static bool parse_threads(struct options *o, const char *text, struct err *e)
{
    int64_t n;
    if (!str_to_int(text, &n) || n < 1 || n > 1024)
        return err_set(e, STATUS_BAD_INPUT, "--threads %s: expected a number from 1 to 1024", text);
    o->threads = (int)n;
    return true;
}

static bool parse_step(struct options *o, struct arena *a, const char *text, struct err *e)
{
    double step;
    o->saturation = true;
    if (text && (!str_to_real(text, &step) || step < 1e-4 || step > 0.5))
        return err_set(e, STATUS_BAD_INPUT, "--saturation=%s: expected a step from 0.0001 to 0.5",
                       text);
    return !text || add_set(o, a, "measure.step", text, e);
}

static bool take_option(struct options *o, struct arena *a, int c, struct err *e)
{
    switch (c) {
    case 'm':
        return add_network(o, optarg, e);
    case OPT_RATE:
        o->rate = optarg;
        return true;
    case OPT_SAT:
        return parse_step(o, a, optarg, e);
    case OPT_TRAFFIC:
        return add_set(o, a, "traffic.pattern", optarg, e);
    case OPT_SET:
        return add_set(o, a, NULL, optarg, e);
    case OPT_PRINT:
        o->print = true;
        return true;
    case OPT_JSON:
        o->json = optarg;
        return true;
    case OPT_CSV:
        o->csv = optarg;
        return true;
    case OPT_SVG:
        o->svg = optarg;
        return true;
    case OPT_CURVE:
        o->curve = optarg;
        return true;
    case OPT_HIST:
        o->histogram = true;
        return true;
    case OPT_STATS:
        o->stats = true;
        return true;
    case OPT_THREADS:
        return parse_threads(o, optarg, e);
    case OPT_SEED:
        return add_set(o, a, "sim.seed", optarg, e);
    case OPT_MAX:
        return add_set(o, a, "measure.max_cycles", optarg, e);
    case OPT_CHECK:
        o->lab.check = true;
        return true;
    case OPT_NO_SKIP:
        o->lab.no_skip = true;
        return true;
    case OPT_SLOW:
        o->lab.slow_router = true;
        return true;
    case OPT_STRICT:
        o->is_strict = true;
        return true;
    default:
        return err_set(e, STATUS_BAD_INPUT, "noc: unusable option (heddle noc --help)");
    }
}

static bool check_options(const struct options *o, struct err *e)
{
    if (o->nnetworks == 0)
        return err_set(e, STATUS_BAD_INPUT, "noc: -m NETWORK is missing (heddle list networks)");
    if (o->nnetworks > 1 && o->svg)
        return err_set(e, STATUS_BAD_INPUT, "noc: --svg is of one network, not of %d",
                       o->nnetworks);
    if (o->nnetworks > 1 && o->print && o->json)
        return err_set(e, STATUS_BAD_INPUT, "noc: --print --json is of one network, not of %d",
                       o->nnetworks);
    if (o->json && o->csv && strcmp(o->json, "-") == 0 && strcmp(o->csv, "-") == 0)
        return err_set(e, STATUS_BAD_INPUT, "noc: --json - and --csv - both want standard output");
    if ((o->svg && strcmp(o->svg, "-") == 0) || (o->curve && strcmp(o->curve, "-") == 0))
        return err_set(e, STATUS_BAD_INPUT, "noc: --svg and --curve need the name of a file");
    if (o->saturation && o->rate)
        return err_set(e, STATUS_BAD_INPUT, "noc: --saturation searches the load, --rate gives it");
    return true;
}

static bool parse(int argc, char **argv, struct arena *a, struct options *o, bool *wants_help,
                  struct err *e)
{
    *o = (struct options){.threads = 1};
    *wants_help = false;
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":m:h", long_options, NULL)) != -1;) {
        if (c == 'h') {
            *wants_help = true;
            return true;
        }
        if (c == '?' && optopt > 0 && optopt < 256)
            return err_set(e, STATUS_BAD_INPUT, "noc: no option \"-%c\" (heddle noc --help)",
                           optopt);
        if (c == '?' || c == ':')
            return err_set(e, STATUS_BAD_INPUT, "noc: %s \"%s\" (heddle noc --help)",
                           c == ':' ? "nothing follows" : "no option", argv[optind - 1]);
        if (!take_option(o, a, c, e))
            return false;
    }
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT, "noc: unexpected \"%s\" (heddle noc --help)",
                       argv[optind]);
    return check_options(o, e);
}

static bool load(const struct options *o, const char *network, struct arena *a, struct config *c,
                 struct err *e)
{
    const char *path = data_network(a, network, e);
    if (!path || !config_load(c, path, e))
        return false;
    for (int i = 0; i < o->nsets; i++)
        if (!(o->is_option[i] ? config_set_option : config_set)(c, o->set[i], e))
            return false;
    return true;
}

/* The latency of a lone packet of one flit, over all pairs of a network that is not too large. */
static void print_zero_load(const struct graph *g, const char *name, const struct router_spec *r)
{
    uint64_t sum = 0, pairs = 0, least = UINT64_MAX, most = 0;
    if ((uint64_t)g->nnodes * g->nnodes > 1u << 20)
        return;
    for (uint32_t src = 0; src < g->nnodes; src++) {
        for (uint32_t dst = 0; dst < g->nnodes; dst++) {
            if (g->inject[src] == GRAPH_NONE || g->eject[dst] == GRAPH_NONE)
                continue;
            uint64_t t = noc_zero_load(g, r, src, dst, 1);
            least = t < least ? t : least;
            most = t > most ? t : most;
            sum += t;
            pairs++;
        }
    }
    if (pairs)
        printf("zero load  %7.1f cycles in %s (%llu to %llu), one flit\n",
               (double)sum / (double)pairs, name, (unsigned long long)least,
               (unsigned long long)most);
}

static void print_bisection(const struct graph *g, const char *name, uint64_t width,
                            struct arena *a)
{
    struct bisection b = bisection_of(g, width, a);
    if (bisection_bytes(&b) > 0)
        printf("bisection  %s: %s\n", name, bisection_text(&b, a));
}

static void write_bisections(struct json *j, const struct fabric *f, uint64_t width,
                             struct arena *a)
{
    json_key(j, "bisection");
    json_open_object(j, false);
    for (int i = 0; i < f->n; i++) {
        struct bisection b = bisection_of(f->graph[i], width, a);
        json_key(j, f->name[i]);
        bisection_json(&b, j);
    }
    json_close_object(j);
}

static bool print_counts(const struct options *o, const char *network, const struct config *c,
                         struct arena *a, struct err *e)
{
    struct fabric g;
    struct count n = {0};
    const struct router_spec *r = config_get(c, &router_section);
    uint64_t width = (uint64_t)((const struct noc_spec *)config_get(c, &noc_section))->width;
    if (!fabric_of(c, a, &g, e) || !effect_tell(c, o->is_strict, e))
        return false;
    for (int i = 0; i < g.n; i++)
        count_add(&n, g.graph[i], (uint32_t)r->vcs);
    if (o->json) {
        struct outfile out;
        struct json j;
        if (!outfile_open_json(&out, &j, o->json, e))
            return false;
        json_key(&j, "network");
        json_string(&j, network);
        json_key(&j, "counts");
        count_json(&n, &j);
        write_bisections(&j, &g, width, a);
        return outfile_commit_json(&out, &j, e);
    }
    printf("%s: %s, %u nodes (%u cores, %u memory nodes), %s\n", network, g.topology->name,
           g.nodes.total, g.nodes.ncores, g.nodes.nmems,
           g.n == 2 ? "request and reply networks together" : "one network");
    count_print(&n, stdout);
    for (int i = 0; i < g.n; i++)
        print_bisection(g.graph[i], g.name[i], width, a);
    for (int i = 0; i < g.n; i++)
        print_zero_load(g.graph[i], g.name[i], r);
    return true;
}

/* A progress line on a terminal; nothing in a pipe. */
static void progress(int done, int total, double left_s)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, done < total ? "\r%d/%d points, %.0f s left " : "\r\033[K", done, total,
                left_s);
}

/* Two points: where most was accepted, and the knee; measured again if their labs are wanted. */
static bool search(const struct config *c, const struct options *o, const struct sweep_options *s,
                   struct arena *a, struct noc_results *r, struct err *e)
{
    const struct measure_spec *m = config_get(c, &measure_section);
    struct saturation found;
    if (!point_saturation(c, m->step, o->lab, &found, e))
        return false;
    r->n = NOC_SEARCH_POINTS;
    r->point = ARENA_ARRAY(a, struct point, NOC_SEARCH_POINTS);
    r->lab = ARENA_ARRAY(a, struct lab *, NOC_SEARCH_POINTS);
    r->point[NOC_PEAK] = found.peak;
    r->point[NOC_KNEE] = found.knee;
    double rates[] = {found.peak.offered, found.knee.offered};
    struct sweep_options again = *s;
    again.keep = s->keep ? r->lab : NULL;
    return !s->keep || point_sweep(c, rates, r->n, &again, r->point, e);
}

static bool measure(const struct options *o, const struct config *c, struct arena *a,
                    struct noc_results *r, struct err *e)
{
    const struct traffic_spec *t = config_get(c, &traffic_section);
    double *rates = ARENA_ARRAY(a, double, 1);
    rates[0] = t->rate;
    r->n = 1;
    if (o->rate && !parse_rates(a, o->rate, &rates, &r->n, e))
        return false;
    r->point = ARENA_ARRAY(a, struct point, r->n + 1);
    r->lab = ARENA_ARRAY(a, struct lab *, r->n + 1);
    struct sweep_options s = {.lab = o->lab,
                              .threads = o->threads,
                              .keep = o->svg || o->stats || o->histogram ? r->lab : NULL,
                              .progress = progress};
    if (!o->saturation)
        return point_sweep(c, rates, r->n, &s, r->point, e);
    return search(c, o, &s, a, r, e);
}

/* The load at which the first point is measured. */
static bool first_rate(const struct options *o, const struct config *c, struct arena *a,
                       double *rate, struct err *e)
{
    const struct traffic_spec *t = config_get(c, &traffic_section);
    double *rates = &(double){t->rate};
    int n;
    if (!o->saturation && o->rate && !parse_rates(a, o->rate, &rates, &n, e))
        return false;
    *rate = o->saturation ? lab_max_rate(c) : rates[0];
    return true;
}

/* Before long runs, and so by building once more what they will. */
static bool tell_effect(const struct options *o, const struct noc_results *r, struct arena *a,
                        struct err *e)
{
    const struct config *all[MAX_NETWORKS];
    for (int i = 0; i < o->nnetworks; i++) {
        double rate;
        all[i] = r[i].config;
        if (o->nsets && (!first_rate(o, all[i], a, &rate, e) || !point_try(all[i], rate, e)))
            return false;
    }
    return o->nsets == 0 || effect_tell_all(all, (uint32_t)o->nnetworks, o->is_strict, e);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static bool prepare(const struct options *o, const char *network, struct arena *a,
                    struct noc_results *r, struct err *e)
{
    struct config *c = lab_config(a);
    *r = (struct noc_results){.network = network,
                              .config = c,
                              .saturation = o->saturation,
                              .stats = o->stats,
                              .histogram = o->histogram};
    return load(o, network, a, c, e);
}

static bool run_network(const struct options *o, struct arena *a, struct noc_results *r,
                        struct err *e)
{
    if (o->print)
        return print_counts(o, r->network, r->config, a, e);
    if (!measure(o, r->config, a, r, e))
        return false;
    if (!is_stdout(o->json) && !is_stdout(o->csv))
        noc_print(r, stdout);
    return true;
}

static bool write_results(const struct options *o, const struct noc_results *r, struct arena *a,
                          struct err *e)
{
    int n = o->nnetworks;
    if (n > 1 && o->saturation && !is_stdout(o->json) && !is_stdout(o->csv)) {
        fputc('\n', stdout);
        noc_print_searches(r, n, a, stdout);
    }
    return (!o->json || noc_write_json(r, n, o->json, e)) &&
           (!o->csv || noc_write_csv(r, n, o->csv, e)) &&
           (!o->svg || noc_write_heatmap(r, o->svg, e)) &&
           (!o->curve || noc_write_curves(r, n, o->curve, e));
}

static bool run_noc(const struct options *o, struct arena *a, struct err *e)
{
    struct noc_results r[MAX_NETWORKS] = {0};
    const char *files[] = {o->json, o->csv, o->svg, o->curve};
    bool ok = true;
    for (int i = 0; i < 4; i++)
        if (files[i] && !outfile_probe(files[i], e))
            return false;
    for (int i = 0; ok && i < o->nnetworks; i++) /* mistakes in the last before the first runs */
        ok = prepare(o, o->network[i], a, &r[i], e);
    ok = ok && (o->print || tell_effect(o, r, a, e));
    for (int i = 0; ok && i < o->nnetworks; i++)
        ok = run_network(o, a, &r[i], e);
    ok = ok && (o->print || write_results(o, r, a, e));
    for (int k = 0; k < o->nnetworks; k++)
        for (int i = 0; i < r[k].n && r[k].lab; i++)
            lab_free(r[k].lab[i]);
    return ok;
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    bool wants_help;
    if (parse(argc, argv, a, &o, &wants_help, e)) {
        if (wants_help)
            fputs(help, stdout);
        else
            run_noc(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_noc = {"noc", "a network under synthetic traffic", run};
