/* cost.c - storage, area and power of a machine, from its parameters and the graphs of its networks.
 *
 * Storage after section 6.4 of the ICC paper: addresses of 48 bits, so that a line of 128 bytes is
 * named by 41; tags and lists are counted to the bit, and so is what a cache policy keeps of a line
 * beside LRU (cache_policy.line_bits).  Not counted, as there: valid, dirty and replacement bits of
 * other policies; and queues and pipeline registers, instruction caches, what memory controllers
 * hold.  Arrays are priced by power/array.h, networks by netcost.h, buffers with the latter. */
#include "machine/cost.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/icc.h"
#include "machine/machine_priv.h"
#include "noc/coalesce.h"
#include "noc/count.h"

/* Bits that tell n things apart. */
static uint32_t bits_for(uint64_t n)
{
    return n <= 1 ? 0 : 64 - (uint32_t)__builtin_clzll(n - 1);
}

static uint32_t log2_floor(uint64_t n)
{
    return 63 - (uint32_t)__builtin_clzll(n);
}

static uint64_t line_bits(uint64_t line)
{
    return COST_ADDRESS_BITS - log2_floor(line);
}

/* --- units ------------------------------------------------------------------------------------ */

/* What the set does not say about the line: with 96 sets as much as with 64. */
static uint64_t tag_bits(uint64_t bytes, uint64_t line, uint64_t ways)
{
    return line_bits(line) - log2_floor(bytes / (line * ways));
}

uint64_t cost_cache_bits(uint64_t bytes, uint64_t line, uint64_t ways)
{
    return bytes / line * (line * 8 + tag_bits(bytes, line, ways));
}

uint64_t cost_mshr_bits(uint64_t entries, uint64_t line, uint64_t waiter_bits)
{
    return entries * (line_bits(line) + waiter_bits);
}

uint64_t cost_merge_bits(uint64_t entries, uint64_t line, uint64_t sms)
{
    return entries * (line_bits(line) + sms);
}

/* --- the machine ------------------------------------------------------------------------------ */

enum { REGISTER_BANKS = 16 }; /* GPGPU-Sim's configurations: gpgpu_num_reg_banks */

struct tally {
    struct cost *c;
    struct arena *a;
    const struct config *cfg;
    uint64_t clusters, sms, slices;
};

static struct tally tally_of(const struct config *cfg, struct arena *a, struct cost *c)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct mc_spec *mc = config_get(cfg, &mc_section);
    *c = (struct cost){0};
    return (struct tally){.c = c,
                          .a = a,
                          .cfg = cfg,
                          .clusters = (uint64_t)gpu->clusters,
                          .sms = (uint64_t)gpu_sms(gpu),
                          .slices = (uint64_t)(mc->channels * l2->slices_per_channel)};
}

static struct cost_row *add(struct tally *t, const char *name, uint64_t units, uint64_t bits,
                            const char *made_of)
{
    struct cost *c = t->c;
    HD_ASSERT(c->nrows < COST_ROWS, "more than %d rows", COST_ROWS);
    struct cost_row *r = &c->row[c->nrows++];
    *r = (struct cost_row){
        .name = name, .made_of = made_of, .units = units, .bytes = (bits + 7) / 8};
    c->total += r->units * r->bytes;
    return r;
}

/* The array that a row of `add` is; one of no bytes is none, and no bank is without a set. */
static void is_array(struct cost_row *r, struct power_array_spec spec)
{
    uint64_t sets = spec.bytes / ((uint64_t)spec.block * (spec.ways ? spec.ways : 1));
    r->is_array = r->units > 0 && spec.bytes > 0;
    r->spec = spec;
    if (spec.banks > sets)
        r->spec.banks = (uint32_t)(sets ? sets : 1);
}

struct cache { /* its MSHRs, and what its policy adds */
    const char *name, *mshrs_name, *policy_name;
    int64_t size, line, ways, mshrs, merges;
    uint32_t waiter_bits, port_bits, banks;
    const char *policy;
};

/* Bits of each line that a policy stores. */
static uint32_t policy_bits(const struct tally *t, const char *policy)
{
    const struct cache_policy *p = cache_policy_find(policy);
    return p && p->line_bits ? p->line_bits(t->cfg, (uint32_t)t->sms) : 0;
}

