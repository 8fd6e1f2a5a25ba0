/* file_read.c - recorded files: what they hold is believed only after it has been checked.
 *
 * The parts lie one behind another and their lengths are in the directory, so that every byte of
 * the file belongs to one part; every part is sealed or, for frames, hashed in the index.  A
 * length is compared with what is left of the file before anything is allocated for it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "stream/format.h"
#include "stream/program.h"
#include "stream/store_priv.h"

struct kernel_parts {
    uint64_t program, frames, index, end; /* where each begins */
};

struct stream_file {
    struct arena *arena;
    const char *path, *workload;
    int fd;
    uint64_t size;
    struct kernel_parts *kernels;
    uint32_t nkernels;
    uint32_t header_bytes;
};

/* --- parts ------------------------------------------------------------------------------------- */

static bool damaged(const struct stream_file *f, const char *what, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: damaged: %s", f->path, what);
}

static bool read_at(struct stream_file *f, uint64_t offset, uint8_t *to, size_t n, struct err *e)
{
    if (fdio_read(f->fd, offset, to, n))
        return true;
    return err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", f->path,
                   errno ? strerror(errno) : "it ends too early");
}

/* A sealed part into `a`; `in` is what it holds, without the seal. */
static bool read_part(struct stream_file *f, struct arena *a, uint64_t offset, uint64_t n,
                      enum format_seal kind, struct bytes_in *in, struct err *e)
{
    if (offset > f->size || n > f->size - offset)
        return damaged(f, "a part lies outside of the file", e);
    uint8_t *part = arena_alloc(a, (size_t)n);
    if (!read_at(f, offset, part, (size_t)n, e))
        return false;
    if (!format_is_sealed(part, (size_t)n, kind))
        return damaged(f, "a checksum is wrong", e);
    *in = (struct bytes_in){part, part + n - FORMAT_SEAL_BYTES, false};
    return true;
}

/* --- opening ----------------------------------------------------------------------------------- */

static bool open_file(struct stream_file *f, struct err *e)
{
    struct stat st;
    f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", f->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(e, STATUS_BAD_INPUT, "%s: not a regular file", f->path);
    f->size = (uint64_t)st.st_size;
    return true;
}

static bool read_header(struct stream_file *f, struct err *e)
{
    uint8_t start[FORMAT_HEADER_BYTES];
    if (f->size < sizeof start)
        return err_set(e, STATUS_BAD_INPUT, "%s: not a recorded warp stream", f->path);
    if (!read_at(f, 0, start, sizeof start, e))
        return false;
    if (memcmp(start, FORMAT_MAGIC, FORMAT_MAGIC_BYTES) != 0)
        return err_set(e, STATUS_BAD_INPUT, "%s: not a recorded warp stream", f->path);
    struct bytes_in in = {start + FORMAT_MAGIC_BYTES, start + sizeof start, false};
    uint32_t version = bytes_take_u32(&in), name = bytes_take_u32(&in);
    if (version != FORMAT_VERSION)
        return err_set(e, STATUS_BAD_INPUT, "%s: has format version %u; this heddle reads %d",
                       f->path, version, FORMAT_VERSION);
    uint64_t n = (uint64_t)FORMAT_HEADER_BYTES + name + FORMAT_SEAL_BYTES;
    if (!read_part(f, f->arena, 0, n, SEAL_HEADER, &in, e))
        return false;
    const char *text = (const char *)in.at + FORMAT_HEADER_BYTES;
    if (memchr(text, 0, name))
        return damaged(f, "bad name of a workload", e);
    f->workload = arena_printf(f->arena, "%.*s", (int)name, text);
    f->header_bytes = (uint32_t)n;
    return true;
}

static bool read_tail(struct stream_file *f, uint64_t *offset, uint64_t *size, struct err *e)
{
    uint8_t tail[FORMAT_TAIL_BYTES];
    size_t sealed = sizeof tail - FORMAT_MAGIC_BYTES;
    if (f->size < f->header_bytes + sizeof tail)
        return damaged(f, "it is cut off", e);
    if (!read_at(f, f->size - sizeof tail, tail, sizeof tail, e))
        return false;
    if (memcmp(tail + sealed, FORMAT_END_MAGIC, FORMAT_MAGIC_BYTES) != 0)
        return damaged(f, "it is cut off or has something behind its end", e);
    if (!format_is_sealed(tail, sealed, SEAL_TAIL))
        return damaged(f, "a checksum is wrong", e);
    *offset = bytes_load64(tail);
    *size = bytes_load64(tail + 8);
    if (*offset > f->size || *size != f->size - sizeof tail - *offset)
        return damaged(f, "the directory is not where it should be", e);
    return true;
}

static bool read_directory(struct stream_file *f, struct err *e)
{
    uint64_t offset = 0, size = 0, at = f->header_bytes;
    struct bytes_in in = {0};
    if (!read_tail(f, &offset, &size, e) ||
        !read_part(f, f->arena, offset, size, SEAL_DIRECTORY, &in, e))
        return false;
    f->nkernels = (uint32_t)bytes_take_at_most(&in, bytes_left(&in) / 3);
    f->kernels = ARENA_ARRAY(f->arena, struct kernel_parts, f->nkernels);
    for (uint32_t i = 0; i < f->nkernels; i++) {
        uint64_t start[4] = {at};
        for (int part = 0; part < 3; part++)
            start[part + 1] =
                start[part] +
                bytes_take_at_most(&in, offset >= start[part] ? offset - start[part] : 0);
        f->kernels[i] = (struct kernel_parts){start[0], start[1], start[2], start[3]};
        at = start[3];
    }
    if (in.is_short || bytes_left(&in) || at != offset)
        return damaged(f, "the directory does not fit the file", e);
    return true;
}

