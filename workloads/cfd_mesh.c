/* cfd_mesh.c - an unstructured mesh of tetrahedra for CFD.
 *
 * A box of cubes, each cut into six tetrahedra along its diagonal, whose vertices are moved at
 * random, so that no two elements are alike.  The floor (y = 0) is the wing, all other sides of
 * the box are the far field.  Solvers number elements by bins of space, for the sake of their
 * neighbours' whereabouts: so are these, in bins of 2x2x2 cubes, and in no order within a bin.
 * Three of four neighbours then are in the element's own bin of 48, the others in one of six bins
 * around it, up to a whole layer of bins away. */
#include "cfd_mesh.h"

enum { PER_CUBE = 6, BIN = 2, BIN_STREAM = 100, VERTEX_STREAM = 101 };
#define SPACING 0.02f
#define MOVED 0.2f /* of the spacing, at most */

/* A tetrahedron goes from its cube's lowest corner to the highest along three edges; `way` says
 * along which axis first, second and third. */
struct tetrahedron {
    int32_t cube[CFD_DIMENSIONS];
    uint32_t way[CFD_DIMENSIONS];
};

struct lattice {
    uint32_t cubes[CFD_DIMENSIONS];
    uint32_t *number; /* of the element, by cube and way */
};

struct vector {
    float x[CFD_DIMENSIONS];
};

/* 0..5, by the first axis and whether the two others are in ascending order. */
static uint32_t way_index(const uint32_t way[CFD_DIMENSIONS])
{
    return 2 * way[0] + (way[1] > way[2]);
}

static uint32_t place_of(const struct lattice *l, const struct tetrahedron *t)
{
    uint32_t cube = ((uint32_t)t->cube[2] * l->cubes[1] + (uint32_t)t->cube[1]) * l->cubes[0] +
                    (uint32_t)t->cube[0];
    return cube * PER_CUBE + way_index(t->way);
}

static struct tetrahedron tetrahedron_at(const struct lattice *l, uint32_t place)
{
    uint32_t cube = place / PER_CUBE, first = place % PER_CUBE / 2;
    uint32_t low = first == 0 ? 1 : 0, high = first == 2 ? 1 : 2;
    bool is_swapped = place % 2;
    return (struct tetrahedron){
        .cube = {(int32_t)(cube % l->cubes[0]), (int32_t)(cube / l->cubes[0] % l->cubes[1]),
                 (int32_t)(cube / l->cubes[0] / l->cubes[1])},
        .way = {first, is_swapped ? high : low, is_swapped ? low : high},
    };
}

/* The tetrahedron behind the face that corner `opposite` (0..3, along the way) is not part of. */
static struct tetrahedron behind(const struct tetrahedron *t, uint32_t opposite)
{
    const uint32_t *a = t->way;
    struct tetrahedron n = *t;
    if (opposite == 0) {
        n = (struct tetrahedron){.way = {a[1], a[2], a[0]}};
        memcpy(n.cube, t->cube, sizeof n.cube);
        n.cube[a[0]]++;
    } else if (opposite == 3) {
        n = (struct tetrahedron){.way = {a[2], a[0], a[1]}};
        memcpy(n.cube, t->cube, sizeof n.cube);
        n.cube[a[2]]--;
    } else { /* the way goes round the face on the other side */
        n.way[opposite - 1] = a[opposite];
        n.way[opposite] = a[opposite - 1];
    }
    return n;
}

/* A neighbour's number, or what lies beyond the box. */
static int32_t number_of(const struct lattice *l, const struct tetrahedron *t)
{
    if (t->cube[1] < 0)
        return CFD_WING;
    for (uint32_t k = 0; k < CFD_DIMENSIONS; k++)
        if (t->cube[k] < 0 || t->cube[k] >= (int32_t)l->cubes[k])
            return CFD_FAR_FIELD;
    return (int32_t)l->number[place_of(l, t)];
}

/* Numbers the elements of the bin whose lowest cube is `low`, in random order. */
static uint32_t number_bin(struct work *w, struct lattice *l, const uint32_t low[CFD_DIMENSIONS],
                           uint32_t next)
{
    uint32_t places[BIN * BIN * BIN * PER_CUBE], n = 0;
    for (uint32_t c = 0; c < BIN * BIN * BIN; c++) {
        uint32_t x = low[0] + c % BIN, y = low[1] + c / BIN % BIN, z = low[2] + c / (BIN * BIN);
        if (x >= l->cubes[0] || y >= l->cubes[1] || z >= l->cubes[2])
            continue;
        for (uint32_t way = 0; way < PER_CUBE; way++)
            places[n++] = ((z * l->cubes[1] + y) * l->cubes[0] + x) * PER_CUBE + way;
    }
    for (uint32_t left = n; left > 0; left--) {
        uint32_t drawn = work_random_u32(w, BIN_STREAM, next, left);
        l->number[places[drawn]] = next++;
        places[drawn] = places[left - 1];
    }
    return next;
}

