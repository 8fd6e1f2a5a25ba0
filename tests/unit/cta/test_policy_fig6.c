/* The five CTA schedulers of the ICC paper on its example (Fig. 6), and all schedulers that there
 * are on random shapes: every CTA runs exactly once. */
#include "base/rng.h"
#include "check.h"
#include "cta/dispatch.h"
#include "rig/cta_rig.h"
#include "rig/sm_rig.h"

/* Fig. 6 counts CTAs from 1; 2 clusters of 2 SMs with 2 contexts, 10 CTAs. */
enum { SMS = 4, CONTEXTS = 2, CTAS = 10 };

static const struct example {
    const char *policy;
    uint32_t first[SMS][CONTEXTS]; /* C1S1, C1S2, C2S1, C2S2 */
    uint32_t after_one;            /* the CTA that C1S1 gets when CTA 1 has ended; 0: none */
    uint32_t after_two;            /* ... when CTA 1 and its neighbour on C1S1 have */
} examples[] = {
    {"two_level_rr", {{1, 5}, {3, 7}, {2, 6}, {4, 8}}, 9, 10},
    {"global_rr", {{1, 5}, {2, 6}, {3, 7}, {4, 8}}, 9, 10},
    {"greedy-clustering", {{1, 3}, {2, 4}, {5, 7}, {6, 8}}, 9, 10},
    {"distributed", {{1, 3}, {2, 4}, {6, 8}, {7, 9}}, 5, 0},
    {"distributed_block", {{1, 2}, {3, 4}, {6, 7}, {8, 9}}, 0, 5},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* --- by themselves ---------------------------------------------------------------------------- */

static void next_is(struct cta_rig *r, uint32_t cta)
{
    CHECK_EQ(cta_rig_settle(r), cta ? 1 : 0);
    if (cta)
        CHECK_EQ(r->cta[cta - 1].sm, 0);
}

static void follow(const struct example *x, uint32_t rate)
{
    struct cta_rig r;
    cta_rig_open(&r, x->policy,
                 &(struct cta_rig_shape){
                     .clusters = 2, .sms = 2, .contexts = CONTEXTS, .ctas = CTAS, .rate = rate});
    CHECK_EQ(cta_rig_settle(&r), SMS * CONTEXTS);
    for (uint32_t sm = 0; sm < SMS; sm++)
        for (uint32_t i = 0; i < CONTEXTS; i++)
            CHECK_EQ(r.cta[x->first[sm][i] - 1].sm, sm);
    CHECK_EQ(r.now, (rate ? 4 / rate : 1) + 1); /* 4 CTAs each: no cluster waits for the other */
    cta_rig_end(&r, x->first[0][0] - 1);
    next_is(&r, x->after_one);
    cta_rig_end(&r, x->first[0][1] - 1);
    next_is(&r, x->after_two);
    cta_rig_close(&r);
}

static void ctas_are_mapped_as_in_figure_6_whatever_the_dispatch_rate(void)
{
    const uint32_t rates[] = {0, 1, 2, 4}; /* 0: no limit */
    for (int i = 0; i < EXAMPLES; i++)
        for (int k = 0; k < 4; k++)
            follow(&examples[i], rates[k]);
}

static void the_five_are_five_different_schedulers(void)
{
    for (int i = 0; i < EXAMPLES; i++)
        for (int k = 0; k < i; k++)
            CHECK(cta_policy_find(examples[i].policy) != cta_policy_find(examples[k].policy));
}

/* --- with the dispatcher ---------------------------------------------------------------------- */

struct fake_sm {
    struct component c;
    struct port *start, *done;
    struct {
        hd_cycle due;
        uint32_t context;
    } held[CONTEXTS];
    uint32_t nheld, number;
    struct world *world;
};

struct world {
    struct fake_sm sm[SMS];
    uint32_t where[CTAS];
    hd_cycle at[CTAS];
};

/* CTA 1 is short, the others are long and end one after the other. */
static hd_cycle life_of(uint32_t cta)
{
    return cta == 0 ? 50 : 1000 + 10 * cta;
}

static hd_cycle tick_sm(struct component *c, hd_cycle now)
{
    struct fake_sm *s = (struct fake_sm *)c;
    hd_cycle next = HD_NEVER;
    while (port_has(s->start, now)) {
        const struct cta_start *cta = (const struct cta_start *)(uintptr_t)port_pop(s->start, now);
        s->world->where[cta->streams.cta] = s->number;
        s->world->at[cta->streams.cta] = now;
        s->held[s->nheld].context = cta->context;
        s->held[s->nheld++].due = now + life_of(cta->streams.cta);
    }
    for (uint32_t i = s->nheld; i-- > 0;) {
        if (s->held[i].due <= now) {
            port_push(s->done, now, s->held[i].context);
            s->held[i] = s->held[--s->nheld];
        } else if (s->held[i].due < next) {
            next = s->held[i].due;
        }
    }
    return next;
}

static uint64_t live_sm(const struct component *c)
{
    return ((const struct fake_sm *)c)->nheld;
}

static const struct component_ops sm_ops = {.kind = "sm", .tick = tick_sm, .live = live_sm};

/* One kernel, to its end; `w` then says which CTA went where and when. */
static void run_dispatcher(struct world *w, const char *policy)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct occupancy o;
    struct kernel_rig *k = kernel_rig_new("k", CTAS, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_int(1, 2));
    struct stream_store *store = kernel_rig_store(k);
    struct sm_clusters clusters = sm_clusters_deal(a, SMS, 2);
    struct sm_set sms = cta_rig_range(a, &clusters, 0, SMS);
    struct dispatch_options opt = {.path = "dispatch",
                                   .cfg = cta_rig_config(a),
                                   .policy = cta_policy_find(policy),
                                   .clusters = &clusters,
                                   .rate = 1,
                                   .limits = {64, 64, CONTEXTS, 32768, 1, 49152}};
    struct dispatch *d = dispatch_new(a, &opt);
    struct engine *engine = engine_new(a, (struct engine_options){0});
    *w = (struct world){0};
    engine_add(engine, dispatch_component(d), 1);
    for (uint32_t i = 0; i < SMS; i++) {
        struct fake_sm *s = &w->sm[i];
        *s = (struct fake_sm){.c = {.ops = &sm_ops, .path = "sm"}, .number = i, .world = w};
        engine_add(engine, &s->c, 1);
        dispatch_connect(d, a, i, &s->c, 0, &s->start, &s->done);
    }
    dispatch_set_programs(d, &(struct dispatch_programs){.n = 1, .sms = &sms});
    CHECK(dispatch_begin(d, 0, &(struct dispatch_kernel){.store = store}, &o, &e));
    CHECK_EQ(engine_run(engine, 1000000, &e), ENGINE_IDLE);
    CHECK_EQ(dispatch_ctas_done(d, 0), CTAS);
    dispatch_free(d);
    stream_store_free(store);
    kernel_rig_free(k);
    arena_free(a);
}

