/* leu_video.c - frames of a synthetic microscope for LEU.
 *
 * Bright discs with soft edges, of about the radius that the detector looks for (10 pixels), on a
 * grey ground that grows lighter from row to row, with noise that every frame has anew. */
#include "leu_video.h"

#include "../kernels/heddle_math.h"

enum { CELL_STREAM = 0, NOISE_STREAM = 1, DRAWS = 5 };
#define SOFT 3.0f /* pixels from dark to bright */

struct leu_video leu_video_make(struct work *w, uint32_t rows, uint32_t columns, uint32_t cell_rows,
                                uint32_t cell_columns)
{
    struct leu_video v = {.rows = rows, .columns = columns, .cells = cell_rows * cell_columns};
    v.cell = work_alloc(w, v.cells * sizeof *v.cell);
    for (uint32_t i = 0; i < v.cells; i++) {
        uint64_t draw = (uint64_t)i * DRAWS;
        float x = (float)(i % cell_columns) + work_random_f32(w, CELL_STREAM, draw, 0.3f, 0.7f);
        float y = (float)(i / cell_columns) + work_random_f32(w, CELL_STREAM, draw + 1, 0.3f, 0.7f);
        v.cell[i] = (struct leu_cell){
            .x = x * (float)columns / (float)cell_columns,
            .y = y * (float)rows / (float)cell_rows,
            .radius = work_random_f32(w, CELL_STREAM, draw + 2, 9.0f, 12.0f),
            .brightness = work_random_f32(w, CELL_STREAM, draw + 3, 50.0f, 80.0f),
            .speed = work_random_f32(w, CELL_STREAM, draw + 4, 0.5f, 2.0f),
        };
    }
    return v;
}

static float x_of(const struct leu_cell *c, uint32_t frame)
{
    return c->x + c->speed * (float)frame;
}

/* What a cell adds to a pixel. */
static float light_of(const struct leu_cell *c, uint32_t frame, float x, float y)
{
    float dx = x - x_of(c, frame), dy = y - c->y;
    float inside = (c->radius - hm_sqrtf(dx * dx + dy * dy)) / SOFT + 0.5f;
    return inside <= 0 ? 0 : inside >= 1 ? c->brightness : c->brightness * inside;
}

void leu_video_frame(const struct work *w, const struct leu_video *v, uint32_t frame, float *pixels)
{
    size_t n = (size_t)v->rows * v->columns;
    for (size_t at = 0; at < n; at++) {
        float x = (float)(at % v->columns), y = (float)(at / v->columns);
        float light = 80.0f + 30.0f * y / (float)v->rows +
                      work_random_f32(w, NOISE_STREAM + frame, at, -4.0f, 4.0f);
        for (uint32_t i = 0; i < v->cells; i++)
            light += light_of(&v->cell[i], frame, x, y);
        pixels[at] = light > 255.0f ? 255.0f : hm_rintf(light);
    }
}

/* Of `most` pixels around a middle, those within 0..n-1. */
static uint32_t clip(float middle, uint32_t most, uint32_t n, uint32_t *first)
{
    int32_t low = (int32_t)middle - (int32_t)most / 2, high = low + (int32_t)most;
    low = low < 0 ? 0 : low;
    high = high > (int32_t)n ? (int32_t)n : high;
    *first = (uint32_t)low;
    return (uint32_t)(high - low);
}

struct leu_window leu_video_window(const struct leu_video *v, uint32_t cell, uint32_t frame)
{
    const struct leu_cell *c = &v->cell[cell];
    struct leu_window window;
    window.rows = clip(c->y, LEU_WINDOW_ROWS, v->rows, &window.top);
    window.columns = clip(x_of(c, frame), LEU_WINDOW_COLUMNS, v->columns, &window.left);
    return window;
}

/* Between a pixel's neighbours, or to the one that there is at an edge. */
static float slope(const float *pixel, uint32_t at, uint32_t n, size_t stride)
{
    if (at == 0)
        return pixel[stride] - pixel[0];
    const float *before = pixel - stride;
    return at == n - 1 ? pixel[0] - before[0] : (pixel[stride] - before[0]) / 2.0f;
}

void leu_gradient(const float *pixels, uint32_t rows, uint32_t columns, float *dx, float *dy)
{
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < columns; j++) {
            size_t at = (size_t)i * columns + j;
            dx[at] = slope(pixels + at, j, columns, 1);
            dy[at] = slope(pixels + at, i, rows, columns);
        }
    }
}
