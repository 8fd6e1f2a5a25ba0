#include "check.h"

#include "dram/mc.h"
#include "l2/slice.h"
#include "machine/energy.h"
#include "rig/capture.h"
#include "rig/results_rig.h"
#include "sm/sm.h"

struct expect {
    const char *name;
    double value;
};

static void check_all(const struct results_view *v, const struct expect *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double value = results_derived(v, x[i].name);
        if (!(fabs(value - x[i].value) <= 1e-12 * fabs(x[i].value)))
            print_error("%s is %g, not %g\n", x[i].name, value, x[i].value);
        CHECK_NEAR(value, x[i].value, 1e-12);
    }
}

static void every_derived_statistic_is_what_its_formula_says(void)
{
    static const struct expect x[] = {
        {"cycles", 1000},
        {"time_us", 1},
        {"ipc", 32},
        {"warp_ipc", 2},
        {"lanes_per_insn", 16},
        {"occupancy", 50},
        {"resident_warps", 16},
        {"ready_warps", 2},
        {"available_warps", 3},
        {"active_sms", 75},
        {"issue_share", 40},
        {"stall_mem_share", 30},
        {"stall_lsu_share", 10},
        {"stall_alu_share", 8},
        {"stall_pipe_share", 5},
        {"stall_fetch_share", 3},
        {"stall_barrier_share", 2},
        {"stall_fence_share", 1},
        {"stall_drain_share", 0.5},
        {"stall_idle_share", 0.5},
        {"l1_hit_rate", 50},
        {"l1_merge_rate", 35},
        {"l1_mshrs_used", 3},
        {"lines_per_load", 2},
        {"lines_per_store", 2.5},
        {"line_use", 25},
        {"load_latency", 150},
        {"const_hit_rate", 99},
        {"store_part", 25},
        {"local_part", 10},
        {"tex_part", 0},
        {"const_part", 10},
        {"shared_conflicts", 25},
        {"icc_coalesced", 20},
        {"icl_1", 10},
        {"icl_line_1", 6},
        {"icl_data_1", 4},
        {"icl_2", 20},
        {"icl_line_2", 12},
        {"icl_data_2", 8},
        {"icl_3", 30},
        {"icl_line_3", 18},
        {"icl_data_3", 12},
        {"icl_4", 40},
        {"icl_line_4", 24},
        {"icl_data_4", 16},
        {"cta_shared", 70},
        {"cta_shared_near", 70},
        {"sm_shared", 60},
        {"sms_per_shared_block", 2.75},
        {"shared_mshr_hits", 44},
        {"shared_late_reuse", 75},
        {"l1_compulsory", 9},
        {"l2_compulsory", 19},
        {"cta_time_spread", 10},
        {"l2_hit_rate", 50},
        {"l2_read_hit_rate", 60},
        {"l2_merge_rate", 25},
        {"l2_mpki", 2},
        {"l2_lines_shared", 40},
        {"l2_sms_per_line", 1.8},
        {"l2_sms_per_shared_line", 3},
        {"l1_shared_mshr_hits", 40},
        {"l2_gbs", 14},
        {"latency", 130},
        {"latency_sm", 10},
        {"latency_request", 20},
        {"latency_l2", 30},
        {"latency_dram", 40},
        {"latency_reply", 25},
        {"latency_return", 5},
        {"network_time", 45},
        {"dram_access_time", 85},
        {"reads_in_flight", 1.3},
        {"noc_flits", 1.3},
        {"noc_packets", 0.45},
        {"noc_use", 60},
        {"request_flits", 0.5},
        {"request_packets", 0.25},
        {"request_latency", 10},
        {"request_use", 50},
        {"coalesced_reads", 25},
        {"coalesced_same_sm", 15},
        {"coalesced_other_sms", 10},
        {"reads_per_big_packet", 2.5},
        {"coalesce_wait", 15},
        {"reply_flits", 0.8},
        {"reply_packets", 0.2},
        {"reply_latency", 20},
        {"reply_use", 80},
        {"noc_bytes_per_insn", 2},
        {"dram_gbs", 16},
        {"dram_use", 25},
        {"dram_bus_use", 30},
        {"dram_row_hit_rate", 75},
        {"dram_row_miss_rate", 25},
        {"dram_bank_idle", 60},
        {"dram_queue", 4},
        {"dram_bytes_per_insn", 0.5},
        {"row_met_1", 10},
        {"row_hold_1", 2},
        {"row_met_2", 20},
        {"row_hold_2", 4},
        {"row_met_3", 30},
        {"row_hold_3", 8},
        {"row_met_4", 40},
        {"row_hold_4", 1000 / 62.},
    };
    struct results_rig w = results_rig_new(false);
    check_all(&w.v, x, sizeof x / sizeof x[0]);
    CHECK(isnan(results_derived(&w.v, "tex_hit_rate"))); /* there were no fetches */
    /* A new one wants its line here; energies have tests of their own. */
    CHECK_EQ(results_nrows, sizeof x / sizeof x[0] + 1 + ENERGY_MODELS * ENERGY_VALUES);
    arena_free(w.a);
}

