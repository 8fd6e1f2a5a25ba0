/* Groups of gridDim.x: rows of grids of one, two and three dimensions. */
#include "check.h"
#include "rig/cta_rig.h"

static void a_grid_of_one_row_is_one_group(void)
{
    static const struct cta_rig_example x = {
        "qx",
        {.clusters = 3, .sms = 1, .contexts = 2, .grid = {5, 1, 1}},
        {{"", "0:0,1"}, {"0", "0:2"}, {"1 2", "0:3,4"}}};
    cta_rig_follow(&x, 1);
}

static void a_grid_of_one_column_is_groups_of_one(void)
{
    static const struct cta_rig_example x = {
        "qx",
        {.clusters = 3, .sms = 1, .contexts = 2, .grid = {1, 8, 1}},
        {{"", "0:0,3 1:1,4 2:2,5"}, {"4", "1:6"}, {"0", "0:7"}}};
    cta_rig_follow(&x, 1);
}

static void rows_of_a_plane_stay_together(void)
{
    static const struct cta_rig_example x = {
        "qx",
        {.clusters = 2, .sms = 1, .contexts = 2, .grid = {3, 4, 1}},
        {{"", "0:0,1 1:3,4"},
         {"4", "1:5"},
         {"5", "1:6"}, /* row 2 */
         {"0 1", "0:2,9"}}};
    cta_rig_follow(&x, 1);
}

/* Rows of one plane are followed by those of the next: {0 1} {2 3} are z = 0, {4 5} {6 7} z = 1. */
static void rows_of_a_solid_go_plane_by_plane(void)
{
    static const struct cta_rig_example x = {
        "qx",
        {.clusters = 3, .sms = 1, .contexts = 2, .grid = {2, 2, 3}},
        {{"", "0:0,1 1:2,3 2:4,5"}, {"4", "2:6"}, {"2", "1:8"}, {"5", "2:7"}, {"1", "0:10"}}};
    cta_rig_follow(&x, 1);
}

static void the_adaptive_form_counts_rows(void)
{
    static const struct cta_rig_example x[] = {
        /* Five rows, three SMs: two are left after one has each, and are dealt out. */
        {"qx_adpt",
         {.clusters = 3, .sms = 1, .contexts = 2, .grid = {2, 5, 1}},
         {{"", "0:0,1 1:2,3 2:4,5"}, {"0", "0:6"}, {"5", "2:7"}, {"4", "2:8"}, {"2", "1:9"}}},
        /* Four rows, three SMs with one context: each begins a row. */
        {"qx_adpt",
         {.clusters = 3, .sms = 1, .contexts = 1, .grid = {2, 1, 4}},
         {{"", "0:0 1:2 2:4"}, {"0", "0:1"}, {"1", "0:6"}, {"4", "2:5"}, {"5", "2:7"}}},
        /* One by one, two are left after the second, and SM 2 has no row of its own. */
        {"qx_adpt",
         {.clusters = 3,
          .sms = 1,
          .contexts = 1,
          .grid = {2, 1, 4},
          .set = "qx_adpt.first_round=false"},
         {{"", "0:0 1:2 2:4"}, {"0", "0:1"}, {"1", "0:5"}, {"4", "2:6"}, {"2", "1:3"}}},
        /* Fewer rows than SMs: round robin. */
        {"qx_adpt",
         {.clusters = 3, .sms = 1, .contexts = 2, .grid = {4, 2, 1}},
         {{"", "0:0,3 1:1,4 2:2,5"}}},
    };
    CTA_RIG_FOLLOW(x);
}

CHECK_MAIN("policy_qx", TEST(a_grid_of_one_row_is_one_group),
           TEST(a_grid_of_one_column_is_groups_of_one), TEST(rows_of_a_plane_stay_together),
           TEST(rows_of_a_solid_go_plane_by_plane), TEST(the_adaptive_form_counts_rows))
