/* patterns.c - the classic patterns (Dally & Towles, ch. 3.2) and those of a GPU.
 *
 * A GPU's cores talk to its memory nodes only: many-to-few for requests, few-to-many for
 * replies (Bakhoda et al., MICRO 2010). */
#include "traffic/pattern.h"

static uint32_t sink_uniform(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    (void)source;
    return rng_below(draw, x->nsinks);
}

static bool fit_permutation(const struct pattern_ctx *x, const struct config *cfg, struct err *e)
{
    if (x->nsources == x->nsinks)
        return true;
    return config_blame(cfg, e, &traffic_section, "pattern",
                        "%s needs as many sinks as sources, and there are %u and %u",
                        x->spec->pattern, x->nsinks, x->nsources);
}

static bool fit_transpose(struct pattern_ctx *x, const struct config *cfg, struct arena *a,
                          struct err *e)
{
    (void)a;
    if (!fit_permutation(x, cfg, e))
        return false;
    x->row = (uint32_t)x->spec->row;
    while (x->spec->row == 0 && x->row * x->row < x->nsinks)
        x->row++;
    if ((uint64_t)x->row * x->row != x->nsinks)
        return config_blame(cfg, e, &traffic_section, x->spec->row ? "row" : "pattern",
                            "transpose needs a square of nodes, and %u are no %u rows of %u",
                            x->nsinks, x->row, x->row);
    return true;
}

static uint32_t sink_transpose(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    (void)draw;
    return source % x->row * x->row + source / x->row;
}

static bool fit_bits(struct pattern_ctx *x, const struct config *cfg, struct arena *a,
                     struct err *e)
{
    (void)a;
    if (!fit_permutation(x, cfg, e))
        return false;
    while (1u << x->bits < x->nsinks)
        x->bits++;
    if (1u << x->bits != x->nsinks)
        return config_blame(cfg, e, &traffic_section, "pattern",
                            "%s needs a power of two of nodes, and there are %u", x->spec->pattern,
                            x->nsinks);
    return true;
}

static uint32_t sink_complement(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    (void)draw;
    return ~source & (x->nsinks - 1);
}

static uint32_t sink_reverse(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    uint32_t to = 0;
    (void)draw;
    for (uint32_t b = 0; b < x->bits; b++)
        to |= (source >> b & 1) << (x->bits - 1 - b);
    return to;
}

static bool fit_rows(struct pattern_ctx *x, const struct config *cfg, struct arena *a,
                     struct err *e)
{
    (void)a;
    if (!fit_permutation(x, cfg, e))
        return false;
    x->row = x->spec->row ? (uint32_t)x->spec->row : x->nsinks;
    if (x->nsinks % x->row != 0)
        return config_blame(cfg, e, &traffic_section, "row", "%u nodes are no whole number of rows",
                            x->nsinks);
    return true;
}

/* The next node in each dimension, around the edge. */
static uint32_t sink_neighbour(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    uint32_t rows = x->nsinks / x->row;
    uint32_t col = (source % x->row + 1) % x->row, row = (source / x->row + 1) % rows;
    (void)draw;
    return (rows == 1 ? 0 : row * x->row) + col;
}

/* Almost half way round each dimension: all go the same way round a ring, and the other way is
 * idle. */
static uint32_t sink_tornado(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    uint32_t rows = x->nsinks / x->row;
    uint32_t col = (source % x->row + (x->row - 1) / 2) % x->row;
    uint32_t row = (source / x->row + (rows - 1) / 2) % rows;
    (void)draw;
    return row * x->row + col;
}

static bool fit_hotspot(struct pattern_ctx *x, const struct config *cfg, struct arena *a,
                        struct err *e)
{
    const struct cfg_list *spots = &x->spec->hotspots, *weights = &x->spec->weights;
    if (spots->n == 0)
        return config_blame(cfg, e, &traffic_section, "hotspots",
                            "the hotspot pattern needs a list of sinks");
    if (weights->n != 0 && weights->n != spots->n)
        return config_blame(cfg, e, &traffic_section, "weights", "%d weights for %d hotspots",
                            weights->n, spots->n);
    uint64_t *sum = ARENA_ARRAY(a, uint64_t, spots->n);
    uint64_t total = 0;
    for (int i = 0; i < spots->n; i++) {
        if (spots->v[i] >= x->nsinks)
            return config_blame(cfg, e, &traffic_section, "hotspots",
                                "sink %lld does not exist (0..%u do)", (long long)spots->v[i],
                                x->nsinks - 1);
        total += weights->n ? (uint64_t)weights->v[i] : 1;
        sum[i] = total;
    }
    if (total > UINT32_MAX)
        return config_blame(cfg, e, &traffic_section, "weights", "they add up to more than %u",
                            UINT32_MAX);
    x->cumulative = sum;
    return true;
}

