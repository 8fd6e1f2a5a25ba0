/* cost.c - storage of a machine, from its parameters and the graphs of its networks.
 *
 * After section 6.4 of the ICC paper: addresses of 48 bits, so that a line of 128 bytes is named by
 * 41; tags and lists are counted to the bit.  Not counted, as there: valid, dirty and replacement
 * bits; and queues and pipeline registers, instruction caches, what memory controllers hold.  Area
 * and power are not derived from these numbers. */
#include "machine/cost.h"

#include <string.h>

#include "cluster/icc.h"
#include "machine/machine_priv.h"
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

struct tally {
    struct cost *c;
    struct arena *a;
    const struct machine *m;
};

static void add(struct tally *t, const char *name, uint64_t units, uint64_t bits,
                const char *made_of)
{
    struct cost *c = t->c;
    HD_ASSERT(c->nrows < COST_ROWS, "more than %d rows", COST_ROWS);
    struct cost_row r = {name, made_of, units, (bits + 7) / 8};
    c->row[c->nrows++] = r;
    c->total += r.units * r.bytes;
}

struct cache { /* and its MSHRs */
    const char *name, *mshrs_name;
    int64_t size, line, ways, mshrs, merges;
    uint32_t waiter_bits;
};

static void add_cache(struct tally *t, uint64_t units, const struct cache *s)
{
    uint64_t size = (uint64_t)s->size, line = (uint64_t)s->line, ways = (uint64_t)s->ways;
    const char *cache =
        arena_printf(t->a, "%llu lines x (%llu B + %llu bits)", (unsigned long long)(size / line),
                     (unsigned long long)line, (unsigned long long)tag_bits(size, line, ways));
    const char *mshrs =
        arena_printf(t->a, "%lld x (%llu + %lld x %u bits)", (long long)s->mshrs,
                     (unsigned long long)line_bits(line), (long long)s->merges, s->waiter_bits);
    add(t, s->name, units, cost_cache_bits(size, line, ways), cache);
    add(t, s->mshrs_name, units,
        cost_mshr_bits((uint64_t)s->mshrs, line, (uint64_t)s->merges * s->waiter_bits), mshrs);
}

static void add_sms(struct tally *t)
{
    const struct config *cfg = t->m->cfg;
    const struct sm_spec *sm = config_get(cfg, &sm_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *x = config_get(cfg, &texture_section);
    uint64_t n = t->m->nsms;
    uint32_t load = bits_for((uint64_t)l1->pending); /* who waits is one of these */
    add(t, "register_file", n, (uint64_t)sm->registers * 32,
        arena_printf(t->a, "%lld x 32 bits", (long long)sm->registers));
    add(t, "shared_memory", n, (uint64_t)sm->shared * 8, "data");
    add_cache(t, n,
              &(struct cache){"l1", "l1_mshrs", l1->size, LINE_BYTES, l1->ways, l1->mshrs,
                              l1->merges, load});
    add_cache(t, n,
              &(struct cache){"constant_cache", "constant_mshrs", k->size, k->line, k->ways,
                              k->mshrs, k->merges, load});
    add_cache(t, n,
              &(struct cache){"texture_cache", "texture_mshrs", x->size, LINE_BYTES, x->ways,
                              x->mshrs, x->merges, load});
}

static void add_clusters(struct tally *t)
{
    const struct icc_spec *icc = config_get(t->m->cfg, &icc_section);
    uint64_t sms = (uint64_t)t->m->gpu->sms_per_cluster, line = LINE_BYTES;
    uint64_t entries = icc->enabled ? (uint64_t)icc->entries : 0;
    uint64_t lines = icc->enabled ? (uint64_t)icc->cc_lines : 0;
    unsigned long long address = line_bits(line);
    add(t, "merge_table", entries ? t->m->nclusters : 0, cost_merge_bits(entries, line, sms),
        arena_printf(t->a, "%llu x (%llu + %llu bits)", (unsigned long long)entries, address,
                     (unsigned long long)sms));
    add(t, "coalesced_cache", lines ? t->m->nclusters : 0,
        lines ? cost_cache_bits(lines * line, line, lines) : 0,
        arena_printf(t->a, "%llu lines x (%llu B + %llu bits)", (unsigned long long)lines,
                     (unsigned long long)line, address));
}

static void add_networks(struct tally *t)
{
    const struct noc_spec *noc = config_get(t->m->cfg, &noc_section);
    const struct router_spec *r = config_get(t->m->cfg, &router_section);
    const char *made_of =
        arena_printf(t->a, "per input port %lld x %lld flits x %lld B", (long long)r->vcs,
                     (long long)r->depth, (long long)noc->width);
    for (int i = 0; i < t->m->graphs.n; i++) {
        struct count n = {0};
        count_add(&n, t->m->graphs.graph[i], 1);
        const char *name = t->m->graphs.n == 1 ? "network_buffers"
                           : i == 0            ? "request_network_buffers"
                                               : "reply_network_buffers";
        add(t, name, n.buffers, (uint64_t)(r->vcs * r->depth * noc->width) * 8, made_of);
    }
}

static void add_l2(struct tally *t)
{
    const struct l1_spec *l1 = config_get(t->m->cfg, &l1_section);
    const struct l2_spec *l2 = config_get(t->m->cfg, &l2_section);
    uint32_t request = bits_for(t->m->nsms) + bits_for((uint64_t)l1->requests);
    add_cache(t, t->m->nslices,
              &(struct cache){"l2", "l2_mshrs", l2->size, LINE_BYTES, l2->ways, l2->mshrs,
                              l2->merges, request});
}

bool cost_of(const struct config *cfg, struct arena *a, struct cost *c, struct err *e)
{
    struct machine *m = machine_new(cfg, &(struct machine_options){0}, e);
    if (!m)
        return false;
    *c = (struct cost){0};
    struct tally t = {c, a, m};
    add_sms(&t);
    add_clusters(&t);
    add_networks(&t);
    add_l2(&t);
    machine_free(m);
    return true;
}

const struct cost_row *cost_find(const struct cost *c, const char *name)
{
    for (int i = 0; i < c->nrows; i++)
        if (strcmp(c->row[i].name, name) == 0)
            return &c->row[i];
    return NULL;
}
