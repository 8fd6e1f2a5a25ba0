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

static void freeing_nothing_is_allowed(void)
{
    hd_config_free(NULL);
}

CHECK_MAIN("libheddle", TEST(the_version_is_a_number_with_dots),
           TEST(a_network_runs_and_gives_a_point),
           TEST(the_same_configuration_gives_the_same_digest),
           TEST(a_file_is_loaded_over_the_defaults), TEST(errors_are_one_line_with_a_status),
           TEST(a_success_after_an_error_clears_it), TEST(a_kernel_can_be_given_its_registers),
           TEST(freeing_nothing_is_allowed))
