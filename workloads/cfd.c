/* cfd.c - CFD: Rodinia cfd (euler3d); see kernels/euler3d.cu.
 *
 * As in the original, air at Mach 1.2 fills the mesh at the start and the solver goes through so
 * many iterations of three Runge-Kutta stages, copying the variables on the device before each.
 * Meshes of aircraft are not to be had: cfd_mesh.c makes one, as large as the suite's smallest
 * (97 thousand elements, 506 CTAs).  Its 2000 iterations are all alike; a study takes four.
 * Smaller meshes are sized so that, as in the suite's, the arrays do not begin in the same set of
 * an L1. */
#include "../kernels/heddle_math.h"
#include "cfd_mesh.h"

enum { NDIM = CFD_DIMENSIONS, VARIABLES = 5, DENSITY = 0, MOMENTUM = 1, ENERGY = 4, STAGES = 3 };
#define GAMMA 1.4f
#define SMOOTHING 0.2f
#define MACH 1.2f

struct element {
    float density, momentum[NDIM], energy;
    float velocity[NDIM], speed, pressure, sound;
};

struct solver {
    struct cfd_mesh mesh;
    struct element far_field;
    float *variables, *old, *fluxes, *steps; /* the reference's */
    hd_ptr neighbours_d, normals_d, areas_d, variables_d, old_d, fluxes_d, steps_d;
};

static struct element element_of(const float u[VARIABLES])
{
    struct element s = {.density = u[DENSITY], .energy = u[ENERGY]};
    for (int k = 0; k < NDIM; k++) {
        s.momentum[k] = u[MOMENTUM + k];
        s.velocity[k] = s.momentum[k] / s.density;
    }
    const float *v = s.velocity;
    float speed_sqd = hm_fmaf(v[2], v[2], hm_fmaf(v[1], v[1], v[0] * v[0]));
    s.pressure = (GAMMA - 1.0f) * hm_fmaf(-0.5f * s.density, speed_sqd, s.energy);
    s.sound = hm_sqrtf(GAMMA * s.pressure / s.density);
    s.speed = hm_sqrtf(speed_sqd);
    return s;
}

static struct element element_at(const struct solver *s, uint32_t i)
{
    float u[VARIABLES];
    for (uint32_t v = 0; v < VARIABLES; v++)
        u[v] = s->variables[i + v * s->mesh.padded];
    return element_of(u);
}

/* Momentum in direction a that flows in direction b; of the two factors the earlier axis gives the
 * velocity, as the kernel has it. */
static float momentum_flux(const struct element *s, int a, int b)
{
    if (a == b)
        return hm_fmaf(s->velocity[a], s->momentum[a], s->pressure);
    return a < b ? s->velocity[a] * s->momentum[b] : s->velocity[b] * s->momentum[a];
}

static float energy_flux(const struct element *s, int a)
{
    return s->velocity[a] * (s->energy + s->pressure);
}

static void add_viscosity(float f[VARIABLES], const struct element *s, const struct element *o,
                          const float normal[NDIM])
{
    float square =
        hm_fmaf(normal[2], normal[2], hm_fmaf(normal[1], normal[1], normal[0] * normal[0]));
    float speeds = s->speed + o->speed + s->sound + o->sound;
    float factor = -hm_sqrtf(square) * SMOOTHING * 0.5f * speeds;
    f[DENSITY] = hm_fmaf(factor, s->density - o->density, f[DENSITY]);
    f[ENERGY] = hm_fmaf(factor, s->energy - o->energy, f[ENERGY]);
    for (int k = 0; k < NDIM; k++)
        f[MOMENTUM + k] = hm_fmaf(factor, s->momentum[k] - o->momentum[k], f[MOMENTUM + k]);
}

static void add_face(float f[VARIABLES], const struct element *s, const struct element *o,
                     const float normal[NDIM])
{
    for (int a = 0; a < NDIM; a++) {
        float factor = 0.5f * normal[a];
        f[DENSITY] = hm_fmaf(factor, o->momentum[a] + s->momentum[a], f[DENSITY]);
        f[ENERGY] = hm_fmaf(factor, energy_flux(o, a) + energy_flux(s, a), f[ENERGY]);
        for (int b = 0; b < NDIM; b++)
            f[MOMENTUM + b] =
                hm_fmaf(factor, momentum_flux(o, b, a) + momentum_flux(s, b, a), f[MOMENTUM + b]);
    }
}

