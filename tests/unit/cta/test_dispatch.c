/* The CTA dispatcher with SMs that keep every CTA for as many cycles as the test says. */
#include "check.h"
#include "cta/dispatch.h"
#include "rig/cta_rig.h"
#include "rig/sm_rig.h"

enum { MOST_SMS = 8, MOST_CTAS = 256, FOREVER = 1000000 };

struct seen {
    uint32_t sm, cta, kernel, context;
    hd_cycle at; /* popped by the SM */
};

struct fake_sm {
    struct component c;
    struct port *start, *done;
    struct {
        hd_cycle due;
        uint32_t context, owner;
    } held[64];
    hd_cycle settles[MAX_PROGRAMS]; /* its stores are answered then; 0: it has none */
    uint32_t nheld, number, most;
    struct world *world;
};

struct world {
    struct arena *arena;
    struct engine *engine;
    struct dispatch *dispatch;
    struct fake_sm sm[MOST_SMS];
    struct seen seen[MOST_CTAS];
    uint32_t nseen, ncallbacks, nkernels_done;
    hd_cycle (*life)(uint32_t cta);
    struct stream_store *store[4];
    struct kernel_rig *kernel[4];
    struct sm_set sms[4];
    struct sm_clusters clusters;
    uint32_t nkernels;
    uint32_t latency; /* of a start */
    hd_cycle owing;   /* so long after its end a CTA's stores are answered; 0: it had none */
};

/* --- the SMs ---------------------------------------------------------------------------------- */

static void take_start(struct fake_sm *s, hd_cycle now)
{
    const struct cta_start *c = (const struct cta_start *)(uintptr_t)port_pop(s->start, now);
    struct world *w = s->world;
    w->seen[w->nseen++] = (struct seen){s->number, c->streams.cta, c->kernel, c->context, now};
    s->held[s->nheld].context = c->context;
    s->held[s->nheld].owner = c->owner;
    s->held[s->nheld++].due = now + w->life(c->streams.cta);
    s->most = s->nheld > s->most ? s->nheld : s->most;
}

/* Says which programs have no stores any more; returns when it has to do so next. */
static hd_cycle settle(struct fake_sm *s, hd_cycle now)
{
    hd_cycle next = HD_NEVER;
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++) {
        if (s->settles[p] && s->settles[p] <= now) {
            port_push(s->done, now, cta_settled_message(p));
            s->settles[p] = 0;
        }
        next = s->settles[p] && s->settles[p] < next ? s->settles[p] : next;
    }
    return next;
}

static hd_cycle tick_sm(struct component *c, hd_cycle now)
{
    struct fake_sm *s = (struct fake_sm *)c;
    hd_cycle next = settle(s, now), owing = s->world->owing;
    while (port_has(s->start, now))
        take_start(s, now);
    for (uint32_t i = 0; i < s->nheld;) {
        if (s->held[i].due > now) {
            next = s->held[i].due < next ? s->held[i].due : next;
            i++;
            continue;
        }
        port_push(s->done, now, cta_done_message(s->held[i].context, owing > 0));
        if (owing) {
            s->settles[s->held[i].owner] = now + owing;
            next = now + 1;
        }
        s->held[i] = s->held[--s->nheld];
    }
    return port_ready(s->start) < next ? port_ready(s->start) : next;
}

static uint64_t live_sm(const struct component *c)
{
    const struct fake_sm *s = (const struct fake_sm *)c;
    uint64_t n = s->nheld;
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        n += s->settles[p] > 0;
    return n;
}

static const struct component_ops sm_ops = {.kind = "sm", .tick = tick_sm, .live = live_sm};

/* --- the world -------------------------------------------------------------------------------- */

static void note_end(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct world *w = context;
    (void)sm, (void)slot;
    w->ncallbacks++;
    CHECK(kernel[0] == 'k');
    CHECK_EQ(end - begin, w->life(cta) + w->latency + 1); /* a port to the SM, and one back */
}

