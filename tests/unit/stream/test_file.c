/* Recorded files: what appears when, and what is said of files that are not ours. */
#include "check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig/stream_rig.h"
#include "stream/format.h"
#include "stream/program.h"

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* Files in the directory of `path`. */
static int names_beside(const char *path)
{
    char dir[4096];
    int n = 0;
    snprintf(dir, sizeof dir, "%s", path);
    *strrchr(dir, '/') = '\0';
    DIR *d = opendir(dir);
    CHECK(d);
    for (struct dirent *f; (f = readdir(d)) != NULL;)
        n += f->d_name[0] != '.';
    closedir(d);
    return n;
}

static void a_file_appears_when_it_is_closed(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    struct stream_file_writer *f = stream_file_create(path, "HS@tiny", &e);
    struct stream_kernel k = stream_rig_kernel(a, 1, 5, 3, 32);
    CHECK(f && stream_file_begin(f, &k, &e));
    CHECK(stream_rig_fill(NULL, f, &k, 1, 10, false, &e) && stream_file_end(f, true, &e));
    CHECK(!exists(path) && names_beside(path) == 1);
    CHECK(stream_file_close(f, &e));
    CHECK(exists(path) && names_beside(path) == 1);
    struct stream_file *r = stream_file_open(path, &e);
    CHECK(r && stream_file_kernels(r) == 1);
    CHECK_STR(stream_file_workload(r), "HS@tiny");
    struct stream_store *s = stream_file_kernel(r, 0, &e);
    CHECK(stream_store_kernel(s)->has_grid_spin);
    stream_store_free(s);
    stream_file_free(r);
    stream_rig_remove(path);
    arena_free(a);
}

