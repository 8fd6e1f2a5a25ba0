/* mem.c - loads and stores.
 *
 * An access is taken in three steps: the 32 addresses and their pattern (one base, a stride, or
 * lane by lane), the check of all of them against one range, and the move, which for neighbouring
 * lanes is one copy.  The range is the allocation that the same instruction last touched; whatever
 * does not fit in there is looked at lane by lane in mem_check.c. */
#include "simt/lanes/mem_check.h"

/* --- addresses and their pattern ------------------------------------------------------------ */

/* A stride below this cannot wrap around between the first and the last lane of a range. */
#define STRIDE_LIMIT ((int64_t)1 << 32)

struct line { /* lane l: base + l * stride */
    uint64_t base;
    int64_t stride;
};

/* The line through the first two active lanes.  When there is none with an integer slope, one
 * that the second lane does not lie on. */
static inline struct line line_through(uint32_t first, uint64_t a, uint32_t second, uint64_t b)
{
    int64_t rise = (int64_t)(b - a);
    if (second != first + 1 && rise != 0)
        rise /= (int64_t)(second - first);
    return (struct line){a - first * (uint64_t)rise, rise};
}

/* ADDRESS is lane l's address.  Idle lanes are put on the line, so that only active ones count. */
#define FIND_LINE(r, exec, ADDRESS)                                                                \
    do {                                                                                           \
        uint64_t off_ = 0, want_ = (r)->base, step_ = (uint64_t)(r)->stride;                       \
        if ((exec) == UINT32_MAX) {                                                                \
            for (int l = 0; l < WARP_LANES; l++, want_ += step_) {                                 \
                uint64_t a_ = (ADDRESS);                                                           \
                (r)->addr[l] = a_;                                                                 \
                off_ |= a_ ^ want_;                                                                \
            }                                                                                      \
        } else {                                                                                   \
            for (int l = 0; l < WARP_LANES; l++, want_ += step_) {                                 \
                uint64_t a_ = (ADDRESS), keep_ = 0 - (uint64_t)((exec) >> l & 1);                  \
                (r)->addr[l] = a_;                                                                 \
                off_ |= (a_ ^ want_) & keep_;                                                      \
            }                                                                                      \
        }                                                                                          \
        is_on_line = off_ == 0;                                                                    \
    } while (0)

/* Lowest, highest and all bits of the active addresses; idle lanes count as the first active. */
static inline void bound_lanes(struct reach *r, uint32_t exec, uint64_t first)
{
    int64_t low = (int64_t)first, high = (int64_t)first;
    uint64_t bits = 0;
    for (int l = 0; l < WARP_LANES; l++) {
        uint64_t keep = 0 - (uint64_t)(exec >> l & 1);
        int64_t a = (int64_t)((r->addr[l] & keep) | (first & ~keep));
        low = a < low ? a : low;
        high = a > high ? a : high;
        bits |= (uint64_t)a;
    }
    r->lowest = (uint64_t)low;
    r->highest = (uint64_t)high;
    r->low_bits = bits;
}

static inline void set_pattern(struct reach *r, uint32_t exec, bool is_on_line, uint32_t first)
{
    if (!is_on_line || r->stride <= -STRIDE_LIMIT || r->stride >= STRIDE_LIMIT) {
        r->pattern = PATTERN_LANES;
        bound_lanes(r, exec, r->addr[first]);
        return;
    }
    uint32_t last = 31 - (uint32_t)__builtin_clz(exec);
    uint64_t a = r->addr[first], b = r->addr[last];
    r->pattern = r->stride == 0 ? PATTERN_UNIFORM : PATTERN_STRIDE;
    r->lowest = r->stride < 0 ? b : a;
    r->highest = r->stride < 0 ? a : b;
    r->low_bits = a | (uint64_t)r->stride;
}

