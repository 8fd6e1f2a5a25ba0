/* tex.c - texture fetches: each lane's texels (dev/sample.h), filtered.
 *
 * The stream gets one address set per texel of the filter's footprint; texels outside the texture
 * are not fetched.  Level of detail is accepted and has no effect, as there are no mipmaps. */
#include <stdio.h>

#include "base/half.h"
#include "dev/sample.h"
#include "simt/lanes/mem.h"

/* insn.mod */
enum {
    TEX_SHAPE = 3, /* enum sample_shape */
    TEX_LAYERED = 4,
    TEX_INTEGER = 8,
    TEX_GATHER = 16,
    TEX_COMPONENT_AT = 5, /* two bits */
    TEX_COORDS_AT = 8,    /* how many registers they take, at least */
    TEX_RESULTS = 4,
};

struct fetch { /* of a whole warp */
    uint64_t addr[SAMPLE_MAX][WARP_LANES];
    uint32_t mask[SAMPLE_MAX];
    uint32_t result[TEX_RESULTS][WARP_LANES];
};

static struct sample_point point_of(const struct warp *w, const struct insn *i, uint32_t lane)
{
    const uint16_t *coord = i->list + TEX_RESULTS;
    struct sample_point p = {.shape = (enum sample_shape)(i->mod & TEX_SHAPE),
                             .is_layered = i->mod & TEX_LAYERED,
                             .is_integer = i->mod & TEX_INTEGER};
    if (p.is_layered)
        p.layer = ((const lane_u32 *)UNIT(w, *coord++))[lane];
    int n = p.shape == SAMPLE_CUBE ? 3 : (int)p.shape + 1;
    for (int k = 0; k < n; k++) {
        uint32_t bits = ((const lane_u32 *)UNIT(w, coord[k]))[lane];
        p.f[k] = half_from_bits32(bits);
        p.s[k] = (int32_t)bits;
    }
    return p;
}

/* False after a fault. */
static bool check_texel(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address,
                        uint64_t bytes)
{
    struct range_cache *known = &w->grid->cache[i->id];
    if (address >= known->lo && address < known->hi && bytes <= known->hi - address)
        return true;
    struct devmem_range found;
    if (devmem_find(w->grid->mem, address, &found) && bytes <= found.hi - address) {
        *known = (struct range_cache){found.lo, found.hi};
        return true;
    }
    char why[160];
    devmem_explain(w->grid->mem, address, bytes, why, sizeof why);
    exec_fault(w, i, lane, "texture fetch of %u bytes at 0x%llx: %s", (unsigned)bytes,
               (unsigned long long)address, why);
    return false;
}

/* Weighted sum of the texels; one texel is taken as it is. */
static void filter(const struct sample_texels *s, uint32_t texel[SAMPLE_MAX][4],
                   uint32_t out[TEX_RESULTS])
{
    for (int c = 0; c < TEX_RESULTS; c++) {
        if (s->n == 1) {
            out[c] = texel[0][c];
            continue;
        }
        float sum = 0.0f;
        for (uint32_t k = 0; k < s->n; k++)
            if (s->weight[k] != 0.0f)
                sum += s->weight[k] * half_from_bits32(texel[k][c]);
        uint32_t bits = half_bits32(sum);
        out[c] = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
    }
}

/* One component of the four texels, counter-clockwise from the lower left. */
static void gather(const struct insn *i, uint32_t texel[SAMPLE_MAX][4], uint32_t out[TEX_RESULTS])
{
    static const uint8_t order[TEX_RESULTS] = {2, 3, 1, 0};
    for (int c = 0; c < TEX_RESULTS; c++)
        out[c] = texel[order[c]][i->mod >> TEX_COMPONENT_AT & 3];
}

