/* list_workloads.c - what each workload stands for, and what it does: found by executing it here
 * and now, so that the list is never out of date. */
#include "cli/list_workloads.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/run_out.h"
#include "cli/table.h"
#include "workload.h"

struct entry {
    const struct workload *workload;
    struct execution done;
    struct err failed;
};

/* ---- measured ------------------------------------------------------------------------------ */

static void show_progress(uint32_t done, uint32_t total, double start_s)
{
    if (!isatty(STDERR_FILENO))
        return;
    double spent = tally_clock() - start_s;
    if (done == total)
        fputs("\r\033[K", stderr);
    else if (done > 0)
        fprintf(stderr, "\r%u/%u workloads, about %.0f s left \033[K", done, total,
                spent * (total - done) / done);
}

static void measure(struct entry *entries, uint32_t n, enum workload_size size, struct arena *a)
{
    double start = tally_clock();
    for (uint32_t i = 0; i < n; i++) {
        struct execute x = {.workload = entries[i].workload,
                            .size = size,
                            .seed = 1,
                            .no_verify = true,
                            .no_stream = true,
                            .prints_to_stderr = true};
        execute_run(&x, a, &entries[i].done, &entries[i].failed);
        show_progress(i + 1, n, start);
    }
}

/* ---- for people ---------------------------------------------------------------------------- */

static void print_meanings(const struct entry *entries, uint32_t n, enum workload_size size,
                           struct arena *a)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct workload *w = entries[i].workload;
        const struct tally *done = &entries[i].done.tally;
        printf("%-7s %-12s %s\n", w->name, w->suite, w->stands_for);
        printf("        %s: %s; %s warp instructions, %s\n", workload_size_name(size),
               w->inputs[size], table_count(a, (double)done->sum.warp_insns),
               table_bytes(a, (double)done->memory_bytes));
    }
}

static void add_kernel(struct table *t, const struct entry *x, const struct tally_kernel *k,
                       struct arena *a)
{
    table_cell(t, "%s", k == x->done.tally.kernels ? x->workload->name : "");
    table_cell(t, "%s", tally_label(&x->done.tally, k));
    table_cell(t, "%llu", (unsigned long long)k->launches);
    table_cell(t, "%s", tally_grid(a, k));
    table_cell(t, "%s", tally_dim(a, k->block));
    table_cell(t, "%u%s", k->regs_per_thread, k->regs_from == HD_BY_LIVENESS ? "*" : "");
    table_cell(t, "%u", k->shared_bytes);
    table_cell(t, "%s", table_count(a, (double)k->warp_insns));
    table_cell(t, "%s", run_out_mix(a, k));
}

static void print_measured(const struct entry *entries, uint32_t n, struct arena *a)
{
    static const char *const heads[] = {"<name", "<kernel", "launches", "grid",        "block",
                                        "regs",  "shared",  "warp",     "loads:stores"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < n; i++)
        for (const struct tally_kernel *k = entries[i].done.tally.kernels; k; k = k->next)
            add_kernel(t, &entries[i], k, a);
    table_print(t, stdout);
    for (uint32_t i = 0; i < n; i++)
        if (entries[i].failed.status != STATUS_DONE)
            printf("%s (unusable: %s)\n", entries[i].workload->name, entries[i].failed.text);
    fputs("\n(regs: per thread as ptxas counts them, *: by our liveness analysis; shared: bytes\n"
          "per CTA; warp: instructions; loads:stores: of global memory, by warps; sizes in bytes:\n"
          "the most device memory that was allocated)\n",
          stdout);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_entry(const struct entry *x, enum workload_size size, struct json *j)
{
    const struct tally *t = &x->done.tally;
    json_open_object(j, false);
    json_key(j, "name");
    json_string(j, x->workload->name);
    json_key(j, "suite");
    json_string(j, x->workload->suite);
    json_key(j, "stands_for");
    json_string(j, x->workload->stands_for);
    json_key(j, "input");
    json_string(j, x->workload->inputs[size]);
    json_key(j, "warp_insns");
    json_uint(j, t->sum.warp_insns);
    json_key(j, "thread_insns");
    json_uint(j, t->sum.thread_insns);
    json_key(j, "memory_bytes");
    json_uint(j, t->memory_bytes);
    json_key(j, "kernels");
    json_open_array(j, false);
    for (const struct tally_kernel *k = t->kernels; k; k = k->next)
        run_out_kernel_json(k, j);
    json_close_array(j);
    json_close_object(j);
}

static bool write_json(const struct entry *entries, uint32_t n, enum workload_size size,
                       const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_key(&j, "size");
    json_string(&j, workload_size_name(size));
    json_key(&j, "workloads");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < n; i++)
        if (entries[i].failed.status == STATUS_DONE)
            json_entry(&entries[i], size, &j);
    json_close_array(&j);
    return outfile_commit_json(&out, &j, e);
}

/* -------------------------------------------------------------------------------------------- */

static bool list(struct arena *a, enum workload_size size, const char *json, struct err *e)
{
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    struct entry *entries = ARENA_ARRAY(a, struct entry, n);
    for (uint32_t i = 0; i < n; i++)
        entries[i].workload = all[i];
    if (json && !outfile_probe(json, e))
        return false;
    measure(entries, n, size, a);
    if (json && !write_json(entries, n, size, json, e))
        return false;
    if (!json || strcmp(json, "-") != 0) {
        print_meanings(entries, n, size, a);
        putchar('\n');
        print_measured(entries, n, a);
    }
    for (uint32_t i = 0; i < n; i++)
        if (entries[i].failed.status != STATUS_DONE)
            err_set(e, entries[i].failed.status, "%s: %s", all[i]->name, entries[i].failed.text);
    return e->status == STATUS_DONE;
}

bool list_workloads(bool names_only, const char *size, const char *json, struct err *e)
{
    enum workload_size s = SIZE_TINY;
    if (size && !execute_parse_size(size, &s, e))
        return false;
    if (names_only) {
        uint32_t n;
        const struct workload *const *all = workload_all(&n);
        for (uint32_t i = 0; i < n; i++)
            puts(all[i]->name);
        return true;
    }
    struct arena *a = arena_new();
    bool ok = list(a, s, json, e);
    arena_free(a);
    return ok;
}
