#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <time.h>

#include "rig/toy_rig.h"
#include "sim/engine_priv.h"

/* Sleepers in lanes of phase 1, `members[l]` in lane l, dealt out to `threads` that never run. */
struct deal {
    struct arena *arena;
    struct engine *engine;
    struct toy_sleeper sleeper[64];
    uint32_t n;
};

static void deal_open(struct deal *d, const uint32_t *members, uint32_t nlanes, uint32_t threads)
{
    *d = (struct deal){.arena = arena_new()};
    d->engine = engine_new(d->arena, (struct engine_options){.threads = threads});
    for (uint32_t l = nlanes; l-- > 0;)
        for (uint32_t k = 0; k < members[l]; k++) {
            struct toy_sleeper *s = &d->sleeper[d->n++];
            *s = toy_sleeper("s", 1);
            engine_add(d->engine, &s->c, 1);
            engine_place(d->engine, &s->c, 1, l);
        }
    d->engine->nthreads = threads;
    engine_lanes_place(d->engine);
}

static void deal_again(struct deal *d, const uint64_t *cost)
{
    for (uint32_t l = 0; l < d->engine->phase[1].nlanes; l++)
        d->engine->lane[l].cost = cost[l];
    d->engine->replaced = true;
    engine_lanes_place(d->engine);
}

static void deal_close(struct deal *d)
{
    arena_free(d->arena);
}

static void lanes_are_dealt_out_by_their_members_until_they_are_measured(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){1, 1, 1, 1, 1, 1}, 6, 2);
    for (uint32_t l = 0; l < 6; l++)
        CHECK_EQ(d.engine->lane[l].thread, l / 3);
    deal_close(&d);
    deal_open(&d, (uint32_t[]){6, 2, 2, 2}, 4, 2);
    CHECK_EQ(d.engine->lane[0].thread, 0);
    for (uint32_t l = 1; l < 4; l++)
        CHECK_EQ(d.engine->lane[l].thread, 1);
    deal_close(&d);
}

static void measured_costs_move_the_borders(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){1, 1, 1, 1, 1, 1}, 6, 3);
    deal_again(&d, (uint64_t[]){100, 100, 100, 100, 100, 1000});
    CHECK(d.engine->lane[5].thread > d.engine->lane[4].thread); /* alone */
    deal_again(&d, (uint64_t[]){1000, 100, 100, 100, 100, 100});
    CHECK_EQ(d.engine->lane[0].thread, 0);
    for (uint32_t l = 1; l < 6; l++)
        CHECK_EQ(d.engine->lane[l].thread, 1 + (l > 2));
    deal_close(&d);
}

/* The last `n` lanes are of another kind than those before. */
static void make_other(struct deal *d, uint32_t n)
{
    static const struct component_ops other = {.kind = "other"};
    const uint32_t first = d->engine->phase[1].nlanes - n;
    for (uint32_t i = 0; i < d->n; i++)
        if (d->engine->member[i].lane >= first)
            d->engine->member[i].c->ops = &other;
    d->engine->unsorted = true;
}

/* SMs are busy while memory is not, and the other way round. */
static void each_thread_gets_its_share_of_every_kind(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1}, 8, 2);
    make_other(&d, 4);
    deal_again(&d, (uint64_t[8]){0});
    deal_again(&d, (uint64_t[]){100, 100, 100, 100, 9, 1, 1, 1});
    for (uint32_t l = 0; l < 8; l++)
        CHECK_EQ(d.engine->lane[l].thread, l < 4 ? l / 2 : l > 4);
    deal_close(&d);
}

/* Two networks cannot be cut: whoever has the larger gets fewer SMs. */
static void what_cannot_be_cut_is_made_up_for_by_what_comes_after(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1}, 8, 2);
    make_other(&d, 6);
    deal_again(&d, (uint64_t[8]){0});
    deal_again(&d, (uint64_t[]){300, 100, 100, 100, 100, 100, 100, 100});
    for (uint32_t l = 0; l < 8; l++)
        CHECK_EQ(d.engine->lane[l].thread, l == 1 || l > 3);
    deal_again(&d, (uint64_t[]){100, 300, 100, 100, 100, 100, 100, 100});
    for (uint32_t l = 0; l < 8; l++)
        CHECK_EQ(d.engine->lane[l].thread, l == 1 || l > 5);
    deal_again(&d, (uint64_t[]){9000, 100, 100, 100, 100, 100, 100, 100});
    for (uint32_t l = 0; l < 8; l++)
        CHECK_EQ(d.engine->lane[l].thread, l > 0);
    deal_close(&d);
}