static inline void find_addresses(const struct warp *w, const struct insn *i, struct reach *r)
{
    const uint32_t exec = w->exec;
    const uint32_t first = (uint32_t)__builtin_ctz(exec), rest = exec & (exec - 1);
    const uint32_t second = rest ? (uint32_t)__builtin_ctz(rest) : first + 1;
    const uint64_t imm = i->imm;
    bool is_on_line = true;
    if (i->src[0] == NO_OPERAND) {
        for (int l = 0; l < WARP_LANES; l++)
            r->addr[l] = imm;
        r->base = imm;
        r->stride = 0;
    } else if (i->mod & OP_ADDR32) { /* 32-bit addresses wrap around */
        const lane_u32 *reg = UNIT(w, i->src[0]);
        const uint32_t imm32 = (uint32_t)imm;
        uint64_t a = reg[first] + imm32, b = rest ? reg[second] + imm32 : a;
        struct line line = line_through(first, a, second, b);
        r->base = line.base;
        r->stride = line.stride;
        FIND_LINE(r, exec, (uint64_t)(uint32_t)(reg[l] + imm32));
    } else {
        const lane_u64 *reg = UNIT(w, i->src[0]);
        uint64_t a = reg[first] + imm, b = rest ? reg[second] + imm : a;
        struct line line = line_through(first, a, second, b);
        r->base = line.base;
        r->stride = line.stride;
        FIND_LINE(r, exec, reg[l] + imm);
    }
    set_pattern(r, exec, is_on_line, first);
}

/* --- checks --------------------------------------------------------------------------------- */

static inline bool is_within(const struct reach *r, struct range_cache range, uint32_t size)
{
    return (int64_t)r->lowest >= (int64_t)range.lo &&
           (int64_t)r->highest <= (int64_t)range.hi - (int64_t)size &&
           (r->low_bits & (size - 1)) == 0;
}

static inline bool reach_device(struct warp *w, const struct insn *i, struct reach *r,
                                enum stream_space space)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->grid->host;
    r->range = w->grid->cache[i->id];
    if (__builtin_expect(!is_within(r, r->range, mem_size(i)), 0) &&
        !LANE(mem_check_lanes)(w, i, r, w->exec, MEM_GLOBAL))
        return false;
    if (w->out)
        mem_check_put(w->out, r, space, w->exec);
    return true;
}

static inline bool reach_global(struct warp *w, const struct insn *i, struct reach *r)
{
    return reach_device(w, i, r, STREAM_GLOBAL);
}

static bool reach_const(struct warp *w, const struct insn *i, struct reach *r)
{
    return reach_device(w, i, r, STREAM_CONST);
}

static inline bool reach_shared(struct warp *w, const struct insn *i, struct reach *r)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->cta->shared;
    r->range = (struct range_cache){0, w->grid->shared_bytes};
    if (__builtin_expect(!is_within(r, r->range, mem_size(i)) || w->cta->shared_written, 0) &&
        !LANE(mem_check_lanes)(w, i, r, w->exec, MEM_SHARED))
        return false;
    if (w->out)
        mem_check_put(w->out, r, STREAM_SHARED, w->exec);
    return true;
}

/* Each lane has a memory of its own. */
static void spread_over_threads(const struct warp *w, struct reach *r)
{
    for (int l = 0; l < WARP_LANES; l++)
        r->addr[l] += (uint64_t)l * w->local_stride;
    r->pattern = PATTERN_LANES;
}

static bool reach_local(struct warp *w, const struct insn *i, struct reach *r)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->local;
    r->range = (struct range_cache){0, w->grid->code->local_bytes};
    if (!is_within(r, r->range, mem_size(i)) && !LANE(mem_check_lanes)(w, i, r, w->exec, MEM_LOCAL))
        return false;
    if (w->out)
        mem_check_put(w->out, r, STREAM_LOCAL, w->exec);
    spread_over_threads(w, r);
    return true;
}

static bool reach_param(struct warp *w, const struct insn *i, struct reach *r)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->grid->params;
    r->range = (struct range_cache){0, w->grid->param_bytes};
    if (!is_within(r, r->range, mem_size(i)) && !LANE(mem_check_lanes)(w, i, r, w->exec, MEM_PARAM))
        return false;
    if (w->out)
        mem_check_put(w->out, r, STREAM_PARAM, w->exec);
    return true;
}

