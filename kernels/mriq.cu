/* mriq.cu - the matrix Q of a magnetic resonance image: a sum over samples for each voxel (Parboil
 * mri-q).
 *
 * The original: ComputePhiMag, 512 threads a CTA, a sample each, squares the samples' magnitudes.
 * ComputeQ, 256 threads a CTA, a voxel each, is launched for every 1,024 samples, which lie in
 * constant memory, 16 bytes each: all lanes read the same one, and add its cosine and sine (the
 * hardware's approximations: the original is compiled with fast mathematics) to what earlier
 * launches left in Q.  Global memory is touched at the beginning and at the end only.
 *
 * Ours differs in that the number of samples must be even; the original takes one apart. */
#include "heddle_cuda.h"

#define SAMPLES_MOST 1024
#define TWO_PI 6.28318531f

struct sample {
    float kx, ky, kz, magnitude;
};

__constant__ sample samples[SAMPLES_MOST];

extern "C" __global__ void ComputePhiMag_GPU(const float *real, const float *imaginary,
                                             float *magnitude, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        magnitude[i] = fmaf(imaginary[i], imaginary[i], real[i] * real[i]);
}

HD_DEVICE void add_sample(const sample *s, float x, float y, float z, float *real, float *imaginary)
{
    float angle = TWO_PI * fmaf(s->kz, z, fmaf(s->ky, y, s->kx * x));
    *real = fmaf(s->magnitude, __cosf(angle), *real);
    *imaginary = fmaf(s->magnitude, __sinf(angle), *imaginary);
}

/* `first`: the first of the samples in constant memory, of `n` in all. */
extern "C" __global__ void ComputeQ_GPU(int n, int first, const float *x, const float *y,
                                        const float *z, float *q_real, float *q_imaginary)
{
    int voxel = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float my_x = x[voxel], my_y = y[voxel], my_z = z[voxel];
    float real = q_real[voxel], imaginary = q_imaginary[voxel];
#pragma unroll 1
    for (int i = 0; i < SAMPLES_MOST && first + i < n; i += 2) {
        add_sample(&samples[i], my_x, my_y, my_z, &real, &imaginary);
        add_sample(&samples[i + 1], my_x, my_y, my_z, &real, &imaginary);
    }
    q_real[voxel] = real;
    q_imaginary[voxel] = imaginary;
}
