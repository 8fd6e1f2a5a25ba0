/* leu.c - LEU: Rodinia leukocyte; see kernels/leukocyte.cu.
 *
 * As in the original, the device scores and dilates the first frame of a video (detection) and
 * then spreads the edges around every cell in each further frame (tracking).  The video is made
 * by leu_video.c and shows what the original crops its frames to, a vessel 219 pixels high and
 * 640 wide; in it are 36 cells, as many as the original finds in its own.  What the original's
 * host does between the kernels (fitting splines to the finds, letting snakes crawl) is left out:
 * where the cells are in a frame is known.
 *
 * The suite's usual run tracks for five frames, with at most 500 iterations each.  A study has the
 * whole frame and all cells, so that CTAs, waves and footprint are those of the original, but one
 * circle of seven (the middle one), a smaller disc for dilation and two iterations.  At tiny and
 * small the fields count as settled sooner, so that this is tried, too. */
#include "../kernels/heddle_math.h"
#include "leu_video.h"

enum {
    POINTS = 150,
    CIRCLES = 7,
    LEAST_RADIUS = 8,
    MARGIN = 22,
    MOST_RADIUS = 12, /* of the disc */
    DILATE_THREADS = 176,
    THREADS = 320,
    WINDOW_PIXELS = LEU_WINDOW_ROWS * LEU_WINDOW_COLUMNS,
};
#define PI 3.14159
#define MU 0.5
#define LAMBDA (8.0 * MU + 1.0)
#define EPSILON 1e-10f
#define CUTOFF 1e-5f /* the original's: a pixel's mean change at which a field has settled */

struct job {
    uint32_t rows, columns;
    uint32_t first_circle, circles, disc_radius;
    uint32_t cell_rows, cell_columns, frames, iterations;
    float cutoff;
};

struct constants {
    float sine[POINTS], cosine[POINTS];
    int32_t x[CIRCLES * POINTS], y[CIRCLES * POINTS];
    float disc[(2 * MOST_RADIUS + 1) * (2 * MOST_RADIUS + 1)];
};

static struct constants *make_constants(struct work *w, const struct job *job)
{
    struct constants *c = work_alloc(w, sizeof *c);
    for (uint32_t n = 0; n < POINTS; n++) {
        float angle = (float)(n * 2.0 * PI / POINTS);
        c->sine[n] = hm_sinf(angle);
        c->cosine[n] = hm_cosf(angle);
    }
    for (uint32_t i = 0; i < CIRCLES * POINTS; i++) {
        float radius = (float)(LEAST_RADIUS + 2 * (i / POINTS));
        c->x[i] = (int32_t)(c->cosine[i % POINTS] * radius);
        c->y[i] = (int32_t)(c->sine[i % POINTS] * radius);
    }
    int32_t r = (int32_t)job->disc_radius, side = 2 * r + 1;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t dy = i / side - r, dx = i % side - r;
        c->disc[i] = dx * dx + dy * dy <= r * r ? 1.0f : 0.0f;
    }
    return c;
}

static bool upload_constants(struct work *w, const struct constants *c, struct hd_error *e)
{
    return work_symbol(w, "c_sin_angle", c->sine, sizeof c->sine, e) &&
           work_symbol(w, "c_cos_angle", c->cosine, sizeof c->cosine, e) &&
           work_symbol(w, "c_tX", c->x, sizeof c->x, e) &&
           work_symbol(w, "c_tY", c->y, sizeof c->y, e) &&
           work_symbol(w, "c_strel", c->disc, sizeof c->disc, e);
}

/* --- detection: everything lies column by column, but for what dilate writes ------------------ */

struct detection {
    const struct job *job;
    const struct constants *constants;
    size_t pixels, bytes;
    float *dx, *dy;
    hd_ptr gicov_d, dilated_d;
    hd_texture dx_t, dy_t, gicov_t;
};

