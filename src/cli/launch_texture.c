/* launch_texture.c - the textures of a launch file: a buffer and how it is looked at. */
#include <string.h>

#include "base/str.h"
#include "cli/launch_file.h"

static bool read_size(const struct tree *t, const char *key, uint32_t otherwise, uint32_t *v,
                      struct err *e)
{
    const struct tree *c = tree_get(t, key);
    int64_t n = otherwise;
    if (c && (!c->text || !str_to_int(c->text, &n) || n < 0 || n > INT32_MAX))
        return tree_refuse(c, e, "expected a number from 0 to %d", INT32_MAX);
    *v = (uint32_t)n;
    return true;
}

static bool read_flag(const struct tree *t, const char *key, bool *v, struct err *e)
{
    const struct tree *c = tree_get(t, key);
    *v = false;
    return !c || (c->text && str_to_bool(c->text, v)) ||
           tree_refuse(c, e, "expected true or false");
}

static bool read_word(const struct tree *t, const char *const *words, int n, const char *all,
                      int *index, struct err *e)
{
    for (*index = 0; *index < n; ++*index)
        if (t->text && strcmp(t->text, words[*index]) == 0)
            return true;
    return tree_refuse(t, e, "expected %s", all);
}

/* One mode for all dimensions, or a list with one for each. */
static bool read_addressing(const struct tree *t, struct hd_texture_desc *d, struct err *e)
{
    static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
    const struct tree *c = tree_get(t, "addressing");
    int mode = HD_CLAMP;
    if (c && c->kind == TREE_LIST && c->n > 3)
        return tree_refuse(c, e, "expected at most three modes");
    bool is_list = c && c->kind == TREE_LIST;
    const struct tree *each = is_list ? c->first : c;
    for (int i = 0; i < 3; i++) {
        if (each && !read_word(each, modes, 4, "wrap, clamp, mirror or border", &mode, e))
            return false;
        d->addressing[i] = (enum hd_address_mode)mode;
        each = is_list && each ? each->next : NULL;
    }
    return true;
}

static bool read_filter(const struct tree *t, struct hd_texture_desc *d, struct err *e)
{
    static const char *const filters[] = {"point", "linear"};
    const struct tree *c = tree_get(t, "filter");
    int filter = HD_POINT;
    if (c && !read_word(c, filters, 2, "point or linear", &filter, e))
        return false;
    d->filter = (enum hd_filter_mode)filter;
    return true;
}

bool launch_texture_read(const struct tree *t, const struct launch_buffer *b,
                         struct launch_texture *x, struct err *e)
{
    struct hd_texture_desc *d = &x->desc;
    uint32_t pitch = 0;
    const struct value_type *type = b->values.type;
    if (!tree_knows(t,
                    "buffer|width|height|depth|layers|pitch|channels|addressing|filter|"
                    "normalized_coords|normalized_float|linear_memory",
                    e) ||
        !read_size(t, "channels", 1, &d->channels, e))
        return false;
    if (type->bytes > 4 || (d->channels != 1 && d->channels != 2 && d->channels != 4))
        return tree_refuse(t, e, "expected 1, 2 or 4 channels of at most 32 bits");
    uint64_t texels = b->count / d->channels;
    d->bits = 8 * type->bytes;
    d->kind = type->class == VALUE_FLOAT    ? HD_FLOAT
              : type->class == VALUE_SIGNED ? HD_SIGNED
                                            : HD_UNSIGNED;
    if (!read_size(t, "width", texels > INT32_MAX ? INT32_MAX : (uint32_t)texels, &d->width, e) ||
        !read_size(t, "height", 0, &d->height, e) || !read_size(t, "depth", 0, &d->depth, e) ||
        !read_size(t, "layers", 0, &d->layers, e) || !read_size(t, "pitch", 0, &pitch, e) ||
        !read_flag(t, "normalized_coords", &d->normalized_coords, e) ||
        !read_flag(t, "normalized_float", &d->normalized_float, e) ||
        !read_flag(t, "linear_memory", &d->is_linear_memory, e) || !read_filter(t, d, e) ||
        !read_addressing(t, d, e))
        return false;
    d->pitch_bytes = pitch;
    uint64_t row = pitch ? pitch : (uint64_t)d->width * d->channels * type->bytes;
    uint64_t rows = (uint64_t)(d->height ? d->height : 1) * (d->depth ? d->depth : 1);
    rows = rows > UINT32_MAX ? UINT64_MAX : rows * (d->layers ? d->layers : 1);
    uint64_t bytes = b->count * type->bytes;
    return (d->width && row && rows <= bytes / row) ||
           tree_refuse(t, e, "the texture is larger than buffer %s", b->at->key);
}
