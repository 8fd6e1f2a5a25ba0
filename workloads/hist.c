/* hist.c - HIST of Parboil: histo; see kernels/histo.cu.
 *
 * The original reads an image of 996x1040 bin numbers, as wafer inspection has them: nearly all lie
 * around the middle of 256x8192 bins.  It computes the histogram 20 times (or 10,000).  Ours draws
 * the image from the seed: a skewed bell some 1,200 bins wide, and one pixel of 128 from one twelve
 * times as wide, part of which lies outside the two ranges that the prescan finds.
 *
 * At `tiny` nearly all fall in two bins, whose counts run over into the next bytes.
 *
 * A CTA of the prescan needs some 16,000 pixels if its threads are to see four each: small images
 * have fewer than 64 of them. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum {
    HISTO_WIDTH = 256,
    RANGE_BINS = 16 * 1024,
    PARTS = 14,
    PRESCAN_CTAS = 64,
    PRESCAN_PIXELS = 16128, /* of a CTA, at least */
    PRESCAN_THREADS = 512,
    LINES = 16,
    MAIN_THREADS = 512,
    FINAL_CTAS = 3 * PARTS,
    FINAL_THREADS = 512,
    STRAY_BELL = 14400000, /* millibins */
};

struct image {
    uint32_t width, height, histo_height, times; /* width is even, height whole 16 lines */
    uint32_t bell;                               /* deviation, in thousandths of a bin */
};

struct device_image {
    hd_ptr pixels, minmax, mappings, parts, histo, overflow, final;
    uint32_t npixels, bins;
};

/* The sum of four draws is nearly normal, of deviation 37,837; its sides are scaled apart. */
static int32_t draw_bell(const struct work *w, uint64_t index, uint32_t millibins)
{
    const int64_t deviation = 37837 * 1000 * 10; /* millibins; the scales are in tenths */
    uint64_t r = work_random(w, 0, index);
    int64_t sum = (int64_t)((r & 0xffff) + (r >> 16 & 0xffff) + (r >> 32 & 0xffff) + (r >> 48));
    int64_t off = sum - 2 * 0xffff;
    off *= (int64_t)millibins * (off < 0 ? 8 : 12);
    return (int32_t)(off / deviation - (off % deviation < 0)); /* rounded down */
}

static uint32_t draw_pixel(const struct work *w, const struct image *m, uint64_t index)
{
    bool is_stray = work_random(w, 1, index) % 128 == 0;
    int32_t bins = (int32_t)(HISTO_WIDTH * m->histo_height);
    int32_t bin = bins / 2 + 1 + draw_bell(w, index, is_stray ? STRAY_BELL : m->bell);
    return (uint32_t)(bin < 0 ? 0 : bin < bins ? bin : bins - 1);
}

/* What the prescan of one CTA says of its part of the image. */
static void prescan(const uint32_t *part, uint32_t stride, uint32_t minmax[2])
{
    float means[PRESCAN_THREADS], deviations[PRESCAN_THREADS];
    for (uint32_t t = 0; t < PRESCAN_THREADS; t++) {
        float sum = 0.0f, squares = 0.0f, count = 0.0f;
        for (uint32_t i = t; i < stride / 8; i += PRESCAN_THREADS, count += 1.0f)
            sum += (float)part[i];
        means[t] = sum / count;
        for (uint32_t i = t; i < stride / 8; i += PRESCAN_THREADS) {
            float off = (float)part[i] - means[t];
            squares = hm_fmaf(off, off, squares);
        }
        deviations[t] = hm_sqrtf(squares / count);
    }
    for (uint32_t half = PRESCAN_THREADS / 2; half > 0; half /= 2) {
        for (uint32_t t = 0; t < half; t++) {
            means[t] += means[t + half];
            deviations[t] += deviations[t + half];
        }
    }
    float mean = means[0] / PRESCAN_THREADS, deviation = deviations[0] / PRESCAN_THREADS;
    uint32_t low = (uint32_t)hm_fmaf(-10.0f, deviation, mean) / RANGE_BINS;
    uint32_t high = (uint32_t)hm_fmaf(10.0f, deviation, mean) / RANGE_BINS;
    minmax[0] = low < minmax[0] ? low : minmax[0];
    minmax[1] = high > minmax[1] ? high : minmax[1];
}

static bool allocate(struct work *w, const uint32_t *pixels, struct device_image *d,
                     struct hd_error *e)
{
    d->pixels = work_upload(w, pixels, d->npixels * sizeof *pixels, e);
    d->minmax = work_device(w, 2 * sizeof(uint32_t), e);
    d->mappings = work_device(w, d->npixels * sizeof(uint32_t), e);
    d->parts = work_device(w, (uint64_t)PARTS * d->bins, e);
    d->histo = work_device(w, d->bins * sizeof(uint16_t), e);
    d->overflow = work_device(w, d->bins * sizeof(uint32_t), e);
    d->final = work_device(w, d->bins, e);
    return d->pixels && d->minmax && d->mappings && d->parts && d->histo && d->overflow && d->final;
}

static uint32_t prescan_ctas(uint32_t pixels)
{
    return pixels / PRESCAN_PIXELS < PRESCAN_CTAS ? pixels / PRESCAN_PIXELS : PRESCAN_CTAS;
}

