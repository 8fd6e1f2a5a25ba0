#include "cli/list_workloads_out.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/run_out.h"
#include "cli/table.h"
#include "ptx/uses.h"

/* ---- words --------------------------------------------------------------------------------- */

static const char *uses_text(struct arena *a, uint32_t uses)
{
    const char *text = "";
    for (int i = 0; i < USES_ROWS; i++)
        if (uses & uses_rows[i].bit)
            text = arena_printf(a, "%s%s%s", text, *text ? " " : "", uses_rows[i].name);
    return text;
}

/* What it stands for begins with the original's name. */
static const char *original(struct arena *a, const struct workload *w)
{
    return arena_printf(a, "%.*s", (int)strcspn(w->stands_for, ":"), w->stands_for);
}

static void print_failures(const struct listing *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->all[i].failed.status != STATUS_DONE)
            printf("%s (unusable: %s)\n", l->all[i].workload->name, l->all[i].failed.text);
}

/* ---- what there is ------------------------------------------------------------------------- */

/* Whether one before it is of the same suite. */
static bool is_suite_known(const struct listing *l, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(l->all[i].workload->suite, l->all[at].workload->suite) == 0)
            return true;
    return false;
}

static void print_suite(const struct listing *l, const char *suite)
{
    printf("%s\n", suite);
    for (uint32_t i = 0; i < l->n; i++) {
        const struct workload *w = l->all[i].workload;
        const char *uses = uses_text(l->arena, l->all[i].uses);
        if (strcmp(w->suite, suite) != 0)
            continue;
        const char *papers = *w->papers ? w->papers : "-";
        printf("  %-12s  %-20s  %-*s%s%s\n", w->name, original(l->arena, w), *uses ? 25 : 0, papers,
               *uses ? "  " : "", uses);
    }
}

void listing_print_all(const struct listing *l)
{
    printf("  %-12s  %-20s  %-25s  %s\n", "name", "stands for", "papers", "uses");
    for (uint32_t i = 0; i < l->n; i++)
        if (!is_suite_known(l, i))
            print_suite(l, l->all[i].workload->suite);
    fputs("\n(papers: those that name it; uses: beyond global and shared memory and single "
          "precision.\n"
          "--details NAME executes it and shows its kernels, --size SIZE all of them)\n",
          stdout);
}

/* ---- figures ------------------------------------------------------------------------------- */

static uint64_t most_ctas(const struct tally *t)
{
    uint64_t most = 0;
    for (const struct tally_kernel *k = t->kernels; k; k = k->next) {
        uint64_t ctas = (uint64_t)k->first_grid.x * k->first_grid.y * k->first_grid.z;
        most = ctas > most ? ctas : most;
    }
    return most;
}

void listing_print_figures(const struct listing *l)
{
    static const char *const heads[] = {"<name", "launches", "CTAs",  "warp",
                                        "mix",   "memory",   "<input"};
    struct table *t = table_new(l->arena, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < l->n; i++) {
        const struct tally *done = &l->all[i].done.tally;
        if (l->all[i].failed.status != STATUS_DONE)
            continue;
        table_cell(t, "%s", l->all[i].workload->name);
        table_cell(t, "%llu", (unsigned long long)done->sum.launches);
        table_cell(t, "%llu", (unsigned long long)most_ctas(done));
        table_cell(t, "%s", table_count(l->arena, (double)done->sum.warp_insns));
        table_cell(t, "%s", run_out_mix(l->arena, &done->sum));
        table_cell(t, "%s", table_bytes(l->arena, (double)done->memory_bytes));
        table_cell(t, "%s", l->all[i].workload->inputs[l->size]);
    }
    table_print(t, stdout);
    print_failures(l);
    printf(
        "\n(at %s; CTAs: of the largest grid that began a kernel; warp: instructions; mix: global\n"
        "loads to stores, by warps; memory: the most that was allocated)\n",
        workload_size_name(l->size));
}

/* ---- details ------------------------------------------------------------------------------- */

