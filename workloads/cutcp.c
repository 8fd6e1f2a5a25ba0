/* cutcp.c - CUTCP of Parboil: potential of a box of water; see kernels/cutcp.cu.
 *
 * The original reads the atoms of a box of water, 40 or 100 A long, and computes the potential at
 * points 0.5 A apart from all atoms within 12 A.  Atoms for which a bin of eight has no room, and
 * points too near to an atom, are left to the host.  Ours makes the water from the seed: molecules
 * of three atoms, one for each cube of 3.1 A, shaken and turned; the host's part is left out.
 *
 * `paper` has the suite's small box: the large one takes fourteen times as long.  Smaller sizes
 * compute the first layers of a smaller box; only `tiny` has another cutoff. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum {
    ATOMS_PER_BIN = 8,
    REGION_SIDE = 8, /* lattice points */
    REGION_POINTS = REGION_SIDE * REGION_SIDE * REGION_SIDE,
    MOST_RANGE = 5, /* bins, either way */
    MOST_NEIGHBOURS = (2 * MOST_RANGE + 1) * (2 * MOST_RANGE + 1) * (2 * MOST_RANGE + 1),
    PLACE_STREAM = 0,
    TURN_STREAM = 1,
};

/* A bin is as long as a region: 4 A. */
struct box {
    int regions, layers; /* along each axis; of those along z, how many are computed */
    float cutoff;
};

struct atom {
    float x, y, z, charge;
};

struct offset {
    int32_t x, y, z;
};

/* Bins reach `range` beyond the box on every side. */
struct bins {
    int range, side;
    struct atom *atom;
    int *used; /* by bin */
    struct offset neighbour[MOST_NEIGHBOURS];
    int32_t neighbours;
};

static const float bin_length = 4.0f, spacing = 0.5f;

static int bin_index(const struct bins *b, int x, int y, int z)
{
    return ((z + b->range) * b->side + y + b->range) * b->side + x + b->range;
}

static int bin_of(float x)
{
    float bin = x / bin_length;
    return (int)bin - (bin < (float)(int)bin);
}

static void add_atom(struct bins *b, struct atom a)
{
    int bin = bin_index(b, bin_of(a.x), bin_of(a.y), bin_of(a.z));
    if (b->used[bin] < ATOMS_PER_BIN)
        b->atom[bin * ATOMS_PER_BIN + b->used[bin]++] = a;
}

/* A vector of the length of the bond between oxygen and hydrogen. */
static struct atom bond(const struct work *w, uint64_t index)
{
    float v[3];
    for (uint64_t k = 0; k < 3; k++)
        v[k] = work_random_f32(w, TURN_STREAM, 3 * index + k, -1.0f, 1.0f);
    float scale = 0.9572f / hm_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 1e-6f);
    return (struct atom){v[0] * scale, v[1] * scale, v[2] * scale, 0.417f};
}

static void add_molecule(const struct work *w, struct bins *b, uint64_t index, struct atom oxygen)
{
    add_atom(b, oxygen);
    for (uint64_t i = 0; i < 2; i++) {
        struct atom h = bond(w, 2 * index + i);
        h.x += oxygen.x;
        h.y += oxygen.y;
        h.z += oxygen.z;
        add_atom(b, h);
    }
}

static void add_water(const struct work *w, struct bins *b, const struct box *box)
{
    const float apart = 3.1f, shake = 0.4f;
    int n = (int)((float)box->regions * bin_length / apart);
    for (int i = 0; i < n * n * n; i++) {
        float at[3];
        const int cube[3] = {i % n, i / n % n, i / n / n};
        for (int k = 0; k < 3; k++) {
            uint64_t draw = 3 * (uint64_t)i + (uint64_t)k;
            at[k] = ((float)cube[k] + 0.5f) * apart +
                    work_random_f32(w, PLACE_STREAM, draw, -shake, shake);
        }
        add_molecule(w, b, (uint64_t)i, (struct atom){at[0], at[1], at[2], -0.834f});
    }
}

/* All bins that some point of a region could reach, by the distance of their centres. */
static void list_neighbours(struct bins *b, float cutoff)
{
    float reach = cutoff + hm_sqrtf(3.0f) * bin_length;
    for (int z = -b->range; z <= b->range; z++)
        for (int y = -b->range; y <= b->range; y++)
            for (int x = -b->range; x <= b->range; x++)
                if ((float)(x * x + y * y + z * z) * bin_length * bin_length < reach * reach)
                    b->neighbour[b->neighbours++] = (struct offset){x, y, z};
}

static struct bins *make_bins(struct work *w, const struct box *box)
{
    struct bins *b = work_alloc(w, sizeof *b);
    b->range = (int)((box->cutoff + bin_length - 0.5f) / bin_length);
    b->side = box->regions + 2 * b->range;
    size_t n = (size_t)(b->side * b->side * b->side);
    b->atom = work_alloc(w, n * ATOMS_PER_BIN * sizeof *b->atom);
    b->used = work_alloc(w, n * sizeof *b->used);
    add_water(w, b, box);
    list_neighbours(b, box->cutoff);
    return b;
}

