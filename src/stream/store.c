/* store.c - spooling a kernel: CTAs are gathered into frames, a full frame is compressed and kept
 * in memory or, past the limit, in a file that has no name.
 *
 * In a frame, a CTA is the lengths of its warps' control and payload bytes as varints, then all
 * control, then all payload bytes: like beside like compresses better. */
#include "stream/store.h"

#include <errno.h>
#include <unistd.h>

#include "base/fdio.h"
#include "stream/format.h"
#include "stream/program.h"
#include "stream/store_priv.h"

struct stream_store *store_alloc(struct arena *a, const struct stream_kernel *kernel)
{
    struct stream_store *s = ARENA_NEW(a, struct stream_store);
    s->arena = a;
    s->kernel = *kernel;
    s->nctas = (uint32_t)stream_kernel_ctas(kernel);
    s->place = ARENA_ARRAY(a, struct cta_place, s->nctas);
    s->block_runs = ARENA_ARRAY(a, uint64_t, kernel->nblocks);
    s->fd = -1;
    s->path = "temporary file";
    return s;
}

struct stream_store *stream_store_new(const struct stream_kernel *k, uint64_t memory_limit_bytes,
                                      struct err *e)
{
    const char *problem = program_problem(k);
    if (problem) {
        err_set(e, STATUS_FAILED, "kernel %s: %s", k->name, problem);
        return NULL;
    }
    struct arena *a = arena_new();
    struct stream_kernel copy = program_copy(a, k);
    struct stream_store *s = store_alloc(a, &copy);
    s->source = k;
    s->order = ARENA_ARRAY(a, uint32_t, s->nctas);
    s->memory_limit = memory_limit_bytes;
    s->zstd = ZSTD_createCCtx();
    HD_ASSERT(s->zstd, "zstd gives no context");
    size_t failed = ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, FRAME_ZSTD_LEVEL);
    HD_ASSERT(!ZSTD_isError(failed), "zstd has no level %d", FRAME_ZSTD_LEVEL);
    return s;
}

struct stream_store *store_new_in_file(const struct stream_kernel *k, int fd, uint64_t offset,
                                       const char *path, struct err *e)
{
    struct stream_store *s = stream_store_new(k, 0, e);
    if (!s)
        return NULL;
    s->fd = fd;
    s->file_end = offset;
    s->path = path;
    return s;
}

static void free_buffers(struct stream_store *s)
{
    bytes_free(&s->raw);
    bytes_free(&s->packed);
    ZSTD_freeCCtx(s->zstd);
    s->zstd = NULL;
}

void stream_store_free(struct stream_store *s)
{
    if (!s)
        return;
    free_buffers(s);
    bytes_free(&s->frames);
    if (s->owns_fd)
        close(s->fd);
    arena_free(s->arena);
}

void store_push_frame(struct stream_store *s, struct frame f)
{
    bytes_put(&s->frames, &f, sizeof f);
    s->nframes++;
    s->raw_bytes += f.raw;
    s->stored_bytes += f.stored;
}

/* --- filling ----------------------------------------------------------------------------------- */

static bool write_frame(struct stream_store *s, struct frame *f, struct err *e)
{
    if (s->fd < 0) {
        s->fd = fdio_temp(e);
        if (s->fd < 0)
            return false;
        s->owns_fd = true;
    }
    f->offset = s->file_end;
    if (!fdio_write(s->fd, f->offset, s->packed.at, f->stored))
        return err_set(e, s->owns_fd ? STATUS_BUDGET : STATUS_BAD_INPUT, "%s: cannot write: %s",
                       s->path, strerror(errno));
    s->file_end += f->stored;
    return true;
}

static bool close_frame(struct stream_store *s, struct err *e)
{
    size_t bound = ZSTD_compressBound(s->raw.used);
    uint8_t *to = bytes_room(&s->packed, bound);
    size_t n = ZSTD_compress2(s->zstd, to, bound, s->raw.at, s->raw.used);
    if (ZSTD_isError(n) || n > UINT32_MAX)
        return err_set(e, STATUS_BUDGET, "%s: cannot compress: %s", s->kernel.name,
                       ZSTD_isError(n) ? ZSTD_getErrorName(n) : "too large");
    struct frame f = {.stored = (uint32_t)n, .raw = (uint32_t)s->raw.used};
    f.hash = bytes_hash(SEAL_FRAME, to, n);
    if (n <= s->memory_limit && s->memory_used <= s->memory_limit - n) {
        f.memory = memcpy(arena_alloc(s->arena, n), to, n);
        s->memory_used += n;
    } else if (!write_frame(s, &f, e)) {
        return false;
    }
    store_push_frame(s, f);
    s->raw.used = 0;
    return true;
}

