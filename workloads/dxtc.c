/* dxtc.c - DXTC: CUDA SDK dxtc.
 *
 * The original compresses a picture of a teapot, 512x512, in launches of 768 CTAs per SM; ours
 * compresses a picture made from the seed (smooth shades, edges, some noise) in one launch.  What
 * is read and computed hardly depends on it. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum {
    COLOURS = 16,
    SIDE = 4,
    THREADS = 64,
    CUTS4 = 992,
    CUTS3 = 160,
    NOISE_STREAM = 0,
    SHADE_STREAM = 1,
};

struct image {
    uint32_t width, height;
};

struct rgb {
    float v[3];
};

struct fitted {
    float error;
    uint32_t cut, start, end;
};

/* ---- inputs ----------------------------------------------------------------------------------- */

/* Codes of sorted colours that are cut into runs of the given lengths; codes in the order of the
 * palette along the line: first end, a third of the way, two thirds, second end. */
static uint32_t cut_of(const uint32_t lengths[4])
{
    static const uint32_t codes[4] = {0, 2, 3, 1};
    uint32_t cut = 0, at = 0;
    for (int r = 0; r < 4; r++)
        for (uint32_t i = 0; i < lengths[r]; i++)
            cut |= codes[r] << (2 * at++);
    return cut;
}

/* Cuts into three runs first (153, filled up to 160), which the three-colour fit uses again; then
 * those into four.  What is left over repeats the first. */
static void make_cuts(uint32_t cuts[CUTS4])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i <= COLOURS; i++)
        for (uint32_t j = 0; i + j <= COLOURS; j++)
            cuts[n++] = cut_of((uint32_t[4]){i, j, 0, COLOURS - i - j});
    while (n < CUTS3)
        cuts[n++] = cuts[0];
    for (uint32_t i = 0; i <= COLOURS; i++)
        for (uint32_t j = 0; i + j <= COLOURS; j++)
            for (uint32_t k = 1; i + j + k <= COLOURS; k++)
                cuts[n++] = cut_of((uint32_t[4]){i, j, k, COLOURS - i - j - k});
    while (n < CUTS4)
        cuts[n++] = cuts[0];
}

static uint32_t pixel(const struct work *w, uint32_t x, uint32_t y, uint64_t index)
{
    uint64_t noise = work_random(w, NOISE_STREAM, index);
    uint64_t shade = work_random(w, SHADE_STREAM, (x / 24) * 1000 + y / 24); /* of a patch */
    uint32_t bits = 0;
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t flat = (uint32_t)(shade >> (8 * c) & 127), slope = (x * (c + 1) + y * (3 - c)) / 8;
        bits |= (flat + slope % 120 + (uint32_t)(noise >> (8 * c) & 7)) << (8 * c);
    }
    return bits;
}

/* Pixels in the order of the kernel: a block of 4x4 after the other. */
static uint32_t *make_image(struct work *w, const struct image *m)
{
    uint32_t *image = work_alloc(w, (size_t)m->width * m->height * sizeof *image);
    for (uint32_t y = 0; y < m->height; y++) {
        for (uint32_t x = 0; x < m->width; x++) {
            uint32_t block = y / SIDE * (m->width / SIDE) + x / SIDE;
            image[block * COLOURS + y % SIDE * SIDE + x % SIDE] =
                pixel(w, x, y, (uint64_t)y * m->width + x);
        }
    }
    return image;
}

/* ---- reference -------------------------------------------------------------------------------- */

static float dot(const struct rgb *a, const struct rgb *b)
{
    return a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2];
}

static struct rgb sum_of(const struct rgb *colours)
{
    struct rgb sum = {{0}};
    for (int i = 0; i < COLOURS; i++)
        for (int c = 0; c < 3; c++)
            sum.v[c] += colours[i].v[c];
    return sum;
}

