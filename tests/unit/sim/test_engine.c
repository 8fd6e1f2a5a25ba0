#include "check.h"

#include "base/rng.h"
#include "rig/capture.h"
#include "rig/toy_rig.h"
#include "sim/engine.h"
#include "sim/waitgraph.h"

/* ---- a component that does what a script says ---- */

enum { LOG = 64 };

struct script {
    struct component c;
    hd_cycle period_wanted; /* wants every so many cycles; 0: never again */
    struct component *wakes;
    hd_cycle wakes_at, wakes_in; /* at this cycle, wakes the other so many cycles later */
    uint64_t held;
    hd_cycle breaks_at; /* its audit fails from this cycle on */
    hd_cycle last;
    hd_cycle settled; /* up to where it was told to settle */
    uint32_t n;
    hd_cycle ticked[LOG];
};

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct script *s = (struct script *)c;
    if (s->n < LOG)
        s->ticked[s->n] = now;
    s->n++;
    s->last = now;
    if (s->wakes && now == s->wakes_at)
        component_wake(s->wakes, now + s->wakes_in);
    return s->period_wanted ? now + s->period_wanted : HD_NEVER;
}

static uint64_t live(const struct component *c)
{
    return ((const struct script *)c)->held;
}

static bool audit(const struct component *c, struct err *e)
{
    const struct script *s = (const struct script *)c;
    return s->last < s->breaks_at ||
           err_set(e, STATUS_FAILED, "%s is broken at %d", c->path, (int)s->last);
}

static void settle(struct component *c, hd_cycle now)
{
    ((struct script *)c)->settled = now;
}

static void wait_in_a_ring(const struct component *c, struct waitgraph *g)
{
    for (uint64_t i = 0; i < 3; i++) {
        char label[8];
        snprintf(label, sizeof label, "slot %d", (int)i);
        waitgraph_vertex(g, c, i, false, label);
        waitgraph_edge(g, c, i, c, (i + 1) % 3);
    }
}

static const struct component_ops plain_ops = {.kind = "script", .tick = tick};
static const struct component_ops live_ops = {.kind = "script", .tick = tick, .live = live};
static const struct component_ops audit_ops = {.kind = "script", .tick = tick, .audit = audit};
static const struct component_ops settle_ops = {.kind = "script", .tick = tick, .settle = settle};
static const struct component_ops ring_ops = {
    .kind = "script", .tick = tick, .live = live, .waits = wait_in_a_ring};

static struct script script(const char *path, const struct component_ops *ops, hd_cycle every)
{
    return (struct script){
        .c = {.ops = ops, .path = path}, .period_wanted = every, .breaks_at = HD_NEVER};
}

/* ---- wake-ups ---- */

static void a_wake_up_made_in_the_same_step_is_not_lost_whoever_ticks_first(void)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        struct arena *a = arena_new();
        struct engine *e = engine_new(a, (struct engine_options){0});
        struct script waker = script("waker", &plain_ops, 0);
        struct script sleeper = script("sleeper", &plain_ops, 0);
        waker.wakes = &sleeper.c;
        waker.wakes_in = 1;
        struct err err = {0};
        engine_add(e, swapped ? &sleeper.c : &waker.c, 1);
        engine_add(e, swapped ? &waker.c : &sleeper.c, 1);
        CHECK_EQ(engine_run(e, 100, &err), ENGINE_IDLE);
        CHECK_EQ(sleeper.n, 2); /* both are due at 0, and the sleeper once more at 1 */
        CHECK_EQ(sleeper.ticked[0], 0);
        CHECK_EQ(sleeper.ticked[1], 1);
        arena_free(a);
    }
}

static void the_earliest_of_several_wishes_counts(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script early = script("early", &plain_ops, 3), late = script("late", &plain_ops, 50);
    struct err err = {0};
    early.wakes = &late.c;
    early.wakes_at = 6;
    early.wakes_in = 4;
    engine_add(e, &early.c, 1);
    engine_add(e, &late.c, 1);
    CHECK_EQ(engine_run(e, 100, &err), ENGINE_REACHED);
    CHECK_EQ(late.n, 3); /* 0; 10 instead of 50; 10 + 50 */
    CHECK_EQ(late.ticked[1], 10);
    CHECK_EQ(late.ticked[2], 60);
    CHECK_EQ(early.n, 34);
    arena_free(a);
}

