#include "check.h"

#include "../../../kernels/heddle_math.h"
#include "../../../workloads/workload.h"

/* --- registry and sizes -------------------------------------------------------------------- */

static void the_icc_papers_workloads_come_first_in_its_order(void)
{
    static const char *const names[] = {"HS",     "BT", "BP", "BFS",  "SRAD", "LUD",
                                        "2DCONV", "MM", "NN", "FDTD", "DCT"};
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    CHECK(n >= 11);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(strstr(all[i]->papers, "icc") != NULL, i < 11);
    for (uint32_t i = 0; i < 11; i++)
        CHECK_STR(all[i]->name, names[i]);
}

static void no_two_workloads_have_one_name(void)
{
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t i = 0; i < n; i++)
        CHECK(workload_find(all[i]->name) == all[i]);
}

static bool is_paper(const char *name, size_t length)
{
    static const char *const papers[] = {"icc", "sharing", "coalesce", "cdxbar", "intra"};
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++)
        if (strlen(papers[i]) == length && strncmp(papers[i], name, length) == 0)
            return true;
    return false;
}

static void papers_are_named_one_after_another(void)
{
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(all[i]->papers != NULL);
        for (const char *p = all[i]->papers; *p;) {
            size_t length = strcspn(p, " ");
            CHECK(is_paper(p, length));
            p += length + (p[length] == ' ');
        }
    }
}

static void every_workload_says_what_it_is_and_has_kernels_built_in(void)
{
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(all[i]->suite && all[i]->stands_for && all[i]->run);
        for (int s = 0; s < SIZES; s++)
            CHECK(s == SIZE_CHIP || all[i]->inputs[s] != NULL);
        size_t length = 0;
        const char *ptx = workload_ptx(all[i]->kernels, &length);
        CHECK(ptx != NULL);
        CHECK_EQ(length, strlen(ptx));
        CHECK(strstr(ptx, ".version") && strstr(ptx, ".entry"));
    }
}

static void a_workload_is_found_in_any_case_and_by_its_whole_name_only(void)
{
    CHECK(workload_find("HS") != NULL);
    CHECK(workload_find("hs") == workload_find("Hs"));
    CHECK_STR(workload_find("2dconv")->kernels, "conv2d");
    CHECK(workload_find("H") == NULL);
    CHECK(workload_find("HSX") == NULL);
    CHECK(workload_find("") == NULL);
}

static void sizes_are_parsed_by_their_names(void)
{
    for (int i = 0; i < SIZES; i++) {
        enum workload_size s = SIZES;
        CHECK(workload_size_parse(workload_size_name((enum workload_size)i), &s));
        CHECK_EQ(s, i);
    }
    enum workload_size s = SIZE_STUDY;
    CHECK(!workload_size_parse("huge", &s));
    CHECK(!workload_size_parse("tin", &s));
    CHECK(!workload_size_parse("", &s));
    CHECK_EQ(s, SIZE_STUDY);
}

static void kernels_that_do_not_exist_have_no_ptx(void)
{
    size_t length = 0;
    CHECK(workload_ptx("loom", &length) == NULL);
    CHECK(workload_ptx("hotspot.cu", &length) == NULL);
}

/* --- inputs --------------------------------------------------------------------------------- */

static void random_inputs_depend_on_seed_stream_and_index_alone(void)
{
    struct work a = {.seed = 1}, b = {.seed = 2}, again = {.seed = 1, .size = SIZE_PAPER};
    CHECK(work_random(&a, 3, 5) == work_random(&again, 3, 5));
    CHECK(work_random(&a, 3, 5) != work_random(&b, 3, 5));
    CHECK(work_random(&a, 3, 5) != work_random(&a, 4, 5));
    CHECK(work_random(&a, 3, 5) != work_random(&a, 3, 6));
}

