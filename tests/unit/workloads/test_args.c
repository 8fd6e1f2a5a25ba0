#include "check.h"

#include "../../../workloads/workload.h"

static const struct workload_arg table[] = {
    {"bytes", {1024, 2048, 4096, 8192, 512}, 256, 1 << 20, 256, NULL, "B", "of a thing"},
    {"order", {1, 1, 0, 0, 1}, 0, 0, 1, "rising|falling|random", "", "of its parts"},
    {"count", {1, 2, 3, 4, 5}, 0, 9, 1, NULL, "part", "that it has"},
    {0}};
static const struct workload loom = {.name = "LOOM", .args = table};
static const struct workload plain = {.name = "PLAIN"};

static void defaults_are_those_of_the_size(void)
{
    struct workload_args args;
    struct hd_error e = {0};
    CHECK(workload_args_parse(&loom, SIZE_STUDY, NULL, &args, &e));
    CHECK_EQ(args.value[0], 4096);
    CHECK_EQ(args.value[1], 0);
    CHECK_EQ(args.value[2], 3);
    CHECK_STR(args.text, "");
    CHECK(workload_args_parse(&loom, SIZE_FEW, "", &args, &e));
    CHECK_EQ(args.value[0], 512);
    CHECK_EQ(workload_nargs(&loom), 3);
    CHECK_EQ(workload_nargs(&plain), 0);
    CHECK(workload_args_parse(&plain, SIZE_TINY, NULL, &args, &e));
}

static void what_is_given_has_one_text_however_it_is_written(void)
{
    struct workload_args a, b;
    struct hd_error e = {0};
    CHECK(workload_args_parse(&loom, SIZE_TINY, "order=random,bytes=64K", &a, &e));
    CHECK(workload_args_parse(&loom, SIZE_STUDY, "bytes=65536,order=random", &b, &e));
    CHECK_STR(a.text, "bytes=64K,order=random");
    CHECK_STR(b.text, a.text);
    CHECK_EQ(a.value[0], 65536);
    CHECK_EQ(a.value[1], 2);
    CHECK_EQ(a.value[2], 1);
    CHECK_EQ(b.value[2], 3);
}

static void a_text_reads_back_as_itself(void)
{
    struct workload_args a, again;
    struct hd_error e = {0};
    CHECK(workload_args_parse(&loom, SIZE_TINY, "count=0,bytes=1M,order=rising", &a, &e));
    CHECK(workload_args_parse(&loom, SIZE_TINY, a.text, &again, &e));
    CHECK_STR(a.text, "bytes=1M,order=rising,count=0");
    CHECK_STR(again.text, a.text);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(again.value[i], a.value[i]);
}

static void refuse(const struct workload *wl, const char *text, const char *why)
{
    struct workload_args args;
    struct hd_error e = {0};
    CHECK(!workload_args_parse(wl, SIZE_TINY, text, &args, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, why);
}

static void what_is_wrong_is_refused_with_what_was_expected(void)
{
    refuse(&loom, "bites=1K", "LOOM: no argument \"bites\"; did you mean bytes?");
    refuse(&loom, "x=1", "LOOM: no argument \"x\" (there are: bytes, order, count)");
    refuse(&loom, "bytes", "LOOM: bytes: expected bytes=VALUE");
    refuse(&loom, "bytes=1K,bytes=1K", "LOOM: bytes is there twice");
    refuse(&loom, "bytes=2M", "LOOM: bytes=2M: expected a multiple of 256 from 256 to 1M B");
    refuse(&loom, "bytes=300", "LOOM: bytes=300: expected a multiple of 256 from 256 to 1M B");
    refuse(&loom, "bytes=", "LOOM: bytes=: expected a multiple of 256 from 256 to 1M B");
    refuse(&loom, "count=10", "LOOM: count=10: expected a whole number from 0 to 9 part");
    refuse(&loom, "count=-1", "LOOM: count=-1: expected a whole number from 0 to 9 part");
    refuse(&loom, "order=randm", "LOOM: order=randm: no such order; did you mean random?");
    refuse(&loom, "order=2", "LOOM: order=2: no such order (rising|falling|random)");
    refuse(&loom, "count=1,,bytes=1K", "LOOM: no argument \"\" (there are: bytes, order, count)");
    refuse(&plain, "x=1", "PLAIN takes no arguments, so no \"x\"");
}

static void tables_of_all_workloads_hold_together(void)
{
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t w = 0; w < n; w++) {
        CHECK(workload_nargs(all[w]) <= WORKLOAD_MOST_ARGS);
        for (uint32_t i = 0; i < workload_nargs(all[w]); i++) {
            const struct workload_arg *a = &all[w]->args[i];
            CHECK(a->doc && a->unit && a->step > 0);
            for (enum workload_size s = 0; s < SIZES; s++) {
                struct workload_args args;
                struct hd_error e = {0};
                char value[WORKLOAD_VALUE_N], text[128];
                if (!all[w]->inputs[s])
                    continue;
                snprintf(text, sizeof text, "%s=%s", a->name,
                         workload_value_text(value, a, a->defaults[s]));
                CHECK(workload_args_parse(all[w], s, text, &args, &e));
                CHECK_EQ(args.value[i], a->defaults[s]);
            }
        }
    }
}

CHECK_MAIN("args", TEST(defaults_are_those_of_the_size),
           TEST(what_is_given_has_one_text_however_it_is_written),
           TEST(a_text_reads_back_as_itself), TEST(what_is_wrong_is_refused_with_what_was_expected),
           TEST(tables_of_all_workloads_hold_together))
