/* reader.c - decoding a warp's stream.
 *
 * The bytes may come from a damaged file: nothing is read beyond them and nothing they say is
 * used as an index before it has been compared.  The first nonsense ends the warp. */
#include "stream/reader.h"

#include <string.h>

#include "base/bytes.h"

/* Called from many places of an SM's cycle, which must stay small enough for the host's instruction cache. */
#define APART __attribute__((noinline))

void stream_reader_init(struct stream_reader *r, const struct stream_kernel *k,
                        const struct stream_warp *w)
{
    *r = (struct stream_reader){.kernel = k,
                                .control = w->control,
                                .control_end = w->control,
                                .payload = w->payload,
                                .payload_end = w->payload,
                                .mask = UINT32_MAX,
                                .mask_before = UINT32_MAX};
    if (w->control_bytes)
        r->control_end += w->control_bytes;
    if (w->payload_bytes) /* a warp without payload may have no bytes to point to */
        r->payload_end += w->payload_bytes;
}

void stream_reader_init_view(struct stream_reader *r, const struct stream_kernel *k,
                             const struct stream_warp *w, struct stream_window *window)
{
    stream_reader_init(r, k, w);
    r->window = window;
    if (window)
        window->left = 0;
}

bool stream_kernel_has_windows(const struct stream_kernel *k)
{
    for (uint32_t i = 0; i < k->ninsns; i++)
        if (k->insns[i].turn)
            return true;
    return false;
}

static bool broken(struct stream_reader *r)
{
    r->is_broken = true;
    r->control = r->control_end;
    r->payload = r->payload_end;
    r->next = r->end;
    return false;
}

static bool take_u32(const uint8_t **p, const uint8_t *end, uint32_t *v)
{
    if (end - *p < 4)
        return false;
    *v = (uint32_t)(*p)[0] | (uint32_t)(*p)[1] << 8 | (uint32_t)(*p)[2] << 16 |
         (uint32_t)(*p)[3] << 24;
    *p += 4;
    return true;
}

static bool take_varint(const uint8_t **p, const uint8_t *end, uint64_t most, uint64_t *v)
{
    struct bytes_in in = {*p, end, false};
    *v = bytes_take_at_most(&in, most);
    *p = in.at;
    return !in.is_short;
}

/* --- control ----------------------------------------------------------------------------------- */

static bool take_mask(struct stream_reader *r, enum codec_mask code)
{
    uint32_t mask = code == CODEC_MASK_BEFORE ? r->mask_before : r->mask_before ^ r->mask;
    if (code == CODEC_MASK_GIVEN && !take_u32(&r->control, r->control_end, &mask))
        return false;
    r->mask_before = r->mask;
    r->mask = mask;
    return mask != 0;
}

static bool take_block(struct stream_reader *r)
{
    uint32_t byte = *r->control++, folded = byte >> 2;
    if (folded < CODEC_FAR) {
        r->block += (folded >> 1) ^ (0 - (folded & 1));
    } else {
        uint64_t block;
        if (!take_varint(&r->control, r->control_end, UINT32_MAX, &block))
            return false;
        r->block = (uint32_t)block;
    }
    r->next_slot = codec_first_slot(r->block);
    enum codec_mask code = byte & 3;
    return (code == CODEC_MASK_SAME || take_mask(r, code)) && r->block < r->kernel->nblocks;
}

APART bool stream_reader_enter(struct stream_reader *r)
{
    while (r->control != r->control_end) {
        if (!take_block(r))
            return broken(r);
        const struct stream_block *b = &r->kernel->blocks[r->block];
        r->next = b->first;
        r->end = b->first + b->count;
        if (b->count)
            return true;
    }
    return r->payload == r->payload_end ? false : broken(r);
}

bool stream_reader_skip(struct stream_reader *r, uint32_t *block, uint32_t *mask)
{
    if (r->control == r->control_end)
        return false;
    if (!take_block(r))
        return broken(r);
    *block = r->block;
    *mask = r->mask;
    return true;
}

/* --- payload ----------------------------------------------------------------------------------- */

static uint64_t peek_tail(const uint8_t *p, const uint8_t *end)
{
    uint8_t word[8] = {0};
    memcpy(word, p, (size_t)(end - p));
    return bytes_load64(word);
}

/* The next eight bytes, zeros where the payload has ended. */
static inline uint64_t peek(const uint8_t *p, const uint8_t *end)
{
    return end - p >= 8 ? bytes_load64(p) : peek_tail(p, end);
}

static inline uint64_t low_bytes(uint64_t v, unsigned n)
{
    return n == 0 ? 0 : v & (UINT64_MAX >> (64 - 8 * n));
}

