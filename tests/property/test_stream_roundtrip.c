/* What is written as a warp stream is read again, operation by operation and lane by lane: from
 * the writer's bytes, from a store in memory, from one that spilled, from a file; CTAs in order or
 * not.  And a file in which anything was changed or is missing is refused. */
#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "rig/stream_rig.h"

enum { CTAS = 40, LENGTH = 60 };

static void every_warp_reads_as_it_was_written(void)
{
    struct stream_writer w;
    stream_writer_init(&w);
    for (uint32_t seed = 0; seed < 400; seed++) {
        struct arena *a = arena_new();
        struct stream_kernel k = stream_rig_kernel(a, seed, 1 + seed % 200, 1, 32);
        stream_writer_reset(&w);
        stream_rig_write(&k, seed, 0, 0, LENGTH, &w);
        /* exactly as many bytes as there are, so that reading beyond them would be seen */
        uint8_t *control = malloc(w.control.used + 1), *payload = malloc(w.payload.used + 1);
        struct stream_warp bytes = {control + 1, payload + 1, w.control.used, w.payload.used};
        if (w.control.used)
            memcpy(control + 1, w.control.at, w.control.used);
        if (w.payload.used)
            memcpy(payload + 1, w.payload.at, w.payload.used);
        CHECK(stream_rig_agrees(&k, seed, 0, 0, LENGTH, &bytes));
        free(control);
        free(payload);
        arena_free(a);
    }
    stream_writer_free(&w);
}

static uint64_t stored_digest(uint64_t seed, uint64_t limit, bool is_shuffled)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct stream_kernel k = stream_rig_kernel(a, seed, 1 + (uint32_t)seed * 7, CTAS, 100);
    struct stream_store *s = stream_store_new(&k, limit, &e);
    CHECK(s && stream_rig_fill(s, NULL, &k, seed, LENGTH, is_shuffled, &e));
    CHECK(stream_store_finish(s, &e));
    CHECK(stream_rig_store_agrees(s, seed, LENGTH, &e));
    uint64_t digest = stream_store_digest(s, &e);
    CHECK_STR(e.text, "");
    stream_store_free(s);
    arena_free(a);
    return digest;
}

static void a_store_gives_back_what_it_took_wherever_it_was_kept(void)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint64_t digest = stored_digest(seed, UINT64_MAX, false);
        CHECK(digest == stored_digest(seed, 0, false));
        CHECK(digest == stored_digest(seed, 100000, false));
        CHECK(digest == stored_digest(seed, UINT64_MAX, true));
        CHECK(digest == stored_digest(seed, 0, true));
        CHECK(digest != stored_digest(seed + 1000, 0, true));
    }
}

static void check_program(const struct stream_kernel *k, const struct stream_kernel *was)
{
    CHECK_STR(k->name, was->name);
    CHECK(memcmp(k->grid, was->grid, sizeof k->grid) == 0);
    CHECK(memcmp(k->block, was->block, sizeof k->block) == 0);
    for (int i = 0; i < STREAM_COUNTS; i++)
        CHECK_EQ(k->registers[i], was->registers[i]);
    CHECK_EQ(k->shared_bytes, was->shared_bytes);
    CHECK_EQ(k->local_bytes, was->local_bytes);
    CHECK_EQ(k->has_grid_spin, was->has_grid_spin);
    CHECK_EQ(k->ninsns, was->ninsns);
    CHECK_EQ(k->nblocks, was->nblocks);
    CHECK(memcmp(k->blocks, was->blocks, k->nblocks * sizeof *k->blocks) == 0);
    CHECK(k->ninsns == 0 || memcmp(k->insns, was->insns, k->ninsns * sizeof *k->insns) == 0);
}

