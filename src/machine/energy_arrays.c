/* energy_arrays.c - memories in the structural bill: the arrays of cost.c, at power.node.
 *
 * A cache looks its tags up for every access and moves data by the width of its port: the L1 a
 * line, L2 and texture cache a sector, the constant cache a word.  A cycle of shared memory reads a
 * word of every bank; lanes pay for a register by what they use of the warp's.  Leakage of what is
 * in an SM is in its static power, which was measured as a whole (energy_structural.c).  Not
 * modelled: MSHRs, queues, what merged accesses read beside the fill that they waited for. */
#include "machine/energy_arrays.h"

#include <string.h>

#include "l1/lsu.h"
#include "l2/slice.h"
#include "machine/cost.h"

#define SOURCE "power/array (checked against CACTI 7)"

enum { LANES = COST_WARP_BITS / 32 };

struct arrays {
    struct energy_builder *b;
    struct cost cost;
};

static void add(const struct arrays *x, struct energy_item line)
{
    line.source = SOURCE;
    energy_add(x->b, &line);
}

static void add_leak(const struct arrays *x, const struct cost_row *r, enum energy_part part)
{
    if (x->b->is_leakage_measured)
        return;
    add(x, (struct energy_item){.name = arena_printf(x->b->arena, "%s_leakage", r->name),
                                .part = part,
                                .unit = "s",
                                .counts = "seconds",
                                .each = (double)r->units * r->array.leak,
                                .is_static = true});
}

/* ---- set-associative caches ------------------------------------------------------------------ */

struct cache {
    const char *name; /* of its row of cost.h */
    enum energy_part part;
    const char *unit;                     /* that goes through the port */
    const char *lookups, *reads, *writes; /* accesses; units */
};

static void add_cache(const struct arrays *x, const struct cache *c)
{
    const struct cost_row *r = cost_find(&x->cost, c->name);
    const struct power_array *a = &r->array;
    struct arena *m = x->b->arena;
    if (!r->is_array)
        return;
    add(x, (struct energy_item){.name = arena_printf(m, "%s_tags", c->name),
                                .part = c->part,
                                .unit = "access",
                                .counts = c->lookups,
                                .each = a->match});
    add(x, (struct energy_item){.name = arena_printf(m, "%s_read", c->name),
                                .part = c->part,
                                .unit = c->unit,
                                .counts = c->reads,
                                .each = a->read > a->match ? a->read - a->match : 0});
    add(x, (struct energy_item){.name = arena_printf(m, "%s_write", c->name),
                                .part = c->part,
                                .unit = c->unit,
                                .counts = c->writes,
                                .each = a->write > a->match ? a->write - a->match : 0});
}

static void add_l1(const struct arrays *x)
{
    const struct l1_spec *l1 = config_get(x->b->cfg, &l1_section);
    /* Else a store evicts the line that it hits. */
    bool updates = strcmp(l1->write_hit, "update") == 0;
    bool allocates = l1->enabled && strcmp(l1->write_miss, "allocate") == 0;
    add_cache(x, &(struct cache){
                     .name = "l1",
                     .part = ENERGY_L1,
                     .unit = "line",
                     .lookups =
                         arena_printf(x->b->arena,
                                      "l1.global.accesses - l1.global.passes + l1.local.accesses + "
                                      "l1.local_store_hits + l1.local_store_misses%s",
                                      l1->enabled ? " + l1.store_accesses" : ""),
                     .reads = "l1.global.hits + l1.local.hits + l1.write_backs",
                     .writes = arena_printf(
                         x->b->arena,
                         "l1.fills - l1.unkept + l1.local_store_hits + l1.local_store_misses%s%s",
                         updates ? " + l1.store_hits" : "", allocates ? " + l1.store_lines" : "")});
}

static void add_other_caches(const struct arrays *x)
{
    const struct constant_spec *k = config_get(x->b->cfg, &constant_section);
    const struct texture_spec *t = config_get(x->b->cfg, &texture_section);
    long long words = k->line * 8 / COST_WORD_BITS, sectors = t->line * 8 / COST_SECTOR_BITS;
    add_cache(x, &(struct cache){.name = "constant_cache",
                                 .part = ENERGY_L1,
                                 .unit = "word",
                                 .lookups = "const.accesses",
                                 .reads = "const.hits",
                                 .writes = arena_printf(x->b->arena,
                                                        "%lld const.fills - %lld const.unkept",
                                                        words, words)});
    add_cache(
        x, &(struct cache){.name = "texture_cache",
                           .part = ENERGY_L1,
                           .unit = "sector",
                           .lookups = "tex.accesses",
                           .reads = arena_printf(x->b->arena, "%lld tex.hits", sectors),
                           .writes = arena_printf(x->b->arena, "%lld tex.fills - %lld tex.unkept",
                                                  sectors, sectors)});
}