static void note_kernel(void *context)
{
    ((struct world *)context)->nkernels_done++;
}

static void open_world_of(struct world *w, uint32_t clusters, uint32_t sms, uint32_t rate,
                          struct engine_options engine, uint32_t latency)
{
    *w = (struct world){.arena = arena_new(), .latency = latency};
    w->clusters = sm_clusters_deal(w->arena, sms, clusters);
    struct dispatch_options opt = {.path = "dispatch",
                                   .policy = cta_policy_find("rr"),
                                   .clusters = &w->clusters,
                                   .rate = rate,
                                   .start_latency = latency,
                                   .limits = {64, 64, 8, 32768, 1, 49152},
                                   .cta_done = note_end,
                                   .context = w,
                                   .kernel_done = note_kernel,
                                   .kernel_done_context = w};
    w->dispatch = dispatch_new(w->arena, &opt);
    w->engine = engine_new(w->arena, engine);
    engine_add(w->engine, dispatch_component(w->dispatch), 1);
    for (uint32_t i = 0; i < sms; i++) {
        struct fake_sm *s = &w->sm[i];
        *s = (struct fake_sm){.c = {.ops = &sm_ops, .path = "sm"}, .number = i, .world = w};
        engine_add(w->engine, &s->c, 1);
        dispatch_connect(w->dispatch, w->arena, i, &s->c, 0, &s->start, &s->done);
    }
}

/* `sms` SMs in all clusters. */
static void open_world(struct world *w, uint32_t clusters, uint32_t sms, uint32_t rate,
                       struct engine_options engine)
{
    open_world_of(w, clusters, sms, rate, engine, 1);
}

/* Programs with these SMs; `name` of the partition that dealt them out, NULL: nobody has guests. */
static void set_programs(struct world *w, const struct sm_set *sms, uint32_t n, const char *name)
{
    struct sm_set *all = ARENA_NEW(w->arena, struct sm_set);
    *all = cta_rig_range(w->arena, &w->clusters, 0, w->clusters.nsms);
    memcpy(w->sms, sms, n * sizeof *sms);
    dispatch_set_programs(
        w->dispatch, &(struct dispatch_programs){
                         .n = n,
                         .sms = w->sms,
                         .partition = name ? partition_find(name) : NULL,
                         .partition_view = {.clusters = &w->clusters, .sms = all, .nprograms = n}});
}

/* 32 threads per CTA: two fit an SM of 64 threads. */
static bool begin_of(struct world *w, uint32_t program, uint32_t ctas, hd_cycle at)
{
    struct occupancy o;
    struct err e = {0};
    struct kernel_rig *k = w->kernel[w->nkernels] = kernel_rig_new("k", ctas, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_int(1, 2));
    struct stream_store *s = w->store[w->nkernels] = kernel_rig_store(k);
    struct dispatch_kernel dk = {.store = s, .begin = at, .number = (uint16_t)w->nkernels++};
    bool ok = dispatch_begin(w->dispatch, program, &dk, &o, &e);
    CHECK_EQ(o.ctas, 2);
    return ok;
}

static bool begin_on(struct world *w, uint32_t ctas, const struct sm_set *sms, hd_cycle at)
{
    set_programs(w, sms, 1, NULL);
    return begin_of(w, 0, ctas, at);
}

static bool begin(struct world *w, uint32_t ctas, uint32_t first, uint32_t count, hd_cycle at)
{
    struct sm_set s = cta_rig_range(w->arena, &w->clusters, first, count);
    return begin_on(w, ctas, &s, at);
}

static void run(struct world *w)
{
    struct err e = {0};
    CHECK_EQ(engine_run(w->engine, FOREVER, &e), ENGINE_IDLE);
}

static void close_world(struct world *w)
{
    dispatch_free(w->dispatch);
    for (uint32_t i = 0; i < w->nkernels; i++) {
        stream_store_free(w->store[i]);
        kernel_rig_free(w->kernel[i]);
    }
    arena_free(w->arena);
}

