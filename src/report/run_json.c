/* run_json.c - see run_json.h. */
#include "report/run_json.h"

#include "machine/energy.h"

struct results_view run_view(const struct machine *m, const struct results_scale *s,
                             struct arena *a)
{
    return (struct results_view){
        .scale = s, .values = stats_snapshot(machine_stats(m), a), .cycles = machine_cycles(m)};
}

static void write_kernels(const struct machine *m, const struct results_scale *s, struct arena *a,
                          struct json *j)
{
    json_key(j, "kernels");
    json_open_array(j, false);
    for (uint32_t i = 0; i < machine_nkernels(m); i++)
        results_kernel_json(s, machine_kernel(m, i), a, j);
    json_close_array(j);
}

static void write_json(const struct run_document *r, struct arena *a, struct json *j)
{
    const struct machine *m = r->machine;
    struct results_view v = run_view(m, r->scale, a);
    json_key(j, "machine");
    json_string(j, r->machine_name);
    json_key(j, "workload");
    json_string(j, r->workload);
    json_key(j, "cycles");
    json_uint(j, machine_cycles(m));
    json_key(j, "ipc");
    json_real(j, results_derived(&v, "ipc"));
    json_key(j, "wall_s");
    json_real(j, r->wall_s);
    json_key(j, "partial");
    json_bool(j, r->is_partial);
    json_key(j, "checked");
    json_bool(j, r->is_checked);
    json_key(j, "digest");
    json_string(j, arena_printf(a, "%016llx", (unsigned long long)machine_digest(m)));
    if (r->also)
        r->also(r->also_of, j);
    json_key(j, "stats");
    json_open_object(j, false);
    results_json(&v, j);
    json_close_object(j);
    write_kernels(m, r->scale, a, j);
    json_key(j, "energy");
    energy_bill_json(r->scale->energy, &v, j);
    if (r->has_details) {
        json_key(j, "details");
        stats_write_json(machine_stats(m), j);
    }
    json_key(j, "config");
    config_echo_json(machine_config_of(m), j);
}

void run_json(const struct run_document *r, struct json *j)
{
    struct arena *a = arena_new();
    write_json(r, a, j);
    arena_free(a);
}