static bool fetch_lane(struct warp *w, const struct insn *i, uint32_t lane, const struct texture *t,
                       struct fetch *f)
{
    struct sample_point p = point_of(w, i, lane);
    struct sample_texels s;
    uint32_t texel[SAMPLE_MAX][4] = {{0}}, out[TEX_RESULTS];
    sample_footprint(t, &p, i->mod & TEX_GATHER, &s);
    for (uint32_t k = 0; k < s.n; k++) {
        if (s.address[k] && !check_texel(w, i, lane, s.address[k], t->channels * t->bits / 8u))
            return false;
        sample_decode(t, s.address[k] ? w->grid->host + s.address[k] : NULL, texel[k]);
        f->addr[k][lane] = s.address[k];
        f->mask[k] |= (uint32_t)(s.address[k] != 0) << lane;
    }
    if (i->mod & TEX_GATHER)
        gather(i, texel, out);
    else
        filter(&s, texel, out);
    for (int c = 0; c < TEX_RESULTS; c++)
        f->result[c][lane] = out[c];
    return true;
}

static void put_sets(struct warp *w, const struct fetch *f)
{
    uint32_t nsets = 0;
    for (int k = 0; k < SAMPLE_MAX; k++)
        nsets += f->mask[k] != 0;
    stream_writer_sets(w->out, nsets);
    for (int k = 0; k < SAMPLE_MAX; k++)
        if (f->mask[k]) {
            stream_writer_set(w->out, STREAM_TEX, w->active, f->mask[k]);
            stream_writer_lanes(w->out, STREAM_TEX, f->mask[k], f->addr[k]);
        }
}

static void tex(struct warp *w, const struct insn *i)
{
    struct fetch f;
    memset(f.mask, 0, sizeof f.mask);
    uint32_t coords = i->mod >> TEX_COORDS_AT & 7;
    const lane_u64 *handle = UNIT(w, i->src[0]);
    const struct texture *t = NULL;
    uint64_t known = 0;
    if (i->nextra < TEX_RESULTS + coords) {
        exec_fault(w, i, (uint32_t)__builtin_ctz(w->exec),
                   "this texture fetch needs %u coordinates", coords);
        return;
    }
    FOR_BITS(l, w->exec)
    {
        if (!t || handle[l] != known) {
            known = handle[l];
            t = texture_table_get(w->grid->textures, known);
        }
        if (!t) {
            exec_fault(w, i, l, "0x%llx is not a texture", (unsigned long long)known);
            return;
        }
        if (!fetch_lane(w, i, l, t, &f))
            return;
    }
    if (w->out)
        put_sets(w, &f);
    for (int c = 0; c < TEX_RESULTS; c++)
        if (i->list[c] != NO_OPERAND) {
            lane_u32 *dst = UNIT(w, i->list[c]);
            FOR_BITS(l, w->exec)
            dst[l] = f.result[c][l];
        }
}

/* --- txq ------------------------------------------------------------------------------------ */

enum txq_query { TXQ_WIDTH, TXQ_HEIGHT, TXQ_DEPTH, TXQ_ARRAY_SIZE, TXQ_NORMALIZED, TXQ_COUNT };

static uint32_t query(const struct texture *t, enum txq_query q)
{
    switch (q) {
    case TXQ_WIDTH:
        return t->width;
    case TXQ_HEIGHT:
        return t->height;
    case TXQ_DEPTH:
        return t->depth;
    case TXQ_ARRAY_SIZE:
        return t->layers;
    default:
        return t->is_normalized_coords;
    }
}

static void txq(struct warp *w, const struct insn *i)
{
    const lane_u64 *handle = i->src[0] == NO_OPERAND ? NULL : UNIT(w, i->src[0]);
    uint32_t result[WARP_LANES] = {0};
    FOR_BITS(l, w->exec)
    {
        uint64_t h = (handle ? handle[l] : 0) + i->imm;
        const struct texture *t = texture_table_get(w->grid->textures, h);
        if (!t) {
            exec_fault(w, i, l, "0x%llx is not a texture", (unsigned long long)h);
            return;
        }
        result[l] = query(t, (enum txq_query)(i->mod & 15));
    }
    if (i->dst != NO_OPERAND)
        MAP(w, u32, i->dst, result[l]);
}

/* --- finding -------------------------------------------------------------------------------- */

static bool refuse(const struct opcode *o, const char *why, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: \"%s\" is not supported (%s)", o->where, o->text, why);
}