static float potential(const struct bins *b, const struct box *box, const int bin[3],
                       const float at[3])
{
    float energy = 0.0f, cutoff2 = box->cutoff * box->cutoff, inverse = 1.0f / cutoff2;
    for (int n = 0; n < b->neighbours; n++) {
        const struct offset *to = &b->neighbour[n];
        int index = bin_index(b, bin[0] + to->x, bin[1] + to->y, bin[2] + to->z);
        for (int i = 0; i < b->used[index]; i++) {
            const struct atom *a = &b->atom[index * ATOMS_PER_BIN + i];
            float dx = a->x - at[0], dy = a->y - at[1], dz = a->z - at[2];
            float r2 = hm_fmaf(dz, dz, hm_fmaf(dy, dy, dx * dx));
            if (r2 < cutoff2) {
                float s = hm_fmaf(-r2, inverse, 1.0f);
                energy = hm_fmaf(a->charge * hm_rsqrtf(r2) * s, s, energy);
            }
        }
    }
    return energy;
}

static void reference(const struct bins *b, const struct box *box, float *energy)
{
    for (int i = 0; i < box->regions * box->regions * box->layers * REGION_POINTS; i++) {
        int region = i / REGION_POINTS, n = box->regions;
        const int bin[3] = {region % n, region / n % n, region / n / n};
        const int point[3] = {i % REGION_SIDE, i / REGION_SIDE % REGION_SIDE,
                              i / REGION_SIDE / REGION_SIDE % REGION_SIDE};
        float at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (float)(REGION_SIDE * bin[k] + point[k]) * spacing;
        energy[i] = potential(b, box, bin, at);
    }
}

/* One layer of regions. */
static bool launch(struct work *w, const struct box *box, const struct bins *b, hd_ptr atoms,
                   hd_ptr regions, int layer, struct hd_error *e)
{
    uint64_t origin = (uint64_t)bin_index(b, 0, 0, 0) * ATOMS_PER_BIN * sizeof(struct atom);
    float cutoff2 = box->cutoff * box->cutoff;
    struct hd_args a = {0};
    hd_arg_i32(&a, b->side);
    hd_arg_i32(&a, b->side);
    hd_arg_ptr(&a, atoms + origin);
    hd_arg_f32(&a, spacing);
    hd_arg_f32(&a, cutoff2);
    hd_arg_f32(&a, 1.0f / cutoff2);
    hd_arg_ptr(&a, regions);
    hd_arg_i32(&a, layer);
    uint32_t n = (uint32_t)box->regions;
    return work_launch(w, "cutoff_potential_lattice", (struct hd_dim){4 * n, n, 1},
                       (struct hd_dim){8, 8, 2}, 0, &a, e);
}

static bool upload(struct work *w, const struct bins *b, hd_ptr *atoms, struct hd_error *e)
{
    size_t bins = (size_t)(b->side * b->side * b->side);
    *atoms = work_upload(w, b->atom, bins * ATOMS_PER_BIN * sizeof *b->atom, e);
    return *atoms && work_symbol(w, "neighbours", &b->neighbours, sizeof b->neighbours, e) &&
           work_symbol(w, "neighbour", b->neighbour,
                       (uint64_t)b->neighbours * sizeof b->neighbour[0], e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct box sizes[SIZES] = {
        [SIZE_TINY] = {2, 1, 4.0f},     [SIZE_SMALL] = {4, 1, 12.0f}, [SIZE_STUDY] = {7, 1, 12.0f},
        [SIZE_PAPER] = {11, 11, 12.0f}, [SIZE_FEW] = {3, 3, 12.0f},
    };
    const struct box *box = &sizes[w->size];
    size_t points = (size_t)(box->regions * box->regions * box->layers * REGION_POINTS);
    struct bins *b = make_bins(w, box);
    float *got = work_alloc(w, points * sizeof *got), *want = work_alloc(w, points * sizeof *want);
    hd_ptr atoms, regions = work_device(w, points * sizeof *got, e);
    if (!regions || !upload(w, b, &atoms, e))
        return false;
    for (int layer = 0; layer < box->layers; layer++)
        if (!launch(w, box, b, atoms, regions, layer, e))
            return false;
    if (!work_download(w, got, regions, points * sizeof *got, e))
        return false;
    if (!w->verify)
        return true;
    reference(b, box, want);
    return work_same_f32("potential", got, want, points, e);
}

const struct workload workload_cutcp = {
    .name = "CUTCP",
    .suite = "Parboil",
    .stands_for = "cutcp: potential on a lattice, bins of atoms by a list in constant memory",
    .papers = "",
    .kernels = "cutcp",
    .inputs =
        {
            [SIZE_TINY] = "water, 8 A, 1 layer, cutoff 4 A",
            [SIZE_SMALL] = "water, 16 A, 1 layer",
            [SIZE_STUDY] = "water, 28 A, 1 layer",
            [SIZE_PAPER] = "water, 44 A, 11 layers",
            [SIZE_FEW] = "water, 12 A, 3 layers",
        },
    .run = run,
};
