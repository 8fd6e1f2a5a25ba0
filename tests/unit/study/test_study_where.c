#include "check.h"

#include "rig/study_rig.h"

#define HEAD                                                                                       \
    "machine: icc60\nsize: tiny\nworkloads: [HS]\n"                                                \
    "variants: {hand: {}, best: {over: hand}}\n"                                                   \
    "cross: {l1.size: [16K, 32K, 64K], gpu.cta_scheduler: [rr, distributed]}\n"

enum { HAND, BEST, RR16, D16, RR32, D32, RR64, D64 };

static void columns_are(const char *figure, uint32_t n, const uint32_t *columns)
{
    struct study_rig r;
    char text[1024];
    snprintf(text, sizeof text, HEAD "figures: {f: {expr: ipc, %s}}\n", figure);
    study_rig_open(&r, text, NULL);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.study->figures[0].nvariants, n);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(r.study->figures[0].variants[i], columns[i]);
    study_rig_close(&r);
}

static void columns_are_chosen_by_axis(void)
{
    columns_are("where: {gpu.cta_scheduler: rr}", 3, (uint32_t[]){RR16, RR32, RR64});
    columns_are("where: {l1.size: [64K, 32K], gpu.cta_scheduler: rr}", 2, (uint32_t[]){RR32, RR64});
    columns_are("title: t", 8, (uint32_t[]){HAND, BEST, RR16, D16, RR32, D32, RR64, D64});
}

static void variants_that_are_listed_come_first(void)
{
    columns_are("variants: [best], where: {l1.size: 64K}", 3, (uint32_t[]){BEST, RR64, D64});
    columns_are("variants: [64K_rr], where: {l1.size: 64K}", 2, (uint32_t[]){RR64, D64});
}

static void a_baseline_by_axis_is_each_columns_own(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   HEAD "figures:\n"
                        "  f:\n"
                        "    expr: ipc / base.ipc\n"
                        "    variants: [best]\n"
                        "    where: {l1.size: [32K, 64K]}\n"
                        "    baseline: {l1.size: 16K}\n"
                        "  g: {expr: ipc / base.ipc, where: {l1.size: 64K}, baseline: "
                        "{l1.size: 16K, gpu.cta_scheduler: rr}}\n"
                        "  h: {expr: ipc / base.ipc, baseline: 16K_rr}\n",
                   NULL);
    CHECK_STR(r.err.text, "");
    const struct study *s = r.study;
    const struct study_figure *f = s->figures;
    CHECK_EQ(study_baseline(s, f, RR64), RR16);
    CHECK_EQ(study_baseline(s, f, D32), D16);
    CHECK_EQ(study_baseline(s, f, BEST), HAND);
    CHECK_STR(study_baseline_text(s, f), "each its own");
    CHECK_EQ(study_baseline(s, &f[1], RR64), RR16);
    CHECK_EQ(study_baseline(s, &f[1], D64), RR16);
    CHECK_STR(study_baseline_text(s, &f[1]), "16K_rr");
    CHECK_EQ(study_baseline(s, &f[2], D64), RR16);
    study_rig_close(&r);
}

static bool refuses(const char *figure, const char *key, const char *has)
{
    char text[1024], begin[128];
    snprintf(text, sizeof text, HEAD "figures:\n  f: {expr: ipc, %s}\n", figure);
    snprintf(begin, sizeof begin, ":7: %s: ", key);
    return study_rig_refuses(text, begin, has);
}

static void mistakes_name_what_there_is(void)
{
    CHECK(refuses("where: {l1.siz: 4K}", "where",
                  "no axis of cross \"l1.siz\"; did you mean l1.size?"));
    CHECK(refuses("where: {l1.size: 4K}", "l1.size", "no value of l1.size \"4K\""));
    CHECK(refuses("where: rr", "where", "a map"));
    CHECK(refuses("baseline: {l1.size: [16K]}", "l1.size", "one value"));
    CHECK(refuses("baseline: {l1.size: 16K}", "baseline", "differs from hand in this alone"));
    CHECK(study_rig_refuses(STUDY_RIG_HEAD "figures: {f: {expr: ipc, where: {l1.size: 16K}}}\n",
                            ":", "there is no cross:"));
}

CHECK_MAIN("study_where", TEST(columns_are_chosen_by_axis),
           TEST(variants_that_are_listed_come_first), TEST(a_baseline_by_axis_is_each_columns_own),
           TEST(mistakes_name_what_there_is))
