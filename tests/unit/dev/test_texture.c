/* The table of texture objects. */
#include "check.h"
#include "dev/texture.h"

static const struct texture plain = {.address = 0x1000000100,
                                     .width = 64,
                                     .height = 16,
                                     .channels = 4,
                                     .bits = 32,
                                     .format = TEX_FLOAT};

static void a_handle_finds_its_texture_until_it_is_removed(void)
{
    struct texture_table *t = texture_table_new();
    struct err e = {0};
    uint64_t handle[100];
    for (uint32_t k = 0; k < 100; k++) {
        struct texture one = plain;
        one.width = k + 1;
        handle[k] = texture_table_add(t, &one, &e);
        CHECK(handle[k] != 0);
    }
    for (uint32_t k = 0; k < 100; k++) {
        CHECK_EQ(texture_table_get(t, handle[k])->width, k + 1);
        CHECK_EQ(texture_table_get(t, handle[k])->pitch_bytes, 16 * (k + 1)); /* filled in */
    }
    CHECK(texture_table_remove(t, handle[7], &e));
    CHECK(texture_table_get(t, handle[7]) == NULL);
    uint64_t again = texture_table_add(t, &plain, &e);
    CHECK(again != handle[7]); /* a stale handle stays wrong */
    CHECK(texture_table_get(t, handle[7]) == NULL);
    CHECK_EQ(texture_table_get(t, again)->width, 64);
    CHECK(!texture_table_remove(t, handle[7], &e));
    CHECK(strstr(e.text, "is not a texture") != NULL);
    texture_table_free(t);
}

static void invented_handles_find_nothing(void)
{
    struct texture_table *t = texture_table_new();
    struct err e = {0};
    CHECK(texture_table_get(t, 0) == NULL);
    CHECK(texture_table_add(t, &plain, &e) != 0);
    CHECK(texture_table_get(t, 0) == NULL);
    CHECK(texture_table_get(t, 1) == NULL);
    CHECK(texture_table_get(t, UINT64_MAX) == NULL);
    CHECK(texture_table_get(NULL, 1) == NULL);
    texture_table_free(t);
}

static void check_refused(struct texture tex, const char *why)
{
    struct texture_table *t = texture_table_new();
    struct err e = {0};
    CHECK_EQ(texture_table_add(t, &tex, &e), 0);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    if (!strstr(e.text, why)) {
        print_error("\"%s\" does not say \"%s\"\n", e.text, why);
        CHECK(false);
    }
    texture_table_free(t);
}

static void descriptions_that_make_no_sense_are_refused(void)
{
    struct texture t = plain;
    t.channels = 3;
    check_refused(t, "3 channels");
    t = plain, t.bits = 24;
    check_refused(t, "24 bits");
    t = plain, t.bits = 8;
    check_refused(t, "8-bit floats");
    t = plain, t.width = 0;
    check_refused(t, "0 x 16");
    t = plain, t.depth = 4, t.height = 0;
    check_refused(t, "depth but no height");
    t = plain, t.depth = 4, t.layers = 2;
    check_refused(t, "depth and layers");
    t = plain, t.address += 4;
    check_refused(t, "not aligned");
    t = plain, t.pitch_bytes = 512;
    check_refused(t, "less than a row");
    t = plain, t.is_linear_memory = true;
    check_refused(t, "one dimension");
    t = plain, t.reads_normalized_float = true;
    check_refused(t, "8 or 16 bits");
    t = plain, t.format = TEX_UNSIGNED, t.filter = TEX_LINEAR;
    check_refused(t, "returns integers");
    t = plain, t.addressing[1] = 9;
    check_refused(t, "unknown");
}

CHECK_MAIN("texture", TEST(a_handle_finds_its_texture_until_it_is_removed),
           TEST(invented_handles_find_nothing), TEST(descriptions_that_make_no_sense_are_refused))