static void add_policy(struct tally *t, const char *name, uint64_t units, uint64_t lines,
                       uint32_t bits)
{
    add(t, name, bits ? units : 0, lines * bits,
        arena_printf(t->a, "%llu lines x %u bits", (unsigned long long)lines, bits));
}

/* Entries that are found by the address of their line; `bits` more in each. */
static struct power_array_spec table_of(uint64_t entries, uint64_t line, uint64_t bits)
{
    uint32_t block = bits ? (uint32_t)((bits + 7) / 8) : 1;
    return (struct power_array_spec){.kind = ARRAY_CAM,
                                     .bytes = entries * block,
                                     .block = block,
                                     .ways = (uint32_t)entries,
                                     .tag_bits = (uint32_t)line_bits(line),
                                     .port_bits = block * 8};
}

static void add_cache(struct tally *t, uint64_t units, const struct cache *s)
{
    uint64_t size = (uint64_t)s->size, line = (uint64_t)s->line, ways = (uint64_t)s->ways;
    const char *cache =
        arena_printf(t->a, "%llu lines x (%llu B + %llu bits)", (unsigned long long)(size / line),
                     (unsigned long long)line, (unsigned long long)tag_bits(size, line, ways));
    const char *mshrs =
        arena_printf(t->a, "%lld x (%llu + %lld x %u bits)", (long long)s->mshrs,
                     (unsigned long long)line_bits(line), (long long)s->merges, s->waiter_bits);
    uint64_t waiters = (uint64_t)s->merges * s->waiter_bits;
    uint32_t bits = policy_bits(t, s->policy); /* beside the tags */
    is_array(add(t, s->name, units, cost_cache_bits(size, line, ways), cache),
             (struct power_array_spec){.kind = ARRAY_CACHE,
                                       .bytes = size,
                                       .block = (uint32_t)line,
                                       .ways = (uint32_t)ways,
                                       .tag_bits = (uint32_t)tag_bits(size, line, ways),
                                       .flag_bits = bits,
                                       .port_bits = s->port_bits,
                                       .banks = s->banks});
    is_array(add(t, s->mshrs_name, units, cost_mshr_bits((uint64_t)s->mshrs, line, waiters), mshrs),
             table_of((uint64_t)s->mshrs, line, waiters));
    add_policy(t, s->policy_name, units, size / line, bits);
}

static struct power_array_spec ram_of(uint64_t bytes, uint32_t port_bits, uint32_t banks)
{
    return (struct power_array_spec){.kind = ARRAY_RAM,
                                     .bytes = bytes,
                                     .block = port_bits / 8,
                                     .port_bits = port_bits,
                                     .banks = banks};
}

/* One memory with the L1 (l1.carveouts): its bytes are the L1's, an access costs what it did. */
static void add_shared_memory(struct tally *t, const struct sm_spec *sm,
                              const struct shared_spec *shared, bool is_of_l1)
{
    struct cost_row *r = add(t, "shared_memory", is_of_l1 ? 0 : t->sms, (uint64_t)sm->shared * 8,
                             is_of_l1 ? "part of l1" : "data");
    is_array(r, ram_of((uint64_t)sm->shared, COST_WORD_BITS, (uint32_t)shared->banks));
    r->is_array |= is_of_l1 && sm->shared > 0;
}

