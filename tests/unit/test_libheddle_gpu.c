/* Machines as a stranger sees them: nothing but the public header. */
#include <heddle/heddle.h>

#include <unistd.h>

#include "check.h"

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 to, .param .u64 from) {\n"
    ".reg .b64 %t, %f, %o; .reg .b32 %i, %v, %n, %c; ld.param.u64 %t, [to];\n"
    "ld.param.u64 %f, [from]; mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;\n"
    "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %o, %i, 4; add.u64 %f, %f, %o;\n"
    "add.u64 %t, %t, %o; ld.global.u32 %v, [%f]; add.u32 %v, %v, 1;\n"
    "st.global.u32 [%t], %v; ret; }\n";

static const char *const small[] = {
    "gpu.clusters=2",   "gpu.sms_per_cluster=2", "noc.topology=xbar",
    "noc.networks=two", "xbar.inputs=2",         "xbar.outputs=2",
    "mc.channels=2",    "l2.size=128K",          NULL};

enum { N = 2048 };

struct world {
    struct hd_config *c;
    struct hd_gpu *g;
    struct hd_device *d;
    const struct hd_function *f;
    hd_ptr from, to;
    struct hd_error e;
};

static void open_world(struct world *w, const struct hd_gpu_options *o)
{
    *w = (struct world){.c = hd_config_new()};
    for (const char *const *s = small; *s; s++)
        CHECK(hd_config_set(w->c, *s, &w->e));
    w->g = hd_gpu_new(w->c, o, &w->e);
    CHECK_STR(w->e.text, "");
    w->d = hd_device_new(&(struct hd_device_options){.gpu = w->g}, &w->e);
    struct hd_module *m = hd_module_load(w->d, "k.ptx", ptx, sizeof ptx - 1, &w->e);
    CHECK_STR(w->e.text, "");
    w->f = hd_module_function(m, "k", &w->e);
    CHECK(hd_malloc(w->d, &w->from, 4 * N, &w->e) && hd_malloc(w->d, &w->to, 4 * N, &w->e));
    uint32_t in[N];
    for (uint32_t i = 0; i < N; i++)
        in[i] = i;
    CHECK(hd_upload(w->d, w->from, in, sizeof in, &w->e));
}

static void close_world(struct world *w)
{
    hd_device_free(w->d);
    hd_gpu_free(w->g);
    hd_config_free(w->c);
}

static bool launch(struct world *w)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, w->to);
    hd_arg_ptr(&args, w->from);
    return hd_launch(w->d, w->f, (struct hd_dim){N / 128, 1, 1}, (struct hd_dim){128, 1, 1}, 0,
                     &args, NULL, &w->e);
}

static void a_launch_is_executed_and_timed(void)
{
    struct world w;
    uint32_t out[N];
    open_world(&w, NULL);
    CHECK_EQ(hd_gpu_cycles(w.g), 0);
    CHECK(launch(&w));
    uint64_t first = hd_gpu_cycles(w.g);
    CHECK(first > 100);
    CHECK_NEAR(hd_gpu_stat(w.g, "sm.ctas"), N / 128, 0);
    CHECK_NEAR(hd_gpu_stat(w.g, "l1.stores"), N / 32, 0);
    CHECK(launch(&w));
    CHECK(hd_gpu_cycles(w.g) > first && hd_gpu_cycles(w.g) < 2 * first); /* the L2 remembers */
    CHECK_NEAR(hd_gpu_stat(w.g, "sm.ctas"), 2 * N / 128, 0);
    CHECK(hd_gpu_finish(w.g, &w.e));
    CHECK_EQ(w.e.status, HD_DONE);
    CHECK(hd_download(w.d, out, w.to, sizeof out, &w.e));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(out[i], i + 1);
    close_world(&w);
}

static void a_statistic_that_does_not_exist_is_nan(void)
{
    struct world w;
    open_world(&w, NULL);
    CHECK(isnan(hd_gpu_stat(w.g, "sm.nothing")));
    CHECK(isnan(hd_gpu_stat(w.g, "")));
    CHECK_NEAR(hd_gpu_stat(w.g, "sm.issued"), 0, 0);
    close_world(&w);
}

/* Prices are of the machine, not of each question: whatever becomes of the configuration. */
static void a_machine_is_priced_once(void)
{
    struct world w;
    open_world(&w, NULL);
    CHECK(launch(&w));
    double total = hd_gpu_stat(w.g, "energy.structural.total");
    CHECK(total > 0);
    CHECK(hd_config_set(w.c, "power.node=22", &w.e));
    CHECK_EQ(hd_gpu_stat(w.g, "energy.structural.total") == total, true);
    CHECK(hd_config_set(w.c, "power.node=45", &w.e));
    CHECK_EQ(hd_gpu_stat(w.g, "energy.structural.total") == total, true);
    close_world(&w);
}