static void number_all(struct work *w, struct lattice *l)
{
    uint32_t next = 0;
    for (uint32_t z = 0; z < l->cubes[2]; z += BIN)
        for (uint32_t y = 0; y < l->cubes[1]; y += BIN)
            for (uint32_t x = 0; x < l->cubes[0]; x += BIN)
                next = number_bin(w, l, (const uint32_t[]){x, y, z}, next);
}

/* The corners along the way, moved as every element that has them moves them. */
static void corners_of(const struct work *w, const struct lattice *l, const struct tetrahedron *t,
                       struct vector corners[CFD_NEIGHBOURS])
{
    uint32_t at[CFD_DIMENSIONS];
    for (uint32_t k = 0; k < CFD_DIMENSIONS; k++)
        at[k] = (uint32_t)t->cube[k];
    for (uint32_t c = 0; c < CFD_NEIGHBOURS; c++) {
        uint64_t vertex = ((uint64_t)at[2] * (l->cubes[1] + 1) + at[1]) * (l->cubes[0] + 1) + at[0];
        for (uint32_t k = 0; k < CFD_DIMENSIONS; k++) {
            float moved =
                work_random_f32(w, VERTEX_STREAM, vertex * CFD_DIMENSIONS + k, -MOVED, MOVED);
            corners[c].x[k] = SPACING * ((float)at[k] + moved);
        }
        if (c < CFD_DIMENSIONS)
            at[t->way[c]]++;
    }
}

static struct vector minus(struct vector a, struct vector b)
{
    return (struct vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                            a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static float dot(struct vector a, struct vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* Normal of the face opposite to a corner, towards that corner, and the volume. */
static struct vector inward_normal(const struct vector corners[CFD_NEIGHBOURS], uint32_t opposite,
                                   float *volume)
{
    struct vector a = corners[(opposite + 1) % 4], b = corners[(opposite + 2) % 4];
    struct vector n = cross(minus(b, a), minus(corners[(opposite + 3) % 4], a));
    float six_volumes = dot(n, minus(corners[opposite], a));
    float half = six_volumes < 0 ? -0.5f : 0.5f;
    *volume = (six_volumes < 0 ? -six_volumes : six_volumes) / 6.0f;
    return (struct vector){{half * n.x[0], half * n.x[1], half * n.x[2]}};
}

static void fill_element(const struct work *w, const struct lattice *l, uint32_t place,
                         struct cfd_mesh *m)
{
    struct tetrahedron t = tetrahedron_at(l, place);
    struct vector corners[CFD_NEIGHBOURS];
    uint32_t i = l->number[place];
    corners_of(w, l, &t, corners);
    for (uint32_t j = 0; j < CFD_NEIGHBOURS; j++) {
        struct tetrahedron n = behind(&t, j);
        m->neighbours[i + j * m->padded] = number_of(l, &n);
        struct vector normal = inward_normal(corners, j, &m->areas[i]);
        for (uint32_t k = 0; k < CFD_DIMENSIONS; k++)
            m->normals[i + (j + k * CFD_NEIGHBOURS) * m->padded] = normal.x[k];
    }
}

/* What fills the last CTA up: the last element again. */
static void pad(struct cfd_mesh *m)
{
    uint32_t last = m->elements - 1;
    for (uint32_t i = m->elements; i < m->padded; i++) {
        m->areas[i] = m->areas[last];
        for (uint32_t j = 0; j < CFD_NEIGHBOURS; j++)
            m->neighbours[i + j * m->padded] = m->neighbours[last + j * m->padded];
        for (uint32_t j = 0; j < CFD_NEIGHBOURS * CFD_DIMENSIONS; j++)
            m->normals[i + j * m->padded] = m->normals[last + j * m->padded];
    }
}

struct cfd_mesh cfd_mesh_make(struct work *w, const uint32_t cubes[CFD_DIMENSIONS])
{
    uint32_t elements = cubes[0] * cubes[1] * cubes[2] * PER_CUBE;
    uint32_t padded = (elements + CFD_THREADS - 1) / CFD_THREADS * CFD_THREADS;
    struct lattice l = {.cubes = {cubes[0], cubes[1], cubes[2]},
                        .number = work_alloc(w, elements * sizeof *l.number)};
    struct cfd_mesh m = {
        .elements = elements,
        .padded = padded,
        .neighbours = work_alloc(w, (size_t)padded * CFD_NEIGHBOURS * sizeof *m.neighbours),
        .normals = work_alloc(w, (size_t)padded * CFD_NEIGHBOURS * CFD_DIMENSIONS * sizeof(float)),
        .areas = work_alloc(w, padded * sizeof *m.areas),
    };
    number_all(w, &l);
    for (uint32_t place = 0; place < elements; place++)
        fill_element(w, &l, place, &m);
    pad(&m);
    return m;
}
