/* sample.c - coordinates to texels.
 *
 * Each dimension gives one or two texel indices with weights; their products are the footprint.
 * Wrapping and mirroring first take the coordinate into its period, so that large coordinates lose
 * no more precision than they have, and then fold the indices, so that a filter reaching over the
 * edge finds the right neighbour.  There are no mipmaps, and a cube face is filtered by itself. */
#include "dev/sample.h"

#include <math.h>
#include <string.h>

#include "base/half.h"

#define OUTSIDE INT64_MIN

struct axis {
    uint32_t n;
    int64_t index[2]; /* OUTSIDE: no texel */
    float weight[2];
};

static uint8_t effective_mode(const struct texture *t, int axis, bool is_normalized)
{
    uint8_t mode = t->addressing[axis];
    return is_normalized || mode == TEX_BORDER ? mode : TEX_CLAMP;
}

static int64_t fold(int64_t index, int64_t size, uint8_t mode)
{
    if (index >= 0 && index < size)
        return index;
    switch (mode) {
    case TEX_WRAP:
        return (index % size + size) % size;
    case TEX_MIRROR: {
        int64_t at = (index % (2 * size) + 2 * size) % (2 * size);
        return at < size ? at : 2 * size - 1 - at;
    }
    case TEX_BORDER:
        return OUTSIDE;
    default:
        return index < 0 ? 0 : size - 1;
    }
}

/* In texels, and within a range in which it can be made an integer. */
static float to_texels(float x, int64_t size, uint8_t mode, bool is_normalized)
{
    if (is_normalized) {
        if (mode == TEX_WRAP)
            x -= floorf(x);
        else if (mode == TEX_MIRROR)
            x -= 2.0f * floorf(x * 0.5f);
        x *= (float)size;
    }
    if (!(x > -0x1p31f)) /* NaN as well */
        return -0x1p31f;
    return x < 0x1p31f ? x : 0x1p31f;
}

static struct axis axis_of_float(const struct texture *t, int axis, int64_t size, float x,
                                 bool is_normalized, bool is_linear)
{
    uint8_t mode = effective_mode(t, axis, is_normalized);
    float at = to_texels(x, size, mode, is_normalized);
    if (!is_linear) {
        int64_t index = (int64_t)floorf(at);
        return (struct axis){1, {fold(index, size, mode), OUTSIDE}, {1.0f, 0.0f}};
    }
    float left = floorf(at - 0.5f);
    float alpha = floorf((at - 0.5f - left) * 256.0f + 0.5f) / 256.0f; /* 1.8 fixed point */
    int64_t index = (int64_t)left;
    return (struct axis){
        2, {fold(index, size, mode), fold(index + 1, size, mode)}, {1.0f - alpha, alpha}};
}

static struct axis axis_of_int(const struct texture *t, int axis, int64_t size, int32_t x)
{
    uint8_t mode = t->is_linear_memory ? TEX_BORDER : effective_mode(t, axis, false);
    return (struct axis){1, {fold(x, size, mode), OUTSIDE}, {1.0f, 0.0f}};
}

/* The face that the direction meets, and where on it, as normalised coordinates. */
static uint32_t cube_face(const float direction[3], float on_face[2])
{
    float x = direction[0], y = direction[1], z = direction[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float m, s, t;
    uint32_t face;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        m = ax, s = x >= 0 ? -z : z, t = -y;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        m = ay, s = x, t = y >= 0 ? z : -z;
    } else {
        face = z >= 0 ? 4 : 5;
        m = az, s = z >= 0 ? x : -x, t = -y;
    }
    on_face[0] = m > 0 ? (s / m + 1.0f) * 0.5f : 0.5f;
    on_face[1] = m > 0 ? (t / m + 1.0f) * 0.5f : 0.5f;
    return face;
}

static uint64_t layer_of(const struct texture *t, const struct sample_point *p)
{
    if (!p->is_layered)
        return 0;
    uint32_t faces = p->shape == SAMPLE_CUBE ? 6 : 1;
    uint32_t layers = t->layers / faces;
    if (layers == 0)
        return 0;
    return p->layer < layers ? p->layer : layers - 1;
}

