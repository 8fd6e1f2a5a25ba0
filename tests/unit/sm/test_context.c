/* CTAs on an SM: barriers, fences, their end, and the order of age. */
#include "check.h"
#include "rig/sm_rig.h"

#define PLAIN "sm.ibuffer=16", "sm.fetch_latency=1", "sm.fetch_warps=8"
static const char *const one_scheduler[] = {PLAIN, "sm.schedulers=1", NULL};

enum { WAIT = 145 }; /* of a division */

/* Block 0: a division and who needs it; further blocks are each test's own. */
static struct kernel_rig *kernel(uint32_t warps)
{
    struct kernel_rig *k = kernel_rig_new("k", 1, 32 * warps);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_op(UNIT_INT, OPCLASS_DIV, 1, 2));
    kernel_rig_add(k, kernel_rig_int(3, 1));
    return k;
}

static void add_block(struct kernel_rig *k, struct kernel_rig_insn in)
{
    kernel_rig_block(k);
    kernel_rig_add(k, in);
}

static void watch(struct sm_rig *r, struct kernel_rig *k)
{
    sm_rig_open(r, &(struct sm_rig_options){.kernel = k, .set = one_scheduler});
    sm_rig_watch(r);
    CHECK(sm_rig_adds_up(r));
}

static void close_all(struct sm_rig *r, struct kernel_rig *k)
{
    sm_rig_close(r);
    kernel_rig_free(k);
}

/* The cycle of a warp's n-th issue (of the first CTA; not the last of all). */
static hd_cycle nth(const struct sm_rig *r, int32_t slot, uint32_t n)
{
    for (uint32_t i = 0; i < r->nissues; i++)
        if (r->issue[i].slot == slot && n-- == 0)
            return r->issue[i].at;
    CHECK(!"not issued");
    return 0;
}

enum { BARRIER = 1, AFTER = 2, TAIL = 3 };

/* Barrier in block 1, an instruction in block 2, one more division in block 3 so that no warp is
 * the last. */
static struct kernel_rig *barrier_kernel(uint32_t warps, struct kernel_rig_insn bar)
{
    struct kernel_rig *k = kernel(warps);
    add_block(k, bar);
    add_block(k, kernel_rig_int(4, 5));
    add_block(k, kernel_rig_op(UNIT_INT, OPCLASS_DIV, 6, 7));
    return k;
}

static void go(struct kernel_rig *k, uint32_t warp, const char *blocks)
{
    for (; *blocks; blocks++)
        kernel_rig_path(k, warp, (uint32_t)(*blocks - '0'));
}

static void a_barrier_opens_when_the_last_warp_has_come(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(4, kernel_rig_bar(0, 0, true));
    go(k, 0, "123");
    go(k, 1, "123");
    go(k, 2, "0123");
    go(k, 3, "123");
    watch(&r, k);
    hd_cycle last = nth(&r, 2, 2);
    CHECK(last > WAIT && nth(&r, 0, 0) < 20 && nth(&r, 3, 0) < 20);
    for (int32_t w = 0; w < 4; w++)
        CHECK(nth(&r, w, w == 2 ? 3 : 1) > last && nth(&r, w, w == 2 ? 3 : 1) < last + 30);
    CHECK_EQ(r.sm->stats.barriers, 4);
    CHECK(r.sm->stats.stall_alu >= WAIT - 20); /* before standing at the barrier counts */
    close_all(&r, k);
}

static void some_warps_can_meet_without_the_others(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(3, kernel_rig_bar(7, 64, true));
    go(k, 0, "123");
    go(k, 1, "123");
    go(k, 2, "03");
    watch(&r, k);
    CHECK(nth(&r, 0, 1) < 20 && nth(&r, 1, 1) < 20);
    close_all(&r, k);
}