static void the_first_thread_is_used_first(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){1}, 1, 4);
    CHECK_EQ(d.engine->lane[0].thread, 0);
    deal_close(&d);
    deal_open(&d, (uint32_t[]){1, 1}, 2, 4);
    CHECK_EQ(d.engine->lane[0].thread, 0);
    CHECK_EQ(d.engine->lane[1].thread, 1);
    deal_close(&d);
}

static void wake_ups_of_two_threads_share_no_cache_line_and_move_with_their_owner(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){3, 3, 3, 3}, 4, 2);
    for (uint32_t i = 0; i < d.n; i++)
        component_wake(&d.sleeper[i].c, 0);
    for (uint32_t i = 0; i < d.n; i++)
        *d.sleeper[i].c.wake = 1000 + i;
    deal_again(&d, (uint64_t[]){900, 10, 10, 10});
    for (uint32_t i = 0; i < d.n; i++) {
        CHECK_EQ(*d.sleeper[i].c.wake, 1000 + i);
        CHECK(d.sleeper[i].c.is_shared);
    }
    const struct engine *e = d.engine;
    for (uint32_t i = 0; i < e->group[e->ngroups] * BLOCK; i++)
        for (uint32_t k = 0; k < i; k++)
            if (e->at[i] && e->at[k] && i / 8 == k / 8)
                CHECK_EQ(e->lane[e->lane_at[i]].thread, e->lane[e->lane_at[k]].thread);
    CHECK_EQ((uintptr_t)e->wake % 64, 0);
    deal_close(&d);
}

static void members_of_a_lane_keep_their_order(void)
{
    struct deal d;
    deal_open(&d, (uint32_t[]){2, 3, 4}, 3, 2);
    for (uint32_t i = 1; i < d.n; i++) {
        const struct member *a = &d.engine->member[i - 1], *b = &d.engine->member[i];
        CHECK(a->lane < b->lane || (a->lane == b->lane && a->c->id < b->c->id));
    }
    deal_close(&d);
}

/* The last of many dawdles wherever the caller does not tick it, as a thread does that has no processor. */
struct dawdler {
    struct component c;
    pthread_t caller;
    bool dawdles;
    uint32_t ticks, dawdled;
};

static hd_cycle dawdle(struct component *c, hd_cycle now)
{
    struct dawdler *d = (struct dawdler *)c;
    d->ticks++;
    if (d->dawdles && !pthread_equal(pthread_self(), d->caller)) {
        d->dawdled++;
        nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    }
    return now + 1;
}

static void a_thread_without_a_processor_is_soon_not_waited_for(void)
{
    enum { N = 32, STEPS = 640 };
    static const struct component_ops ops = {.kind = "dawdler", .tick = dawdle};
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){.threads = 2});
    struct dawdler d[N];
    struct err err = {0};
    for (uint32_t i = 0; i < N; i++) {
        d[i] = (struct dawdler){
            .c = {.ops = &ops, .path = "d"}, .caller = pthread_self(), .dawdles = i == N - 1};
        engine_add(e, &d[i].c, 1);
        engine_place(e, &d[i].c, 0, i);
    }
    CHECK_EQ(engine_run(e, STEPS, &err), ENGINE_REACHED);
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(d[i].ticks, STEPS);
    CHECK(d[N - 1].dawdled > 0 && d[N - 1].dawdled < STEPS / 10); /* a few, again and again */
    CHECK(e->phase[0].is_alone);
    engine_stop_threads(e);
    arena_free(a);
}

CHECK_MAIN("engine_lanes", TEST(lanes_are_dealt_out_by_their_members_until_they_are_measured),
           TEST(measured_costs_move_the_borders), TEST(each_thread_gets_its_share_of_every_kind),
           TEST(what_cannot_be_cut_is_made_up_for_by_what_comes_after),
           TEST(the_first_thread_is_used_first),
           TEST(wake_ups_of_two_threads_share_no_cache_line_and_move_with_their_owner),
           TEST(members_of_a_lane_keep_their_order),
           TEST(a_thread_without_a_processor_is_soon_not_waited_for))
