#include "check.h"

#include "rig/study_rig.h"

#define HEAD "machine: icc60\nsize: tiny\nworkloads: [HS]\n"
#define FIGURE "figures: {f: {expr: ipc}}\n"

/* The names of all variants, with blanks between. */
static void makes(const char *text, const char *names)
{
    struct study_rig r;
    char got[1024] = "";
    study_rig_open(&r, text, NULL);
    CHECK_STR(r.err.text, "");
    for (uint32_t i = 0; i < r.study->nvariants; i++) {
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s%s", i ? " " : "", r.study->variants[i].name);
    }
    CHECK_STR(got, names);
    study_rig_close(&r);
}

static void every_combination_is_a_variant_and_the_last_axis_is_fastest(void)
{
    struct study_rig r;
    study_rig_open(
        &r, HEAD "cross: {l1.size: [16K, 32K, 64K], gpu.cta_scheduler: [rr, distributed]}\n" FIGURE,
        NULL);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.study->nvariants, 6);
    CHECK_EQ(r.study->figures[0].nvariants, 6);
    const struct study_variant *v = &r.study->variants[3];
    CHECK_STR(v->name, "32K_distributed");
    CHECK_STR(v->doc, "l1.size 32K, gpu.cta_scheduler distributed");
    CHECK_STR(v->machine, "icc60");
    CHECK_EQ(v->nsets, 2);
    CHECK_STR(v->sets[0], "l1.size=32K");
    CHECK_STR(v->sets[1], "gpu.cta_scheduler=distributed");
    CHECK_EQ(v->set_lines[1], 4);
    CHECK_EQ(v->ncoordinates, 2);
    CHECK_STR(v->coordinates[0].axis, "l1.size");
    CHECK_STR(v->coordinates[0].value, "32K");
    CHECK_EQ(v->over, -1);
    study_rig_close(&r);
}

static void what_says_little_alone_stands_behind_the_name_of_its_parameter(void)
{
    makes(HEAD "cross: {l1.mshrs: [16, 32]}\n" FIGURE, "mshrs16 mshrs32");
    makes(HEAD "cross: {icc.enabled: [false, true]}\n" FIGURE, "icc-false icc-true");
    makes(HEAD "cross: {mesh.mem: [[3, 12], [5]]}\n" FIGURE, "mem-3+12 mem5");
    makes(HEAD "cross: {gpu.clock: [1.4GHz, 0.7GHz]}\n" FIGURE, "1.4GHz 0.7GHz");
}

static void values_that_two_axes_have_are_told_apart(void)
{
    makes(HEAD "cross: {l1.size: [32K], texture.line: [32K]}\n" FIGURE, "size-32K_line-32K");
    makes(HEAD "cross: {l1.size: [32K], l2.size: [32K, 64K]}\n" FIGURE,
          "l1.size-32K_l2.size-32K l1.size-32K_l2.size-64K");
    makes(HEAD "cross: {l1.size: [16K], l2.size: [32K]}\n" FIGURE, "16K_32K");
}

static void an_axis_may_be_of_machines_or_of_named_sets(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   "size: tiny\nworkloads: [HS]\n"
                   "cross:\n"
                   "  machine: [icc60, sub/own.yaml]\n"
                   "  cache:\n"
                   "    small: {l1.size: 16K, l1.ways: 4}\n"
                   "    big: {doc: a large one, l1.size: 64K}\n"
                   "    other: {machine: volta}\n" FIGURE,
                   NULL);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.study->nvariants, 6);
    const struct study_variant *v = r.study->variants;
    CHECK_STR(v[0].name, "icc60_small");
    CHECK_STR(v[0].machine, "icc60");
    CHECK_EQ(v[0].nsets, 2);
    CHECK_STR(v[0].sets[1], "l1.ways=4");
    CHECK_EQ(v[0].set_lines[1], 6);
    CHECK_STR(v[1].doc, "machine icc60, a large one");
    CHECK_STR(v[2].machine, "volta");
    CHECK_STR(v[3].name, "own_small");
    CHECK(strstr(v[3].machine, "/sub/own.yaml") != NULL);
    study_rig_close(&r);
}

static void a_sweep_starts_from_a_variant_and_follows_those_written_by_hand(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   HEAD "variants: {a: {machine: volta, set: {l1.mshrs: 4}}, b: {}}\n"
                        "cross: {l1.size: [16K], base: a}\n" FIGURE,
                   NULL);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.study->nvariants, 3);
    const struct study_variant *v = &r.study->variants[2];
    CHECK_STR(v->machine, "volta");
    CHECK_EQ(v->nsets, 2);
    CHECK_STR(v->sets[0], "l1.mshrs=4");
    CHECK_STR(v->sets[1], "l1.size=16K");
    study_rig_close(&r);
    makes(HEAD "cross: [{l1.size: [16K]}, {l1.mshrs: [4, 8]}]\n" FIGURE, "16K mshrs4 mshrs8");
}

static void mistakes_are_blamed_on_their_lines(void)
{
    CHECK(study_rig_refuses(HEAD "cross: {l1.size: 16K}\n" FIGURE, ":4: l1.size: expected a list",
                            "named sets"));
    CHECK(study_rig_refuses(HEAD "cross: {l1.size: []}\n" FIGURE, ":4: l1.size: ", "a list"));
    CHECK(study_rig_refuses(HEAD "cross: {size: [1, 2]}\n" FIGURE, ":4: size: ", "SECTION.KEY"));
    CHECK(study_rig_refuses(HEAD "cross: {l1.size: [4K, 4K]}\n" FIGURE, ":4: ", "there twice"));
    CHECK(study_rig_refuses(HEAD "cross: {l1.size: [{a: 1}]}\n" FIGURE, ":4: ", "KEY: VALUE"));
    CHECK(study_rig_refuses(HEAD "cross: {a: {small: 1}}\n" FIGURE, ":4: small: ", "a map"));
    CHECK(study_rig_refuses(HEAD "cross: {}\n" FIGURE, ":4: cross: ", "at least one"));
    CHECK(study_rig_refuses(HEAD "cross: []\n" FIGURE, ":4: cross: ", "at least one"));
    CHECK(study_rig_refuses(HEAD "cross: x\n" FIGURE, ":4: cross: ", "a map"));
    CHECK(study_rig_refuses(HEAD "variants: {rr: {}}\ncross: {base: rt, l1.size: [4K]}\n" FIGURE,
                            ":5: base: ", "did you mean rr?"));
    CHECK(study_rig_refuses(HEAD "variants: {4K: {}}\ncross: {l1.size: [4K]}\n" FIGURE,
                            ":5: cross: ", "there is a variant 4K already"));
    CHECK(study_rig_refuses("workloads: [HS]\ncross: {l1.size: [4K]}\n" FIGURE,
                            ":2: cross: ", "expected a machine"));
    CHECK(study_rig_refuses(
        HEAD "cross: {l1.size: [1K, 2K, 3K, 4K, 5K, 6K, 7K, 8K, 9K, 10K], "
             "l1.mshrs: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], l1.ways: [1, 2, 3]}\n" FIGURE,
        ":4: cross: ", "more than 200 variants"));
}

CHECK_MAIN("study_cross", TEST(every_combination_is_a_variant_and_the_last_axis_is_fastest),
           TEST(what_says_little_alone_stands_behind_the_name_of_its_parameter),
           TEST(values_that_two_axes_have_are_told_apart),
           TEST(an_axis_may_be_of_machines_or_of_named_sets),
           TEST(a_sweep_starts_from_a_variant_and_follows_those_written_by_hand),
           TEST(mistakes_are_blamed_on_their_lines))
