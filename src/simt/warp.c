/* warp.c - a warp of lanes under one program counter: blocks, divergence, calls.
 *
 * The stack of paths follows the scheme of Fung et al., "Dynamic Warp Formation and Scheduling"
 * (MICRO 2007, section 2): lanes that part at a branch meet at its immediate post-dominator.  A
 * branch whose meeting point is already that of the current path needs no new holder, so a loop
 * does not grow the stack.
 *
 * A warp that spins while other lanes of it wait (a lock taken by one of them) lets those go on
 * first, as hardware with independent thread scheduling does.  A barrier is where they wait for the
 * spinning ones: a warp arrives there once, with all of them. */
#include <string.h>

#include "simt/lanes.h"

static struct path *top(struct warp *w)
{
    return &w->paths[w->depth - 1];
}

static void push(struct warp *w, uint32_t block, uint32_t reconverge, uint32_t mask, uint32_t call)
{
    HD_ASSERT(w->depth < w->max_depth, "kernel %s: more paths than lanes", w->grid->code->name);
    w->paths[w->depth++] = (struct path){block, reconverge, mask, call};
}

/* Drops paths that have arrived or lost all lanes. */
static void settle(struct warp *w)
{
    while (w->depth && (top(w)->mask == 0 || top(w)->block == top(w)->reconverge))
        w->depth--;
}

static void go_to(struct warp *w, uint32_t block)
{
    top(w)->block = block;
    settle(w);
}

void warp_start(struct warp *w, uint32_t lanes)
{
    w->live = lanes;
    w->depth = 0;
    w->state = WARP_READY;
    w->has_yielded = false;
    w->carry = 0;
    w->executed = w->executed_threads = 0;
    push(w, 0, NO_BLOCK, lanes, 0);
    spin_reset(w->spin, 0);
}

/* Makes room for paths that part here: the current one becomes their holder, or is replaced when
 * its own end is where they meet.  Returns the meeting point. */
static uint32_t part(struct warp *w, uint32_t meet)
{
    struct path *p = top(w);
    if (meet == NO_BLOCK || meet == p->reconverge) {
        w->depth--;
        return p->reconverge;
    }
    p->block = meet;
    return meet;
}

static void diverge(struct warp *w, const struct block *b, uint32_t taken)
{
    uint32_t call = top(w)->call, others = top(w)->mask & ~taken;
    uint32_t meet = part(w, b->reconverge);
    if (b->next != meet)
        push(w, b->next, meet, others, call);
    if (b->target != meet)
        push(w, b->target, meet, taken, call);
    settle(w);
}

static uint32_t guard_mask(const struct warp *w, const struct insn *i)
{
    return i->guard == NO_OPERAND ? w->active : pred_read(w, i->guard) & w->active;
}

static void end_branch(struct warp *w, const struct block *b, const struct insn *i)
{
    uint32_t taken = guard_mask(w, i);
    if (taken == w->active)
        go_to(w, b->target);
    else if (taken == 0)
        go_to(w, b->next);
    else
        diverge(w, b, taken);
}

static void end_table(struct warp *w, const struct block *b, const struct insn *i)
{
    const struct code *c = w->grid->code;
    const lane_u32 *index = UNIT(w, i->src[0]);
    uint32_t jumps = guard_mask(w, i), call = top(w)->call, stays = w->active & ~jumps;
    for (uint32_t m = jumps; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (index[lane] >= b->ntargets) {
            exec_fault(w, i, lane, "branch to target %u of %u", index[lane], b->ntargets);
            return;
        }
    }
    uint32_t meet = part(w, b->reconverge);
    if (stays && b->next != meet)
        push(w, b->next, meet, stays, call);
    while (jumps) {
        uint32_t target = c->tables[b->target + index[__builtin_ctz(jumps)]], same = 0;
        for (uint32_t m = jumps; m; m &= m - 1)
            if (c->tables[b->target + index[__builtin_ctz(m)]] == target)
                same |= m & -m;
        jumps &= ~same;
        if (target != meet)
            push(w, target, meet, same, call);
    }
    settle(w);
}

static void remove_lanes(struct warp *w, uint32_t lanes, uint32_t call)
{
    for (uint32_t d = w->depth; d-- > 0 && w->paths[d].call >= call;)
        w->paths[d].mask &= ~lanes;
}

static uint32_t entry_of(const struct code *c, uint64_t handle)
{
    for (uint32_t k = 0; k < c->ncalls; k++)
        if (c->call_handles[k] == handle)
            return c->call_blocks[k];
    return NO_BLOCK;
}