static void random_floats_fill_their_range_and_stay_below_its_end(void)
{
    struct work w = {.seed = 9};
    float lo = 4, hi = -4;
    for (uint64_t i = 0; i < 10000; i++) {
        float x = work_random_f32(&w, 0, i, -2.0f, 3.0f);
        CHECK(x >= -2.0f && x < 3.0f);
        lo = fminf(lo, x);
        hi = fmaxf(hi, x);
        CHECK(work_random_f32(&w, 1, i, 1.0f, nextafterf(1.0f, 2.0f)) == 1.0f);
    }
    CHECK(lo < -1.99f && hi > 2.99f);
}

static void random_numbers_below_a_bound_are_all_of_them(void)
{
    struct work w = {.seed = 9};
    uint32_t seen = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        uint32_t v = work_random_u32(&w, 0, i, 7);
        CHECK(v < 7);
        seen |= 1u << v;
        CHECK_EQ(work_random_u32(&w, 0, i, 1), 0);
    }
    CHECK_EQ(seen, 127);
}

/* --- comparisons ----------------------------------------------------------------------------- */

static void floats_are_compared_bit_for_bit_but_all_nans_are_one(void)
{
    struct hd_error e = {0};
    const float want[] = {1.0f, -0.0f, NAN, INFINITY};
    float got[] = {1.0f, -0.0f, -NAN, INFINITY};
    CHECK(work_same_f32("x", got, want, 4, &e));
    CHECK_EQ(e.status, HD_DONE);
    got[1] = 0.0f;
    CHECK(!work_same_f32("x", got, want, 4, &e));
    CHECK_EQ(e.status, HD_FAILED);
    CHECK_STR(e.text, "x[1] is 0, not -0");
    got[0] = nextafterf(1.0f, 2.0f);
    CHECK(!work_same_f32("x", got, want, 4, &e));
    CHECK_STR(e.text, "x[1] is 0, not -0"); /* the first error stays */
    e = (struct hd_error){0};
    CHECK(!work_same_f32("x", got, want, 4, &e));
    CHECK_STR(e.text, "x[0] is 1.00000012, not 1");
}

static void integers_are_compared_exactly(void)
{
    struct hd_error e = {0};
    const int32_t want[] = {1, -7, INT32_MIN};
    int32_t got[] = {1, -7, INT32_MIN};
    CHECK(work_same_i32("cost", got, want, 3, &e));
    got[2]++;
    CHECK(!work_same_i32("cost", got, want, 3, &e));
    CHECK_STR(e.text, "cost[2] is -2147483647, not -2147483648");
}

static void every_type_has_its_comparison(void)
{
    struct hd_error e[3] = {0};
    const uint32_t u[] = {1, 4000000000}, v[] = {1, 4000000001};
    const uint64_t l[] = {UINT64_C(1) << 40}, m[] = {1};
    const uint8_t b[] = {255, 0}, c[] = {255, 1};
    CHECK(work_same_u32("u", u, u, 2, &e[0]) && !work_same_u32("u", u, v, 2, &e[0]));
    CHECK(work_same_u64("l", l, l, 1, &e[1]) && !work_same_u64("l", l, m, 1, &e[1]));
    CHECK(work_same_u8("b", b, b, 2, &e[2]) && !work_same_u8("b", b, c, 2, &e[2]));
    CHECK_STR(e[0].text, "u[1] is 4000000000, not 4000000001");
    CHECK_STR(e[1].text, "l[0] is 1099511627776, not 1");
    CHECK_STR(e[2].text, "b[1] is 0, not 1");
}

/* --- runs ------------------------------------------------------------------------------------ */

static bool use_memory(struct work *w, struct hd_error *e)
{
    const uint32_t sent[4] = {1, 2, 3, 4};
    uint32_t got[4] = {0};
    const unsigned char *host = work_alloc(w, 1 << 16);
    for (size_t i = 0; i < 1 << 16; i++)
        CHECK_EQ(host[i], 0);
    CHECK(work_device(w, 1 << 20, e) != 0);
    hd_ptr p = work_upload(w, sent, sizeof sent, e);
    CHECK(p && work_download(w, got, p, sizeof got, e));
    CHECK(memcmp(sent, got, sizeof sent) == 0);
    CHECK(hd_memory_used(w->device) >= (1 << 20) + sizeof sent);
    return w->seed == 1;
}

