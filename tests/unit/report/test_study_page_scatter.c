/* A scatter: its points, its scale, and what the page has of it. */
#include "check.h"

#include "report/study_page.h"
#include "report/study_page_chart.h"
#include "report/vega_spec.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"
#include "rig/study_rig.h"

static double measured[3] = {90, 2500, 0};

static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    (void)context;
    (void)variant;
    (void)name;
    return measured[workload];
}

static const char text[] =
    STUDY_RIG_HEAD "figures:\n"
                   "  f:\n"
                   "    title: sectors\n"
                   "    expr: ipc\n"
                   "    variants: [rr]\n"
                   "    mean: none\n"
                   "    chart: scatter\n"
                   "    paper:\n"
                   "      - {variant: rr, workload: HS, value: 100, source: s}\n"
                   "      - {variant: rr, workload: BT, value: 2000, source: s}\n"
                   "      - {variant: rr, workload: BP, value: 70, source: s}\n";

struct fixture {
    struct study_rig rig;
    struct study_result r;
    struct study_page_chart c;
};

static void open_chart(struct fixture *f)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, text, NULL);
    CHECK_STR(f->rig.err.text, "");
    f->r.command = "c";
    verdict_judge(f->rig.arena, f->rig.study, &(struct verdict_source){made_up, NULL}, &f->r);
    study_page_chart_of(f->rig.arena, &f->r, 0, &f->c);
}

static void pairs_above_zero_are_points(void)
{
    struct fixture f;
    open_chart(&f);
    const struct study_page_scatter *s = f.c.scatter;
    CHECK(s != NULL);
    CHECK_EQ(s->n, 2);
    CHECK_NEAR(s->points[1].paper, 2000, 0);
    CHECK_NEAR(s->points[1].measured, 2500, 0);
    CHECK_EQ(s->points[1].row, 1);
    study_rig_close(&f.rig);
}

static void both_axes_have_one_scale_of_ones_twos_and_fives(void)
{
    struct fixture f;
    open_chart(&f);
    const struct study_page_scatter *s = f.c.scatter;
    const double ticks[] = {50, 100, 200, 500, 1000, 2000, 5000};
    CHECK_EQ(s->nticks, 7);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_NEAR(s->ticks[i], ticks[i], 1e-9 * ticks[i]);
    CHECK_NEAR(s->low, 50, 1e-9);
    CHECK_NEAR(s->high, 5000, 1e-9);
    CHECK_NEAR(study_page_scatter_at(s, 500), 0.5, 1e-12);
    study_rig_close(&f.rig);
}

static void many_decades_are_told_by_powers_of_ten(void)
{
    struct fixture f;
    measured[0] = 0.02;
    open_chart(&f);
    measured[0] = 90;
    const struct study_page_scatter *s = f.c.scatter;
    CHECK_EQ(s->nticks, 5); /* 0.1 to 1000 */
    CHECK_NEAR(s->ticks[0], 0.1, 1e-12);
    CHECK_NEAR(s->low, 0.02, 1e-12);
    study_rig_close(&f.rig);
}

static void page_and_specification_have_points_and_errors(void)
{
    struct fixture f;
    struct text t;
    struct err e = {0};
    open_chart(&f);
    text_open(&t);
    vega_spec_write(&f.c, t.out);
    text_close(&t);
    CHECK(strstr(t.s, "\"type\": \"log\"") != NULL);
    CHECK(strstr(t.s, "\"x\": 2000, \"y\": 2500") != NULL);
    CHECK(strstr(t.s, "{{") == NULL); /* nothing is left open */
    free(t.s);
    text_open(&t);
    study_page_svg(&f.r, 0, t.out);
    text_close(&t);
    CHECK(picture_rig_is_well_formed(t.s));
    CHECK_EQ(picture_rig_count(t.s, "<circle"), 2);
    free(t.s);
    text_open(&t);
    CHECK(study_page_write(&f.r, t.out, &e));
    text_close(&t);
    CHECK(strstr(t.s, "On the line, what was measured is what the paper gives. rr: mean error") !=
          NULL);
    free(t.s);
    study_rig_close(&f.rig);
}

CHECK_MAIN("study_page_scatter", TEST(pairs_above_zero_are_points),
           TEST(both_axes_have_one_scale_of_ones_twos_and_fives),
           TEST(many_decades_are_told_by_powers_of_ten),
           TEST(page_and_specification_have_points_and_errors))
