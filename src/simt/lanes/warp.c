/* warp.c - instructions by which the lanes of a warp see one another.
 *
 * A membermask may differ from lane to lane (hardware then executes one group after another): each
 * lane works with the lanes that its own mask names and that execute.  Lanes that are named but do
 * not execute are left out; --check calls that a fault. */
#include "simt/lanes/mem.h"

/* --- membermasks ---------------------------------------------------------------------------- */

/* --check: whoever is named takes part.  False after a fault. */
static bool has_right_members(struct warp *w, const struct insn *i, uint16_t unit)
{
    const lane_u32 *mask = UNIT(w, unit);
    if (!w->grid->check)
        return true;
    FOR_BITS(l, w->exec)
    {
        uint32_t absent = mask[l] & w->live & ~w->exec;
        if (absent || !(mask[l] >> l & 1)) {
            exec_fault(w, i, l, "membermask 0x%08x: %s (lanes 0x%08x execute)", (unsigned)mask[l],
                       absent ? "names lanes that do not take part" : "lacks the lane itself",
                       w->exec);
            return false;
        }
    }
    return true;
}

/* The participants of each lane.  False after a fault. */
static bool members_of(struct warp *w, const struct insn *i, uint16_t unit,
                       uint32_t out[WARP_LANES])
{
    const lane_u32 *mask = UNIT(w, unit);
    for (int l = 0; l < WARP_LANES; l++)
        out[l] = mask[l] & w->exec;
    return has_right_members(w, i, unit);
}

static void members_are_all(const struct warp *w, uint32_t out[WARP_LANES])
{
    for (int l = 0; l < WARP_LANES; l++)
        out[l] = w->exec;
}

/* An absent membermask (the forms before sm_70) means all that execute. */
static bool members_maybe(struct warp *w, const struct insn *i, uint16_t unit,
                          uint32_t out[WARP_LANES])
{
    if (unit != NO_OPERAND)
        return members_of(w, i, unit, out);
    members_are_all(w, out);
    return true;
}

/* --- vote, match, redux --------------------------------------------------------------------- */

static void vote_ballot(struct warp *w, const struct insn *i)
{
    uint32_t members[WARP_LANES];
    if (!members_maybe(w, i, i->src[1], members))
        return;
    uint32_t votes = pred_read(w, i->src[0]);
    if (i->dst != NO_OPERAND)
        MAP(w, u32, i->dst, (votes & members[l]));
}

#define DEFINE_VOTE(name, HOLDS)                                                                   \
    static void vote_##name(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        uint32_t members[WARP_LANES], result;                                                      \
        if (!members_maybe(w, i, i->src[1], members))                                              \
            return;                                                                                \
        const uint32_t votes = pred_read(w, i->src[0]);                                            \
        MASK_OF(w, result, HOLDS);                                                                 \
        pred_write(w, i->dst, result);                                                             \
    }
DEFINE_VOTE(all, (votes & members[l]) == members[l])
DEFINE_VOTE(any, (votes & members[l]) != 0)
DEFINE_VOTE(uni, (votes & members[l]) == members[l] || (votes & members[l]) == 0)

/* same[l]: the executing lanes that hold the same value as l. */
#define DEFINE_SAME(T)                                                                             \
    static void same_##T(const struct warp *w, uint16_t unit, uint32_t same[WARP_LANES])           \
    {                                                                                              \
        const lane_##T *value = UNIT(w, unit);                                                     \
        for (uint32_t left = w->exec; left;) {                                                     \
            const lane_##T v = value[__builtin_ctz(left)];                                         \
            uint32_t group;                                                                        \
            MASK_OF(w, group, value[l] == v);                                                      \
            FOR_BITS(l, group)                                                                     \
            same[l] = group;                                                                       \
            left &= ~group;                                                                        \
        }                                                                                          \
    }
DEFINE_SAME(u32)
DEFINE_SAME(u64)

