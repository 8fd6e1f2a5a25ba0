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
    w->carry = 0;
    w->executed = w->executed_threads = w->clock_reads = 0;
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
    for (uint32_t d = w->depth; d-- > 0;)
        if (w->paths[d].call >= call)
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
    else if (w->grid->check && w->active != w->live)
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
    uint32_t all = w->cta->nwarps * WARP_LANES, here = threads ? threads : all,
             there = bar->expected ? bar->expected : all;
    if (bar->arrived && here != there) {
        exec_fault(w, i, (uint32_t)__builtin_ctz(lanes),
                   "barrier %u for %u threads, while others wait there for %u", w->bar_id, here,
                   there);
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
    if (i->mod == BARRIER_POPC) {
        lane_u32 *dst = UNIT(w, i->dst);
        for (uint32_t m = w->bar_mask; m; m &= m - 1)
            dst[__builtin_ctz(m)] = bar->count;
    } else if (i->mod == BARRIER_AND) {
        pred_write(w, i->dst, bar->all ? UINT32_MAX : 0);
    } else if (i->mod == BARRIER_OR) {
        pred_write(w, i->dst, bar->any ? UINT32_MAX : 0);
    }
    w->state = WARP_READY;
    spin_reset(w->spin, w->executed); /* it let others go on: that is no waiting */
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

/* --- lanes apart ------------------------------------------------------------------------------ */

/* Lanes that stand at path d: a lane is where the highest path that has it is. */
static uint32_t standing(const struct warp *w, uint32_t d)
{
    uint32_t above = 0;
    for (uint32_t k = d + 1; k < w->depth; k++)
        above |= w->paths[k].mask;
    return w->paths[d].mask & ~above;
}

static bool stands_at_barrier(const struct warp *w, uint32_t d)
{
    return w->grid->code->blocks[w->paths[d].block].end == END_BARRIER;
}

/* Where there is nothing left to do but to leave: "if (i >= n) return" before a barrier. */
static bool stands_at_exit(const struct warp *w, uint32_t d)
{
    const struct block *b = &w->grid->code->blocks[w->paths[d].block];
    return b->end == END_EXIT && b->count == 1 && b->next == NO_BLOCK;
}

static bool is_same_place(const struct path *a, const struct path *b)
{
    return a->block == b->block && a->reconverge == b->reconverge && a->call == b->call;
}

/* The path stays for those of its lanes that are on their way to it. */
static void take_lanes(struct warp *w, uint32_t d, uint32_t lanes)
{
    struct path *p = &w->paths[d];
    p->mask &= ~lanes;
    if (p->mask == 0)
        memmove(p, p + 1, (--w->depth - d) * sizeof *p);
}

/* The lanes that stand at path d go on before the others.  False when the stack is too high: what
 * the paths there can still push must find room. */
static bool go_first(struct warp *w, uint32_t d)
{
    struct path p = w->paths[d];
    if (w->depth + 2 * WARP_LANES + w->grid->code->depth >= w->max_depth)
        return false;
    p.mask = standing(w, d);
    take_lanes(w, d, p.mask);
    push(w, p.block, p.reconverge, p.mask, p.call);
    settle(w);
    return true;
}

/* Lanes that have come to a barrier wait for those that are elsewhere, except where these wait for
 * them in turn.  False when all who can come have come. */
static bool wait_for_others(struct warp *w)
{
    for (uint32_t d = w->depth - 1; d-- > 0;) {
        uint32_t lanes = standing(w, d);
        bool waits_for_us = w->paths[d].mask & top(w)->mask;
        if (lanes == 0 || (waits_for_us && !stands_at_exit(w, d)))
            continue;
        if (is_same_place(&w->paths[d], top(w))) {
            top(w)->mask |= lanes;
            take_lanes(w, d, lanes);
            return true;
        }
        if (!stands_at_barrier(w, d) && go_first(w, d))
            return true;
    }
    return false;
}

/* Other lanes of a spinning warp go first, each group of them in its turn.  False when there are
 * none. */
static bool let_others_go(struct warp *w, uint32_t turn)
{
    uint32_t group[WARP_LANES], n = 0;
    for (uint32_t d = w->depth - 1; d-- > 0;)
        if (standing(w, d) && !stands_at_barrier(w, d))
            group[n++] = d;
    return n && go_first(w, group[turn % n]);
}

/* How often lanes of the warp have let others go first since memory last changed. */
struct yields {
    uint32_t n;
    uint64_t changes;
};

static void look_for_spin(struct warp *w, struct yields *y)
{
    switch (spin_check(w)) {
    case SPIN_NONE:
        break;
    case SPIN_FOUND:
        if (w->grid->changes != y->changes)
            *y = (struct yields){.changes = w->grid->changes};
        if (y->n < WARP_LANES && let_others_go(w, y->n++))
            spin_reset(w->spin, w->executed);
        else
            w->state = WARP_SPINS;
        break;
    case SPIN_LONG:
        w->state = WARP_SPINS;
        w->is_paused = true;
        break;
    }
}

void warp_run(struct warp *w)
{
    struct grid *g = w->grid;
    const struct code *c = g->code;
    struct yields y = {.changes = g->changes};
    while (w->state == WARP_READY) {
        const struct block *b = &c->blocks[top(w)->block];
        if (b->end == END_BARRIER && top(w)->mask != w->live && wait_for_others(w))
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
        if (__builtin_expect(b->count > g->budget, 0) && !exec_refill(g, b->count))
            return;
        g->budget -= b->count;
        if (w->depth == 0) {
            w->state = WARP_DONE;
        } else if (b->has_loop_edge && w->executed >= spin_due(w->spin) && w->state == WARP_READY) {
            look_for_spin(w, &y);
        }
        if (__builtin_expect(g->has_fault, 0))
            return;
    }
}
