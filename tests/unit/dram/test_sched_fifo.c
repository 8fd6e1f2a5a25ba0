#include "check.h"

#include "dram/scheduler.h"
#include "rig/dram_rig.h"

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n,
                                const char *scheduler)
{
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = scheduler, .queue = 32};
    return dram_rig_play(a, &t, &run);
}

static void each_bank_serves_in_order_of_arrival(void)
{
    struct arena *a = arena_new();
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = dram_rig_random(a, 9, 2000, &s);
    const struct dram_outcome o = play(a, t.at, t.n, "fifo");
    hd_cycle last[16] = {0}, latest = 0;
    bool is_reordered = false;
    for (uint32_t i = 0; i < t.n; i++) {
        CHECK(o.done[i] > last[t.at[i].bank]);
        last[t.at[i].bank] = o.done[i];
        is_reordered |= o.done[i] < latest;
        latest = o.done[i] > latest ? o.done[i] : latest;
    }
    CHECK(is_reordered);
    arena_free(a);
}

static void banks_overlap(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}};
    const struct dram_outcome o = play(a, r, 2, "fifo");
    CHECK_EQ(o.done[0], 27);
    CHECK_EQ(o.done[1], 27 + 6);
    arena_free(a);
}

/* A and B are of one bank, C is of another.  A: ACT in 1, RD in 13, 14 cycles to the end of its
 * data.  B waits for its bank until 14, and C behind it: its activate is the first command of 14,
 * as that bank's row may not be closed before 29.  With a FIFO per bank it is due tRRD after A's.
 */
static void a_head_whose_bank_is_at_work_holds_up_all_others(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 1, 1, 3, 1, 0}};
    const struct dram_outcome fifo = play(a, r, 3, "fifo"), banked = play(a, r, 3, "banked_fifo");
    CHECK_EQ(fifo.done[0], 27);
    CHECK_EQ(fifo.done[1], 29 + 12 + 12 + 14);
    CHECK_EQ(fifo.done[2], 14 + 12 + 14);
    CHECK_EQ(banked.done[0], 27);
    CHECK_EQ(banked.done[1], 29 + 12 + 12 + 14);
    CHECK_EQ(banked.done[2], 7 + 12 + 14);
    arena_free(a);
}

/* A hit waits as well: D hits the row that A has opened, B is between them. */
static void a_hit_behind_a_miss_waits(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 0, 1, 3, 1, 0}};
    const struct dram_outcome o = play(a, r, 3, "fifo");
    CHECK(o.done[1] < o.done[2]);
    CHECK_EQ(o.stats.row_conflicts, 2);
    arena_free(a);
}

static void a_bank_can_have_the_whole_queue(void)
{
    CHECK(scheduler_find("fifo")->share == NULL);
}

/* ---- n reads that go round some banks, a new row each ----
 *
 * With a slot for row commands of their own, and tRC = tRAS + tRP >= tRCD + tRTP + tRP:
 *
 * fifo    A bank gets its next transfer when the last one's RD has gone, tRCD after its ACT, long
 *         before the row may be closed (tRAS).  So banks repeat every tRC, and within a round
 *         activates are tRRD apart; where a round of tRRD each is longer than tRC, it is the period:
 *             ACT(i) = 1 + (i / banks) x max(tRC, banks x tRRD) + (i % banks) x tRRD
 * serial  PRE, ACT and RD of a transfer follow the RD of the one before: banks that are still
 *         closed save the PRE.  Only in the first round of few banks tRAS can be left to wait for.
 *             RD(i) = RD(i - 1) + 1 + tRP + tRCD;  less tRP for the first of each bank
 *
 * and the data is there tCL + burst after the last RD. */

static struct dram_spec rounds_spec(struct arena *a)
{
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.dual_command = true;
    s.tfaw = 0;
    s.tras = 27; /* tRC is 40 and tRRD 6: with 28, a PRE and an ACT would want the same cycle */
    s.trp = 13;
    return s;
}

static hd_cycle play_rounds(struct arena *a, const char *scheduler, uint32_t n, uint32_t banks)
{
    const struct dram_spec s = rounds_spec(a);
    struct dram_request *r = ARENA_ARRAY(a, struct dram_request, n);
    for (uint32_t i = 0; i < n; i++)
        r[i] = (struct dram_request){0, i % banks, i, i, 1, false};
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = scheduler, .queue = 32};
    return dram_rig_play(a, &t, &run).cycles;
}

static hd_cycle rounds_fifo(const struct dram_spec *s, uint32_t n, uint32_t banks)
{
    const int64_t last = n - 1, spread = banks * s->trrd;
    const int64_t round = spread > s->trc ? spread : s->trc;
    const int64_t act = 1 + last / banks * round + last % banks * s->trrd;
    return (hd_cycle)(act + s->trcd + s->tcl + s->burst / s->beats_per_cycle);
}

static hd_cycle rounds_serial(const struct dram_spec *s, uint32_t n, uint32_t banks)
{
    const int64_t first = n < banks ? n : banks;
    const int64_t again = 1 + banks * (1 + s->trcd); /* to the first bank, if it may be closed */
    const int64_t wait = n > banks && 1 + s->tras > again ? 1 + s->tras - again : 0;
    const int64_t read = n * (1 + s->trcd) + (n - first) * s->trp + wait;
    return (hd_cycle)(read + s->tcl + s->burst / s->beats_per_cycle);
}

static void rounds_over_banks_take_their_closed_form(void)
{
    struct arena *a = arena_new();
    const struct dram_spec s = rounds_spec(a);
    for (uint32_t banks = 2; banks <= 16; banks++) {
        for (uint32_t n = 1; n <= 100; n += 11) {
            CHECK_EQ(play_rounds(a, "fifo", n, banks), rounds_fifo(&s, n, banks));
            CHECK_EQ(play_rounds(a, "serial", n, banks), rounds_serial(&s, n, banks));
        }
    }
    arena_free(a);
}

CHECK_MAIN("sched_fifo", TEST(each_bank_serves_in_order_of_arrival), TEST(banks_overlap),
           TEST(a_head_whose_bank_is_at_work_holds_up_all_others), TEST(a_hit_behind_a_miss_waits),
           TEST(a_bank_can_have_the_whole_queue), TEST(rounds_over_banks_take_their_closed_form))