static void one_network_has_no_directions(void)
{
    struct results_rig w = results_rig_new(true);
    CHECK_NEAR(results_derived(&w.v, "noc_flits"), 1.3, 1e-12);
    CHECK_NEAR(results_derived(&w.v, "noc_use"), 50, 1e-12);
    CHECK(isnan(results_derived(&w.v, "request_latency")));
    CHECK_NEAR(results_derived(&w.v, "coalesced_reads"), 40, 1e-12);
    CHECK(isnan(results_derived(&w.v, "reply_use")));
    arena_free(w.a);
}

static void the_parts_of_the_latency_sum_to_the_whole(void)
{
    struct results_rig w = results_rig_new(false);
    struct results_scale odd = results_rig_scale;
    odd.ticks_per_cycle = 7; /* so that the parts are no whole numbers */
    w.v.scale = &odd;
    static const char *const parts[] = {"latency_sm",   "latency_request", "latency_l2",
                                        "latency_dram", "latency_reply",   "latency_return"};
    double sum = 0;
    for (size_t i = 0; i < 6; i++)
        sum += results_derived(&w.v, parts[i]);
    CHECK(sum == results_derived(&w.v, "latency")); /* to the last bit */
    arena_free(w.a);
}

static void what_was_not_counted_is_not_a_number(void)
{
    struct arena *a = arena_new();
    struct results_view v = {.scale = &results_rig_scale,
                             .values = stats_snapshot(stats_new(a), a)};
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, "cycles") && strcmp(results_rows[i].name, "time_us"))
            CHECK(isnan(results_rows[i].value(&v)));
    arena_free(a);
}

static void names_are_unique_and_documented(void)
{
    for (size_t i = 0; i < results_nrows; i++) {
        CHECK(*results_rows[i].unit && *results_rows[i].help);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(results_rows[i].name, results_rows[k].name) != 0);
    }
}

static void a_tree_without_a_name_is_told_apart(void)
{
    struct results_rig one = results_rig_new(true), two = results_rig_new(false);
    struct err e = {0};
    CHECK(results_check_names(&results_rig_scale, one.t, &e));
    CHECK(results_check_names(&results_rig_scale, two.t, &e));
    struct stats *t = stats_new(one.a);
    static const struct results_rig_item some[] = {{"sm", "thread_insns", 1, 0}};
    results_rig_plant(t, one.a, some, 1);
    CHECK(!results_check_names(&results_rig_scale, t, &e));
    CHECK_STR(e.text, "derived.def: no statistic is named sm.issued");
    arena_free(one.a);
    arena_free(two.a);
}

static void the_scale_is_read_from_the_configuration(void)
{
    static const struct cfg_section *const sections[] = {&gpu_section, &sm_section, &noc_section,
                                                         &l2_section,  &mc_section, &dram_section};
    static const char *const settings[] = {
        "gpu.clusters=10",  "gpu.sms_per_cluster=2",  "gpu.clock=1GHz",  "noc.clock=1.5GHz",
        "l2.clock=1GHz",    "dram.clock=0.5GHz",      "mc.channels=4",   "l2.slices_per_channel=2",
        "dram.bus_bits=64", "dram.beats_per_cycle=4", "sm.threads=1024", "sm.warps=0"};
    struct arena *a = arena_new();
    struct config *c = config_new(a, sections, 6);
    struct results_scale s;
    struct err e = {0};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        CHECK(config_set(c, settings[i], &e));
    results_scale_init(&s, c);
    CHECK(s.sms == 20 && s.clusters == 10 && s.slices == 8 && s.max_warps == 32);
    CHECK(s.sm_clock == 1e9 && s.noc_clock == 1.5e9);
    CHECK(s.ticks_per_cycle == 3); /* of 3 GHz, the least common multiple */
    CHECK(s.dram_peak == 64e9);    /* 4 channels of 8 bytes, 4 times 0.5 GHz */
    CHECK(config_set(c, "gpu.sm_count=7", &e) && config_set(c, "sm.warps=24", &e));
    results_scale_init(&s, c);
    CHECK(s.sms == 7 && s.max_warps == 24);
    CHECK(config_set(c, "gpu.sm_count=0", &e) && config_set(c, "gpu.sm_first=3", &e));
    results_scale_init(&s, c);
    CHECK(s.sms == 17);
    CHECK(config_set(c, "gpu.sms=23", &e)); /* clusters of 3 and 2 */
    results_scale_init(&s, c);
    CHECK(s.sms == 20 && s.clusters == 10);
    arena_free(a);
}

