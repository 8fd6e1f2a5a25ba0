/* fuzz_stream.c - bytes as a recorded file, and as the stream of one warp.
 *
 * What begins like a recorded file is written to one, opened, and read to the last lane.  Its
 * seals are made good first, as far as its parts can be found, so that what lies behind them is
 * reached.  Anything else is split in control and payload bytes and given to a reader.  Besides
 * not crashing: what is refused leaves one line and status 2, what is read stays within the
 * program, and reading it twice gives the same. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fdio.h"
#include "stream/format.h"
#include "stream/store.h"

static void check(bool ok)
{
    if (!ok)
        abort();
}

/* --- a file ------------------------------------------------------------------------------------ */

static void seal(uint8_t *bytes, size_t size, uint64_t at, uint64_t n, enum format_seal kind)
{
    if (at <= size && n <= size - at && n >= FORMAT_SEAL_BYTES)
        bytes_store64(bytes + at + n - FORMAT_SEAL_BYTES,
                      bytes_hash(kind, bytes + at, (size_t)n - FORMAT_SEAL_BYTES));
}

static void seal_kernels(uint8_t *bytes, size_t size, struct bytes_in in, uint64_t at)
{
    for (uint64_t n = bytes_take_varint(&in); n && !in.is_short; n--) {
        uint64_t program = bytes_take_varint(&in), frames = bytes_take_varint(&in);
        uint64_t index = bytes_take_varint(&in);
        seal(bytes, size, at, program, SEAL_PROGRAM);
        at += program + frames;
        seal(bytes, size, at, index, SEAL_INDEX);
        at += index;
    }
}

static void seal_file(uint8_t *bytes, size_t size)
{
    if (size < FORMAT_HEADER_BYTES + FORMAT_TAIL_BYTES)
        return;
    struct bytes_in in = {bytes + FORMAT_MAGIC_BYTES + 4, bytes + size, false};
    uint64_t header = FORMAT_HEADER_BYTES + (uint64_t)bytes_take_u32(&in) + FORMAT_SEAL_BYTES;
    uint64_t tail = size - FORMAT_TAIL_BYTES;
    uint64_t at = bytes_load64(bytes + tail), n = bytes_load64(bytes + tail + 8);
    if (at <= tail && n <= tail - at)
        seal_kernels(bytes, size, (struct bytes_in){bytes + at, bytes + at + n, false}, header);
    seal(bytes, size, at, n, SEAL_DIRECTORY);
    seal(bytes, size, 0, header, SEAL_HEADER);
    seal(bytes, size, tail, FORMAT_TAIL_BYTES - FORMAT_MAGIC_BYTES, SEAL_TAIL);
}

static void read_file(const char *path)
{
    struct err e = {0};
    struct stream_file *f = stream_file_open(path, &e);
    for (uint32_t i = 0; f && i < stream_file_kernels(f); i++) {
        struct err damage = {0};
        struct stream_store *s = stream_file_kernel(f, i, &e);
        check(s != NULL);
        uint64_t digest = stream_store_digest(s, &damage);
        check(damage.status == STATUS_DONE || damage.status == STATUS_BAD_INPUT);
        check(digest == stream_store_digest(s, &damage));
        stream_store_totals(s);
        stream_store_free(s);
    }
    if (!f)
        check(e.status == STATUS_BAD_INPUT && e.text[0] != '\0' && !strchr(e.text, '\n'));
    stream_file_free(f);
}

static void fuzz_file(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    const char *dir = getenv("TMPDIR");
    const char *path =
        arena_printf(a, "%s/fuzz_stream.%ld", dir && *dir ? dir : "/tmp", (long)getpid());
    uint8_t *bytes = arena_alloc(a, size);
    memcpy(bytes, data, size);
    seal_file(bytes, size);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    check(fd >= 0 && fdio_write(fd, 0, bytes, size));
    close(fd);
    read_file(path);
    unlink(path);
    arena_free(a);
}

/* --- a warp ------------------------------------------------------------------------------------ */

