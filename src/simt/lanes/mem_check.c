/* mem_check.c - memory accesses lane by lane: faults, allocations other than the expected one,
 * generic addresses, and the --check of uninitialised shared memory. */
#include "simt/lanes/mem_check.h"

static const char *kind_name(const struct insn *i)
{
    static const char *const name[] = {
        [MEM_LOAD] = "load", [MEM_STORE] = "store", [MEM_ATOMIC] = "atomic"};
    return name[mem_kind(i)];
}

static bool fault_outside(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address,
                          enum mem_space space)
{
    static const char *const name[MEM_SPACES] = {[MEM_SHARED] = "shared",
                                                 [MEM_LOCAL] = "local",
                                                 [MEM_PARAM] = "parameter",
                                                 [MEM_FRAME] = "parameter"};
    char why[160];
    if (space == MEM_GLOBAL) {
        devmem_explain(w->grid->mem, address, mem_size(i), why, sizeof why);
        exec_fault(w, i, lane, "%s of %u bytes at 0x%llx: %s", kind_name(i), mem_size(i),
                   (unsigned long long)address, why);
        return false;
    }
    uint64_t bytes = space == MEM_SHARED  ? w->grid->shared_bytes
                     : space == MEM_LOCAL ? w->grid->code->local_bytes
                     : space == MEM_FRAME ? w->grid->code->frame_bytes
                                          : w->grid->param_bytes;
    exec_fault(w, i, lane, "%s of %u bytes at 0x%llx of %s memory, which has %llu bytes",
               kind_name(i), mem_size(i), (unsigned long long)address, name[space],
               (unsigned long long)bytes);
    return false;
}

/* Shared memory under --check: what is read must have been written by someone. */
static bool note_shared(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address)
{
    uint8_t *written = w->cta->shared_written + address;
    uint32_t size = mem_size(i);
    if (mem_kind(i) != MEM_STORE)
        for (uint32_t k = 0; k < size; k++)
            if (!written[k]) {
                exec_fault(w, i, lane, "%s of %u bytes at 0x%llx reads uninitialised shared memory",
                           kind_name(i), size, (unsigned long long)address);
                return false;
            }
    if (mem_kind(i) != MEM_LOAD)
        memset(written, 1, size);
    return true;
}

static bool is_inside(struct range_cache range, uint64_t address, uint32_t size)
{
    return address >= range.lo && address < range.hi && size <= range.hi - address;
}

bool LANE(mem_check_lanes)(struct warp *w, const struct insn *i, struct reach *r, uint32_t mask,
                           enum mem_space space)
{
    uint32_t size = mem_size(i);
    FOR_BITS(l, mask)
    {
        uint64_t address = r->addr[l];
        if (address & (size - 1)) {
            exec_fault(w, i, l, "misaligned %s of %u bytes at 0x%llx", kind_name(i), size,
                       (unsigned long long)address);
            return false;
        }
        if (!is_inside(r->range, address, size)) {
            struct devmem_range found;
            if (space != MEM_GLOBAL || !devmem_find(w->grid->mem, address, &found))
                return fault_outside(w, i, l, address, space);
            r->range = (struct range_cache){found.lo, found.hi};
            if (!is_inside(r->range, address, size))
                return fault_outside(w, i, l, address, space);
        }
        if (space == MEM_SHARED && w->cta->shared_written && !note_shared(w, i, l, address))
            return false;
    }
    if (space == MEM_GLOBAL)
        w->grid->cache[i->id] = r->range;
    return true;
}

/* --- generic addresses ---------------------------------------------------------------------- */

static enum mem_space space_of(uint64_t address)
{
    if (address - DEVMEM_SHARED < DEVMEM_WINDOW)
        return MEM_SHARED;
    if (address - DEVMEM_LOCAL < DEVMEM_WINDOW)
        return MEM_LOCAL;
    if (address - DEVMEM_PARAM < DEVMEM_WINDOW)
        return MEM_PARAM;
    return MEM_GLOBAL;
}

struct window {
    enum mem_space space;
    enum stream_space stream;
    uint64_t start;
    uintptr_t host;
    uint64_t lane_step;
    struct range_cache range;
    uint32_t mask;
};

enum { WINDOWS = 4 };

static void windows_of(const struct warp *w, const struct insn *i, const struct reach *r,
                       struct window out[WINDOWS])
{
    const struct grid *g = w->grid;
    out[0] =
        (struct window){MEM_GLOBAL, STREAM_GLOBAL, 0, (uintptr_t)g->host, 0, g->cache[i->id], 0};
    out[1] = (struct window){MEM_SHARED,
                             STREAM_SHARED,
                             DEVMEM_SHARED,
                             (uintptr_t)w->cta->shared,
                             0,
                             {0, g->shared_bytes},
                             0};
    out[2] = (struct window){MEM_LOCAL,
                             STREAM_LOCAL,
                             DEVMEM_LOCAL,
                             (uintptr_t)w->local,
                             w->local_stride,
                             {0, g->code->local_bytes},
                             0};
    out[3] = (struct window){
        MEM_PARAM, STREAM_PARAM, DEVMEM_PARAM, (uintptr_t)g->params, 0, {0, g->param_bytes}, 0};
    FOR_BITS(l, w->exec)
    {
        enum mem_space space = space_of(r->addr[l]);
        for (int k = 0; k < WINDOWS; k++)
            if (out[k].space == space)
                out[k].mask |= 1u << l;
    }
}

static bool take_window(struct warp *w, const struct insn *i, struct reach *r,
                        const struct window *v)
{
    struct reach part = {.pattern = PATTERN_LANES, .range = v->range};
    FOR_BITS(l, v->mask)
    part.addr[l] = r->addr[l] - v->start;
    if (v->space == MEM_PARAM && mem_kind(i) != MEM_LOAD) {
        exec_fault(w, i, (uint32_t)__builtin_ctz(v->mask), "%s to kernel parameters", kind_name(i));
        return false;
    }
    if (!LANE(mem_check_lanes)(w, i, &part, v->mask, v->space))
        return false;
    if (w->out) {
        stream_writer_set(w->out, v->stream, w->active, v->mask);
        stream_writer_lanes(w->out, v->stream, v->mask, part.addr);
    }
    FOR_BITS(l, v->mask)
    r->addr[l] = v->host + part.addr[l] + l * v->lane_step;
    return true;
}

bool LANE(mem_check_generic)(struct warp *w, const struct insn *i, struct reach *r)
{
    struct window window[WINDOWS];
    windows_of(w, i, r, window);
    if (w->out) {
        uint32_t nsets = 0;
        for (int k = 0; k < WINDOWS; k++)
            nsets += window[k].mask != 0;
        stream_writer_sets(w->out, nsets);
    }
    for (int k = 0; k < WINDOWS; k++)
        if (window[k].mask && !take_window(w, i, r, &window[k]))
            return false;
    r->host = 0;
    r->pattern = PATTERN_LANES;
    return true;
}
