/* cursor.c - reading a finished store: one frame decompressed, the warps of one CTA found in it;
 * and what the whole of it says, as one number. */
#include <errno.h>

#include "base/fdio.h"
#include "base/rng.h"
#include "stream/format.h"
#include "stream/store_priv.h"

struct stream_cursor {
    struct arena *arena;
    const struct stream_store *store;
    uint32_t frame; /* 1 + the number of the one in `raw`; 0: none */
    struct bytes raw, packed;
    struct stream_warp warps[STREAM_MAX_WARPS];
    ZSTD_DCtx *zstd;
};

struct stream_cursor *stream_cursor_new(const struct stream_store *s, struct err *e)
{
    HD_ASSERT(s->is_finished, "kernel %s: a cursor on an unfinished store", s->kernel.name);
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    if (!zstd) {
        err_set(e, STATUS_BUDGET, "out of memory (zstd)");
        return NULL;
    }
    struct arena *a = arena_new();
    struct stream_cursor *c = ARENA_NEW(a, struct stream_cursor);
    c->arena = a;
    c->store = s;
    c->zstd = zstd;
    return c;
}

void stream_cursor_free(struct stream_cursor *c)
{
    if (!c)
        return;
    ZSTD_freeDCtx(c->zstd);
    bytes_free(&c->raw);
    bytes_free(&c->packed);
    arena_free(c->arena);
}

static bool damaged(const struct stream_cursor *c, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: damaged in the stream of kernel %s", c->store->path,
                   c->store->kernel.name);
}

/* The stored bytes of a frame, read from the file if they are there. */
static const uint8_t *stored_bytes(struct stream_cursor *c, const struct frame *f, struct err *e)
{
    if (f->memory)
        return f->memory;
    uint8_t *to = bytes_room(&c->packed, f->stored);
    if (!fdio_read(c->store->fd, f->offset, to, f->stored)) {
        err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", c->store->path,
                errno ? strerror(errno) : "it ends too early");
        return NULL;
    }
    if (bytes_hash(SEAL_FRAME, to, f->stored) != f->hash) {
        damaged(c, e);
        return NULL;
    }
    return to;
}

static bool load_frame(struct stream_cursor *c, uint32_t frame, struct err *e)
{
    const struct frame *f = store_frame(c->store, frame - 1);
    c->frame = 0;
    c->raw.used = 0;
    const uint8_t *from = stored_bytes(c, f, e);
    if (!from)
        return false;
    if (ZSTD_getFrameContentSize(from, f->stored) != f->raw)
        return damaged(c, e);
    uint8_t *to = bytes_room(&c->raw, f->raw);
    if (ZSTD_decompressDCtx(c->zstd, to, f->raw, from, f->stored) != f->raw)
        return damaged(c, e);
    c->raw.used = f->raw;
    c->frame = frame;
    return true;
}

static bool find_warps(struct stream_cursor *c, uint32_t offset, uint32_t nwarps)
{
    struct bytes_in in = {c->raw.at + offset, c->raw.at + c->raw.used, false};
    for (uint32_t i = 0; i < nwarps; i++) {
        c->warps[i].control_bytes = bytes_take_varint(&in);
        c->warps[i].payload_bytes = bytes_take_varint(&in);
    }
    for (uint32_t i = 0; i < nwarps; i++)
        c->warps[i].control = bytes_take(&in, c->warps[i].control_bytes);
    for (uint32_t i = 0; i < nwarps; i++)
        c->warps[i].payload = bytes_take(&in, c->warps[i].payload_bytes);
    return !in.is_short;
}

bool stream_cursor_holds(const struct stream_cursor *c, uint32_t cta)
{
    return cta < c->store->nctas && c->store->place[cta].frame == c->frame;
}

bool stream_cursor_seek(struct stream_cursor *c, uint32_t cta, const struct stream_warp **warps,
                        uint32_t *nwarps, struct err *e)
{
    const struct stream_store *s = c->store;
    HD_ASSERT(cta < s->nctas, "kernel %s: CTA %u of %u", s->kernel.name, cta, s->nctas);
    struct cta_place at = s->place[cta];
    if (at.frame != c->frame && !load_frame(c, at.frame, e))
        return false;
    *nwarps = stream_kernel_warps(&s->kernel);
    *warps = c->warps;
    return find_warps(c, at.offset, *nwarps) || damaged(c, e);
}

/* --- the digest -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    return rng_mix(h ^ v) + 0x9e3779b97f4a7c15u;
}

static uint64_t digest_access(uint64_t h, const struct stream_access *a)
{
    uint64_t addr[WARP_LANES];
    stream_access_expand(a, addr);
    h = mix(h, (uint64_t)a->space << 32 | a->mask);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        h = mix(h, addr[__builtin_ctz(rest)]);
    return h;
}

static uint64_t digest_op(uint64_t h, const struct stream_op *op, unsigned flags)
{
    h = mix(h, (uint64_t)op->insn << 8 | op->nsets);
    h = mix(h, (uint64_t)op->active << 32 | op->mask);
    if (flags & INSN_BAR && op->mask)
        h = mix(h, (uint64_t)op->bar_id << 32 | op->bar_threads);
    for (uint32_t i = 0; i < op->nsets; i++)
        h = digest_access(h, &op->access[i]);
    return h;
}

static bool digest_cta(struct stream_cursor *c, uint32_t cta, uint64_t *h, struct err *e)
{
    const struct stream_kernel *k = &c->store->kernel;
    const struct stream_warp *warps;
    uint32_t nwarps;
    if (!stream_cursor_seek(c, cta, &warps, &nwarps, e))
        return false;
    for (uint32_t w = 0; w < nwarps; w++) {
        struct stream_reader r;
        struct stream_op op = {0};
        stream_reader_init(&r, k, &warps[w]);
        *h = mix(*h, (uint64_t)cta << 32 | w);
        while (stream_reader_next(&r, &op))
            *h = digest_op(*h, &op, k->insns[op.insn].flags);
        if (r.is_broken)
            return damaged(c, e);
    }
    return true;
}

uint64_t stream_store_digest(const struct stream_store *s, struct err *e)
{
    struct stream_cursor *c = stream_cursor_new(s, e);
    bool ok = c != NULL;
    uint64_t digest = 0;
    for (uint32_t cta = 0; ok && cta < s->nctas; cta++)
        ok = digest_cta(c, cta, &digest, e);
    stream_cursor_free(c);
    return ok ? digest : 0;
}
