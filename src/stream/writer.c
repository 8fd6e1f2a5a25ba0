/* writer.c - the less frequent half of writing a warp's stream: far blocks, changed masks, lanes
 * with no pattern.  codec.h says which bytes mean what. */
#include "stream/writer.h"

enum { LANES_ROOM = 1 + 8 + 8 + WARP_LANES * 8 + 8 };

void stream_writer_init(struct stream_writer *w)
{
    *w = (struct stream_writer){0};
    stream_writer_reset(w);
}

void stream_writer_reset(struct stream_writer *w)
{
    struct bytes control = w->control, payload = w->payload;
    control.used = payload.used = 0;
    *w = (struct stream_writer){.control = control,
                                .payload = payload,
                                .last_mask = UINT32_MAX,
                                .mask_before = UINT32_MAX,
                                .last_lanes = WARP_LANES};
}

void stream_writer_free(struct stream_writer *w)
{
    bytes_free(&w->control);
    bytes_free(&w->payload);
}

static enum codec_mask mask_code(const struct stream_writer *w, uint32_t mask)
{
    if (mask == w->last_mask)
        return CODEC_MASK_SAME;
    if (mask == w->mask_before)
        return CODEC_MASK_BEFORE;
    return mask == (w->mask_before ^ w->last_mask) ? CODEC_MASK_OTHER : CODEC_MASK_GIVEN;
}

void stream_writer_block_slow(struct stream_writer *w, uint32_t block, uint32_t count,
                              uint32_t mask)
{
    HD_ASSERT(mask, "a block without lanes is not executed");
    uint32_t step = block - w->last_block;
    uint32_t folded = (step << 1) ^ (uint32_t)((int32_t)step >> 31);
    enum codec_mask code = mask_code(w, mask);
    bytes_put_u8(&w->control, (uint8_t)((folded < CODEC_FAR ? folded : CODEC_FAR) << 2 | code));
    if (folded >= CODEC_FAR)
        bytes_put_varint(&w->control, block);
    if (code == CODEC_MASK_GIVEN)
        bytes_put_u32(&w->control, mask);
    if (code != CODEC_MASK_SAME) {
        w->mask_before = w->last_mask;
        w->last_mask = mask;
        w->last_lanes = (uint32_t)__builtin_popcount(mask);
    }
    w->last_block = block;
    w->next_slot = codec_first_slot(block);
    w->insns += count;
    w->thread_insns += (uint64_t)count * w->last_lanes;
}

static void assert_lanes(const struct stream_writer *w, uint32_t active, uint32_t mask)
{
    HD_ASSERT(((mask | active) & ~w->last_mask) == 0 && (mask & ~active) == 0,
              "lanes %08x of %08x are not among the block's %08x", mask, active, w->last_mask);
}

void stream_writer_guard_slow(struct stream_writer *w, uint32_t active, uint32_t mask)
{
    assert_lanes(w, active, mask);
    bytes_put_u8(&w->payload, CODEC_GUARD_GIVEN);
    bytes_put_u32(&w->payload, mask);
}

void stream_writer_bar(struct stream_writer *w, uint32_t id, uint32_t threads)
{
    bytes_put_varint(&w->payload, (uint64_t)id << 1 | (threads != 0));
    if (threads)
        bytes_put_varint(&w->payload, threads);
}

void stream_writer_sets(struct stream_writer *w, uint32_t nsets)
{
    HD_ASSERT(nsets <= STREAM_MAX_SETS, "%u address sets", nsets);
    bytes_put_u8(&w->payload, (uint8_t)nsets);
}

void stream_writer_set(struct stream_writer *w, enum stream_space space, uint32_t active,
                       uint32_t mask)
{
    HD_ASSERT(mask, "an address set without lanes");
    assert_lanes(w, active, mask);
    unsigned is_given = mask != w->last_mask;
    bytes_put_u8(&w->payload, (uint8_t)((unsigned)space | is_given << CODEC_SPACE_BITS));
    if (is_given)
        bytes_put_u32(&w->payload, mask);
}

void stream_writer_stride_slow(struct stream_writer *w, enum stream_space space, uint64_t base,
                               int64_t stride)
{
    if (stride == 0) {
        stream_writer_uniform(w, space, base);
        return;
    }
    unsigned form = stride == w->last_stride[space] ? CODEC_STRIDE_LAST : CODEC_STRIDE_GIVEN;
    uint8_t *p = bytes_room(&w->payload, STREAM_WRITER_ROOM);
    p = stream_writer_base(w, p, space, base, PATTERN_STRIDE | form << 2);
    w->payload.used = (size_t)(p - w->payload.at);
    if (form == CODEC_STRIDE_GIVEN)
        bytes_put_varint(&w->payload, bytes_zigzag((uint64_t)stride));
    w->last_stride[space] = stride;
}