static const struct seen *find(const struct world *w, uint32_t cta)
{
    for (uint32_t i = 0; i < w->nseen; i++)
        if (w->seen[i].cta == cta)
            return &w->seen[i];
    CHECK(!"never started");
    return NULL;
}

static hd_cycle hundred(uint32_t cta)
{
    (void)cta;
    return 100;
}

static hd_cycle first_is_shortest(uint32_t cta)
{
    return cta == 0 ? 50 : 1000 + cta;
}

static hd_cycle various(uint32_t cta)
{
    return 1 + cta * 7919 % 61;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* ICC paper, section 3.2: CTAs 1 to 8 in turn to the two clusters, in each in turn to its SMs; CTA 9
 * (here 8) goes where CTA 1 (here 0) ended, to the first SM of the first cluster. */
static void ctas_are_mapped_as_the_two_level_round_robin_of_the_icc_paper(void)
{
    struct world w;
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = first_is_shortest;
    begin(&w, 10, 0, 4, 0);
    run(&w);
    const uint32_t sm[] = {0, 2, 1, 3, 0, 2, 1, 3};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(find(&w, i)->sm, sm[i]);
    CHECK_EQ(find(&w, 8)->sm, 0);
    CHECK_EQ(find(&w, 8)->context, find(&w, 0)->context);
    CHECK_EQ(find(&w, 8)->at, find(&w, 0)->at + 50 + 1 + 1); /* the next cycle after it is told */
    CHECK_EQ(find(&w, 9)->sm, 2);                            /* CTA 1 is the next to end */
    close_world(&w);
}

static void a_cluster_gets_as_many_ctas_in_a_cycle_as_the_rate_says(void)
{
    for (uint32_t rate = 1; rate <= 4; rate++) {
        struct world w;
        open_world(&w, 2, 4, rate, (struct engine_options){0});
        w.life = hundred;
        begin(&w, 8, 0, 4, 0);
        run(&w);
        for (uint32_t i = 0; i < 8; i++)
            CHECK_EQ(find(&w, i)->at, 1 + i / (2 * rate));
        close_world(&w);
    }
}

static void every_cta_runs_once_and_sms_hold_no_more_than_fit(void)
{
    struct world w;
    open_world(&w, 2, 6, 1, (struct engine_options){0});
    w.life = various;
    begin(&w, 200, 0, 6, 0);
    run(&w);
    CHECK_EQ(w.nseen, 200);
    CHECK_EQ(w.ncallbacks, 200);
    CHECK_EQ(w.nkernels_done, 1);
    hd_cycle at;
    CHECK(dispatch_is_done(w.dispatch, 0, &at));
    CHECK_EQ(dispatch_ctas_done(w.dispatch, 0), 200);
    for (uint32_t i = 0; i < 200; i++)
        CHECK_EQ(find(&w, i)->cta, i);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(w.sm[i].most, 2);
    close_world(&w);
}

static void a_grid_smaller_than_the_machine_leaves_sms_empty(void)
{
    struct world w;
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = hundred;
    begin(&w, 3, 0, 4, 0);
    run(&w);
    CHECK_EQ(w.nseen, 3);
    CHECK(w.sm[0].most == 1 && w.sm[1].most == 1 && w.sm[2].most == 1 && w.sm[3].most == 0);
    close_world(&w);
}

static void one_cta_goes_to_the_first_sm(void)
{
    struct world w;
    hd_cycle at;
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = hundred;
    begin(&w, 1, 0, 4, 0);
    run(&w);
    CHECK_EQ(w.seen[0].sm, 0);
    CHECK_EQ(w.seen[0].at, 1);
    CHECK(dispatch_is_done(w.dispatch, 0, &at));
    CHECK_EQ(at, 1 + 100 + 1);
    close_world(&w);
}

static void a_cta_comes_to_its_sm_after_the_latency_of_a_start(void)
{
    struct world w;
    hd_cycle at;
    open_world_of(&w, 1, 1, 1, (struct engine_options){0}, 30);
    w.life = hundred;
    begin(&w, 5, 0, 1, 0);
    run(&w);
    CHECK_EQ(find(&w, 0)->at, 30);
    CHECK_EQ(find(&w, 1)->at, 31); /* it delays, and holds nobody up */
    CHECK_EQ(find(&w, 2)->at, 30 + 100 + 1 + 30);
    CHECK_EQ(find(&w, 4)->at, find(&w, 2)->at + 100 + 1 + 30);
    CHECK(dispatch_is_done(w.dispatch, 0, &at));
    CHECK_EQ(at, find(&w, 4)->at + 100 + 1);
    close_world(&w);
}

static void places_are_taken_again_while_stores_are_under_way_but_the_kernel_waits(void)
{
    struct world w;
    struct err e = {0};
    hd_cycle at;
    open_world(&w, 1, 1, 1, (struct engine_options){0});
    w.life = hundred;
    w.owing = 700;
    begin(&w, 4, 0, 1, 0);
    CHECK_EQ(engine_run(w.engine, 500, &e), ENGINE_REACHED);
    CHECK_EQ(w.nseen, 4);
    CHECK_EQ(find(&w, 2)->at, 1 + 100 + 1 + 1); /* as ever */
    CHECK_EQ(dispatch_ctas_done(w.dispatch, 0), 4);
    CHECK(!dispatch_is_done(w.dispatch, 0, &at));
    CHECK_EQ(w.nkernels_done, 0);
    run(&w);
    CHECK(dispatch_is_done(w.dispatch, 0, &at));
    CHECK_EQ(at, find(&w, 3)->at + 100 + 700 + 1);
    CHECK_EQ(w.nkernels_done, 1);
    close_world(&w);
}

static hd_cycle one(uint32_t cta)
{
    (void)cta;
    return 1;
}

/* Stores are answered in the cycle after each end, so that almost every message is followed by
 * another one. */
static void what_is_owed_and_settled_again_and_again_adds_up(void)
{
    const struct engine_options how[] = {{0}, {.no_skip = true}, {.reversed = true}};
    for (int h = 0; h < 3; h++)
        for (hd_cycle owing = 1; owing < 5; owing++) {
            struct world w;
            struct err e = {0};
            hd_cycle at;
            open_world(&w, 2, 4, 4, how[h]);
            w.life = h == 1 ? various : one;
            w.owing = owing;
            begin(&w, 200, 0, 4, 0);
            engine_run(w.engine, 20000, &e);
            CHECK_STR(e.text, "");
            CHECK_EQ(w.nseen, 200);
            CHECK(dispatch_is_done(w.dispatch, 0, &at));
            CHECK_EQ(w.nkernels_done, 1);
            close_world(&w);
        }
}

static void a_kernel_keeps_to_its_sms(void)
{
    struct world w;
    open_world(&w, 2, 6, 1, (struct engine_options){0});
    w.life = various;
    begin(&w, 50, 2, 3, 0);
    run(&w);
    CHECK_EQ(w.nseen, 50);
    for (uint32_t i = 0; i < 50; i++)
        CHECK(w.seen[i].sm >= 2 && w.seen[i].sm < 5);
    CHECK(w.sm[2].most && w.sm[3].most && w.sm[4].most);
    close_world(&w);
}

/* Clusters of 3, 2 and 2 SMs; the kernel has the last SM of each. */
static void an_sm_is_served_with_its_own_cluster_whatever_its_size(void)
{
    struct world w;
    open_world(&w, 3, 7, 1, (struct engine_options){0});
    w.life = hundred;
    struct sm_set s = sm_set_of(w.arena, &w.clusters, (const uint32_t[]){6, 2, 4}, 3);
    begin_on(&w, 6, &s, 0);
    run(&w);
    CHECK_EQ(w.nseen, 6);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_EQ(find(&w, i)->sm, 2 + i % 3 * 2);
        CHECK_EQ(find(&w, i)->at, 1 + i / 3); /* each cluster one in a cycle */
    }
    close_world(&w);
}

