/* stencil.cu - a step of a seven-point stencil in three dimensions (Parboil stencil).
 *
 * The original: a 32x4 CTA covers 64x4 columns, two a thread, and walks them along z.  The plane at
 * hand lies in (dynamic) shared memory, the planes below and above in registers; what lies outside
 * the CTA's 64x4 is read from global memory, so that CTAs read one another's rims.  The outermost
 * cells of the volume keep their values.
 *
 * Ours differs in nothing that the memory sees; the two columns are two calls of a function, and
 * the multiply-add is fused. */
#include "heddle_cuda.h"

struct column {
    int at;               /* in the shared plane */
    int here;             /* in the volume, at the plane at hand */
    bool is_in, is_inner; /* of the volume; and not at its sides */
    float bottom, top;
};

HD_DEVICE column column_at(int x, int y, int at, int nx, int ny)
{
    bool is_inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    return {at, x + nx * (y + ny), x < nx && y < ny, is_inner, 0.0f, 0.0f};
}

/* From global memory, and by an instruction that says so: without the barrier clang would make one
 * generic load of "from here or from shared memory". */
HD_DEVICE float from_outside(const float *p)
{
    float value = *p;
    asm volatile("" ::: "memory");
    return value;
}

/* Of a thread's two columns the left one can miss its western neighbour, the right one its eastern:
 * `is_at_rim`. */
HD_DEVICE void step(column *c, bool is_left, bool is_at_rim, const float *plane, int width,
                    const float *from, float *to, int nx, int ny, float c0, float c1)
{
    if (c->is_in)
        c->top = from[c->here + nx * ny];
    if (!c->is_inner)
        return;
    float up =
        threadIdx.y == blockDim.y - 1 ? from_outside(&from[c->here + nx]) : plane[c->at + width];
    float down = threadIdx.y == 0 ? from_outside(&from[c->here - nx]) : plane[c->at - width];
    float east = !is_left && is_at_rim ? from_outside(&from[c->here + 1]) : plane[c->at + 1];
    float west = is_left && is_at_rim ? from_outside(&from[c->here - 1]) : plane[c->at - 1];
    float sum = c->top + c->bottom + up + down + east + west;
    to[c->here] = fmaf(-plane[c->at], c0, sum * c1);
}

HD_DEVICE void advance(column *c, float *plane, int area)
{
    c->here += area;
    c->bottom = plane[c->at];
    plane[c->at] = c->top;
}

extern "C" __global__ void block2D_hybrid_coarsen_x(float c0, float c1, const float *from,
                                                    float *to, int nx, int ny, int nz)
{
    extern __shared__ float plane[];
    int width = 2 * (int)blockDim.x, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int x = (int)blockIdx.x * width + tx, y = (int)(blockIdx.y * blockDim.y) + ty;
    column a = column_at(x, y, ty * width + tx, nx, ny);
    column b = column_at(x + width / 2, y, a.at + width / 2, nx, ny);

    plane[a.at] = 0.0f;
    plane[b.at] = 0.0f;
    __syncthreads();
    if (a.is_in) {
        a.bottom = from[a.here - nx * ny];
        plane[a.at] = from[a.here];
    }
    if (b.is_in) {
        b.bottom = from[b.here - nx * ny];
        plane[b.at] = from[b.here];
    }
    __syncthreads();
    for (int z = 1; z < nz - 1; z++) {
        step(&a, true, tx == 0, plane, width, from, to, nx, ny, c0, c1);
        step(&b, false, tx == width / 2 - 1, plane, width, from, to, nx, ny, c0, c1);
        __syncthreads();
        advance(&a, plane, nx * ny);
        advance(&b, plane, nx * ny);
        __syncthreads();
    }
}