/* The differences of neighbouring active lanes. */
struct steps {
    uint64_t folded[WARP_LANES]; /* shifted down by `shift` */
    unsigned n, shift;
    uint64_t all; /* OR of the folded ones */
};

static void subtract_neighbours(struct steps *s, uint32_t mask, const uint64_t addr[WARP_LANES])
{
    if (mask == UINT32_MAX) {
        s->n = WARP_LANES - 1;
        for (unsigned i = 0; i < WARP_LANES - 1; i++)
            s->folded[i] = addr[i + 1] - addr[i];
        return;
    }
    uint64_t last = addr[__builtin_ctz(mask)];
    s->n = 0;
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uint64_t a = addr[__builtin_ctz(rest)];
        s->folded[s->n++] = a - last;
        last = a;
    }
}

static void find_steps(struct steps *s, uint32_t mask, const uint64_t addr[WARP_LANES])
{
    uint64_t any = 0;
    subtract_neighbours(s, mask, addr);
    for (unsigned i = 0; i < s->n; i++)
        any |= s->folded[i];
    unsigned zeros = any ? (unsigned)__builtin_ctzll(any) : 0;
    s->shift = zeros < CODEC_LANES_MAX_SHIFT ? zeros : CODEC_LANES_MAX_SHIFT;
    s->all = 0;
    for (unsigned i = 0; i < s->n; i++) {
        s->folded[i] = bytes_zigzag((uint64_t)((int64_t)s->folded[i] >> s->shift));
        s->all |= s->folded[i];
    }
}

static inline unsigned step_tag(bool is_wide, uint64_t v)
{
    if (is_wide)
        return (unsigned)(v > 0xff) + (unsigned)(v > 0xffff) + (unsigned)(v > 0xffffffff);
    return (unsigned)(v > 0) + (unsigned)(v > 0xff) + (unsigned)(v > 0xffff);
}

static inline __attribute__((always_inline)) uint8_t *put_steps(uint8_t *p, bool is_wide,
                                                                const struct steps *s)
{
    uint8_t *tags_at = p;
    uint64_t tags = 0;
    p += (2 * s->n + 7) / 8;
    for (unsigned i = 0; i < s->n; i++) {
        unsigned tag = step_tag(is_wide, s->folded[i]);
        bytes_store64(p, s->folded[i]);
        p += codec_width(is_wide, tag);
        tags |= (uint64_t)tag << (2 * i);
    }
    for (unsigned i = 0; 4 * i < s->n; i++) /* not as one word: the steps begin within it */
        tags_at[i] = (uint8_t)(tags >> (8 * i));
    return p;
}

static void put_lanes(struct stream_writer *w, enum stream_space space, uint64_t base,
                      const struct steps *s)
{
    bool is_wide = s->all >> 24 != 0;
    unsigned form = s->shift | (is_wide ? CODEC_LANES_WIDE : 0);
    uint8_t *p = bytes_room(&w->payload, LANES_ROOM);
    p = stream_writer_base(w, p, space, base, PATTERN_LANES | form << 2);
    p = is_wide ? put_steps(p, true, s) : put_steps(p, false, s);
    w->payload.used = (size_t)(p - w->payload.at);
}

static bool all_lanes_step_by(const uint64_t addr[WARP_LANES], uint64_t stride)
{
    uint64_t differs = 0;
    for (int l = 1; l < WARP_LANES; l++)
        differs |= (addr[l] - addr[l - 1]) ^ stride;
    return differs == 0;
}

static bool lanes_step_by(uint32_t mask, const uint64_t addr[WARP_LANES], uint64_t base,
                          uint64_t stride)
{
    for (; mask; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);
        if (addr[l] != base + l * stride)
            return false;
    }
    return true;
}

