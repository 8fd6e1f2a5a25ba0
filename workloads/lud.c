/* lud.c - LUD: Rodinia lud.
 *
 * As in the original, three kernels for each of the n / 16 - 1 first diagonal blocks and one for
 * the last, without pivoting.  The original's inputs are files or products of triangular matrices;
 * ours are random with a strong diagonal.
 *
 * `study` is the first two of the 127 steps at the original's largest size.  Step k has (127 - k)^2
 * CTAs of lud_internal: 98 % of the work of all is in launches of two waves and more on 60 SMs, as
 * these are, while of a whole decomposition of as many instructions (640x640) every other launch
 * has fewer CTAs than these SMs can hold. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { BLOCK = 16 };

/* Element by element, left to right and down: what was subtracted for a whole block of 16 was
 * summed up first (lud_internal), the rest was subtracted one product at a time.  Beyond the first
 * `done` rows and columns only those blocks were subtracted. */
static void reference(float *m, size_t n, size_t done)
{
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++) {
            float x = m[r * n + c];
            size_t least = r < c ? r : c, products = least < done ? least : done;
            size_t in_blocks = products / BLOCK * BLOCK;
            for (size_t block = 0; block < in_blocks; block += BLOCK) {
                float sum = 0;
                for (size_t j = block; j < block + BLOCK; j++)
                    sum = hm_fmaf(m[r * n + j], m[j * n + c], sum);
                x -= sum;
            }
            for (size_t j = in_blocks; j < products; j++)
                x = hm_fmaf(-m[r * n + j], m[j * n + c], x);
            m[r * n + c] = r > c && c < done ? x / m[c * n + c] : x;
        }
    }
}

static bool launch(struct work *w, const char *kernel, hd_ptr m, uint32_t n, uint32_t offset,
                   struct hd_dim grid, struct hd_dim block, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, m);
    hd_arg_u32(&a, n);
    hd_arg_u32(&a, offset);
    return work_launch(w, kernel, grid, block, 0, &a, e);
}

/* Rows and columns up to `done`, all of them or a number of blocks less. */
static bool decompose(struct work *w, hd_ptr m, uint32_t n, uint32_t done, struct hd_error *e)
{
    const struct hd_dim one = {1, 1, 1}, line = {BLOCK, 1, 1};
    uint32_t offset = 0;
    for (; offset < done && offset < n - BLOCK; offset += BLOCK) {
        uint32_t rest = (n - offset) / BLOCK - 1;
        if (!launch(w, "lud_diagonal", m, n, offset, one, line, e) ||
            !launch(w, "lud_perimeter", m, n, offset, (struct hd_dim){rest, 1, 1},
                    (struct hd_dim){2 * BLOCK, 1, 1}, e) ||
            !launch(w, "lud_internal", m, n, offset, (struct hd_dim){rest, rest, 1},
                    (struct hd_dim){BLOCK, BLOCK, 1}, e))
            return false;
    }
    return done < n || launch(w, "lud_diagonal", m, n, offset, one, line, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t n, done;
    } sizes[SIZES] = {{64, 64}, {256, 256}, {2048, 2 * BLOCK}, {2048, 2048}, {144, 144}};
    uint32_t n = sizes[w->size].n, done = sizes[w->size].done;
    size_t elements = (size_t)n * n, bytes = elements * sizeof(float);
    float *m = work_alloc(w, bytes), *got = work_alloc(w, bytes);
    for (size_t i = 0; i < elements; i++) {
        m[i] = work_random_f32(w, 0, i, -1.0f, 1.0f);
        if (i % (n + 1) == 0)
            m[i] += (float)n;
    }
    hd_ptr device = work_upload(w, m, bytes, e);
    if (!device || !decompose(w, device, n, done, e) || !work_download(w, got, device, bytes, e))
        return false;
    if (!w->verify)
        return true;
    reference(m, n, done);
    return work_same_f32("element", got, m, elements, e);
}

const struct workload workload_lud = {
    .name = "LUD",
    .suite = "Rodinia",
    .stands_for = "lud: LU decomposition by 16x16 blocks, a dependent sequence of small launches",
    .papers = "icc sharing",
    .kernels = "lud",
    .inputs = {"64x64 matrix", "256x256 matrix", "first 2 of 127 steps of a 2048x2048 matrix",
               "2048x2048 matrix", "144x144 matrix"},
    .run = run,
};
