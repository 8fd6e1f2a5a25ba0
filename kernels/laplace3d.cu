/* laplace3d.cu - one Jacobi iteration of Laplace's equation in three dimensions (ISPASS-2009 LPS).
 *
 * The original (by M. Giles): a CTA of 32x4 threads owns a column of the volume and walks along z
 * with three planes of its tile, with a frame of one, in shared memory; a thread moves its element
 * down two planes and loads the next, and the first 76 threads do the same for an element of the
 * frame (rows of the frame are coalesced, its sides are not).  Borders keep their values.  Rows are
 * padded to whole segments of memory.
 *
 * Ours is the same; corners of the frame are loaded, too, as there. */
#include "heddle_cuda.h"

#define BX 32
#define BY 4
#define ROW (BX + 2)
#define PLANE (ROW * (BY + 2))

/* Element (i, j) of the tile, from -1 on, in the middle plane. */
HD_DEVICE int in_tile(int i, int j)
{
    return PLANE + (j + 1) * ROW + i + 1;
}

/* The two upper planes move down, and the next comes from memory. */
HD_DEVICE void advance(float *u, const float *next, bool is_first, bool is_last)
{
    if (!is_first)
        u[-PLANE] = u[0];
    u[0] = u[PLANE];
    if (!is_last)
        u[PLANE] = *next;
}

extern "C" __global__ void laplace3d(int nx, int ny, int nz, int pitch, const float *u1, float *u2)
{
    __shared__ float planes[3 * PLANE];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y, t = tx + ty * BX;
    const int x0 = (int)blockIdx.x * BX, y0 = (int)blockIdx.y * BY;
    const int x = x0 + tx, y = y0 + ty, step = ny * pitch;
    const bool is_inside = x < nx && y < ny;

    /* the first two warps take the frame's rows, the others its sides */
    int fx = ty < 2 ? tx : (t % 2) * (BX + 1) - 1;
    int fy = ty < 2 ? ty * (BY + 1) - 1 : t / 2 - BX - 1;
    bool is_frame = t < 2 * (BX + BY + 2);
    float *mine = planes + in_tile(tx, ty), *frame = is_frame ? planes + in_tile(fx, fy) : mine;
    fx += x0;
    fy += y0;
    is_frame = is_frame && fx >= 0 && fx < nx && fy >= 0 && fy < ny;
    int at = y * pitch + x, frame_at = fy * pitch + fx;

    if (is_inside)
        mine[PLANE] = u1[at];
    if (is_frame)
        frame[PLANE] = u1[frame_at];
    for (int z = 0; z < nz; z++, at += step, frame_at += step) {
        if (is_inside)
            advance(mine, u1 + at + step, z == 0, z == nz - 1);
        if (is_frame)
            advance(frame, u1 + frame_at + step, z == 0, z == nz - 1);
        __syncthreads();
        if (is_inside) {
            bool is_border =
                x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1;
            float sum = 0.0f;
            if (!is_border)
                sum = mine[-1] + mine[1] + mine[-ROW] + mine[ROW] + mine[-PLANE] + mine[PLANE];
            u2[at] = is_border ? mine[0] : sum * (1.0f / 6.0f);
        }
        __syncthreads();
    }
}