static void an_abandoned_recording_leaves_nothing_and_an_old_file_as_it_was(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    struct stream_kernel k = stream_rig_kernel(a, 1, 5, 3, 32);
    struct stream_file_writer *f = stream_file_create(path, "w", &e);
    CHECK(stream_file_begin(f, &k, &e));
    CHECK(stream_rig_fill(NULL, f, &k, 1, 10, false, &e));
    stream_file_abandon(f); /* within a kernel */
    CHECK_EQ(names_beside(path), 0);
    CHECK(stream_rig_record(path, 1, 1, 2, 5, &e));
    stream_file_abandon(stream_file_create(path, "w", &e));
    CHECK_EQ(names_beside(path), 1);
    struct stream_file *r = stream_file_open(path, &e);
    CHECK(r && stream_file_kernels(r) == 1);
    stream_file_free(r);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_file_of_no_kernels_is_a_file(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    struct stream_file_writer *f = stream_file_create(path, "", &e);
    CHECK(f && stream_file_close(f, &e));
    struct stream_file *r = stream_file_open(path, &e);
    CHECK(r && stream_file_kernels(r) == 0);
    CHECK_STR(stream_file_workload(r), "");
    stream_file_free(r);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_place_that_cannot_be_written_is_said_at_once(void)
{
    struct err e = {0}, f = {0};
    CHECK(!stream_file_create("/no/such/folder/file", "w", &e));
    CHECK_STR(e.text, "/no/such/folder/file: cannot write: No such file or directory");
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(!stream_file_create("/dev/null", "w", &f));
    CHECK_STR(f.text, "/dev/null: cannot record there: not a regular file");
}

static void check_error(const char *path, const char *bytes, size_t n, const char *said)
{
    struct err e = {0};
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    CHECK(!stream_file_open(path, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strncmp(e.text, path, strlen(path)) == 0);
    CHECK_STR(e.text + strlen(path), said);
}

static void files_that_are_not_ours_or_not_yet_are_told_apart(void)
{
    struct arena *a = arena_new();
    struct err e = {0}, d = {0};
    const char *path = stream_rig_path(a);
    check_error(path, "", 0, ": not a recorded warp stream");
    check_error(path, "HDSTREAM", 8, ": not a recorded warp stream");
    check_error(path, "PK\3\4 is something else altogether", 30, ": not a recorded warp stream");
    check_error(path, "HDSTREAM\1\0\0\0\0\0\0\0", 16,
                ": has format version 1; this heddle reads 5");
    check_error(path, "HDSTREAM\5\0\0\0\xff\xff\xff\xff", 16,
                ": damaged: a part lies outside of the file");
    check_error(path, "HDSTREAM\5\0\0\0\0\0\0\0abcdefgh", 24, ": damaged: a checksum is wrong");
    unlink(path);
    CHECK(!stream_file_open(path, &e));
    CHECK_STR(e.text + strlen(path), ": cannot read: No such file or directory");
    CHECK(!stream_file_open("/tmp", &d));
    CHECK_STR(d.text, "/tmp: not a regular file");
    stream_rig_remove(path);
    arena_free(a);
}

static void a_file_that_is_cut_off_while_it_is_read_is_noticed(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    CHECK(stream_rig_record(path, 4, 1, 5, 20, &e));
    struct stream_file *f = stream_file_open(path, &e);
    struct stream_store *s = stream_file_kernel(f, 0, &e);
    CHECK(truncate(path, 100) == 0);
    CHECK(stream_store_digest(s, &e) == 0);
    CHECK_STR(e.text + strlen(path), ": cannot read: it ends too early");
    stream_store_free(s);
    stream_file_free(f);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_recording_that_cannot_be_put_in_place_leaves_nothing(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    struct stream_file_writer *f = stream_file_create(path, "w", &e);
    CHECK(f && mkdir(path, 0777) == 0);
    CHECK(!stream_file_close(f, &e));
    CHECK_STR(e.text + strlen(path), ": cannot write: Is a directory");
    CHECK_EQ(names_beside(path), 1);
    rmdir(path);
    stream_rig_remove(path);
    arena_free(a);
}

/* --- files with good seals that nobody can have recorded --------------------------------------- */

struct forgery {
    uint64_t frame_bytes; /* in the file */
    uint64_t stored, raw; /* in the index */
    uint64_t steps[2];    /* from one CTA to the next, folded */
    uint64_t lengths[2];  /* of the CTAs in the frame */
    uint64_t hole;        /* bytes before the directory */
};

static void put_sealed(struct bytes *file, struct bytes *part, enum format_seal kind)
{
    format_put_seal(part, kind);
    bytes_put(file, part->at, part->used);
    part->used = 0;
}

static size_t put_forged_kernel(struct bytes *file, struct bytes *part, const struct forgery *g)
{
    static const struct stream_kernel k = {.name = "k", .grid = {2, 1, 1}, .block = {1, 1, 1}};
    static const uint8_t frame[64] = {0};
    size_t start = file->used;
    program_put(part, &k);
    put_sealed(file, part, SEAL_PROGRAM);
    size_t program = file->used - start;
    bytes_put(file, frame, (size_t)g->frame_bytes);
    bytes_put_u8(part, 0);
    bytes_put_varint(part, 0);
    bytes_put_varint(part, 1);
    bytes_put_varint(part, g->stored);
    bytes_put_varint(part, g->raw);
    bytes_put_u64(part, 0);
    bytes_put_varint(part, 2);
    for (int i = 0; i < 2; i++) {
        bytes_put_varint(part, g->steps[i]);
        bytes_put_varint(part, g->lengths[i]);
    }
    put_sealed(file, part, SEAL_INDEX);
    return program;
}

static void forge(const char *path, const struct forgery *g)
{
    struct bytes file = {0}, part = {0};
    bytes_put(&part, FORMAT_MAGIC, FORMAT_MAGIC_BYTES);
    bytes_put_u32(&part, FORMAT_VERSION);
    bytes_put_u32(&part, 0);
    put_sealed(&file, &part, SEAL_HEADER);
    size_t start = file.used, program = put_forged_kernel(&file, &part, g);
    size_t index = file.used - start - program - (size_t)g->frame_bytes;
    for (uint64_t i = 0; i < g->hole; i++)
        bytes_put_u8(&file, 0);
    size_t directory = file.used;
    bytes_put_varint(&part, 1);
    bytes_put_varint(&part, program);
    bytes_put_varint(&part, g->frame_bytes);
    bytes_put_varint(&part, index);
    put_sealed(&file, &part, SEAL_DIRECTORY);
    bytes_put_u64(&part, directory);
    bytes_put_u64(&part, file.used - directory);
    put_sealed(&file, &part, SEAL_TAIL);
    bytes_put(&file, FORMAT_END_MAGIC, FORMAT_MAGIC_BYTES);
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(file.at, 1, file.used, f) == file.used && fclose(f) == 0);
    bytes_free(&file);
    bytes_free(&part);
}

static void what_the_index_says_must_fit_even_if_its_checksum_does(void)
{
    static const struct {
        struct forgery g;
        const char *said; /* NULL: nothing */
    } cases[] = {
        {{20, 20, 8, {0, 0}, {4, 4}, 0}, NULL},
        {{20, 20, 8, {2, 3}, {4, 4}, 0}, NULL},                                 /* CTA 1 before 0 */
        {{20, 20, 8, {0, 1}, {4, 4}, 0}, "the index of a kernel does not fit"}, /* 0 twice */
        {{20, 20, 8, {0, 2}, {4, 4}, 0}, "the index of a kernel does not fit"}, /* CTA 2 of 2 */
        {{20, 20, 9, {0, 0}, {4, 4}, 0}, "the index of a kernel does not fit"}, /* a byte unused */
        {{20, 20, 8, {0, 0}, {8, 4}, 0}, "the index of a kernel does not fit"}, /* too many */
        {{20, 21, 8, {0, 0}, {4, 4}, 0}, "the index of a kernel does not fit"}, /* beyond the end */
        {{20, 19, 8, {0, 0}, {4, 4}, 0}, "the index of a kernel does not fit"}, /* a hole */
        {{20, 20, 1u << 30, {0, 0}, {4, (1u << 30) - 4}, 0}, "the index of a kernel does not fit"},
        {{20, 20, 8, {0, 0}, {4, 4}, 3}, "the directory does not fit the file"},
    };
    struct arena *a = arena_new();
    const char *path = stream_rig_path(a);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        forge(path, &cases[i].g);
        struct stream_file *f = stream_file_open(path, &e);
        CHECK((f != NULL) == (cases[i].said == NULL));
        if (!f) {
            CHECK_STR(e.text + strlen(path), arena_printf(a, ": damaged: %s", cases[i].said));
            continue;
        }
        struct stream_store *s = stream_file_kernel(f, 0, &e);
        CHECK(s && stream_store_digest(s, &e) == 0); /* its frame is no frame */
        CHECK_STR(e.text + strlen(path), ": damaged in the stream of kernel k");
        stream_store_free(s);
        stream_file_free(f);
    }
    stream_rig_remove(path);
    arena_free(a);
}

CHECK_MAIN("file", TEST(a_file_appears_when_it_is_closed),
           TEST(an_abandoned_recording_leaves_nothing_and_an_old_file_as_it_was),
           TEST(a_file_of_no_kernels_is_a_file),
           TEST(a_place_that_cannot_be_written_is_said_at_once),
           TEST(files_that_are_not_ours_or_not_yet_are_told_apart),
           TEST(a_recording_that_cannot_be_put_in_place_leaves_nothing),
           TEST(what_the_index_says_must_fit_even_if_its_checksum_does),
           TEST(a_file_that_is_cut_off_while_it_is_read_is_noticed))