static void cross(const struct texture *t, const struct axis axis[3], uint64_t first_slice,
                  struct sample_texels *out)
{
    uint64_t texel = (uint64_t)t->channels * t->bits / 8;
    uint64_t rows = t->height ? t->height : 1;
    out->n = 0;
    for (uint32_t z = 0; z < axis[2].n; z++)
        for (uint32_t y = 0; y < axis[1].n; y++)
            for (uint32_t x = 0; x < axis[0].n; x++) {
                int64_t ix = axis[0].index[x], iy = axis[1].index[y], iz = axis[2].index[z];
                bool is_outside = ix == OUTSIDE || iy == OUTSIDE || iz == OUTSIDE;
                uint64_t slice = first_slice + (uint64_t)(is_outside ? 0 : iz);
                uint64_t row = slice * rows + (uint64_t)(is_outside ? 0 : iy);
                uint64_t address = t->address + row * t->pitch_bytes;
                out->address[out->n] = is_outside ? 0 : address + (uint64_t)ix * texel;
                out->weight[out->n] = axis[0].weight[x] * axis[1].weight[y] * axis[2].weight[z];
                out->n++;
            }
}

void sample_footprint(const struct texture *t, const struct sample_point *p, bool gather,
                      struct sample_texels *out)
{
    bool is_cube = p->shape == SAMPLE_CUBE;
    bool is_linear = gather || t->filter == TEX_LINEAR;
    bool is_normalized = t->is_normalized_coords || is_cube;
    int64_t size[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    int dimensions = is_cube ? 2 : (int)p->shape + 1;
    struct axis axis[3];
    float at[3] = {p->f[0], p->f[1], p->f[2]};
    uint64_t slice = layer_of(t, p);
    if (is_cube)
        slice = slice * 6 + cube_face(p->f, at);
    if (slice && slice >= t->layers)
        slice = t->layers ? t->layers - 1 : 0;
    for (int k = 0; k < 3; k++) {
        if (k >= dimensions)
            axis[k] = (struct axis){1, {0, OUTSIDE}, {1.0f, 0.0f}};
        else if (p->is_integer)
            axis[k] = axis_of_int(t, k, size[k], p->s[k]);
        else
            axis[k] = axis_of_float(t, k, size[k], at[k], is_normalized, is_linear);
    }
    cross(t, axis, slice, out);
}

bool sample_is_float(const struct texture *t)
{
    return t->format == TEX_FLOAT || t->reads_normalized_float;
}

static uint32_t decode_unsigned(const struct texture *t, uint32_t raw)
{
    if (!t->reads_normalized_float)
        return raw;
    return half_bits32((float)raw / (t->bits == 8 ? 255.0f : 65535.0f));
}

static uint32_t decode_signed(const struct texture *t, uint32_t raw)
{
    int32_t value = t->bits == 8    ? (int8_t)(uint8_t)raw
                    : t->bits == 16 ? (int16_t)(uint16_t)raw
                                    : (int32_t)raw;
    if (!t->reads_normalized_float)
        return (uint32_t)value;
    float f = (float)value / (t->bits == 8 ? 127.0f : 32767.0f);
    return half_bits32(f < -1.0f ? -1.0f : f);
}

static uint32_t decode_channel(const struct texture *t, const uint8_t *memory)
{
    uint32_t raw = 0;
    memcpy(&raw, memory, t->bits / 8u); /* devices and hosts are little-endian */
    switch (t->format) {
    case TEX_UNSIGNED:
        return decode_unsigned(t, raw);
    case TEX_SIGNED:
        return decode_signed(t, raw);
    default:
        return t->bits == 16 ? half_bits32(half_to_float((uint16_t)raw)) : raw;
    }
}

static uint32_t border_channel(const struct texture *t, int c)
{
    if (t->is_linear_memory)
        return 0;
    if (sample_is_float(t))
        return half_bits32(t->border[c]);
    float b = t->border[c];
    // cppcheck-suppress incorrectLogicOperator ; cppcheck cannot read hexadecimal floats
    if (!(b > -0x1p31f && b < 0x1p32f))
        return 0;
    return (uint32_t)(int64_t)b;
}

void sample_decode(const struct texture *t, const uint8_t *memory, uint32_t channel[4])
{
    uint32_t one = sample_is_float(t) ? half_bits32(1.0f) : 1;
    for (int c = 0; c < 4; c++) {
        if (c >= t->channels)
            channel[c] = c == 3 ? one : 0;
        else if (memory)
            channel[c] = decode_channel(t, memory + c * (t->bits / 8));
        else
            channel[c] = border_channel(t, c);
    }
}
