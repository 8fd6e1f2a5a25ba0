#include "check.h"

#include "study/inputs.h"

static void names_are_spelled_as_the_registry_does(void)
{
    CHECK_STR(inputs_workload("2dconv"), "2DCONV");
    CHECK(inputs_workload("3dconvolution") == NULL);
    CHECK_STR(inputs_size("small"), "small");
    CHECK(inputs_size("huge") == NULL);
}

static void all_names_are_names(void)
{
    struct arena *a = arena_new();
    uint32_t n, sizes;
    const char *const *all = inputs_workloads(a, &n);
    CHECK(n > 10);
    for (uint32_t i = 0; i < n; i++)
        CHECK_STR(inputs_workload(all[i]), all[i]);
    all = inputs_sizes(a, &sizes);
    for (uint32_t i = 1; i < sizes && strcmp(all[i], "few") != 0; i++)
        CHECK(inputs_cost(all[i]) > inputs_cost(all[i - 1]));
    CHECK(inputs_cost("few") <= inputs_cost("study"));
    arena_free(a);
}

static void hashes_tell_streams_apart_and_stay(void)
{
    uint64_t h = inputs_stream_hash("HS", "tiny", "", 1);
    CHECK(h == inputs_stream_hash("HS", "tiny", "", 1));
    CHECK(h != inputs_stream_hash("BT", "tiny", "", 1));
    CHECK(h != inputs_stream_hash("HS", "small", "", 1));
    CHECK(h != inputs_stream_hash("HS", "tiny", "", 2));
    CHECK(h != inputs_stream_hash("HS", "tiny", "depth=2", 1));
    CHECK(inputs_version()[0] != '\0');
}

static void a_stream_follows_from_every_byte_of_ptx_and_from_its_input(void)
{
    const struct inputs_stream hs = {1, "mov a, b;", 9, "HS", "tiny", "", 1};
    uint64_t h = inputs_hash(&hs);
    struct inputs_stream all[] = {hs, hs, hs, hs, hs, hs, hs};
    all[0].sources = 2;
    all[1].ptx = "mov a, c;";
    all[2].length = 8;
    all[3].workload = "BT";
    all[4].size = "small";
    all[5].seed = 2;
    all[6].args = "depth=2";
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        CHECK(inputs_hash(&all[i]) != h);
    all[0] = hs;
    CHECK(inputs_hash(&all[0]) == h);
}

CHECK_MAIN("inputs", TEST(a_stream_follows_from_every_byte_of_ptx_and_from_its_input),
           TEST(names_are_spelled_as_the_registry_does), TEST(all_names_are_names),
           TEST(hashes_tell_streams_apart_and_stay))