static void a_machine_needs_no_error(void)
{
    struct hd_config *c = hd_config_new();
    for (const char *const *s = small; *s; s++)
        CHECK(hd_config_set(c, *s, NULL));
    struct hd_gpu *g = hd_gpu_new(c, NULL, NULL);
    CHECK(!hd_gpu_replay(g, "/nonexistent.trace", NULL));
    hd_gpu_free(g);
    g = hd_gpu_new(c, NULL, NULL);
    CHECK(hd_gpu_finish(g, NULL));
    hd_gpu_free(g);
    CHECK(hd_config_set(c, "gpu.clusters=3", NULL)); /* the network has two */
    CHECK(!hd_gpu_new(c, NULL, NULL));
    hd_config_free(c);
}

static uint64_t digest(const struct hd_gpu_options *o)
{
    struct world w;
    open_world(&w, o);
    CHECK(launch(&w) && launch(&w));
    uint64_t d = hd_gpu_digest(w.g);
    close_world(&w);
    return d;
}

static void options_of_the_simulation_change_no_result(void)
{
    uint64_t d = digest(NULL);
    CHECK_EQ(digest(&(struct hd_gpu_options){.no_skip = true}), d);
    CHECK_EQ(digest(&(struct hd_gpu_options){.check = true}), d);
    CHECK_EQ(digest(&(struct hd_gpu_options){.threads = 2}), d);
}

static void a_recorded_run_replays_to_the_same_digest(void)
{
    struct world w, again;
    char path[] = "/tmp/heddle-gpu-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    open_world(&w, NULL);
    CHECK(hd_record_begin(w.d, path, "k", &w.e));
    CHECK(launch(&w) && launch(&w));
    CHECK(hd_record_end(w.d, &w.e));
    close_world(&w);
    open_world(&w, NULL);
    CHECK(launch(&w) && launch(&w));
    open_world(&again, NULL);
    CHECK(hd_gpu_replay(again.g, path, &again.e));
    CHECK_EQ(hd_gpu_digest(again.g), hd_gpu_digest(w.g));
    CHECK_EQ(hd_gpu_cycles(again.g), hd_gpu_cycles(w.g));
    CHECK(hd_gpu_finish(again.g, &again.e));
    unlink(path);
    close_world(&again);
    close_world(&w);
}