static bool take_guard(struct stream_reader *r, struct stream_op *op)
{
    if (r->payload == r->payload_end)
        return false;
    switch (*r->payload++) {
    case CODEC_GUARD_ALL:
        return true;
    case CODEC_GUARD_NONE:
        op->mask = 0;
        r->next_slot++;
        return true;
    case CODEC_GUARD_GIVEN:
        return take_u32(&r->payload, r->payload_end, &op->mask) && op->mask != 0 &&
               (op->mask & ~op->active) == 0;
    default:
        return false;
    }
}

static bool take_stride(struct stream_reader *r, uint8_t space, unsigned form, int64_t *stride)
{
    uint64_t folded;
    switch (form) {
    case CODEC_STRIDE_LAST:
        *stride = r->last_stride[space];
        return true;
    case CODEC_STRIDE_GIVEN:
        if (!take_varint(&r->payload, r->payload_end, UINT64_MAX, &folded))
            return false;
        *stride = r->last_stride[space] = (int64_t)bytes_unzigzag(folded);
        return true;
    default:
        *stride = (int64_t)1 << form;
        return true;
    }
}

/* The widths of all steps: 0 1 2 3 or 1 2 4 8 bytes for the tags 0 1 2 3. */
static size_t steps_bytes(bool is_wide, uint64_t tags, unsigned n)
{
    uint64_t low = tags & 0x5555555555555555u, high = tags >> 1 & 0x5555555555555555u;
    size_t lows = (size_t)__builtin_popcountll(low), highs = (size_t)__builtin_popcountll(high);
    if (!is_wide)
        return lows + 2 * highs;
    return n + lows + 3 * highs + 3 * (size_t)__builtin_popcountll(low & high);
}

/* Eight bytes must be readable from the last step on. */
static inline __attribute__((always_inline)) uint64_t take_step(const uint8_t **p, bool is_wide,
                                                                unsigned tag)
{
    static const uint64_t narrow[] = {0, 0xff, 0xffff, 0xffffff};
    static const uint64_t wide[] = {0xff, 0xffff, 0xffffffff, UINT64_MAX};
    uint64_t v = bytes_load64(*p) & (is_wide ? wide : narrow)[tag];
    *p += codec_width(is_wide, tag);
    return bytes_unzigzag(v);
}

static inline __attribute__((always_inline)) void
add_steps(struct stream_access *a, bool is_wide, unsigned shift, uint64_t tags, const uint8_t *p)
{
    uint64_t at = a->base;
    a->addr[__builtin_ctz(a->mask)] = at;
    if (a->mask == UINT32_MAX) {
        for (unsigned l = 1; l < WARP_LANES; l++, tags >>= 2)
            a->addr[l] = at += take_step(&p, is_wide, tags & 3) << shift;
        return;
    }
    for (uint32_t rest = a->mask & (a->mask - 1); rest; rest &= rest - 1, tags >>= 2)
        a->addr[__builtin_ctz(rest)] = at += take_step(&p, is_wide, tags & 3) << shift;
}

/* The tags of the lanes of a mask and the bytes of their steps, which the payload has. */
static inline bool take_tags(struct stream_reader *r, uint32_t mask, unsigned form, uint64_t *tags,
                             size_t *bytes)
{
    unsigned n = (unsigned)__builtin_popcount(mask) - 1;
    size_t tag_bytes = (2 * n + 7) / 8;
    if ((size_t)(r->payload_end - r->payload) < tag_bytes)
        return false;
    *tags = low_bytes(peek(r->payload, r->payload_end), (unsigned)tag_bytes);
    *bytes = steps_bytes(form & CODEC_LANES_WIDE, *tags, n);
    r->payload += tag_bytes;
    return (size_t)(r->payload_end - r->payload) >= *bytes;
}

static bool take_lanes(struct stream_reader *r, struct stream_access *a, unsigned form)
{
    bool is_wide = form & CODEC_LANES_WIDE;
    uint64_t tags;
    size_t bytes;
    if (!take_tags(r, a->mask, form, &tags, &bytes))
        return false;
    const uint8_t *from = r->payload;
    uint8_t copy[WARP_LANES * 8 + 8];
    if ((size_t)(r->payload_end - from) < bytes + 8)
        from = memcpy(copy, from, bytes);
    if (is_wide)
        add_steps(a, true, form & CODEC_LANES_MAX_SHIFT, tags, from);
    else
        add_steps(a, false, form & CODEC_LANES_MAX_SHIFT, tags, from);
    r->payload += bytes;
    return true;
}