static void add_l2(const struct arrays *x)
{
    const struct l2_spec *l2 = config_get(x->b->cfg, &l2_section);
    if (!l2->enabled)
        return;
    bool passes = l2->write_through && !l2->write_fetch; /* a write miss takes no line */
    add_cache(x, &(struct cache){.name = "l2",
                                 .part = ENERGY_L2,
                                 .unit = "sector",
                                 .lookups = "l2.accesses",
                                 .reads = "l2.sectors_read + l2.writeback_sectors",
                                 .writes = passes ? "l2.sectors_written - l2.past_sectors + "
                                                    "l2.fetched_sectors"
                                                  : "l2.sectors_written + l2.fetched_sectors"});
    add_leak(x, cost_find(&x->cost, "l2"), ENERGY_L2);
}

/* ---- plain memories -------------------------------------------------------------------------- */

static void add_plain(const struct arrays *x)
{
    const struct shared_spec *s = config_get(x->b->cfg, &shared_section);
    const struct power_array *registers = &cost_find(&x->cost, "register_file")->array;
    add(x, (struct energy_item){.name = "register_read",
                                .part = ENERGY_SM,
                                .unit = "operand",
                                .counts = "sm.register_reads",
                                .each = registers->read / LANES});
    add(x, (struct energy_item){.name = "register_write",
                                .part = ENERGY_SM,
                                .unit = "operand",
                                .counts = "sm.register_writes",
                                .each = registers->write / LANES});
    add(x, (struct energy_item){.name = "shared_memory",
                                .part = ENERGY_L1,
                                .unit = "cycle",
                                .counts = "shared.cycles",
                                .each = (double)s->banks *
                                        cost_find(&x->cost, "shared_memory")->array.read});
}

/* ---- intra-cluster coalescing ---------------------------------------------------------------- */

struct table {
    const char *name;
    const char *reads, *writes;
};

static void add_table(const struct arrays *x, const struct table *t)
{
    const struct cost_row *r = cost_find(&x->cost, t->name);
    struct arena *m = x->b->arena;
    if (!r->is_array)
        return;
    add(x, (struct energy_item){.name = arena_printf(m, "%s_search", t->name),
                                .part = ENERGY_OTHER,
                                .unit = "request",
                                .counts = "icc.lookups",
                                .each = r->array.match});
    add(x, (struct energy_item){.name = arena_printf(m, "%s_read", t->name),
                                .part = ENERGY_OTHER,
                                .unit = "request",
                                .counts = t->reads,
                                .each = r->array.read});
    add(x, (struct energy_item){.name = arena_printf(m, "%s_write", t->name),
                                .part = ENERGY_OTHER,
                                .unit = "request",
                                .counts = t->writes,
                                .each = r->array.write});
    add_leak(x, r, ENERGY_OTHER);
}

/* ---- packet-coalescing routers --------------------------------------------------------------- */

static void add_counted(const struct arrays *x, const char *array, const char *use,
                        const char *counts, double each)
{
    struct arena *m = x->b->arena;
    const char *unit = strcmp(use, "search") == 0 ? "packet" : "flit";
    add(x, (struct energy_item){
               .name = arena_printf(m, "%s_%s", array, use),
               .part = ENERGY_OTHER,
               .unit = unit,
               .counts = arena_printf(m, "%s.extension.%s", x->b->graphs->name[0], counts),
               .each = each});
}

/* A packet is looked for, once; its flits go into the buffer, from there into a VC of a port, and out. */
static void add_coalescing(const struct arrays *x)
{
    const struct cost_row *table = cost_find(&x->cost, "coalescing_table");
    if (!table)
        return;
    add_counted(x, "coalescing_table", "search", "lookups", table->array.match);
    add_leak(x, table, ENERGY_OTHER);
    static const char *const stores[] = {"coalescing_buffer", "coalescing_ports"};
    for (int i = 0; i < 2; i++) {
        const struct cost_row *r = cost_find(&x->cost, stores[i]);
        add_counted(x, r->name, "write", "stored_flits", r->array.write);
        add_counted(x, r->name, "read", "stored_flits", r->array.read);
        add_leak(x, r, ENERGY_OTHER);
    }
}

bool energy_arrays_add(struct energy_builder *b, struct err *e)
{
    struct arrays x = {.b = b};
    if (!cost_memories(b->cfg, b->graphs, b->arena, &x.cost, e))
        return false;
    add_plain(&x);
    add_l1(&x);
    add_other_caches(&x);
    add_l2(&x);
    add_table(&x, &(struct table){.name = "merge_table",
                                  .reads = "icc.allocations",
                                  .writes = "icc.allocations + icc.merges"});
    add_table(&x, &(struct table){
                      .name = "coalesced_cache", .reads = "icc.cc_hits", .writes = "icc.cc_fills"});
    add_coalescing(&x);
    return true;
}
