/* results_rig.c - a statistics tree that no machine filled. */
#include "rig/results_rig.h"

static const struct results_rig_item items[] = {
    {"sm", "thread_insns", 32000, 0},
    {"sm", "issued", 2000, 0},
    {"sm", "warp_cycles", 24000, 0},
    {"sm", "ready_warp_cycles", 3000, 0},
    {"sm", "active_cycles", 1500, 0},
    {"sm", "sched_cycles", 3000, 0},
    {"sm", "issue_cycles", 1200, 0},
    {"sm", "stall_mem", 900, 0},
    {"sm", "stall_lsu", 300, 0},
    {"sm", "stall_alu", 240, 0},
    {"sm", "stall_pipe", 150, 0},
    {"sm", "stall_fetch", 90, 0},
    {"sm", "stall_barrier", 60, 0},
    {"sm", "stall_fence", 30, 0},
    {"sm", "stall_drain", 15, 0},
    {"sm", "stall_idle", 15, 0},
    {"warps", "available", 4500, 0},
    {"l1", "mshr_cycles", 4500, 0},
    {"l1", "stores", 100, 0},
    {"l1", "store_accesses", 250, 0},
    {"l1", "atomics", 60, 0},
    {"l1", "reductions", 40, 0},
    {"l1", "local_stores", 20, 0},
    {"l1.global", "instructions", 200, 0},
    {"l1.global", "accesses", 400, 0},
    {"l1.global", "hits", 150, 0},
    {"l1.global", "misses", 90, 0},
    {"l1.global", "merges", 60, 0},
    {"l1.global", "passes", 100, 0},
    {"l1.global", "words", 3200, 0},
    {"l1.global", "latency", 30000, 200},
    {"l1.local", "instructions", 30, 0},
    {"l1.local", "accesses", 100, 0},
    {"l1.local", "hits", 50, 0},
    {"l1.local", "misses", 40, 0},
    {"l1.local", "merges", 10, 0},
    {"l1.local", "passes", 0, 0},
    {"l1.read", "answers", 10, 0},
    {"l1.read", "time_sm", 200, 0},
    {"l1.read", "time_request", 400, 0},
    {"l1.read", "time_l2", 600, 0},
    {"l1.read", "time_dram", 800, 0},
    {"l1.read", "time_reply", 500, 0},
    {"l1.read", "time_return", 100, 0},
    {"const", "instructions", 50, 0},
    {"const", "accesses", 100, 0},
    {"const", "hits", 99, 0},
    {"tex", "instructions", 0, 0},
    {"tex", "accesses", 0, 0},
    {"tex", "hits", 0, 0},
    {"shared", "cycles", 100, 0},
    {"shared", "conflict_cycles", 25, 0},
    {"cluster", "request_bytes", 16000, 0},
    {"cluster", "answer_bytes", 48000, 0},
    {"icc", "merges", 30, 0},
    {"icc", "cc_hits", 10, 0},
    {"icc", "lookups", 150, 0},
    {"icc", "pass_bypass", 50, 0},
    {"locality", "requests", 1000, 0},
    {"locality", "redundant_1", 100, 0},
    {"locality", "line_1", 60, 0},
    {"locality", "data_1", 40, 0},
    {"locality", "redundant_2", 200, 0},
    {"locality", "line_2", 120, 0},
    {"locality", "data_2", 80, 0},
    {"locality", "redundant_3", 300, 0},
    {"locality", "line_3", 180, 0},
    {"locality", "data_3", 120, 0},
    {"locality", "redundant_4", 400, 0},
    {"locality", "line_4", 240, 0},
    {"locality", "data_4", 160, 0},
    {"sharing", "blocks", 400, 0},
    {"sharing", "cta_shared", 280, 0},
    {"sharing", "distance_1", 100, 0},
    {"sharing", "distance_2", 60, 0},
    {"sharing", "distance_3", 30, 0},
    {"sharing", "distance_4", 6, 0},
    {"sharing", "distance_5", 84, 0},
    {"sharing", "sharers", 820, 0},
    {"sharing", "sharers_1", 400, 0},
    {"sharing", "sharers_2", 240, 0},
    {"sharing", "shared_hits", 500, 0},
    {"sharing", "shared_merges", 440, 0},
    {"sharing", "shared_misses", 60, 0},
    {"sharing", "reuse_0", 5, 0},
    {"sharing", "reuse_10", 10, 0},
    {"sharing", "reuse_100", 35, 0},
    {"sharing", "reuse_1000", 110, 0},
    {"sharing", "reuse_10000", 40, 0},
    {"sharing", "cta_mean", 9000, 3},
    {"sharing", "cta_sigma", 600, 2},
    {"sharing.l1", "compulsory", 9, 0},
    {"sharing.l1", "capacity", 61, 0},
    {"sharing.l1", "conflict", 20, 0},
    {"sharing.l1", "invalidated", 10, 0},
    {"sharing.l2", "compulsory", 19, 0},
    {"sharing.l2", "capacity", 70, 0},
    {"sharing.l2", "conflict", 11, 0},
    {"meetings", "reads", 1000, 0},
    {"meetings", "met_1", 100, 0},
    {"meetings", "holds_1", 500, 0},
    {"meetings", "met_2", 200, 0},
    {"meetings", "holds_2", 250, 0},
    {"meetings", "met_3", 300, 0},
    {"meetings", "holds_3", 125, 0},
    {"meetings", "met_4", 400, 0},
    {"meetings", "holds_4", 62, 0},
    {"l2", "accesses", 200, 0},
    {"l2", "read_hits", 60, 0},
    {"l2", "read_misses", 30, 0},
    {"l2", "read_merges", 10, 0},
    {"l2", "write_hits", 30, 0},
    {"l2", "atomic_hits", 10, 0},
    {"l2", "write_misses", 20, 0},
    {"l2", "atomic_misses", 14, 0},
    {"l2.sharing", "lines", 100, 0},
    {"l2.sharing", "used_by_2", 40, 0},
    {"l2.sharing", "line_sms", 180, 0},
    {"l1.sharing", "shared_waiters", 60, 0},
    {"l1.sharing", "shared_answers", 20, 0},
    {"l1.sharing", "shared_uses", 40, 0},
    {"l2", "bytes_read", 10000, 0},
    {"l2", "bytes_written", 4000, 0},
    {"dram", "read_bytes", 9600, 0},
    {"dram", "write_bytes", 6400, 0},
    {"dram", "row_hits", 75, 0},
    {"dram", "row_misses", 15, 0},
    {"dram", "row_conflicts", 10, 0},
    {"dram", "cycles", 1000, 0},
    {"dram", "bus_busy", 300, 0},
    {"dram", "pending", 400, 0},
    {"dram", "queued", 1600, 0},
    {"dram", "bank_idle", 2400, 0},
    {"dram", "bank_busy", 1600, 0},
};

