/* hs.c - HS: Rodinia hotspot.
 *
 * The original reads temperatures and powers from files and launches calculate_temp with two steps
 * each (pyramid height 2), swapping two temperature arrays, until the simulated time is over.  Ours
 * makes the inputs from the seed; constants of the chip, grid and launches are the original's. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { TILE = 16, PYRAMID_HEIGHT = 2, TEMP_STREAM = 0, POWER_STREAM = 1 };

struct chip {
    int n, steps;
    float cap, rx, ry, rz, step;
    float max_power; /* of a cell */
};

static struct chip chip_of(enum workload_size size)
{
    static const struct {
        int n, steps; /* whole pyramids */
    } sizes[SIZES] = {{64, 2}, {256, 4}, {512, 8}, {1024, 8}, {96, 8}, {1024, 2}};
    const float factor = 0.5f, specific_heat = 1.75e6f, conductivity = 100.0f; /* silicon */
    const float max_power_density = 3.0e6f, precision = 0.001f;                /* W/m2, K */
    const float side = 0.016f, thickness = 0.0005f;                            /* m */
    struct chip c = {.n = sizes[size].n, .steps = sizes[size].steps};
    float cell = side / (float)c.n;
    c.cap = factor * specific_heat * thickness * cell * cell;
    c.rx = cell / (2.0f * conductivity * thickness * cell);
    c.ry = c.rx;
    c.rz = thickness / (conductivity * cell * cell);
    c.max_power = max_power_density * cell * cell;
    c.step = precision / (max_power_density / (factor * thickness * specific_heat));
    return c;
}

/* A cell's next temperature: as the kernel, by the same operations. */
static float advance(const struct chip *c, const float *temp, const float *power, int y, int x)
{
    const float ambient = 80.0f;
    int n = c->n;
    float t = temp[y * n + x];
    float north = temp[(y > 0 ? y - 1 : 0) * n + x];
    float south = temp[(y < n - 1 ? y + 1 : y) * n + x];
    float west = temp[y * n + (x > 0 ? x - 1 : 0)];
    float east = temp[y * n + (x < n - 1 ? x + 1 : x)];
    float rx_1 = 1 / c->rx, ry_1 = 1 / c->ry, rz_1 = 1 / c->rz;
    double flow = hm_fma(hm_fma(-2.0, t, (double)(south + north)), ry_1, power[y * n + x]);
    flow = hm_fma(hm_fma(-2.0, t, (double)(east + west)), rx_1, flow);
    flow += (double)((ambient - t) * rz_1);
    return (float)hm_fma((double)(c->step / c->cap), flow, t);
}

/* Uses `temp` and `next` in turn; returns the one that holds the result. */
static const float *reference(const struct chip *c, float *temp, float *next, const float *power)
{
    for (int s = 0; s < c->steps; s++) {
        for (int y = 0; y < c->n; y++)
            for (int x = 0; x < c->n; x++)
                next[y * c->n + x] = advance(c, temp, power, y, x);
        float *other = temp;
        temp = next;
        next = other;
    }
    return temp;
}

static bool launch(struct work *w, const struct chip *c, hd_ptr power, hd_ptr from, hd_ptr to,
                   struct hd_error *e)
{
    int apart = TILE - 2 * PYRAMID_HEIGHT;
    uint32_t blocks = (uint32_t)((c->n + apart - 1) / apart);
    struct hd_args a = {0};
    hd_arg_i32(&a, PYRAMID_HEIGHT);
    hd_arg_ptr(&a, power);
    hd_arg_ptr(&a, from);
    hd_arg_ptr(&a, to);
    hd_arg_i32(&a, c->n);
    hd_arg_i32(&a, c->n);
    hd_arg_i32(&a, PYRAMID_HEIGHT);
    hd_arg_i32(&a, PYRAMID_HEIGHT);
    hd_arg_f32(&a, c->cap);
    hd_arg_f32(&a, c->rx);
    hd_arg_f32(&a, c->ry);
    hd_arg_f32(&a, c->rz);
    hd_arg_f32(&a, c->step);
    return work_launch(w, "calculate_temp", (struct hd_dim){blocks, blocks, 1},
                       (struct hd_dim){TILE, TILE, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct chip c = chip_of(w->size);
    size_t cells = (size_t)c.n * (size_t)c.n, bytes = cells * sizeof(float);
    float *temp = work_alloc(w, bytes), *power = work_alloc(w, bytes);
    float *got = work_alloc(w, bytes);
    for (size_t i = 0; i < cells; i++) {
        temp[i] = work_random_f32(w, TEMP_STREAM, i, 320.0f, 340.0f);
        power[i] = work_random_f32(w, POWER_STREAM, i, 0.0f, c.max_power);
    }
    hd_ptr device_power = work_upload(w, power, bytes, e);
    hd_ptr from = work_upload(w, temp, bytes, e), to = work_device(w, bytes, e);
    if (!device_power || !from || !to)
        return false;
    for (int done = 0; done < c.steps; done += PYRAMID_HEIGHT) {
        if (!launch(w, &c, device_power, from, to, e))
            return false;
        hd_ptr other = from;
        from = to;
        to = other;
    }
    if (!work_download(w, got, from, bytes, e))
        return false;
    if (!w->verify)
        return true;
    const float *want = reference(&c, temp, work_alloc(w, bytes), power);
    return work_same_f32("temperature", got, want, cells, e);
}

const struct workload workload_hs = {
    .name = "HS",
    .suite = "Rodinia",
    .stands_for = "hotspot: thermal simulation, overlapping 16x16 tiles, pyramid height 2",
    .papers = "icc",
    .kernels = "hotspot",
    .inputs = {"64x64 grid, 2 steps", "256x256 grid, 4 steps", "512x512 grid, 8 steps",
               "1024x1024 grid, 8 steps", "96x96 grid, 8 steps", "1024x1024 grid, 2 steps"},
    .run = run,
};
