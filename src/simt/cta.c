/* cta.c - runs the warps of a CTA: each until it is done or has to wait, in order of their ids.
 *
 * A barrier counts warps, 32 threads each, whatever their active lanes; without a thread count it
 * is complete when every warp that has not exited is there. */
#include "simt/cta.h"

#include <stdio.h>
#include <string.h>

#include "simt/lanes.h"

/* --- set-up ----------------------------------------------------------------------------------- */

static uint8_t *aligned(struct arena *a, size_t bytes)
{
    uint8_t *p = arena_alloc(a, bytes + UNIT_BYTES);
    return p + (UNIT_BYTES - (uintptr_t)p % UNIT_BYTES) % UNIT_BYTES;
}

static uint64_t special_value(const struct cta *c, const struct code_const *k, uint32_t warp,
                              uint32_t lane)
{
    const struct grid *g = c->grid;
    uint32_t t = warp * WARP_LANES + lane;
    switch ((enum const_kind)k->kind) {
    case CONST_BITS:
        return k->bits;
    case CONST_TID_X:
        return t % g->block[0];
    case CONST_TID_Y:
        return t / g->block[0] % g->block[1];
    case CONST_TID_Z:
        return t / g->block[0] / g->block[1];
    case CONST_NTID_X:
        return g->block[0];
    case CONST_NTID_Y:
        return g->block[1];
    case CONST_NTID_Z:
        return g->block[2];
    case CONST_CTAID_X:
        return c->ctaid[0];
    case CONST_CTAID_Y:
        return c->ctaid[1];
    case CONST_CTAID_Z:
        return c->ctaid[2];
    case CONST_NCTAID_X:
        return g->grid[0];
    case CONST_NCTAID_Y:
        return g->grid[1];
    case CONST_NCTAID_Z:
        return g->grid[2];
    case CONST_LANEID:
        return lane;
    case CONST_WARPID:
        return warp;
    case CONST_NWARPID:
        return c->nwarps;
    case CONST_SMID:
        return c->id % 16; /* a function of the CTA: nothing may observe timing */
    case CONST_NSMID:
        return 16;
    case CONST_GRIDID:
        return 1;
    case CONST_MASK_EQ:
        return 1u << lane;
    case CONST_MASK_LE:
        return UINT32_MAX >> (31 - lane);
    case CONST_MASK_LT:
        return (1u << lane) - 1;
    case CONST_MASK_GE:
        return UINT32_MAX << lane;
    case CONST_MASK_GT:
        return UINT32_MAX << lane << 1;
    case CONST_DYNAMIC_SMEM:
        return g->dynamic_shared_bytes;
    case CONST_TOTAL_SMEM:
        return g->shared_bytes;
    case CONST_WORKSPACE_HIGH:
        return g->workspace >> 32;
    case CONST_WORKSPACE_LOW:
        return (uint32_t)g->workspace;
    case CONST_PARAM: {
        uint64_t bits = 0;
        memcpy(&bits, g->params + k->bits, k->bytes);
        uint32_t shift = 64 - 8u * k->bytes;
        return k->is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits;
    }
    default:
        return 0;
    }
}

static bool changes_with_cta(uint8_t kind)
{
    return kind == CONST_CTAID_X || kind == CONST_CTAID_Y || kind == CONST_CTAID_Z ||
           kind == CONST_SMID;
}

static void fill_consts(struct cta *c, struct warp *w, bool only_changing)
{
    const struct code *code = c->grid->code;
    for (uint32_t i = 0; i < code->nconsts; i++) {
        const struct code_const *k = &code->consts[i];
        if (only_changing && !changes_with_cta(k->kind))
            continue;
        lane_u32 *narrow = UNIT(w, k->unit);
        lane_u64 *wide = UNIT(w, k->unit);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            if (k->is_wide)
                wide[l] = special_value(c, k, w->id, l);
            else
                narrow[l] = (uint32_t)special_value(c, k, w->id, l);
    }
}

static void set_up_warp(struct arena *a, struct cta *c, uint32_t id)
{
    const struct code *code = c->grid->code;
    struct warp *w = &c->warp[id];
    w->id = id;
    w->cta = c;
    w->grid = c->grid;
    w->out = c->writers ? &c->writers[id] : NULL;
    w->file = aligned(a, (size_t)code->units * UNIT_BYTES);
    w->pred = ARENA_ARRAY(a, uint32_t, code->npreds + PRED_FIRST);
    w->max_depth = 8 * WARP_LANES + 4 * code->depth + 8;
    w->paths = ARENA_ARRAY(a, struct path, w->max_depth);
    w->local_stride = (uint64_t)code->local_bytes + code->frame_bytes;
    w->local = aligned(a, w->local_stride * WARP_LANES);
    w->spin = spin_new(a, code, w->max_depth);
    fill_consts(c, w, false);
}

struct cta *cta_new(struct arena *a, struct grid *g, bool has_stream)
{
    struct cta *c = ARENA_NEW(a, struct cta);
    c->grid = g;
    c->nthreads = g->block[0] * g->block[1] * g->block[2];
    c->nwarps = (c->nthreads + WARP_LANES - 1) / WARP_LANES;
    c->shared = aligned(a, g->shared_bytes);
    if (g->check)
        c->shared_written = ARENA_ARRAY(a, uint8_t, g->shared_bytes + 1);
    if (has_stream)
        c->writers = ARENA_ARRAY(a, struct stream_writer, c->nwarps);
    for (uint32_t i = 0; i < c->nwarps; i++) {
        if (has_stream)
            stream_writer_init(&c->writers[i]);
        set_up_warp(a, c, i);
    }
    return c;
}