static void a_file_gives_back_what_was_recorded(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    CHECK(stream_rig_record(path, 7, 5, 30, LENGTH, &e));
    struct stream_file *f = stream_file_open(path, &e);
    CHECK_STR(e.text, "");
    CHECK_EQ(stream_file_kernels(f), 5);
    CHECK_STR(stream_file_workload(f), "rig@tiny");
    for (uint32_t i = 5; i-- > 0;) {
        struct stream_kernel was = stream_rig_kernel(a, 7 + i, 5, 30, 40);
        struct stream_store *memory = stream_store_new(&was, UINT64_MAX, &e);
        CHECK(stream_rig_fill(memory, NULL, &was, 7 + i, LENGTH, false, &e));
        CHECK(stream_store_finish(memory, &e));
        struct stream_store *s = stream_file_kernel(f, i, &e);
        CHECK(s && stream_rig_store_agrees(s, 7 + i, LENGTH, &e));
        check_program(stream_store_kernel(s), &was);
        CHECK(stream_store_digest(s, &e) == stream_store_digest(memory, &e));
        struct stream_totals t = stream_store_totals(s), m = stream_store_totals(memory);
        CHECK_EQ(t.file_bytes, t.stored_bytes);
        CHECK_EQ(m.file_bytes, 0);
        t.stored_bytes = m.stored_bytes = t.file_bytes = 0; /* depends on the order of CTAs */
        CHECK(memcmp(&t, &m, sizeof t) == 0);
        stream_store_free(s);
        stream_store_free(memory);
    }
    stream_file_free(f);
    stream_rig_remove(path);
    arena_free(a);
}

/* --- damage ------------------------------------------------------------------------------------ */

static uint8_t *contents(const char *path, size_t *size)
{
    struct stat st;
    CHECK(stat(path, &st) == 0);
    *size = (size_t)st.st_size;
    uint8_t *bytes = malloc(*size);
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && fdio_read(fd, 0, bytes, *size));
    close(fd);
    return bytes;
}

static bool all_is_read(const char *path, struct err *e)
{
    struct stream_file *f = stream_file_open(path, e);
    bool ok = f != NULL;
    for (uint32_t i = 0; ok && i < stream_file_kernels(f); i++) {
        struct stream_store *s = stream_file_kernel(f, i, e);
        if (s)
            stream_store_digest(s, e);
        ok = e->status == STATUS_DONE;
        stream_store_free(s);
    }
    stream_file_free(f);
    return ok;
}

static void check_refused(const char *path, size_t at)
{
    struct err e = {0};
    if (all_is_read(path, &e) || e.status != STATUS_BAD_INPUT ||
        strncmp(e.text, path, strlen(path)) != 0) {
        print_error("at byte %zu: \"%s\"\n", at, e.text);
        CHECK(false);
    }
}

static void a_file_with_any_bit_changed_is_refused(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    size_t size;
    CHECK(stream_rig_record(path, 3, 2, 4, 6, &e) && all_is_read(path, &e));
    uint8_t *bytes = contents(path, &size);
    int fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && size > 500);
    for (size_t i = 0; i < size; i++) {
        uint8_t wrong[] = {(uint8_t)(bytes[i] ^ 1u << i % 8), (uint8_t)(bytes[i] + 128), 0xff};
        for (int j = 0; j < 3; j++) {
            if (wrong[j] == bytes[i])
                continue;
            CHECK(fdio_write(fd, i, &wrong[j], 1));
            check_refused(path, i);
        }
        CHECK(fdio_write(fd, i, &bytes[i], 1));
    }
    CHECK(all_is_read(path, &e));
    close(fd);
    free(bytes);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_file_cut_off_anywhere_or_with_more_behind_is_refused(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    size_t size;
    CHECK(stream_rig_record(path, 3, 2, 4, 6, &e));
    uint8_t *bytes = contents(path, &size);
    int fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && fdio_write(fd, size, "x", 1));
    check_refused(path, size);
    for (size_t n = size; n-- > 0;) {
        CHECK(ftruncate(fd, (off_t)n) == 0);
        check_refused(path, n);
    }
    close(fd);
    free(bytes);
    stream_rig_remove(path);
    arena_free(a);
}

CHECK_MAIN("stream_roundtrip", TEST(every_warp_reads_as_it_was_written),
           TEST(a_store_gives_back_what_it_took_wherever_it_was_kept),
           TEST(a_file_gives_back_what_was_recorded), TEST(a_file_with_any_bit_changed_is_refused),
           TEST(a_file_cut_off_anywhere_or_with_more_behind_is_refused))