static void time_stops_short_of_the_given_tick_and_goes_on_from_there(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &plain_ops, 5);
    struct err err = {0};
    engine_add(e, &s.c, 1);
    CHECK_EQ(engine_run(e, 10, &err), ENGINE_REACHED);
    CHECK_EQ(engine_now(e), 10);
    CHECK_EQ(s.n, 2); /* 0 and 5, not 10 */
    CHECK_EQ(engine_run(e, 10, &err), ENGINE_REACHED);
    CHECK_EQ(s.n, 2);
    CHECK_EQ(engine_run(e, 11, &err), ENGINE_REACHED);
    CHECK_EQ(s.n, 3);
    CHECK_EQ(engine_run(e, 5, &err), ENGINE_REACHED); /* never backwards */
    CHECK_EQ(engine_now(e), 11);
    arena_free(a);
}

/* ---- clock domains ---- */

static void every_domain_ticks_at_its_own_edges(void)
{
    static const uint64_t periods[] = {2, 3, 7};
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        struct arena *a = arena_new();
        struct engine *e = engine_new(a, (struct engine_options){.no_skip = no_skip});
        struct script s[3];
        struct err err = {0};
        for (int i = 0; i < 3; i++) {
            s[i] = script("s", &plain_ops, 1);
            engine_add(e, &s[i].c, periods[i]);
        }
        CHECK_EQ(engine_run(e, 42, &err), ENGINE_REACHED);
        for (int i = 0; i < 3; i++) {
            CHECK_EQ(s[i].n, 42 / periods[i]);
            for (uint32_t k = 0; k < s[i].n; k++)
                CHECK_EQ(s[i].ticked[k], k); /* its own cycles, not ticks */
        }
        arena_free(a);
    }
}

static void without_skipping_everybody_ticks_at_every_edge(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){.no_skip = true});
    struct script lazy = script("lazy", &plain_ops, 30), busy = script("busy", &plain_ops, 1);
    struct err err = {0};
    engine_add(e, &lazy.c, 3);
    engine_add(e, &busy.c, 2);
    CHECK_EQ(engine_run(e, 60, &err), ENGINE_REACHED);
    CHECK_EQ(lazy.n, 20);
    CHECK_EQ(busy.n, 30);
    arena_free(a);
}

/* ---- many ---- */

/* Each wakes the next: one after the other is due, wherever in the engine it lies. */
static void thousands_of_components_are_found_when_they_are_due(void)
{
    enum { N = 5000 };
    static struct script s[N];
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct err err = {0};
    for (uint32_t i = 0; i < N; i++) {
        s[i] = script("s", &plain_ops, 0);
        s[i].wakes = &s[(i + 1) % N].c;
        s[i].wakes_at = i + 1;
        s[i].wakes_in = 1;
        engine_add(e, &s[i].c, 1);
    }
    CHECK_EQ(engine_run(e, 1, &err), ENGINE_IDLE); /* all have been ticked once */
    component_wake(&s[0].c, 1);
    CHECK_EQ(engine_run(e, 10 * N, &err), ENGINE_IDLE);
    for (uint32_t i = 1; i < N; i++) {
        CHECK_EQ(s[i].n, 2);
        CHECK_EQ(s[i].ticked[1], i + 1);
    }
    arena_free(a);
}

static void who_comes_later_joins_in_and_nobody_loses_a_wake_up(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    static struct script s[100];
    struct err err = {0};
    for (int i = 0; i < 100; i++)
        s[i] = script("s", &plain_ops, 50);
    for (int i = 0; i < 50; i++)
        engine_add(e, &s[i].c, 1);
    CHECK_EQ(engine_run(e, 40, &err), ENGINE_REACHED);
    for (int i = 50; i < 100; i++)
        engine_add(e, &s[i].c, 1);
    CHECK_EQ(engine_run(e, 60, &err), ENGINE_REACHED);
    CHECK_EQ(s[0].ticked[1], 50);
    CHECK_EQ(s[49].ticked[1], 50);
    CHECK_EQ(s[50].ticked[0], 40); /* as soon as it can, not in the past */
    CHECK_EQ(engine_run(e, 200, &err), ENGINE_REACHED);
    CHECK_EQ(s[99].ticked[1], 90);
    arena_free(a);
}

static void an_engine_without_components_is_idle(void)
{
    struct arena *a = arena_new();
    struct err err = {0};
    CHECK_EQ(engine_run(engine_new(a, (struct engine_options){0}), 10, &err), ENGINE_IDLE);
    CHECK_EQ(engine_run(engine_new(a, (struct engine_options){.no_skip = true}), 10, &err),
             ENGINE_IDLE);
    arena_free(a);
}

