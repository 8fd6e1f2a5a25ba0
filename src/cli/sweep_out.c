/* sweep_out.c - a sweep as a table for people, as CSV and as JSON: a row for each run. */
#include "cli/sweep_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/table.h"

/* ---- for people ------------------------------------------------------------------------------- */

static double cycles(const struct sweep_run *r)
{
    return sweep_stat(r, "cycles");
}

static double in_networks(const struct sweep_run *r)
{
    return sweep_stat(r, "latency_request") + sweep_stat(r, "latency_reply");
}

static double millijoules(const struct sweep_run *r)
{
    return 1e3 * sweep_stat(r, "energy.structural.total");
}

static const struct column {
    const char *head;
    const char *stat;                             /* or */
    double (*value)(const struct sweep_run *run); /* with */
    bool is_speed, is_share;                      /* the first over this, this over the first */
    int decimals;
} columns[] = {{.head = "cycles", .value = cycles},
               {.head = "speed", .value = cycles, .is_speed = true, .decimals = 3},
               {.head = "IPC", .stat = "ipc", .decimals = 1},
               {.head = "L1 hit %", .stat = "l1_hit_rate", .decimals = 1},
               {.head = "L2 hit %", .stat = "l2_hit_rate", .decimals = 1},
               {.head = "latency", .stat = "latency", .decimals = 1},
               {.head = "in networks", .value = in_networks, .decimals = 1},
               {.head = "DRAM GB/s", .stat = "dram_gbs", .decimals = 1},
               {.head = "mJ", .value = millijoules, .decimals = 3},
               {.head = "energy", .value = millijoules, .is_share = true, .decimals = 3}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static double value_of(const struct column *c, const struct sweep_run *r,
                       const struct sweep_run *first)
{
    double v = c->value ? c->value(r) : sweep_stat(r, c->stat);
    return c->is_speed ? c->value(first) / v : c->is_share ? v / c->value(first) : v;
}

static const struct sweep_run *first_done(const struct sweep *s)
{
    uint32_t i = 0;
    while (i + 1 < s->axes->runs && s->runs[i].why)
        i++;
    return &s->runs[i];
}

static void print_row(const struct sweep *s, uint32_t index, struct table *t)
{
    const struct sweep_run *r = &s->runs[index], *first = first_done(s);
    for (uint32_t i = 0; i < s->axes->n; i++)
        table_cell(t, "%s", sweep_axes_value(s->axes, index, i));
    for (int i = 0; i < COLUMNS; i++) {
        double v = value_of(&columns[i], r, first);
        if (isfinite(v))
            table_cell(t, "%.*f", columns[i].decimals, v);
        else
            table_cell(t, "-");
    }
}

static bool is_whole(const struct sweep *s)
{
    for (uint32_t i = 0; i < s->axes->runs; i++)
        if (s->runs[i].why || s->runs[i].is_partial)
            return false;
    return true;
}

/* A last column says what is wrong with a run, where something is. */
static void print_table(const struct sweep *s, FILE *out)
{
    const char *heads[SWEEP_MAX_AXES + COLUMNS + 1];
    uint32_t n = 0;
    for (; n < s->axes->n; n++)
        heads[n] = arena_printf(s->arena, "<%s", s->axes->axis[n].key);
    for (int i = 0; i < COLUMNS; i++)
        heads[n++] = columns[i].head;
    bool has_remarks = !is_whole(s);
    heads[n] = "<run";
    struct table *t = table_new(s->arena, heads, (int)n + has_remarks);
    for (uint32_t i = 0; i < s->axes->runs; i++) {
        print_row(s, i, t);
        if (has_remarks)
            table_cell(t, "%s",
                       s->runs[i].why          ? "failed"
                       : s->runs[i].is_partial ? "partial"
                                               : "done");
    }
    table_print(t, out);
}

static void print(const struct sweep *s, FILE *out)
{
    bool is_one = s->axes->axis[0].set >= 0;
    fprintf(out, "%s%s%s: %u runs in %.3f s\n\n", s->workload, is_one ? " on " : "",
            is_one ? s->given.machines[0] : "", s->axes->runs, s->wall_s);
    print_table(s, out);
    fputs("\n(speed and energy: over the first row's; latency of reads in cycles, and its part in "
          "networks;\nmJ by the structural model; --csv and --json have all statistics)\n",
          out);
    for (uint32_t i = 0; i < s->axes->runs; i++)
        if (s->runs[i].why)
            fprintf(out, "%s: %s\n", s->runs[i].label, s->runs[i].why);
}

/* ---- CSV -------------------------------------------------------------------------------------- */

/* Names of all runs, in the order of the first that has each: machines may differ. */
static const char **all_names(const struct sweep *s, uint32_t *n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->axes->runs; i++)
        most += s->runs[i].nstats;
    const char **names = ARENA_ARRAY(s->arena, const char *, most + 1);
    struct sweep_run all = {.names = names, .values = ARENA_ARRAY(s->arena, double, most + 1)};
    for (uint32_t i = 0; i < s->axes->runs; i++)
        for (uint32_t k = 0; k < s->runs[i].nstats; k++) {
            const char *name = s->runs[i].names[k];
            bool is_same = i && k < s->runs[i - 1].nstats &&
                           strcmp(s->runs[i - 1].names[k], name) == 0; /* the usual case */
            if (!is_same && isnan(sweep_stat(&all, name)))
                names[all.nstats++] = name;
        }
    *n = all.nstats;
    return names;
}