static void a_run_frees_its_memory_whether_it_fails_or_not(void)
{
    const struct workload wl = {.name = "T", .kernels = "matrixmul", .run = use_memory};
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &e);
    CHECK(d != NULL);
    CHECK(workload_run(&wl, d, &(struct workload_request){.seed = 1}, &e));
    uint64_t of_the_module = hd_memory_used(d);
    CHECK(of_the_module < 1 << 20);
    CHECK(!workload_run(&wl, d, &(struct workload_request){.seed = 2}, &e));
    CHECK(hd_memory_used(d) < 1 << 20);
    hd_device_free(d);
}

static bool use_symbols_and_textures(struct work *w, struct hd_error *e)
{
    const float stencil[5] = {1, 2, 3, 4, 5};
    float got[5];
    hd_ptr address;
    uint64_t bytes;
    CHECK(work_symbol(w, "stencil", stencil, sizeof stencil, e));
    CHECK(hd_module_symbol(w->module, "stencil", &address, &bytes, e));
    CHECK(work_download(w, got, address, sizeof got, e));
    CHECK(memcmp(got, stencil, sizeof got) == 0);
    struct hd_error none = {0}, large = {0};
    CHECK(!work_symbol(w, "no_such", stencil, 4, &none));
    CHECK(!work_symbol(w, "stencil", stencil, bytes + 4, &large));
    CHECK_STR(large.text, "stencil has 20 bytes, not 24");
    hd_ptr p = work_device(w, 64, e);
    return work_texture_linear(w, p, 16, 1, 32, HD_FLOAT, e) != 0 &&
           work_texture_linear(w, p, 16, 3, 32, HD_FLOAT, e) == 0;
}

static void a_run_writes_constants_and_makes_textures(void)
{
    const struct workload wl = {.name = "T", .kernels = "fdtd3d", .run = use_symbols_and_textures};
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &e);
    CHECK(workload_run(&wl, d, &(struct workload_request){.seed = 1}, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT); /* of three channels */
    hd_device_free(d);
}

static void a_module_that_cannot_be_loaded_is_named(void)
{
    const struct workload built_in = {.name = "T", .kernels = "loom", .run = use_memory};
    struct hd_error e = {0}, f = {0};
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &e);
    CHECK(!workload_run(&built_in, d, &(struct workload_request){.seed = 1}, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "T: kernels/loom.cu is not built in");
    CHECK(!workload_run(workload_find("MM"), d,
                        &(struct workload_request){.seed = 1, .kernel_dir = "no-such-dir"}, &f));
    CHECK_EQ(f.status, HD_BAD_INPUT);
    CHECK(strstr(f.text, "no-such-dir/matrixmul.ptx") != NULL);
    hd_device_free(d);
}

static void size_chip_is_refused_by_those_that_no_chip_was_measured_with(void)
{
    const struct workload *hs = workload_find("HS"), *srad = workload_find("SRAD");
    const struct workload *bp = workload_find("BP");
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &e);
    CHECK(workload_has_input(hs, SIZE_CHIP, &e) && workload_has_input(srad, SIZE_PAPER, &e));
    CHECK_STR(e.text, "");
    CHECK(!workload_run(srad, d, &(struct workload_request){.seed = 1, .size = SIZE_CHIP}, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "SRAD has no input of size \"chip\" (tiny, small, study, paper, few)");
    CHECK_STR(workload_module(bp, SIZE_CHIP), "backprop_plain");
    CHECK_STR(workload_module(bp, SIZE_PAPER), "backprop");
    CHECK_STR(workload_module(hs, SIZE_CHIP), "hotspot");
    hd_device_free(d);
}

/* --- mathematics ----------------------------------------------------------------------------- */