struct kernel_world {
    struct arena *a;
    struct two {
        uint64_t insns, issued;
    } now;
    struct machine_kernel k;
};

static void kernel_run(struct kernel_world *w)
{
    static const struct stat_row rows[] = {
        {"thread_insns", STAT_COUNTER, offsetof(struct two, insns), "", ""},
        {"issued", STAT_COUNTER, offsetof(struct two, issued), "", ""}};
    w->a = arena_new();
    struct stats *t = stats_new(w->a);
    stats_add(t, "sm", rows, 2, &w->now);
    w->now = (struct two){1000, 50};
    w->k = (struct machine_kernel){.name = "k\"1\"",
                                   .grid = {8, 1, 1},
                                   .block = {64, 2, 1},
                                   .regs_per_thread = 30,
                                   .ptx_insns = 77,
                                   .regs_from = "ptxas",
                                   .ctas_per_sm = 4,
                                   .limit = "threads",
                                   .waves = 0.5,
                                   .begin = 100,
                                   .end = 300,
                                   .ctas = 8,
                                   .ctas_done = 8};
    w->k.before = stats_snapshot(t, w->a);
    w->now = (struct two){4000, 150};
    w->k.after = stats_snapshot(t, w->a);
}

static void a_kernel_counts_from_its_start_to_its_end(void)
{
    struct kernel_world w;
    kernel_run(&w);
    struct results_view v = results_of_kernel(&results_rig_scale, &w.k, w.a);
    CHECK(results_derived(&v, "cycles") == 200);
    CHECK(results_derived(&v, "ipc") == 15);
    CHECK(stats_snapshot_value(v.values, "sm.issued") == 100);
    CHECK(stats_snapshot_value(w.k.after, "sm.issued") == 150); /* as it was */
    arena_free(w.a);
}

static void the_document_of_a_kernel(void)
{
    struct kernel_world w;
    struct text x;
    struct json j;
    kernel_run(&w);
    text_open(&x);
    json_begin(&j, x.out);
    results_kernel_json(&results_rig_scale, &w.k, w.a, &j);
    json_end(&j);
    const char *s = text_close(&x);
    CHECK(strstr(
        s,
        "{\n  \"kernel\": \"k\\\"1\\\"\",\n  \"grid\": [8, 1, 1],\n"
        "  \"block\": [64, 2, 1],\n  \"ctas\": 8,\n  \"ctas_done\": 8,\n"
        "  \"regs_per_thread\": 30,\n  \"ptx_insns\": 77,\n  \"regs_from\": \"ptxas\",\n"
        "  \"ctas_per_sm\": 4,\n  \"limit\": \"threads\",\n  \"waves\": 0.5,\n  \"program\": 0,\n"
        "  \"begin\": 100,\n  \"end\": 300,\n  \"stats\": {\n    \"cycles\": 200,\n"));
    CHECK(strstr(s, "\"ipc\": 15,\n"));
    CHECK(strstr(s, "\"dram_gbs\": null,\n"));
    CHECK(strstr(s, "\"sm.thread_insns\": 3000,\n    \"sm.issued\": 100\n  }\n}\n"));
    text_free(&x);
    arena_free(w.a);
}

CHECK_MAIN("results", TEST(every_derived_statistic_is_what_its_formula_says),
           TEST(one_network_has_no_directions), TEST(the_parts_of_the_latency_sum_to_the_whole),
           TEST(what_was_not_counted_is_not_a_number), TEST(names_are_unique_and_documented),
           TEST(a_tree_without_a_name_is_told_apart),
           TEST(the_scale_is_read_from_the_configuration),
           TEST(a_kernel_counts_from_its_start_to_its_end), TEST(the_document_of_a_kernel))