static void csv_run(const struct sweep *s, uint32_t index, const char *const *names, uint32_t n,
                    FILE *out)
{
    const struct sweep_run *r = &s->runs[index];
    char number[STR_REAL_N];
    for (uint32_t i = 0; i < s->axes->n; i++) {
        outfile_csv_text(out, sweep_axes_value(s->axes, index, i));
        fputc(',', out);
    }
    if (r->why)
        fputs("failed,", out);
    else
        fprintf(out, "%s,%016" PRIx64, r->is_partial ? "partial" : "done", r->digest);
    for (uint32_t i = 0; i < n; i++) {
        double v = i < r->nstats && strcmp(r->names[i], names[i]) == 0 ? r->values[i]
                                                                       : sweep_stat(r, names[i]);
        fprintf(out, ",%s", isnan(v) ? "" : str_from_real(number, v));
    }
    fputc('\n', out);
}

static bool write_csv(const struct sweep *s, struct err *e)
{
    struct outfile f;
    uint32_t n;
    const char **names = all_names(s, &n);
    if (!outfile_open_csv(&f, s->o->csv, e))
        return false;
    for (uint32_t i = 0; i < s->axes->n; i++)
        fprintf(f.f, "%s,", s->axes->axis[i].key);
    fputs("run,digest", f.f);
    for (uint32_t i = 0; i < n; i++)
        fprintf(f.f, ",%s", names[i]);
    fputc('\n', f.f);
    for (uint32_t i = 0; i < s->axes->runs; i++)
        csv_run(s, i, names, n, f.f);
    return outfile_commit(&f, e);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void member_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_string(j, text);
}

static void json_axes(const struct sweep *s, struct json *j)
{
    json_key(j, "axes");
    json_open_object(j, false);
    for (uint32_t i = 0; i < s->axes->n; i++) {
        json_key(j, s->axes->axis[i].key);
        json_open_array(j, true);
        for (uint32_t k = 0; k < s->axes->axis[i].n; k++)
            json_string(j, s->axes->axis[i].values[k]);
        json_close_array(j);
    }
    json_close_object(j);
}

static void json_results(const struct sweep_run *r, struct arena *a, struct json *j)
{
    json_key(j, "cycles");
    json_uint(j, r->cycles);
    json_key(j, "ipc");
    json_real(j, sweep_stat(r, "ipc"));
    json_key(j, "wall_s");
    json_real(j, r->wall_s);
    json_key(j, "partial");
    json_bool(j, r->is_partial);
    member_text(j, "digest", arena_printf(a, "%016" PRIx64, r->digest));
    json_key(j, "stats");
    json_open_object(j, false);
    for (uint32_t i = 0; i < r->nstats; i++) {
        json_key(j, r->names[i]);
        json_real(j, r->values[i]);
    }
    json_close_object(j);
}

static void json_run(const struct sweep *s, uint32_t index, struct json *j)
{
    const struct sweep_run *r = &s->runs[index];
    json_open_object(j, false);
    json_key(j, "settings");
    json_open_object(j, true);
    for (uint32_t i = 0; i < s->axes->n; i++)
        member_text(j, s->axes->axis[i].key, sweep_axes_value(s->axes, index, i));
    json_close_object(j);
    member_text(j, "machine", r->machine);
    if (r->why)
        member_text(j, "failure", r->why);
    else
        json_results(r, s->arena, j);
    json_key(j, "config");
    config_echo_json(r->config, j);
    json_close_object(j);
}

static bool write_json(const struct sweep *s, struct err *e)
{
    struct outfile f;
    struct json j;
    if (!outfile_open_json(&f, &j, s->o->json, e))
        return false;
    member_text(&j, "workload", s->workload);
    json_key(&j, "wall_s");
    json_real(&j, s->wall_s);
    json_axes(s, &j);
    json_key(&j, "runs");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < s->axes->runs; i++)
        json_run(s, i, &j);
    json_close_array(&j);
    return outfile_commit_json(&f, &j, e);
}

bool sweep_out_write(const struct sweep *s, struct err *e)
{
    const char *csv = s->o->csv, *json = s->o->json;
    if ((json && !write_json(s, e)) || (csv && !write_csv(s, e)))
        return false;
    if (!(csv && strcmp(csv, "-") == 0) && !(json && strcmp(json, "-") == 0))
        print(s, stdout);
    return true;
}