static const struct results_rig_item two_networks[] = {
    {"noc.request", "flits_in", 2000, 0},
    {"noc.request", "flits_out", 1000, 0},
    {"noc.request", "packets_out", 500, 0},
    {"noc.request", "latency", 5000, 500},
    {"noc.reply", "flits_in", 1600, 0},
    {"noc.reply", "flits_out", 1600, 0},
    {"noc.reply", "packets_out", 400, 0},
    {"noc.reply", "latency", 8000, 400},
    {"noc.request.extension", "reads", 400, 0},
    {"noc.request.extension", "reads_same_sm", 60, 0},
    {"noc.request.extension", "reads_other_sms", 40, 0},
    {"noc.request.extension", "big_packet", 100, 40},
    {"noc.request.extension", "waited", 6000, 0},
};

static const struct results_rig_item one_network[] = {
    {"noc", "flits_in", 3000, 0},
    {"noc", "flits_out", 2600, 0},
    {"noc", "packets_out", 900, 0},
    {"noc", "latency", 9000, 900},
    {"noc.extension", "reads", 200, 0},
    {"noc.extension", "reads_same_sm", 30, 0},
    {"noc.extension", "reads_other_sms", 50, 0},
};

void results_rig_plant(struct stats *t, struct arena *a, const struct results_rig_item *list,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct stat_row *row = ARENA_NEW(a, struct stat_row);
        struct stat_mean *value = ARENA_NEW(a, struct stat_mean);
        enum stat_kind kind = list[i].n ? STAT_MEAN : STAT_COUNTER;
        *row = (struct stat_row){list[i].name, kind, 0, "", ""};
        if (list[i].n)
            *value = (struct stat_mean){.n = list[i].n, .sum = list[i].value};
        else
            *(uint64_t *)value = list[i].value;
        stats_add(t, list[i].path, row, 1, value);
    }
}

const struct results_scale results_rig_scale = {.sms = 2,
                                                .max_warps = 32,
                                                .clusters = 2,
                                                .slices = 1,
                                                .sm_clock = 1e9,
                                                .noc_clock = 2e9,
                                                .dram_peak = 64e9,
                                                .stated_dram_peak = 60e9,
                                                .ticks_per_cycle = 2};

struct results_rig results_rig_new(bool is_one)
{
    struct results_rig w = {.a = arena_new()};
    w.t = stats_new(w.a);
    results_rig_plant(w.t, w.a, items, sizeof items / sizeof items[0]);
    if (is_one)
        results_rig_plant(w.t, w.a, one_network, sizeof one_network / sizeof one_network[0]);
    else
        results_rig_plant(w.t, w.a, two_networks, sizeof two_networks / sizeof two_networks[0]);
    w.v = (struct results_view){
        .scale = &results_rig_scale, .values = stats_snapshot(w.t, w.a), .cycles = 1000};
    return w;
}
