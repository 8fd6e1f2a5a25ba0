/* lbm.c - LBM of Parboil: a fluid in a box with a lid that moves; see kernels/lbm.cu.
 *
 * The original reads obstacles from a file, makes all sides of the box obstacles and drives the
 * fluid in the second and the last layer but one along z; two grids take turns for 100 steps (or
 * 3,000).  Ours draws obstacles from the seed: boxes, a twentieth of the volume, as a porous rock
 * has.  Along x there always are the original's 120 cells; `study` has its layers, 120x120, and
 * fewer of them.
 *
 * Densities that leave the first or last layer go to a margin of two layers, here as there. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum {
    SIZE_X = 120,
    PADDED_X = 128,
    PADDING_Z = 4,
    DIRECTIONS = 19,
    FLAGS = DIRECTIONS,
    ARRAYS = DIRECTIONS + 1,
    MARGIN_LAYERS = 2,
    OBSTACLE = 1,
    ACCELERATED = 2,
    BOX = 4, /* cells along each side of an obstacle */
};

struct box {
    uint32_t y, z, steps;
};

/* A grid with its margins: cell (0, 0, 0) of the first array is at `first`. */
struct layout {
    size_t area, cells, first, floats;
};

static struct layout layout_of(const struct box *b)
{
    struct layout l = {.area = (size_t)PADDED_X * b->y};
    l.cells = l.area * (b->z + PADDING_Z);
    l.first = MARGIN_LAYERS * l.area;
    l.floats = l.cells * ARRAYS + 2 * l.first;
    return l;
}

struct direction {
    int x, y, z, opposite;
    float weight;
};

static const struct direction *directions(void)
{
    static const float rest = 1.0f / 3.0f, axis = 1.0f / 18.0f, plane = 1.0f / 36.0f;
    static const struct direction all[DIRECTIONS] = {
        {0, 0, 0, 0, rest},    {0, 1, 0, 2, axis},    {0, -1, 0, 1, axis},    {1, 0, 0, 4, axis},
        {-1, 0, 0, 3, axis},   {0, 0, 1, 6, axis},    {0, 0, -1, 5, axis},    {1, 1, 0, 10, plane},
        {-1, 1, 0, 9, plane},  {1, -1, 0, 8, plane},  {-1, -1, 0, 7, plane},  {0, 1, 1, 14, plane},
        {0, 1, -1, 13, plane}, {0, -1, 1, 12, plane}, {0, -1, -1, 11, plane}, {1, 0, 1, 18, plane},
        {1, 0, -1, 17, plane}, {-1, 0, 1, 16, plane}, {-1, 0, -1, 15, plane},
    };
    return all;
}

static uint32_t flags_of(const struct work *w, const struct box *b, uint32_t x, uint32_t y,
                         uint32_t z)
{
    if (x == 0 || x == SIZE_X - 1 || y == 0 || y == b->y - 1 || z == 0 || z == b->z - 1)
        return OBSTACLE;
    uint64_t rock = ((uint64_t)(z / BOX) * b->y + y / BOX) * SIZE_X + x / BOX;
    uint32_t flags = work_random(w, 0, rock) % 20 == 0 ? OBSTACLE : 0;
    if ((z == 1 || z == b->z - 2) && x > 1 && x < SIZE_X - 2 && y > 1 && y < b->y - 2)
        flags |= ACCELERATED;
    return flags;
}

static float *make_grid(struct work *w, const struct box *b, const struct layout *l)
{
    float *grid = work_alloc(w, l->floats * sizeof *grid);
    for (uint32_t z = 0; z < b->z; z++) {
        for (uint32_t y = 0; y < b->y; y++) {
            for (uint32_t x = 0; x < SIZE_X; x++) {
                float *cell = grid + l->first + z * l->area + (size_t)y * PADDED_X + x;
                for (int d = 0; d < DIRECTIONS; d++)
                    cell[l->cells * (size_t)d] = directions()[d].weight;
                uint32_t flags = flags_of(w, b, x, y, z);
                memcpy(&cell[l->cells * FLAGS], &flags, sizeof flags);
            }
        }
    }
    return grid;
}