static void add_sms(struct tally *t)
{
    const struct config *cfg = t->cfg;
    const struct sm_spec *sm = config_get(cfg, &sm_section);
    const struct shared_spec *shared = config_get(cfg, &shared_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *x = config_get(cfg, &texture_section);
    uint64_t n = t->sms;
    uint32_t load = bits_for((uint64_t)l1->pending); /* who waits is one of these */
    is_array(add(t, "register_file", n, (uint64_t)sm->registers * 32,
                 arena_printf(t->a, "%lld x 32 bits", (long long)sm->registers)),
             ram_of((uint64_t)sm->registers * 4, COST_WARP_BITS, REGISTER_BANKS));
    add_shared_memory(t, sm, shared, l1->carveouts.n > 0);
    add_cache(t, n,
              &(struct cache){"l1", "l1_mshrs", "l1_policy", l1->size, LINE_BYTES, l1->ways,
                              l1->mshrs, l1->merges, load, COST_WARP_BITS, 1, l1->replacement});
    add_cache(t, n,
              &(struct cache){"constant_cache", "constant_mshrs", "constant_policy", k->size,
                              k->line, k->ways, k->mshrs, k->merges, load, COST_WORD_BITS, 1,
                              k->replacement});
    add_cache(t, n,
              &(struct cache){"texture_cache", "texture_mshrs", "texture_policy", x->size, x->line,
                              x->ways, x->mshrs, x->merges, load, COST_SECTOR_BITS, 1,
                              x->replacement});
}

static void add_clusters(struct tally *t)
{
    const struct icc_spec *icc = config_get(t->cfg, &icc_section);
    uint64_t sms = (t->sms + t->clusters - 1) / t->clusters, line = LINE_BYTES; /* the largest */
    uint64_t entries = icc->enabled ? (uint64_t)icc->entries : 0;
    uint64_t lines = icc->enabled ? (uint64_t)icc->cc_lines : 0;
    unsigned long long address = line_bits(line);
    uint32_t bits = lines ? policy_bits(t, icc->replacement) : 0;
    is_array(add(t, "merge_table", entries ? t->clusters : 0, cost_merge_bits(entries, line, sms),
                 arena_printf(t->a, "%llu x (%llu + %llu bits)", (unsigned long long)entries,
                              address, (unsigned long long)sms)),
             table_of(entries, line, sms));
    is_array(add(t, "coalesced_cache", lines ? t->clusters : 0,
                 lines ? cost_cache_bits(lines * line, line, lines) : 0,
                 arena_printf(t->a, "%llu lines x (%llu B + %llu bits)", (unsigned long long)lines,
                              (unsigned long long)line, address)),
             table_of(lines, line, line * 8 + bits));
    add_policy(t, "coalesced_policy", t->clusters, lines, bits);
}

/* Input buffers of one network, or those at the end of its ways. */
static void add_network_buffers(struct tally *t, const struct graph *g, const char *which)
{
    const struct router_spec *r = config_get(t->cfg, &router_section);
    uint32_t width = fabric_flit_bytes(t->cfg, g);
    struct count n = {0};
    count_add(&n, g, 1);
    if (n.ends > 0)
        add(t, arena_printf(t->a, "%sejection_buffers", which), n.ends,
            (uint64_t)g->tokens->slots * width * 8,
            arena_printf(t->a, "%u flits x %u B", g->tokens->slots, width));
    if (n.buffers > 0 || n.ends == 0)
        add(t, arena_printf(t->a, "%snetwork_buffers", which), n.buffers,
            (uint64_t)(r->vcs * r->depth) * width * 8,
            arena_printf(t->a, "per input port %lld x %lld flits x %u B", (long long)r->vcs,
                         (long long)r->depth, width));
}

static void add_buffers(struct tally *t, const struct fabric *g)
{
    for (int i = 0; i < g->n; i++)
        add_network_buffers(t, g->graph[i], g->n == 1 ? "" : i == 0 ? "request_" : "reply_");
}

static void add_l2(struct tally *t)
{
    const struct l1_spec *l1 = config_get(t->cfg, &l1_section);
    const struct l2_spec *l2 = config_get(t->cfg, &l2_section);
    uint32_t request = bits_for(t->sms) + bits_for((uint64_t)l1->requests);
    if (!l2->enabled)
        return;
    add_cache(t, t->slices,
              &(struct cache){"l2", "l2_mshrs", "l2_policy", l2->size, LINE_BYTES, l2->ways,
                              l2->mshrs, l2->merges, request, COST_SECTOR_BITS, (uint32_t)l2->banks,
                              l2->replacement});
}

/* What names a row of the memory of the machine: the address less columns and bytes in them. */
static uint64_t row_bits(const struct config *cfg)
{
    const struct map_spec *map = config_get(cfg, &map_section);
    uint64_t bits = COST_ADDRESS_BITS;
    for (const char *c = map->order; *c; c++)
        bits -= *c == 'C' || *c == 'S';
    return bits;
}

/* Tables of packet-coalescing routers: entries that are found by their row, with a deadline and the
 * header of a big packet; the flits of those, in lists; and the VCs of the ports by which they leave. */
static void add_coalescing(struct tally *t, const struct fabric *g)
{
    const struct router_spec *r = config_get(t->cfg, &router_section);
    const struct graph *graph = g->graph[0];
    if (!coalesce_is_on(t->cfg, g->name[0]) || graph->ideal_latency || graph->tokens)
        return;
    const struct coalesce_spec *s = config_get(t->cfg, &coalesce_section);
    uint64_t entries = (uint64_t)s->entries, flits = (uint64_t)s->buffer, row = row_bits(t->cfg);
    uint64_t number = bits_for(flits), vcs = (uint64_t)(r->vcs * r->depth);
    uint64_t entry = COST_DEADLINE_BITS + COST_SLACK_BITS + bits_for((uint64_t)s->most + 1) +
                     2 * number; /* first and last flit */
    uint32_t width = fabric_flit_bytes(t->cfg, graph);
    struct power_array_spec table = table_of(entries, LINE_BYTES, entry);
    table.tag_bits = (uint32_t)row;
    is_array(add(t, "coalescing_table", graph->nrouters, entries * (row + entry),
                 arena_printf(t->a, "%llu x (%llu + %llu bits)", (unsigned long long)entries,
                              (unsigned long long)row, (unsigned long long)entry)),
             table);
    is_array(add(t, "coalescing_buffer", graph->nrouters, flits * (width * 8 + number),
                 arena_printf(t->a, "%llu flits x (%u B + %llu bits)", (unsigned long long)flits,
                              width, (unsigned long long)number)),
             ram_of(flits * width, width * 8, 1));
    is_array(add(t, "coalescing_ports",
                 s->ports ? graph->nrouters * (uint64_t)s->ports : graph->nins, vcs * width * 8,
                 arena_printf(t->a, "%lld x %lld flits x %u B", (long long)r->vcs,
                              (long long)r->depth, width)),
             ram_of(vcs * width, width * 8, 1));
}

/* --- prices ----------------------------------------------------------------------------------- */

static bool price_arrays(const struct tally *t, struct err *e)
{
    const struct power_spec *p = config_get(t->cfg, &power_section);
    for (int i = 0; i < t->c->nrows; i++) {
        struct cost_row *r = &t->c->row[i];
        r->spec.node = (uint32_t)strtoul(p->node, NULL, 10);
        if (r->is_array && !power_array(&r->spec, &r->array, e))
            return false;
    }
    return true;
}

static bool price_networks(const struct tally *t, const struct fabric *g, struct err *e)
{
    const struct power_spec *p = config_get(t->cfg, &power_section);
    const struct noc_spec *noc = config_get(t->cfg, &noc_section);
    t->c->nnetworks = g->n;
    for (int i = 0; i < g->n; i++) {
        struct cost_network *n = &t->c->network[i];
        n->name = g->name[i];
        if (!netcost_of(t->cfg, g->graph[i], n->name, t->a, &n->cost, e))
            return false;
        netcost_power(&n->cost, noc->clock, p->load, n->power);
        n->bisection = bisection_of(g->graph[i], (uint64_t)noc->width, t->a);
    }
    return true;
}

bool cost_memories(const struct config *cfg, const struct fabric *g, struct arena *a,
                   struct cost *c, struct err *e)
{
    struct tally t = tally_of(cfg, a, c);
    add_sms(&t);
    add_clusters(&t);
    add_coalescing(&t, g);
    add_l2(&t);
    return price_arrays(&t, e);
}

bool cost_of(const struct config *cfg, struct arena *a, struct cost *c, struct err *e)
{
    struct machine *m = machine_new(cfg, &(struct machine_options){0}, e);
    if (!m)
        return false;
    struct tally t = tally_of(cfg, a, c);
    add_sms(&t);
    add_clusters(&t);
    add_buffers(&t, &m->graphs);
    add_coalescing(&t, &m->graphs);
    add_l2(&t);
    bool ok = price_arrays(&t, e) && price_networks(&t, &m->graphs, e);
    machine_free(m);
    return ok;
}

bool cost_of_network(const struct config *cfg, struct arena *a, struct cost *c, struct err *e)
{
    struct fabric g;
    struct tally t = {.c = c, .a = a, .cfg = cfg};
    *c = (struct cost){0};
    if (!fabric_of(cfg, a, &g, e))
        return false;
    add_buffers(&t, &g);
    return price_networks(&t, &g, e);
}

const struct cost_row *cost_find(const struct cost *c, const char *name)
{
    for (int i = 0; i < c->nrows; i++)
        if (strcmp(c->row[i].name, name) == 0)
            return &c->row[i];
    return NULL;
}
