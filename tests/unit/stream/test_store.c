/* Spooling one kernel: totals, limits, order, and what is a fault of the caller. */
#include "check.h"

#include "rig/capture.h"
#include "rig/stream_rig.h"

/* One block: an addition, a global load, a shared store, an atomic; and an exit. */
static const struct stream_insn insns[] = {
    {.unit = UNIT_INT},
    {.unit = UNIT_MEM, .flags = INSN_MEM | INSN_LOAD, .space = STREAM_GLOBAL, .size = 4},
    {.unit = UNIT_MEM, .flags = INSN_MEM | INSN_STORE, .space = STREAM_SHARED, .size = 4},
    {.unit = UNIT_MEM,
     .flags = INSN_MEM | INSN_ATOMIC | INSN_LOAD,
     .space = STREAM_GLOBAL,
     .size = 4},
    {.unit = UNIT_CONTROL, .flags = INSN_EXIT},
};
static const struct stream_block blocks[] = {{0, 4}, {4, 1}};
static const struct stream_kernel kernel = {.name = "counted",
                                            .grid = {2, 3, 1},
                                            .block = {40, 1, 1},
                                            .insns = insns,
                                            .ninsns = 5,
                                            .blocks = blocks,
                                            .nblocks = 2};

static void write_warp(struct stream_writer *w, uint32_t rounds)
{
    stream_writer_reset(w);
    for (uint32_t i = 0; i < rounds; i++) {
        stream_writer_block(w, 0, 4, 0xf);
        stream_writer_stride(w, STREAM_GLOBAL, 1000 + 128 * i, 4);
        stream_writer_uniform(w, STREAM_SHARED, 16);
        stream_writer_uniform(w, STREAM_GLOBAL, 4096);
    }
    stream_writer_block(w, 1, 1, 0xf);
}

static struct stream_store *filled(const struct stream_kernel *k, uint64_t limit, uint32_t rounds,
                                   struct err *e)
{
    struct stream_writer w[2];
    struct stream_store *s = stream_store_new(k, limit, e);
    CHECK(s);
    stream_writer_init(&w[0]);
    stream_writer_init(&w[1]);
    for (uint32_t cta = 0; cta < stream_kernel_ctas(k); cta++) {
        write_warp(&w[0], rounds);
        write_warp(&w[1], 0);
        CHECK(stream_store_add(s, cta, w, 2, e));
    }
    stream_writer_free(&w[0]);
    stream_writer_free(&w[1]);
    return s;
}

static void totals_count_every_dynamic_instruction(void)
{
    struct err e = {0};
    struct stream_store *s = filled(&kernel, UINT64_MAX, 10, &e);
    CHECK(stream_store_finish(s, &e));
    struct stream_totals t = stream_store_totals(s);
    CHECK_EQ(t.ctas, 6);
    CHECK_EQ(t.warps, 12);
    CHECK_EQ(t.insns, 6 * (10 * 4 + 2));
    CHECK_EQ(t.thread_insns, 4 * t.insns);
    CHECK_EQ(t.by_unit[UNIT_INT], 60);
    CHECK_EQ(t.by_unit[UNIT_MEM], 180);
    CHECK_EQ(t.by_unit[UNIT_CONTROL], 12);
    CHECK_EQ(t.by_space_load[STREAM_GLOBAL], 60);
    CHECK_EQ(t.by_space_store[STREAM_SHARED], 60);
    CHECK_EQ(t.by_space_store[STREAM_GLOBAL], 0);
    CHECK_EQ(t.atomics, 60);
    CHECK(t.stored_bytes > 0 && t.raw_bytes > t.stored_bytes);
    stream_store_free(s);
}

static void regular_streams_take_far_less_than_a_byte_per_instruction(void)
{
    struct err e = {0};
    struct stream_store *s = filled(&kernel, UINT64_MAX, 20000, &e);
    CHECK(stream_store_finish(s, &e));
    struct stream_totals t = stream_store_totals(s);
    CHECK(t.raw_bytes < 4 * t.insns);
    CHECK(t.stored_bytes < t.insns / 4);
    stream_store_free(s);
}

