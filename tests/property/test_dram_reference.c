/* A channel under FR-FCFS does what DRAMsim3 does: same cycles, same commands, same latencies, on
 * every trace, reads only or mixed. */
#include "check.h"

#include "rig/csv_rig.h"
#include "rig/dram_rig.h"

enum { CYCLES, READ_LATENCY, WRITE_LATENCY, HITS, MISSES, CONFLICTS, TURNAROUNDS, WRITES };

static void check_latency(double have, double want)
{
    CHECK(fabs(have - want) <= 0.00501); /* two decimals are given */
}

static void compare(struct arena *a, const struct csv_row *ref, struct dram_run run)
{
    const size_t len = strcspn(ref->name, " ");
    const struct dram_spec spec = dram_rig_spec(a, arena_printf(a, "%.*s", (int)len, ref->name));
    const struct dram_trace t = dram_rig_trace(a, ref->name + len + 1);
    run.spec = &spec;
    run.scheduler = "frfcfs";
    const struct dram_outcome o = dram_rig_play(a, &t, &run);
    print_message("%s\n", ref->name);
    CHECK_EQ(o.cycles, (uint64_t)ref->v[CYCLES]);
    check_latency(o.read_latency, ref->v[READ_LATENCY]);
    check_latency(o.write_latency, ref->v[WRITE_LATENCY]);
    CHECK_EQ(o.stats.row_hits, (uint64_t)ref->v[HITS]);
    CHECK_EQ(o.stats.row_misses, (uint64_t)ref->v[MISSES]);
    CHECK_EQ(o.stats.row_conflicts, (uint64_t)ref->v[CONFLICTS]);
    CHECK_EQ(o.stats.turnarounds, (uint64_t)ref->v[TURNAROUNDS]);
    CHECK_EQ(o.stats.writes, (uint64_t)ref->v[WRITES]);
}

static void compare_all(const char *file, int rows, struct dram_run run)
{
    struct arena *a = arena_new();
    struct csv ref = csv_rig_read(a, file, true);
    CHECK_EQ(ref.rows, rows);
    arena_free(a);
    for (int i = 0; i < rows; i++) { /* an arena each: a trace takes a few megabytes */
        a = arena_new();
        ref = csv_rig_read(a, file, true);
        compare(a, &ref.row[i], run);
        arena_free(a);
    }
}

static void every_trace_gives_what_the_reference_gives(void)
{
    compare_all("dram/reference.csv", 64, (struct dram_run){.queue = 32});
}

static void so_does_it_with_a_limit_of_four_row_hits(void)
{
    compare_all("dram/capped.csv", 86, (struct dram_run){.set = {"frfcfs.cap=4"}, .queue = 32});
}

static void so_does_it_with_queues_per_bank_and_writes_in_batches(void)
{
    compare_all("dram/banked.csv", 42,
                (struct dram_run){.set = {"frfcfs.cap=4", "frfcfs.in_turn=true"},
                                  .bank_queue = 8,
                                  .stage = {.room = 32, .above = 8, .after = HD_NEVER}});
}

CHECK_MAIN("dram reference", TEST(every_trace_gives_what_the_reference_gives),
           TEST(so_does_it_with_a_limit_of_four_row_hits),
           TEST(so_does_it_with_queues_per_bank_and_writes_in_batches))
