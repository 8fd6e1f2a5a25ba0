#include "check.h"

#include "cli/analyse_meetings.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

static void print(const struct results_rig_item *items, size_t n, struct text *t)
{
    struct arena *a = arena_new();
    struct stats *tree = stats_new(a);
    results_rig_plant(tree, a, items, n);
    struct results_view v = {
        .scale = &results_rig_scale, .values = stats_snapshot(tree, a), .cycles = 10};
    struct run_report r = {.sum = &v};
    text_open(t);
    analyse_meetings_print(&r, a, t->out);
    text_close(t);
    arena_free(a);
}

static void a_row_for_each_window_that_there_is(void)
{
    static const struct results_rig_item items[] = {
        {"meetings", "reads", 1000, 0},    {"meetings", "holds_1", 800, 0},
        {"meetings", "met_1", 300, 0},     {"meetings", "same_sm_1", 150, 0},
        {"meetings", "other_sm_1", 50, 0}, {"meetings", "flushed_1", 8, 0}};
    struct text t;
    print(items, 6, &t);
    CHECK(strstr(t.s, "reads came to the memory partitions") != NULL);
    const char *row = strstr(t.s, "window 1");
    CHECK(row != NULL);
    static const char *const cells[] = {"1.25", "30.0", "15.0", "5.0", "1.0"};
    for (int i = 0; i < 5; i++) {
        row = strstr(row, cells[i]);
        CHECK(row != NULL);
    }
    CHECK(strstr(t.s, "window 2") == NULL);
    text_free(&t);
}

static void nothing_was_read(void)
{
    static const struct results_rig_item items[] = {
        {"meetings", "reads", 0, 0},      {"meetings", "holds_1", 0, 0},
        {"meetings", "met_1", 0, 0},      {"meetings", "same_sm_1", 0, 0},
        {"meetings", "other_sm_1", 0, 0}, {"meetings", "flushed_1", 0, 0}};
    struct text t;
    print(items, 6, &t);
    CHECK(strstr(t.s, "nan") == NULL && strstr(t.s, "inf") == NULL);
    text_free(&t);
}

CHECK_MAIN("analyse_meetings", TEST(a_row_for_each_window_that_there_is), TEST(nothing_was_read))