static bool take_rows(struct stream_reader *r, struct stream_access *a, unsigned form)
{
    uint64_t inner, outer;
    if (form == 0 || form > CODEC_ROWS_MAX_FORM ||
        !take_varint(&r->payload, r->payload_end, UINT64_MAX, &inner) ||
        !take_varint(&r->payload, r->payload_end, UINT64_MAX, &outer))
        return false;
    inner = bytes_unzigzag(inner);
    outer = bytes_unzigzag(outer);
    const unsigned in_row = 1u << form;
    uint64_t *at = a->addr, row = a->base;
    for (unsigned first = 0; first < WARP_LANES; first += in_row, row += outer) {
        uint64_t address = row;
        for (unsigned k = 0; k < in_row; k++, address += inner)
            *at++ = address;
    }
    return true;
}

/* The first byte of an address set and its base. */
static inline bool take_base(struct stream_reader *r, uint8_t space, unsigned *byte, uint64_t *base)
{
    if (r->payload == r->payload_end)
        return false;
    *byte = *r->payload++;
    unsigned n = codec_base_bytes(*byte >> 5);
    if ((size_t)(r->payload_end - r->payload) < n)
        return false;
    uint64_t step = bytes_unzigzag(low_bytes(peek(r->payload, r->payload_end), n));
    r->payload += n;
    uint64_t *slot = codec_slot(r->slots, &r->next_slot);
    *base = (*slot ? *slot : r->last_base[space]) + step;
    *slot = r->last_base[space] = *base;
    return true;
}

/* An address set; its space and mask are known. */
static bool take_access(struct stream_reader *r, struct stream_access *a)
{
    unsigned byte;
    if (!take_base(r, a->space, &byte, &a->base))
        return false;
    unsigned form = byte >> 2 & 7;
    a->stride = 0;
    switch (byte & 3) {
    case PATTERN_UNIFORM:
        a->pattern = PATTERN_UNIFORM;
        return form == 0;
    case PATTERN_STRIDE:
        a->pattern = PATTERN_STRIDE;
        return take_stride(r, a->space, form, &a->stride);
    case PATTERN_LANES:
        a->pattern = PATTERN_LANES;
        return take_lanes(r, a, form);
    default: /* CODEC_ROWS */
        a->pattern = PATTERN_LANES;
        return take_rows(r, a, form);
    }
}

static inline bool take_count(struct stream_reader *r, uint32_t *nsets)
{
    if (r->payload == r->payload_end || *r->payload > STREAM_MAX_SETS)
        return false;
    *nsets = *r->payload++;
    return true;
}

/* Space and mask of one of several sets, of an instruction for these lanes. */
static inline bool take_kind(struct stream_reader *r, uint32_t lanes, uint8_t *space,
                             uint32_t *mask)
{
    if (r->payload == r->payload_end)
        return false;
    unsigned byte = *r->payload++, is_given = byte >> CODEC_SPACE_BITS;
    *space = byte & ((1u << CODEC_SPACE_BITS) - 1);
    *mask = r->mask;
    if (*space >= STREAM_SPACES || is_given > 1)
        return false;
    if (is_given && !take_u32(&r->payload, r->payload_end, mask))
        return false;
    return *mask != 0 && (*mask & ~lanes) == 0;
}

static bool take_sets(struct stream_reader *r, struct stream_op *op)
{
    if (!take_count(r, &op->nsets))
        return false;
    for (uint32_t i = 0; i < op->nsets; i++) {
        struct stream_access *a = &op->access[i];
        if (!take_kind(r, op->mask, &a->space, &a->mask) || !take_access(r, a))
            return false;
    }
    return true;
}

static bool take_bar(struct stream_reader *r, struct stream_op *op)
{
    uint64_t id, threads = 0;
    if (!take_varint(&r->payload, r->payload_end, (uint64_t)UINT32_MAX << 1 | 1, &id))
        return false;
    if (id & 1 && !take_varint(&r->payload, r->payload_end, UINT32_MAX, &threads))
        return false;
    op->bar_id = (uint32_t)(id >> 1);
    op->bar_threads = (uint32_t)threads;
    return true;
}

/* --- windows ----------------------------------------------------------------------------------- */

/* An address set without the addresses of single lanes: where they are is kept. */
static bool park_set(struct stream_reader *r, struct stream_parked_set *s)
{
    unsigned byte;
    uint64_t tags, ignored;
    size_t bytes;
    if (!take_base(r, s->space, &byte, &s->base))
        return false;
    s->form = byte >> 2 & 7;
    s->is_rows = (byte & 3) == CODEC_ROWS;
    s->pattern = s->is_rows ? PATTERN_LANES : byte & 3;
    s->stride = 0;
    s->lanes = r->payload;
    if (s->is_rows)
        return s->form != 0 && s->form <= CODEC_ROWS_MAX_FORM &&
               take_varint(&r->payload, r->payload_end, UINT64_MAX, &ignored) &&
               take_varint(&r->payload, r->payload_end, UINT64_MAX, &ignored);
    if (s->pattern == PATTERN_UNIFORM)
        return s->form == 0;
    if (s->pattern == PATTERN_STRIDE)
        return take_stride(r, s->space, s->form, &s->stride);
    if (!take_tags(r, s->mask, s->form, &tags, &bytes))
        return false;
    r->payload += bytes;
    return true;
}