static void collide(float *f, bool is_accelerated)
{
    const struct direction *to = directions();
    const float omega = 1.95f;
    float rho = 0.0f, u[3] = {0.0f, 0.0f, 0.0f};
    for (int d = 0; d < DIRECTIONS; d++) {
        rho += f[d];
        u[0] += (float)to[d].x * f[d];
        u[1] += (float)to[d].y * f[d];
        u[2] += (float)to[d].z * f[d];
    }
    for (int i = 0; i < 3; i++)
        u[i] = is_accelerated ? (const float[]){0.005f, 0.002f, 0.0f}[i] : u[i] / rho;
    float u2 = hm_fmaf(1.5f, hm_fmaf(u[2], u[2], hm_fmaf(u[1], u[1], u[0] * u[0])), -1.0f);
    for (int d = 0; d < DIRECTIONS; d++) {
        float part = (float)to[d].x * u[0] + (float)to[d].y * u[1] + (float)to[d].z * u[2];
        float share = to[d].weight * (omega * rho);
        float tends_to = share * hm_fmaf(part, hm_fmaf(4.5f, part, 3.0f), -u2);
        f[d] = hm_fmaf(1.0f - omega, f[d], tends_to);
    }
}

/* One cell: what it holds goes to its neighbours. */
static void stream(const struct layout *l, const float *from, float *to, size_t cell)
{
    uint32_t flags;
    float f[DIRECTIONS];
    memcpy(&flags, &from[l->cells * FLAGS + cell], sizeof flags);
    for (size_t d = 0; d < DIRECTIONS; d++)
        f[d] = from[l->cells * d + cell];
    if (!(flags & OBSTACLE))
        collide(f, flags & ACCELERATED);
    for (size_t d = 0; d < DIRECTIONS; d++) {
        const struct direction *t = &directions()[d];
        ptrdiff_t shift = t->x + t->y * PADDED_X + t->z * (ptrdiff_t)l->area;
        float value = flags & OBSTACLE ? f[t->opposite] : f[d];
        to[(ptrdiff_t)(l->cells * d + cell) + shift] = value;
    }
}

/* Uses both in turn; returns the one that holds the result. */
static const float *reference(const struct box *b, const struct layout *l, float *from, float *to)
{
    for (uint32_t s = 0; s < b->steps; s++) {
        for (uint32_t z = 0; z < b->z; z++)
            for (uint32_t y = 0; y < b->y; y++)
                for (uint32_t x = 0; x < SIZE_X; x++)
                    stream(l, from, to, l->first + z * l->area + (size_t)y * PADDED_X + x);
        float *other = from;
        from = to;
        to = other;
    }
    return from;
}

static bool step(struct work *w, const struct box *b, const struct layout *l, hd_ptr from,
                 hd_ptr to, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, from + l->first * sizeof(float));
    hd_arg_ptr(&a, to + l->first * sizeof(float));
    hd_arg_u32(&a, b->y);
    hd_arg_u32(&a, b->z + PADDING_Z);
    return work_launch(w, "performStreamCollide_kernel", (struct hd_dim){b->y, b->z, 1},
                       (struct hd_dim){SIZE_X, 1, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct box sizes[SIZES] = {
        [SIZE_TINY] = {8, 8, 2},        [SIZE_SMALL] = {40, 40, 2}, [SIZE_STUDY] = {120, 60, 2},
        [SIZE_PAPER] = {120, 150, 100}, [SIZE_FEW] = {8, 8, 20},
    };
    const struct box *b = &sizes[w->size];
    struct layout l = layout_of(b);
    size_t bytes = l.floats * sizeof(float);
    float *first = make_grid(w, b, &l), *second = make_grid(w, b, &l);
    hd_ptr from = work_upload(w, first, bytes, e), to = work_upload(w, second, bytes, e);
    if (!from || !to)
        return false;
    for (uint32_t s = 0; s < b->steps; s++) {
        if (!step(w, b, &l, from, to, e))
            return false;
        hd_ptr other = from;
        from = to;
        to = other;
    }
    float *got = work_alloc(w, bytes);
    if (!work_download(w, got, from, bytes, e))
        return false;
    return !w->verify || work_same_f32("grid", got, reference(b, &l, first, second), l.floats, e);
}

const struct workload workload_lbm = {
    .name = "LBM",
    .suite = "Parboil",
    .stands_for = "lbm: fluid in a box, D3Q19: 20 arrays read, 19 scattered to neighbours",
    .papers = "",
    .kernels = "lbm",
    .inputs =
        {
            [SIZE_TINY] = "120x8x8 cells, 2 steps",
            [SIZE_SMALL] = "120x40x40 cells, 2 steps",
            [SIZE_STUDY] = "120x120x60 cells, 2 steps",
            [SIZE_PAPER] = "120x120x150 cells, 100 steps",
            [SIZE_FEW] = "120x8x8 cells, 20 steps",
        },
    .run = run,
};