static void end_call(struct warp *w, const struct block *b, const struct insn *i)
{
    uint32_t callers = guard_mask(w, i), call = top(w)->call + 1;
    top(w)->block = b->next;
    if (callers && i->src[0] == NO_OPERAND) {
        push(w, b->target, NO_BLOCK, callers, call);
    } else if (callers) {
        const lane_u64 *pointer = UNIT(w, i->src[0]);
        while (callers) { /* one path for each function that is called */
            uint32_t first = (uint32_t)__builtin_ctz(callers), same = 0;
            uint32_t entry = entry_of(w->grid->code, pointer[first]);
            if (entry == NO_BLOCK) {
                exec_fault(w, i, first, "call through 0x%llx, which is no function",
                           (unsigned long long)pointer[first]);
                return;
            }
            for (uint32_t m = callers; m; m &= m - 1)
                if (pointer[__builtin_ctz(m)] == pointer[first])
                    same |= m & -m;
            callers &= ~same;
            push(w, entry, NO_BLOCK, same, call);
        }
    }
    settle(w);
}

static void end_return(struct warp *w, const struct block *b, const struct insn *i)
{
    top(w)->block = b->next; /* where those that stay go on */
    remove_lanes(w, guard_mask(w, i), top(w)->call);
    settle(w);
}

static void end_exit(struct warp *w, const struct block *b, const struct insn *i)
{
    uint32_t leaving = guard_mask(w, i);
    w->live &= ~leaving;
    top(w)->block = b->next;
    remove_lanes(w, leaving, 0);
    settle(w);
}

static void end_trap(struct warp *w, const struct block *b, const struct insn *i)
{
    uint32_t lanes = guard_mask(w, i);
    if (lanes)
        exec_fault(w, i, (uint32_t)__builtin_ctz(lanes), "trap");
    else
        go_to(w, b->next);
}

/* Lanes that wait for this path at a place where they will do nothing but exit. */
static uint32_t lanes_about_to_exit(const struct warp *w)
{
    const struct code *c = w->grid->code;
    uint32_t above = w->paths[w->depth - 1].mask, leaving = 0;
    for (uint32_t d = w->depth - 1; d-- > 0;) {
        const struct block *b = &c->blocks[w->paths[d].block];
        const struct insn *i = &c->insns[b->first];
        if (b->end == END_EXIT && b->count == 1 && i->guard == NO_OPERAND)
            leaving |= w->paths[d].mask & ~above;
        above |= w->paths[d].mask;
    }
    return leaving;
}

static bool barrier_operands(struct warp *w, const struct insn *i, uint32_t lane, uint32_t *threads)
{
    const lane_u32 *id = UNIT(w, i->src[0]);
    const lane_u32 *count = i->src[1] == NO_OPERAND ? NULL : UNIT(w, i->src[1]);
    *threads = count ? count[lane] : 0;
    w->bar_id = id[lane];
    if (id[lane] >= MAX_BARRIERS)
        exec_fault(w, i, lane, "barrier %u: there are %d", id[lane], MAX_BARRIERS);
    else if (*threads % WARP_LANES || (count && *threads == 0))
        exec_fault(w, i, lane, "barrier %u for %u threads: not a multiple of a warp", id[lane],
                   *threads);
    else if (w->grid->check && w->active != (w->live & ~lanes_about_to_exit(w)))
        exec_fault(w, i, lane, "barrier %u in divergent code: only lanes 0x%x of 0x%x are here",
                   id[lane], w->active, w->live);
    else
        return true;
    return false;
}

static void end_barrier(struct warp *w, const struct block *b, const struct insn *i)
{
    uint32_t lanes = guard_mask(w, i), threads;
    if (w->out && i->guard != NO_OPERAND)
        stream_writer_guard(w->out, w->active, lanes);
    if (lanes == 0) {
        go_to(w, b->next);
        return;
    }
    if (!barrier_operands(w, i, (uint32_t)__builtin_ctz(lanes), &threads))
        return;
    if (w->out)
        stream_writer_bar(w->out, w->bar_id, threads);
    struct barrier *bar = &w->cta->barrier[w->bar_id];
    if (bar->arrived && bar->expected != threads) {
        exec_fault(w, i, (uint32_t)__builtin_ctz(lanes),
                   "barrier %u for %u threads, while others wait there for %u", w->bar_id, threads,
                   bar->expected);
        return;
    }
    if (bar->arrived == 0)
        *bar = (struct barrier){.expected = threads, .all = 1};
    bar->arrived += WARP_LANES;
    if (i->mod >= BARRIER_POPC) {
        uint32_t yes = pred_read(w, i->src[2]) & lanes;
        bar->count += (uint32_t)__builtin_popcount(yes);
        bar->all &= yes == lanes;
        bar->any |= yes != 0;
    }
    if (i->mod == BARRIER_ARRIVE) {
        go_to(w, b->next);
        return;
    }
    w->bar_mask = lanes;
    w->bar_block = top(w)->block;
    w->state = WARP_AT_BARRIER;
}