static void the_flag_of_a_spin_is_taken_at_the_end_and_the_rest_at_the_start(void)
{
    struct err e = {0};
    struct stream_kernel k = kernel;
    struct stream_store *s = filled(&k, UINT64_MAX, 1, &e);
    k.has_grid_spin = true;
    k.grid[0] = 77;
    CHECK(stream_store_finish(s, &e));
    CHECK(stream_store_kernel(s)->has_grid_spin);
    CHECK_EQ(stream_store_kernel(s)->grid[0], 2);
    CHECK(stream_store_kernel(s)->insns != insns);
    stream_store_free(s);
}

static void cursors_on_one_store_do_not_disturb_each_other(void)
{
    struct err e = {0};
    struct arena *a = arena_new();
    struct stream_kernel k = stream_rig_kernel(a, 5, 20, 60, 64);
    struct stream_store *s = stream_store_new(&k, 0, &e);
    CHECK(stream_rig_fill(s, NULL, &k, 5, 200, false, &e) && stream_store_finish(s, &e));
    CHECK(stream_store_totals(s).raw_bytes > 4 * 64 << 10); /* several frames */
    struct stream_cursor *c[2] = {stream_cursor_new(s, &e), stream_cursor_new(s, &e)};
    const struct stream_warp *warps[2];
    uint32_t n;
    for (uint32_t i = 0; i < 30; i++) {
        CHECK(stream_cursor_seek(c[0], i, &warps[0], &n, &e));
        CHECK(stream_cursor_seek(c[1], 59 - i, &warps[1], &n, &e));
        CHECK_EQ(n, 2);
        CHECK(stream_rig_agrees(&k, 5, i, 1, 200, &warps[0][1]));
        CHECK(stream_rig_agrees(&k, 5, 59 - i, 0, 200, &warps[1][0]));
    }
    stream_cursor_free(c[0]);
    stream_cursor_free(c[1]);
    stream_store_free(s);
    arena_free(a);
}

static void frames_go_to_a_file_when_the_limit_is_reached(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct stream_kernel k = stream_rig_kernel(a, 5, 20, 60, 64);
    const uint64_t limit = 200000;
    struct stream_store *s = stream_store_new(&k, limit, &e);
    CHECK(stream_rig_fill(s, NULL, &k, 5, 200, false, &e) && stream_store_finish(s, &e));
    struct stream_totals t = stream_store_totals(s);
    CHECK(t.stored_bytes > 2 * limit);
    CHECK(t.stored_bytes - t.file_bytes <= limit);
    CHECK(t.stored_bytes - t.file_bytes > limit / 2);
    CHECK(stream_rig_store_agrees(s, 5, 200, &e));
    stream_store_free(s);
    arena_free(a);
}

static void where_nothing_can_be_spilled_is_said_in_one_line(void)
{
    struct err e = {0};
    char *old = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", "/no/such/folder", 1);
    struct stream_store *s = filled(&kernel, 0, 1, &e);
    CHECK(!stream_store_finish(s, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "/no/such/folder: cannot write a temporary file: No such file"));
    stream_store_free(s);
    if (old)
        setenv("TMPDIR", old, 1);
    else
        unsetenv("TMPDIR");
    free(old);
}