/* The stride of the first two lanes and where lane 0 would be, if all lanes agree. */
static bool find_stride(uint32_t mask, const uint64_t addr[WARP_LANES], uint64_t *base,
                        uint64_t *stride)
{
    if (mask == UINT32_MAX) {
        *base = addr[0];
        *stride = addr[1] - addr[0];
        return all_lanes_step_by(addr, *stride);
    }
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint32_t rest = mask & (mask - 1);
    *stride = 0;
    if (rest) {
        unsigned second = (unsigned)__builtin_ctz(rest);
        *stride = (uint64_t)((int64_t)(addr[second] - addr[first]) / (int64_t)(second - first));
    }
    *base = addr[first] - first * *stride;
    return lanes_step_by(mask, addr, *base, *stride);
}

/* --- rows ------------------------------------------------------------------------------------- */

struct rows {
    unsigned form; /* 1 << form lanes in a row */
    uint64_t base, inner, outer;
};

static uint64_t row_address(const struct rows *r, unsigned lane)
{
    return r->base + (lane & ((1u << r->form) - 1)) * r->inner + (lane >> r->form) * r->outer;
}

/* By differences of neighbours, which need no multiplication. */
static bool all_lanes_in_rows(const struct rows *r, const uint64_t addr[WARP_LANES])
{
    unsigned low = (1u << r->form) - 1;
    uint64_t jump = r->outer - low * r->inner, differs = 0;
    for (unsigned l = 1; l < WARP_LANES; l++)
        differs |= (addr[l] - addr[l - 1]) ^ (l & low ? r->inner : jump);
    return differs == 0;
}

static bool find_full_rows(const uint64_t addr[WARP_LANES], struct rows *r)
{
    unsigned length = 2;
    r->base = addr[0];
    r->inner = addr[1] - addr[0];
    while (length < WARP_LANES && addr[length] - addr[length - 1] == r->inner)
        length++;
    if (length & (length - 1) || length == WARP_LANES)
        return false;
    r->form = (unsigned)__builtin_ctz(length);
    r->outer = addr[length] - addr[0];
    return all_lanes_in_rows(r, addr);
}

static uint64_t divide(uint64_t difference, unsigned by)
{
    return (uint64_t)((int64_t)difference / (int64_t)by);
}

/* With `form` given: both strides from the first lanes that tell, then all active lanes. */
static bool find_rows_of(uint32_t mask, const uint64_t addr[WARP_LANES], struct rows *r)
{
    unsigned first = (unsigned)__builtin_ctz(mask), row = first >> r->form;
    uint32_t in_row = ((UINT32_C(1) << (1u << r->form)) - 1) << (row << r->form);
    uint32_t neighbours = mask & in_row & (mask - 1), others = mask & ~in_row;
    if (!neighbours || !others)
        return false;
    unsigned second = (unsigned)__builtin_ctz(neighbours), other = (unsigned)__builtin_ctz(others);
    unsigned low = (1u << r->form) - 1;
    r->inner = divide(addr[second] - addr[first], second - first);
    uint64_t start = addr[first] - (first & low) * r->inner;
    r->outer = divide(addr[other] - (other & low) * r->inner - start, (other >> r->form) - row);
    r->base = start - row * r->outer;
    for (; mask; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);
        if (addr[l] != row_address(r, l))
            return false;
    }
    return true;
}

static bool find_rows(uint32_t mask, const uint64_t addr[WARP_LANES], struct rows *r)
{
    if (mask == UINT32_MAX)
        return find_full_rows(addr, r);
    for (r->form = CODEC_ROWS_MAX_FORM; r->form >= 2; r->form--)
        if (find_rows_of(mask, addr, r))
            return true;
    return false;
}

static void put_rows(struct stream_writer *w, enum stream_space space, const struct rows *r)
{
    uint8_t *p = bytes_room(&w->payload, STREAM_WRITER_ROOM);
    p = stream_writer_base(w, p, space, r->base, CODEC_ROWS | r->form << 2);
    w->payload.used = (size_t)(p - w->payload.at);
    bytes_put_varint(&w->payload, bytes_zigzag(r->inner));
    bytes_put_varint(&w->payload, bytes_zigzag(r->outer));
}

void stream_writer_lanes(struct stream_writer *w, enum stream_space space, uint32_t mask,
                         const uint64_t addr[WARP_LANES])
{
    HD_ASSERT(mask, "an access without lanes");
    uint64_t base, stride;
    if (find_stride(mask, addr, &base, &stride)) {
        stream_writer_stride(w, space, base, (int64_t)stride);
        return;
    }
    struct rows r;
    if (find_rows(mask, addr, &r)) {
        put_rows(w, space, &r);
        return;
    }
    struct steps s;
    find_steps(&s, mask, addr);
    put_lanes(w, space, addr[__builtin_ctz(mask)], &s);
}