/* "footprint=48K" with its range and what it means; the default is that of the size. */
static void print_args(const struct listing *l, const struct workload *w)
{
    char value[WORKLOAD_VALUE_N], least[WORKLOAD_VALUE_N], most[WORKLOAD_VALUE_N];
    for (uint32_t i = 0; i < workload_nargs(w); i++) {
        const struct workload_arg *a = &w->args[i];
        const char *range =
            a->choices
                ? a->choices
                : arena_printf(l->arena, "%s to %s%s%s", workload_value_text(least, a, a->least),
                               workload_value_text(most, a, a->most), *a->unit ? " " : "", a->unit);
        printf("             :%s=%s  %s\n                 %s\n", a->name,
               workload_value_text(value, a, a->defaults[l->size]), range, a->doc);
    }
}

static void print_meaning(const struct listing *l, const struct listed *x)
{
    const struct workload *w = x->workload;
    const struct tally *done = &x->done.tally;
    const char *uses = uses_text(l->arena, x->uses);
    printf("%-12s %-12s %s\n", w->name, w->suite, w->stands_for);
    printf("             papers: %s; uses: %s\n", *w->papers ? w->papers : "none",
           *uses ? uses : "nothing special");
    printf("             %s: %s; %s warp instructions, %s\n", workload_size_name(l->size),
           w->inputs[l->size], table_count(l->arena, (double)done->sum.warp_insns),
           table_bytes(l->arena, (double)done->memory_bytes));
    print_args(l, w);
}