static void reference_flux(const struct solver *s, uint32_t i)
{
    const struct cfd_mesh *m = &s->mesh;
    struct element here = element_at(s, i);
    float f[VARIABLES] = {0};
    for (uint32_t j = 0; j < CFD_NEIGHBOURS; j++) {
        int32_t other = m->neighbours[i + j * m->padded];
        float normal[NDIM];
        for (uint32_t k = 0; k < NDIM; k++)
            normal[k] = m->normals[i + (j + k * CFD_NEIGHBOURS) * m->padded];
        if (other == CFD_WING) {
            for (int k = 0; k < NDIM; k++)
                f[MOMENTUM + k] = hm_fmaf(normal[k], here.pressure, f[MOMENTUM + k]);
        } else if (other == CFD_FAR_FIELD) {
            add_face(f, &here, &s->far_field, normal);
        } else {
            struct element there = element_at(s, (uint32_t)other);
            add_viscosity(f, &here, &there, normal);
            add_face(f, &here, &there, normal);
        }
    }
    for (uint32_t v = 0; v < VARIABLES; v++)
        s->fluxes[i + v * m->padded] = f[v];
}

static void reference_iteration(const struct solver *s)
{
    uint32_t n = s->mesh.padded;
    memcpy(s->old, s->variables, (size_t)n * VARIABLES * sizeof(float));
    for (uint32_t i = 0; i < n; i++) {
        struct element here = element_at(s, i);
        s->steps[i] = 0.5f / (hm_sqrtf(s->mesh.areas[i]) * (here.speed + here.sound));
    }
    for (int stage = 0; stage < STAGES; stage++) {
        for (uint32_t i = 0; i < n; i++)
            reference_flux(s, i);
        for (uint32_t at = 0; at < n * VARIABLES; at++)
            s->variables[at] =
                hm_fmaf(s->steps[at % n] / (float)(STAGES + 1 - stage), s->fluxes[at], s->old[at]);
    }
}

/* Air that comes along x. */
static struct element far_field(void)
{
    const float density = 1.4f, pressure = 1.0f;
    float speed = MACH * hm_sqrtf(GAMMA * pressure / density);
    float energy = density * (0.5f * (speed * speed)) + pressure / (GAMMA - 1.0f);
    struct element s = element_of((const float[]){density, density * speed, 0, 0, energy});
    s.pressure = pressure;
    s.velocity[0] = speed;
    return s;
}

static void variables_of(const struct element *s, float u[VARIABLES])
{
    u[DENSITY] = s->density;
    u[ENERGY] = s->energy;
    memcpy(u + MOMENTUM, s->momentum, sizeof s->momentum);
}

static bool upload_far_field(struct work *w, const struct element *s, struct hd_error *e)
{
    float variables[VARIABLES], momentum[NDIM][NDIM], energy[NDIM];
    variables_of(s, variables);
    for (int a = 0; a < NDIM; a++) {
        energy[a] = energy_flux(s, a);
        for (int b = 0; b < NDIM; b++)
            momentum[a][b] = momentum_flux(s, a, b);
    }
    return work_symbol(w, "ff_variable", variables, sizeof variables, e) &&
           work_symbol(w, "ff_flux_momentum", momentum, sizeof momentum, e) &&
           work_symbol(w, "ff_flux_energy", energy, sizeof energy, e);
}

static struct solver make_solver(struct work *w, const uint32_t cubes[CFD_DIMENSIONS])
{
    struct solver s = {.mesh = cfd_mesh_make(w, cubes), .far_field = far_field()};
    uint32_t n = s.mesh.padded;
    float u[VARIABLES];
    variables_of(&s.far_field, u);
    s.variables = work_alloc(w, (size_t)n * VARIABLES * sizeof(float));
    s.old = work_alloc(w, (size_t)n * VARIABLES * sizeof(float));
    s.fluxes = work_alloc(w, (size_t)n * VARIABLES * sizeof(float));
    s.steps = work_alloc(w, n * sizeof *s.steps);
    for (uint32_t at = 0; at < n * VARIABLES; at++)
        s.variables[at] = u[at / n];
    return s;
}

static bool upload(struct work *w, struct solver *s, struct hd_error *e)
{
    const struct cfd_mesh *m = &s->mesh;
    uint64_t each = m->padded * sizeof(float);
    s->neighbours_d = work_upload(w, m->neighbours, CFD_NEIGHBOURS * each, e);
    s->normals_d = work_upload(w, m->normals, (uint64_t)CFD_NEIGHBOURS * NDIM * each, e);
    s->areas_d = work_upload(w, m->areas, each, e);
    s->variables_d = work_device(w, VARIABLES * each, e);
    s->old_d = work_device(w, VARIABLES * each, e);
    s->fluxes_d = work_device(w, VARIABLES * each, e);
    s->steps_d = work_device(w, each, e);
    return s->neighbours_d && s->normals_d && s->areas_d && s->variables_d && s->old_d &&
           s->fluxes_d && s->steps_d && upload_far_field(w, &s->far_field, e);
}