static void who_only_arrives_does_not_wait(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(2, kernel_rig_bar(2, 64, false));
    add_block(k, kernel_rig_bar(2, 64, true)); /* block 4 */
    go(k, 0, "123");
    go(k, 1, "0423");
    watch(&r, k);
    CHECK(nth(&r, 0, 1) < 20);
    CHECK(nth(&r, 1, 3) - nth(&r, 1, 2) < 5); /* the other one has been there */
    close_all(&r, k);
}

static void who_waits_waits_for_who_only_arrives(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(2, kernel_rig_bar(2, 64, false));
    add_block(k, kernel_rig_bar(2, 64, true));
    go(k, 0, "423");
    go(k, 1, "0123");
    watch(&r, k);
    CHECK(nth(&r, 0, 0) < 20 && nth(&r, 0, 1) > nth(&r, 1, 2));
    CHECK(r.sm->stats.barriers == 2 && nth(&r, 1, 2) > WAIT);
    close_all(&r, k);
}

static void warps_that_have_ended_count_as_arrived(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(4, kernel_rig_bar(0, 0, true));
    add_block(k, kernel_rig_exit());
    go(k, 0, "123");
    go(k, 1, "04"); /* ends while the others wait */
    k->is_empty[2] = true;
    go(k, 3, "13");
    watch(&r, k);
    hd_cycle end = nth(&r, 1, 2);
    CHECK(end > WAIT);
    CHECK(nth(&r, 0, 1) > end && nth(&r, 0, 1) < end + 5);
    CHECK_EQ(r.sm->stats.warps, 4);
    close_all(&r, k);
}

static void a_barrier_that_an_ending_warp_opens_can_end_the_others(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(32, kernel_rig_bar(0, 0, true));
    go(k, 0, "0");
    for (uint32_t w = 1; w < 32; w++)
        go(k, w, "1");
    watch(&r, k);
    CHECK_EQ(r.sm->stats.warps, 32);
    CHECK_EQ(r.host.nended, 1);
    close_all(&r, k);
}

static void barriers_of_different_numbers_do_not_mix(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(4, kernel_rig_bar(0, 64, true));
    add_block(k, kernel_rig_bar(15, 64, true));
    go(k, 0, "123");
    go(k, 1, "0123");
    go(k, 2, "423");
    go(k, 3, "423");
    watch(&r, k);
    CHECK(nth(&r, 2, 1) < 30 && nth(&r, 3, 1) < 30);
    CHECK(nth(&r, 0, 1) > nth(&r, 1, 2) && nth(&r, 1, 2) > WAIT);
    close_all(&r, k);
}

static void a_barrier_can_be_used_again_and_again(void)
{
    struct sm_rig r;
    struct kernel_rig *k = barrier_kernel(3, kernel_rig_bar(0, 0, true));
    go(k, 0, "1121013");
    go(k, 1, "1011213");
    go(k, 2, "1210113");
    watch(&r, k);
    CHECK_EQ(r.sm->stats.barriers, 3 * 4);
    CHECK_EQ(r.host.nended, 1);
    close_all(&r, k);
}

static void warps_at_different_barriers_are_a_deadlock(void)
{
    struct sm_rig r;
    struct err e = {0};
    struct kernel_rig *k = barrier_kernel(2, kernel_rig_bar(0, 64, true));
    add_block(k, kernel_rig_bar(1, 64, true));
    go(k, 0, "1");
    go(k, 1, "4");
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k});
    CHECK(!sm_rig_finish(&r, &e));
    CHECK_EQ(e.status, STATUS_DEADLOCK);
    close_all(&r, k);
}

/* The head of the queue, the port, the memory, the port, and told in the next cycle. */
enum { ROUND_TRIP = 1 + 1 + 100 + 1 + 1 };

static void a_fence_waits_for_stores(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_store_to(1, 0x1000));
    kernel_rig_add(k, kernel_rig_fence());
    kernel_rig_add(k, kernel_rig_fence()); /* nothing is outstanding any more */
    kernel_rig_add(k, kernel_rig_int(2, 3));
    watch(&r, k);
    CHECK_EQ(sm_rig_when(&r, 1), 1);
    CHECK_EQ(sm_rig_when(&r, 2), ROUND_TRIP);
    CHECK_EQ(sm_rig_when(&r, 3), ROUND_TRIP + 1);
    CHECK_EQ(r.sm->stats.stall_fence, ROUND_TRIP - 2);
    close_all(&r, k);
}

