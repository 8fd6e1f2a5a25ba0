/* fdtd2d.c - FDTD2D of PolyBench: fields of the suite's start values; see kernels/fdtd2d.cu.
 *
 * As in the original, the source is the number of the step and the fields begin as products of
 * row and column; the seed adds a hundredth of noise to them.  The suite takes 500 steps on a
 * square of 2048x2048.  All steps are alike: a study takes two, of half the rows, which keep
 * their length. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct shape {
    uint32_t rows, columns, steps;
};

/* In the order of the check; rows of ex are one longer, ey has one row more. */
enum field { EX, EY, HZ, FIELDS };

struct fields {
    struct shape s;
    size_t n[FIELDS];
    float *f[FIELDS], *fict;
    hd_ptr f_d[FIELDS], fict_d;
};

static struct fields make_fields(struct work *w, struct shape s)
{
    struct fields m = {
        .s = s,
        .n = {(size_t)s.rows * (s.columns + 1), (size_t)(s.rows + 1) * s.columns,
              (size_t)s.rows * s.columns},
        .fict = work_alloc(w, s.steps * sizeof(float)),
    };
    for (uint32_t t = 0; t < s.steps; t++)
        m.fict[t] = (float)t;
    for (uint32_t f = 0; f < FIELDS; f++) {
        m.f[f] = work_alloc(w, m.n[f] * sizeof(float));
        for (size_t at = 0; at < m.n[f]; at++) {
            float row = (float)(at / s.columns), column = (float)(at % s.columns);
            float start = (row - (float)f) * (column + (float)f + 1) / (float)s.rows;
            m.f[f][at] = start + work_random_f32(w, f, at, 0.0f, 0.01f);
        }
    }
    return m;
}

static bool upload(struct work *w, struct fields *m, struct hd_error *e)
{
    m->fict_d = work_upload(w, m->fict, m->s.steps * sizeof(float), e);
    bool ok = m->fict_d != 0;
    for (int f = 0; f < FIELDS && ok; f++) {
        m->f_d[f] = work_upload(w, m->f[f], m->n[f] * sizeof(float), e);
        ok = m->f_d[f] != 0;
    }
    return ok;
}

static bool step(struct work *w, const struct fields *m, uint32_t t, struct hd_error *e)
{
    const struct shape *s = &m->s;
    struct hd_dim block = {BLOCK_X, BLOCK_Y, 1};
    struct hd_dim grid = {(s->columns + BLOCK_X - 1) / BLOCK_X, (s->rows + BLOCK_Y - 1) / BLOCK_Y,
                          1};
    struct hd_args a[FIELDS] = {0};
    hd_arg_ptr(&a[0], m->fict_d);
    hd_arg_ptr(&a[0], m->f_d[EY]);
    hd_arg_ptr(&a[0], m->f_d[HZ]);
    hd_arg_ptr(&a[1], m->f_d[EX]);
    hd_arg_ptr(&a[1], m->f_d[HZ]);
    hd_arg_ptr(&a[2], m->f_d[EX]);
    hd_arg_ptr(&a[2], m->f_d[EY]);
    hd_arg_ptr(&a[2], m->f_d[HZ]);
    for (int i = 0; i < FIELDS; i++) {
        hd_arg_i32(&a[i], (int32_t)s->rows);
        hd_arg_i32(&a[i], (int32_t)s->columns);
    }
    hd_arg_i32(&a[0], (int32_t)t);
    return work_launch(w, "fdtd_step1", grid, block, 0, &a[0], e) &&
           work_launch(w, "fdtd_step2", grid, block, 0, &a[1], e) &&
           work_launch(w, "fdtd_step3", grid, block, 0, &a[2], e);
}

static void reference(const struct fields *m, uint32_t t)
{
    float *ex = m->f[EX], *ey = m->f[EY], *hz = m->f[HZ];
    size_t rows = m->s.rows, columns = m->s.columns;
    for (size_t j = 0; j < columns; j++)
        ey[j] = m->fict[t];
    for (size_t at = columns; at < rows * columns; at++)
        ey[at] = hm_fmaf(-0.5f, hz[at] - hz[at - columns], ey[at]);
    for (size_t i = 0; i < rows; i++) {
        float *row = ex + i * (columns + 1);
        const float *h = hz + i * columns;
        for (size_t j = 1; j < columns; j++)
            row[j] = hm_fmaf(-0.5f, h[j] - h[j - 1], row[j]);
    }
    for (size_t i = 0; i < rows; i++) {
        const float *x = ex + i * (columns + 1), *y = ey + i * columns;
        float *h = hz + i * columns;
        for (size_t j = 0; j < columns; j++)
            h[j] = hm_fmaf(-0.7f, x[j + 1] - x[j] + y[j + columns] - y[j], h[j]);
    }
}

static bool check(struct work *w, const struct fields *m, struct hd_error *e)
{
    static const char *const names[FIELDS] = {"ex", "ey", "hz"};
    for (uint32_t t = 0; t < m->s.steps; t++)
        reference(m, t);
    for (int f = 0; f < FIELDS; f++) {
        float *got = work_alloc(w, m->n[f] * sizeof *got);
        if (!work_download(w, got, m->f_d[f], m->n[f] * sizeof *got, e) ||
            !work_same_f32(names[f], got, m->f[f], m->n[f], e))
            return false;
    }
    return true;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {
        [SIZE_TINY] = {96, 128, 4},     [SIZE_SMALL] = {512, 512, 4},
        [SIZE_STUDY] = {1024, 2048, 2}, [SIZE_PAPER] = {2048, 2048, 500},
        [SIZE_FEW] = {96, 96, 40},
    };
    struct fields m = make_fields(w, shapes[w->size]);
    if (!upload(w, &m, e))
        return false;
    for (uint32_t t = 0; t < m.s.steps; t++)
        if (!step(w, &m, t, e))
            return false;
    return !w->verify || check(w, &m, e);
}

const struct workload workload_fdtd2d = {
    .name = "FDTD2D",
    .suite = "PolyBench",
    .stands_for = "FDTD-2D: fields by finite differences, three launches per step, global loads",
    .papers = "cdxbar",
    .kernels = "fdtd2d",
    .inputs =
        {
            [SIZE_TINY] = "128x96 fields, 4 steps",
            [SIZE_SMALL] = "512x512 fields, 4 steps",
            [SIZE_STUDY] = "2048x1024 fields, 2 steps",
            [SIZE_PAPER] = "2048x2048 fields, 500 steps",
            [SIZE_FEW] = "96x96 fields, 40 steps",
        },
    .run = run,
};