/* ---- order of registration ---- */

static void shuffle(uint32_t *order, uint32_t n, uint64_t key)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = rng_below(rng_at(key, i), i), was = order[i - 1];
        order[i - 1] = order[k];
        order[k] = was;
    }
}

static void any_order_and_no_skip_give_the_same_traces(void)
{
    enum { N = 6, ORDERS = 200 };
    uint64_t ticks[2] = {0};
    for (uint64_t k = 0; k < ORDERS; k++) {
        uint64_t shape = k % 20; /* ten orders of each of twenty chains, skipping and not */
        struct toy_chain reference, t;
        struct err err = {0};
        uint32_t order[N];
        toy_chain_open(&reference, N, shape, NULL, (struct engine_options){.no_skip = true});
        CHECK_EQ(engine_run(reference.engine, 1000000, &err), ENGINE_IDLE);
        CHECK_EQ(reference.stage[N - 1].let_go, 40);
        shuffle(order, N, k);
        for (int no_skip = 0; no_skip < 2; no_skip++) {
            toy_chain_open(&t, N, shape, order, (struct engine_options){.no_skip = no_skip});
            CHECK_EQ(engine_run(t.engine, 1000000, &err), ENGINE_IDLE);
            CHECK_EQ(engine_now(t.engine), engine_now(reference.engine));
            for (uint32_t i = 0; i < N; i++)
                CHECK_EQ(t.stage[i].trace, reference.stage[i].trace);
            ticks[no_skip] += toy_chain_ticks(&t);
            toy_chain_close(&t);
        }
        toy_chain_close(&reference);
    }
    CHECK(ticks[0] < ticks[1]); /* or nothing was skipped */
}

static void different_chains_give_different_traces(void)
{
    struct toy_chain t, u;
    struct err err = {0};
    toy_chain_open(&t, 6, 1, NULL, (struct engine_options){0});
    toy_chain_open(&u, 6, 2, NULL, (struct engine_options){0});
    CHECK_EQ(engine_run(t.engine, 1000000, &err), ENGINE_IDLE);
    CHECK_EQ(engine_run(u.engine, 1000000, &err), ENGINE_IDLE);
    CHECK(t.stage[5].trace != u.stage[5].trace);
    toy_chain_close(&t);
    toy_chain_close(&u);
}

/* ---- ends ---- */

static void all_asleep_with_nothing_held_is_idle(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &live_ops, 0);
    struct err err = {0};
    engine_add(e, &s.c, 1);
    CHECK_EQ(engine_run(e, 1000, &err), ENGINE_IDLE);
    CHECK_EQ(err.status, STATUS_DONE);
    CHECK_EQ(s.n, 1);
    arena_free(a);
}

static void all_asleep_with_messages_held_is_stuck(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &live_ops, 0), t = script("t", &live_ops, 0);
    struct err err = {0};
    s.held = 2;
    t.held = 3;
    engine_add(e, &s.c, 1);
    engine_add(e, &t.c, 1);
    CHECK_EQ(engine_run(e, 1000, &err), ENGINE_STUCK);
    CHECK_EQ(err.status, STATUS_DEADLOCK);
    CHECK_STR(err.text, "stuck at tick 1: 5 messages held, nobody can move");
    arena_free(a);
}

static void a_ring_of_waits_is_printed_when_all_sleep(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &ring_ops, 0);
    struct err err = {0};
    s.held = 1;
    engine_add(e, &s.c, 1);
    CHECK_EQ(engine_run(e, 1000, &err), ENGINE_STUCK);
    CHECK_EQ(err.status, STATUS_DEADLOCK);
    CHECK_STR(err.text, "deadlock at tick 1: s slot 0 -> s slot 1 -> s slot 2 -> s slot 0");
    arena_free(a);
}

static void the_watchdog_finds_a_ring_while_others_are_busy(void)
{
    for (int with = 0; with < 2; with++) {
        struct arena *a = arena_new();
        struct engine *e = engine_new(a, (struct engine_options){.watchdog = with ? 500 : 0});
        struct script busy = script("busy", &plain_ops, 1), ring = script("ring", &ring_ops, 0);
        struct err err = {0};
        engine_add(e, &busy.c, 1);
        engine_add(e, &ring.c, 1);
        CHECK_EQ(engine_run(e, 10000, &err), with ? ENGINE_STUCK : ENGINE_REACHED);
        CHECK_EQ(err.status, with ? STATUS_DEADLOCK : STATUS_DONE);
        CHECK_EQ(engine_now(e), with ? 500 : 10000);
        err = (struct err){0};
        CHECK(engine_diagnose(e, &err)); /* whoever asks is told */
        arena_free(a);
    }
}

