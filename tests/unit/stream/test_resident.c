/* The streams of a CTA, copied out of the store for as long as it runs. */
#include "check.h"
#include "rig/stream_rig.h"
#include "stream/resident.h"

enum { SEED = 11, CTAS = 9, LENGTH = 40 };

struct setup {
    struct arena *a;
    struct stream_kernel k;
    struct stream_store *s;
    struct stream_cursor *c;
    struct err e;
};

static void set_up(struct setup *x)
{
    *x = (struct setup){.a = arena_new()};
    x->k = stream_rig_kernel(x->a, SEED, 12, CTAS, 100);
    x->s = stream_store_new(&x->k, 1 << 20, &x->e);
    CHECK(stream_rig_fill(x->s, NULL, &x->k, SEED, LENGTH, true, &x->e));
    CHECK(stream_store_finish(x->s, &x->e));
    x->c = stream_cursor_new(x->s, &x->e);
}

static void tear_down(struct setup *x)
{
    stream_cursor_free(x->c);
    stream_store_free(x->s);
    arena_free(x->a);
}

static bool agrees(const struct setup *x, const struct resident *r, uint32_t cta)
{
    bool ok = r->cta == cta && r->nwarps == 4;
    for (uint32_t w = 0; ok && w < r->nwarps; w++)
        ok = stream_rig_agrees(&x->k, SEED, cta, w, LENGTH, &r->warp[w]);
    return ok;
}

static void a_cta_reads_as_it_was_written(void)
{
    struct setup x;
    struct resident r = {0};
    set_up(&x);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        CHECK(resident_load(&r, x.c, cta, &x.e));
        CHECK(agrees(&x, &r, cta));
    }
    resident_free(&r);
    tear_down(&x);
}

static void it_outlives_other_ctas_the_cursor_and_the_store(void)
{
    struct setup x;
    struct resident r[CTAS] = {{0}};
    set_up(&x);
    for (uint32_t cta = 0; cta < CTAS; cta++)
        CHECK(resident_load(&r[cta], x.c, cta, &x.e));
    stream_cursor_free(x.c);
    stream_store_free(x.s);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        CHECK(agrees(&x, &r[cta], cta));
        resident_free(&r[cta]);
    }
    arena_free(x.a);
}

static void a_place_can_be_used_again_for_a_longer_cta(void)
{
    struct setup x;
    struct resident r = {0};
    set_up(&x);
    for (int round = 0; round < 3; round++)
        for (uint32_t cta = CTAS; cta-- > 0;) {
            CHECK(resident_load(&r, x.c, cta, &x.e));
            CHECK(agrees(&x, &r, cta));
        }
    resident_free(&r);
    tear_down(&x);
}

CHECK_MAIN("resident", TEST(a_cta_reads_as_it_was_written),
           TEST(it_outlives_other_ctas_the_cursor_and_the_store),
           TEST(a_place_can_be_used_again_for_a_longer_cta))