static void programs_that_would_lead_astray_are_refused(void)
{
    struct stream_insn bad_insn[5];
    struct stream_block bad_block[2];
    for (int i = 0; i < 8; i++) {
        struct stream_kernel k = kernel;
        struct err e = {0};
        memcpy(bad_insn, insns, sizeof insns);
        memcpy(bad_block, blocks, sizeof blocks);
        k.insns = bad_insn;
        k.blocks = bad_block;
        switch (i) {
        case 0:
            bad_block[1].count = 2;
            break;
        case 1:
            bad_insn[2].dst[0] = REG_WIDE | REG_PRED | 3;
            break;
        case 2:
            bad_insn[2].unit = UNIT_COUNT;
            break;
        case 3:
            bad_insn[1].size = 3;
            break;
        case 4:
            bad_insn[1].space = STREAM_SPACES;
            break;
        case 5:
            bad_insn[0].flags = INSN_MULTI;
            break;
        case 6:
            k.block[1] = 26;
            break;
        default:
            k.grid[0] = k.grid[1] = k.grid[2] = UINT32_MAX;
        }
        CHECK(!stream_store_new(&k, 0, &e));
        CHECK_EQ(e.status, STATUS_FAILED);
        CHECK(strncmp(e.text, "kernel counted: ", 16) == 0);
    }
}

/* One stream is read with both views, so what has a payload must be the same. */
static void an_assembled_view_must_have_the_same_accesses(void)
{
    static const struct stream_block whole[] = {{0, 3}, {3, 1}};
    for (int i = 0; i < 6; i++) {
        struct stream_insn view[] = {insns[1], insns[2], insns[3], insns[4]};
        struct stream_block cut[] = {whole[0], whole[1]};
        struct stream_kernel k = kernel;
        struct err e = {0};
        k.assembled = (struct stream_assembled){view, 4, cut};
        if (i == 1)
            view[0].flags = 0; /* a load less */
        else if (i == 2)
            view[0].space = STREAM_SHARED;
        else if (i == 3)
            cut[0].count = 2; /* one access too few */
        else if (i == 4)
            cut[1] = (struct stream_block){2, 2}; /* one too many */
        else if (i == 5)
            cut[1].count = 2; /* an instruction that is not there */
        struct stream_store *s = stream_store_new(&k, 0, &e);
        CHECK_EQ(s != NULL, i == 0);
        CHECK_EQ(e.status, i == 0 ? STATUS_DONE : STATUS_FAILED);
        stream_store_free(s);
    }
}

static void add_a_cta_twice(void)
{
    struct err e = {0};
    struct stream_writer w[2];
    struct stream_store *s = stream_store_new(&kernel, 0, &e);
    stream_writer_init(&w[0]);
    stream_writer_init(&w[1]);
    stream_store_add(s, 3, w, 2, &e);
    stream_store_add(s, 3, w, 2, &e);
}

static void finish_without_all_ctas(void)
{
    struct err e = {0};
    stream_store_finish(stream_store_new(&kernel, 0, &e), &e);
}

static void add_a_cta_of_too_few_warps(void)
{
    struct err e = {0};
    struct stream_writer w;
    stream_writer_init(&w);
    stream_store_add(stream_store_new(&kernel, 0, &e), 0, &w, 1, &e);
}

static void a_cta_missing_or_twice_is_our_own_fault(void)
{
    CHECK(strstr(death_of(add_a_cta_twice).text, "CTA 3 of 6 cannot be added"));
    CHECK(strstr(death_of(finish_without_all_ctas).text, "0 of 6 CTAs are in"));
    CHECK(strstr(death_of(add_a_cta_of_too_few_warps).text, "1 warps in a CTA of 2"));
}

CHECK_MAIN("store", TEST(totals_count_every_dynamic_instruction),
           TEST(regular_streams_take_far_less_than_a_byte_per_instruction),
           TEST(the_flag_of_a_spin_is_taken_at_the_end_and_the_rest_at_the_start),
           TEST(cursors_on_one_store_do_not_disturb_each_other),
           TEST(frames_go_to_a_file_when_the_limit_is_reached),
           TEST(where_nothing_can_be_spilled_is_said_in_one_line),
           TEST(programs_that_would_lead_astray_are_refused),
           TEST(an_assembled_view_must_have_the_same_accesses),
           TEST(a_cta_missing_or_twice_is_our_own_fault))
