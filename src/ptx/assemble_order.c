/* assemble_order.c - the order of instructions within a block, as an assembler might choose it to hide
 * latency: whichever can issue first, and of those the one that most depends on.
 *
 * What has a payload in the stream keeps its order, and so do branches and barriers: a load moves ahead
 * of arithmetic, never of another access.  An instruction looks as far as WINDOW ahead, so that the values
 * that live at once do not become too many. */
#include "ptx/assemble.h"
#include "ptx/pressure.h"

enum { LONGEST_BLOCK = 8192, MOST_REFS = ASM_DEFS + 2 * ASM_SRCS, WINDOW = 64 };
#define NONE UINT32_MAX

struct edge {
    uint32_t to, next; /* next: + 1 */
    uint32_t latency;
};

struct node {
    uint32_t first;   /* edge to a successor, + 1 */
    uint32_t npreds;  /* not yet issued */
    uint32_t ready;   /* the cycle at which its operands are there */
    uint32_t height;  /* cycles from here to the end of the block */
    uint16_t latency; /* until its results can be used */
};

struct ordering {
    struct lower *lo;
    struct arena *arena;
    struct low_insn *insns; /* of the block */
    uint32_t n;
    struct node *node;
    struct edge *edges;
    uint32_t nedges, edge_room;
    uint32_t *writer,
        *readers;       /* by register: last node that wrote it, + 1; list of readers since */
    struct edge *reads; /* the lists; `to` is the reader */
    uint32_t nreads, read_room;
};

static uint16_t latency_of(const struct low_insn *i)
{
    if (i->flags & INSN_MEM && i->flags & (INSN_LOAD | INSN_ATOMIC))
        return i->space == STREAM_SHARED || i->space == STREAM_CONST ? CYCLES_NEAR : CYCLES_FAR;
    return i->unit == UNIT_SFU    ? CYCLES_SPECIAL
           : i->unit == UNIT_FP64 ? CYCLES_DOUBLE
                                  : CYCLES_ARITHMETIC;
}

static void depend(struct ordering *o, uint32_t from, uint32_t to, uint32_t latency)
{
    if (from == to)
        return;
    *LOW_PUSH(o->lo, o->edges, o->nedges, o->edge_room) =
        (struct edge){to, o->node[from].first, latency};
    o->node[from].first = o->nedges;
    o->node[to].npreds++;
}

/* --- who waits for whom ------------------------------------------------------------------------- */

static void read(struct ordering *o, uint32_t k, low_ref r)
{
    if (!asm_is_register(r))
        return;
    uint32_t v = r & REF_INDEX;
    if (o->writer[v])
        depend(o, o->writer[v] - 1, k, o->node[o->writer[v] - 1].latency);
    *LOW_PUSH(o->lo, o->reads, o->nreads, o->read_room) = (struct edge){k, o->readers[v], 0};
    o->readers[v] = o->nreads;
}

static void write(struct ordering *o, uint32_t k, low_ref r)
{
    if (!asm_is_register(r))
        return;
    uint32_t v = r & REF_INDEX;
    if (o->writer[v])
        depend(o, o->writer[v] - 1, k, 1);
    for (uint32_t e = o->readers[v]; e; e = o->reads[e - 1].next)
        depend(o, o->reads[e - 1].to, k, 0);
    o->readers[v] = 0;
    o->writer[v] = k + 1;
}

/* Every use of the instruction's registers. */
static void each(struct ordering *o, uint32_t k,
                 void (*is_read)(struct ordering *, uint32_t, low_ref),
                 void (*is_written)(struct ordering *, uint32_t, low_ref))
{
    const struct low_insn *i = &o->insns[k];
    is_read(o, k, i->guard);
    for (int s = 0; s < 4; s++)
        is_read(o, k, i->src[s]);
    for (uint32_t s = i->ndst_extra; s < i->nextra; s++)
        is_read(o, k, i->extra[s]);
    if (i->carries || i->guard != REF_NONE) /* what was there before matters */
        is_read(o, k, i->dst);
    is_written(o, k, i->dst);
    is_written(o, k, i->dst2);
    for (uint32_t d = 0; d < i->ndst_extra; d++)
        is_written(o, k, i->extra[d]);
}