#define DEFINE_MATCH(T)                                                                            \
    static void match_any_##T(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        uint32_t members[WARP_LANES], same[WARP_LANES] = {0};                                      \
        if (!members_of(w, i, i->src[1], members) || i->dst == NO_OPERAND)                         \
            return;                                                                                \
        same_##T(w, i->src[0], same);                                                              \
        MAP(w, u32, i->dst, same[l] & members[l]);                                                 \
    }                                                                                              \
    static void match_all_##T(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        uint32_t members[WARP_LANES], same[WARP_LANES] = {0}, agree;                               \
        if (!members_of(w, i, i->src[1], members))                                                 \
            return;                                                                                \
        same_##T(w, i->src[0], same);                                                              \
        MASK_OF(w, agree, (members[l] & ~same[l]) == 0);                                           \
        if (i->dst != NO_OPERAND)                                                                  \
            MAP(w, u32, i->dst, agree >> l & 1 ? members[l] : 0);                                  \
        pred_write(w, i->dst2, agree);                                                             \
    }
DEFINE_MATCH(u32)
DEFINE_MATCH(u64)

/* Lanes with the same participants share one result. */
#define DEFINE_REDUX(name, T, START, STEP)                                                         \
    static void redux_##name(struct warp *w, const struct insn *i)                                 \
    {                                                                                              \
        uint32_t members[WARP_LANES], known = 0;                                                   \
        if (!members_of(w, i, i->src[1], members) || i->dst == NO_OPERAND)                         \
            return;                                                                                \
        lane_##T value[WARP_LANES], result = 0;                                                    \
        memcpy(value, UNIT(w, i->src[0]), sizeof value);                                           \
        lane_##T *dst = UNIT(w, i->dst);                                                           \
        FOR_BITS(l, w->exec)                                                                       \
        {                                                                                          \
            if (known == 0 || members[l] != known) {                                               \
                result = (START);                                                                  \
                FOR_EACH_MEMBER(k, members[l])                                                     \
                {                                                                                  \
                    const lane_##T v = value[k];                                                   \
                    result = (STEP);                                                               \
                }                                                                                  \
                known = members[l];                                                                \
            }                                                                                      \
            dst[l] = result;                                                                       \
        }                                                                                          \
    }
#define FOR_EACH_MEMBER(k, mask)                                                                   \
    for (uint32_t n_ = (mask), k; n_ && (k = (uint32_t)__builtin_ctz(n_), 1); n_ &= n_ - 1)

DEFINE_REDUX(add, u32, 0, result + v)
DEFINE_REDUX(and, u32, UINT32_MAX, (result & v))
DEFINE_REDUX(or, u32, 0, result | v)
DEFINE_REDUX(xor, u32, 0, result ^ v)
DEFINE_REDUX(min_u32, u32, UINT32_MAX, v < result ? v : result)
DEFINE_REDUX(max_u32, u32, 0, v > result ? v : result)
DEFINE_REDUX(min_s32, s32, INT32_MAX, v < result ? v : result)
DEFINE_REDUX(max_s32, s32, INT32_MIN, v > result ? v : result)

/* --- shfl ----------------------------------------------------------------------------------- */

/* PTX ISA, "shfl": c holds the clamp in bits 0-4 and the segment mask in bits 8-12.  An idle
 * source lane gives whatever its register holds.  A source out of range is kept as ~lane: the sign
 * says so, and the lane itself is what is read. */
struct segment {
    int32_t low, limit, mask;
};

static inline struct segment segment_of(int32_t lane, uint32_t c)
{
    int32_t clamp = (int32_t)(c & 31), mask = (int32_t)(c >> 8 & 31);
    return (struct segment){lane & mask, (lane & mask) | (clamp & ~mask), mask};
}

