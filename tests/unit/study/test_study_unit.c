#include "check.h"

#include "rig/study_rig.h"
#include "study/expr.h"
#include "study/study_priv.h"

/* A figure of these lines is of this unit and is read so. */
static void is(const char *lines, const char *unit, enum study_format format)
{
    struct study_rig r;
    char text[2048];
    snprintf(text, sizeof text,
             STUDY_RIG_HEAD "  hits: l1_hit_rate\n"
                            "  same: hits\n"
                            "  share: {expr: icc.merges / locality.requests, unit: fraction}\n"
                            "  change: {expr: (ipc / base.ipc - 1) * 100, unit: \"%%\"}\n"
                            "figures:\n  f: {%s}\n",
             lines);
    study_rig_open(&r, text, NULL);
    CHECK_STR(r.err.text, "");
    CHECK_STR(r.study->figures[0].unit, unit);
    CHECK_EQ(r.study->figures[0].format, format);
    study_rig_close(&r);
}

static void a_statistic_in_percent_is_not_multiplied_again(void)
{
    is("expr: l1_hit_rate", "%", FORMAT_NUMBER);
    is("metric: same", "%", FORMAT_NUMBER);
    is("expr: l1_hit_rate, format: percent", "%", FORMAT_NUMBER);
    is("expr: \"max(l1_hit_rate, l2_hit_rate) - hits\"", "%", FORMAT_NUMBER);
    is("metric: change, baseline: rr", "%", FORMAT_NUMBER);
    is("parts: [hits, same]", "%", FORMAT_NUMBER);
}

static void a_fraction_is_read_in_percent(void)
{
    is("metric: share", "fraction", FORMAT_PERCENT);
    is("expr: share", "fraction", FORMAT_PERCENT);
    is("metric: share, format: number", "fraction", FORMAT_NUMBER);
    is("expr: icc.merges / locality.requests, format: percent", "", FORMAT_PERCENT);
}

static void a_ratio_is_so_many_times_the_baseline(void)
{
    is("expr: ipc / base.ipc, baseline: rr", "x", FORMAT_NUMBER);
    is("expr: ipc / base.ipc, baseline: rr, format: percent_change", "", FORMAT_PERCENT_CHANGE);
}

static void anything_else_is_a_number_with_its_unit(void)
{
    is("expr: cycles", "cycle", FORMAT_NUMBER);
    is("expr: latency_sm + latency_return", "cycle", FORMAT_NUMBER);
    is("expr: dram_gbs", "GB/s", FORMAT_NUMBER);
    is("expr: sm.issued", "", FORMAT_NUMBER);
    is("expr: dram_gbs / 1000, unit: TB/s", "TB/s", FORMAT_NUMBER);
}

static void prices_and_points_of_networks_have_units(void)
{
    static const struct {
        const char *name, *unit;
    } rows[] = {{"cost.noc.area", "mm2"},     {"cost.noc.area.clock", "mm2"},
                {"cost.noc.clock", "Hz"},     {"cost.noc.idle.link", "W"},
                {"cost.l1.bytes", "byte"},    {"cost.reply.flit.link", "J"},
                {"cost.noc.links_met", ""},   {"cost.l1.units", ""},
                {"latency.p99", "cycle"},     {"knee", "flit/cycle"},
                {"knee.power", "W"},          {"saturation.at", "flit/cycle"},
                {"peak.round_trip", "cycle"}, {"power", "W"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err e = {0};
        struct arena *a = arena_new();
        const struct study none = {0};
        const struct expr *x = expr_parse(a, rows[i].name, &e);
        CHECK(x != NULL);
        CHECK_STR(study_unit(&none, x), rows[i].unit);
        arena_free(a);
    }
}

CHECK_MAIN("study_unit", TEST(a_statistic_in_percent_is_not_multiplied_again),
           TEST(a_fraction_is_read_in_percent), TEST(a_ratio_is_so_many_times_the_baseline),
           TEST(anything_else_is_a_number_with_its_unit),
           TEST(prices_and_points_of_networks_have_units))
