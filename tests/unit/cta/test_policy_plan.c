/* CTAs with a place that wait for their cluster's turn. */
#include "check.h"
#include "cta/policy_plan.h"
#include "rig/cta_rig.h"

struct setup {
    struct arena *arena;
    struct sm_clusters clusters;
    struct sm_set sms;
    uint8_t room[4];
    uint32_t served[2];
    struct cta_view v;
    struct policy_plan *plan;
};

/* 2 clusters of 2 SMs with 2 contexts; SM 0 is not the kernel's. */
static void set_up(struct setup *s)
{
    *s = (struct setup){.arena = arena_new(), .room = {2, 2, 2, 2}};
    s->clusters = sm_clusters_deal(s->arena, 4, 2);
    s->sms = cta_rig_range(s->arena, &s->clusters, 1, 3);
    s->v = (struct cta_view){.clusters = &s->clusters,
                             .sms = &s->sms,
                             .contexts = 2,
                             .nctas = 100,
                             .room = s->room,
                             .served = s->served,
                             .rate = 1};
    s->plan = policy_plan_new(s->arena, &s->v);
}

static void what_is_planned_takes_room(void)
{
    struct setup s;
    set_up(&s);
    CHECK(!policy_plan_has_room(s.plan, &s.v, 0));
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(policy_plan_has_room(s.plan, &s.v, 1));
        policy_plan_add(s.plan, &s.v, (struct cta_pick){1, i});
    }
    CHECK(!policy_plan_has_room(s.plan, &s.v, 1));
    CHECK(policy_plan_has_room(s.plan, &s.v, 3));
    arena_free(s.arena);
}

static void a_cluster_gets_its_own_in_order_and_waits_for_no_other(void)
{
    struct setup s;
    struct cta_pick p;
    set_up(&s);
    policy_plan_add(s.plan, &s.v, (struct cta_pick){1, 0});
    policy_plan_add(s.plan, &s.v, (struct cta_pick){1, 1});
    policy_plan_add(s.plan, &s.v, (struct cta_pick){2, 2});
    CHECK(policy_plan_take(s.plan, &s.v, &p) && p.cta == 0 && p.sm == 1);
    s.served[0] = 1;
    CHECK(policy_plan_take(s.plan, &s.v, &p) && p.cta == 2 && p.sm == 2);
    s.served[1] = 1;
    CHECK(!policy_plan_take(s.plan, &s.v, &p));
    s.served[0] = 0;
    CHECK(policy_plan_take(s.plan, &s.v, &p) && p.cta == 1);
    s.served[0] = 0;
    CHECK(!policy_plan_take(s.plan, &s.v, &p));
    arena_free(s.arena);
}

static void queues_go_round(void)
{
    struct setup s;
    struct cta_pick p;
    set_up(&s);
    for (uint32_t i = 0; i < 50; i++) {
        policy_plan_add(s.plan, &s.v, (struct cta_pick){2, i});
        if (i < 2)
            continue; /* from now on three are planned at a time */
        CHECK(policy_plan_take(s.plan, &s.v, &p));
        CHECK_EQ(p.cta, i - 2);
    }
    arena_free(s.arena);
}

CHECK_MAIN("policy_plan", TEST(what_is_planned_takes_room),
           TEST(a_cluster_gets_its_own_in_order_and_waits_for_no_other), TEST(queues_go_round))