static bool reach_frame(struct warp *w, const struct insn *i, struct reach *r)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->local + w->grid->code->local_bytes;
    r->range = (struct range_cache){0, w->grid->code->frame_bytes};
    if (!is_within(r, r->range, mem_size(i)) && !LANE(mem_check_lanes)(w, i, r, w->exec, MEM_FRAME))
        return false;
    spread_over_threads(w, r);
    return true;
}

/* Pointers into device memory are by far the most frequent and go the fast way. */
static bool reach_generic(struct warp *w, const struct insn *i, struct reach *r)
{
    find_addresses(w, i, r);
    r->host = (uintptr_t)w->grid->host;
    r->range = w->grid->cache[i->id];
    if (!is_within(r, r->range, mem_size(i)))
        return LANE(mem_check_generic)(w, i, r);
    if (w->out) {
        stream_writer_sets(w->out, 1);
        stream_writer_set(w->out, STREAM_GLOBAL, w->active, w->exec);
        mem_check_put(w->out, r, STREAM_GLOBAL, w->exec);
    }
    return true;
}

bool LANE(mem_reach)(struct warp *w, const struct insn *i, struct reach *r)
{
    switch (mem_space(i)) {
    case MEM_GLOBAL:
        return reach_global(w, i, r);
    case MEM_SHARED:
        return reach_shared(w, i, r);
    case MEM_LOCAL:
        return reach_local(w, i, r);
    case MEM_CONST:
        return reach_const(w, i, r);
    case MEM_PARAM:
        return reach_param(w, i, r);
    case MEM_FRAME:
        return reach_frame(w, i, r);
    default:
        return reach_generic(w, i, r);
    }
}

/* --- moves ---------------------------------------------------------------------------------- */

/* Whether the whole warp's row, idle lanes included, may be read. */
static inline bool is_row_readable(const struct reach *r, uint64_t row_bytes)
{
    return (int64_t)r->base >= (int64_t)r->range.lo &&
           (int64_t)r->base <= (int64_t)r->range.hi - (int64_t)row_bytes;
}

