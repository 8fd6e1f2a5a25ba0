/* Load-to-use latencies of machines as they are, by pointer chase: sums of what their files say,
 * written out. */
#include "check.h"

#include "rig/chase_rig.h"

static uint64_t chase(struct machine_rig *r, uint32_t loads, uint64_t stride)
{
    return chase_rig_run(r, STREAM_GLOBAL, loads, stride);
}

/* What a chase takes whose first load finds its line as `first` says and the others as `rest`. */
static uint64_t expected(const struct machine_rig *r, uint32_t loads, enum chase_rig_place first,
                         enum chase_rig_place rest)
{
    return chase_rig_sum(r, STREAM_GLOBAL, loads, first, rest);
}

/* All in slice 0: 8 slices of 256 bytes in turn. */
static void an_l2_hit_of_icc60_takes_147_cycles(void)
{
    struct machine_rig r;
    machine_rig_open(&r, "base: icc60.yaml", "");
    chase(&r, 20, 2048);
    uint64_t many = chase(&r, 20, 2048), few = chase(&r, 10, 2048);
    CHECK_EQ(many - few, 10 * (1 + 4 + (1 + 6 + 1) + 120 + 1 + (1 + 8 + 1) + 1 + 2));
    machine_rig_close(&r);
}

static void an_l1_hit_of_icc60_takes_4_cycles(void)
{
    struct machine_rig r;
    machine_rig_open(&r, "base: icc60.yaml", "");
    chase(&r, 1, 0); /* the line comes into the L2 */
    uint64_t many = chase(&r, 20, 0), few = chase(&r, 10, 0);
    CHECK_EQ(many - few, 10 * 4);
    CHECK_EQ(few, machine_rig_overhead(&r) + 147 + 9 * 4);
    machine_rig_close(&r);
}

/* One clock.  To the tags: 1 + 4 + (1 + 6 + 1) + 120 = 133.  Through memory: port 1, controller 100,
 * queue 1, tRCD 12, tCL 12, one burst of 2, back to the slice 1, fill 1; 130.  Back: (1 + 8 + 1) + 1
 * + 2 = 13.  A row that is open saves tRCD, another one that is open costs tRP.
 *
 * In a slice, bits of the address are, from bit 7: a column, a bank, five columns, three banks, rows.
 * Of eight slices of 256 bytes, a step of 8 x 2^17 bytes is a new row of the bank, one of 8 x 2^14
 * bytes the next bank but one (eight of them); 8 x 2^9 bytes stay in a row. */
static void a_dram_access_of_icc60_takes_276_cycles(void)
{
    enum { CLOSED = 133 + 130 + 13, OPEN = CLOSED - 12, OTHER = CLOSED + 12, N = 8 };
    static const struct {
        uint64_t stride;
        uint64_t rest;
        enum chase_rig_place row;
    } of[] = {
        {8u << 9, OPEN, ROW_OPEN}, {8u << 14, CLOSED, ROW_CLOSED}, {8u << 17, OTHER, ROW_OTHER}};
    for (int i = 0; i < 3; i++) {
        struct machine_rig r;
        machine_rig_open(&r, "base: icc60.yaml", "");
        uint64_t cold = chase(&r, N, of[i].stride);
        CHECK_EQ(cold, machine_rig_overhead(&r) + CLOSED + (N - 1) * of[i].rest);
        CHECK_EQ(cold, expected(&r, N, ROW_CLOSED, of[i].row));
        CHECK_EQ(chase(&r, N, of[i].stride), machine_rig_overhead(&r) + N * 147);
        machine_rig_close(&r);
    }
}

/* No L2, three clocks, a mesh, one sector of 32 bytes: a reply of two flits, two bursts of 16 bytes.
 * In cycles of 650 MHz (network and slice), two of which are one of an SM:
 *
 *     there   2 x (1 + 1) of the SM, (1 + 22 + 1), 1 in the slice                           29
 *     memory  of 800 MHz: 0, 1, tRP 13, tRCD 12, 2, tCL 9, 2; 39                           31.7
 *     back    fill 1, (1 + 23), 2 x (1 + 1) of the SM                                       29
 *
 * which is 44.8 cycles of the SM; waiting for the next edge of the DRAM, the slice and the SM takes
 * at most 0.8, 1 and 2 cycles of 650 MHz more, 1.9 of the SM in all.  On the way an open row saves
 * tRP + tRCD, a closed bank tRP.
 *
 * In a slice an address has four bits of burst, six of column, two of bank, rows from bit 12. */
static void a_dram_access_of_coalesce28_takes_45_cycles_and_the_wait_for_edges(void)
{
    static const struct {
        uint64_t stride;
        uint32_t loads;
        enum chase_rig_place rest, again;
        double saved; /* of 800 MHz, when repeated */
    } of[] = {{8 * 256, 4, ROW_OPEN, ROW_OPEN, 25},
              {8 * 1024, 4, ROW_CLOSED, ROW_OPEN, 25},
              {8 * 4096, 40, ROW_OTHER, ROW_OTHER, 0}};
    for (int i = 0; i < 3; i++) {
        struct machine_rig r;
        machine_rig_open(&r, "base: coalesce28.yaml", "");
        const uint32_t n = of[i].loads;
        uint64_t cold = chase(&r, n, of[i].stride);
        CHECK_EQ(cold, expected(&r, n, ROW_CLOSED, of[i].rest));
        uint64_t again = chase(&r, n, of[i].stride);
        CHECK_EQ(again, expected(&r, n, of[i].again, of[i].again));
        double each = (double)(again - machine_rig_overhead(&r)) / n;
        double least = (29 + (39 - of[i].saved) * 650 / 800 + 29) / 2;
        printf("coalesce28, stride %llu: %.2f cycles per load, of which %.2f wait for edges\n",
               (unsigned long long)of[i].stride, each, each - least);
        CHECK(each > least && each <= least + 1.91);
        machine_rig_close(&r);
    }
}

CHECK_MAIN("micro_machines", TEST(an_l1_hit_of_icc60_takes_4_cycles),
           TEST(an_l2_hit_of_icc60_takes_147_cycles), TEST(a_dram_access_of_icc60_takes_276_cycles),
           TEST(a_dram_access_of_coalesce28_takes_45_cycles_and_the_wait_for_edges))