static void the_dispatcher_maps_ctas_as_in_figure_6_one_per_cluster_and_cycle(void)
{
    for (int i = 0; i < EXAMPLES; i++) {
        const struct example *x = &examples[i];
        struct world w;
        run_dispatcher(&w, x->policy);
        for (uint32_t sm = 0; sm < SMS; sm++)
            for (uint32_t k = 0; k < CONTEXTS; k++)
                CHECK_EQ(w.where[x->first[sm][k] - 1], sm);
        for (uint32_t k = 0; k < CTAS; k++) /* in cycles 1 to 4, or where something ended */
            CHECK(w.at[k] <= 4 || w.at[k] > 50);
        uint32_t ninth = x->after_one ? x->after_one : x->after_two;
        uint32_t last = x->after_one ? x->first[0][0] - 1 : x->first[0][1] - 1; /* that ends */
        CHECK_EQ(w.where[ninth - 1], 0);
        CHECK_EQ(w.at[ninth - 1], w.at[last] + life_of(last) + 2); /* a port each way */
    }
}

/* --- random shapes ---------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *rng, uint32_t below)
{
    return rng_below(rng_at(2019, (*rng)++), below);
}

static struct cta_rig_shape draw_shape(uint64_t *rng)
{
    struct cta_rig_shape s = {.clusters = 1 + draw(rng, 8),
                              .sms = 1 + draw(rng, 6),
                              .contexts = 1 + draw(rng, 5),
                              .ctas = 1 + draw(rng, 200),
                              .rate = draw(rng, 4)};
    s.all = s.clusters + draw(rng, s.clusters * s.sms - s.clusters + 1);
    s.first = draw(rng, s.all);
    s.count = 1 + draw(rng, s.all - s.first);
    if (draw(rng, 2)) /* with gaps, and the first of them in any case */
        s.only = rng_at(13, (*rng)++) | 1ull << s.first;
    return s;
}