static void a_fence_waits_for_the_stores_of_its_own_warp_only(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 64);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_store_to(1, 0x1000));
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_fence());
    kernel_rig_add(k, kernel_rig_int(2, 3));
    go(k, 0, "01");
    go(k, 1, "1");
    watch(&r, k);
    CHECK(nth(&r, 1, 1) < 10 && nth(&r, 0, 1) < 10);
    CHECK(r.issue[r.nissues - 1].at >= nth(&r, 0, 0) + ROUND_TRIP);
    close_all(&r, k);
}

static void a_cta_ends_when_its_stores_are_acknowledged(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_store_to(1, 0x1000));
    kernel_rig_add(k, kernel_rig_exit());
    watch(&r, k);
    CHECK_EQ(r.host.ended[0].at, r.issue[0].at + ROUND_TRIP + 1);
    CHECK_EQ(r.sm->stats.stall_drain + r.sm->stats.stall_idle, ROUND_TRIP - 1);
    CHECK_EQ(r.sm->stats.active_cycles, ROUND_TRIP + 2); /* from its start, one before the issue */
    CHECK_EQ(r.sm->stats.warp_cycles, r.sm->stats.active_cycles);
    CHECK_EQ(r.sm->stats.cta_cycles, r.sm->stats.active_cycles);
    close_all(&r, k);
}

/* ---- sm.drain=false ---- */

static const char *const no_drain[] = {PLAIN, "sm.schedulers=1", "sm.drain=false", NULL};

static void watch_without_drain(struct sm_rig *r, struct kernel_rig *k, uint32_t contexts)
{
    struct err e = {0};
    sm_rig_open(r, &(struct sm_rig_options){.kernel = k, .set = no_drain, .contexts = contexts});
    sm_rig_watch(r);
    CHECK(sm_rig_finish(r, &e)); /* stores may be under way */
    CHECK(sm_rig_adds_up(r));
    CHECK(engine_audit(r->engine, &e));
}

static void a_cta_need_not_wait_for_its_stores_but_they_are_told_of(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_store_to(1, 0x1000));
    kernel_rig_add(k, kernel_rig_exit());
    watch_without_drain(&r, k, 1);
    CHECK_EQ(r.host.ended[0].at, r.issue[1].at + 1);
    CHECK_EQ(r.host.owing, 1);
    CHECK_EQ(r.host.nsettled, 1);
    CHECK_EQ(r.host.settled[0], r.issue[0].at + ROUND_TRIP); /* the port is not the next cycle's */
    CHECK_EQ(r.sm->stats.stall_drain, 0);
    close_all(&r, k);
}

static void a_cta_without_stores_owes_nothing(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 3, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_load(1, 0x1000)); /* is waited for, read or not */
    watch_without_drain(&r, k, 1);
    CHECK(r.host.ended[0].at > r.issue[0].at + 100);
    CHECK_EQ(r.host.owing, 0);
    CHECK_EQ(r.host.nsettled, 0);
    close_all(&r, k);
}

static void stores_of_several_ctas_are_settled_once(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 6, 64);
    kernel_rig_block(k);
    struct kernel_rig_insn store = kernel_rig_store_to(1, 0x1000);
    store.per_cta = 0x1000;
    kernel_rig_add(k, store);
    watch_without_drain(&r, k, 2);
    CHECK_EQ(r.host.nended, 6);
    CHECK(r.host.ended[5].at < 60); /* places are taken again while stores are under way */
    CHECK_EQ(r.host.owing, 63);
    CHECK_EQ(r.host.nsettled, 1);
    CHECK(r.host.settled[0] > 100 && r.host.settled[0] < 200);
    close_all(&r, k);
}

