/* several_out.c - programs that ran at once, for people and for programs. */
#include "cli/several_out.h"

#include <math.h>

#include "cli/table.h"

static const char *const reference_names[REFERENCES] = {"machine", "same_sms"};

/* --- JSON, CSV -------------------------------------------------------------------------------- */

static void member(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void program_json(const struct several_program *p, struct json *j)
{
    json_open_object(j, false);
    json_key(j, "program");
    json_string(j, p->title);
    json_key(j, "sms");
    json_open_array(j, true);
    for (uint32_t i = 0; i < p->ran.sms->n; i++)
        json_uint(j, p->ran.sms->sm[i]);
    json_close_array(j);
    json_key(j, "kernels");
    json_uint(j, p->ran.kernels);
    json_key(j, "runs");
    json_uint(j, p->ran.runs);
    json_key(j, "warp_insns");
    json_uint(j, p->ran.warp_insns);
    json_key(j, "cycles");
    json_uint(j, p->cycles);
    json_key(j, "alone");
    json_open_object(j, true);
    for (int r = 0; r < REFERENCES; r++) {
        json_key(j, reference_names[r]);
        if (p->alone[r])
            json_uint(j, p->alone[r]);
        else
            json_real(j, (double)NAN);
    }
    json_close_object(j);
    json_key(j, "cached");
    json_open_object(j, true);
    for (int r = 0; r < REFERENCES; r++) {
        json_key(j, reference_names[r]);
        json_bool(j, p->is_cached[r]);
    }
    json_close_object(j);
    json_key(j, "progress");
    json_open_object(j, true);
    for (int r = 0; r < REFERENCES; r++)
        member(j, reference_names[r], several_progress(p, (enum several_reference)r));
    json_close_object(j);
    json_close_object(j);
}

void several_json(const struct several *s, struct json *j)
{
    json_key(j, "partition");
    json_string(j, s->partition);
    json_key(j, "window");
    json_uint(j, s->window);
    json_key(j, "programs");
    json_open_array(j, false);
    for (uint32_t i = 0; i < s->n; i++)
        program_json(&s->program[i], j);
    json_close_array(j);
    json_key(j, "stp");
    json_open_object(j, true);
    for (int r = 0; r < REFERENCES; r++)
        member(j, reference_names[r], several_stp(s, (enum several_reference)r));
    json_close_object(j);
    json_key(j, "antt");
    json_open_object(j, true);
    for (int r = 0; r < REFERENCES; r++)
        member(j, reference_names[r], several_antt(s, (enum several_reference)r));
    json_close_object(j);
}

static void line(FILE *out, const char *name, double v)
{
    if (isnan(v))
        fprintf(out, "%s,\n", name);
    else
        fprintf(out, "%s,%.17g\n", name, v);
}

void several_csv(const struct several *s, FILE *out)
{
    char name[64];
    for (int r = 0; r < REFERENCES; r++) {
        snprintf(name, sizeof name, "stp.%s", reference_names[r]);
        line(out, name, several_stp(s, (enum several_reference)r));
        snprintf(name, sizeof name, "antt.%s", reference_names[r]);
        line(out, name, several_antt(s, (enum several_reference)r));
        for (uint32_t i = 0; i < s->n; i++) {
            snprintf(name, sizeof name, "program%u.progress.%s", i, reference_names[r]);
            line(out, name, several_progress(&s->program[i], (enum several_reference)r));
        }
    }
}

/* --- for people ------------------------------------------------------------------------------- */

static const char *number(struct arena *a, double v, int digits)
{
    return isfinite(v) ? arena_printf(a, "%.*f", digits, v) : "-";
}

static double of(const struct results_view *v, uint32_t program, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "program%u.%s", program, name);
    return stats_snapshot_value(v->values, full);
}

static double percent(double a, double b)
{
    return b > 0 ? 100 * a / b : NAN;
}

static void print_levels(const struct several *s, const struct results_view *v, struct arena *a,
                         FILE *out)
{
    static const char *const heads[] = {
        "<program",  "IPC",      "L1 hits %", "read cycles", "flits in, out/kcycle",
        "L2 hits %", "DRAM GB/s"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    double cycles = (double)v->cycles, seconds = results_seconds(v);
    for (uint32_t i = 0; i < s->n; i++) {
        double read_cycles =
            of(v, i, "l1.read_time") / of(v, i, "l1.reads") / v->scale->ticks_per_cycle;
        double bytes = of(v, i, "dram.read_bytes") + of(v, i, "dram.write_bytes");
        table_cell(t, "%u %s", i, s->program[i].title);
        table_cell(t, "%s", number(a, of(v, i, "sm.thread_insns") / cycles, 2));
        table_cell(t, "%s", number(a, percent(of(v, i, "l1.load_hits"), of(v, i, "l1.loads")), 1));
        table_cell(t, "%s", number(a, read_cycles, 1));
        table_cell(t, "%s, %s", number(a, 1e3 * of(v, i, "noc.request_flits") / cycles, 0),
                   number(a, 1e3 * of(v, i, "noc.answer_flits") / cycles, 0));
        table_cell(t, "%s", number(a, percent(of(v, i, "l2.hits"), of(v, i, "l2.accesses")), 1));
        table_cell(t, "%s", number(a, bytes / seconds / 1e9, 1));
    }
    fputc('\n', out);
    table_print(t, out);
}

static void print_metrics(const struct several *s, struct arena *a, FILE *out)
{
    if (!isfinite(several_stp(s, ALONE_ON_ALL)))
        return;
    fprintf(out,
            "against each program alone on the whole machine: STP %s, ANTT %s; alone on the same "
            "SMs: STP %s, ANTT %s\n",
            number(a, several_stp(s, ALONE_ON_ALL), 3), number(a, several_antt(s, ALONE_ON_ALL), 3),
            number(a, several_stp(s, ALONE_ON_SAME), 3),
            number(a, several_antt(s, ALONE_ON_SAME), 3));
}

void several_print(const struct several *s, const struct results_view *v, struct arena *a,
                   FILE *out)
{
    static const char *const heads[] = {"<program",        "SMs",     "kernels",        "runs",
                                        "warp insns",      "cycles",  "alone, all SMs", "progress",
                                        "alone, same SMs", "progress"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    fprintf(out, "\n%u programs at once, SMs by partition %s", s->n, s->partition);
    if (s->window)
        fprintf(out, ", restarting for %llu cycles", (unsigned long long)s->window);
    fputc('\n', out);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct several_program *p = &s->program[i];
        table_cell(t, "%u %s", i, p->title);
        table_cell(t, "%u", p->ran.sms->n);
        table_cell(t, "%llu", (unsigned long long)p->ran.kernels);
        table_cell(t, "%llu", (unsigned long long)p->ran.runs);
        table_cell(t, "%s", table_count(a, (double)p->ran.warp_insns));
        table_cell(t, "%llu", (unsigned long long)p->cycles);
        for (int r = 0; r < REFERENCES; r++) {
            table_cell(t, "%s", number(a, p->alone[r] ? (double)p->alone[r] : NAN, 0));
            table_cell(t, "%s", number(a, several_progress(p, (enum several_reference)r), 3));
        }
    }
    table_print(t, out);
    print_metrics(s, a, out);
    print_levels(s, v, a, out);
}
