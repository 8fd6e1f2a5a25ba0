/* texture.h - texture objects: what the 64-bit handle of a `tex` instruction names. */
#ifndef HEDDLE_DEV_TEXTURE_H
#define HEDDLE_DEV_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum texture_address { TEX_WRAP, TEX_CLAMP, TEX_MIRROR, TEX_BORDER };
enum texture_filter { TEX_POINT, TEX_LINEAR };
enum texture_format { TEX_UNSIGNED, TEX_SIGNED, TEX_FLOAT };

/* Semantics of the CUDA C Programming Guide, "Texture Fetching". Memory is linear or pitched, row by
 * row (we have no block-linear arrays); layers and cube faces follow one another. */
struct texture {
    uint64_t address;              /* device memory */
    uint32_t width, height, depth; /* in texels; height 0: 1D; depth 0: 1D or 2D */
    uint32_t layers;               /* layered (a1d, a2d) or 6 faces (cube); else 0 */
    uint64_t pitch_bytes;          /* from row to row */
    uint8_t channels, bits;        /* 1, 2 or 4 channels of 8, 16 or 32 bits */
    uint8_t format;                /* enum texture_format; TEX_FLOAT with 16 bits is f16 */
    uint8_t addressing[3];         /* enum texture_address, x y z */
    uint8_t filter;                /* enum texture_filter */
    bool is_normalized_coords, reads_normalized_float; /* integers as [0,1] or [-1,1] floats */
    bool is_linear_memory; /* 1D fetched by integer index (tex.1d.v4.*.s32): out of range is 0 */
    float border[4];
};

struct texture_table;
struct texture_table *texture_table_new(void);
void texture_table_free(struct texture_table *t);
/* The handle, or 0 with *e set when the description makes no sense. */
uint64_t texture_table_add(struct texture_table *t, const struct texture *tex, struct err *e);
bool texture_table_remove(struct texture_table *t, uint64_t handle, struct err *e);
const struct texture *texture_table_get(const struct texture_table *t,
                                        uint64_t handle); /* or NULL */

#endif