static void a_kernel_does_not_begin_before_its_time(void)
{
    struct world w;
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = hundred;
    begin(&w, 2, 0, 2, 500);
    run(&w);
    CHECK_EQ(w.seen[0].at, 501);
    close_world(&w);
}

static void kernels_at_once_each_have_their_sms(void)
{
    struct world w;
    hd_cycle at[2];
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = hundred;
    struct sm_set sms[2] = {
        cta_rig_range(w.arena, &w.clusters, 0, 1),
        cta_rig_range(w.arena, &w.clusters, 1, 3)}; /* share the first cluster */
    set_programs(&w, sms, 2, NULL);
    begin_of(&w, 0, 12, 0);
    begin_of(&w, 1, 12, 30);
    run(&w);
    CHECK_EQ(w.nseen, 24);
    for (uint32_t i = 0; i < 24; i++)
        CHECK_EQ(w.seen[i].kernel, w.seen[i].sm == 0 ? 0 : 1);
    CHECK(dispatch_is_done(w.dispatch, 0, &at[0]) && dispatch_is_done(w.dispatch, 1, &at[1]));
    CHECK(at[0] > at[1]); /* six waves on one SM against two on three */
    CHECK_EQ(w.nkernels_done, 2);
    close_world(&w);
}

/* Two programs on four SMs in turn.  The second one's kernel has two CTAs, its SMs (1 and 3) hold
 * four: what it leaves is for guests of the first. */