/* Ends each running CTA with the same chance; returns how many. */
static uint32_t end_some(struct cta_rig *r, uint64_t *rng, uint32_t one_in)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->v.nctas; i++) {
        if (r->cta[i].sm == CTA_RIG_NOWHERE || r->cta[i].has_ended || draw(rng, one_in))
            continue;
        cta_rig_end(r, i);
        n++;
    }
    return n;
}

static void every_cta_is_started_once_and_ends_whatever_the_shape(void)
{
    uint64_t rng = 0;
    for (int i = 0; i < 200 * cta_policy_count; i++) {
        struct cta_rig_shape s = draw_shape(&rng);
        struct cta_rig r;
        uint32_t one_in = 1 + draw(&rng, 8);
        cta_rig_open(&r, cta_policy_all[i % cta_policy_count]->name, &s);
        for (uint32_t busy = 1; r.nended < s.ctas;) {
            uint32_t started = busy ? cta_rig_cycle(&r) : 0;
            CHECK(r.nstarted > r.nended); /* else nothing would ever happen again */
            busy = started + end_some(&r, &rng, one_in);
        }
        CHECK_EQ(r.nstarted, s.ctas);
        CHECK_EQ(cta_rig_settle(&r), 0);
        cta_rig_close(&r);
    }
}

static void a_scheduler_that_declines_keeps_its_state(void)
{
    for (int i = 0; i < cta_policy_count; i++) {
        uint64_t rng = 0;
        struct cta_rig_shape s = {.clusters = 3, .sms = 3, .contexts = 3, .ctas = 150, .rate = 1};
        struct cta_rig a, b;
        cta_rig_open(&a, cta_policy_all[i]->name, &s);
        cta_rig_open(&b, cta_policy_all[i]->name, &s);
        while (a.nended < s.ctas) {
            uint64_t same = rng;
            cta_rig_settle(&a);
            cta_rig_settle(&b);
            for (int k = 0; k < 5; k++)
                CHECK_EQ(cta_rig_cycle(&b), 0);
            end_some(&a, &rng, 4);
            end_some(&b, &same, 4);
            CHECK_EQ(rng, same);
        }
        for (uint32_t k = 0; k < s.ctas; k++)
            CHECK_EQ(a.cta[k].sm, b.cta[k].sm);
        cta_rig_close(&a);
        cta_rig_close(&b);
    }
}

CHECK_MAIN("policy_fig6", TEST(ctas_are_mapped_as_in_figure_6_whatever_the_dispatch_rate),
           TEST(the_five_are_five_different_schedulers),
           TEST(the_dispatcher_maps_ctas_as_in_figure_6_one_per_cluster_and_cycle),
           TEST(every_cta_is_started_once_and_ends_whatever_the_shape),
           TEST(a_scheduler_that_declines_keeps_its_state))
