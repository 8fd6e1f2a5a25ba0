/* raytrace.cu - a scene of spheres over a plane, with shadows and reflections (ISPASS-2009 RAY).
 *
 * The original (by M. Boroujerdi): a thread follows the ray of one pixel through up to five
 * reflections; 16x8 threads a CTA.  Objects (a plane and three spheres) and the camera are in
 * constant memory.  At each hit it looks for a shadow, shades (ambient, diffuse, highlight of power
 * 50) into a stack of colours, which is indexed by a variable and therefore in local memory, and
 * reflects.  Neighbouring rays part ways: lanes diverge.
 *
 * Ours is the same, written anew. */
#include "heddle_cuda.h"

#define OBJECTS 4
#define BOUNCES 5
#define FAR 10000.0f

struct object {
    float x, y, z, radius;
    float red, green, blue;
    int is_plane;
};

__constant__ object objects[OBJECTS];
__constant__ float4 camera[3]; /* forward, up, right; w: the position's coordinates */

HD_DEVICE float3 plus(float3 a, float3 b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

HD_DEVICE float3 minus(float3 a, float3 b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

HD_DEVICE float3 times(float3 a, float s)
{
    return {a.x * s, a.y * s, a.z * s};
}

HD_DEVICE float dot(float3 a, float3 b)
{
    return fmaf(a.z, b.z, fmaf(a.y, b.y, a.x * b.x));
}

HD_DEVICE float3 unit(float3 a)
{
    return times(a, rsqrtf(dot(a, a)));
}

/* How far along the ray; 0: not at all. */
HD_DEVICE float hit_sphere(float3 from, float3 to, float3 centre, float radius)
{
    float3 l = minus(centre, from);
    float d = dot(l, to), l2 = dot(l, l), r2 = radius * radius;
    if (d < 0.0f && l2 > r2)
        return 0.0f;
    float m2 = l2 - d * d;
    if (m2 > r2)
        return 0.0f;
    float q = sqrtf(r2 - m2);
    return l2 > r2 ? d - q : d + q;
}

HD_DEVICE float hit_plane(float3 from, float3 to, float height)
{
    if (fabsf(to.y) < 0.0001f)
        return 0.0f;
    float t = -(from.y - height) / to.y;
    return t > 0.0f ? t : 0.0f;
}

HD_DEVICE float hit(const object &o, float3 from, float3 to)
{
    return o.is_plane ? hit_plane(from, to, o.y) : hit_sphere(from, to, {o.x, o.y, o.z}, o.radius);
}

/* Whether something stands between a point and the lamp. */
HD_DEVICE bool is_in_shadow(float3 from, float3 to, float3 lamp)
{
    float3 way = minus(lamp, from), start = plus(from, times(to, 0.0001f));
    float distance = dot(way, way), t = 0.0f;
    for (int i = 0; i < OBJECTS && t == 0.0f; i++) {
        t = hit(objects[i], start, to);
        float3 at = plus(from, times(to, t));
        if (t > 0.0f && dot(at, at) > distance)
            t = 0.0f;
    }
    return t != 0.0f;
}

HD_DEVICE float power50(float a)
{
    float p = a;
#pragma unroll
    for (int i = 1; i < 50; i++)
        p *= a;
    return p;
}

HD_DEVICE float3 shade(const object &o, float3 point, float3 normal, float3 view)
{
    const float3 lamp = {10.0f, 10.0f, 10.0f}, colour = {o.red, o.green, o.blue};
    float3 light = unit(minus(lamp, point)),
           facing = dot(view, normal) < 0 ? times(normal, -1.0f) : normal;
    float3 result = times(colour, 0.05f);
    float cosine = dot(facing, light);
    if (cosine > 0.0f && !is_in_shadow(point, light, lamp)) {
        float3 half = unit(plus(light, view));
        float shine = 0.8f * power50(fmaxf(0.0f, fminf(1.0f, dot(facing, half))));
        result = plus(result, times(colour, 0.3f * fminf(1.0f, cosine)));
        result = plus(result, {shine, shine, shine});
    }
    return result;
}

HD_DEVICE unsigned level(float v)
{
    return (unsigned)(__saturatef(v) * 255.0f);
}

extern "C" __global__ void render(unsigned *image, unsigned width, unsigned height, float distance)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 stack[BOUNCES];
    const float pixel = 2.0f / (float)min(width, height);
    const float4 forward = camera[0], up = camera[1], right = camera[2];
    float3 from = {forward.w, up.w, right.w};
    float3 to = times({forward.x, forward.y, forward.z}, distance);
    to = plus(to, times({right.x, right.y, right.z}, ((float)x - 0.5f * (float)width) * pixel));
    to = unit(plus(to, times({up.x, up.y, up.z}, ((float)y - 0.5f * (float)height) * pixel)));

    int bounces = 0;
    for (; bounces < BOUNCES; bounces++) {
        float nearest = FAR;
        int seen = -1;
        for (int i = 0; i < OBJECTS; i++) {
            float t = hit(objects[i], from, to);
            if (t > 0.0f && t < nearest) {
                nearest = t;
                seen = i;
            }
        }
        if (seen < 0)
            break;
        const object o = objects[seen];
        float3 point = plus(from, times(to, nearest)), view = unit(minus(from, point));
        float3 normal = {0.0f, 1.0f, 0.0f};
        if (!o.is_plane)
            normal = unit(minus(point, {o.x, o.y, o.z}));
        float3 c = shade(o, point, normal, view);
        stack[bounces] = {c.x, c.y, c.z, 1.0f};
        to = unit(minus(times(normal, 2.0f * dot(normal, view)), view));
        from = plus(point, times(to, 0.0001f));
    }
    float4 sum = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int i = bounces - 1; i >= 0; i--) {
        float4 c = stack[i];
        sum = i == bounces - 1 ? c
                               : float4{fmaf(0.8f, sum.x, c.x), fmaf(0.8f, sum.y, c.y),
                                        fmaf(0.8f, sum.z, c.z), 1.0f};
    }
    image[y * width + x] = 0xff000000u | level(sum.z) << 16 | level(sum.y) << 8 | level(sum.x);
}