/* Who has the place of another knows nothing of its stores, but what is outstanding is counted by
 * place. */
static void a_fence_waits_for_the_stores_of_who_had_its_place_before(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 2, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_only(1, kernel_rig_store_to(1, 0x1000)));
    kernel_rig_add(k, kernel_rig_fence());
    kernel_rig_add(k, kernel_rig_int(2, 3));
    kernel_rig_add(k, kernel_rig_only(1, kernel_rig_store_to(2, 0x2000)));
    watch_without_drain(&r, k, 1);
    hd_cycle second = r.host.ended[0].at; /* CTA 1 follows while the second store is under way */
    CHECK_EQ(r.host.owing & 1, 1);
    CHECK(r.host.ended[1].at > second + 90);
    CHECK(r.host.ended[1].at >= r.host.settled[0]);
    close_all(&r, k);
}

static void a_cta_ends_when_unread_results_have_come(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_op(UNIT_INT, OPCLASS_DIV, 1, 2));
    watch(&r, k);
    CHECK_EQ(r.host.ended[0].at, r.issue[0].at + WAIT + 1);
    close_all(&r, k);
}

static void the_next_cta_gets_the_place_of_one_that_ended(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 5, 96);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_load(1, 0x1000));
    kernel_rig_add(k, kernel_rig_int(2, 1));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .set = one_scheduler, .contexts = 1});
    sm_rig_watch(&r);
    CHECK_EQ(r.host.nended, 5);
    CHECK_EQ(r.sm->stats.ctas, 5);
    CHECK_EQ(r.sm->stats.warps, 15);
    CHECK_EQ(r.sm->stats.warp_cycles, 3 * r.sm->stats.active_cycles);
    CHECK_EQ(r.sm->nresident, 0);
    CHECK_EQ(__builtin_popcountll(r.sm->free_slots), 48);
    close_all(&r, k);
}

/* CTAs 0 to 3 start in slots 0 to 3; CTA 4 gets slot 0 and is the youngest.  CTAs 1, 2 and 4 get the
 * same line in the same cycle, when CTA 3, which issued last, is gone. */
static void the_order_of_age_is_kept_when_ctas_end(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 5, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_only(1 << 1 | 1 << 2 | 1 << 4, kernel_rig_load(1, 0x1000)));
    kernel_rig_add(k, kernel_rig_only(1 << 3, kernel_rig_op(UNIT_INT, OPCLASS_DIV, 2, 9)));
    kernel_rig_add(k, kernel_rig_int(3, 1));
    kernel_rig_add(k, kernel_rig_int(4, 2));
    sm_rig_open(&r, &(struct sm_rig_options){
                        .kernel = k, .set = one_scheduler, .contexts = 4, .latency = 400});
    sm_rig_watch(&r);
    const int32_t order[] = {1, 1, 2, 2, 0, 0};
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_EQ(r.issue[r.nissues - 6 + i].slot, order[i]);
        CHECK(r.issue[r.nissues - 6 + i].at > 400);
    }
    const uint32_t ended[] = {0, 3, 1, 2, 4};
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(r.host.ended[i].cta, ended[i]);
    close_all(&r, k);
}

/* CTA 0 issues last before it ends; then the others are ready at once, and the first of them is
 * next. */
static void round_robin_goes_on_where_it_was_when_a_cta_ends(void)
{
    static const char *const lrr[] = {PLAIN, "sm.schedulers=1", "sm.scheduler=lrr", NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 4, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_only(1 << 1 | 1 << 2 | 1 << 3, kernel_rig_load(1, 0x1000)));
    for (uint16_t i = 0; i < 3; i++)
        kernel_rig_add(k, kernel_rig_int((uint16_t)(10 + i), 1));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .set = lrr, .contexts = 4});
    sm_rig_watch(&r);
    CHECK_EQ(r.nissues, 4 + 3 + 9);
    for (uint32_t i = 0; i < 9; i++)
        CHECK_EQ(r.issue[7 + i].slot, 1 + i % 3);
    close_all(&r, k);
}

