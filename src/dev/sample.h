/* sample.h - texture fetches: which texels a coordinate needs, with which weights, and what they
 * hold.  Semantics of the CUDA C Programming Guide, "Texture Fetching". */
#ifndef HEDDLE_DEV_SAMPLE_H
#define HEDDLE_DEV_SAMPLE_H

#include "dev/texture.h"

enum sample_shape { SAMPLE_1D, SAMPLE_2D, SAMPLE_3D, SAMPLE_CUBE };

/* Where a thread looks.  Integer coordinates name texels; they are neither normalised nor
 * filtered. */
struct sample_point {
    enum sample_shape shape;
    bool is_layered, is_integer;
    uint32_t layer;
    float f[3];
    int32_t s[3];
};

enum { SAMPLE_MAX = 8 };

struct sample_texels {
    uint32_t n;                   /* 1, 2, 4 or 8 */
    uint64_t address[SAMPLE_MAX]; /* 0: outside, the border colour (or 0) is taken */
    float weight[SAMPLE_MAX];     /* multiples of 2^-8 per dimension */
};

/* The texels of the texture's filter; with `gather`, the four of bilinear filtering in any case:
 * (i,j) (i+1,j) (i,j+1) (i+1,j+1). */
void sample_footprint(const struct texture *t, const struct sample_point *p, bool gather,
                      struct sample_texels *out);
/* The four channels as they arrive in registers: f32 bits, or integers extended to 32 bits.
 * `memory` points to the texel, or is NULL outside.  Missing channels are 0, 0, 1. */
void sample_decode(const struct texture *t, const uint8_t *memory, uint32_t channel[4]);
/* Whether sample_decode gives f32 bits. */
bool sample_is_float(const struct texture *t);

#endif