#define DEFINE_SHFL(name, FROM, IS_IN_RANGE)                                                       \
    static void shfl_##name(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        uint32_t in_range;                                                                         \
        int32_t source[WARP_LANES];                                                                \
        lane_u32 moved[WARP_LANES];                                                                \
        if (i->src[3] != NO_OPERAND && !has_right_members(w, i, i->src[3]))                        \
            return;                                                                                \
        const lane_u32 *a = UNIT(w, i->src[0]), *bs = UNIT(w, i->src[1]),                          \
                       *cs = UNIT(w, i->src[2]);                                                   \
        FOR_LANES(lane)                                                                            \
        {                                                                                          \
            const int32_t b = (int32_t)(bs[lane] & 31);                                            \
            const struct segment s = segment_of(lane, cs[lane]);                                   \
            const int32_t from = (FROM);                                                           \
            source[lane] = (IS_IN_RANGE) ? from : ~lane;                                           \
        }                                                                                          \
        MASK_OF(w, in_range, source[l] >= 0);                                                      \
        for (int l = 0; l < WARP_LANES; l++)                                                       \
            moved[l] = a[(source[l] ^ source[l] >> 31) & 31];                                      \
        if (i->dst != NO_OPERAND)                                                                  \
            MAP(w, u32, i->dst, moved[l]);                                                         \
        pred_write(w, i->dst2, in_range);                                                          \
    }
DEFINE_SHFL(up, lane - b, from >= s.limit)
DEFINE_SHFL(down, lane + b, from <= s.limit)
DEFINE_SHFL(bfly, lane ^ b, from <= s.limit)
DEFINE_SHFL(idx, s.low | (b & ~s.mask), from <= s.limit)

/* --- the rest ------------------------------------------------------------------------------- */

static void activemask(struct warp *w, const struct insn *i)
{
    const uint32_t exec = w->exec;
    if (i->dst != NO_OPERAND)
        MAP(w, u32, i->dst, exec);
}

static void elect(struct warp *w, const struct insn *i)
{
    uint32_t members[WARP_LANES], leaders;
    if (!members_of(w, i, i->src[0], members))
        return;
    if (i->dst != NO_OPERAND)
        MAP(w, u32, i->dst, members[l] ? (uint32_t)__builtin_ctz(members[l]) : 0);
    MASK_OF(w, leaders, (members[l] & (0 - members[l])) == 1u << l);
    pred_write(w, i->dst2, leaders);
}

/* Lanes of a warp execute in step, so there is nothing to wait for. */
static void warp_sync(struct warp *w, const struct insn *i)
{
    has_right_members(w, i, i->src[0]);
}

static void no_effect(struct warp *w, const struct insn *i)
{
    (void)w, (void)i;
}

/* --- finding -------------------------------------------------------------------------------- */

struct warp_row {
    const char *text, *operands;
    op_fn *fn;
    uint8_t unit, opclass;
};

/* Opcodes that are matched up to the end of the text given, and hints without effect. */
#define ROW(text, operands, fn)                                                                    \
    {                                                                                              \
        text, operands, fn, UNIT_INT, OPCLASS_SHUFFLE                                              \
    }
#define CONTROL(text, operands, fn)                                                                \
    {                                                                                              \
        text, operands, fn, UNIT_CONTROL, OPCLASS_SIMPLE                                           \
    }
