#include "check.h"

#include "analysis/sharing.h"
#include "mem/program.h"
#include "rig/capture.h"
#include "sim/stats_snapshot.h"

enum { SMS = 3 };

struct rig {
    struct arena *arena;
    struct sharing *s;
    struct stats *tree;
};

static void open_rig(struct rig *r, uint32_t slices)
{
    const struct sharing_spec spec = {.enabled = true, .stores = true};
    const struct sharing_shape shape = {SMS, slices, 4, 8};
    r->arena = arena_new();
    r->s = sharing_new(r->arena, &spec, &shape);
    r->tree = stats_new(r->arena);
    stats_set_details(r->tree, true);
    sharing_add_stats(r->s, r->tree);
}

static void close_rig(struct rig *r)
{
    sharing_free(r->s);
    arena_free(r->arena);
}

static double value(const struct rig *r, const char *name)
{
    return stats_snapshot_value(stats_snapshot(r->tree, r->arena), name);
}

static void load(struct rig *r, uint32_t sm, uint64_t line, uint32_t cta, enum sharing_kind kind,
                 hd_cycle now)
{
    sharing_sm_touch(sharing_sm(r->s, sm), &(struct sharing_touch){line, cta, kind, now});
}

static void there_is_none_where_it_is_off(void)
{
    struct arena *a = arena_new();
    const struct sharing_spec off = {.stores = true};
    CHECK(sharing_new(a, &off, &(struct sharing_shape){SMS, 1, 4, 8}) == NULL);
    CHECK(sharing_sm(NULL, 0) == NULL);
    CHECK(sharing_slice(NULL, 0) == NULL);
    sharing_free(NULL);
    arena_free(a);
}

