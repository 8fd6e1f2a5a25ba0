/* texture.c - the table of texture objects.
 *
 * A handle carries a mark, the slot's generation and the slot, so that a stale or invented handle
 * is noticed. */
#include "dev/texture.h"

#include <string.h>

#define MARK ((uint64_t)0x7e << 56)
#define SLOT_BITS 24

struct slot {
    struct texture texture;
    uint32_t generation;
    uint32_t next_free; /* slot + 1 */
    bool is_live;
};

struct texture_table {
    struct arena *arena;
    struct slot *slot;
    uint32_t n, size;
    uint32_t first_free; /* slot + 1; 0: none */
};

struct texture_table *texture_table_new(void)
{
    struct arena *a = arena_new();
    struct texture_table *t = ARENA_NEW(a, struct texture_table);
    t->arena = a;
    return t;
}

void texture_table_free(struct texture_table *t)
{
    if (t)
        arena_free(t->arena);
}

static bool has_sensible_texels(const struct texture *t, struct err *e)
{
    if (t->channels != 1 && t->channels != 2 && t->channels != 4)
        return err_set(e, STATUS_BAD_INPUT, "texture of %u channels: 1, 2 or 4 are possible",
                       t->channels);
    if (t->bits != 8 && t->bits != 16 && t->bits != 32)
        return err_set(e, STATUS_BAD_INPUT,
                       "texture of %u bits per channel: 8, 16 or 32 are "
                       "possible",
                       t->bits);
    if (t->format > TEX_FLOAT || t->filter > TEX_LINEAR || t->addressing[0] > TEX_BORDER ||
        t->addressing[1] > TEX_BORDER || t->addressing[2] > TEX_BORDER)
        return err_set(e, STATUS_BAD_INPUT, "texture of an unknown format, filter or addressing");
    if (t->format == TEX_FLOAT && t->bits == 8)
        return err_set(e, STATUS_BAD_INPUT, "texture of 8-bit floats");
    if (t->reads_normalized_float && (t->format == TEX_FLOAT || t->bits == 32))
        return err_set(e, STATUS_BAD_INPUT,
                       "texture read as normalised floats needs integers of 8 or 16 bits");
    if (t->filter == TEX_LINEAR && t->format != TEX_FLOAT && !t->reads_normalized_float)
        return err_set(e, STATUS_BAD_INPUT, "linear filtering of a texture that returns integers");
    return true;
}

static bool has_sensible_shape(const struct texture *t, struct err *e)
{
    uint32_t texel = (uint32_t)t->channels * t->bits / 8;
    if (t->width == 0 || t->width > 1u << 30 || t->height > 1u << 20 || t->depth > 1u << 16 ||
        t->layers > 1u << 16)
        return err_set(e, STATUS_BAD_INPUT, "texture of %u x %u x %u texels and %u layers",
                       t->width, t->height, t->depth, t->layers);
    if (t->depth && (!t->height || t->layers))
        return err_set(e, STATUS_BAD_INPUT, "texture with depth %s",
                       t->layers ? "and layers" : "but no height");
    if (t->address % texel || t->pitch_bytes % texel)
        return err_set(e, STATUS_BAD_INPUT,
                       "texture at 0x%llx with a pitch of %llu bytes: texels of %u bytes are not "
                       "aligned",
                       (unsigned long long)t->address, (unsigned long long)t->pitch_bytes, texel);
    if (t->pitch_bytes && t->pitch_bytes < (uint64_t)t->width * texel)
        return err_set(e, STATUS_BAD_INPUT, "texture pitch of %llu bytes is less than a row",
                       (unsigned long long)t->pitch_bytes);
    if (t->pitch_bytes > (uint64_t)1 << 40)
        return err_set(e, STATUS_BAD_INPUT, "texture pitch of %llu bytes",
                       (unsigned long long)t->pitch_bytes);
    if (t->is_linear_memory && (t->height || t->depth || t->layers))
        return err_set(e, STATUS_BAD_INPUT, "texture in linear memory must have one dimension");
    return true;
}

static uint32_t take_slot(struct texture_table *t)
{
    if (t->first_free) {
        uint32_t s = t->first_free - 1;
        t->first_free = t->slot[s].next_free;
        return s;
    }
    if (t->n == t->size) {
        uint32_t size = t->size ? 2 * t->size : 16;
        struct slot *grown = ARENA_ARRAY(t->arena, struct slot, size);
        if (t->n)
            memcpy(grown, t->slot, t->n * sizeof *grown);
        t->slot = grown;
        t->size = size;
    }
    return t->n++;
}

uint64_t texture_table_add(struct texture_table *t, const struct texture *tex, struct err *e)
{
    if (!has_sensible_texels(tex, e) || !has_sensible_shape(tex, e))
        return 0;
    if (!t->first_free && t->n == 1u << SLOT_BITS) {
        err_set(e, STATUS_BUDGET, "more than %u textures", 1u << SLOT_BITS);
        return 0;
    }
    uint32_t at = take_slot(t);
    struct slot *s = &t->slot[at];
    s->texture = *tex;
    if (!s->texture.pitch_bytes)
        s->texture.pitch_bytes = (uint64_t)tex->width * tex->channels * tex->bits / 8;
    s->is_live = true;
    return MARK | (uint64_t)s->generation << SLOT_BITS | at;
}

static struct slot *find_slot(const struct texture_table *t, uint64_t handle)
{
    uint32_t at = (uint32_t)(handle & ((1u << SLOT_BITS) - 1));
    if (!t || at >= t->n || !t->slot[at].is_live)
        return NULL;
    struct slot *s = &t->slot[at];
    return handle == (MARK | (uint64_t)s->generation << SLOT_BITS | at) ? s : NULL;
}

bool texture_table_remove(struct texture_table *t, uint64_t handle, struct err *e)
{
    struct slot *s = find_slot(t, handle);
    if (!s)
        return err_set(e, STATUS_BAD_INPUT, "0x%llx is not a texture", (unsigned long long)handle);
    s->is_live = false;
    s->generation++;
    s->next_free = t->first_free;
    t->first_free = (uint32_t)(s - t->slot) + 1;
    return true;
}

const struct texture *texture_table_get(const struct texture_table *t, uint64_t handle)
{
    const struct slot *s = find_slot(t, handle);
    return s ? &s->texture : NULL;
}