static void forget(struct ordering *o, uint32_t k, low_ref r)
{
    (void)k;
    if (asm_is_register(r))
        o->writer[r & REF_INDEX] = o->readers[r & REF_INDEX] = 0;
}

static bool keeps_its_turn(const struct low_insn *i)
{
    return i->flags & (INSN_MEM | INSN_BAR | INSN_FENCE) || i->guard != REF_NONE ||
           i->unit == UNIT_CONTROL || i->unit == UNIT_NONE;
}

static void find_dependences(struct ordering *o)
{
    uint32_t last = NONE;
    for (uint32_t k = 0; k < o->n; k++) {
        o->node[k] = (struct node){.latency = latency_of(&o->insns[k])};
        each(o, k, read, write);
        if (!keeps_its_turn(&o->insns[k]))
            continue;
        if (last != NONE)
            depend(o, last, k, 1);
        last = k;
    }
    bool ends = o->insns[o->n - 1].end != NOT_AN_END;
    for (uint32_t k = 0; ends && k + 1 < o->n; k++)
        depend(o, k, o->n - 1, 0);
    for (uint32_t k = o->n; k-- > 0;) {
        o->node[k].height = o->node[k].latency;
        for (uint32_t e = o->node[k].first; e; e = o->edges[e - 1].next) {
            uint32_t below = o->edges[e - 1].latency + o->node[o->edges[e - 1].to].height;
            if (below > o->node[k].height)
                o->node[k].height = below;
        }
    }
    for (uint32_t k = 0; k < o->n; k++)
        each(o, k, forget, forget);
}

/* --- the order ---------------------------------------------------------------------------------- */

/* Of those that nobody holds up, among the next few in the order of the text. */
static uint32_t choose(const struct ordering *o, const uint8_t *is_done, uint32_t first,
                       uint32_t now)
{
    uint32_t best = NONE;
    for (uint32_t k = first; k < o->n && k < first + WINDOW; k++) {
        const struct node *x = &o->node[k], *y = best == NONE ? NULL : &o->node[best];
        if (is_done[k] || x->npreds)
            continue;
        uint32_t at = x->ready > now ? x->ready : now;
        uint32_t best_at = y && y->ready > now ? y->ready : now;
        if (!y || at < best_at || (at == best_at && x->height > y->height))
            best = k;
    }
    return best;
}

static void issue(struct ordering *o, uint32_t k, uint32_t now)
{
    for (uint32_t e = o->node[k].first; e; e = o->edges[e - 1].next) {
        struct node *to = &o->node[o->edges[e - 1].to];
        uint32_t at = now + o->edges[e - 1].latency;
        to->npreds--;
        to->ready = at > to->ready ? at : to->ready;
    }
}

static void order_block(struct ordering *o)
{
    struct low_insn *sorted = ARENA_ARRAY(o->arena, struct low_insn, o->n);
    uint8_t *is_done = ARENA_ARRAY(o->arena, uint8_t, o->n);
    uint32_t first = 0, now = 0;
    find_dependences(o);
    for (uint32_t n = 0; n < o->n; n++, now++) {
        uint32_t k = choose(o, is_done, first, now);
        HD_ASSERT(k != NONE, "%u instructions wait for each other", o->n - n);
        now = o->node[k].ready > now ? o->node[k].ready : now;
        is_done[k] = 1;
        sorted[n] = o->insns[k];
        issue(o, k, now);
        while (first < o->n && is_done[first])
            first++;
    }
    memcpy(o->insns, sorted, o->n * sizeof *sorted);
}

void asm_order(struct lower *lo, struct arena *a)
{
    uint32_t *writer = ARENA_ARRAY(a, uint32_t, lo->nvregs + 1),
             *readers = ARENA_ARRAY(a, uint32_t, lo->nvregs + 1);
    for (uint32_t b = 0; b < lo->nblocks; b++) {
        const struct block *block = &lo->blocks[b];
        if (block->count < 2 || block->count > LONGEST_BLOCK)
            continue;
        struct ordering o = {.lo = lo,
                             .arena = a,
                             .insns = lo->insns + block->first,
                             .n = block->count,
                             .node = ARENA_ARRAY(a, struct node, block->count),
                             .writer = writer,
                             .readers = readers};
        order_block(&o);
    }
}
