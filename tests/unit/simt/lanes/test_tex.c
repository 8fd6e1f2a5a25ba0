/* Texture fetches by a warp: results, faults, and one address set per texel. */
#include "base/half.h"
#include "check.h"
#include "rig/mem_rig.h"

#define FULL UINT32_MAX

/* A picture of 16 x 8 floats: texel (x, y) holds 100 y + x. */
static uint64_t picture(struct mem_rig *r, enum texture_filter filter, enum texture_address mode,
                        uint64_t *address)
{
    struct err e = {0};
    uint64_t base = mem_rig_alloc(r, 16 * 8 * 4);
    float *host = mem_rig_host(r, base);
    for (int k = 0; k < 128; k++)
        host[k] = (float)(k / 16 * 100 + k % 16);
    struct texture t = {.address = base,
                        .width = 16,
                        .height = 8,
                        .channels = 1,
                        .bits = 32,
                        .format = TEX_FLOAT,
                        .addressing = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
                        .filter = (uint8_t)filter,
                        .border = {-1.0f}};
    uint64_t handle = texture_table_add(r->textures, &t, &e);
    CHECK(handle != 0);
    *address = base;
    return handle;
}

/* Results in registers 2 to 5, coordinates from 6, handle in 1. */
static struct mem_rig_operands operands(uint16_t ncoords)
{
    struct mem_rig_operands o = {.src = {1, NONE, NONE, NONE}, .nlist = (uint16_t)(4 + ncoords)};
    for (uint16_t k = 0; k < 4 + ncoords; k++)
        o.list[k] = (uint16_t)(2 + k);
    return o;
}

static void set_float(struct mem_rig *r, int reg, int lane, float v)
{
    mem_rig_set32(r, reg, lane, half_bits32(v));
}

static float get_float(const struct mem_rig *r, int reg, int lane)
{
    return half_from_bits32(mem_rig_get32(r, reg, lane));
}

static void a_fetch_fills_four_registers_and_notes_its_address(void)
{
    EACH_SET(r, {
        uint64_t base;
        mem_rig_fill64(r, 1, picture(r, TEX_POINT, TEX_CLAMP, &base));
        mem_rig_fill32(r, 2, 0x1234);
        for (int l = 0; l < 32; l++) {
            set_float(r, 6, l, (float)(l % 16) + 0.5f);
            set_float(r, 7, l, (float)(l / 16) + 3.5f);
        }
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL ^ 1);
        CHECK_STR(r->fault, "");
        CHECK_EQ(mem_rig_get32(r, 2, 0), 0x1234);
        for (int l = 1; l < 32; l++) {
            CHECK(get_float(r, 2, l) == (float)((3 + l / 16) * 100 + l % 16));
            CHECK_EQ(mem_rig_get32(r, 3, l), 0);
            CHECK_EQ(mem_rig_get32(r, 4, l), 0);
            CHECK(get_float(r, 5, l) == 1.0f);
        }
        CHECK_EQ(r->op.nsets, 1);
        CHECK_EQ(r->op.access[0].space, STREAM_TEX);
        CHECK_EQ(r->op.access[0].mask, FULL ^ 1);
        CHECK_EQ(r->op.access[0].pattern, PATTERN_STRIDE);
        CHECK_EQ(r->op.access[0].base, base + 3 * 64);
    })
}

static void linear_filtering_interpolates_with_four_address_sets(void)
{
    EACH_SET(r, {
        uint64_t base;
        mem_rig_fill64(r, 1, picture(r, TEX_LINEAR, TEX_CLAMP, &base));
        for (int l = 0; l < 32; l++) {
            set_float(r, 6, l, 2.0f + (float)l / 8.0f);
            set_float(r, 7, l, 3.25f);
        }
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        for (int l = 0; l < 32; l++) /* exact: the picture is linear */
            CHECK(get_float(r, 2, l) == 275.0f + 1.5f + (float)l / 8.0f);
        CHECK_EQ(r->op.nsets, 4);
        static const uint64_t offset[4] = {0, 4, 64, 68};
        for (int k = 0; k < 4; k++) {
            uint64_t addr[WARP_LANES];
            CHECK_EQ(r->op.access[k].mask, FULL);
            stream_access_expand(&r->op.access[k], addr);
            CHECK_EQ(addr[0], base + 2 * 64 + 4 + offset[k]);
            CHECK_EQ(addr[31], base + 2 * 64 + 5 * 4 + offset[k]);
        }
        /* tex.level and tex.base are the same thing without mipmaps */
        struct mem_rig_operands o = operands(2);
        o.src[1] = 8;
        mem_rig_run(r, "tex.level.2d.v4.f32.f32", o, FULL);
        CHECK(get_float(r, 2, 4) == 277.0f);
        CHECK_STR(r->desc.operands, "VTw");
    })
}

