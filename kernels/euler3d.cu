/* euler3d.cu - inviscid compressible flow on an unstructured mesh of tetrahedra.
 *
 * Stands for Rodinia cfd (euler3d): an explicit finite-volume solver, a thread per element in
 * CTAs of 192.  An iteration is compute_step_factor and three times compute_flux and time_step (a
 * Runge-Kutta scheme of third order).  Five variables per element, the four neighbours' numbers
 * and twelve components of face normals are kept as structures of arrays, so that a thread's own
 * data are read in whole lines, while its neighbours' variables are wherever the mesh has put
 * them.  A neighbour -1 is the wing, -2 the far field, whose state is in constant memory.
 *
 * Ours differs in nothing that the memory sees: the far field's fluxes are two constant arrays
 * instead of four float3s, and multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

#define NDIM 3
#define NEIGHBOURS 4
#define VARIABLES 5 /* density, momentum, density of energy */
#define DENSITY 0
#define MOMENTUM 1
#define ENERGY 4
#define RK 3
#define WING (-1)
#define FAR_FIELD (-2)
#define GAMMA 1.4f
#define SMOOTHING 0.2f

__constant__ float ff_variable[VARIABLES];
__constant__ float ff_flux_momentum[NDIM][NDIM];
__constant__ float ff_flux_energy[NDIM];

/* An element's state, and what it contributes to the flux through a face. */
struct element {
    float density, momentum[NDIM], energy;
    float speed_sqd, pressure, sound;
    float flux_momentum[NDIM][NDIM], flux_energy[NDIM];
};

struct flux {
    float density, momentum[NDIM], energy;
};

HD_DEVICE void read_state(element &s, const float *variables, int i, int n, float velocity[NDIM])
{
    s.density = variables[i + DENSITY * n];
    s.momentum[0] = variables[i + (MOMENTUM + 0) * n];
    s.momentum[1] = variables[i + (MOMENTUM + 1) * n];
    s.momentum[2] = variables[i + (MOMENTUM + 2) * n];
    s.energy = variables[i + ENERGY * n];
    velocity[0] = s.momentum[0] / s.density;
    velocity[1] = s.momentum[1] / s.density;
    velocity[2] = s.momentum[2] / s.density;
    s.speed_sqd =
        fmaf(velocity[2], velocity[2], fmaf(velocity[1], velocity[1], velocity[0] * velocity[0]));
    s.pressure = (GAMMA - 1.0f) * fmaf(-0.5f * s.density, s.speed_sqd, s.energy);
    s.sound = sqrtf(GAMMA * s.pressure / s.density);
}

HD_DEVICE void read_element(element &s, const float *variables, int i, int n)
{
    float velocity[NDIM];
    read_state(s, variables, i, n, velocity);
#pragma unroll
    for (int a = 0; a < NDIM; a++) {
        s.flux_momentum[a][a] = fmaf(velocity[a], s.momentum[a], s.pressure);
#pragma unroll
        for (int b = a + 1; b < NDIM; b++)
            s.flux_momentum[a][b] = s.flux_momentum[b][a] = velocity[a] * s.momentum[b];
        s.flux_energy[a] = velocity[a] * (s.energy + s.pressure);
    }
}

/* What flows through a face to another element or to the far field. */
HD_DEVICE void add_face(flux &f, const element &s, const float normal[NDIM],
                        const float momentum[NDIM], const float flux_momentum[NDIM][NDIM],
                        const float flux_energy[NDIM])
{
#pragma unroll
    for (int a = 0; a < NDIM; a++) {
        const float factor = 0.5f * normal[a];
        f.density = fmaf(factor, momentum[a] + s.momentum[a], f.density);
        f.energy = fmaf(factor, flux_energy[a] + s.flux_energy[a], f.energy);
#pragma unroll
        for (int b = 0; b < NDIM; b++)
            f.momentum[b] =
                fmaf(factor, flux_momentum[b][a] + s.flux_momentum[b][a], f.momentum[b]);
    }
}

/* Artificial viscosity between two elements. */
HD_DEVICE void add_viscosity(flux &f, const element &s, const element &other, float length)
{
    const float speeds = sqrtf(s.speed_sqd) + sqrtf(other.speed_sqd) + s.sound + other.sound;
    const float factor = -length * SMOOTHING * 0.5f * speeds;
    f.density = fmaf(factor, s.density - other.density, f.density);
    f.energy = fmaf(factor, s.energy - other.energy, f.energy);
#pragma unroll
    for (int a = 0; a < NDIM; a++)
        f.momentum[a] = fmaf(factor, s.momentum[a] - other.momentum[a], f.momentum[a]);
}

extern "C" __global__ void initialize_variables(int n, float *variables)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    for (int v = 0; v < VARIABLES; v++)
        variables[i + v * n] = ff_variable[v];
}

extern "C" __global__ void compute_step_factor(int n, const float *variables, const float *areas,
                                               float *step_factors)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    element s;
    float velocity[NDIM];
    read_state(s, variables, i, n, velocity);
    step_factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(s.speed_sqd) + s.sound));
}

extern "C" __global__ void compute_flux(int n, const int *neighbours, const float *normals,
                                        const float *variables, float *fluxes)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    element s;
    read_element(s, variables, i, n);

    flux f = {};
#pragma unroll
    for (int j = 0; j < NEIGHBOURS; j++) {
        const int other = neighbours[i + j * n];
        const float normal[NDIM] = {normals[i + (j + 0 * NEIGHBOURS) * n],
                                    normals[i + (j + 1 * NEIGHBOURS) * n],
                                    normals[i + (j + 2 * NEIGHBOURS) * n]};
        const float length =
            sqrtf(fmaf(normal[2], normal[2], fmaf(normal[1], normal[1], normal[0] * normal[0])));
        if (other >= 0) {
            element o;
            read_element(o, variables, other, n);
            add_viscosity(f, s, o, length);
            add_face(f, s, normal, o.momentum, o.flux_momentum, o.flux_energy);
        } else if (other == WING) {
#pragma unroll
            for (int a = 0; a < NDIM; a++)
                f.momentum[a] = fmaf(normal[a], s.pressure, f.momentum[a]);
        } else if (other == FAR_FIELD) {
            add_face(f, s, normal, ff_variable + MOMENTUM, ff_flux_momentum, ff_flux_energy);
        }
    }

    fluxes[i + DENSITY * n] = f.density;
    fluxes[i + (MOMENTUM + 0) * n] = f.momentum[0];
    fluxes[i + (MOMENTUM + 1) * n] = f.momentum[1];
    fluxes[i + (MOMENTUM + 2) * n] = f.momentum[2];
    fluxes[i + ENERGY * n] = f.energy;
}

extern "C" __global__ void time_step(int j, int n, const float *old_variables, float *variables,
                                     const float *step_factors, const float *fluxes)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    const float factor = step_factors[i] / (float)(RK + 1 - j);
    variables[i + DENSITY * n] =
        fmaf(factor, fluxes[i + DENSITY * n], old_variables[i + DENSITY * n]);
    variables[i + ENERGY * n] = fmaf(factor, fluxes[i + ENERGY * n], old_variables[i + ENERGY * n]);
#pragma unroll
    for (int v = MOMENTUM; v < MOMENTUM + NDIM; v++)
        variables[i + v * n] = fmaf(factor, fluxes[i + v * n], old_variables[i + v * n]);
}