static struct detection make_detection(struct work *w, const struct job *job,
                                       const struct constants *c, const struct leu_video *v)
{
    struct detection d = {.job = job, .constants = c, .pixels = (size_t)job->rows * job->columns};
    d.bytes = d.pixels * sizeof(float);
    float *frame = work_alloc(w, d.bytes);
    float *by_row = work_alloc(w, 2 * d.bytes);
    d.dx = work_alloc(w, d.bytes);
    d.dy = work_alloc(w, d.bytes);
    leu_video_frame(w, v, 0, frame);
    leu_gradient(frame, job->rows, job->columns, by_row, by_row + d.pixels);
    for (size_t i = 0; i < d.pixels; i++) {
        size_t at = i % job->columns * job->rows + i / job->columns;
        d.dx[at] = by_row[i];
        d.dy[at] = by_row[d.pixels + i];
    }
    return d;
}

static hd_texture texture_of(struct work *w, const struct detection *d, hd_ptr p,
                             struct hd_error *e)
{
    return p ? work_texture_linear(w, p, (uint32_t)d->pixels, 1, 32, HD_FLOAT, e) : 0;
}

static bool upload_detection(struct work *w, struct detection *d, struct hd_error *e)
{
    d->dx_t = texture_of(w, d, work_upload(w, d->dx, d->bytes, e), e);
    d->dy_t = texture_of(w, d, work_upload(w, d->dy, d->bytes, e), e);
    d->gicov_d = work_device(w, d->bytes, e);
    d->gicov_t = texture_of(w, d, d->gicov_d, e);
    d->dilated_d = work_device(w, d->bytes, e);
    return d->dx_t && d->dy_t && d->gicov_t && d->dilated_d;
}

/* dilate's grid is rounded to the nearest, as the original rounds it: the frame's last pixels,
 * which are within the margin, may stay 0. */
static uint32_t dilate_blocks(const struct detection *d)
{
    return (uint32_t)((d->pixels + DILATE_THREADS / 2) / DILATE_THREADS);
}

static bool detect(struct work *w, const struct detection *d, struct hd_error *e)
{
    const struct job *job = d->job;
    int32_t side = 2 * (int32_t)job->disc_radius + 1;
    struct hd_args score = {0}, dilate = {0};
    hd_arg_i64(&score, (int64_t)d->dx_t);
    hd_arg_i64(&score, (int64_t)d->dy_t);
    hd_arg_i32(&score, (int32_t)job->rows);
    hd_arg_i32(&score, (int32_t)job->first_circle);
    hd_arg_i32(&score, (int32_t)job->circles);
    hd_arg_ptr(&score, d->gicov_d);
    hd_arg_i64(&dilate, (int64_t)d->gicov_t);
    hd_arg_i32(&dilate, (int32_t)job->rows);
    hd_arg_i32(&dilate, (int32_t)job->columns);
    hd_arg_i32(&dilate, side);
    hd_arg_i32(&dilate, side);
    hd_arg_ptr(&dilate, d->dilated_d);
    return work_launch(w, "GICOV_kernel", (struct hd_dim){job->columns - 2 * MARGIN, 1, 1},
                       (struct hd_dim){job->rows - 2 * MARGIN, 1, 1}, 0, &score, e) &&
           work_launch(w, "dilate_kernel", (struct hd_dim){dilate_blocks(d), 1, 1},
                       (struct hd_dim){DILATE_THREADS, 1, 1}, 0, &dilate, e);
}

/* How evenly the gradient points outwards along circle k around a pixel. */
static float score_of(const struct detection *d, size_t pixel, uint32_t k)
{
    const struct constants *c = d->constants;
    float sum = 0, squares = 0, mean = 0;
    for (uint32_t n = 0; n < POINTS; n++) {
        ptrdiff_t offset =
            (ptrdiff_t)c->x[k * POINTS + n] * (ptrdiff_t)d->job->rows + c->y[k * POINTS + n];
        size_t at = (size_t)((ptrdiff_t)pixel + offset);
        float outwards = hm_fmaf(d->dx[at], c->cosine[n], d->dy[at] * c->sine[n]);
        sum += outwards;
        float delta = outwards - mean;
        mean = mean + delta / (float)(n + 1);
        squares = hm_fmaf(delta, outwards - mean, squares);
    }
    mean = sum / (float)POINTS;
    return mean * mean / (squares / (float)(POINTS - 1));
}

