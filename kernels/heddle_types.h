/* heddle_types.h - the types of CUDA C: integers of given widths, vectors, dim3 (heddle_cuda.h). */
#ifndef HEDDLE_TYPES_H
#define HEDDLE_TYPES_H

typedef decltype(sizeof 0) size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

/* Vectors of two and four are aligned to their size (at most 16 bytes), of three to an element. */
#define HD_VECTOR2(name, type, bytes)                                                              \
    struct __attribute__((aligned(bytes))) name {                                                  \
        type x, y;                                                                                 \
    };                                                                                             \
    HD_DEVICE name make_##name(type x, type y)                                                     \
    {                                                                                              \
        return {x, y};                                                                             \
    }
#define HD_VECTOR3(name, type)                                                                     \
    struct name {                                                                                  \
        type x, y, z;                                                                              \
    };                                                                                             \
    HD_DEVICE name make_##name(type x, type y, type z)                                             \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }
#define HD_VECTOR4(name, type, bytes)                                                              \
    struct __attribute__((aligned(bytes))) name {                                                  \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    HD_DEVICE name make_##name(type x, type y, type z, type w)                                     \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

HD_VECTOR2(char2, signed char, 2)
HD_VECTOR3(char3, signed char)
HD_VECTOR4(char4, signed char, 4)
HD_VECTOR2(uchar2, unsigned char, 2)
HD_VECTOR3(uchar3, unsigned char)
HD_VECTOR4(uchar4, unsigned char, 4)
HD_VECTOR2(short2, short, 4)
HD_VECTOR3(short3, short)
HD_VECTOR4(short4, short, 8)
HD_VECTOR2(ushort2, unsigned short, 4)
HD_VECTOR3(ushort3, unsigned short)
HD_VECTOR4(ushort4, unsigned short, 8)
HD_VECTOR2(int2, int, 8)
HD_VECTOR3(int3, int)
HD_VECTOR4(int4, int, 16)
HD_VECTOR2(uint2, unsigned, 8)
HD_VECTOR3(uint3, unsigned)
HD_VECTOR4(uint4, unsigned, 16)
HD_VECTOR2(long2, long, 16)
HD_VECTOR2(ulong2, unsigned long, 16)
HD_VECTOR2(longlong2, long long, 16)
HD_VECTOR2(ulonglong2, unsigned long long, 16)
HD_VECTOR2(float2, float, 8)
HD_VECTOR3(float3, float)
HD_VECTOR4(float4, float, 16)
HD_VECTOR2(double2, double, 16)
#undef HD_VECTOR2
#undef HD_VECTOR3
#undef HD_VECTOR4

struct dim3 {
    unsigned x, y, z;
    __attribute__((device)) constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z)
    {
    }
};

#endif
