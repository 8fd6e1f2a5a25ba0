/* The library as a stranger sees it: nothing but the public header. */
#include <heddle/heddle.h>

#include "check.h"

static struct hd_config *config(const char *const *settings, struct hd_error *e)
{
    struct hd_config *c = hd_config_new();
    for (; *settings; settings++)
        CHECK(hd_config_set(c, *settings, e));
    return c;
}

static const char *const small[] = {"mesh.width=4", "mesh.height=4", "measure.cycles=3000",
                                    "measure.warmup=500", NULL};

static void the_version_is_a_number_with_dots(void)
{
    int major, minor;
    CHECK_EQ(sscanf(hd_version(), "%d.%d", &major, &minor), 2);
}

static void a_network_runs_and_gives_a_point(void)
{
    struct hd_error e;
    struct hd_point p;
    struct hd_config *c = config(small, &e);
    CHECK(hd_noc_run(c, 0.2, &p, &e));
    CHECK_EQ(e.status, HD_DONE);
    CHECK_STR(e.text, "");
    CHECK_NEAR(p.offered, 0.2, 0);
    CHECK_NEAR(p.accepted, 0.2, 0.05);
    CHECK(p.latency_p50 <= p.latency_p99);
    CHECK(p.latency_mean > p.queueing);
    CHECK_NEAR(p.hops, 3.5, 0.03);
    CHECK(!p.saturated);
    CHECK(p.cycles > 3500);
    CHECK_NEAR(p.packets, 0.2 * 16 * 3000, 0.06);
    CHECK(p.digest != 0);
    hd_config_free(c);
}

static void the_same_configuration_gives_the_same_digest(void)
{
    struct hd_error e;
    struct hd_point p, q, r;
    struct hd_config *c = config(small, &e), *d = config(small, &e);
    CHECK(hd_noc_run(c, 0.2, &p, &e));
    CHECK(hd_noc_run(c, 0.2, &q, &e)); /* a run does not change its configuration */
    CHECK(hd_noc_run(d, 0.2, &r, &e));
    CHECK_EQ(p.digest, q.digest);
    CHECK_EQ(p.digest, r.digest);
    CHECK(hd_config_set(d, "sim.seed=2", &e));
    CHECK(hd_noc_run(d, 0.2, &r, &e));
    CHECK(p.digest != r.digest);
    hd_config_free(c);
    hd_config_free(d);
}

static void a_file_is_loaded_over_the_defaults(void)
{
    struct hd_error e;
    struct hd_point p;
    struct hd_config *c = hd_config_new();
    CHECK(hd_config_load(c, HEDDLE_SOURCE_DIR "/networks/mesh8_uniform_p1_v4b8.yaml", &e));
    CHECK(hd_config_set(c, "measure.cycles=500", &e));
    CHECK(hd_config_set(c, "measure.warmup=100", &e));
    CHECK(hd_noc_run(c, 0.05, &p, &e));
    CHECK_NEAR(p.hops, 2 * 21.0 / 8 + 1, 0.06);
    hd_config_free(c);
}