static float *reference_gicov(struct work *w, const struct detection *d)
{
    const struct job *job = d->job;
    float *gicov = work_alloc(w, d->bytes);
    for (uint32_t x = MARGIN; x < job->columns - MARGIN; x++) {
        for (uint32_t y = MARGIN; y < job->rows - MARGIN; y++) {
            size_t pixel = (size_t)x * job->rows + y;
            for (uint32_t k = 0; k < job->circles; k++) {
                float score = score_of(d, pixel, job->first_circle + k);
                gicov[pixel] = score > gicov[pixel] ? score : gicov[pixel];
            }
        }
    }
    return gicov;
}

static float greatest_around(const struct detection *d, const float *gicov, int32_t x, int32_t y)
{
    int32_t r = (int32_t)d->job->disc_radius, side = 2 * r + 1;
    int32_t rows = (int32_t)d->job->rows, columns = (int32_t)d->job->columns;
    float greatest = 0;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t from_y = y + i / side - r, from_x = x + i % side - r;
        if (from_x < 0 || from_x >= columns || from_y < 0 || from_y >= rows ||
            d->constants->disc[i] == 0)
            continue;
        float value = gicov[from_x * rows + from_y];
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

static bool check_detection(struct work *w, const struct detection *d, struct hd_error *e)
{
    float *got = work_alloc(w, d->bytes), *dilated = work_alloc(w, d->bytes);
    float *gicov = reference_gicov(w, d);
    size_t done = (size_t)dilate_blocks(d) * DILATE_THREADS;
    for (size_t i = 0; i < d->pixels && i < done; i++) {
        size_t x = i / d->job->rows, y = i % d->job->rows;
        dilated[y * d->job->columns + x] = greatest_around(d, gicov, (int32_t)x, (int32_t)y);
    }
    return work_download(w, got, d->gicov_d, d->bytes, e) &&
           work_same_f32("gicov", got, gicov, d->pixels, e) &&
           work_download(w, got, d->dilated_d, d->bytes, e) &&
           work_same_f32("dilated", got, dilated, d->pixels, e);
}

/* --- tracking -------------------------------------------------------------------------------- */

struct tracking {
    uint32_t cells, iterations; /* at most */
    float cutoff;
    struct leu_window *window;
    float *edges; /* WINDOW_PIXELS for each cell; the field begins as its edges */
    hd_ptr edges_d, fields_d, edge_pointers_d, field_pointers_d, rows_d, columns_d;
};

static bool make_tracking(struct work *w, const struct job *job, uint32_t cells, struct tracking *t,
                          struct hd_error *e)
{
    size_t bytes = (size_t)cells * WINDOW_PIXELS * sizeof(float);
    *t = (struct tracking){
        .cells = cells,
        .iterations = job->iterations,
        .cutoff = job->cutoff,
        .window = work_alloc(w, cells * sizeof *t->window),
        .edges = work_alloc(w, bytes),
        .edges_d = work_device(w, bytes, e),
        .fields_d = work_device(w, bytes, e),
        .edge_pointers_d = work_device(w, cells * sizeof(hd_ptr), e),
        .field_pointers_d = work_device(w, cells * sizeof(hd_ptr), e),
        .rows_d = work_device(w, cells * sizeof(int32_t), e),
        .columns_d = work_device(w, cells * sizeof(int32_t), e),
    };
    return t->edges_d && t->fields_d && t->edge_pointers_d && t->field_pointers_d && t->rows_d &&
           t->columns_d;
}

/* Length of the gradient in a cell's window, scaled to 0..1. */
static void find_edges(const float *frame, const struct leu_window *at, uint32_t columns,
                       float *edges)
{
    float pixels[WINDOW_PIXELS] = {0}, dx[WINDOW_PIXELS], dy[WINDOW_PIXELS];
    float least = HM_INFINITY, most = 0;
    uint32_t n = at->rows * at->columns;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = at->top + i / at->columns, column = at->left + i % at->columns;
        pixels[i] = frame[row * columns + column] / 255.0f;
    }
    leu_gradient(pixels, at->rows, at->columns, dx, dy);
    for (uint32_t i = 0; i < n; i++) {
        edges[i] = hm_sqrtf(dx[i] * dx[i] + dy[i] * dy[i]);
        least = edges[i] < least ? edges[i] : least;
        most = edges[i] > most ? edges[i] : most;
    }
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (edges[i] - least) / (most - least + 0x1p-52f);
}