static bool find_ranges(struct work *w, const struct device_image *d, uint32_t minmax[2],
                        struct hd_error *e)
{
    minmax[0] = UINT32_MAX;
    minmax[1] = 0;
    struct hd_args a = {0};
    hd_arg_ptr(&a, d->pixels);
    hd_arg_u32(&a, d->npixels);
    hd_arg_ptr(&a, d->minmax);
    return hd_upload(w->device, d->minmax, minmax, 2 * sizeof *minmax, e) &&
           work_launch(w, "histo_prescan_kernel", (struct hd_dim){prescan_ctas(d->npixels), 1, 1},
                       (struct hd_dim){PRESCAN_THREADS, 1, 1}, 0, &a, e) &&
           work_download(w, minmax, d->minmax, 2 * sizeof *minmax, e);
}

static bool map_pixels(struct work *w, const struct image *m, const struct device_image *d,
                       struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, d->pixels);
    hd_arg_u32(&a, m->width);
    hd_arg_u32(&a, m->width / 2);
    hd_arg_ptr(&a, d->mappings);
    return work_launch(w, "histo_intermediates_kernel", (struct hd_dim){m->height / LINES, 1, 1},
                       (struct hd_dim){m->width / 2, 1, 1}, 0, &a, e);
}

static bool count_pixels(struct work *w, const struct device_image *d, const uint32_t minmax[2],
                         struct hd_error *e)
{
    struct hd_args a = {0}, f = {0};
    hd_arg_ptr(&a, d->mappings);
    hd_arg_u32(&a, d->npixels);
    hd_arg_u32(&a, minmax[0]);
    hd_arg_u32(&a, minmax[1]);
    hd_arg_u32(&a, d->bins);
    hd_arg_ptr(&a, d->parts);
    hd_arg_ptr(&a, d->histo);
    hd_arg_ptr(&a, d->overflow);
    hd_arg_u32(&f, minmax[0]);
    hd_arg_u32(&f, minmax[1]);
    hd_arg_u32(&f, d->bins);
    hd_arg_ptr(&f, d->parts);
    hd_arg_ptr(&f, d->histo);
    hd_arg_ptr(&f, d->overflow);
    hd_arg_ptr(&f, d->final);
    return work_launch(w, "histo_main_kernel", (struct hd_dim){PARTS, minmax[1] - minmax[0] + 1, 1},
                       (struct hd_dim){MAIN_THREADS, 1, 1}, 0, &a, e) &&
           work_launch(w, "histo_final_kernel", (struct hd_dim){FINAL_CTAS, 1, 1},
                       (struct hd_dim){FINAL_THREADS, 1, 1}, 0, &f, e);
}

static bool check(struct work *w, const struct device_image *d, const uint32_t *pixels,
                  const uint32_t ranges[2], struct hd_error *e)
{
    uint8_t *got = work_alloc(w, d->bins), *want = work_alloc(w, d->bins);
    uint32_t ctas = prescan_ctas(d->npixels), stride = d->npixels / ctas;
    uint32_t minmax[2] = {UINT32_MAX, 0};
    for (uint32_t c = 0; c < ctas; c++)
        prescan(pixels + (size_t)c * stride, stride, minmax);
    for (uint32_t i = 0; i < d->npixels; i++)
        if (want[pixels[i]] < UINT8_MAX)
            want[pixels[i]]++;
    return work_same_u32("ranges", ranges, minmax, 2, e) &&
           work_download(w, got, d->final, d->bins, e) &&
           work_same_u8("histogram", got, want, d->bins, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct image sizes[SIZES] = {
        [SIZE_TINY] = {128, 128, 512, 1, 100},        [SIZE_SMALL] = {512, 512, 2048, 4, 1200000},
        [SIZE_STUDY] = {996, 1040, 8192, 4, 1200000}, [SIZE_PAPER] = {996, 1040, 8192, 20, 1200000},
        [SIZE_FEW] = {996, 1040, 8192, 1, 1200000},
    };
    const struct image *m = &sizes[w->size];
    struct device_image d = {.npixels = m->width * m->height,
                             .bins = HISTO_WIDTH * m->histo_height};
    uint32_t *pixels = work_alloc(w, d.npixels * sizeof *pixels), minmax[2];
    for (uint32_t i = 0; i < d.npixels; i++)
        pixels[i] = draw_pixel(w, m, i);
    if (!allocate(w, pixels, &d, e))
        return false;
    for (uint32_t i = 0; i < m->times; i++)
        if (!find_ranges(w, &d, minmax, e) || !map_pixels(w, m, &d, e) ||
            !count_pixels(w, &d, minmax, e))
            return false;
    return !w->verify || check(w, &d, pixels, minmax, e);
}

const struct workload workload_hist = {
    .name = "HIST",
    .suite = "Parboil",
    .stands_for = "histo: saturating histogram, shared and global atomics, four kernels",
    .papers = "cdxbar",
    .kernels = "histo",
    .inputs =
        {
            [SIZE_TINY] = "128x128 pixels, 256x512 bins, once",
            [SIZE_SMALL] = "512x512 pixels, 256x2048 bins, 4 times",
            [SIZE_STUDY] = "996x1040 pixels, 256x8192 bins, 4 times",
            [SIZE_PAPER] = "996x1040 pixels, 256x8192 bins, 20 times",
            [SIZE_FEW] = "996x1040 pixels, 256x8192 bins, once",
        },
    .run = run,
};
