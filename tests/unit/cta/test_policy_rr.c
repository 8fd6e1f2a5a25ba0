/* Two-level round robin by itself: who is next, whatever room there is. */
#include "check.h"
#include "cta/policy.h"
#include "rig/cta_rig.h"

struct setup {
    struct arena *a;
    struct sm_clusters clusters;
    struct sm_set sms;
    uint8_t room[12];
    uint32_t served[4];
    struct cta_view v;
    void *state;
};

static void set_up(struct setup *s, uint32_t clusters, uint32_t sms, uint8_t room)
{
    *s = (struct setup){.a = arena_new()};
    for (uint32_t i = 0; i < clusters * sms; i++)
        s->room[i] = room;
    s->clusters = sm_clusters_deal(s->a, clusters * sms, clusters);
    s->sms = cta_rig_range(s->a, &s->clusters, 0, clusters * sms);
    s->v = (struct cta_view){.clusters = &s->clusters,
                             .sms = &s->sms,
                             .nctas = 100,
                             .room = s->room,
                             .served = s->served,
                             .rate = UINT32_MAX};
    s->state = cta_policy_find("rr")->begin(s->a, &s->v, NULL);
}

/* The SM of the next CTA, whose number is checked; -1: none. */
static int next(struct setup *s, uint32_t cta)
{
    struct cta_pick p;
    if (!cta_policy_find("rr")->next(s->state, &s->v, &p))
        return -1;
    CHECK_EQ(p.cta, cta);
    s->room[p.sm]--;
    return (int)p.sm;
}

static void clusters_take_turns_and_in_each_its_sms(void)
{
    struct setup s;
    set_up(&s, 3, 2, 2);
    const int sm[] = {0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5, -1};
    for (uint32_t i = 0; i < 13; i++)
        CHECK_EQ(next(&s, i), sm[i]);
    arena_free(s.a);
}

static void who_has_no_room_loses_his_turn(void)
{
    struct setup s;
    set_up(&s, 3, 2, 1);
    s.room[2] = s.room[3] = 0;
    const int sm[] = {0, 4, 1, 5, -1};
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(next(&s, i), sm[i]);
    s.room[3] = 1;
    CHECK_EQ(next(&s, 4), 3);
    s.room[0] = s.room[5] = 1;
    CHECK_EQ(next(&s, 5), 5); /* cluster 1 was last */
    CHECK_EQ(next(&s, 6), 0);
    arena_free(s.a);
}

static void a_cluster_that_has_been_served_loses_its_turn(void)
{
    struct setup s;
    set_up(&s, 2, 2, 4);
    s.v.rate = 1;
    s.served[0] = 1;
    CHECK_EQ(next(&s, 0), 2);
    s.served[1] = 1;
    CHECK_EQ(next(&s, 1), -1);
    s.served[0] = s.served[1] = 0;
    CHECK_EQ(next(&s, 1), 0);
    arena_free(s.a);
}

static void after_the_last_cta_there_is_none(void)
{
    struct setup s;
    set_up(&s, 2, 2, 200);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(next(&s, i) >= 0);
    CHECK_EQ(next(&s, 100), -1);
    arena_free(s.a);
}

static void only_the_sms_of_the_kernel_are_served(void)
{
    struct setup s;
    set_up(&s, 3, 2, 9);
    s.sms = cta_rig_range(s.a, &s.clusters, 1, 2);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(next(&s, i), i % 2 ? 2 : 1);
    arena_free(s.a);
}

CHECK_MAIN("policy_rr", TEST(clusters_take_turns_and_in_each_its_sms),
           TEST(who_has_no_room_loses_his_turn),
           TEST(a_cluster_that_has_been_served_loses_its_turn),
           TEST(after_the_last_cta_there_is_none), TEST(only_the_sms_of_the_kernel_are_served))