static void what_is_wrong_is_said(void)
{
    struct world w;
    struct hd_error e = {0};
    open_world(&w, NULL);
    CHECK(!hd_gpu_replay(w.g, "/nonexistent/file", &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK(strstr(e.text, "/nonexistent/file") != NULL);
    CHECK(hd_config_set(w.c, "gpu.clusters=5", &e));
    CHECK(hd_gpu_new(w.c, NULL, &e) == NULL);
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK(strstr(e.text, "5 clusters") != NULL);
    close_world(&w);
}

static void a_budget_ends_the_launch(void)
{
    struct world w;
    open_world(&w, &(struct hd_gpu_options){.max_cycles = 60});
    CHECK(!launch(&w));
    CHECK_EQ(w.e.status, HD_BUDGET);
    CHECK_EQ(hd_gpu_cycles(w.g), 60);
    close_world(&w);
}

/* --- workloads, documents, stops -------------------------------------------------------------- */

static struct hd_gpu *icc60(struct hd_config **c, const struct hd_watch *w)
{
    struct hd_error e;
    setenv("HEDDLE_DATA", HEDDLE_SOURCE_DIR, 1);
    *c = hd_config_machine("icc60", &e);
    CHECK(*c && (!w || hd_config_watch(*c, w, &e)));
    struct hd_gpu *g = hd_gpu_new(*c, NULL, &e);
    CHECK(g);
    return g;
}

static const char *member(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    return at ? at + strlen(key) : "";
}

static void a_workload_runs_by_its_name_and_leaves_a_document(void)
{
    struct hd_error e;
    struct hd_config *c;
    struct hd_gpu *g = icc60(&c, NULL);
    struct hd_program p = {.size = sizeof p, .workload = "HS@tiny", .seed = 1};
    char digest[32];
    CHECK(hd_gpu_run(g, &p, &e) && hd_gpu_finish(g, &e));
    const char *text = hd_gpu_json(g, &e);
    snprintf(digest, sizeof digest, "\"%016llx\"", (unsigned long long)hd_gpu_digest(g));
    CHECK_EQ(strncmp(member(text, "\"digest\": "), digest, 18), 0);
    CHECK_EQ(strncmp(member(text, "\"machine\": "), "\"icc60\"", 7), 0);
    CHECK_EQ(strncmp(member(text, "\"workload\": "), "\"HS@tiny\"", 9), 0);
    CHECK_EQ(strncmp(member(text, "\"checked\": "), "true", 4), 0);
    CHECK_EQ((uint64_t)atoll(member(text, "\"cycles\": ")), hd_gpu_cycles(g));
    p.no_verify = true; /* a second program on the same machine */
    CHECK(hd_gpu_run(g, &p, &e));
    text = hd_gpu_json(g, &e);
    CHECK_EQ(strncmp(member(text, "\"workload\": "), "\"HS@tiny + HS@tiny\"", 19), 0);
    CHECK_EQ(strncmp(member(text, "\"checked\": "), "false", 5), 0);
    hd_gpu_free(g);
    hd_config_free(c);
}

static void a_workload_that_is_none_is_refused(void)
{
    struct hd_error e;
    struct hd_config *c;
    struct hd_gpu *g = icc60(&c, NULL);
    struct hd_program p = {.size = sizeof p, .workload = "HS@tinny"};
    CHECK(!hd_gpu_run(g, &p, &e));
    CHECK_STR(e.text, "no size \"tinny\"; did you mean tiny?");
    p.workload = "HSS";
    CHECK(!hd_gpu_run(g, &p, &e));
    CHECK_STR(e.text, "no workload \"HSS\"; did you mean HS?");
    p.workload = NULL;
    CHECK(!hd_gpu_run(g, &p, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    p = (struct hd_program){.size = sizeof p, .workload = "HS@tiny", .kernels = "/nonexistent"};
    CHECK(!hd_gpu_run(g, &p, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    hd_gpu_free(g);
    hd_config_free(c);
}

struct stopper {
    int stop;
    uint64_t calls, cycles;
};

static void stop_soon(void *context, const struct hd_progress *p)
{
    struct stopper *s = context;
    CHECK(p->cycles >= s->cycles && p->ctas_done <= p->ctas);
    s->cycles = p->cycles;
    if (++s->calls == 3)
        __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
}

static void a_run_tells_how_far_it_is_and_can_be_stopped(void)
{
    struct hd_error e;
    struct hd_config *c;
    struct stopper s = {0};
    struct hd_watch w = {.size = sizeof w, .stop = &s.stop, .progress = stop_soon, .context = &s};
    struct hd_gpu *g = icc60(&c, &w);
    struct hd_program p = {.size = sizeof p, .workload = "BT@small", .seed = 1, .no_verify = true};
    CHECK(!hd_gpu_run(g, &p, &e));
    CHECK_EQ(e.status, HD_STOPPED);
    CHECK_EQ(s.calls, 3);
    CHECK_EQ(strncmp(member(hd_gpu_json(g, &e), "\"partial\": "), "true", 4), 0);
    CHECK(!hd_gpu_run(g, &p, &e)); /* nothing can follow */
    hd_gpu_free(g);
    hd_config_free(c);
}

/* Also while a kernel is executed, before anything is timed. */
static void a_launch_is_stopped_while_it_is_executed(void)
{
    struct world w;
    int stop = 1;
    open_world(&w, NULL);
    hd_device_watch(w.d, &stop);
    CHECK(!launch(&w));
    CHECK_EQ(w.e.status, HD_STOPPED);
    hd_device_watch(w.d, NULL);
    CHECK(launch(&w));
    close_world(&w);
}

static void a_kernel_says_what_it_takes(void)
{
    struct world w;
    struct hd_parameter_info p;
    open_world(&w, NULL);
    CHECK(hd_function_parameter(w.f, 1, &p));
    CHECK_STR(p.type, "u64");
    CHECK(p.bytes == 8 && p.align == 8 && p.count == 1);
    CHECK(!hd_function_parameter(w.f, 2, &p));
    static const char by_value[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                   ".entry s(.param .f32 a, .param .align 4 .b8 b[12]) { ret; }\n";
    struct hd_module *m = hd_module_load(w.d, "s", by_value, sizeof by_value - 1, &w.e);
    CHECK(hd_function_parameter(hd_module_function(m, "s", &w.e), 1, &p));
    CHECK_STR(p.type, "b8");
    CHECK(p.bytes == 12 && p.align == 4 && p.count == 12);
    close_world(&w);
}

CHECK_MAIN("libheddle_gpu", TEST(a_launch_is_executed_and_timed),
           TEST(a_statistic_that_does_not_exist_is_nan), TEST(a_machine_is_priced_once),
           TEST(a_machine_needs_no_error), TEST(options_of_the_simulation_change_no_result),
           TEST(a_recorded_run_replays_to_the_same_digest), TEST(what_is_wrong_is_said),
           TEST(a_budget_ends_the_launch), TEST(a_workload_runs_by_its_name_and_leaves_a_document),
           TEST(a_workload_that_is_none_is_refused),
           TEST(a_run_tells_how_far_it_is_and_can_be_stopped),
           TEST(a_launch_is_stopped_while_it_is_executed), TEST(a_kernel_says_what_it_takes))
