/* cp.c - CP of the ISPASS-2009 suite (Parboil's first version): see kernels/coulomb.cu.
 *
 * The original's short form, which simulators run: 200 random atoms, one plane of 256x256 points
 * 0.1 apart, one launch of <8,32 / 16,8>; Parboil's full size is 512x512 points and 40,000 atoms in
 * ten launches of 4000. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { BX = 16, BY = 8, POINTS = 2, MOST_ATOMS = 4000, ATOM_STREAM = 0, GRID_STREAM = 1 };

struct shape {
    uint32_t width, height, atoms;
};

struct atom {
    float x, y, z2, charge; /* z2: square of the distance from the plane */
};

/* Adds atoms' potential; a CTA's points are BX apart in x. */
static void reference(const struct shape *s, const struct atom *atoms, uint32_t n, float spacing,
                      float *grid)
{
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            uint32_t first = x / (BX * POINTS) * BX * POINTS + x % BX; /* of the thread's points */
            float energy = 0.0f;
            for (uint32_t i = 0; i < n; i++) {
                float dx = spacing * (float)first - atoms[i].x;
                float dy = spacing * (float)y - atoms[i].y;
                dx = first == x ? dx : dx + spacing * BX;
                float square = hm_fmaf(dx, dx, hm_fmaf(dy, dy, atoms[i].z2));
                energy = hm_fmaf(atoms[i].charge, 1.0f / hm_sqrtf(square), energy);
            }
            grid[y * s->width + x] += energy;
        }
    }
}

static struct atom *make_atoms(struct work *w, const struct shape *s, float spacing)
{
    struct atom *atoms = work_alloc(w, s->atoms * sizeof *atoms);
    float width = spacing * (float)s->width, height = spacing * (float)s->height;
    for (uint32_t i = 0; i < s->atoms; i++) {
        float z = work_random_f32(w, ATOM_STREAM, 4 * (uint64_t)i + 2, 0.01f, 1.0f);
        atoms[i] = (struct atom){
            .x = work_random_f32(w, ATOM_STREAM, 4 * (uint64_t)i, 0.0f, width),
            .y = work_random_f32(w, ATOM_STREAM, 4 * (uint64_t)i + 1, 0.0f, height),
            .z2 = z * z,
            .charge = work_random_f32(w, ATOM_STREAM, 4 * (uint64_t)i + 3, -1.0f, 1.0f),
        };
    }
    return atoms;
}

static bool add_atoms(struct work *w, const struct shape *s, const struct atom *atoms, uint32_t n,
                      float spacing, hd_ptr grid, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_u32(&a, n);
    hd_arg_f32(&a, spacing);
    hd_arg_ptr(&a, grid);
    return work_symbol(w, "atoms", atoms, n * sizeof *atoms, e) &&
           work_launch(w, "cenergy", (struct hd_dim){s->width / (BX * POINTS), s->height / BY, 1},
                       (struct hd_dim){BX, BY, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {[SIZE_TINY] = {64, 32, 100},
                                               [SIZE_SMALL] = {256, 256, 200},
                                               [SIZE_STUDY] = {512, 512, 200},
                                               [SIZE_PAPER] = {512, 512, 40000},
                                               [SIZE_FEW] = {192, 64, 600}};
    const struct shape *s = &shapes[w->size];
    const float spacing = 0.1f;
    size_t count = (size_t)s->width * s->height, bytes = count * sizeof(float);
    const struct atom *atoms = make_atoms(w, s, spacing);
    float *want = work_alloc(w, bytes), *got = work_alloc(w, bytes);
    for (size_t i = 0; i < count; i++)
        want[i] = work_random_f32(w, GRID_STREAM, i, 0.0f, 1.0f);
    hd_ptr grid = work_upload(w, want, bytes, e);
    for (uint32_t first = 0; grid && first < s->atoms; first += MOST_ATOMS) {
        uint32_t n = s->atoms - first < MOST_ATOMS ? s->atoms - first : MOST_ATOMS;
        if (!add_atoms(w, s, atoms + first, n, spacing, grid, e))
            return false;
        if (w->verify)
            reference(s, atoms + first, n, spacing, want);
    }
    return grid && work_download(w, got, grid, bytes, e) &&
           (!w->verify || work_same_f32("potential", got, want, count, e));
}

const struct workload workload_cp = {
    .name = "CP",
    .suite = "ISPASS-2009",
    .papers = "sharing coalesce cdxbar",
    .stands_for = "CP: Coulomb potential on a plane, all atoms from constant memory",
    .kernels = "coulomb",
    .inputs =
        {
            [SIZE_TINY] = "64x32 points, 100 atoms",
            [SIZE_SMALL] = "256x256 points, 200 atoms",
            [SIZE_STUDY] = "512x512 points, 200 atoms",
            [SIZE_PAPER] = "512x512 points, 40,000 atoms in ten launches",
            [SIZE_FEW] = "192x64 points, 600 atoms: 48 CTAs",
        },
    .run = run,
};
