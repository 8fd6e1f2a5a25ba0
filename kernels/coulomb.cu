/* coulomb.cu - the Coulomb potential of atoms on a plane of a grid (ISPASS-2009 and Parboil CP).
 *
 * The original (after Stone et al., 2007): a thread sums over all atoms, which are in constant
 * memory (x, y, the square of the distance from the plane, charge; up to 4000 a launch), for two
 * points 16 apart in x, and adds to what the grid holds; 16x8 threads a CTA.  Each atom is read by
 * all lanes at once.
 *
 * Ours is the same. */
#include "heddle_cuda.h"

#define BX 16
#define POINTS 2
#define MOST_ATOMS 4000

__constant__ float4 atoms[MOST_ATOMS];

extern "C" __global__ void cenergy(int natoms, float spacing, float *grid)
{
    const unsigned x = blockIdx.x * BX * POINTS + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const float px = spacing * (float)x, py = spacing * (float)y, apart = spacing * BX;
    float energy1 = 0.0f, energy2 = 0.0f;

    for (int i = 0; i < natoms; i++) {
        float4 a = atoms[i];
        float dy = py - a.y, dx1 = px - a.x, dx2 = dx1 + apart;
        float dyz2 = fmaf(dy, dy, a.z);
        energy1 = fmaf(a.w, 1.0f / sqrtf(fmaf(dx1, dx1, dyz2)), energy1);
        energy2 = fmaf(a.w, 1.0f / sqrtf(fmaf(dx2, dx2, dyz2)), energy2);
    }
    float *out = grid + gridDim.x * BX * POINTS * y + x;
    out[0] += energy1;
    out[BX] += energy2;
}
