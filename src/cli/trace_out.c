/* trace_out.c - tables and JSON of recorded files. */
#include "base/json.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "cli/trace.h"

static const char *const unit_names[UNIT_COUNT] = {"none", "int", "fp32",    "fp64",
                                                   "fp16", "sfu", "control", "mem"};

static double per(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

static void print_digest(const struct trace *t, FILE *out)
{
    fprintf(out, "digest %016llx\n", (unsigned long long)t->digest);
}

void trace_print_sizes(const struct trace *t, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<kernel",    "launches", "grid",  "block",
                                        "warp insns", "bytes",    "B/insn"};
    struct table *table = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (const struct tally_kernel *k = t->tally.kernels; k; k = k->next) {
        table_cell(table, "%s", tally_label(&t->tally, k));
        table_cell(table, "%llu", (unsigned long long)k->launches);
        table_cell(table, "%s", tally_grid(a, k));
        table_cell(table, "%s", tally_dim(a, k->block));
        table_cell(table, "%llu", (unsigned long long)k->warp_insns);
        table_cell(table, "%llu", (unsigned long long)k->stream_bytes);
        table_cell(table, "%.2f", per(k->stream_bytes, k->warp_insns));
    }
    table_print(table, out);
    fprintf(out, "\n%s: %s, %llu warp instructions, %s (%.2f bytes each)\n", t->workload,
            table_launches(a, t->tally.sum.launches), (unsigned long long)t->tally.sum.warp_insns,
            table_bytes(a, (double)t->file_bytes), per(t->file_bytes, t->tally.sum.warp_insns));
    print_digest(t, out);
}

/* The table has columns only for units that something used. */
static struct table *units_table(const struct trace *t, struct arena *a)
{
    const char **heads = ARENA_ARRAY(a, const char *, UNIT_COUNT + 5);
    uint64_t used[UNIT_COUNT] = {0};
    int n = 0;
    for (const struct tally_kernel *k = t->tally.kernels; k; k = k->next)
        for (int u = 0; u < UNIT_COUNT; u++)
            used[u] += k->by_unit[u];
    heads[n++] = "<kernel";
    heads[n++] = "launches";
    heads[n++] = "warp";
    for (int u = 0; u < UNIT_COUNT; u++)
        if (used[u])
            heads[n++] = unit_names[u];
    heads[n++] = "global";
    heads[n++] = "sectors";
    struct table *table = table_new(a, heads, n);
    for (const struct tally_kernel *k = t->tally.kernels; k; k = k->next) {
        table_cell(table, "%s", tally_label(&t->tally, k));
        table_cell(table, "%llu", (unsigned long long)k->launches);
        table_cell(table, "%s", table_count(a, (double)k->warp_insns));
        for (int u = 0; u < UNIT_COUNT; u++)
            if (used[u])
                table_cell(table, "%s", table_count(a, (double)k->by_unit[u]));
        table_cell(table, "%s", table_count(a, (double)k->accesses));
        table_cell(table, "%.2f", per(k->sectors, k->accesses));
    }
    return table;
}

void trace_print_units(const struct trace *t, struct arena *a, FILE *out)
{
    table_print(units_table(t, a), out);
    fprintf(
        out,
        "\n(instructions of warps, in all and by unit; global: those that access global memory; "
        "sectors:\nof 32 bytes, touched by each of these on average)\n\n"
        "%s: %s, %llu warp instructions, %llu thread instructions\n",
        t->workload, table_launches(a, t->tally.sum.launches),
        (unsigned long long)t->tally.sum.warp_insns, (unsigned long long)t->tally.sum.thread_insns);
    print_digest(t, out);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_count(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_uint(j, v);
}

static void json_kernel(const struct tally_kernel *k, struct json *j)
{
    json_open_object(j, false);
    json_key(j, "kernel");
    json_string(j, k->name);
    json_count(j, "launches", k->launches);
    json_count(j, "warp_insns", k->warp_insns);
    json_count(j, "thread_insns", k->thread_insns);
    json_count(j, "stream_bytes", k->stream_bytes);
    json_key(j, "by_unit");
    json_open_object(j, true);
    for (int u = 0; u < UNIT_COUNT; u++)
        json_count(j, unit_names[u], k->by_unit[u]);
    json_close_object(j);
    json_count(j, "global_loads", k->global_loads);
    json_count(j, "global_stores", k->global_stores);
    json_count(j, "atomics", k->atomics);
    json_count(j, "global_accesses", k->accesses);
    json_count(j, "global_sectors", k->sectors);
    json_close_object(j);
}

bool trace_json(const struct trace *t, const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    char digest[17];
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)t->digest);
    json_key(&j, "workload");
    json_string(&j, t->workload);
    json_key(&j, "functional");
    json_bool(&j, true);
    json_count(&j, "file_bytes", t->file_bytes);
    json_count(&j, "launches", t->tally.sum.launches);
    json_count(&j, "warp_insns", t->tally.sum.warp_insns);
    json_count(&j, "thread_insns", t->tally.sum.thread_insns);
    json_key(&j, "kernels");
    json_open_array(&j, false);
    for (const struct tally_kernel *k = t->tally.kernels; k; k = k->next)
        json_kernel(k, &j);
    json_close_array(&j);
    json_key(&j, "digest");
    json_string(&j, digest);
    return outfile_commit_json(&out, &j, e);
}
