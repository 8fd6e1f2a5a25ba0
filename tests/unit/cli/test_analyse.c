#include "check.h"

#include "cli/analyse.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

static void an_analysis_is_a_setting(void)
{
    struct err e = {0};
    CHECK_STR(analyse_setting("sharing", &e), "sharing.enabled=true");
    CHECK_STR(analyse_setting("meetings", &e), "meetings.windows=5,25,100,500");
    CHECK_EQ(e.status, STATUS_DONE);
    CHECK(analyse_setting("shring", &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "--analyse: no analysis \"shring\"; did you mean sharing?");
    e = (struct err){0};
    CHECK(analyse_setting("", &e) == NULL);
    CHECK_STR(e.text, "--analyse: no analysis \"\" (heddle run --help)");
}

static void what_was_not_watched_is_not_printed(void)
{
    struct arena *a = arena_new();
    struct results_view v = {
        .scale = &results_rig_scale, .values = stats_snapshot(stats_new(a), a), .cycles = 10};
    struct run_report r = {.sum = &v};
    struct text t;
    text_open(&t);
    analyse_print(&r, a, t.out);
    CHECK_STR(text_close(&t), "");
    text_free(&t);
    struct results_rig watched = results_rig_new(false);
    r.sum = &watched.v;
    text_open(&t);
    analyse_print(&r, watched.a, t.out);
    CHECK(strstr(text_close(&t), "sharing: 400 blocks") != NULL);
    text_free(&t);
    arena_free(watched.a);
    arena_free(a);
}

CHECK_MAIN("analyse", TEST(an_analysis_is_a_setting), TEST(what_was_not_watched_is_not_printed))