static bool upload_tracking(struct work *w, const struct tracking *t, struct hd_error *e)
{
    hd_ptr *edges = work_alloc(w, t->cells * sizeof *edges);
    hd_ptr *fields = work_alloc(w, t->cells * sizeof *fields);
    int32_t *rows = work_alloc(w, t->cells * sizeof *rows);
    int32_t *columns = work_alloc(w, t->cells * sizeof *columns);
    uint64_t bytes = WINDOW_PIXELS * sizeof(float);
    for (uint32_t i = 0; i < t->cells; i++) {
        edges[i] = t->edges_d + i * bytes;
        fields[i] = t->fields_d + i * bytes;
        rows[i] = (int32_t)t->window[i].rows;
        columns[i] = (int32_t)t->window[i].columns;
    }
    return hd_upload(w->device, t->edges_d, t->edges, t->cells * bytes, e) &&
           hd_upload(w->device, t->fields_d, t->edges, t->cells * bytes, e) &&
           hd_upload(w->device, t->edge_pointers_d, edges, t->cells * sizeof *edges, e) &&
           hd_upload(w->device, t->field_pointers_d, fields, t->cells * sizeof *fields, e) &&
           hd_upload(w->device, t->rows_d, rows, t->cells * sizeof *rows, e) &&
           hd_upload(w->device, t->columns_d, columns, t->cells * sizeof *columns, e);
}

static bool track(struct work *w, const struct tracking *t, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->field_pointers_d);
    hd_arg_ptr(&a, t->edge_pointers_d);
    hd_arg_ptr(&a, t->rows_d);
    hd_arg_ptr(&a, t->columns_d);
    hd_arg_f32(&a, 1.0f);
    hd_arg_f32(&a, 1.0f);
    hd_arg_f32(&a, EPSILON);
    hd_arg_i32(&a, (int32_t)t->iterations);
    hd_arg_f32(&a, t->cutoff);
    return work_launch(w, "IMGVF_kernel", (struct hd_dim){t->cells, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static float heaviside(float x)
{
    return (float)hm_fma((double)hm_atanf(x), 1.0 / PI, 0.5);
}

/* The next value of pixel (i, j); velocities are 1 in x and y. */
static float next_value(const float *field, const float *edges, const struct leu_window *at,
                        uint32_t i, uint32_t j)
{
    static const struct {
        int row, column;
    } to[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, 1}, {1, 1}, {-1, -1}, {1, -1}};
    const float one_over_e = (float)(1.0 / (double)EPSILON);
    float old = field[i * at->columns + j], edge = edges[i * at->columns + j], flow = 0;
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
        uint32_t row = to[k].row < 0 ? i - (i > 0) : i + (to[k].row > 0 && i + 1 < at->rows);
        uint32_t column =
            to[k].column < 0 ? j - (j > 0) : j + (to[k].column > 0 && j + 1 < at->columns);
        float rise = field[row * at->columns + column] - old;
        float step = heaviside(rise * (float)(to[k].row + to[k].column) * one_over_e);
        flow = k == 0 ? step * rise : hm_fmaf(step, rise, flow);
    }
    float spread = (float)hm_fma(MU / LAMBDA, (double)flow, (double)old);
    return (float)hm_fma(-(1.0 / LAMBDA * (double)edge), (double)(spread - edge), (double)spread);
}

/* Adds the changes as the threads of a CTA do. */
static float sum_of(const float *change, uint32_t n)
{
    float sums[THREADS] = {0};
    for (uint32_t i = 0; i < n; i++)
        sums[i % THREADS] += change[i];
    for (uint32_t i = 256; i < THREADS; i++)
        sums[i - 256] += sums[i];
    for (uint32_t half = 128; half > 0; half /= 2)
        for (uint32_t i = 0; i < half; i++)
            sums[i] += sums[i + half];
    return sums[0];
}

