/* grid.c - runs a launch CTA by CTA.
 *
 * Normally there is one CTA at a time and its room is used again for the next.  When a CTA waits
 * for others, it is set aside and the next one is started; when all have begun, those set aside
 * get their turns, in order, as long as memory changes. */
#include <string.h>

#include "simt/cta.h"
#include "simt/simt.h"

enum { MAX_WAITING_BYTES_LOG2 = 32 };

struct run {
    const struct simt_launch *l;
    struct grid grid;
    struct arena *arena;
    struct cta *idle;                   /* room for CTAs to come */
    struct cta *waiting, **waiting_end; /* set aside, oldest first */
    uint64_t nwaiting;
    uint32_t next, total, done;
    struct simt_result *result;
    struct err *e;
};

static struct cta *room(struct run *r)
{
    struct cta *c = r->idle;
    if (c) {
        r->idle = c->next;
        return c;
    }
    return cta_new(r->arena, &r->grid, r->l->cta_done != NULL);
}

static void add_waiting(struct run *r, struct cta *c)
{
    c->next = NULL;
    *r->waiting_end = c;
    r->waiting_end = &c->next;
    r->nwaiting++;
}

static bool finish(struct run *r, struct cta *c)
{
    for (uint32_t i = 0; i < c->nwarps; i++) {
        r->result->warp_insns += c->warp[i].executed;
        r->result->thread_insns += c->warp[i].executed_threads;
    }
    c->next = r->idle;
    r->idle = c;
    r->done++;
    if (r->l->progress)
        r->l->progress(r->l->progress_context, r->done, r->total);
    return !r->l->cta_done || r->l->cta_done(r->l->cta_context, c->id, c->writers, c->nwarps, r->e);
}

static bool step(struct run *r, struct cta *c)
{
    switch (cta_run(c)) {
    case CTA_DONE:
        return finish(r, c);
    case CTA_WAITS:
        r->result->has_grid_spin |= r->total > 1;
        add_waiting(r, c);
        return true;
    default:
        c->next = r->idle;
        r->idle = c;
        return false;
    }
}

static bool deadlock(struct run *r)
{
    char where[256];
    cta_where(r->waiting, where, sizeof where);
    bool all = r->next == r->total;
    exec_stop(&r->grid, STATUS_DEADLOCK,
              "kernel %s: %llu CTA%s for memory that none of them will write%s; the first: %s",
              r->grid.code->name, (unsigned long long)r->nwaiting,
              r->nwaiting == 1 ? " waits" : "s wait", all ? "" : " and there is no room for more",
              where);
    return false;
}

/* Every CTA set aside that can go on gets one turn. */
static bool turn_of_waiting(struct run *r, bool *any)
{
    struct cta *c = r->waiting;
    r->waiting = NULL;
    r->waiting_end = &r->waiting;
    r->nwaiting = 0;
    *any = false;
    while (c) {
        struct cta *following = c->next;
        if (c->waits_since == r->grid.changes && !c->is_paused) {
            add_waiting(r, c);
        } else {
            *any = true;
            if (!step(r, c)) {
                *r->waiting_end = following; /* still ours to release */
                return false;
            }
        }
        c = following;
    }
    return true;
}

static bool has_room(const struct run *r)
{
    return r->idle || arena_bytes(r->arena) >> MAX_WAITING_BYTES_LOG2 == 0;
}

/* New CTAs come first: what others wait for is most often done by one that has not yet begun. */
static bool run_all(struct run *r)
{
    while (r->next < r->total || r->waiting) {
        if (r->next < r->total && has_room(r)) {
            struct cta *c = room(r);
            cta_start(c, r->next++);
            if (!step(r, c))
                return false;
            continue;
        }
        bool any;
        if (!turn_of_waiting(r, &any))
            return false;
        if (!any)
            return deadlock(r);
    }
    return true;
}

static void free_writers(struct run *r)
{
    for (struct cta *c = r->idle; c; c = c->next)
        cta_release(c);
    for (struct cta *c = r->waiting; c; c = c->next)
        cta_release(c);
}

bool simt_run(const struct simt_launch *l, struct simt_result *result, struct err *e)
{
    struct run r = {.l = l, .arena = arena_new(), .result = result, .e = e};
    r.waiting_end = &r.waiting;
    r.total = l->grid[0] * l->grid[1] * l->grid[2];
    r.grid = (struct grid){.code = l->code,
                           .mem = l->mem,
                           .host = devmem_host(l->mem),
                           .textures = l->textures,
                           .params = l->params,
                           .param_bytes = l->code->param_bytes,
                           .workspace = l->workspace,
                           .check = l->check,
                           .reserve = l->max_insns,
                           .launch = l,
                           .print = l->print,
                           .print_context = l->print_context};
    uint64_t shared = l->code->shared_bytes;
    if (l->dynamic_shared_bytes)
        shared = (shared + 15) / 16 * 16 + l->dynamic_shared_bytes;
    r.grid.shared_bytes = (uint32_t)shared;
    r.grid.dynamic_shared_bytes = l->dynamic_shared_bytes;
    memcpy(r.grid.grid, l->grid, sizeof r.grid.grid);
    memcpy(r.grid.block, l->block, sizeof r.grid.block);
    r.grid.block_count = l->block_count;
    r.grid.cache = ARENA_ARRAY(r.arena, struct range_cache, l->code->ninsns + 1);
    *result = (struct simt_result){0};
    bool ok = run_all(&r);
    if (r.grid.has_fault)
        err_set(e, r.grid.fault.status, "%s", r.grid.fault.text);
    free_writers(&r);
    arena_free(r.arena);
    return ok;
}