static void texels_outside_are_not_fetched(void)
{
    EACH_SET(r, {
        uint64_t base;
        mem_rig_fill64(r, 1, picture(r, TEX_POINT, TEX_BORDER, &base));
        for (int l = 0; l < 32; l++) {
            set_float(r, 6, l, (float)l);
            set_float(r, 7, l, 0.0f);
        }
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK(get_float(r, 2, 15) == 15.0f);
        CHECK(get_float(r, 2, 16) == -1.0f);
        CHECK_EQ(r->op.nsets, 1);
        CHECK_EQ(r->op.access[0].mask, 0xffff);
        for (int l = 0; l < 32; l++)
            set_float(r, 7, l, 50.0f);
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK(get_float(r, 2, 0) == -1.0f);
        CHECK_EQ(r->op.nsets, 0);
    })
}

static void linear_memory_is_indexed_and_zero_outside(void)
{
    EACH_SET(r, {
        struct err e = {0};
        uint64_t base = mem_rig_alloc(r, 40);
        int32_t *host = mem_rig_host(r, base);
        for (int k = 0; k < 10; k++)
            host[k] = -k;
        struct texture t = {.address = base,
                            .width = 10,
                            .channels = 1,
                            .bits = 32,
                            .format = TEX_SIGNED,
                            .is_linear_memory = true};
        mem_rig_fill64(r, 1, texture_table_add(r->textures, &t, &e));
        for (int l = 0; l < 32; l++)
            mem_rig_set32(r, 6, l, (uint32_t)(l - 5));
        mem_rig_run(r, "tex.1d.v4.s32.s32", operands(1), FULL);
        CHECK_STR(r->fault, "");
        for (int l = 0; l < 32; l++)
            CHECK_EQ((int32_t)mem_rig_get32(r, 2, l), l >= 5 && l < 15 ? 5 - l : 0);
        CHECK_EQ(r->op.access[0].mask, 0x7fe0);
    })
}

static void lanes_may_use_different_textures(void)
{
    EACH_SET(r, {
        uint64_t base;
        uint64_t point = picture(r, TEX_POINT, TEX_CLAMP, &base);
        uint64_t linear = picture(r, TEX_LINEAR, TEX_CLAMP, &base);
        for (int l = 0; l < 32; l++) {
            mem_rig_set64(r, 1, l, l % 2 ? linear : point);
            set_float(r, 6, l, 4.0f);
            set_float(r, 7, l, 2.5f);
        }
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK(get_float(r, 2, 0) == 204.0f);
        CHECK(get_float(r, 2, 1) == 203.5f);
        CHECK_EQ(r->op.nsets, 4);
        CHECK_EQ(r->op.access[0].mask, FULL);
        CHECK_EQ(r->op.access[3].mask, 0xaaaaaaaa);
    })
}

static void layers_are_chosen_by_an_integer(void)
{
    EACH_SET(r, {
        struct err e = {0};
        uint64_t base = mem_rig_alloc(r, 4 * 4 * 3 * 4);
        uint8_t *host = mem_rig_host(r, base);
        for (int k = 0; k < 192; k++)
            host[k] = (uint8_t)k;
        struct texture t = {.address = base,
                            .width = 4,
                            .height = 4,
                            .layers = 3,
                            .channels = 4,
                            .bits = 8,
                            .addressing = {TEX_CLAMP, TEX_CLAMP}};
        mem_rig_fill64(r, 1, texture_table_add(r->textures, &t, &e));
        mem_rig_fill32(r, 6, 2);
        for (int l = 0; l < 32; l++) {
            set_float(r, 7, l, 1.5f);
            set_float(r, 8, l, 3.0f);
        }
        mem_rig_run(r, "tex.a2d.v4.u32.f32", operands(4), FULL);
        for (int c = 0; c < 4; c++)
            CHECK_EQ(mem_rig_get32(r, 2 + c, 9), (2 * 16 + 3 * 4 + 1) * 4 + c);
    })
}