static bool launch(struct work *w, const struct solver *s, const char *kernel,
                   const struct hd_args *a, struct hd_error *e)
{
    return work_launch(w, kernel, (struct hd_dim){s->mesh.padded / CFD_THREADS, 1, 1},
                       (struct hd_dim){CFD_THREADS, 1, 1}, 0, a, e);
}

static bool initialize(struct work *w, const struct solver *s, hd_ptr variables, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_i32(&a, (int32_t)s->mesh.padded);
    hd_arg_ptr(&a, variables);
    return launch(w, s, "initialize_variables", &a, e);
}

static bool stage(struct work *w, const struct solver *s, int number, struct hd_error *e)
{
    struct hd_args flux = {0}, step = {0};
    hd_arg_i32(&flux, (int32_t)s->mesh.padded);
    hd_arg_ptr(&flux, s->neighbours_d);
    hd_arg_ptr(&flux, s->normals_d);
    hd_arg_ptr(&flux, s->variables_d);
    hd_arg_ptr(&flux, s->fluxes_d);
    hd_arg_i32(&step, number);
    hd_arg_i32(&step, (int32_t)s->mesh.padded);
    hd_arg_ptr(&step, s->old_d);
    hd_arg_ptr(&step, s->variables_d);
    hd_arg_ptr(&step, s->steps_d);
    hd_arg_ptr(&step, s->fluxes_d);
    return launch(w, s, "compute_flux", &flux, e) && launch(w, s, "time_step", &step, e);
}

static bool iterate(struct work *w, const struct solver *s, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_i32(&a, (int32_t)s->mesh.padded);
    hd_arg_ptr(&a, s->variables_d);
    hd_arg_ptr(&a, s->areas_d);
    hd_arg_ptr(&a, s->steps_d);
    uint64_t bytes = (uint64_t)s->mesh.padded * VARIABLES * sizeof(float);
    bool ok = hd_copy(w->device, s->old_d, s->variables_d, bytes, e) &&
              launch(w, s, "compute_step_factor", &a, e);
    for (int i = 0; i < STAGES && ok; i++)
        ok = stage(w, s, i, e);
    return ok;
}

static bool check(struct work *w, const struct solver *s, struct hd_error *e)
{
    size_t n = (size_t)s->mesh.padded * VARIABLES, bytes = n * sizeof(float);
    float *got = work_alloc(w, bytes);
    return work_download(w, got, s->steps_d, bytes / VARIABLES, e) &&
           work_same_f32("step factor", got, s->steps, n / VARIABLES, e) &&
           work_download(w, got, s->fluxes_d, bytes, e) &&
           work_same_f32("flux", got, s->fluxes, n, e) &&
           work_download(w, got, s->variables_d, bytes, e) &&
           work_same_f32("variable", got, s->variables, n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t cubes[CFD_DIMENSIONS], iterations;
    } sizes[SIZES] = {
        [SIZE_TINY] = {{6, 5, 5}, 2},     [SIZE_SMALL] = {{18, 15, 15}, 2},
        [SIZE_STUDY] = {{35, 22, 21}, 4}, [SIZE_PAPER] = {{35, 22, 21}, 2000},
        [SIZE_FEW] = {{14, 11, 10}, 6},
    };
    uint32_t iterations = sizes[w->size].iterations;
    struct solver s = make_solver(w, sizes[w->size].cubes);
    if (!upload(w, &s, e) || !initialize(w, &s, s.variables_d, e) ||
        !initialize(w, &s, s.old_d, e) || !initialize(w, &s, s.fluxes_d, e))
        return false;
    for (uint32_t i = 0; i < iterations; i++) {
        if (!iterate(w, &s, e))
            return false;
        if (w->verify)
            reference_iteration(&s);
    }
    return !w->verify || check(w, &s, e);
}

const struct workload workload_cfd = {
    .name = "CFD",
    .suite = "Rodinia",
    .stands_for = "cfd euler3d: flow on an unstructured mesh, neighbours through indices",
    .papers = "cdxbar",
    .kernels = "euler3d",
    .inputs =
        {
            [SIZE_TINY] = "900 elements, 2 iterations",
            [SIZE_SMALL] = "24,300 elements, 2 iterations",
            [SIZE_STUDY] = "97,020 elements, 4 iterations",
            [SIZE_PAPER] = "97,020 elements, 2000 iterations",
            [SIZE_FEW] = "9,240 elements, 6 iterations",
        },
    .run = run,
};
