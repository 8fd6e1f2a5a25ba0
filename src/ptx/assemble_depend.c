/* assemble_depend.c - which instructions of a run must stay behind which others, and for how long.
 *
 * Registers: what is read was written before; what is written was read, and written, before.  Memory:
 * stores stay in their order; a load and a store keep theirs unless they are in different spaces, or have
 * the same base and other offsets, or the load is of what nobody writes; atomics, fences and
 * volatile accesses keep their place among all accesses but loads of what nobody writes. */
#include "ptx/assemble_schedule.h"
#include "ptx/pressure.h"

/* What is known of a register on the way through a run. */
struct asm_last {
    uint32_t writer;  /* + 1 */
    uint32_t readers; /* since: first of a list, + 1 */
    uint32_t writes;
};

struct asm_reader {
    uint32_t insn, next;
};

/* An access on the way through a run. */
struct asm_access {
    uint32_t insn;
    uint8_t space;
    bool is_store, is_fence, is_generic;
    low_ref base;    /* register or constant; REF_NONE: none */
    uint32_t writes; /* of the base until then: the same number, the same value */
    int64_t from, to;
};

static void add_edge(struct asm_graph *g, uint32_t from, uint32_t to, uint32_t cycles, bool is_data)
{
    if (g->nedges == g->edge_room) {
        uint32_t room = g->edge_room ? 2 * g->edge_room : 256;
        struct asm_edge *more = ARENA_ARRAY(g->arena, struct asm_edge, room);
        if (g->nedges)
            memcpy(more, g->edge, g->nedges * sizeof *more);
        g->edge = more;
        g->edge_room = room;
    }
    g->edge[g->nedges] = (struct asm_edge){to, g->node[from].first_out, (uint16_t)cycles, is_data};
    g->node[from].first_out = ++g->nedges;
    g->node[to].waits_for++;
}

/* Cycles until a result can be used. */
static uint32_t latency(const struct low_insn *i)
{
    if (i->unit == UNIT_MEM)
        return i->space == STREAM_SHARED || i->space == STREAM_CONST ? CYCLES_NEAR : CYCLES_FAR;
    if (i->opclass == OPCLASS_SHUFFLE)
        return CYCLES_NEAR;
    if (i->unit == UNIT_SFU)
        return CYCLES_SPECIAL;
    return i->unit == UNIT_FP64 ? CYCLES_DOUBLE : CYCLES_ARITHMETIC;
}

/* --- registers --------------------------------------------------------------------------------- */

static void order_registers(struct asm_graph *g, uint32_t k)
{
    uint32_t use[ASM_REFS], def[ASM_REFS];
    uint32_t nuse = asm_uses(&g->insns[k], use), ndef = asm_definitions(&g->insns[k], def);
    for (uint32_t u = 0; u < nuse; u++) {
        uint32_t writer = g->last[use[u]].writer;
        if (writer)
            add_edge(g, writer - 1, k, latency(&g->insns[writer - 1]), true);
    }
    for (uint32_t d = 0; d < ndef; d++) {
        struct asm_last *last = &g->last[def[d]];
        if (last->writer)
            add_edge(g, last->writer - 1, k, latency(&g->insns[last->writer - 1]), true);
        for (uint32_t x = last->readers; x; x = g->readers[x - 1].next)
            if (g->readers[x - 1].insn != k)
                add_edge(g, g->readers[x - 1].insn, k, 0, false);
    }
    for (uint32_t u = 0; u < nuse; u++) {
        g->readers[g->nreaders] = (struct asm_reader){k, g->last[use[u]].readers};
        g->last[use[u]].readers = ++g->nreaders;
    }
    for (uint32_t d = 0; d < ndef; d++) {
        struct asm_last *last = &g->last[def[d]];
        *last = (struct asm_last){.writer = k + 1, .writes = last->writes + 1};
    }
}

/* --- memory ------------------------------------------------------------------------------------ */

static bool is_read_only(const struct low_insn *i)
{
    return i->flags & INSN_LOAD && !(i->flags & INSN_ATOMIC) &&
           (i->opclass == OPCLASS_TEX || opname_has(i->op, "nc") ||
            (!(i->flags & INSN_MULTI) && (i->space == STREAM_CONST || i->space == STREAM_PARAM)));
}