static void an_sm_whose_owner_has_nothing_to_start_takes_guests(void)
{
    struct world w;
    open_world(&w, 2, 4, 8, (struct engine_options){0});
    w.life = hundred;
    struct sm_set sms[2] = {sm_set_of(w.arena, &w.clusters, (const uint32_t[]){0, 2}, 2),
                            sm_set_of(w.arena, &w.clusters, (const uint32_t[]){1, 3}, 2)};
    set_programs(&w, sms, 2, "room");
    begin_of(&w, 0, 9, 0);
    begin_of(&w, 1, 2, 0);
    run(&w);
    uint32_t on_own = 0, guests = 0;
    for (uint32_t i = 0; i < w.nseen; i++) {
        on_own += w.seen[i].kernel == 0 && w.seen[i].sm % 2 == 0;
        guests += w.seen[i].kernel == 0 && w.seen[i].sm % 2 == 1 && w.seen[i].at == 1;
        CHECK(w.seen[i].kernel == 0 || w.seen[i].sm % 2 == 1);
    }
    CHECK_EQ(w.nseen, 11);
    CHECK_EQ(guests, 2); /* at once, one beside each CTA of the owner */
    CHECK(on_own >= 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(w.sm[i].most <= 2);
    close_world(&w);
}

/* The owner's kernel begins while guests have its SMs: from then on none comes, and the owner starts
 * as they end. */
static void no_guest_starts_while_the_owner_waits(void)
{
    struct world w;
    open_world(&w, 2, 4, 8, (struct engine_options){0});
    w.life = hundred;
    struct sm_set sms[2] = {sm_set_of(w.arena, &w.clusters, (const uint32_t[]){0, 2}, 2),
                            sm_set_of(w.arena, &w.clusters, (const uint32_t[]){1, 3}, 2)};
    set_programs(&w, sms, 2, "room");
    begin_of(&w, 0, 100, 0);
    begin_of(&w, 1, 50, 150);
    run(&w);
    CHECK_EQ(w.nseen, 150);
    hd_cycle first = FOREVER, last = 0;
    for (uint32_t i = 0; i < w.nseen; i++)
        if (w.seen[i].kernel == 1) {
            first = w.seen[i].at < first ? w.seen[i].at : first;
            last = w.seen[i].at > last ? w.seen[i].at : last;
        }
    for (uint32_t i = 0; i < w.nseen; i++) {
        bool is_guest = w.seen[i].kernel == 0 && w.seen[i].sm % 2 == 1;
        CHECK(!is_guest || w.seen[i].at <= 150 || w.seen[i].at >= last);
    }
    CHECK(first > 150 && first <= 150 + 100 + 4); /* as soon as the guests of then have ended */
    close_world(&w);
}

static void after_a_reset_the_next_kernel_begins_with_empty_sms(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, 2, 4, 1, (struct engine_options){0});
    w.life = hundred;
    begin(&w, 10, 0, 4, 0);
    engine_run(w.engine, 400, &e);
    dispatch_end(w.dispatch, 0);
    w.nseen = 0;
    begin(&w, 10, 0, 4, 400);
    run(&w);
    const uint32_t sm[] = {0, 2, 1, 3, 0, 2, 1, 3};
    CHECK_EQ(w.nseen, 10);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(find(&w, i)->sm, sm[i]);
    CHECK_EQ(w.nkernels_done, 2);
    close_world(&w);
}