struct geometry {
    const char *name;
    uint32_t mod;
    uint32_t coords;
};

static const struct geometry *find_geometry(const char *name)
{
    static const struct geometry all[] = {
        {"1d", SAMPLE_1D, 1},
        {"2d", SAMPLE_2D, 2},
        {"3d", SAMPLE_3D, 3},
        {"a1d", SAMPLE_1D | TEX_LAYERED, 2},
        {"a2d", SAMPLE_2D | TEX_LAYERED, 3},
        {"cube", SAMPLE_CUBE, 3},
        {"acube", SAMPLE_CUBE | TEX_LAYERED, 4},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (strcmp(all[k].name, name) == 0)
            return &all[k];
    return NULL;
}

static bool find_query(const struct opcode *o, struct op_desc *d, struct err *e)
{
    static const char *const name[TXQ_COUNT] = {"width", "height", "depth", "array_size",
                                                "normalized_coords"};
    for (uint32_t k = 0; k < TXQ_COUNT && o->nparts == 3; k++)
        if (strcmp(o->part[1], name[k]) == 0 && strcmp(o->part[2], "b32") == 0) {
            *d = (struct op_desc){.fn = txq,
                                  .mod = k,
                                  .operands = "WA",
                                  .unit = UNIT_INT,
                                  .opclass = OPCLASS_SIMPLE,
                                  .vec = 1,
                                  .ptx_space = SPACE_GENERIC};
            return true;
        }
    return refuse(o, "texture queries are width, height, depth, array_size and normalized_coords",
                  e);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* tex{.base|.level}.geometry.v4.type.coordinates, tld4.component.geometry.v4.type.f32 */
bool LANE(tex_find)(const struct opcode *o, struct op_desc *d, struct err *e)
{
    if (strcmp(o->part[0], "txq") == 0)
        return find_query(o, d, e);
    bool is_gather = strcmp(o->part[0], "tld4") == 0;
    int at = 1;
    bool has_level = false;
    uint32_t component = 0;
    if (is_gather) {
        component =
            o->nparts > 1 && strlen(o->part[1]) == 1 ? (uint32_t)strcspn("rgba", o->part[1]) : 4;
        if (component >= 4)
            return refuse(o, "tld4 wants one of .r .g .b .a", e);
        at = 2;
    } else if (o->nparts > 1 && is_one_of(o->part[1], "base", "level", "level")) {
        has_level = strcmp(o->part[1], "level") == 0;
        at = 2;
    } else if (o->nparts > 1 && strcmp(o->part[1], "grad") == 0) {
        return refuse(o, "texture fetches with gradients", e);
    }
    const struct geometry *g = o->nparts == at + 4 ? find_geometry(o->part[at]) : NULL;
    if (!g || strcmp(o->part[at + 1], "v4") != 0 ||
        !is_one_of(o->part[at + 2], "f32", "s32", "u32") ||
        !is_one_of(o->part[at + 3], "f32", "s32", "s32"))
        return refuse(o, "texture fetches are .v4, of f32, s32 or u32", e);
    bool is_integer = strcmp(o->part[at + 3], "s32") == 0;
    bool is_cube = (g->mod & TEX_SHAPE) == SAMPLE_CUBE;
    if ((is_integer && (is_cube || is_gather)) ||
        (is_gather && (g->mod & TEX_SHAPE) != SAMPLE_2D && !is_cube))
        return refuse(o, "no such texture fetch", e);
    *d = (struct op_desc){.fn = tex,
                          .mod = g->mod | (is_integer ? TEX_INTEGER : 0) |
                                 (is_gather ? TEX_GATHER : 0) | component << TEX_COMPONENT_AT |
                                 g->coords << TEX_COORDS_AT,
                          .operands = has_level ? "VTw" : "VT",
                          .unit = UNIT_MEM,
                          .opclass = OPCLASS_TEX,
                          .vec = 4,
                          .elem = 'w',
                          .flags = INSN_LOAD | INSN_MEM | INSN_MULTI,
                          .space = STREAM_TEX,
                          .size = 4};
    return true;
}