static void ctas_can_end_in_the_same_cycle(void)
{
    static const char *const four[] = {PLAIN, "sm.schedulers=4", "sm.sp_units=4", "sm.sfu_units=4",
                                       NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 6, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_only(1 << 1, kernel_rig_op(UNIT_INT, OPCLASS_DIV, 1, 2)));
    kernel_rig_add(k, kernel_rig_int(3, 1));
    kernel_rig_add(k, kernel_rig_int(4, 3));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .set = four, .contexts = 3, .burst = 3});
    sm_rig_watch(&r);
    CHECK_EQ(r.host.ended[0].at, r.host.ended[1].at);
    CHECK_EQ(r.host.ended[0].cta, 0);
    CHECK_EQ(r.host.ended[1].cta, 2);
    CHECK_EQ(r.host.ended[5].cta, 1); /* the long one, in the middle, all others are over */
    CHECK(sm_rig_adds_up(&r));
    close_all(&r, k);
}

static void sixty_four_warps_fill_an_sm(void)
{
    static const char *const full[] = {"sm.threads=2048", "sm.schedulers=4", "sm.ctas=64", NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 5, 1024);
    kernel_rig_block(k);
    struct kernel_rig_insn load = kernel_rig_load(1, 0x1000);
    load.per_warp = 128;
    kernel_rig_add(k, load);
    kernel_rig_add(k, kernel_rig_int(2, 1));
    kernel_rig_add(k, kernel_rig_bar(0, 0, true));
    kernel_rig_add(k, kernel_rig_int(3, 1));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .set = full, .contexts = 2});
    sm_rig_watch(&r);
    CHECK_EQ(r.sm->stats.warps, 5 * 32);
    CHECK_EQ(r.sm->free_slots, UINT64_MAX);
    CHECK(sm_rig_adds_up(&r));
    close_all(&r, k);
    k = kernel_rig_new("k", 64, 32); /* as many CTAs as warps */
    kernel_rig_block(k);
    kernel_rig_add(k, load);
    kernel_rig_add(k, kernel_rig_int(2, 1));
    sm_rig_open(&r,
                &(struct sm_rig_options){.kernel = k, .set = full, .contexts = 64, .burst = 64});
    sm_rig_watch(&r);
    CHECK_EQ(r.sm->stats.ctas, 64);
    close_all(&r, k);
}

CHECK_MAIN("context", TEST(a_barrier_opens_when_the_last_warp_has_come),
           TEST(some_warps_can_meet_without_the_others), TEST(who_only_arrives_does_not_wait),
           TEST(who_waits_waits_for_who_only_arrives), TEST(warps_that_have_ended_count_as_arrived),
           TEST(a_barrier_that_an_ending_warp_opens_can_end_the_others),
           TEST(barriers_of_different_numbers_do_not_mix),
           TEST(a_barrier_can_be_used_again_and_again),
           TEST(warps_at_different_barriers_are_a_deadlock), TEST(a_fence_waits_for_stores),
           TEST(a_fence_waits_for_the_stores_of_its_own_warp_only),
           TEST(a_cta_ends_when_its_stores_are_acknowledged),
           TEST(a_cta_need_not_wait_for_its_stores_but_they_are_told_of),
           TEST(a_cta_without_stores_owes_nothing), TEST(stores_of_several_ctas_are_settled_once),
           TEST(a_fence_waits_for_the_stores_of_who_had_its_place_before),
           TEST(a_cta_ends_when_unread_results_have_come),
           TEST(the_next_cta_gets_the_place_of_one_that_ended),
           TEST(the_order_of_age_is_kept_when_ctas_end),
           TEST(round_robin_goes_on_where_it_was_when_a_cta_ends),
           TEST(ctas_can_end_in_the_same_cycle), TEST(sixty_four_warps_fill_an_sm))