void warp_leave_barrier(struct warp *w)
{
    const struct block *b = &w->grid->code->blocks[w->bar_block];
    const struct insn *i = &w->grid->code->insns[b->first + b->count - 1];
    const struct barrier *bar = &w->cta->barrier[w->bar_id];
    w->exec = w->bar_mask;
    if (i->mod == BARRIER_POPC)
        MAP(w, u32, i->dst, ((void)l, bar->count));
    else if (i->mod == BARRIER_AND)
        pred_write(w, i->dst, bar->all ? UINT32_MAX : 0);
    else if (i->mod == BARRIER_OR)
        pred_write(w, i->dst, bar->any ? UINT32_MAX : 0);
    w->state = WARP_READY;
    go_to(w, b->next);
}

/* --- running ---------------------------------------------------------------------------------- */

static inline void run_plain(struct warp *w, const struct insn *i, const struct insn *end)
{
    for (; i < end; i++) {
        w->exec = w->active;
        if (__builtin_expect(i->guard != NO_OPERAND, 0)) {
            w->exec &= pred_read(w, i->guard);
            if (w->out)
                stream_writer_guard(w->out, w->active, w->exec);
            if (w->exec == 0)
                continue;
        }
        i->fn(w, i);
    }
}

static void run_end(struct warp *w, const struct block *b, const struct insn *i)
{
    switch ((enum block_end)b->end) {
    case END_FALL:
        go_to(w, b->next);
        break;
    case END_BRANCH:
        end_branch(w, b, i);
        break;
    case END_TABLE:
        end_table(w, b, i);
        break;
    case END_CALL:
        end_call(w, b, i);
        break;
    case END_RETURN:
        end_return(w, b, i);
        break;
    case END_EXIT:
        end_exit(w, b, i);
        break;
    case END_TRAP:
        end_trap(w, b, i);
        break;
    case END_BARRIER:
        end_barrier(w, b, i);
        break;
    }
}

static bool is_sibling(const struct path *a, const struct path *b)
{
    return a->call == b->call && a->reconverge == b->reconverge && (a->mask & b->mask) == 0;
}

static bool stands_at_barrier(const struct warp *w, const struct path *p)
{
    return w->grid->code->blocks[p->block].end == END_BARRIER;
}

static void swap_with_below(struct path *p)
{
    struct path other = p[-1];
    p[-1] = *p;
    *p = other;
}

/* Lanes that went on before spinning ones have come to a barrier: the others come first.  False
 * when there are none, or when they are at a barrier themselves. */
static bool wait_for_others(struct warp *w)
{
    struct path *p = top(w);
    if (w->depth < 2 || !is_sibling(p, p - 1))
        return false;
    if (p[-1].block == p->block) {
        p[-1].mask |= p->mask;
        w->depth--;
        return true;
    }
    if (stands_at_barrier(w, p - 1))
        return false;
    swap_with_below(p);
    return true;
}

/* Other lanes of a spinning warp go first.  False when there are none. */
static bool let_others_go(struct warp *w)
{
    struct path *p = top(w);
    if (w->depth < 2)
        return false;
    struct path *below = p - 1;
    if (below->call != p->call || (below->mask & ~p->mask) == 0 || stands_at_barrier(w, below))
        return false;
    w->has_yielded = true;
    if (is_sibling(p, below)) {
        swap_with_below(p);
        return true;
    }
    if (below->block != p->reconverge)
        return false;
    /* The holder: those that wait at it go on without the spinning ones, which will meet them at
     * the next place instead. */
    struct path waiting = *below;
    waiting.mask &= ~p->mask;
    *below = (struct path){p->block, waiting.reconverge, p->mask, p->call};
    *p = waiting;
    return true;
}

void warp_run(struct warp *w)
{
    struct grid *g = w->grid;
    const struct code *c = g->code;
    uint32_t yields = 0;
    uint64_t changes = g->changes;
    while (w->state == WARP_READY) {
        const struct block *b = &c->blocks[top(w)->block];
        if (w->has_yielded && b->end == END_BARRIER && wait_for_others(w))
            continue;
        const struct insn *first = &c->insns[b->first];
        w->active = top(w)->mask;
        g->block_count[top(w)->block]++;
        if (w->out)
            stream_writer_block(w->out, top(w)->block, b->count, w->active);
        const struct insn *end = first + b->count - (b->end != END_FALL);
        run_plain(w, first, end);
        if (__builtin_expect(g->has_fault, 0))
            return;
        run_end(w, b, end);
        w->executed += b->count;
        w->executed_threads += (uint64_t)b->count * (uint32_t)__builtin_popcount(w->active);
        if (b->count > g->budget) {
            exec_stop(g, STATUS_BUDGET, "kernel %s: out of instructions", c->name);
            return;
        }
        g->budget -= b->count;
        if (w->depth == 0) {
            w->state = WARP_DONE;
        } else if (b->has_loop_edge && w->executed >= spin_due(w->spin) && w->state == WARP_READY &&
                   spin_check(w)) {
            if (g->changes != changes)
                yields = 0;
            changes = g->changes;
            if (yields++ < WARP_LANES && let_others_go(w))
                spin_reset(w->spin, w->executed);
            else
                w->state = WARP_SPINS;
        }
        if (__builtin_expect(g->has_fault, 0))
            return;
    }
}