/* M: type in memory; E: type that it extends to; R: type of the lanes. */
#define DEFINE_LOAD(name, M, E, R)                                                                 \
    static void load_lanes_##name(struct warp *w, const struct reach *r, uint16_t unit,            \
                                  uint32_t offset)                                                 \
    {                                                                                              \
        lane_##R *dst = UNIT(w, unit);                                                             \
        const uintptr_t host = r->host + offset;                                                   \
        if (w->exec == UINT32_MAX) {                                                               \
            for (int l = 0; l < WARP_LANES; l++) {                                                 \
                M value;                                                                           \
                memcpy(&value, (const uint8_t *)(host + r->addr[l]), sizeof value);                \
                dst[l] = (lane_##R)(E)value;                                                       \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        FOR_BITS(l, w->exec)                                                                       \
        {                                                                                          \
            M value;                                                                               \
            memcpy(&value, (const uint8_t *)(host + r->addr[l]), sizeof value);                    \
            dst[l] = (lane_##R)(E)value;                                                           \
        }                                                                                          \
    }                                                                                              \
    static void load_uniform_##name(struct warp *w, const struct reach *r, uint16_t unit,          \
                                    uint32_t offset)                                               \
    {                                                                                              \
        M value;                                                                                   \
        memcpy(&value, (const uint8_t *)(r->host + r->base + offset), sizeof value);               \
        const lane_##R wide = (lane_##R)(E)value;                                                  \
        MAP(w, R, unit, wide);                                                                     \
    }                                                                                              \
    static void load_row_##name(struct warp *w, const struct reach *r, uint16_t unit)              \
    {                                                                                              \
        M row[WARP_LANES];                                                                         \
        memcpy(row, (const uint8_t *)(r->host + r->base), sizeof row);                             \
        MAP(w, R, unit, (lane_##R)(E)row[l]);                                                      \
    }                                                                                              \
    static void load_vector_##name(struct warp *w, const struct insn *i, const struct reach *r)    \
    {                                                                                              \
        for (uint32_t k = 0; k < mem_vec(i); k++) {                                                \
            if (i->list[k] == NO_OPERAND)                                                          \
                continue;                                                                          \
            if (r->pattern == PATTERN_UNIFORM)                                                     \
                load_uniform_##name(w, r, i->list[k], k *(uint32_t)sizeof(M));                     \
            else                                                                                   \
                load_lanes_##name(w, r, i->list[k], k *(uint32_t)sizeof(M));                       \
        }                                                                                          \
    }                                                                                              \
    static inline void load_##name(struct warp *w, const struct insn *i, const struct reach *r)    \
    {                                                                                              \
        if (mem_vec(i) > 1)                                                                        \
            load_vector_##name(w, i, r);                                                           \
        else if (i->dst == NO_OPERAND)                                                             \
            return;                                                                                \
        else if (r->pattern == PATTERN_UNIFORM)                                                    \
            load_uniform_##name(w, r, i->dst, 0);                                                  \
        else if (r->pattern == PATTERN_STRIDE && r->stride == sizeof(M) &&                         \
                 is_row_readable(r, WARP_LANES * sizeof(M)))                                       \
            load_row_##name(w, r, i->dst);                                                         \
        else                                                                                       \
            load_lanes_##name(w, r, i->dst, 0);                                                    \
    }

DEFINE_LOAD(u8, uint8_t, uint32_t, u32)
DEFINE_LOAD(s8, int8_t, int32_t, u32)
DEFINE_LOAD(u16, uint16_t, uint32_t, u32)
DEFINE_LOAD(s16, int16_t, int32_t, u32)
DEFINE_LOAD(b32, uint32_t, uint32_t, u32)
DEFINE_LOAD(b64, uint64_t, uint64_t, u64)

/* Lanes in ascending order: of several that store to one place, the highest wins. */
#define DEFINE_STORE(name, M, R)                                                                   \
    static void store_lanes_##name(struct warp *w, const struct reach *r, uint16_t unit,           \
                                   uint32_t offset)                                                \
    {                                                                                              \
        const lane_##R *src = UNIT(w, unit);                                                       \
        const uintptr_t host = r->host + offset;                                                   \
        FOR_BITS(l, w->exec)                                                                       \
        {                                                                                          \
            M value = (M)src[l];                                                                   \
            memcpy((uint8_t *)(host + r->addr[l]), &value, sizeof value);                          \
        }                                                                                          \
    }                                                                                              \
    static void store_row_##name(struct warp *w, const struct reach *r, uint16_t unit)             \
    {                                                                                              \
        const lane_##R *src = UNIT(w, unit);                                                       \
        M row[WARP_LANES];                                                                         \
        for (int l = 0; l < WARP_LANES; l++)                                                       \
            row[l] = (M)src[l];                                                                    \
        memcpy((uint8_t *)(r->host + r->base), row, sizeof row);                                   \
    }                                                                                              \
    static inline void store_##name(struct warp *w, const struct insn *i, const struct reach *r)   \
    {                                                                                              \
        if (mem_vec(i) > 1)                                                                        \
            for (uint32_t k = 0; k < mem_vec(i); k++)                                              \
                store_lanes_##name(w, r, i->list[k], k *(uint32_t)sizeof(M));                      \
        else if (r->pattern == PATTERN_STRIDE && r->stride == sizeof(M) && w->exec == UINT32_MAX)  \
            store_row_##name(w, r, i->src[1]);                                                     \
        else                                                                                       \
            store_lanes_##name(w, r, i->src[1], 0);                                                \
    }

DEFINE_STORE(b8, uint8_t, u32)
DEFINE_STORE(b16, uint16_t, u32)
DEFINE_STORE(b32, uint32_t, u32)
DEFINE_STORE(b64, uint64_t, u64)

/* --- handlers ------------------------------------------------------------------------------- */

#define LD(space, elem)                                                                            \
    static void ld_##space##_##elem(struct warp *w, const struct insn *i)                          \
    {                                                                                              \
        struct reach r;                                                                            \
        if (reach_##space(w, i, &r))                                                               \
            load_##elem(w, i, &r);                                                                 \
    }
#define ST(space, elem, is_seen_by_others)                                                         \
    static void st_##space##_##elem(struct warp *w, const struct insn *i)                          \
    {                                                                                              \
        struct reach r;                                                                            \
        if (!reach_##space(w, i, &r))                                                              \
            return;                                                                                \
        store_##elem(w, i, &r);                                                                    \
        w->grid->changes += (is_seen_by_others);                                                   \
    }
/* A generic pointer may lead to the thread's own local memory, which nobody else sees. */
static bool leaves_warp(const struct warp *w, const struct reach *r)
{
    const uintptr_t local = (uintptr_t)w->local, bytes = w->local_stride * WARP_LANES;
    FOR_BITS(l, w->exec)
    {
        if (r->host + r->addr[l] - local >= bytes)
            return true;
    }
    return false;
}

#define LD_ALL(space)                                                                              \
    LD(space, u8) LD(space, s8) LD(space, u16) LD(space, s16) LD(space, b32) LD(space, b64)
#define ST_ALL(space, seen)                                                                        \
    ST(space, b8, seen) ST(space, b16, seen) ST(space, b32, seen) ST(space, b64, seen)

LD_ALL(global)
LD_ALL(shared)
LD_ALL(local)
LD_ALL(const)
LD_ALL(param)
LD_ALL(frame)
LD_ALL(generic)
ST_ALL(global, 1)
ST_ALL(shared, 1)
ST_ALL(local, 0)
ST_ALL(frame, 0)
ST_ALL(generic, leaves_warp(w, &r))

#define LD_ROW(space)                                                                              \
    {                                                                                              \
        ld_##space##_u8, ld_##space##_s8, ld_##space##_u16, ld_##space##_s16, ld_##space##_b32,    \
            ld_##space##_b64                                                                       \
    }
#define ST_ROW(space)                                                                              \
    {                                                                                              \
        st_##space##_b8, st_##space##_b8, st_##space##_b16, st_##space##_b16, st_##space##_b32,    \
            st_##space##_b64                                                                       \
    }

op_fn *LANE(mem_load)(enum mem_space space, enum mem_elem elem)
{
    static op_fn *const table[MEM_SPACES][MEM_ELEMS] = {
        [MEM_GLOBAL] = LD_ROW(global),   [MEM_SHARED] = LD_ROW(shared), [MEM_LOCAL] = LD_ROW(local),
        [MEM_CONST] = LD_ROW(const),     [MEM_PARAM] = LD_ROW(param),   [MEM_FRAME] = LD_ROW(frame),
        [MEM_GENERIC] = LD_ROW(generic),
    };
    return table[space][elem];
}

/* Constant memory and a kernel's own parameters cannot be written. */
op_fn *LANE(mem_store)(enum mem_space space, enum mem_elem elem)
{
    static op_fn *const table[MEM_SPACES][MEM_ELEMS] = {
        [MEM_GLOBAL] = ST_ROW(global), [MEM_SHARED] = ST_ROW(shared),   [MEM_LOCAL] = ST_ROW(local),
        [MEM_FRAME] = ST_ROW(frame),   [MEM_GENERIC] = ST_ROW(generic),
    };
    return table[space][elem];
}

static void copy_frame(struct warp *w, const struct insn *i)
{
    uint8_t *frame = w->local + w->grid->code->local_bytes;
    FOR_BITS(l, w->exec)
    {
        uint8_t *own = frame + l * w->local_stride;
        memmove(own + (i->imm >> 32), own + (uint32_t)i->imm, i->mod);
    }
}

op_fn *LANE(mem_copy_frame)(void)
{
    return copy_frame;
}
