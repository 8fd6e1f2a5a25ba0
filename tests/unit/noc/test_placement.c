#include "check.h"

#include "noc/placement.h"

#define ROWS(F, id)                                                                                \
    F(id, INT, cores, "0", 0, 1000, "node", "cores")                                               \
    F(id, LIST, mem, "", 0, 1000, "node", "memory nodes")
CFG_STRUCT(place, ROWS)
extern const struct cfg_section place_section;
CFG_SECTION(place, ROWS, "placement under test")

struct bench {
    struct arena *arena;
    struct topology_nodes n;
    struct err err;
    bool ok;
};

static struct bench place(uint64_t total, const char *cores, const char *mem)
{
    static const struct cfg_section *const sections[] = {&place_section};
    struct bench b = {.arena = arena_new()};
    struct config *cfg = config_new(b.arena, sections, 1);
    CHECK(config_set(cfg, arena_printf(b.arena, "place.cores=%s", cores), &b.err));
    CHECK(config_set(cfg, arena_printf(b.arena, "place.mem=%s", mem), &b.err));
    const struct place_spec *s = config_get(cfg, &place_section);
    struct placement p = {.total = total, .cores = s->cores, .mem = s->mem};
    b.ok = placement_list(cfg, &place_section, &p, b.arena, &b.n, &b.err);
    return b;
}

static void nodes_that_are_no_memory_nodes_are_cores(void)
{
    struct bench b = place(6, "0", "4,1");
    CHECK(b.ok);
    CHECK_EQ(b.n.total, 6);
    CHECK_EQ(b.n.ncores, 4);
    CHECK_EQ(b.n.nmems, 2);
    CHECK_EQ(b.n.mems[0], 1);
    CHECK_EQ(b.n.mems[1], 4);
    CHECK_EQ(b.n.cores[1], 2);
    CHECK_EQ(b.n.cores[3], 5);
    arena_free(b.arena);
}

static void fewer_cores_leave_the_highest_nodes_empty(void)
{
    struct bench b = place(6, "3", "0");
    CHECK(b.ok);
    CHECK_EQ(b.n.ncores, 3);
    CHECK_EQ(b.n.cores[2], 3);
    arena_free(b.arena);
}

static void what_does_not_fit_is_blamed_on_its_parameter(void)
{
    static const struct {
        const char *cores, *mem, *message;
    } bad[] = {
        {"0", "6", "place.mem=6: node 6 does not exist (0..5 do)"},
        {"0", "2,2", "place.mem=2,2: node 2 is listed twice"},
        {"5", "1,2", "place.cores=5: 5 cores and 2 memory nodes do not fit on 6 nodes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bench b = place(6, bad[i].cores, bad[i].mem);
        CHECK(!b.ok);
        CHECK(strstr(b.err.text, bad[i].message) != NULL);
        arena_free(b.arena);
    }
}

static void a_split_numbers_cores_first(void)
{
    struct arena *a = arena_new();
    struct topology_nodes n;
    placement_split(3, 2, a, &n);
    CHECK_EQ(n.total, 5);
    CHECK_EQ(n.cores[2], 2);
    CHECK_EQ(n.mems[0], 3);
    CHECK_EQ(n.mems[1], 4);
    arena_free(a);
}

static void shares_are_even_and_the_first_ones_larger(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 24; i++) {
        CHECK_EQ(placement_share(80, 24, i), i < 8 ? 4 : 3);
        sum += placement_share(80, 24, i);
    }
    CHECK_EQ(sum, 80);
}

static void memory_nodes_are_fitted_at_even_distances(void)
{
    struct arena *a = arena_new();
    CHECK_STR(placement_fit(a, 16, 12, 4), "cores=12 mem=2,6,10,14");
    CHECK_STR(placement_fit(a, 3, 2, 1), "cores=2 mem=1");
    const char *many = placement_fit(a, UINT32_MAX, UINT32_MAX, 16384);
    CHECK(strstr(many, "cores=4294967295 mem=131071,"));
    CHECK_STR(strrchr(many, ','), ",4294836223");
    arena_free(a);
}

CHECK_MAIN("placement", TEST(nodes_that_are_no_memory_nodes_are_cores),
           TEST(fewer_cores_leave_the_highest_nodes_empty),
           TEST(what_does_not_fit_is_blamed_on_its_parameter), TEST(a_split_numbers_cores_first),
           TEST(shares_are_even_and_the_first_ones_larger),
           TEST(memory_nodes_are_fitted_at_even_distances))
