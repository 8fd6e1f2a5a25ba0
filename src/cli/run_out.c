/* run_out.c - tables and JSON of functional runs. */
#include "cli/run_out.h"

#include "cli/cli.h"
#include "cli/registers_out.h"
#include "cli/table.h"

static double per(double a, double b)
{
    return b > 0 ? a / b : 0;
}

const char *run_out_mix(struct arena *a, const struct tally_kernel *k)
{
    if (k->global_stores == 0)
        return k->global_loads ? "loads only" : "none";
    double ratio = (double)k->global_loads / (double)k->global_stores;
    return arena_printf(a, "%.*f : 1", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
}

/* ---- for people ---------------------------------------------------------------------------- */

static void print_kernels(const struct tally *t, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<kernel", "times",  "grid",  "block",  "regs",  "shared",
                                        "warp",    "thread", "loads", "stores", "B/insn"};
    struct table *table = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (const struct tally_kernel *k = t->kernels; k; k = k->next) {
        table_cell(table, "%s", tally_label(t, k));
        table_cell(table, "%llu", (unsigned long long)k->launches);
        table_cell(table, "%s", tally_grid(a, k));
        table_cell(table, "%s", tally_dim(a, k->block));
        table_cell(table, "%u", k->regs_per_thread);
        table_cell(table, "%u", k->shared_bytes);
        table_cell(table, "%s", table_count(a, (double)k->warp_insns));
        table_cell(table, "%s", table_count(a, (double)k->thread_insns));
        table_cell(table, "%s", table_count(a, (double)k->global_loads));
        table_cell(table, "%s", table_count(a, (double)k->global_stores));
        if (k->stream_bytes)
            table_cell(table, "%.2f", per((double)k->stream_bytes, (double)k->warp_insns));
        else
            table_cell(table, "-");
    }
    table_print(table, out);
}

static void print_registers(const struct tally *t, struct arena *a, FILE *out)
{
    uint32_t n = 0;
    for (const struct tally_kernel *k = t->kernels; k; k = k->next)
        n++;
    struct registers_out *rows = ARENA_ARRAY(a, struct registers_out, n + 1);
    n = 0;
    for (const struct tally_kernel *k = t->kernels; k; k = k->next)
        rows[n++] =
            (struct registers_out){tally_label(t, k), k->regs_per_thread, tally_regs_from(k)};
    registers_out_print(rows, n, out);
}

static void print_spins(const struct tally *t, FILE *out)
{
    for (const struct tally_kernel *k = t->kernels; k; k = k->next)
        if (k->has_grid_spin)
            fprintf(out, "%s: CTAs waited for one another, and took turns\n", tally_label(t, k));
}

void run_out_print(const struct execute *x, const struct execution *r, struct arena *a, FILE *out)
{
    const struct tally_kernel *sum = &r->tally.sum;
    if (x->workload)
        fprintf(out, "%s: %s\n%s; %s\n\n", r->title, x->workload->stands_for, x->workload->suite,
                x->workload->inputs[x->size]);
    else
        fprintf(out, "%s as %s says\n\n", x->ptx, x->launch);
    print_kernels(&r->tally, a, out);
    fputs(
        "\n(times: launches; regs: per thread; shared: bytes per CTA; warp, thread: instructions;\n"
        "loads, stores: of global memory, by warps; B/insn: bytes of stream per warp "
        "instruction)\n",
        out);
    print_registers(&r->tally, a, out);
    fputc('\n', out);
    print_spins(&r->tally, out);
    fprintf(out, "%s, %llu warp instructions, %llu thread instructions (%.1f per warp)\n",
            table_launches(a, sum->launches), (unsigned long long)sum->warp_insns,
            (unsigned long long)sum->thread_insns,
            per((double)sum->thread_insns, (double)sum->warp_insns));
    fprintf(out, "executed in %.3f s: %.0f million thread instructions/s; %.3f s in all; %s used\n",
            sum->wall_s, per((double)sum->thread_insns / 1e6, sum->wall_s), r->wall_s,
            table_bytes(a, (double)r->tally.memory_bytes));
    fputs(r->is_checked ? "checked: all outputs right\n" : "the outputs were not checked\n", out);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_dim(struct json *j, const char *key, struct hd_dim d)
{
    json_key(j, key);
    json_open_array(j, true);
    json_uint(j, d.x);
    json_uint(j, d.y);
    json_uint(j, d.z);
    json_close_array(j);
}

static void json_count(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_uint(j, v);
}

void run_out_kernel_json(const struct tally_kernel *k, struct json *j)
{
    json_open_object(j, false);
    json_key(j, "kernel");
    json_string(j, k->name);
    json_count(j, "launches", k->launches);
    json_dim(j, "first_grid", k->first_grid);
    json_dim(j, "last_grid", k->last_grid);
    json_dim(j, "block", k->block);
    json_count(j, "regs_per_thread", k->regs_per_thread);
    json_key(j, "regs_from");
    json_string(j, tally_regs_from(k));
    json_count(j, "shared_bytes", k->shared_bytes);
    json_count(j, "local_bytes", k->local_bytes);
    json_count(j, "warp_insns", k->warp_insns);
    json_count(j, "thread_insns", k->thread_insns);
    json_count(j, "insns", k->insns);
    json_count(j, "assembled", k->assembled);
    json_count(j, "assembled_warp_insns", k->assembled_insns);
    json_count(j, "global_loads", k->global_loads);
    json_count(j, "global_stores", k->global_stores);
    json_count(j, "shared_accesses", k->shared_accesses);
    json_count(j, "atomics", k->atomics);
    json_count(j, "stream_bytes", k->stream_bytes);
    json_key(j, "has_grid_spin");
    json_bool(j, k->has_grid_spin);
    json_close_object(j);
}

static void json_source(const struct execute *x, const struct execution *r, struct json *j)
{
    json_key(j, x->workload ? "workload" : "ptx");
    json_string(j, r->title);
    if (!x->workload) {
        json_key(j, "launch");
        json_string(j, x->launch);
    }
    json_count(j, "seed", x->seed);
    json_key(j, "functional");
    json_bool(j, true);
}

bool run_out_json(const struct execute *x, const struct execution *r, const char *path,
                  struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_source(x, r, &j);
    json_key(&j, "wall_s");
    json_real(&j, r->wall_s);
    json_key(&j, "execute_s");
    json_real(&j, r->tally.sum.wall_s);
    json_count(&j, "launches", r->tally.sum.launches);
    json_count(&j, "warp_insns", r->tally.sum.warp_insns);
    json_count(&j, "thread_insns", r->tally.sum.thread_insns);
    json_count(&j, "memory_bytes", r->tally.memory_bytes);
    json_count(&j, "stream_bytes", r->tally.sum.stream_bytes);
    json_key(&j, "kernels");
    json_open_array(&j, false);
    for (const struct tally_kernel *k = r->tally.kernels; k; k = k->next)
        run_out_kernel_json(k, &j);
    json_close_array(&j);
    json_key(&j, "verified");
    json_bool(&j, r->is_checked);
    return outfile_commit_json(&out, &j, e);
}
