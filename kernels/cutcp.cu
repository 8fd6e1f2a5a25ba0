/* cutcp.cu - the electrostatic potential of atoms within a cutoff, on a lattice (Parboil cutcp).
 *
 * The original (its form with a thread per lattice point): atoms are sorted into bins of 4 A, at
 * most eight in each, x, y, z and charge.  A region of 8x8x8 lattice points is four CTAs of 8x8x2
 * threads, and a launch is a layer of regions along z.  All points of a region visit the same bins:
 * a list of offsets in constant memory.  32 bins at a time are copied to shared memory, each by
 * half a warp, from where all threads read all atoms; a bin ends with a charge of 0.  Bins are
 * shared by all CTAs around.
 *
 * Ours differs in that the region's address and bin are in registers, where the original has them
 * in shared memory, and in fused multiply-adds. */
#include "heddle_cuda.h"

#define ATOMS_PER_BIN 8
#define BIN_FLOATS (4 * ATOMS_PER_BIN)
#define BINS_CACHED 32
#define BIN_LENGTH 4.0f
#define REGION_POINTS 512
#define CTA_POINTS 128
#define HALF_WARP 16
#define HALF_WARPS (CTA_POINTS / HALF_WARP)
#define NEIGHBOURS_MOST (11 * 11 * 11)

struct offset {
    int x, y, z;
};

__constant__ int neighbours;
__constant__ offset neighbour[NEIGHBOURS_MOST];

HD_DEVICE float add_potential(float energy, const float *atom, float x, float y, float z,
                              float cutoff2, float inv_cutoff2)
{
    float dx = atom[0] - x, dy = atom[1] - y, dz = atom[2] - z;
    float r2 = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
    if (r2 >= cutoff2)
        return energy;
    float s = fmaf(-r2, inv_cutoff2, 1.0f);
    return fmaf(atom[3] * rsqrtf(r2) * s, s, energy);
}

HD_DEVICE float add_bins(float energy, const float *cached, int bins, float x, float y, float z,
                         float cutoff2, float inv_cutoff2)
{
    for (int bin = 0; bin < bins; bin++) {
        for (int i = 0; i < ATOMS_PER_BIN; i++) {
            const float *atom = &cached[bin * BIN_FLOATS + 4 * i];
            if (atom[3] == 0.0f)
                break;
            energy = add_potential(energy, atom, x, y, z, cutoff2, inv_cutoff2);
        }
    }
    return energy;
}

/* Copies the bins first, first + 1, ... of the list, as many as fit and are there. */
HD_DEVICE void cache_bins(float *cached, int first, const float *bins, int bins_x, int bins_y,
                          offset bin, int tid)
{
    int half = tid / HALF_WARP, lane = tid % HALF_WARP;
    for (int i = half; i < BINS_CACHED && first + i < neighbours; i += HALF_WARPS) {
        offset to = neighbour[first + i];
        int index = ((bin.z + to.z) * bins_y + bin.y + to.y) * bins_x + bin.x + to.x;
        const float *from = bins + index * BIN_FLOATS;
        cached[i * BIN_FLOATS + lane] = from[lane];
        cached[i * BIN_FLOATS + lane + HALF_WARP] = from[lane + HALF_WARP];
    }
}

/* `bins` points to the bin at the lattice's origin; there are more before it. */
extern "C" __global__ void cutoff_potential_lattice(int bins_x, int bins_y, const float *bins,
                                                    float spacing, float cutoff2, float inv_cutoff2,
                                                    float *regions, int region_z)
{
    __shared__ float cached[BINS_CACHED * BIN_FLOATS];
    int region_x = (int)blockIdx.x / 4, part = (int)blockIdx.x % 4, region_y = (int)blockIdx.y;
    int tid = (int)((threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x);
    float x = (float)(8 * region_x + (int)threadIdx.x) * spacing;
    float y = (float)(8 * region_y + (int)threadIdx.y) * spacing;
    float z = (float)(8 * region_z + 2 * part + (int)threadIdx.z) * spacing;
    offset bin = {(int)((float)(8 * region_x + 4) * spacing * (1.0f / BIN_LENGTH)),
                  (int)((float)(8 * region_y + 4) * spacing * (1.0f / BIN_LENGTH)),
                  (int)((float)(8 * region_z + 4) * spacing * (1.0f / BIN_LENGTH))};

    float energy = 0.0f;
    for (int first = 0; first < neighbours; first += BINS_CACHED) {
        cache_bins(cached, first, bins, bins_x, bins_y, bin, tid);
        __syncthreads();
        energy = add_bins(energy, cached, min(BINS_CACHED, neighbours - first), x, y, z, cutoff2,
                          inv_cutoff2);
        __syncthreads();
    }
    int region = (region_z * (int)gridDim.y + region_y) * ((int)gridDim.x / 4) + region_x;
    regions[region * REGION_POINTS + part * CTA_POINTS + tid] = energy;
}