static struct rgb best_line(const struct rgb *colours)
{
    struct rgb sum = sum_of(colours), line = {{1.0f, 1.0f, 1.0f}};
    float covariance[3][3] = {{0}};
    for (int i = 0; i < COLOURS; i++) {
        float d[3];
        for (int c = 0; c < 3; c++)
            d[c] = colours[i].v[c] - sum.v[c] * (1.0f / COLOURS);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                covariance[a][b] += d[a < b ? a : b] * d[a < b ? b : a];
    }
    for (int step = 0; step < 8; step++) {
        struct rgb next;
        for (int c = 0; c < 3; c++)
            next.v[c] = line.v[0] * covariance[0][c] + line.v[1] * covariance[1][c] +
                        line.v[2] * covariance[2][c];
        float largest = next.v[0] > next.v[1] ? next.v[0] : next.v[1];
        largest = largest > next.v[2] ? largest : next.v[2];
        float scale = largest != 0.0f ? 1.0f / largest : 0.0f;
        for (int c = 0; c < 3; c++)
            line.v[c] = next.v[c] * scale;
    }
    return line;
}

static float clamp(float x)
{
    return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f;
}

static struct rgb round_565(struct rgb c, uint32_t *bits)
{
    static const float steps[3] = {31.0f, 63.0f, 31.0f};
    static const float back[3] = {0.03227752766457f, 0.01583151765563f, 0.03227752766457f};
    static const int shift[3] = {11, 5, 0};
    *bits = 0;
    for (int i = 0; i < 3; i++) {
        float step = hm_rintf(clamp(c.v[i]) * steps[i]);
        *bits |= (uint32_t)step << shift[i];
        c.v[i] = step * back[i];
    }
    return c;
}

/* Weights of the first end colour in `unit`-ths of unit's root: (3, 0, 2, 1) / 3 squared over 9,
 * (2, 0, 1, 1) / 2 squared over 4. */
static struct fitted fit(const struct rgb *colours, uint32_t cut, bool is_four)
{
    static const int first[2][4] = {{2, 0, 1, 1}, {3, 0, 2, 1}};
    int whole = is_four ? 3 : 2, aa = 0, ab = 0, bb = 0;
    struct rgb sum = sum_of(colours), ax = {{0}}, bx, a, b;
    for (int i = 0; i < COLOURS; i++) {
        int alpha = first[is_four][cut >> (2 * i) & 3], beta = whole - alpha;
        for (int c = 0; c < 3; c++)
            ax.v[c] += colours[i].v[c] * (float)(alpha * whole);
        aa += alpha * alpha;
        ab += alpha * beta;
        bb += beta * beta;
    }
    float unit = (float)(whole * whole), fa = (float)aa, fb = (float)bb, fab = (float)ab;
    float factor = 1.0f / (fa * fb - fab * fab);
    for (int c = 0; c < 3; c++) {
        bx.v[c] = sum.v[c] * unit - ax.v[c];
        a.v[c] = (ax.v[c] * fb - bx.v[c] * fab) * factor;
        b.v[c] = (bx.v[c] * fa - ax.v[c] * fab) * factor;
    }
    struct fitted f = {.cut = cut};
    a = round_565(a, &f.start);
    b = round_565(b, &f.end);
    float square = dot(&a, &a) * fa + dot(&b, &b) * fb;
    float cross = dot(&a, &b) * fab - dot(&a, &ax) - dot(&b, &bx);
    f.error = (square + 2.0f * cross) / unit;
    return f;
}

/* The best cut that one of the kernel's threads tries. */
static struct fitted best_of_thread(const struct rgb *sorted, const uint32_t *cuts, uint32_t t)
{
    struct fitted best = {.error = 3.402823466e+38f};
    for (uint32_t i = t; i < CUTS4; i += THREADS) {
        struct fitted f = fit(sorted, cuts[i], true);
        best = f.error < best.error ? f : best;
    }
    if (best.start < best.end)
        best = (struct fitted){best.error, best.cut ^ 0x55555555u, best.end, best.start};
    for (uint32_t i = t; i < CUTS3; i += THREADS) {
        struct fitted f = fit(sorted, cuts[i], false);
        if (!(f.error < best.error))
            continue;
        best = f;
        if (f.start > f.end)
            best = (struct fitted){f.error, f.cut ^ (~f.cut >> 1 & 0x55555555u), f.end, f.start};
    }
    return best;
}