/* Which part of the traffic a packet is of.  Its size comes from rng_mix(draw) (arrival_size), and must not
 * tell. */
static double part(uint64_t draw)
{
    return rng_unit(rng_at(draw, 0));
}

static uint32_t sink_hotspot(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    const struct cfg_list *spots = &x->spec->hotspots;
    if (x->spec->hotspot_share < 1 && part(draw) >= x->spec->hotspot_share)
        return sink_uniform(x, source, draw);
    uint64_t at = rng_below(draw, (uint32_t)x->cumulative[spots->n - 1]);
    int lo = 0, hi = spots->n - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (x->cumulative[mid] > at)
            hi = mid;
        else
            lo = mid + 1;
    }
    return (uint32_t)spots->v[lo];
}

static bool fit_mixed(struct pattern_ctx *x, const struct config *cfg, struct arena *a,
                      struct err *e)
{
    (void)a;
    if (x->spec->mc_share == 1 || x->nsources > 1)
        return true;
    return config_blame(cfg, e, &traffic_section, "mc_share", "there is no other core to send to");
}

/* Sinks are the memory nodes, then the cores in the order of the sources. */
static uint32_t sink_mixed(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    if (part(draw) < x->spec->mc_share)
        return rng_below(draw, x->nmems);
    uint32_t other = rng_below(draw, x->nsources - 1);
    return x->nmems + other + (other >= source);
}

const struct pattern pattern_uniform = {.name = "uniform",
                                        .help = "any sink, itself included, with equal chance",
                                        .sink = sink_uniform};
const struct pattern pattern_transpose = {.name = "transpose",
                                          .help = "(x, y) sends to (y, x)",
                                          .fit = fit_transpose,
                                          .sink = sink_transpose};
const struct pattern pattern_bit_complement = {.name = "bit_complement",
                                               .alias = "bitcomp",
                                               .help = "node i sends to node ~i",
                                               .fit = fit_bits,
                                               .sink = sink_complement};
const struct pattern pattern_bit_reverse = {.name = "bit_reverse",
                                            .alias = "bitrev",
                                            .help = "node number with its bits reversed",
                                            .fit = fit_bits,
                                            .sink = sink_reverse};
const struct pattern pattern_neighbour = {.name = "neighbour",
                                          .alias = "neighbor",
                                          .help = "the next node in each dimension",
                                          .fit = fit_rows,
                                          .sink = sink_neighbour};
const struct pattern pattern_tornado = {.name = "tornado",
                                        .help = "almost half way round each dimension",
                                        .fit = fit_rows,
                                        .sink = sink_tornado};
const struct pattern pattern_hotspot = {.name = "hotspot",
                                        .help = "listed sinks with given weights",
                                        .fit = fit_hotspot,
                                        .sink = sink_hotspot};
const struct pattern pattern_many_to_few = {.name = "many_to_few",
                                            .help = "cores to memory nodes, uniform",
                                            .ends = ENDS_MANY_TO_FEW,
                                            .sink = sink_uniform};
const struct pattern pattern_mixed = {
    .name = "mixed",
    .help = "cores to memory nodes (mc_share of it), and to other cores, uniform",
    .ends = ENDS_CORES,
    .fit = fit_mixed,
    .sink = sink_mixed};
const struct pattern pattern_few_to_many = {.name = "few_to_many",
                                            .help = "memory nodes to cores, uniform",
                                            .ends = ENDS_FEW_TO_MANY,
                                            .sink = sink_uniform};
const struct pattern pattern_request_reply = {
    .name = "request_reply",
    .alias = "reqrep",
    .help = "closed loop: cores read and write memory nodes and wait for the answers",
    .ends = ENDS_REQUEST_REPLY,
    .sink = sink_uniform};
