/* heddle_texture.h - fetches from texture objects (heddle_cuda.h): tex1Dfetch<float4>(t, i) and so on.
 *
 * Channels of 8 and 16 bits arrive as 32-bit integers, or as floats in [0, 1] or [-1, 1] where the
 * texture says so; missing ones are 0. */
#ifndef HEDDLE_TEXTURE_H
#define HEDDLE_TEXTURE_H

typedef unsigned long long cudaTextureObject_t;

/* The instructions, by what they deliver. */
template <class channel> struct hd_fetch;
#define HD_FETCH(channel, form, letter)                                                            \
    template <> struct hd_fetch<channel> {                                                         \
        channel x, y, z, w;                                                                        \
        __device__ __forceinline__ void linear(cudaTextureObject_t t, int i)                       \
        {                                                                                          \
            asm("tex.1d.v4." form ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                             \
                : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                       \
                : "l"(t), "r"(i));                                                                 \
        }                                                                                          \
        __device__ __forceinline__ void at(cudaTextureObject_t t, float u)                         \
        {                                                                                          \
            asm("tex.1d.v4." form ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                             \
                : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                       \
                : "l"(t), "f"(u));                                                                 \
        }                                                                                          \
        __device__ __forceinline__ void at(cudaTextureObject_t t, float u, float v)                \
        {                                                                                          \
            asm("tex.2d.v4." form ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                         \
                : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                       \
                : "l"(t), "f"(u), "f"(v));                                                         \
        }                                                                                          \
        __device__ __forceinline__ void at(cudaTextureObject_t t, float u, float v, float s)       \
        {                                                                                          \
            asm("tex.3d.v4." form ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                 \
                : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                       \
                : "l"(t), "f"(u), "f"(v), "f"(s));                                                 \
        }                                                                                          \
    };
HD_FETCH(float, "f32", "f")
HD_FETCH(int, "s32", "r")
HD_FETCH(unsigned, "u32", "r")
#undef HD_FETCH

/* How a texel is made of its channels. */
template <class texel> struct hd_texel;
#define HD_TEXEL1(texel, channel)                                                                  \
    template <> struct hd_texel<texel> {                                                           \
        typedef hd_fetch<channel> fetch;                                                           \
        static __device__ __forceinline__ texel of(const fetch &f)                                 \
        {                                                                                          \
            return (texel)f.x;                                                                     \
        }                                                                                          \
    };
#define HD_TEXEL2(texel, channel, element)                                                         \
    template <> struct hd_texel<texel> {                                                           \
        typedef hd_fetch<channel> fetch;                                                           \
        static __device__ __forceinline__ texel of(const fetch &f)                                 \
        {                                                                                          \
            return {(element)f.x, (element)f.y};                                                   \
        }                                                                                          \
    };
#define HD_TEXEL4(texel, channel, element)                                                         \
    template <> struct hd_texel<texel> {                                                           \
        typedef hd_fetch<channel> fetch;                                                           \
        static __device__ __forceinline__ texel of(const fetch &f)                                 \
        {                                                                                          \
            return {(element)f.x, (element)f.y, (element)f.z, (element)f.w};                       \
        }                                                                                          \
    };
#define HD_TEXELS(one, two, four, channel)                                                         \
    HD_TEXEL1(one, channel)                                                                        \
    HD_TEXEL2(two, channel, one)                                                                   \
    HD_TEXEL4(four, channel, one)
HD_TEXELS(float, float2, float4, float)
HD_TEXELS(int, int2, int4, int)
HD_TEXELS(unsigned, uint2, uint4, unsigned)
HD_TEXELS(short, short2, short4, int)
HD_TEXELS(unsigned short, ushort2, ushort4, unsigned)
HD_TEXELS(signed char, char2, char4, int)
HD_TEXELS(unsigned char, uchar2, uchar4, unsigned)
#undef HD_TEXELS
#undef HD_TEXEL1
#undef HD_TEXEL2
#undef HD_TEXEL4

template <class texel> HD_DEVICE texel tex1Dfetch(cudaTextureObject_t t, int i)
{
    typename hd_texel<texel>::fetch f;
    f.linear(t, i);
    return hd_texel<texel>::of(f);
}
template <class texel> HD_DEVICE texel tex1D(cudaTextureObject_t t, float u)
{
    typename hd_texel<texel>::fetch f;
    f.at(t, u);
    return hd_texel<texel>::of(f);
}
template <class texel> HD_DEVICE texel tex2D(cudaTextureObject_t t, float u, float v)
{
    typename hd_texel<texel>::fetch f;
    f.at(t, u, v);
    return hd_texel<texel>::of(f);
}
template <class texel> HD_DEVICE texel tex3D(cudaTextureObject_t t, float u, float v, float s)
{
    typename hd_texel<texel>::fetch f;
    f.at(t, u, v, s);
    return hd_texel<texel>::of(f);
}

#endif
