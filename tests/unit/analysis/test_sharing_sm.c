#include "check.h"

#include "analysis/sharing_priv.h"

static struct sharing_sm *new_watch(struct arena *a, bool stores)
{
    const struct sharing_spec spec = {.enabled = true, .stores = stores};
    return sharing_sm_new(a, &spec, 3, 2);
}

static void touch(struct sharing_sm *w, uint64_t line, uint32_t cta, enum sharing_kind kind)
{
    sharing_sm_touch(w, &(struct sharing_touch){line, cta, kind, 10});
}

static void stores_share_blocks_unless_they_are_not_to(void)
{
    for (int stores = 0; stores < 2; stores++) {
        struct arena *a = arena_new();
        struct sharing_sm *w = new_watch(a, stores);
        touch(w, 0, 1, SHARING_READ);
        touch(w, 0, 2, SHARING_WRITE);
        touch(w, 128, 2, SHARING_WRITE);
        CHECK_EQ(w->of[0].blocks.n, 1 + stores);
        CHECK_EQ(w->of[0].ctas.n, stores ? 3 : 1);
        sharing_sm_free(w);
        arena_free(a);
    }
}

static void kinds_of_loads_are_told_apart_and_programs_too(void)
{
    struct arena *a = arena_new();
    struct sharing_sm *w = new_watch(a, true);
    const uint64_t other = program_base(2);
    static const enum sharing_kind kinds[] = {SHARING_HIT,   SHARING_MERGE, SHARING_MERGE,
                                              SHARING_MISS,  SHARING_MISS,  SHARING_MISS,
                                              SHARING_WRITE, SHARING_READ};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        touch(w, other, 1, kinds[i]);
    sharing_sm_fill(w, other, 20);
    const struct footprint_block *b = lines_at(&w->of[2].blocks, 0);
    CHECK_EQ(w->of[0].blocks.n, 0);
    CHECK_EQ(b->load[LOAD_HIT], 1);
    CHECK_EQ(b->load[LOAD_MERGE], 2);
    CHECK_EQ(b->load[LOAD_MISS], 3);
    CHECK(b->is_filled && b->filled == 20);
    sharing_sm_free(w);
    arena_free(a);
}

static void misses_are_classed_and_the_shadow_counts_its_own(void)
{
    struct arena *a = arena_new();
    struct sharing_sm *w = new_watch(a, true);
    sharing_sm_load(w, 0, 1, UINT32_MAX, true);
    sharing_sm_load(w, 0, 1, UINT32_MAX, true); /* conflict */
    sharing_sm_load(w, 128, 1, UINT32_MAX, true);
    sharing_sm_load(w, 256, 1, UINT32_MAX, true); /* 0 leaves */
    sharing_sm_load(w, 0, 1, UINT32_MAX, false);  /* a hit, though the shadow has lost it */
    sharing_sm_load(w, 128, 1, UINT32_MAX, true); /* capacity */
    sharing_sm_drop(w, 128);
    sharing_sm_load(w, 128, 1, UINT32_MAX, true); /* invalidated */
    sharing_sm_forget(w, 0);
    sharing_sm_load(w, 0, 1, UINT32_MAX, true); /* invalidated */
    sharing_sm_keep(w, 512, 0xf);               /* no load, no miss, but it takes a line */
    sharing_sm_load(w, 512, 0xf, UINT32_MAX, false);
    sharing_sm_write(w, 0, 1);
    sharing_sm_load(w, 640, 1, UINT32_MAX, false); /* 512 leaves, as 0 was written */
    sharing_sm_load(w, 0, 1, UINT32_MAX, true);    /* conflict */
    CHECK_EQ(w->stats.compulsory, 3);
    CHECK_EQ(w->stats.conflict, 2);
    CHECK_EQ(w->stats.capacity, 1);
    CHECK_EQ(w->stats.invalidated, 2);
    CHECK_EQ(w->stats.full_misses, 3 + 1 + 1 + 2 + 1);
    sharing_sm_free(w);
    arena_free(a);
}

CHECK_MAIN("sharing_sm", TEST(stores_share_blocks_unless_they_are_not_to),
           TEST(kinds_of_loads_are_told_apart_and_programs_too),
           TEST(misses_are_classed_and_the_shadow_counts_its_own))