static void tld4_gathers_one_component_of_four_texels(void)
{
    EACH_SET(r, {
        uint64_t base;
        mem_rig_fill64(r, 1, picture(r, TEX_POINT, TEX_CLAMP, &base));
        for (int l = 0; l < 32; l++) {
            set_float(r, 6, l, 5.0f); /* between texels 4 and 5 */
            set_float(r, 7, l, 2.0f); /* between rows 1 and 2 */
        }
        mem_rig_run(r, "tld4.r.2d.v4.f32.f32", operands(2), FULL);
        CHECK(get_float(r, 2, 0) == 204.0f);
        CHECK(get_float(r, 3, 0) == 205.0f);
        CHECK(get_float(r, 4, 0) == 105.0f);
        CHECK(get_float(r, 5, 0) == 104.0f);
        CHECK_EQ(r->op.nsets, 4);
        mem_rig_run(r, "tld4.a.2d.v4.f32.f32", operands(2), FULL);
        CHECK(get_float(r, 2, 0) == 1.0f);
    })
}

static void wrong_handles_and_memory_are_faults(void)
{
    EACH_SET(r, {
        uint64_t base;
        struct err e = {0};
        uint64_t handle = picture(r, TEX_POINT, TEX_CLAMP, &base);
        mem_rig_fill64(r, 1, handle);
        mem_rig_set64(r, 1, 9, 0x1234);
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK(strstr(r->fault, "thread (9,0,0): 0x1234 is not a texture") != NULL);
        mem_rig_fill64(r, 1, handle);
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(1), FULL);
        CHECK(strstr(r->fault, "needs 2 coordinates") != NULL);
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK_STR(r->fault, "");
        struct texture beyond = *texture_table_get(r->textures, handle);
        beyond.height = 9;
        mem_rig_fill64(r, 1, texture_table_add(r->textures, &beyond, &e));
        for (int l = 0; l < 32; l++)
            set_float(r, 7, l, 8.0f);
        mem_rig_run(r, "tex.2d.v4.f32.f32", operands(2), FULL);
        CHECK(strstr(r->fault, "texture fetch of 4 bytes at 0x") != NULL);
        CHECK(strstr(r->fault, "past the end of the allocation") != NULL);
    })
}

static void queries_tell_the_shape(void)
{
    EACH_SET(r, {
        uint64_t base;
        mem_rig_fill64(r, 1, picture(r, TEX_POINT, TEX_CLAMP, &base));
        struct mem_rig_operands o = {.dst = 0, .src = {1, NONE, NONE, NONE}};
        mem_rig_run(r, "txq.width.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 16);
        mem_rig_run(r, "txq.height.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 8);
        mem_rig_run(r, "txq.depth.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 0);
        mem_rig_fill64(r, 1, 5);
        mem_rig_run(r, "txq.depth.b32", o, FULL);
        CHECK(strstr(r->fault, "0x5 is not a texture") != NULL);
    })
}

static void impossible_fetches_are_refused(void)
{
    mem_rig_is_refused("tex.grad.2d.v4.f32.f32", "gradients");
    mem_rig_is_refused("tex.2d.v2.f32.f32", ".v4");
    mem_rig_is_refused("tex.4d.v4.f32.f32", ".v4");
    mem_rig_is_refused("tex.cube.v4.f32.s32", "no such texture fetch");
    mem_rig_is_refused("tld4.x.2d.v4.f32.f32", "one of .r .g .b .a");
    mem_rig_is_refused("tld4.r.3d.v4.f32.f32", "no such texture fetch");
    mem_rig_is_refused("txq.filter_mode.b32", "texture queries");
    static const char *const fine[] = {"tex.acube.v4.u32.f32", "tex.base.2d.v4.s32.f32",
                                       "tex.a1d.v4.f32.s32", "tld4.g.a2d.v4.s32.f32"};
    mem_rig_all_are_found(fine, 4);
}

CHECK_MAIN("lanes_tex", TEST(a_fetch_fills_four_registers_and_notes_its_address),
           TEST(linear_filtering_interpolates_with_four_address_sets),
           TEST(texels_outside_are_not_fetched), TEST(linear_memory_is_indexed_and_zero_outside),
           TEST(lanes_may_use_different_textures), TEST(layers_are_chosen_by_an_integer),
           TEST(tld4_gathers_one_component_of_four_texels),
           TEST(wrong_handles_and_memory_are_faults), TEST(queries_tell_the_shape),
           TEST(impossible_fetches_are_refused))