static void reference_track(const struct tracking *t, uint32_t cell, float *field)
{
    const struct leu_window *at = &t->window[cell];
    const float *edges = t->edges + (size_t)cell * WINDOW_PIXELS;
    float next[WINDOW_PIXELS], change[WINDOW_PIXELS], mean = HM_INFINITY;
    uint32_t n = at->rows * at->columns;
    memcpy(field, edges, n * sizeof *field);
    for (uint32_t k = 0; k < t->iterations && !(mean < t->cutoff); k++) {
        for (uint32_t i = 0; i < n; i++) {
            next[i] = next_value(field, edges, at, i / at->columns, i % at->columns);
            change[i] = hm_fabsf(next[i] - field[i]);
        }
        memcpy(field, next, n * sizeof *field);
        mean = sum_of(change, n) / (float)n;
    }
}

static bool check_tracking(struct work *w, const struct tracking *t, struct hd_error *e)
{
    float *got = work_alloc(w, WINDOW_PIXELS * sizeof *got);
    float *want = work_alloc(w, WINDOW_PIXELS * sizeof *want);
    for (uint32_t i = 0; i < t->cells; i++) {
        uint32_t n = t->window[i].rows * t->window[i].columns;
        hd_ptr from = t->fields_d + (uint64_t)i * WINDOW_PIXELS * sizeof *got;
        reference_track(t, i, want);
        if (!work_download(w, got, from, n * sizeof *got, e) ||
            !work_same_f32("field", got, want, n, e))
            return false;
    }
    return true;
}

static bool track_frames(struct work *w, const struct job *job, const struct leu_video *v,
                         struct hd_error *e)
{
    struct tracking t;
    if (!make_tracking(w, job, v->cells, &t, e))
        return false;
    float *frame = work_alloc(w, (size_t)job->rows * job->columns * sizeof *frame);
    for (uint32_t number = 1; number <= job->frames; number++) {
        leu_video_frame(w, v, number, frame);
        for (uint32_t i = 0; i < t.cells; i++) {
            t.window[i] = leu_video_window(v, i, number);
            find_edges(frame, &t.window[i], job->columns, t.edges + (size_t)i * WINDOW_PIXELS);
        }
        if (!upload_tracking(w, &t, e) || !track(w, &t, e) ||
            (w->verify && !check_tracking(w, &t, e)))
            return false;
    }
    return true;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct job jobs[SIZES] = {
        [SIZE_TINY] = {56, 58, 3, 1, 2, 1, 1, 1, 4, 0.015f},
        [SIZE_SMALL] = {128, 128, 2, 3, 4, 2, 2, 1, 5, 0.0062f},
        [SIZE_STUDY] = {219, 640, 3, 1, 3, 3, 12, 1, 2, CUTOFF},
        [SIZE_PAPER] = {219, 640, 0, CIRCLES, MOST_RADIUS, 3, 12, 5, 500, CUTOFF},
        [SIZE_FEW] = {132, 92, 3, 1, 3, 6, 4, 1, 2, CUTOFF},
    };
    const struct job *job = &jobs[w->size];
    struct leu_video v =
        leu_video_make(w, job->rows, job->columns, job->cell_rows, job->cell_columns);
    const struct constants *c = make_constants(w, job);
    struct detection d = make_detection(w, job, c, &v);
    return upload_constants(w, c, e) && upload_detection(w, &d, e) && detect(w, &d, e) &&
           (!w->verify || check_detection(w, &d, e)) && track_frames(w, job, &v, e);
}

const struct workload workload_leu = {
    .name = "LEU",
    .suite = "Rodinia",
    .stands_for = "leukocyte: cells in a video; gradients by texture, circles constant",
    .papers = "cdxbar",
    .kernels = "leukocyte",
    .inputs =
        {
            [SIZE_TINY] = "58x56 frame, a circle, 1 cell, 2 iterations",
            [SIZE_SMALL] = "128x128 frame, 3 circles, 4 cells, 3 to 4 iterations",
            [SIZE_STUDY] = "640x219 frame, a circle of 7, 36 cells, 2 iterations",
            [SIZE_PAPER] = "640x219 frame, 7 circles, 36 cells, 5 frames",
            [SIZE_FEW] = "92x132 frame, a circle, 24 cells, 2 iterations",
        },
    .run = run,
};
