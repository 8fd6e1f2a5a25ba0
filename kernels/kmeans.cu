/* kmeans.cu - clusters of points: which centre is nearest to each point.
 *
 * Stands for Rodinia kmeans: invert_mapping turns the points, which lie feature after feature,
 * into features that lie point after point; kmeansPoint reads them through a texture of linear
 * memory, the centres from constant memory, and writes each point's cluster.  A thread per point,
 * CTAs of 256; the grid of kmeansPoint is a square.  Every centre reads all of a point's features
 * again, each from another line.
 *
 * Ours differs in nothing that the memory sees: the original passes arrays that it does not use,
 * and binds two more textures; the multiply-add is fused as nvcc does it. */
#include "heddle_cuda.h"

#define MOST_CLUSTERS 32
#define FEATURES 34

__constant__ float c_clusters[MOST_CLUSTERS * FEATURES];

extern "C" __global__ void invert_mapping(const float *input, float *output, int points,
                                          int features)
{
    const int point = (int)(threadIdx.x + blockDim.x * blockIdx.x);
    if (point >= points)
        return;
    for (int i = 0; i < features; i++)
        output[point + points * i] = input[point * features + i];
}

extern "C" __global__ void kmeansPoint(cudaTextureObject_t inverted, int features, int points,
                                       int clusters, int *membership)
{
    const int block = (int)(gridDim.x * blockIdx.y + blockIdx.x);
    const int point = block * (int)blockDim.x + (int)threadIdx.x;
    if (point >= points)
        return;

    int nearest = -1;
    float least = 3.402823466e+38f;
    for (int i = 0; i < clusters; i++) {
        float distance = 0.0f;
        for (int j = 0; j < features; j++) {
            const float difference =
                tex1Dfetch<float>(inverted, point + j * points) - c_clusters[i * features + j];
            distance = fmaf(difference, difference, distance);
        }
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    membership[point] = nearest;
}