void cta_release(struct cta *c)
{
    for (uint32_t i = 0; c->writers && i < c->nwarps; i++)
        stream_writer_free(&c->writers[i]);
}

void cta_start(struct cta *c, uint32_t id)
{
    const struct grid *g = c->grid;
    const struct code *code = g->code;
    c->id = id;
    c->ctaid[0] = id % g->grid[0];
    c->ctaid[1] = id / g->grid[0] % g->grid[1];
    c->ctaid[2] = id / g->grid[0] / g->grid[1];
    memset(c->barrier, 0, sizeof c->barrier);
    memset(c->shared, 0, g->shared_bytes);
    if (c->shared_written)
        memset(c->shared_written, 0, g->shared_bytes);
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        uint32_t rest = c->nthreads - i * WARP_LANES;
        memset(w->file, 0, (size_t)code->reg_units * UNIT_BYTES);
        memset(w->pred, 0, code->npreds * sizeof *w->pred);
        w->pred[PRED_TRUE] = UINT32_MAX;
        memset(w->local, 0, w->local_stride * WARP_LANES);
        fill_consts(c, w, true);
        if (w->out)
            stream_writer_reset(w->out);
        warp_start(w, rest >= WARP_LANES ? UINT32_MAX : (1u << rest) - 1);
    }
}

/* --- barriers --------------------------------------------------------------------------------- */

static bool is_complete(const struct cta *c, const struct barrier *b)
{
    uint32_t expected = b->expected;
    for (uint32_t i = 0; b->expected == 0 && i < c->nwarps; i++)
        expected += c->warp[i].state == WARP_DONE ? 0 : WARP_LANES;
    return b->arrived && b->arrived >= expected;
}

/* Releases the barriers that are complete.  True when a warp can go on. */
static bool release_barriers(struct cta *c)
{
    bool released = false;
    for (uint32_t id = 0; id < MAX_BARRIERS; id++) {
        struct barrier *b = &c->barrier[id];
        if (!is_complete(c, b))
            continue;
        for (uint32_t i = 0; i < c->nwarps; i++)
            if (c->warp[i].state == WARP_AT_BARRIER && c->warp[i].bar_id == id) {
                warp_leave_barrier(&c->warp[i]);
                if (c->warp[i].depth == 0)
                    c->warp[i].state = WARP_DONE;
                released = true;
            }
        *b = (struct barrier){0};
    }
    return released;
}

static void report_deadlock(struct cta *c)
{
    char text[400] = "", place[160];
    size_t n = 0;
    const struct code *code = c->grid->code;
    for (uint32_t i = 0; i < c->nwarps && n < sizeof text - 1; i++) {
        const struct warp *w = &c->warp[i];
        if (w->state != WARP_AT_BARRIER)
            continue;
        const struct block *b = &code->blocks[w->bar_block];
        exec_place(c->grid, b->first + b->count - 1, place, sizeof place);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s warp %u at barrier %u (%s)",
                              n ? "," : "", i, w->bar_id, place);
    }
    exec_stop(c->grid, STATUS_DEADLOCK, "kernel %s, CTA (%u,%u,%u): barriers never complete:%s",
              code->name, c->ctaid[0], c->ctaid[1], c->ctaid[2], text);
}

/* --- running ---------------------------------------------------------------------------------- */

/* Warps that wait for memory go on when it has changed; paused ones also when it is their turn. */
static bool wake(struct cta *c, bool is_turn)
{
    bool any = false;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        bool goes_on = c->waits_since != c->grid->changes || (w->is_paused && is_turn);
        if (w->state != WARP_SPINS || !goes_on)
            continue;
        w->state = WARP_READY;
        w->is_paused = false;
        any = true;
    }
    return any;
}

static uint32_t count_state(const struct cta *c, enum warp_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nwarps; i++)
        n += c->warp[i].state == state;
    return n;
}

static void set_aside(struct cta *c)
{
    c->waits_since = c->grid->changes;
    c->is_paused = false;
    for (uint32_t i = 0; i < c->nwarps; i++)
        c->is_paused |= c->warp[i].state == WARP_SPINS && c->warp[i].is_paused;
}

enum cta_end cta_run(struct cta *c)
{
    struct grid *g = c->grid;
    wake(c, true);
    for (;;) {
        uint64_t before = g->changes;
        for (uint32_t i = 0; i < c->nwarps; i++) {
            warp_run(&c->warp[i]);
            if (g->has_fault)
                return CTA_FAULT;
        }
        if (count_state(c, WARP_DONE) == c->nwarps)
            return CTA_DONE;
        c->waits_since = before;
        bool is_released = release_barriers(c);
        if (wake(c, is_released) || is_released)
            continue;
        if (count_state(c, WARP_SPINS) == 0) {
            report_deadlock(c);
            return CTA_FAULT;
        }
        set_aside(c);
        return CTA_WAITS;
    }
}

void cta_where(const struct cta *c, char *text, size_t n)
{
    for (uint32_t i = 0; i < c->nwarps; i++) {
        const struct warp *w = &c->warp[i];
        if (w->state != WARP_SPINS)
            continue;
        char place[160];
        exec_place(c->grid, c->grid->code->blocks[w->paths[w->depth - 1].block].first, place,
                   sizeof place);
        snprintf(text, n, "CTA (%u,%u,%u) warp %u at %s", c->ctaid[0], c->ctaid[1], c->ctaid[2], i,
                 place);
        return;
    }
    snprintf(text, n, "CTA (%u,%u,%u)", c->ctaid[0], c->ctaid[1], c->ctaid[2]);
}
