#include "report/run_json.h"

#include "base/text.h"
#include "check.h"
#include "machine/energy.h"

/* The smallest machine that can be built, which has run nothing. */
static struct machine *idle_machine(struct arena *a)
{
    static const char *const settings[] = {
        "gpu.clusters=1", "gpu.sms_per_cluster=1", "noc.topology=xbar", "noc.networks=two",
        "xbar.inputs=1",  "xbar.outputs=1",        "mc.channels=1"};
    struct err e = {0};
    struct config *c = machine_config(a);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        CHECK(config_set(c, settings[i], &e));
    struct machine *m = machine_new(c, &(struct machine_options){0}, &e);
    CHECK(m);
    return m;
}

static void write_more(const void *of, struct json *j)
{
    json_key(j, "more");
    json_string(j, of);
}

static void write(const void *document, FILE *out)
{
    struct json j;
    json_begin(&j, out);
    json_open_object(&j, false);
    run_json(document, &j);
    json_close_object(&j);
    json_end(&j);
}

static void members_come_in_the_order_of_the_format(void)
{
    static const char *const keys[] = {
        "\"machine\": \"m\"", "\"workload\": \"w\"", "\"cycles\": 0",      "\"ipc\": null",
        "\"wall_s\": 0.5",    "\"partial\": true",   "\"checked\": false", "\"digest\": \"",
        "\"more\": \"yes\"",  "\"stats\": {",        "\"kernels\": [",     "\"energy\": {",
        "\"config\": {"};
    struct arena *a = arena_new();
    struct machine *m = idle_machine(a);
    struct results_scale scale;
    struct err e = {0};
    CHECK(results_scale_of(&scale, m, a, &e));
    struct run_document d = {.machine = m,
                             .scale = &scale,
                             .machine_name = "m",
                             .workload = "w",
                             .wall_s = 0.5,
                             .is_partial = true,
                             .also = write_more,
                             .also_of = "yes"};
    const char *at = text_of(a, write, &d);
    CHECK(!strstr(at, "\"details\""));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *next = strstr(at, keys[i]);
        if (!next)
            print_error("%s is not where it belongs\n", keys[i]);
        CHECK(next);
        at = next + 1;
    }
    machine_free(m);
    arena_free(a);
}

CHECK_MAIN("run_json", TEST(members_come_in_the_order_of_the_format))
