#include "check.h"

#include "report/study_page_label.h"

static struct arena *a;

static const char *variant(const char *doc)
{
    return label_variant(a, &(struct study_variant){.name = "name", .doc = doc});
}

static void a_variant_goes_by_its_doc(void)
{
    a = arena_new();
    CHECK_STR(variant("distributed + ICC"), "distributed + ICC");
    CHECK_STR(variant(""), "name");
    CHECK_STR(variant(NULL), "name");
    CHECK_STR(variant("mesh, 16-byte channels"), "mesh, 16-byte channels");
    arena_free(a);
}

static void a_long_doc_is_shortened_where_it_makes_sense(void)
{
    a = arena_new();
    CHECK_STR(variant("CD-Xbar, 8 local crossbars 10x3 and a global one 24x16"), "CD-Xbar");
    CHECK_STR(variant("greedy (as the paper has it in its second section)"), "greedy");
    CHECK_STR(variant("the machine as it is but for the tables of all its caches"),
              "the machine as it is but for the\u2026");
    CHECK_STR(variant("l1.size=16K,gpu.cta_scheduler=distributed_block"),
              "l1.size=16K,gpu.cta_scheduler=distr\u2026");
    arena_free(a);
}

static void a_variant_of_a_sweep_goes_by_its_values(void)
{
    const struct study_coordinate at[] = {
        {"l1.size", "16K"}, {"l1.mshrs", "16"}, {"icc.enabled", "true"}};
    struct study_variant v = {.name = "16K_mshrs16_icc-true",
                              .doc = "l1.size 16K, l1.mshrs 16, icc.enabled true",
                              .ncoordinates = 3,
                              .coordinates = at};
    a = arena_new();
    CHECK_STR(label_variant(a, &v), "16K, mshrs 16, enabled true");
    v.ncoordinates = 1; /* one axis: its settings are short, and say more */
    v.doc = "l1.size 16K";
    CHECK_STR(label_variant(a, &v), "l1.size 16K");
    arena_free(a);
}

static void a_cut_counts_letters_not_bytes(void)
{
    a = arena_new();
    CHECK_STR(label_cut(a, "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 6),
              "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc");
    CHECK_STR(label_cut(a, "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 5),
              "\u00e4\u00f6\u00fc\u00e4\u2026");
    arena_free(a);
}

static void columns_of_one_doc_go_by_their_names(void)
{
    const struct study_variant all[] = {{.name = "mesh56", .doc = "8x8, 16-byte channels"},
                                        {.name = "smesh56", .doc = "8x8, 16-byte channels"},
                                        {.name = "xbar", .doc = "crossbar"}};
    const uint32_t columns[] = {0, 1, 2};
    struct study s = {.variants = all, .nvariants = 3};
    struct study_figure f = {.variants = columns, .nvariants = 3};
    a = arena_new();
    CHECK_STR(label_column(a, &s, &f, 0), "mesh56");
    CHECK_STR(label_column(a, &s, &f, 1), "smesh56");
    CHECK_STR(label_column(a, &s, &f, 2), "crossbar");
    arena_free(a);
}

static void what_tells_columns_apart_is_not_left_out(void)
{
    const struct study_variant all[] = {
        {.name = "c6_icc", .doc = "6 clusters, distributed-block + ICC"},
        {.name = "c6_cc", .doc = "6 clusters, distributed-block + ICC + CC"}};
    const uint32_t columns[] = {0, 1};
    struct study s = {.variants = all, .nvariants = 2};
    struct study_figure f = {.variants = columns, .nvariants = 2};
    a = arena_new();
    CHECK_STR(label_column(a, &s, &f, 0), "6 clusters, distributed-block + ICC");
    CHECK_STR(label_column(a, &s, &f, 1), "c6_cc");
    arena_free(a);
}

static void a_part_goes_by_its_label_first(void)
{
    a = arena_new();
    CHECK_STR(label_metric(a, &(struct study_metric){.name = "n", .label = "NoC", .doc = "both"}),
              "NoC");
    CHECK_STR(label_metric(a, &(struct study_metric){.name = "n", .label = "n", .doc = "both"}),
              "both");
    CHECK_STR(label_metric(a, &(struct study_metric){.name = "n", .label = "n", .doc = ""}), "n");
    arena_free(a);
}

static void a_source_does_not_name_the_model_again(void)
{
    a = arena_new();
    CHECK_STR(label_source(a, &(struct study_figure){.model = "m"}, "Fig. 1; judged by m"),
              "Fig. 1");
    CHECK_STR(label_source(a, &(struct study_figure){.model = ""}, "Fig. 1"), "Fig. 1");
    CHECK_STR(label_source(a, &(struct study_figure){0}, NULL), "");
    arena_free(a);
}

static void texts_become_sentences(void)
{
    a = arena_new();
    CHECK_STR(label_sentence(a, "energy times delay"), "Energy times delay.");
    CHECK_STR(label_sentence(a, "IPC over the baseline's"), "IPC over the baseline's.");
    CHECK_STR(label_sentence(a, "does it help?"), "Does it help?");
    CHECK_STR(label_sentence(a, ""), "");
    CHECK_STR(label_sentence(a, NULL), "");
    arena_free(a);
}

static void names_that_differ_in_one_number_are_numbered(void)
{
    const char *const sms[] = {"sms20", "sms80", "sms120"}, *const clocks[] = {"0.5x", "1x", "2x"};
    const char *const mixed[] = {"sms20", "xbar"}, *const ends[] = {"4a", "5b"};
    const char *const short_one[] = {"sms20", "sms"};
    CHECK(label_are_numbered(sms, 3));
    CHECK(label_are_numbered(clocks, 3));
    CHECK(!label_are_numbered(sms, 1));
    CHECK(!label_are_numbered(mixed, 2));
    CHECK(!label_are_numbered(ends, 2));
    CHECK(!label_are_numbered(short_one, 2));
    CHECK(!label_are_numbered(NULL, 0));
}

CHECK_MAIN("study_page_label", TEST(a_variant_goes_by_its_doc),
           TEST(a_long_doc_is_shortened_where_it_makes_sense),
           TEST(a_variant_of_a_sweep_goes_by_its_values), TEST(a_cut_counts_letters_not_bytes),
           TEST(columns_of_one_doc_go_by_their_names),
           TEST(what_tells_columns_apart_is_not_left_out), TEST(a_part_goes_by_its_label_first),
           TEST(a_source_does_not_name_the_model_again), TEST(texts_become_sentences),
           TEST(names_that_differ_in_one_number_are_numbered))