static void add_kernel(struct table *t, const struct listed *x, const struct tally_kernel *k,
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

static void add_instructions(struct table *t, const struct listed *x, const struct tally_kernel *k,
                             struct arena *a)
{
    table_cell(t, "%s", k == x->done.tally.kernels ? x->workload->name : "");
    table_cell(t, "%s", tally_label(&x->done.tally, k));
    table_cell(t, "%u", k->insns);
    table_cell(t, "%u", k->assembled);
    table_cell(t, "%s", table_count(a, (double)k->warp_insns));
    table_cell(t, "%s", table_count(a, (double)k->assembled_insns));
    table_cell(t, "%+.1f %%", 100 * ((double)k->assembled_insns / (double)k->warp_insns - 1));
}

static void print_instructions(const struct listing *l)
{
    static const char *const heads[] = {"<name",         "<instructions", "of PTX", "assembled",
                                        "by warps: PTX", "assembled",     "change"};
    struct table *t = table_new(l->arena, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < l->n; i++)
        for (const struct tally_kernel *k = l->all[i].done.tally.kernels; k; k = k->next)
            add_instructions(t, &l->all[i], k, l->arena);
    putchar('\n');
    table_print(t, stdout);
}

void listing_print_details(const struct listing *l)
{
    static const char *const heads[] = {"<name", "<kernel", "launches", "grid",        "block",
                                        "regs",  "shared",  "warp",     "loads:stores"};
    struct table *t = table_new(l->arena, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < l->n; i++) {
        print_meaning(l, &l->all[i]);
        for (const struct tally_kernel *k = l->all[i].done.tally.kernels; k; k = k->next)
            add_kernel(t, &l->all[i], k, l->arena);
    }
    putchar('\n');
    table_print(t, stdout);
    print_failures(l);
    print_instructions(l);
    fputs("\n(regs: per thread as ptxas counts them, *: by our liveness analysis; shared:\n"
          "bytes per CTA; warp: instructions; loads:stores: of global memory, by warps;\n"
          "assembled: what an assembler makes of PTX, a machine issues either\n"
          "(sm.instructions); sizes in bytes: the most device memory that was allocated)\n",
          stdout);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_words(struct json *j, const char *key, const char *words, struct arena *a)
{
    json_key(j, key);
    json_open_array(j, true);
    for (const char *p = words; *p;) {
        size_t length = strcspn(p, " ");
        json_string(j, arena_printf(a, "%.*s", (int)length, p));
        p += length + (p[length] == ' ');
    }
    json_close_array(j);
}

static void json_args(struct json *j, const struct workload *w, enum workload_size size)
{
    char value[WORKLOAD_VALUE_N];
    json_key(j, "args");
    json_open_array(j, false);
    for (uint32_t i = 0; i < workload_nargs(w); i++) {
        const struct workload_arg *a = &w->args[i];
        const char *const texts[][2] = {
            {"name", a->name},
            {"default", workload_value_text(value, a, a->defaults[size])},
            {"unit", a->unit},
            {"doc", a->doc}};
        json_open_object(j, true);
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            json_key(j, texts[k][0]);
            json_string(j, texts[k][1]);
        }
        if (a->choices) {
            json_key(j, "choices");
            json_string(j, a->choices);
        } else {
            json_key(j, "least");
            json_int(j, a->least);
            json_key(j, "most");
            json_int(j, a->most);
        }
        json_close_object(j);
    }
    json_close_array(j);
}

static void json_entry(const struct listing *l, const struct listed *x, struct json *j)
{
    const struct tally *t = &x->done.tally;
    json_open_object(j, false);
    json_key(j, "name");
    json_string(j, x->workload->name);
    json_key(j, "suite");
    json_string(j, x->workload->suite);
    json_words(j, "papers", x->workload->papers, l->arena);
    json_words(j, "uses", uses_text(l->arena, x->uses), l->arena);
    json_key(j, "stands_for");
    json_string(j, x->workload->stands_for);
    json_key(j, "input");
    json_string(j, x->workload->inputs[l->size]);
    json_args(j, x->workload, l->size);
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

bool listing_write_json(const struct listing *l, const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_key(&j, "size");
    json_string(&j, workload_size_name(l->size));
    json_key(&j, "workloads");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < l->n; i++)
        if (l->all[i].failed.status == STATUS_DONE)
            json_entry(l, &l->all[i], &j);
    json_close_array(&j);
    return outfile_commit_json(&out, &j, e);
}

static void csv_kernel(const struct listing *l, const struct listed *x,
                       const struct tally_kernel *k, FILE *out)
{
    const struct workload *w = x->workload;
    fprintf(out, "%s,%s,%s,%s,%s,\"%s\",%s,%llu,%s,%s,%u,%s,%u,%u", w->name, w->suite, w->papers,
            uses_text(l->arena, x->uses), workload_size_name(l->size), w->inputs[l->size],
            tally_label(&x->done.tally, k), (unsigned long long)k->launches,
            tally_grid(l->arena, k), tally_dim(l->arena, k->block), k->regs_per_thread,
            tally_regs_from(k), k->shared_bytes, k->local_bytes);
    const uint64_t counts[] = {k->warp_insns,
                               k->thread_insns,
                               k->global_loads,
                               k->global_stores,
                               k->shared_accesses,
                               k->atomics,
                               x->done.tally.memory_bytes,
                               k->insns,
                               k->assembled,
                               k->assembled_insns};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        fprintf(out, ",%llu", (unsigned long long)counts[i]);
    fputc('\n', out);
}

bool listing_write_csv(const struct listing *l, const char *path, struct err *e)
{
    struct outfile out;
    if (!outfile_open_csv(&out, path, e))
        return false;
    fputs("workload,suite,papers,uses,size,input,kernel,launches,grid,block,regs_per_thread,"
          "regs_from,shared_bytes,local_bytes,warp_insns,thread_insns,global_loads,global_stores,"
          "shared_accesses,atomics,memory_bytes,insns,assembled,assembled_warp_insns\n",
          out.f);
    for (uint32_t i = 0; i < l->n; i++)
        if (l->all[i].failed.status == STATUS_DONE)
            for (const struct tally_kernel *k = l->all[i].done.tally.kernels; k; k = k->next)
                csv_kernel(l, &l->all[i], k, out.f);
    return outfile_commit(&out, e);
}
