/* Sharing-aware caches as a whole: each path of Fig. 10 of "Power Efficient Sharing-Aware GPU Data
 * Management" (IPDPS 2017), on two SMs whose L1s are one set of two lines, and what of it can be
 * switched off. */
#include "check.h"

#include "mem/request.h"
#include "rig/machine_rig.h"

#define SMS                                                                                        \
    "gpu.clusters=2 ideal.cores=2 l1.allocate=fill l1.hashed=false l1.ways=2 l1.size=256 "         \
    "l2.ways=4 l2.size=512 "
#define POLICIES "l1.replacement=sharing_l1 l2.replacement=sharing_l2 "

/* One SM goes through a list of accesses, each when the last is done; the other does nothing. */
struct walk {
    uint32_t sm;
    const char *lines; /* a letter for a line of global memory, a digit for one of local memory */
};

static uint32_t steps_of(const void *context, uint32_t cta, uint32_t warp)
{
    const struct walk *w = context;
    (void)warp;
    return cta == w->sm ? (uint32_t)strlen(w->lines) : 0;
}

static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    const struct walk *w = context;
    char line = w->lines[at->loop];
    a->pattern = a->space == STREAM_LOCAL ? PATTERN_UNIFORM : PATTERN_STRIDE;
    a->stride = 4;
    a->base =
        a->space == STREAM_LOCAL ? 4 * (uint64_t)(line - '0') : LINE_BYTES * (uint64_t)(line - 'a');
}

static void run_kernel(struct machine_rig *r, const struct walk *w, struct stream_insn in)
{
    machine_rig_run(r, &(struct machine_rig_kernel){.insn = &in,
                                                    .ninsns = 1,
                                                    .ctas = 2,
                                                    .address = address,
                                                    .loops_of = steps_of,
                                                    .context = w});
}

/* Loads that wait for each other. */
static void load(struct machine_rig *r, uint32_t sm, const char *lines)
{
    enum stream_space space = lines[0] < 'a' ? STREAM_LOCAL : STREAM_GLOBAL;
    run_kernel(r, &(struct walk){sm, lines}, machine_rig_load(space, 1, 1));
}

static void store(struct machine_rig *r, uint32_t sm, const char *lines)
{
    struct stream_insn in =
        machine_rig_load(lines[0] < 'a' ? STREAM_LOCAL : STREAM_GLOBAL, REG_NONE, REG_NONE);
    in.flags = INSN_MEM | INSN_STORE;
    in.opclass = OPCLASS_STORE;
    run_kernel(r, &(struct walk){sm, lines}, in);
}

/* Of the last kernel. */
static void expect(const struct machine_rig *r, const char *name, double value)
{
    double got = machine_rig_stat(r, name);
    if (got != value)
        print_error("%s is %g, not %g\n", name, got, value);
    CHECK(got == value);
}

/* Of all kernels so far: a write-back may be under way when its kernel is over. */
static void expect_in_all(struct machine_rig *r, const char *name, double value)
{
    const struct stats_snapshot *counted = r->counted;
    r->counted = stats_snapshot(machine_stats(r->machine), r->arena);
    expect(r, name, value);
    r->counted = counted;
}

/* ---- ld.local ---- */

static void a_local_miss_takes_neither_line_nor_mshr_in_the_l2(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    load(&r, 0, "11");
    expect(&r, "l1.local.misses", 1);
    expect(&r, "l1.local.hits", 1); /* it is kept in the L1, where it is private */
    expect(&r, "l1.sharing.private_fills", 1);
    expect(&r, "l2.read_passes", 1);
    expect(&r, "l2.sharing.lines", 0);
    expect(&r, "l2.mshr_occupancy", 0);
    expect(&r, "dram.reads", 1);
    load(&r, 0, "1"); /* nothing of it was left in the L2 */
    expect(&r, "l2.read_passes", 1);
    machine_rig_close(&r);
}