static bool park(struct stream_reader *r, const struct stream_insn *in, struct stream_parked *p,
                 uint32_t *nsets)
{
    struct stream_op op = {.active = r->mask, .mask = r->mask};
    struct stream_parked_set *sets = r->window->set;
    if (in->flags & INSN_GUARDED && !take_guard(r, &op))
        return false;
    *p = (struct stream_parked){.mask = op.mask, .first = (uint8_t)*nsets};
    if (op.mask == 0 || !(in->flags & INSN_MEM))
        return true;
    uint32_t n = 1;
    if (in->flags & INSN_MULTI && !take_count(r, &n))
        return false;
    if (n > STREAM_WINDOW_SETS - *nsets)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        struct stream_parked_set *s = &sets[*nsets + i];
        s->space = in->space;
        s->mask = op.mask;
        if (in->flags & INSN_MULTI && !take_kind(r, op.mask, &s->space, &s->mask))
            return false;
        if (!park_set(r, s))
            return false;
    }
    p->nsets = (uint8_t)n;
    *nsets += n;
    return true;
}

/* Decodes the payloads of the window that begins with an instruction. */
static bool open_window(struct stream_reader *r, uint32_t insn)
{
    const struct stream_insn *member[STREAM_WINDOW] = {0};
    uint32_t n = 0, most = 0, nsets = 0;
    for (; insn < r->end && (n == 0 || n <= most); insn++) {
        const struct stream_insn *in = &r->kernel->insns[insn];
        if (in->turn == 0)
            continue;
        most = in->turn - 1u > most ? in->turn - 1u : most;
        member[in->turn - 1] = in;
        n++;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!park(r, member[k], &r->window->payload[k], &nsets))
            return false;
    r->window->left = n;
    return true;
}

/* Kernels without windows need not pay for it. */
static APART bool take_parked(struct stream_reader *r, const struct stream_insn *in,
                              struct stream_op *op)
{
    struct stream_window *w = r->window;
    HD_ASSERT(w, "%s: a reader without room for windows", r->kernel->name);
    if (w->left == 0 && !open_window(r, op->insn))
        return broken(r);
    w->left--;
    const struct stream_parked *p = &w->payload[in->turn - 1];
    const uint8_t *next = r->payload;
    op->mask = p->mask;
    op->nsets = p->nsets;
    for (uint32_t i = 0; i < p->nsets; i++) {
        const struct stream_parked_set *s = &w->set[p->first + i];
        struct stream_access *a = &op->access[i];
        a->pattern = (enum stream_pattern)s->pattern;
        a->space = s->space;
        a->mask = s->mask;
        a->base = s->base;
        a->stride = s->stride;
        if (a->pattern != PATTERN_LANES)
            continue;
        r->payload = s->lanes; /* they were seen to be there */
        if (s->is_rows)
            take_rows(r, a, s->form);
        else
            take_lanes(r, a, s->form);
    }
    r->payload = next;
    return true;
}

APART bool stream_reader_payload(struct stream_reader *r, struct stream_op *op)
{
    const struct stream_insn *in = &r->kernel->insns[op->insn];
    if (in->turn)
        return take_parked(r, in, op);
    if (in->flags & INSN_GUARDED) {
        if (!take_guard(r, op))
            return broken(r);
        if (op->mask == 0)
            return true;
    }
    if (in->flags & INSN_MULTI) {
        if (!take_sets(r, op))
            return broken(r);
    } else if (in->flags & INSN_MEM) {
        op->nsets = 1;
        op->access[0].space = in->space;
        op->access[0].mask = op->mask;
        if (!take_access(r, &op->access[0]))
            return broken(r);
    }
    if (in->flags & INSN_BAR && !take_bar(r, op))
        return broken(r);
    return true;
}

void stream_access_expand(const struct stream_access *a, uint64_t addr[WARP_LANES])
{
    if (a->pattern == PATTERN_LANES) {
        for (uint32_t rest = a->mask; rest; rest &= rest - 1)
            addr[__builtin_ctz(rest)] = a->addr[__builtin_ctz(rest)];
        return;
    }
    uint64_t stride = a->pattern == PATTERN_STRIDE ? (uint64_t)a->stride : 0;
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = a->base + l * stride;
}