/* Error of `got`, in units in the last place of the true value. */
static double ulps(float got, double truth)
{
    float rounded = (float)truth;
    if (got == rounded)
        return 0;
    double unit = (double)nextafterf(fabsf(rounded), INFINITY) - (double)fabsf(rounded);
    return fabs((double)got - truth) / unit;
}

static void exp_log_and_tanh_are_as_exact_as_the_header_says(void)
{
    for (int i = -104000; i <= 89000; i += 7) {
        float x = (float)i * 1e-3f;
        CHECK(ulps(hm_expf(x), exp((double)x)) < 1);
        CHECK(ulps(hm_tanhf(x * 0.2f), tanh((double)(x * 0.2f))) < 2);
    }
    for (uint32_t bits = 1; bits < 0x7f800000; bits += 50021) {
        float x = hm_from_bits(bits);
        CHECK(ulps(hm_logf(x), log((double)x)) < 1);
        CHECK(hm_sqrtf(x) == sqrtf(x));
    }
    for (int i = 0; i < 2000; i++) /* around 1, where the logarithm is small */
        CHECK(ulps(hm_logf(0.9f + (float)i * 1e-4f), log((double)(0.9f + (float)i * 1e-4f))) < 1);
    CHECK_NEAR(hm_powf(2.5f, 3.0f), 15.625, 1e-6);
}

static void special_values_go_where_they_belong(void)
{
    CHECK(hm_expf(INFINITY) == INFINITY && hm_expf(-INFINITY) == 0 && isnan(hm_expf(NAN)));
    CHECK(hm_expf(0.0f) == 1 && hm_expf(88.8f) == INFINITY);
    CHECK(hm_logf(0.0f) == -INFINITY && isnan(hm_logf(-1.0f)) && hm_logf(INFINITY) == INFINITY);
    CHECK(hm_logf(1.0f) == 0 && hm_powf(0.0f, 2.0f) == 0 && hm_powf(7.0f, 0.0f) == 1);
    CHECK(hm_tanhf(20.0f) == 1 && hm_tanhf(-INFINITY) == -1 && isnan(hm_tanhf(NAN)));
    CHECK(signbit(hm_tanhf(-0.0f)));
}

static void rint_rounds_ties_to_even_and_keeps_the_sign(void)
{
    for (int i = -40; i <= 40; i++)
        CHECK(hm_bits(hm_rintf((float)i * 0.25f)) == hm_bits(rintf((float)i * 0.25f)));
    CHECK(hm_rintf(8388609.0f) == 8388609.0f && hm_rintf(-1e30f) == -1e30f);
    CHECK(hm_rintf(INFINITY) == INFINITY && isnan(hm_rintf(NAN)));
}

CHECK_MAIN("workload", TEST(the_icc_papers_workloads_come_first_in_its_order),
           TEST(no_two_workloads_have_one_name), TEST(papers_are_named_one_after_another),
           TEST(every_workload_says_what_it_is_and_has_kernels_built_in),
           TEST(a_workload_is_found_in_any_case_and_by_its_whole_name_only),
           TEST(sizes_are_parsed_by_their_names), TEST(kernels_that_do_not_exist_have_no_ptx),
           TEST(random_inputs_depend_on_seed_stream_and_index_alone),
           TEST(random_floats_fill_their_range_and_stay_below_its_end),
           TEST(floats_are_compared_bit_for_bit_but_all_nans_are_one),
           TEST(integers_are_compared_exactly),
           TEST(a_run_frees_its_memory_whether_it_fails_or_not),
           TEST(a_run_writes_constants_and_makes_textures),
           TEST(random_numbers_below_a_bound_are_all_of_them), TEST(every_type_has_its_comparison),
           TEST(a_module_that_cannot_be_loaded_is_named),
           TEST(size_chip_is_refused_by_those_that_no_chip_was_measured_with),
           TEST(exp_log_and_tanh_are_as_exact_as_the_header_says),
           TEST(special_values_go_where_they_belong),
           TEST(rint_rounds_ties_to_even_and_keeps_the_sign))