static void a_local_line_that_is_in_the_l2_comes_from_there(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES "l2.write_fetch=false");
    store(&r, 0, "123"); /* 1 is written back, over an invalid line */
    expect(&r, "l1.write_backs", 1);
    load(&r, 0, "1");
    expect_in_all(&r, "l2.sharing.local_lines", 1);
    expect(&r, "l2.read_passes", 0);
    expect(&r, "l2.local_hits", 1);
    expect(&r, "l2.sharing.private_hits", 1);
    expect(&r, "l1.sharing.private_fills", 1);
    machine_rig_close(&r);
}

static void a_local_line_is_written_to_memory_where_only_shared_lines_could_give_way(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    load(&r, 0, "abcd");
    load(&r, 1, "abcd");
    expect(&r, "l2.sharing.lines_shared", 4);
    store(&r, 0, "123");
    load(&r, 1, "abcd");
    expect(&r, "l2.global_hits", 4);
    expect_in_all(&r, "l2.sharing.local_refused", 1);
    expect_in_all(&r, "l2.write_passes", 1);
    expect_in_all(&r, "dram.writes", 1);
    load(&r, 0, "1"); /* behind the write */
    expect(&r, "l2.read_passes", 1);
    machine_rig_close(&r);
}

/* ---- ld.global ---- */

static void a_miss_fills_the_l2_as_private_and_the_l1(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    load(&r, 0, "aa");
    expect(&r, "l1.global.misses", 1);
    expect(&r, "l1.global.hits", 1);
    expect(&r, "l1.sharing.private_fills", 1);
    expect(&r, "l2.sharing.lines", 1);
    expect(&r, "l2.sharing.lines_shared", 0);
    load(&r, 0, "a"); /* its owner's, in another kernel */
    expect(&r, "l2.sharing.private_hits", 1);
    expect(&r, "l1.sharing.private_fills", 1);
    machine_rig_close(&r);
}

static void a_hit_of_another_sm_makes_the_line_shared_and_an_invalid_line_of_the_l1_takes_it(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    load(&r, 0, "a");
    load(&r, 1, "aa");
    expect(&r, "l2.sharing.lines_shared", 1);
    expect(&r, "l2.sharing.shared_hits", 1);
    expect(&r, "l1.sharing.shared_fills", 1);
    expect(&r, "l1.global.hits", 1);
    load(&r, 0, "a"); /* for the owner, too */
    expect(&r, "l1.sharing.shared_fills", 1);
    machine_rig_close(&r);
}

static void a_shared_line_passes_an_l1_of_private_lines_by(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES "sharing_l1.dead=off");
    load(&r, 0, "a");
    load(&r, 1, "bcaabc");
    expect(&r, "l1.sharing.private_fills", 2);
    expect(&r, "l1.sharing.refused", 2);
    expect(&r, "l1.unkept", 2);
    expect(&r, "l1.global.hits", 2); /* b and c */
    expect(&r, "l1.global.misses", 4);
    expect(&r, "l2.global_hits", 2);
    machine_rig_close(&r);
}

static void a_shared_line_takes_the_place_of_a_shared_one(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES "sharing_l1.dead=off");
    load(&r, 0, "ab");
    load(&r, 1, "cabac"); /* a in, b for a, a for b */
    expect(&r, "l1.sharing.shared_fills", 3);
    expect(&r, "l1.sharing.refused", 0);
    expect(&r, "l1.sharing.shared_evictions", 2);
    expect(&r, "l1.global.hits", 1); /* c, which was never used in between */
    machine_rig_close(&r);
}

static void a_private_line_that_was_spared_once_makes_room(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    load(&r, 0, "a");
    load(&r, 1, "bcaaac"); /* a is refused and marks b, then takes it */
    expect(&r, "l1.sharing.refused", 1);
    expect(&r, "l1.sharing.marked", 1);
    expect(&r, "l1.sharing.dead_evictions", 1);
    expect(&r, "l1.global.hits", 2);
    machine_rig_close(&r);
}

