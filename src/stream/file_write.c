/* file_write.c - recording: kernels are written as they are executed, under a name beside the
 * final one that is taken only when all is there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "stream/format.h"
#include "stream/program.h"
#include "stream/store_priv.h"

struct stream_file_writer {
    struct arena *arena;
    const char *path, *temp;
    int fd;
    uint64_t at;            /* bytes written */
    struct bytes part;      /* the one being written */
    struct bytes directory; /* what it will say of the kernels so far */
    uint32_t nkernels;
    struct stream_kernel kernel; /* the open one, as the store's source */
    struct stream_store *store;  /* NULL: between kernels */
    uint64_t program_bytes;
};

static bool cannot_write(struct stream_file_writer *f, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", f->path, strerror(errno));
}

/* Seals f->part, writes it and leaves it empty. */
static bool write_part(struct stream_file_writer *f, enum format_seal kind, struct err *e)
{
    format_put_seal(&f->part, kind);
    if (kind == SEAL_TAIL)
        bytes_put(&f->part, FORMAT_END_MAGIC, FORMAT_MAGIC_BYTES);
    if (!fdio_write(f->fd, f->at, f->part.at, f->part.used))
        return cannot_write(f, e);
    f->at += f->part.used;
    f->part.used = 0;
    return true;
}

static bool write_header(struct stream_file_writer *f, const char *workload, struct err *e)
{
    size_t n = strlen(workload);
    if (n > UINT16_MAX)
        return err_set(e, STATUS_BAD_INPUT, "%s: the workload's name is too long", f->path);
    bytes_put(&f->part, FORMAT_MAGIC, FORMAT_MAGIC_BYTES);
    bytes_put_u32(&f->part, FORMAT_VERSION);
    bytes_put_u32(&f->part, (uint32_t)n);
    bytes_put(&f->part, workload, n);
    return write_part(f, SEAL_HEADER, e);
}

static bool open_temp(struct stream_file_writer *f, struct err *e)
{
    struct stat st;
    if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode))
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot record there: not a regular file", f->path);
    f->fd = open(f->temp, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0666);
    return f->fd >= 0 || cannot_write(f, e);
}

static void free_writer(struct stream_file_writer *f)
{
    stream_store_free(f->store);
    bytes_free(&f->part);
    bytes_free(&f->directory);
    arena_free(f->arena);
}

void stream_file_abandon(struct stream_file_writer *f)
{
    if (!f)
        return;
    if (f->fd >= 0) {
        close(f->fd);
        unlink(f->temp);
    }
    free_writer(f);
}

struct stream_file_writer *stream_file_create(const char *path, const char *workload, struct err *e)
{
    struct arena *a = arena_new();
    struct stream_file_writer *f = ARENA_NEW(a, struct stream_file_writer);
    f->arena = a;
    f->fd = -1;
    f->path = arena_strdup(a, path);
    f->temp = arena_printf(a, "%s.part%ld", path, (long)getpid());
    if (open_temp(f, e) && write_header(f, workload, e))
        return f;
    stream_file_abandon(f);
    return NULL;
}

/* --- kernels ----------------------------------------------------------------------------------- */

bool stream_file_begin(struct stream_file_writer *f, const struct stream_kernel *k, struct err *e)
{
    HD_ASSERT(!f->store, "%s: a kernel begins within another", f->path);
    uint64_t start = f->at;
    f->kernel = *k;
    program_put(&f->part, k);
    if (!write_part(f, SEAL_PROGRAM, e))
        return false;
    f->program_bytes = f->at - start;
    f->store = store_new_in_file(&f->kernel, f->fd, f->at, f->path, e);
    return f->store != NULL;
}

bool stream_file_add(struct stream_file_writer *f, uint32_t cta, const struct stream_writer *warps,
                     uint32_t nwarps, struct err *e)
{
    HD_ASSERT(f->store, "%s: a CTA outside of any kernel", f->path);
    return stream_store_add(f->store, cta, warps, nwarps, e);
}

/* A frame's entry: its sizes and hash, then its CTAs in their order with the bytes of each. */
static uint32_t put_frame(struct bytes *b, const struct stream_store *s, uint32_t frame,
                          uint32_t first)
{
    const struct frame *f = store_frame(s, frame);
    uint32_t n = 0;
    while (first + n < s->added && s->place[s->order[first + n]].frame == frame + 1)
        n++;
    bytes_put_varint(b, f->stored);
    bytes_put_varint(b, f->raw);
    bytes_put_u64(b, f->hash);
    bytes_put_varint(b, n);
    for (uint32_t i = first; i < first + n; i++) {
        uint64_t expected = i ? (uint64_t)s->order[i - 1] + 1 : 0;
        uint32_t end = i + 1 < first + n ? s->place[s->order[i + 1]].offset : f->raw;
        bytes_put_varint(b, bytes_zigzag(s->order[i] - expected));
        bytes_put_varint(b, end - s->place[s->order[i]].offset);
    }
    return first + n;
}

static void put_index(struct bytes *b, const struct stream_store *s)
{
    bytes_put_u8(b, s->kernel.has_grid_spin);
    bytes_put_varint(b, s->thread_insns);
    for (uint32_t i = 0; i < s->kernel.nblocks; i++)
        bytes_put_varint(b, s->block_runs[i]);
    bytes_put_varint(b, s->nframes);
    for (uint32_t i = 0, first = 0; i < s->nframes; i++)
        first = put_frame(b, s, i, first);
}

bool stream_file_end(struct stream_file_writer *f, bool has_grid_spin, struct err *e)
{
    HD_ASSERT(f->store, "%s: no kernel to end", f->path);
    f->kernel.has_grid_spin = has_grid_spin;
    if (!stream_store_finish(f->store, e))
        return false;
    uint64_t frames_at = f->at;
    f->at = f->store->file_end;
    put_index(&f->part, f->store);
    bytes_put_varint(&f->directory, f->program_bytes);
    bytes_put_varint(&f->directory, f->at - frames_at);
    bytes_put_varint(&f->directory, f->part.used + FORMAT_SEAL_BYTES);
    f->nkernels++;
    stream_store_free(f->store);
    f->store = NULL;
    return write_part(f, SEAL_INDEX, e);
}

/* --- the end ----------------------------------------------------------------------------------- */

static bool write_directory(struct stream_file_writer *f, struct err *e)
{
    uint64_t start = f->at;
    bytes_put_varint(&f->part, f->nkernels);
    bytes_put(&f->part, f->directory.at, f->directory.used);
    if (!write_part(f, SEAL_DIRECTORY, e))
        return false;
    uint64_t size = f->at - start;
    bytes_put_u64(&f->part, start);
    bytes_put_u64(&f->part, size);
    return write_part(f, SEAL_TAIL, e);
}

bool stream_file_close(struct stream_file_writer *f, struct err *e)
{
    HD_ASSERT(!f->store, "%s: closed within a kernel", f->path);
    bool ok = write_directory(f, e);
    if (close(f->fd) != 0 && ok)
        ok = cannot_write(f, e);
    if (ok && rename(f->temp, f->path) != 0)
        ok = cannot_write(f, e);
    if (!ok)
        unlink(f->temp);
    free_writer(f);
    return ok;
}
