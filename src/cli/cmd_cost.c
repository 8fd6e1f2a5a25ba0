/* cmd_cost.c - heddle cost: what the memories of a machine take. */
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/table.h"
#include "machine/cost.h"
#include "machine/machine.h"

static const char help[] =
    "usage: heddle cost -m MACHINE [OPTION]...\n\n"
    "Storage of a machine: register files, caches, MSHRs, tables, buffers of the networks.\n\n"
    "  -m MACHINE            name (heddle list machines) or a YAML file\n"
    "  --set KEY=VALUE       any parameter (heddle list params)\n"
    "  --json FILE           results as JSON ('-': standard output, and nothing else there)\n";

enum { MAX_SETS = 256, OPT_SET = 256, OPT_JSON };

struct options {
    const char *machine, *json;
    bool wants_help;
    int nsets;
    const char *set[MAX_SETS];
};

static const struct option long_options[] = {{"set", required_argument, NULL, OPT_SET},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

static bool take_option(struct options *o, int c, char **argv, struct err *e)
{
    switch (c) {
    case 'm':
        o->machine = optarg;
        return true;
    case 'h':
        o->wants_help = true;
        return true;
    case OPT_JSON:
        o->json = optarg;
        return true;
    case OPT_SET:
        if (o->nsets == MAX_SETS)
            return err_set(e, STATUS_BAD_INPUT, "cost: more than %d --set options", MAX_SETS);
        o->set[o->nsets++] = optarg;
        return true;
    default:
        return execute_refuse_option("cost", c, argv, e);
    }
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){0};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":m:h", long_options, NULL)) != -1;)
        if (!take_option(o, c, argv, e))
            return false;
    if (o->wants_help)
        return true;
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT, "cost: unexpected \"%s\" (heddle cost --help)",
                       argv[optind]);
    return o->machine ||
           err_set(e, STATUS_BAD_INPUT, "cost: -m MACHINE is missing (heddle list machines)");
}

static bool load(const struct options *o, struct arena *a, struct config *c, struct err *e)
{
    const char *path = data_machine(a, o->machine, e);
    if (!path || !config_load(c, path, e))
        return false;
    for (int i = 0; i < o->nsets; i++)
        if (!config_set(c, o->set[i], e))
            return false;
    return true;
}

static void print(const struct options *o, const struct cost *c, struct arena *a)
{
    static const char *const heads[] = {"<storage", "units", "bytes each", "bytes", "", "<made of"};
    struct table *t = table_new(a, heads, 6);
    for (int i = 0; i < c->nrows; i++) {
        const struct cost_row *r = &c->row[i];
        if (r->units == 0)
            continue;
        table_cell(t, "%s", r->name);
        table_cell(t, "%" PRIu64, r->units);
        table_cell(t, "%" PRIu64, r->bytes);
        table_cell(t, "%" PRIu64, r->units * r->bytes);
        table_cell(t, "%s", table_bytes(a, (double)(r->units * r->bytes)));
        table_cell(t, "%s", r->made_of);
    }
    table_cell(t, "total");
    table_cell(t, "%s", "");
    table_cell(t, "%s", "");
    table_cell(t, "%" PRIu64, c->total);
    table_cell(t, "%s", table_bytes(a, (double)c->total));
    table_cell(t, "all of the above");
    printf("%s\n\n", o->machine);
    table_print(t, stdout);
}

static void write_units(struct json *j, const struct cost *c)
{
    json_key(j, "units");
    json_open_object(j, false);
    for (int i = 0; i < c->nrows; i++) {
        json_key(j, c->row[i].name);
        json_open_object(j, true);
        json_key(j, "units");
        json_uint(j, c->row[i].units);
        json_key(j, "bytes_each");
        json_uint(j, c->row[i].bytes);
        json_close_object(j);
    }
    json_close_object(j);
}

static bool write_json(const struct options *o, const struct cost *c, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open(&out, o->json, e))
        return false;
    json_begin(&j, out.f);
    json_open_object(&j, false);
    json_key(&j, "schema");
    json_int(&j, 1);
    json_key(&j, "machine");
    json_string(&j, o->machine);
    json_key(&j, "storage_bytes");
    json_open_object(&j, false);
    for (int i = 0; i < c->nrows; i++) {
        json_key(&j, c->row[i].name);
        json_uint(&j, c->row[i].units * c->row[i].bytes);
    }
    json_key(&j, "total");
    json_uint(&j, c->total);
    json_close_object(&j);
    write_units(&j, c);
    json_close_object(&j);
    json_end(&j);
    return outfile_commit(&out, e);
}

static bool cost(const struct options *o, struct arena *a, struct err *e)
{
    struct config *cfg = machine_config(a);
    struct cost c;
    if (o->json && !outfile_probe(o->json, e))
        return false;
    if (!load(o, a, cfg, e) || !cost_of(cfg, a, &c, e) || (o->json && !write_json(o, &c, e)))
        return false;
    if (!o->json || strcmp(o->json, "-") != 0)
        print(o, &c, a);
    return true;
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else
            cost(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_cost = {"cost", "the storage that a machine is made of", run};