static const struct warp_row rows[] = {
    ROW("vote.sync.ballot.b32", "Wpw", vote_ballot),
    ROW("vote.ballot.sync.b32", "Wpw", vote_ballot),
    ROW("vote.sync.all.pred", "Ppw", vote_all),
    ROW("vote.all.sync.pred", "Ppw", vote_all),
    ROW("vote.sync.any.pred", "Ppw", vote_any),
    ROW("vote.any.sync.pred", "Ppw", vote_any),
    ROW("vote.sync.uni.pred", "Ppw", vote_uni),
    ROW("vote.uni.sync.pred", "Ppw", vote_uni),
    ROW("vote.ballot.b32", "Wp", vote_ballot),
    ROW("vote.all.pred", "Pp", vote_all),
    ROW("vote.any.pred", "Pp", vote_any),
    ROW("vote.uni.pred", "Pp", vote_uni),
    ROW("match.any.sync.b32", "Www", match_any_u32),
    ROW("match.any.sync.b64", "Wdw", match_any_u64),
    ROW("match.all.sync.b32", "Sww", match_all_u32),
    ROW("match.all.sync.b64", "Sdw", match_all_u64),
    ROW("match.sync.any.b32", "Www", match_any_u32),
    ROW("match.sync.any.b64", "Wdw", match_any_u64),
    ROW("match.sync.all.b32", "Sww", match_all_u32),
    ROW("match.sync.all.b64", "Sdw", match_all_u64),
    ROW("redux.sync.add.u32", "Www", redux_add),
    ROW("redux.sync.add.s32", "Www", redux_add),
    ROW("redux.sync.and.b32", "Www", redux_and),
    ROW("redux.sync.or.b32", "Www", redux_or),
    ROW("redux.sync.xor.b32", "Www", redux_xor),
    ROW("redux.sync.min.u32", "Www", redux_min_u32),
    ROW("redux.sync.min.s32", "Www", redux_min_s32),
    ROW("redux.sync.max.u32", "Www", redux_max_u32),
    ROW("redux.sync.max.s32", "Www", redux_max_s32),
    ROW("shfl.sync.up.b32", "Swwww", shfl_up),
    ROW("shfl.sync.down.b32", "Swwww", shfl_down),
    ROW("shfl.sync.bfly.b32", "Swwww", shfl_bfly),
    ROW("shfl.sync.idx.b32", "Swwww", shfl_idx),
    ROW("shfl.up.b32", "Swww", shfl_up),
    ROW("shfl.down.b32", "Swww", shfl_down),
    ROW("shfl.bfly.b32", "Swww", shfl_bfly),
    ROW("shfl.idx.b32", "Swww", shfl_idx),
    ROW("activemask.b32", "W", activemask),
    ROW("elect.sync", "Sw", elect),
    CONTROL("bar.warp.sync", "w", warp_sync),
    CONTROL("barrier.warp.sync", "w", warp_sync),
    CONTROL("nanosleep.u32", "w", no_effect),
    CONTROL("pmevent", "i", no_effect),
    CONTROL("pmevent.mask", "i", no_effect),
    CONTROL("griddepcontrol.launch_dependents", "", no_effect),
    CONTROL("griddepcontrol.wait", "", no_effect),
    CONTROL("setmaxnreg.inc.sync.aligned.u32", "i", no_effect),
    CONTROL("setmaxnreg.dec.sync.aligned.u32", "i", no_effect),
};
#undef ROW
#undef CONTROL

static bool is_ours(const struct opcode *o)
{
    static const char *const first[] = {"vote",           "match",     "redux",     "shfl",
                                        "activemask",     "elect",     "nanosleep", "pmevent",
                                        "griddepcontrol", "setmaxnreg"};
    for (size_t k = 0; k < sizeof first / sizeof first[0]; k++)
        if (strcmp(o->part[0], first[k]) == 0)
            return true;
    bool is_barrier = strcmp(o->part[0], "bar") == 0 || strcmp(o->part[0], "barrier") == 0;
    return is_barrier && o->nparts > 1 && strcmp(o->part[1], "warp") == 0;
}

bool LANE(find_warp)(const struct opcode *o, struct op_desc *d, bool *ok, struct err *e)
{
    if (!is_ours(o))
        return false;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(o->text, rows[k].text) == 0) {
            *d = (struct op_desc){.fn = rows[k].fn,
                                  .operands = rows[k].operands,
                                  .unit = rows[k].unit,
                                  .opclass = rows[k].opclass,
                                  .vec = 1};
            *ok = true;
            return true;
        }
    *ok = err_set(e, STATUS_BAD_INPUT, "%s: \"%s\" is not known", o->where, o->text);
    return true;
}