static void a_broken_invariant_ends_the_run_at_the_next_audit(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){.audit = 100});
    struct script s = script("s", &audit_ops, 1);
    struct err err = {0};
    s.breaks_at = 250;
    engine_add(e, &s.c, 1);
    CHECK_EQ(engine_run(e, 10000, &err), ENGINE_BROKEN);
    CHECK_EQ(engine_now(e), 300);
    CHECK_EQ(err.status, STATUS_FAILED);
    CHECK_STR(err.text, "s is broken at 299");
    arena_free(a);
}

static void an_audit_can_be_asked_for_at_any_time(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &audit_ops, 1), fine = script("fine", &plain_ops, 1);
    struct err err = {0};
    s.breaks_at = 5;
    engine_add(e, &fine.c, 1);
    engine_add(e, &s.c, 1);
    CHECK_EQ(engine_run(e, 5, &err), ENGINE_REACHED);
    CHECK(engine_audit(e, &err));
    CHECK_EQ(engine_run(e, 6, &err), ENGINE_REACHED); /* no audit was asked for */
    CHECK(!engine_audit(e, &err));
    CHECK_STR(err.text, "s is broken at 5");
    arena_free(a);
}

static void statistics_settle_up_to_the_first_cycle_not_begun(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script fast = script("fast", &settle_ops, 1), slow = script("slow", &settle_ops, 1);
    struct err err = {0};
    engine_add(e, &fast.c, 1);
    engine_add(e, &slow.c, 3);
    CHECK_EQ(engine_run(e, 10, &err), ENGINE_REACHED);
    engine_settle(e);
    CHECK_EQ(fast.settled, 10); /* 0 to 9 were ticked */
    CHECK_EQ(slow.settled, 4);  /* 0 to 3, at ticks 0 to 9 */
    CHECK_EQ(engine_run(e, 12, &err), ENGINE_REACHED);
    engine_settle(e);
    CHECK_EQ(slow.settled, 4); /* the one at tick 12 has not begun */
    CHECK_EQ(fast.n, 12);
    arena_free(a);
}

static void what_all_hold_is_summed(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &live_ops, 0), t = script("t", &live_ops, 0);
    struct script none = script("none", &plain_ops, 0);
    s.held = 2;
    t.held = 3;
    engine_add(e, &s.c, 1);
    engine_add(e, &none.c, 1);
    engine_add(e, &t.c, 1);
    CHECK_EQ(engine_live(e), 5);
    arena_free(a);
}

/* ---- ahead of time ---- */

enum { OUTER = 12, OUTER_PERIOD = 10, INNER_PERIOD = 3 };

/* So many that they have places; each wants every cycle of its clock. */
struct nest {
    struct arena *arena;
    struct engine *engine;
    struct script outer[OUTER], inner;
};

static void nest_open(struct nest *n, struct engine_options opt)
{
    n->arena = arena_new();
    n->engine = engine_new(n->arena, opt);
    n->inner = script("inner", &plain_ops, 1);
    for (uint32_t i = 0; i < OUTER; i++) {
        n->outer[i] = script("outer", &plain_ops, 1);
        engine_add(n->engine, &n->outer[i].c, OUTER_PERIOD);
        engine_place(n->engine, &n->outer[i].c, 1, i);
    }
    engine_add(n->engine, &n->inner.c, INNER_PERIOD);
    engine_place(n->engine, &n->inner.c, 1, 0);
    engine_keep_inside(n->engine, &n->inner.c);
}

static void what_is_inside_ticks_at_all_its_edges_and_never_past_the_end(void)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct nest n;
        struct err err = {0};
        nest_open(&n, (struct engine_options){.threads = threads, .always_share = true});
        for (uint64_t until = 1; until < 100; until++) { /* also between edges of either clock */
            CHECK_EQ(engine_run(n.engine, until, &err), ENGINE_REACHED);
            CHECK_EQ(n.inner.n, (until - 1) / INNER_PERIOD + 1);
            CHECK_EQ(n.inner.last, n.inner.n - 1);
            CHECK_EQ(n.outer[0].n, (until - 1) / OUTER_PERIOD + 1);
        }
        engine_stop_threads(n.engine);
        arena_free(n.arena);
    }
}

