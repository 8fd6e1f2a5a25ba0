/* lsu_spec.c - the parameters of an SM's load/store unit and caches: Fermi's as GPGPU-Sim's GTX480
 * file has them, with the latencies of its later calibrated files. */
#include "l1/lsu.h"

#include <string.h>

#include "cache/policy.h"
#include "l1/carve.h"

CFG_SECTION(shared, SHARED_ROWS, "shared memory of an SM")
CFG_SECTION(l1, L1_ROWS, "load/store unit and L1 data cache of an SM")
CFG_SECTION(constant, CONSTANT_ROWS, "constant cache of an SM")
CFG_SECTION(texture, TEXTURE_ROWS, "texture cache of an SM")

static bool check_size(const struct config *cfg, struct err *e, const struct cfg_section *s,
                       int64_t size, int64_t set_bytes)
{
    if (size % set_bytes == 0 && size / set_bytes > 0)
        return true;
    return config_blame(cfg, e, s, "size", "%lld is not a multiple of %lld bytes (ways x line)",
                        (long long)size, (long long)set_bytes);
}

static bool check_carveouts(const struct config *cfg, struct err *e, const struct l1_spec *l1)
{
    struct err why = {0};
    return carve_check(&l1->carveouts, (uint64_t)l1->size, (uint64_t)l1->ways * LINE_BYTES, &why) ||
           config_blame(cfg, e, &l1_section, "carveouts", "%s", why.text);
}

static bool check_line(const struct config *cfg, struct err *e, const struct cfg_section *s,
                       int64_t line)
{
    if (line == 32 || line == 64 || line == 128)
        return true;
    return config_blame(cfg, e, s, "line", "%lld is not 32, 64 or 128", (long long)line);
}

bool lsu_check(const struct config *cfg, struct err *e)
{
    const struct shared_spec *sh = config_get(cfg, &shared_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *t = config_get(cfg, &texture_section);
    if (sh->banks != 16 && sh->banks != 32)
        return config_blame(cfg, e, &shared_section, "banks", "%lld is neither 16 nor 32",
                            (long long)sh->banks);
    if (l1->masked && l1->hashed)
        return config_blame(cfg, e, &l1_section, "masked",
                            "sets are chosen by a mask or by a hash, and l1.hashed is on");
    if (strcmp(l1->write_miss, "allocate") == 0 && strcmp(l1->write_hit, "update") != 0)
        return config_blame(cfg, e, &l1_section, "write_miss",
                            "stores cannot take a line and evict it: l1.write_hit is %s",
                            l1->write_hit);
    return cache_policy_check(cfg, &l1_section, l1->replacement, e) &&
           cache_policy_check(cfg, &constant_section, k->replacement, e) &&
           cache_policy_check(cfg, &texture_section, t->replacement, e) &&
           check_line(cfg, e, &constant_section, k->line) &&
           check_line(cfg, e, &texture_section, t->line) &&
           check_size(cfg, e, &l1_section, l1->size, l1->ways * LINE_BYTES) &&
           check_carveouts(cfg, e, l1) &&
           check_size(cfg, e, &constant_section, k->size, k->ways * k->line) &&
           check_size(cfg, e, &texture_section, t->size, t->ways * t->line);
}

static uint32_t most(int64_t a, int64_t b)
{
    return (uint32_t)(a > b ? a : b);
}

/* One load per cycle can hit, each due within the longest latency (a shared access is due up to 32
 * cycles later still); one answer per cycle ends all that wait for it, each due within
 * fill_latency; and each of these can leave a warp quiet, due at the next cycle. */
uint32_t lsu_max_completions(const struct config *cfg, uint32_t max_warps)
{
    const struct shared_spec *sh = config_get(cfg, &shared_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *t = config_get(cfg, &texture_section);
    uint32_t latency =
        most(most(sh->latency + WARP_LANES, l1->latency), most(k->latency, t->latency));
    uint64_t merges = most(l1->merges, most(k->merges, t->merges));
    uint64_t per_answer = merges < (uint64_t)l1->pending ? merges : (uint64_t)l1->pending;
    uint64_t n = latency + 2 + ((uint64_t)l1->fill_latency + 1) * per_answer + 2ull * max_warps;
    return n < COMPLETION_NONE / 2 ? (uint32_t)n : COMPLETION_NONE / 2;
}