static bool check_kernels(struct stream_file *f, struct err *e)
{
    for (uint32_t i = 0; i < f->nkernels; i++) {
        struct stream_store *s = stream_file_kernel(f, i, e);
        if (!s)
            return false;
        stream_store_free(s);
    }
    return true;
}

struct stream_file *stream_file_open(const char *path, struct err *e)
{
    struct arena *a = arena_new();
    struct stream_file *f = ARENA_NEW(a, struct stream_file);
    f->arena = a;
    f->fd = -1;
    f->path = arena_strdup(a, path);
    if (open_file(f, e) && read_header(f, e) && read_directory(f, e) && check_kernels(f, e))
        return f;
    stream_file_free(f);
    return NULL;
}

void stream_file_free(struct stream_file *f)
{
    if (!f)
        return;
    if (f->fd >= 0)
        close(f->fd);
    arena_free(f->arena);
}

uint32_t stream_file_kernels(const struct stream_file *f)
{
    return f->nkernels;
}

const char *stream_file_workload(const struct stream_file *f)
{
    return f->workload;
}

/* --- one kernel -------------------------------------------------------------------------------- */

/* The CTAs of the frame that was just pushed; they must fill it. */
static bool take_places(struct bytes_in *in, struct stream_store *s, uint32_t raw, uint64_t *cta)
{
    uint64_t offset = 0;
    for (uint64_t n = bytes_take_at_most(in, s->nctas - s->added); n; n--) {
        *cta += bytes_unzigzag(bytes_take_varint(in));
        if (*cta >= s->nctas || s->place[*cta].frame)
            return false;
        s->place[*cta] = (struct cta_place){s->nframes, (uint32_t)offset};
        offset += bytes_take_at_most(in, raw - offset);
        if (offset == raw && n > 1)
            return false;
        (*cta)++;
        s->added++;
    }
    return !in->is_short && offset == raw;
}

static bool take_frames(struct bytes_in *in, struct stream_store *s, uint64_t end)
{
    uint64_t cta = 0;
    for (uint64_t n = bytes_take_at_most(in, s->nctas); n; n--) {
        struct frame f = {.offset = s->file_end};
        f.stored = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
        f.raw = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
        f.hash = bytes_take_u64(in);
        if (in->is_short || f.stored > end - s->file_end || f.raw == 0 ||
            f.raw / FRAME_MOST_RATIO > f.stored)
            return false;
        s->file_end += f.stored;
        store_push_frame(s, f);
        if (!take_places(in, s, f.raw, &cta))
            return false;
    }
    return !in->is_short && bytes_left(in) == 0 && s->file_end == end && s->added == s->nctas;
}

static struct stream_store *take_index(struct stream_file *f, struct arena *a,
                                       struct stream_kernel *k, const struct kernel_parts *p,
                                       struct bytes_in *in)
{
    k->has_grid_spin = bytes_take_u8(in) != 0;
    uint64_t thread_insns = bytes_take_varint(in);
    uint64_t ctas = stream_kernel_ctas(k), left = bytes_left(in);
    if (left / 2 < ctas || left < k->nblocks)
        return NULL;
    struct stream_store *s = store_alloc(a, k);
    s->thread_insns = thread_insns;
    s->warps = ctas * stream_kernel_warps(k);
    s->fd = f->fd;
    s->path = f->path;
    s->file_end = p->frames;
    s->is_finished = true;
    for (uint32_t i = 0; i < k->nblocks; i++)
        s->block_runs[i] = bytes_take_varint(in);
    if (take_frames(in, s, p->index))
        return s;
    bytes_free(&s->frames);
    return NULL;
}

static struct stream_store *read_kernel(struct stream_file *f, struct arena *a,
                                        const struct kernel_parts *p, struct err *e)
{
    struct bytes_in in = {0};
    struct stream_kernel k;
    if (!read_part(f, a, p->program, p->frames - p->program, SEAL_PROGRAM, &in, e))
        return NULL;
    const char *problem = program_take(&in, a, &k);
    if (problem) {
        damaged(f, problem, e);
        return NULL;
    }
    if (!read_part(f, a, p->index, p->end - p->index, SEAL_INDEX, &in, e))
        return NULL;
    struct stream_store *s = take_index(f, a, &k, p, &in);
    if (!s)
        damaged(f, "the index of a kernel does not fit", e);
    return s;
}

struct stream_store *stream_file_kernel(struct stream_file *f, uint32_t kernel, struct err *e)
{
    HD_ASSERT(kernel < f->nkernels, "%s: kernel %u of %u", f->path, kernel, f->nkernels);
    struct arena *a = arena_new();
    struct stream_store *s = read_kernel(f, a, &f->kernels[kernel], e);
    if (!s)
        arena_free(a);
    return s;
}