static void skipping_and_order_change_nothing(void)
{
    const struct engine_options how[] = {{0}, {.no_skip = true}, {.reversed = true}};
    struct seen first[60];
    for (int h = 0; h < 3; h++) {
        struct world w;
        struct err e = {0};
        open_world(&w, 2, 4, 1, how[h]);
        w.life = various;
        begin(&w, 60, 0, 4, 3);
        engine_run(w.engine, 5000, &e);
        CHECK_EQ(w.nseen, 60);
        if (h == 0)
            for (uint32_t i = 0; i < 60; i++)
                first[i] = *find(&w, i);
        for (uint32_t i = 0; i < 60; i++)
            CHECK(first[i].at == find(&w, i)->at && first[i].sm == find(&w, i)->sm);
        close_world(&w);
    }
}

static void a_cta_that_does_not_fit_is_refused(void)
{
    struct world w;
    struct occupancy o;
    struct err e = {0};
    open_world(&w, 1, 1, 1, (struct engine_options){0});
    struct kernel_rig *k = kernel_rig_new("large", 1, 96);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_int(1, 2));
    struct stream_store *s = kernel_rig_store(k);
    struct sm_set sms = cta_rig_range(w.arena, &w.clusters, 0, 1);
    set_programs(&w, &sms, 1, NULL);
    CHECK(!dispatch_begin(w.dispatch, 0, &(struct dispatch_kernel){.store = s}, &o, &e));
    CHECK_STR(e.text, "kernel large: a CTA needs 96 (threads), an SM of this machine has 64");
    CHECK(!dispatch_failed(w.dispatch, &e));
    stream_store_free(s);
    kernel_rig_free(k);
    close_world(&w);
}

CHECK_MAIN("dispatch", TEST(ctas_are_mapped_as_the_two_level_round_robin_of_the_icc_paper),
           TEST(a_cluster_gets_as_many_ctas_in_a_cycle_as_the_rate_says),
           TEST(every_cta_runs_once_and_sms_hold_no_more_than_fit),
           TEST(a_grid_smaller_than_the_machine_leaves_sms_empty),
           TEST(one_cta_goes_to_the_first_sm),
           TEST(a_cta_comes_to_its_sm_after_the_latency_of_a_start),
           TEST(places_are_taken_again_while_stores_are_under_way_but_the_kernel_waits),
           TEST(what_is_owed_and_settled_again_and_again_adds_up), TEST(a_kernel_keeps_to_its_sms),
           TEST(an_sm_is_served_with_its_own_cluster_whatever_its_size),
           TEST(a_kernel_does_not_begin_before_its_time), TEST(kernels_at_once_each_have_their_sms),
           TEST(an_sm_whose_owner_has_nothing_to_start_takes_guests),
           TEST(no_guest_starts_while_the_owner_waits),
           TEST(after_a_reset_the_next_kernel_begins_with_empty_sms),
           TEST(skipping_and_order_change_nothing), TEST(a_cta_that_does_not_fit_is_refused))
