/* libheddle.c - the public interface, in terms of the library's own types. */
#include "heddle/heddle.h"

#include "lab/point.h"
#include "libheddle_error.h"
#include "libheddle_gpu.h"

struct hd_config {
    struct arena *arena;
    struct config *config;
};

const char *hd_version(void)
{
    return HEDDLE_VERSION;
}

struct config *libheddle_any_config(struct arena *a)
{
    enum { MOST = 64 };
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, MOST);
    int n = machine_sections(all, MOST - LAB_SECTIONS);
    return config_new(a, all, n + lab_sections(all + n));
}

struct hd_config *hd_config_new(void)
{
    struct arena *a = arena_new();
    struct hd_config *c = ARENA_NEW(a, struct hd_config);
    *c = (struct hd_config){a, libheddle_any_config(a)};
    return c;
}

const struct config *libheddle_config(const struct hd_config *c)
{
    return c->config;
}

void hd_config_free(struct hd_config *c)
{
    if (c)
        arena_free(c->arena);
}

bool hd_config_load(struct hd_config *c, const char *yaml_file, struct hd_error *e)
{
    struct err err = {0};
    config_load(c->config, yaml_file, &err);
    return pass(&err, e);
}

bool hd_config_set(struct hd_config *c, const char *key_equals_value, struct hd_error *e)
{
    struct err err = {0};
    config_set(c->config, key_equals_value, &err);
    return pass(&err, e);
}

bool hd_noc_run(const struct hd_config *c, double rate, struct hd_point *p, struct hd_error *e)
{
    struct err err = {0};
    struct point q;
    point_run(c->config, rate, (struct lab_options){0}, &q, NULL, &err);
    *p = (struct hd_point){.offered = q.offered,
                           .accepted = q.accepted,
                           .latency_mean = q.mean,
                           .latency_p50 = q.p50,
                           .latency_p99 = q.p99,
                           .latency_ci95 = q.ci95,
                           .queueing = q.queueing,
                           .hops = q.hops,
                           .saturated = q.saturated,
                           .cycles = q.cycles,
                           .packets = q.packets,
                           .digest = q.digest};
    return pass(&err, e);
}