struct stopper {
    struct component c;
    struct engine *engine;
};

static hd_cycle stop_at_3(struct component *c, hd_cycle now)
{
    struct stopper *s = (struct stopper *)c;
    if (now == 3)
        engine_request_stop(s->engine);
    return now + 1;
}

/* What a machine has counted when it stops must not depend on who was ahead. */
static void nobody_is_ahead_of_a_stop(void)
{
    static const struct component_ops ops = {.kind = "stopper", .tick = stop_at_3};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct nest n;
        struct err err = {0};
        nest_open(&n, (struct engine_options){.threads = threads, .always_share = true});
        struct stopper s = {.c = {.ops = &ops, .path = "stopper"}, .engine = n.engine};
        engine_add(n.engine, &s.c, OUTER_PERIOD);
        CHECK_EQ(engine_run(n.engine, 1000, &err), ENGINE_REACHED);
        CHECK_EQ(engine_now(n.engine), 31);
        CHECK_EQ(n.inner.last, 30 / INNER_PERIOD);
        CHECK_EQ(engine_run(n.engine, 41, &err), ENGINE_REACHED);
        CHECK_EQ(n.inner.n, 40 / INNER_PERIOD + 1);
        engine_stop_threads(n.engine);
        arena_free(n.arena);
    }
}

static void keep_inside_the_first_phase(void)
{
    struct nest n;
    struct err err = {0};
    nest_open(&n, (struct engine_options){0});
    engine_place(n.engine, &n.inner.c, 0, 0);
    engine_run(n.engine, 1, &err);
}

static void only_the_last_phase_has_an_inside(void)
{
    struct death d = death_of(keep_inside_the_first_phase);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "inner: not in the last phase") != NULL);
}

static void place_a_stranger(void)
{
    struct arena *a = arena_new();
    struct script s = script("stranger", &plain_ops, 1);
    engine_place(engine_new(a, (struct engine_options){0}), &s.c, 0, 0);
}

static void place_in_no_phase(void)
{
    struct arena *a = arena_new();
    struct engine *e = engine_new(a, (struct engine_options){0});
    struct script s = script("s", &plain_ops, 1);
    engine_add(e, &s.c, 1);
    engine_place(e, &s.c, ENGINE_PHASES, 0);
}

static void a_place_that_is_none_is_our_own_fault(void)
{
    struct death d = death_of(place_a_stranger);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "stranger: placed in an engine it was not added to") != NULL);
    d = death_of(place_in_no_phase);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "s: there are 8 phases") != NULL);
}

static void add_with_period_zero(void)
{
    struct arena *a = arena_new();
    struct script s = script("s", &plain_ops, 1);
    engine_add(engine_new(a, (struct engine_options){0}), &s.c, 0);
}

static void a_clock_of_no_period_is_our_own_fault(void)
{
    struct death d = death_of(add_with_period_zero);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "s: clock period of 0 ticks") != NULL);
}

CHECK_MAIN("engine", TEST(a_wake_up_made_in_the_same_step_is_not_lost_whoever_ticks_first),
           TEST(the_earliest_of_several_wishes_counts),
           TEST(time_stops_short_of_the_given_tick_and_goes_on_from_there),
           TEST(every_domain_ticks_at_its_own_edges),
           TEST(without_skipping_everybody_ticks_at_every_edge),
           TEST(thousands_of_components_are_found_when_they_are_due),
           TEST(who_comes_later_joins_in_and_nobody_loses_a_wake_up),
           TEST(an_engine_without_components_is_idle),
           TEST(statistics_settle_up_to_the_first_cycle_not_begun), TEST(what_all_hold_is_summed),
           TEST(a_place_that_is_none_is_our_own_fault),
           TEST(any_order_and_no_skip_give_the_same_traces),
           TEST(different_chains_give_different_traces), TEST(all_asleep_with_nothing_held_is_idle),
           TEST(all_asleep_with_messages_held_is_stuck),
           TEST(a_ring_of_waits_is_printed_when_all_sleep),
           TEST(the_watchdog_finds_a_ring_while_others_are_busy),
           TEST(a_broken_invariant_ends_the_run_at_the_next_audit),
           TEST(an_audit_can_be_asked_for_at_any_time),
           TEST(what_is_inside_ticks_at_all_its_edges_and_never_past_the_end),
           TEST(nobody_is_ahead_of_a_stop), TEST(only_the_last_phase_has_an_inside),
           TEST(a_clock_of_no_period_is_our_own_fault))