static void reference(uint32_t out[2], const uint32_t *block, const uint32_t *cuts)
{
    struct rgb colours[COLOURS], sorted[COLOURS];
    uint32_t ranks[COLOURS] = {0};
    for (int i = 0; i < COLOURS; i++)
        for (int c = 0; c < 3; c++)
            colours[i].v[c] = (float)(block[i] >> (8 * c) & 255) * (1.0f / 255.0f);
    struct rgb line = best_line(colours);
    for (int i = 0; i < COLOURS; i++) {
        for (int j = 0; j < COLOURS; j++) {
            float mine = dot(&colours[i], &line), other = dot(&colours[j], &line);
            ranks[i] += other < mine || (other == mine && j < i);
        }
        sorted[ranks[i]] = colours[i];
    }
    struct fitted best = best_of_thread(sorted, cuts, 0);
    for (uint32_t t = 1; t < THREADS; t++) {
        struct fitted f = best_of_thread(sorted, cuts, t);
        best = f.error < best.error ? f : best;
    }
    out[0] = best.end << 16 | best.start;
    out[1] = 0;
    for (int i = 0; i < COLOURS; i++)
        out[1] |= (best.start == best.end ? 0 : best.cut >> (2 * ranks[i]) & 3) << (2 * i);
}

static bool check(struct work *w, const uint32_t *got, const uint32_t *image, const uint32_t *cuts,
                  uint32_t blocks, struct hd_error *e)
{
    uint32_t *want = work_alloc(w, (size_t)blocks * 2 * sizeof *want);
    for (uint32_t b = 0; b < blocks; b++)
        reference(want + 2 * (size_t)b, image + (size_t)b * COLOURS, cuts);
    return work_same_i32("block word", (const int32_t *)got, (const int32_t *)want,
                         (size_t)blocks * 2, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct image sizes[SIZES] = {[SIZE_TINY] = {8, 16},
                                              [SIZE_SMALL] = {64, 60},
                                              [SIZE_STUDY] = {160, 120},
                                              [SIZE_PAPER] = {512, 512},
                                              [SIZE_FEW] = {32, 24}};
    const struct image *m = &sizes[w->size];
    uint32_t blocks = m->width * m->height / COLOURS, cuts[CUTS4];
    uint32_t *image = make_image(w, m), *got = work_alloc(w, (size_t)blocks * 2 * sizeof *got);
    make_cuts(cuts);
    hd_ptr cuts_d = work_upload(w, cuts, sizeof cuts, e);
    hd_ptr image_d = work_upload(w, image, (uint64_t)blocks * COLOURS * sizeof *image, e);
    hd_ptr out = work_device(w, (uint64_t)blocks * 2 * sizeof *got, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, cuts_d);
    hd_arg_ptr(&a, image_d);
    hd_arg_ptr(&a, out);
    return cuts_d && image_d && out &&
           work_launch(w, "compress", (struct hd_dim){blocks, 1, 1}, (struct hd_dim){THREADS, 1, 1},
                       0, &a, e) &&
           work_download(w, got, out, (uint64_t)blocks * 2 * sizeof *got, e) &&
           (!w->verify || check(w, got, image, cuts, blocks, e));
}

const struct workload workload_dxtc = {
    .name = "DXTC",
    .suite = "CUDA SDK",
    .papers = "cdxbar",
    .stands_for = "dxtc: an image compressed to DXT1, a CTA of 64 threads per 4x4 pixels",
    .kernels = "dxtc",
    .inputs =
        {
            [SIZE_TINY] = "8x16 pixels",
            [SIZE_SMALL] = "64x60 pixels",
            [SIZE_STUDY] = "160x120 pixels",
            [SIZE_PAPER] = "512x512 pixels",
            [SIZE_FEW] = "32x24 pixels: 48 CTAs",
        },
    .run = run,
};