static bool is_ordered(const struct low_insn *i)
{
    static const char *const words[] = {"volatile", "relaxed", "acquire",
                                        "release",  "acq_rel", "mmio"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (opname_has(i->op, words[k]))
            return true;
    return i->flags & (INSN_ATOMIC | INSN_FENCE) || !(i->flags & (INSN_LOAD | INSN_STORE));
}

static struct asm_access access_of(const struct asm_graph *g, uint32_t k)
{
    const struct low_insn *i = &g->insns[k];
    const struct asm_insn *from = g->from[k];
    HD_ASSERT(from, "%s accesses memory and came from nothing", i->op);
    struct asm_access x = {.insn = k,
                           .space = i->space,
                           .is_store = i->flags & INSN_STORE,
                           .is_fence = is_ordered(i),
                           .is_generic = i->flags & INSN_MULTI,
                           .base = from->src[0],
                           .from = from->offset,
                           .to = from->offset + i->size};
    if (asm_is_register(x.base)) { /* sources come in their order */
        x.base = i->src[0];
        x.writes = g->last[x.base & REF_INDEX].writes;
    }
    return x;
}

static bool are_apart(const struct assembler *a, const struct asm_access *x,
                      const struct asm_access *y)
{
    if (x->is_generic || y->is_generic)
        return false;
    if (x->space != y->space)
        return true;
    int64_t apart = 0;
    if (asm_is_const(x->base) && asm_is_const(y->base) && x->base != y->base) {
        const struct code_const *p = asm_const(a, x->base), *q = asm_const(a, y->base);
        if (p->kind != CONST_BITS || q->kind != CONST_BITS)
            return false;
        apart = (int64_t)(q->bits - p->bits);
    } else if (x->base != y->base || x->writes != y->writes) {
        return false;
    }
    return x->to <= y->from + apart || y->to + apart <= x->from;
}

static bool must_wait(const struct assembler *a, const struct asm_access *later,
                      const struct asm_access *before)
{
    if (later->is_fence || before->is_fence)
        return true;
    if (later->is_store && before->is_store)
        return true;
    return (later->is_store || before->is_store) && !are_apart(a, later, before);
}

static void order_memory(const struct assembler *a, struct asm_graph *g, uint32_t k)
{
    if (!(g->insns[k].flags & INSN_MEM) || g->insns[k].unit == UNIT_NONE ||
        is_read_only(&g->insns[k]))
        return;
    struct asm_access *x = &g->accesses[g->naccesses++];
    *x = access_of(g, k);
    for (struct asm_access *p = x; p-- > g->accesses;) {
        if (must_wait(a, x, p))
            add_edge(g, p->insn, k, 1, false);
        if (p->is_fence)
            break; /* what was before it is ordered by it */
    }
}

/* --- all --------------------------------------------------------------------------------------- */

static void measure_heights(struct asm_graph *g)
{
    for (uint32_t k = g->n; k-- > 0;) {
        struct asm_node *n = &g->node[k];
        n->feeds_load = g->insns[k].unit == UNIT_MEM && g->insns[k].flags & INSN_LOAD;
        n->height = latency(&g->insns[k]);
        for (uint32_t x = n->first_out; x; x = g->edge[x - 1].next) {
            const struct asm_edge *e = &g->edge[x - 1];
            const struct asm_node *to = &g->node[e->to];
            if (to->height + e->cycles > n->height)
                n->height = to->height + e->cycles;
            n->feeds_load |= e->is_data && to->feeds_load;
        }
    }
}

static void forget(struct asm_graph *g)
{
    uint32_t list[ASM_REFS];
    for (uint32_t k = 0; k < g->n; k++) {
        uint32_t n = asm_uses(&g->insns[k], list);
        n += asm_definitions(&g->insns[k], list + n);
        for (uint32_t r = 0; r < n; r++)
            g->last[list[r]] = (struct asm_last){0};
    }
}

struct asm_last *asm_last_new(struct arena *arena, uint32_t nvregs)
{
    return ARENA_ARRAY(arena, struct asm_last, nvregs);
}

/* Room for the nodes, accesses and readers of a run, kept for the next one. */
static void make_room(struct asm_graph *g)
{
    uint32_t use[ASM_REFS], nuses = 0;
    for (uint32_t k = 0; k < g->n; k++)
        nuses += asm_uses(&g->insns[k], use);
    if (g->n > g->room) {
        g->room = 2 * g->n;
        g->node = ARENA_ARRAY(g->arena, struct asm_node, g->room);
        g->accesses = ARENA_ARRAY(g->arena, struct asm_access, g->room);
    }
    if (nuses > g->reader_room) {
        g->reader_room = 2 * nuses;
        g->readers = ARENA_ARRAY(g->arena, struct asm_reader, g->reader_room);
    }
    memset(g->node, 0, g->n * sizeof *g->node);
    g->nedges = g->nreaders = g->naccesses = 0;
}

void asm_depend(const struct assembler *a, struct asm_graph *g)
{
    make_room(g);
    for (uint32_t k = 0; k < g->n; k++) {
        order_memory(a, g, k);
        order_registers(g, k);
    }
    measure_heights(g);
    forget(g);
}