static void errors_are_one_line_with_a_status(void)
{
    struct hd_error e;
    struct hd_point p;
    struct hd_config *c = hd_config_new();
    CHECK(!hd_config_set(c, "mesh.wdith=4", &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "--set mesh.wdith=4: unknown parameter; did you mean mesh.width?");
    CHECK(!hd_config_load(c, "/nonexistent.yaml", &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "/nonexistent.yaml: cannot read: No such file or directory");
    CHECK(!hd_noc_run(c, 5, &p, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK(hd_config_set(c, "measure.max_cycles=50", &e));
    CHECK(!hd_noc_run(c, 0.1, &p, &e));
    CHECK_EQ(e.status, HD_BUDGET);
    hd_config_free(c);
}

static void a_success_after_an_error_clears_it(void)
{
    struct hd_error e;
    struct hd_config *c = hd_config_new();
    CHECK(!hd_config_set(c, "nothing=1", &e));
    CHECK(hd_config_set(c, "mesh.width=4", &e));
    CHECK_EQ(e.status, HD_DONE);
    CHECK_STR(e.text, "");
    hd_config_free(c);
}

static void a_kernel_can_be_given_its_registers(void)
{
    static const char ptx[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                              ".entry k() { ret; }\n.entry _Z5otherv() { ret; }\n";
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(NULL, &e);
    struct hd_module *m = hd_module_load(d, "k.ptx", ptx, sizeof ptx - 1, &e);
    const struct hd_function *k = hd_module_function(m, "k", &e);
    CHECK_EQ(hd_function_info(k).regs_from, HD_BY_LIVENESS);
    CHECK(hd_module_set_registers(m, "k", HD_BY_ASSEMBLER, 30, &e));
    CHECK_EQ(hd_function_info(k).regs_per_thread, 30);
    CHECK_EQ(hd_function_info(k).regs_from, HD_BY_ASSEMBLER);
    CHECK(hd_module_set_registers(m, "k", HD_GIVEN, 20, &e));
    CHECK_EQ(hd_function_info(k).regs_per_thread, 20);
    CHECK_EQ(hd_function_info(k).regs_from, HD_GIVEN);
    CHECK(hd_module_set_registers(m, "k", HD_GIVEN, 0, &e)); /* taken back */
    CHECK_EQ(hd_function_info(k).regs_per_thread, 30);
    CHECK(hd_module_set_registers(m, "other", HD_GIVEN, 255, &e)); /* by its plain name */
    CHECK_EQ(hd_function_info(hd_module_function(m, "other", &e)).regs_per_thread, 255);

    CHECK(!hd_module_set_registers(m, "k", HD_GIVEN, 256, &e));
    CHECK_STR(e.text, "kernel k: 256 registers per thread, at most 255");
    CHECK(!hd_module_set_registers(m, "k", HD_BY_LIVENESS, 3, &e));
    CHECK(!hd_module_set_registers(m, "nobody", HD_GIVEN, 3, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    hd_device_free(d);
}

/* ---- without an error to fill -------------------------------------------------------------- */

static void a_configuration_and_a_network_need_no_error(void)
{
    struct hd_point p;
    struct hd_config *c = config(small, NULL);
    CHECK(!hd_config_set(c, "mesh.wdith=4", NULL));
    CHECK(!hd_config_load(c, "/nonexistent.yaml", NULL));
    CHECK(hd_config_load(c, HEDDLE_SOURCE_DIR "/networks/mesh8_uniform_p1_v4b8.yaml", NULL));
    CHECK(hd_config_set(c, "measure.cycles=100", NULL));
    CHECK(hd_noc_run(c, 0.05, &p, NULL));
    CHECK(!hd_noc_run(c, 5, &p, NULL));
    hd_config_free(c);
}

static const char plain[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                            ".global .u32 g;\n.entry k() { ret; }\n";

static void memory_needs_no_error(void)
{
    struct hd_device *d = hd_device_new(NULL, NULL);
    hd_ptr p = 0;
    uint32_t v = 7, got = 0;
    CHECK(hd_malloc(d, &p, 64, NULL));
    CHECK(hd_upload(d, p, &v, 4, NULL) && hd_copy(d, p + 4, p, 4, NULL));
    CHECK(hd_download(d, &got, p + 4, 4, NULL));
    CHECK_EQ(got, 7);
    CHECK(hd_memset(d, p, 0, 64, NULL));
    CHECK(!hd_malloc(d, &p, UINT64_MAX / 2, NULL));
    CHECK(!hd_upload(d, 8, &v, 4, NULL) && !hd_download(d, &got, 8, 4, NULL));
    CHECK(!hd_copy(d, 8, 16, 4, NULL) && !hd_memset(d, 8, 0, 4, NULL) && !hd_free(d, 8, NULL));
    hd_device_free(d);
    CHECK(!hd_device_new(&(struct hd_device_options){.memory_bytes = UINT64_MAX}, NULL));
}

static void modules_need_no_error(void)
{
    struct hd_device *d = hd_device_new(NULL, NULL);
    struct hd_module *m = hd_module_load(d, "k.ptx", plain, sizeof plain - 1, NULL);
    hd_ptr address;
    uint64_t bytes;
    CHECK(hd_module_function(m, "k", NULL) && !hd_module_function(m, "nobody", NULL));
    CHECK(hd_module_set_registers(m, "k", HD_GIVEN, 20, NULL));
    CHECK(!hd_module_set_registers(m, "k", HD_GIVEN, 256, NULL));
    CHECK(hd_module_symbol(m, "g", &address, &bytes, NULL));
    CHECK(!hd_module_symbol(m, "nothing", &address, &bytes, NULL));
    CHECK(!hd_module_load(d, "k.ptx", "nonsense", 8, NULL));
    CHECK(!hd_module_load_file(d, "/nonexistent.ptx", NULL));
    hd_device_free(d);
}

static void launches_and_what_goes_with_them_need_no_error(void)
{
    struct hd_device *d = hd_device_new(NULL, NULL);
    struct hd_module *m = hd_module_load(d, "k.ptx", plain, sizeof plain - 1, NULL);
    const struct hd_function *k = hd_module_function(m, "k", NULL);
    struct hd_stream *s = hd_stream_new(d, NULL);
    struct hd_dim one = {1, 1, 1}, none = {0, 1, 1};
    CHECK(hd_launch(d, k, one, one, 0, NULL, s, NULL) &&
          !hd_launch(d, k, none, one, 0, NULL, s, NULL));
    CHECK(hd_stream_sync(s, NULL) && hd_device_sync(d, NULL));
    hd_stream_free(s);
    hd_texture t;
    hd_ptr texels;
    CHECK(hd_malloc(d, &texels, 64, NULL));
    struct hd_texture_desc desc = {.address = texels, .width = 4, .channels = 1, .bits = 32};
    CHECK(hd_texture_new(d, &desc, &t, NULL) && hd_texture_free(d, t, NULL));
    CHECK(!hd_texture_free(d, t, NULL));
    desc.bits = 7;
    CHECK(!hd_texture_new(d, &desc, &t, NULL));
    CHECK(!hd_record_begin(d, "/nonexistent/trace", "k", NULL));
    hd_record_end(d, NULL);
    hd_device_free(d);
}

/* ---- kernel parameters --------------------------------------------------------------------- */

static const char block_copy[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 to, .param .align 4 .b8 block[32756]) {\n"
    ".reg .b64 %t; .reg .b32 %v; ld.param.u64 %t, [to]; ld.param.u32 %v, [block+32752];\n"
    "st.global.u32 [%t], %v; ret; }\n";

static bool launch_with_block(struct hd_device *d, uint32_t bytes, hd_ptr to, struct hd_error *e)
{
    static unsigned char block[40000];
    const uint32_t last = 0xabad1dea;
    struct hd_module *m = hd_module_load(d, "k.ptx", block_copy, sizeof block_copy - 1, e);
    struct hd_args args = {0};
    memcpy(block + 32752, &last, sizeof last);
    hd_arg_ptr(&args, to);
    hd_arg(&args, block, bytes, 4);
    return hd_launch(d, hd_module_function(m, "k", e), (struct hd_dim){1, 1, 1},
                     (struct hd_dim){1, 1, 1}, 0, &args, NULL, e);
}

static void a_kernel_gets_all_the_parameters_that_it_may_declare(void)
{
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(NULL, &e);
    hd_ptr to;
    uint32_t got = 0;
    CHECK(hd_malloc(d, &to, 4, &e));
    CHECK(launch_with_block(d, 32756, to, &e));
    CHECK_STR(e.text, "");
    CHECK(hd_download(d, &got, to, 4, &e));
    CHECK_EQ(got, 0xabad1dea);
    hd_device_free(d);
}

static void more_parameters_than_any_kernel_may_have_are_refused(void)
{
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(NULL, &e);
    hd_ptr to;
    CHECK(hd_malloc(d, &to, 4, &e));
    CHECK(!launch_with_block(d, 32757, to, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "kernel k: more than 32764 bytes of parameters given");
    CHECK(!launch_with_block(d, 40000, to, &e));
    CHECK(!launch_with_block(d, UINT32_MAX - 2, to, &e)); /* the sum of the sizes wraps */
    CHECK_STR(e.text, "kernel k: more than 32764 bytes of parameters given");
    hd_device_free(d);
}

static void freeing_nothing_is_allowed(void)
{
    hd_config_free(NULL);
}

CHECK_MAIN("libheddle", TEST(the_version_is_a_number_with_dots),
           TEST(a_network_runs_and_gives_a_point),
           TEST(the_same_configuration_gives_the_same_digest),
           TEST(a_file_is_loaded_over_the_defaults), TEST(errors_are_one_line_with_a_status),
           TEST(a_success_after_an_error_clears_it), TEST(a_kernel_can_be_given_its_registers),
           TEST(a_configuration_and_a_network_need_no_error), TEST(memory_needs_no_error),
           TEST(modules_need_no_error), TEST(launches_and_what_goes_with_them_need_no_error),
           TEST(a_kernel_gets_all_the_parameters_that_it_may_declare),
           TEST(more_parameters_than_any_kernel_may_have_are_refused),
           TEST(freeing_nothing_is_allowed))