static const struct stream_insn insns[] = {
    {.flags = 0},
    {.flags = INSN_MEM | INSN_LOAD, .space = STREAM_GLOBAL, .size = 4},
    {.flags = INSN_MEM | INSN_STORE | INSN_GUARDED, .space = STREAM_SHARED, .size = 8},
    {.flags = INSN_MEM | INSN_MULTI | INSN_LOAD | INSN_GUARDED, .size = 4},
    {.flags = INSN_BAR | INSN_GUARDED},
};
enum { NINSNS = sizeof insns / sizeof insns[0], NBLOCKS = 70 };
static const struct stream_block blocks[NBLOCKS] = {{0, 1}, {1, 1}, {2, 1},       {3, 1},
                                                    {4, 1}, {0, 5}, [69] = {1, 2}};
static const struct stream_kernel kernel = {.name = "fuzzed",
                                            .grid = {1, 1, 1},
                                            .block = {32, 1, 1},
                                            .insns = insns,
                                            .ninsns = NINSNS,
                                            .blocks = blocks,
                                            .nblocks = NBLOCKS};

/* The same blocks, but for one whose payloads are a window. */
static const struct stream_insn view_insns[] = {
    {.flags = 0},
    {.flags = INSN_MEM | INSN_MULTI | INSN_LOAD | INSN_GUARDED, .size = 4, .turn = 3},
    {.flags = INSN_MEM | INSN_LOAD, .space = STREAM_GLOBAL, .size = 4, .turn = 1},
    {.flags = INSN_MEM | INSN_STORE | INSN_GUARDED, .space = STREAM_SHARED, .size = 8, .turn = 2},
    {.flags = INSN_BAR | INSN_GUARDED},
};
static const struct stream_block view_blocks[NBLOCKS] = {{0, 1}, {0, 5}, {0, 5},       {0, 0},
                                                         {4, 1}, {0, 5}, [69] = {0, 4}};
static const struct stream_kernel view = {.name = "fuzzed",
                                          .grid = {1, 1, 1},
                                          .block = {32, 1, 1},
                                          .insns = view_insns,
                                          .ninsns = NINSNS,
                                          .blocks = view_blocks,
                                          .nblocks = NBLOCKS};

static void check_op(const struct stream_op *op)
{
    uint64_t addr[WARP_LANES];
    check(op->insn < NINSNS && op->active && (op->mask & ~op->active) == 0);
    check(op->nsets <= STREAM_MAX_SETS);
    for (uint32_t i = 0; i < op->nsets; i++) {
        const struct stream_access *a = &op->access[i];
        check(a->mask && (a->mask & ~op->mask) == 0 && a->space < STREAM_SPACES);
        stream_access_expand(a, addr);
    }
}

static void fuzz_warp(const uint8_t *data, size_t size)
{
    /* the first byte: which part of the rest is control; each in memory of its own */
    size_t rest = size - 1, ncontrol = rest * data[0] / 255, npayload = rest - ncontrol;
    uint8_t *control = malloc(ncontrol + 1), *payload = malloc(npayload + 1);
    check(control && payload);
    memcpy(control + 1, data + 1, ncontrol);
    memcpy(payload + 1, data + 1 + ncontrol, npayload);
    struct stream_warp bytes = {control + 1, payload + 1, ncontrol, npayload};
    struct stream_window window;
    const struct stream_kernel *kernels[] = {&kernel, &view};
    for (int k = 0; k < 2; k++) {
        struct stream_reader r;
        struct stream_op op;
        stream_reader_init_view(&r, kernels[k], &bytes, &window);
        while (stream_reader_next(&r, &op))
            check_op(&op);
        check(!stream_reader_next(&r, &op));
    }
    free(control);
    free(payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= FORMAT_MAGIC_BYTES && memcmp(data, FORMAT_MAGIC, FORMAT_MAGIC_BYTES) == 0)
        fuzz_file(data, size);
    else if (size)
        fuzz_warp(data, size);
    return 0;
}
