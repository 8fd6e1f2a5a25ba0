/* arrival.c - see arrival.h. */
#include "traffic/arrival.h"

#include <math.h>
#include <string.h>

/* 1 / log(1 - p), or 0 for p = 1. */
static double per_log_of_miss(double p)
{
    return p >= 1 ? 0 : 1 / log1p(-p);
}

static bool init_sizes(struct arrival_model *m, const struct traffic_spec *s,
                       const struct config *cfg, struct arena *a, struct err *e)
{
    if (s->sizes.n == 0)
        return config_blame(cfg, e, &traffic_section, "sizes",
                            "at least one packet size is needed");
    if (s->shares.n != 0 && s->shares.n != s->sizes.n)
        return config_blame(cfg, e, &traffic_section, "shares", "%d shares for %d sizes",
                            s->shares.n, s->sizes.n);
    uint16_t *size = ARENA_ARRAY(a, uint16_t, s->sizes.n);
    uint64_t *sum = ARENA_ARRAY(a, uint64_t, s->sizes.n), total = 0;
    double flits = 0;
    for (int i = 0; i < s->sizes.n; i++) {
        uint64_t share = s->shares.n ? (uint64_t)s->shares.v[i] : 1;
        size[i] = (uint16_t)s->sizes.v[i];
        sum[i] = total += share;
        flits += (double)share * size[i];
    }
    if (total > UINT32_MAX)
        return config_blame(cfg, e, &traffic_section, "shares", "they add up to more than %u",
                            UINT32_MAX);
    m->nsizes = (uint32_t)s->sizes.n;
    m->size = size;
    m->size_cumulative = sum;
    m->mean_size = flits / (double)total;
    return true;
}

double arrival_max_rate(const struct config *cfg, double mean_flits)
{
    const struct traffic_spec *s = config_get(cfg, &traffic_section);
    double flits = 0, total = 0;
    for (int i = 0; i < s->sizes.n; i++) {
        double share = s->shares.n == s->sizes.n ? (double)s->shares.v[i] : 1;
        flits += share * (double)s->sizes.v[i];
        total += share;
    }
    double rate = mean_flits > 0 ? mean_flits : total > 0 ? flits / total : 0;
    if (strcmp(s->process, "bursty") == 0)
        rate *= s->burst_on / (s->burst_on + s->burst_off);
    return rate;
}

bool arrival_model_init(struct arrival_model *m, const struct config *cfg, double rate,
                        double mean_flits, struct arena *a, struct err *e)
{
    const struct traffic_spec *s = config_get(cfg, &traffic_section);
    *m = (struct arrival_model){.bursty = strcmp(s->process, "bursty") == 0};
    if (!init_sizes(m, s, cfg, a, e))
        return false;
    double p = rate / (mean_flits > 0 ? mean_flits : m->mean_size);
    if (m->bursty) {
        p *= (s->burst_on + s->burst_off) / s->burst_on;
        m->on = per_log_of_miss(1 / s->burst_on);
        m->off = per_log_of_miss(1 / s->burst_off);
    }
    if (p > 1 + 1e-9)
        return config_blame(cfg, e, &traffic_section, "rate",
                            "%g flits/node/cycle is more than one packet per cycle%s", rate,
                            m->bursty ? " within bursts" : "");
    if (m->bursty && p > 0 && p < 1e-6)
        return config_blame(cfg, e, &traffic_section, "rate",
                            "%g flits/node/cycle is too little for bursts", rate);
    m->never = p <= 0;
    m->skip = per_log_of_miss(p);
    return true;
}

static uint64_t draw(struct arrival *s)
{
    return rng_at(s->key, s->draws++);
}

/* Natural logarithm of u in (0, 1], to 1e-10.  The C library's may differ in the last place from
 * machine to machine, and a birth date must not. */
static double log_unit(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    int64_t exponent = (int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double m; /* in [1, 2) */
    memcpy(&m, &bits, sizeof m);
    double t = (m - 1.4142135623730951) / (m + 1.4142135623730951), t2 = t * t;
    double series = 1 + t2 * (1.0 / 3 + t2 * (1.0 / 5 + t2 * (1.0 / 7 + t2 * (1.0 / 9 + t2 / 11))));
    return ((double)exponent + 0.5) * 0.6931471805599453 + 2 * t * series;
}

/* 1, 2, 3, ... with probability p (1-p)^(k-1). */
static inline uint64_t geometric(double per_log_miss, uint64_t d)
{
    if (per_log_miss == 0)
        return 1;
    double k = log_unit(1 - rng_unit(d)) * per_log_miss;
    if (k < 0) /* the logarithm of 1 is not exactly 0 */
        return 1;
    return k < 1e15 ? 1 + (uint64_t)k : (uint64_t)1e15;
}

void arrival_advance(struct arrival *s, const struct arrival_model *m)
{
    hd_cycle at = s->next + geometric(m->skip, draw(s));
    while (m->bursty && at > s->burst_end) {
        hd_cycle start = s->burst_end + 1 + geometric(m->off, draw(s));
        s->burst_end = start + geometric(m->on, draw(s)) - 1;
        at = start - 1 + geometric(m->skip, draw(s));
    }
    s->next = at;
}

void arrival_start(struct arrival *s, const struct arrival_model *m, uint64_t key)
{
    *s = (struct arrival){.key = key, .next = HD_NEVER};
    if (m->never)
        return;
    s->next = 0;
    arrival_advance(s, m);
}

uint16_t arrival_size(const struct arrival_model *m, uint64_t key)
{
    if (m->nsizes == 1)
        return m->size[0];
    uint64_t at = rng_below(rng_mix(key), (uint32_t)m->size_cumulative[m->nsizes - 1]);
    uint32_t i = 0;
    while (m->size_cumulative[i] <= at)
        i++;
    return m->size[i];
}