static void a_kernel_is_added_when_it_ends(void)
{
    struct rig r;
    open_rig(&r, 1);
    load(&r, 0, 0, 0, SHARING_MISS, 0);
    sharing_sm_fill(sharing_sm(r.s, 0), 0, 100);
    load(&r, 1, 0, 1, SHARING_MISS, 50);
    load(&r, 1, 0, 2, SHARING_MERGE, 60);
    load(&r, 0, 0, 3, SHARING_HIT, 1500);
    load(&r, 2, 128, 2, SHARING_WRITE, 10);
    CHECK_NEAR(value(&r, "sharing.blocks"), 0, 0);
    for (int kernel = 1; kernel <= 2; kernel++) {
        sharing_end_kernel(r.s, 0, 4);
        CHECK_NEAR(value(&r, "sharing.blocks"), 2, 0); /* a second kernel has touched nothing */
        CHECK_NEAR(value(&r, "sharing.cta_shared"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.distance_1"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.step_1"), 3, 0);
        CHECK_NEAR(value(&r, "sharing.pair_1"), 3, 0);
        CHECK_NEAR(value(&r, "sharing.pair_2"), 2, 0);
        CHECK_NEAR(value(&r, "sharing.pair_3"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.pair_more"), 0, 0);
        CHECK_NEAR(value(&r, "sharing.sharers"), 3, 0);
        CHECK_NEAR(value(&r, "sharing.sharers_1"), 2, 0);
        CHECK_NEAR(value(&r, "sharing.sharers_2"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.sharers_3"), 0, 0);
        CHECK_NEAR(value(&r, "sharing.shared_misses"), 2, 0);
        CHECK_NEAR(value(&r, "sharing.shared_merges"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.shared_hits"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.reuse_1000"), 1, 0);
        CHECK_NEAR(value(&r, "sharing.reuse_100"), 0, 0);
    }
    close_rig(&r);
}

static void kernels_of_other_programs_go_on(void)
{
    struct rig r;
    open_rig(&r, 1);
    const uint64_t other = program_base(1);
    load(&r, 0, 0, 0, SHARING_MISS, 0);
    load(&r, 0, other, 7, SHARING_MISS, 0);
    sharing_cta_done(r.s, 0, 0, 100);
    sharing_cta_done(r.s, 1, 0, 300);
    sharing_end_kernel(r.s, 0, 1);
    CHECK_NEAR(value(&r, "sharing.blocks"), 1, 0);
    CHECK_NEAR(value(&r, "sharing.cta_mean"), 100, 0);
    load(&r, 1, other, 9, SHARING_MISS, 0);
    sharing_end_kernel(r.s, 1, 1);
    CHECK_NEAR(value(&r, "sharing.blocks"), 2, 0);
    CHECK_NEAR(value(&r, "sharing.distance_2"), 1, 0);
    CHECK_NEAR(value(&r, "sharing.cta_mean"), 200, 0);
    CHECK_NEAR(value(&r, "sharing.cta_mean.n"), 2, 0);
    close_rig(&r);
}

static void times_of_ctas_are_samples_of_their_kernel(void)
{
    struct rig r;
    open_rig(&r, 0);
    for (uint32_t i = 0; i < 8; i++)
        sharing_cta_done(r.s, 0, i, 100 + 10 * (i % 4) + i / 4);
    sharing_end_kernel(r.s, 0, 4);
    sharing_cta_done(r.s, 0, 0, 500);
    sharing_end_kernel(r.s, 0, 1);
    sharing_end_kernel(r.s, 0, 1); /* given up before a CTA ended */
    CHECK_NEAR(value(&r, "sharing.cta_mean.n"), 2, 0);
    CHECK_NEAR(value(&r, "sharing.cta_mean"), (116 + 500) / 2., 0); /* 115.5 is rounded */
    CHECK_NEAR(value(&r, "sharing.cta_least"), (100 + 500) / 2., 0);
    CHECK_NEAR(value(&r, "sharing.cta_most"), (131 + 500) / 2., 0);
    CHECK_NEAR(value(&r, "sharing.cta_sigma.n"), 1, 0);
    CHECK_NEAR(value(&r, "sharing.cta_sigma"), 12, 0);
    CHECK_NEAR(value(&r, "sharing.row_sigma.n"), 1, 0);
    CHECK_NEAR(value(&r, "sharing.row_sigma"), 1, 0); /* 115 and 116: 0.7 */
    CHECK_NEAR(value(&r, "sharing.cta_fitted"), 1, 0);
    CHECK_NEAR(value(&r, "sharing.cta_gaussian"), 1, 0);
    CHECK(value(&r, "sharing.cta_misfit") > 100 && value(&r, "sharing.cta_misfit") < 200);
    close_rig(&r);
}

static bool has_name(const struct rig *r, const char *name)
{
    struct text t;
    text_open(&t);
    stats_names(r->tree, t.out);
    text_close(&t);
    bool found = strstr(t.s, name) != NULL;
    text_free(&t);
    return found;
}

static void only_what_there_is_has_statistics(void)
{
    struct rig r;
    open_rig(&r, 0); /* slices that are no caches */
    CHECK(sharing_slice(r.s, 0) == NULL);
    CHECK(has_name(&r, "sharing.l1.invalidated\n"));
    CHECK(has_name(&r, "sharing.l1.sm[2].compulsory\n"));
    CHECK(has_name(&r, "sharing.sharers_3\n"));
    CHECK(!has_name(&r, "sharing.sharers_4\n"));
    CHECK(!has_name(&r, "sharing.l2"));
    close_rig(&r);
    open_rig(&r, 2);
    CHECK(sharing_slice(r.s, 1) != NULL);
    CHECK(has_name(&r, "sharing.l2.full_misses\n"));
    CHECK(has_name(&r, "sharing.l2.sharers_3\n"));
    CHECK(has_name(&r, "sharing.l2.l2[1].conflict\n"));
    CHECK(!has_name(&r, "sharing.l2.invalidated\n"));
    close_rig(&r);
}

CHECK_MAIN("sharing", TEST(there_is_none_where_it_is_off), TEST(a_kernel_is_added_when_it_ends),
           TEST(kernels_of_other_programs_go_on), TEST(times_of_ctas_are_samples_of_their_kernel),
           TEST(only_what_there_is_has_statistics))