/* Two SMs at the same time: both answers are made when both have asked. */
static void who_waits_for_one_fetch_with_another_sm_is_told_that_the_line_is_shared(void)
{
    const struct stream_insn in = machine_rig_load(STREAM_GLOBAL, 1, REG_NONE);
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES);
    machine_rig_run(&r,
                    &(struct machine_rig_kernel){.insn = &in, .ninsns = 1, .loops = 1, .ctas = 2});
    expect(&r, "l2.read_merges", 1);
    expect(&r, "l2.sharing.shared_merges", 1);
    expect(&r, "l1.sharing.shared_fills", 2);
    machine_rig_close(&r);
}

/* ---- other machines ---- */

static void behind_intra_cluster_coalescing_a_merged_line_is_shared(void)
{
    const struct stream_insn in = machine_rig_load(STREAM_GLOBAL, 1, REG_NONE);
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small,
                     POLICIES "gpu.sms_per_cluster=2 l1.allocate=fill icc.enabled=true");
    machine_rig_run(&r,
                    &(struct machine_rig_kernel){.insn = &in, .ninsns = 1, .loops = 1, .ctas = 2});
    expect(&r, "icc.merges", 1);
    expect(&r, "l2.sharing.lines_shared", 0); /* which sees one SM */
    expect(&r, "l1.sharing.shared_fills", 2);
    machine_rig_close(&r);
}

static void an_l1_that_gives_lines_to_misses_learns_of_it_later(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, SMS POLICIES "l1.allocate=miss");
    load(&r, 0, "a");
    load(&r, 1, "bcad"); /* a takes b's place, and d takes a's, which is shared */
    expect(&r, "l1.sharing.turned", 1);
    expect(&r, "l1.sharing.private_evictions", 1);
    expect(&r, "l1.sharing.shared_evictions", 1);
    expect(&r, "l1.sharing.refused", 0);
    machine_rig_close(&r);
}

static void without_an_l2_all_is_private(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small,
                     SMS "l1.replacement=sharing_l1 l2.enabled=false l2.writebacks=4");
    load(&r, 0, "a");
    load(&r, 1, "abc");
    expect(&r, "l1.sharing.private_fills", 3);
    expect(&r, "l1.sharing.shared_answers", 0);
    machine_rig_close(&r);
}

/* ---- kernels ---- */

static void flags_survive_a_launch_or_are_cleared_by_it(void)
{
    for (int clear = 0; clear < 2; clear++) {
        struct machine_rig r;
        machine_rig_open(&r, machine_rig_small,
                         clear ? SMS POLICIES "sharing_l2.at_launch=clear" : SMS POLICIES);
        load(&r, 0, "a");
        load(&r, 1, "a");
        expect(&r, "l2.sharing.lines_shared",
               clear ? 0 : 1); /* another kernel's line is anybody's */
        load(&r, 1, "a");
        expect(&r, "l1.sharing.shared_fills", clear ? 0 : 1);
        machine_rig_close(&r);
    }
}

CHECK_MAIN("sharing", TEST(a_local_miss_takes_neither_line_nor_mshr_in_the_l2),
           TEST(a_local_line_that_is_in_the_l2_comes_from_there),
           TEST(a_local_line_is_written_to_memory_where_only_shared_lines_could_give_way),
           TEST(a_miss_fills_the_l2_as_private_and_the_l1),
           TEST(a_hit_of_another_sm_makes_the_line_shared_and_an_invalid_line_of_the_l1_takes_it),
           TEST(a_shared_line_passes_an_l1_of_private_lines_by),
           TEST(a_shared_line_takes_the_place_of_a_shared_one),
           TEST(a_private_line_that_was_spared_once_makes_room),
           TEST(who_waits_for_one_fetch_with_another_sm_is_told_that_the_line_is_shared),
           TEST(behind_intra_cluster_coalescing_a_merged_line_is_shared),
           TEST(an_l1_that_gives_lines_to_misses_learns_of_it_later),
           TEST(without_an_l2_all_is_private), TEST(flags_survive_a_launch_or_are_cleared_by_it))