static void count_blocks(struct stream_store *s, const struct stream_writer *w)
{
    struct stream_warp bytes = {.control = w->control.at, .control_bytes = w->control.used};
    struct stream_reader r;
    uint32_t block, mask;
    stream_reader_init(&r, &s->kernel, &bytes);
    while (stream_reader_skip(&r, &block, &mask))
        s->block_runs[block]++;
    HD_ASSERT(!r.is_broken, "kernel %s: a warp entered a block that it has not", s->kernel.name);
}

static void put_cta(struct bytes *raw, const struct stream_writer *warps, uint32_t nwarps)
{
    for (uint32_t i = 0; i < nwarps; i++) {
        bytes_put_varint(raw, warps[i].control.used);
        bytes_put_varint(raw, warps[i].payload.used);
    }
    for (uint32_t i = 0; i < nwarps; i++)
        bytes_put(raw, warps[i].control.at, warps[i].control.used);
    for (uint32_t i = 0; i < nwarps; i++)
        bytes_put(raw, warps[i].payload.at, warps[i].payload.used);
}

bool stream_store_add(struct stream_store *s, uint32_t cta, const struct stream_writer *warps,
                      uint32_t nwarps, struct err *e)
{
    HD_ASSERT(s->source && cta < s->nctas && s->place[cta].frame == 0,
              "kernel %s: CTA %u of %u cannot be added", s->kernel.name, cta, s->nctas);
    HD_ASSERT(nwarps == stream_kernel_warps(&s->kernel), "%u warps in a CTA of %u", nwarps,
              stream_kernel_warps(&s->kernel));
    size_t offset = s->raw.used;
    for (uint32_t i = 0; i < nwarps; i++) {
        count_blocks(s, &warps[i]);
        s->thread_insns += warps[i].thread_insns;
    }
    put_cta(&s->raw, warps, nwarps);
    if (s->raw.used > UINT32_MAX)
        return err_set(e, STATUS_BUDGET, "kernel %s: CTA %u has more than 4 GB of stream",
                       s->kernel.name, cta);
    s->place[cta] = (struct cta_place){s->nframes + 1, (uint32_t)offset};
    s->order[s->added++] = cta;
    s->warps += nwarps;
    return s->raw.used < FRAME_BYTES || close_frame(s, e);
}

bool stream_store_finish(struct stream_store *s, struct err *e)
{
    HD_ASSERT(s->source && s->added == s->nctas, "kernel %s: %u of %u CTAs are in", s->kernel.name,
              s->added, s->nctas);
    if (s->raw.used && !close_frame(s, e))
        return false;
    s->kernel.has_grid_spin = s->source->has_grid_spin;
    s->source = NULL;
    s->is_finished = true;
    free_buffers(s);
    return true;
}

/* --- asking ------------------------------------------------------------------------------------ */

const struct stream_kernel *stream_store_kernel(const struct stream_store *s)
{
    return &s->kernel;
}

static void count_insn(struct stream_totals *t, const struct stream_insn *in, uint64_t runs)
{
    t->insns += runs;
    t->by_unit[in->unit] += runs;
    if (in->flags & INSN_ATOMIC)
        t->atomics += runs;
    else if (in->flags & INSN_MEM && in->flags & INSN_LOAD)
        t->by_space_load[in->space] += runs;
    else if (in->flags & INSN_MEM && in->flags & INSN_STORE)
        t->by_space_store[in->space] += runs;
}

struct stream_totals stream_store_totals(const struct stream_store *s)
{
    struct stream_totals t = {.ctas = s->added,
                              .warps = s->warps,
                              .thread_insns = s->thread_insns,
                              .raw_bytes = s->raw_bytes + s->raw.used,
                              .stored_bytes = s->stored_bytes,
                              .file_bytes = s->stored_bytes - s->memory_used};
    const struct stream_kernel *k = &s->kernel;
    for (uint32_t b = 0; b < k->nblocks; b++)
        for (uint32_t i = 0; i < k->blocks[b].count; i++)
            count_insn(&t, &k->insns[k->blocks[b].first + i], s->block_runs[b]);
    for (uint32_t b = 0; k->assembled.insns && b < k->nblocks; b++)
        t.assembled += stream_assembled_count(&k->assembled, b) * s->block_runs[b];
    return t;
}
