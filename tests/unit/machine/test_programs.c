/* Kernels in sequence: when one is over whose CTAs do not wait for their stores (sm.drain), and the L1
 * that its shared memory leaves (l1.carveouts). */
#include "check.h"
#include "l1/lsu_priv.h"
#include "machine/machine_priv.h"
#include "rig/sm_rig.h"
#include "sim/stats_snapshot.h"

enum { SETTINGS = 24 };

struct world {
    struct arena *a;
    struct machine *m;
};

/* `settings` are separated by blanks. */
static void open_world(struct world *w, const char *settings, struct machine_options opt)
{
    struct err e = {0};
    const char *set[SETTINGS] = {NULL};
    int n = 0;
    w->a = arena_new();
    char *text = arena_strdup(w->a, settings), *rest = NULL;
    for (char *s = strtok_r(text, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        set[n++] = s;
    CHECK(n < SETTINGS);
    w->m = machine_new(machine_rig_config(w->a, set), &opt, &e);
    CHECK_STR(e.text, "");
}

static void close_world(struct world *w)
{
    machine_free(w->m);
    arena_free(w->a);
}

static bool run(struct world *w, struct stream_store *k)
{
    struct err e = {0};
    bool ok = machine_run(w->m, k, &e);
    CHECK(ok || e.status == STATUS_BUDGET);
    return ok;
}

static double of_kernel(const struct world *w, uint32_t i, const char *name)
{
    const struct machine_kernel *k = machine_kernel(w->m, i);
    return stats_snapshot_value(k->after, name) - stats_snapshot_value(k->before, name);
}

/* ---- stores that are not waited for ---- */

static struct stream_store *storing_kernel(void)
{
    struct kernel_rig *k = kernel_rig_new("k", 12, 64);
    struct kernel_rig_insn to = kernel_rig_store_to(1, 1 << 20);
    to.per_cta = 4096;
    to.per_warp = 128;
    kernel_rig_block(k);
    kernel_rig_add(k, to);
    struct stream_store *s = kernel_rig_store(k);
    kernel_rig_free(k);
    return s;
}

static void a_kernel_is_over_when_its_last_store_is_answered(void)
{
    static const char *const drains[] = {"sm.drain=true", "sm.drain=false"};
    struct stream_store *k = storing_kernel();
    for (int i = 0; i < 2; i++) {
        struct world w;
        struct err e = {0};
        open_world(&w, drains[i], (struct machine_options){.check = true});
        CHECK(run(&w, k) && run(&w, k));
        for (uint32_t n = 0; n < 2; n++) {
            CHECK_NEAR(of_kernel(&w, n, "l1.write.sent"), 24, 0);
            CHECK_NEAR(of_kernel(&w, n, "l1.write.answers"), 24, 0);
        }
        CHECK(i == 0 ? of_kernel(&w, 0, "sm.stall_drain") > 0
                     : of_kernel(&w, 0, "sm.stall_drain") == 0);
        CHECK(machine_finish(w.m, &e));
        close_world(&w);
    }
    stream_store_free(k);
}

/* In every cycle of it: with CTAs to start, with CTAs that run, and with nothing but stores. */
static void a_kernel_that_is_stopped_ends_there(void)
{
    struct stream_store *k = storing_kernel();
    uint32_t with_stores_only = 0;
    bool is_done = false;
    for (uint64_t most = 1; !is_done; most++) {
        struct world w;
        open_world(&w, "sm.drain=false", (struct machine_options){.max_cycles = most});
        is_done = run(&w, k);
        const struct machine_kernel *one = machine_kernel(w.m, 0);
        CHECK_EQ(one->end, is_done ? machine_cycles(w.m) : most);
        with_stores_only += !is_done && one->ctas_done == one->ctas;
        close_world(&w);
        CHECK(most < 10000);
    }
    CHECK(with_stores_only > 50);
    stream_store_free(k);
}

/* ---- one memory for L1 and shared memory ---- */

/* Every warp goes four times round some lines of its CTA and some of all; local memory besides. */
static struct stream_store *reading_kernel(uint32_t shared_bytes)
{
    struct kernel_rig *k = kernel_rig_new("k", 16, 64);
    k->k.shared_bytes = shared_bytes;
    kernel_rig_block(k);
    for (uint16_t i = 0; i < 6; i++) {
        struct kernel_rig_insn own = kernel_rig_load((uint16_t)(1 + i), (1u << 20) + 128u * i);
        struct kernel_rig_insn all = kernel_rig_load((uint16_t)(11 + i), (1u << 22) + 640u * i);
        own.per_cta = 1024;
        kernel_rig_add(k, own);
        kernel_rig_add(k, all);
    }
    for (uint32_t n = 0; n < 8; n++)
        kernel_rig_path(k, n % 2, 0);
    struct stream_store *s = kernel_rig_store(k);
    kernel_rig_free(k);
    return s;
}

static uint64_t l1_bytes(const struct world *w, uint32_t sm)
{
    const struct tags *t = &w->m->sm[sm]->lsu->cache[CACHE_L1].tags;
    return (uint64_t)t->sets * t->ways * LINE_BYTES;
}

/* 2 CTAs fit an SM: what they use of shared memory decides. */
#define CARVED "sm.ctas=2 sm.shared=6K l1.size=8K l1.carveouts=0,1K,2K,4K,6K l1.ways=2 "

static void each_kernel_leaves_the_l1_what_its_ctas_do_not_need(void)
{
    static const struct {
        uint32_t shared_bytes, l1;
    } x[] = {{0, 8192},    {100, 7168}, {512, 7168},  {513, 6144},
             {3072, 2048}, {0, 8192},   {2000, 4096}, {5000, 2048} /* one CTA at a time */,
             {1, 7168}};
    struct world w;
    open_world(&w, CARVED, (struct machine_options){.check = true});
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        struct stream_store *k = reading_kernel(x[i].shared_bytes);
        CHECK(run(&w, k));
        for (uint32_t sm = 0; sm < 4; sm++)
            CHECK_EQ(l1_bytes(&w, sm), x[i].l1);
        stream_store_free(k);
    }
    close_world(&w);
}

static uint64_t digest_of(const char *settings, struct machine_options opt, uint32_t shared_bytes)
{
    struct world w;
    struct stream_store *k = reading_kernel(shared_bytes);
    open_world(&w, settings, opt);
    CHECK(run(&w, k) && run(&w, k));
    uint64_t d = machine_digest(w.m);
    close_world(&w);
    stream_store_free(k);
    return d;
}

static const char *const kinds[] = {
    "",
    "l1.hashed=false",
    "l1.hashed=false l1.masked=true",
    "l1.replacement=fifo",
    "l1.replacement=random",
    "l1.replacement=plru",
    "l1.replacement=srrip",
    "l1.replacement=drrip drrip.leaders=4 drrip.psel_bits=2",
    "l1.allocate=fill l1.sectored=true l1.replacement=drrip drrip.leaders=1"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The plain model of a carved L1 is an L1 that was made so. */
static void a_carved_l1_does_what_an_l1_of_its_size_does(void)
{
    static const struct {
        uint32_t shared_bytes;
        const char *size;
    } x[] = {{0, "8K"}, {512, "7K"}, {900, "6K"}, {2000, "4K"}, {3000, "2K"}};
    uint64_t last = 0;
    for (int i = 0; i < KINDS; i++)
        for (size_t s = 0; s < sizeof x / sizeof x[0]; s++) {
            char carved[256], made[256];
            snprintf(carved, sizeof carved, CARVED "%s", kinds[i]);
            snprintf(made, sizeof made, "sm.ctas=2 sm.shared=6K l1.ways=2 l1.size=%s %s", x[s].size,
                     kinds[i]);
            uint64_t d = digest_of(carved, (struct machine_options){0}, x[s].shared_bytes);
            CHECK_EQ(d, digest_of(made, (struct machine_options){0}, x[s].shared_bytes));
            CHECK(d != last); /* the size matters */
            last = d;
        }
}

static void how_a_carved_machine_is_run_changes_nothing(void)
{
    static const struct machine_options ways[] = {
        {.no_skip = true}, {.check = true}, {.threads = 2}, {.reversed = true}, {.details = true}};
    for (int i = 0; i < KINDS; i++) {
        char text[256];
        snprintf(text, sizeof text, CARVED "sm.drain=false gpu.cta_latency=17 %s", kinds[i]);
        uint64_t d = digest_of(text, (struct machine_options){0}, 900);
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
            CHECK_EQ(digest_of(text, ways[k], 900), d);
    }
}

static void programs_at_once_leave_the_l1_the_least(void)
{
    struct world w;
    struct err e = {0};
    struct stream_store *k[2] = {reading_kernel(0), reading_kernel(100)};
    open_world(&w, CARVED "gpu.partition=room", (struct machine_options){.nprograms = 2});
    struct machine_programs p = {.n = 2};
    for (int i = 0; i < 2; i++)
        p.source[i] = stream_source_of_kernel(k[i]);
    CHECK(machine_run_programs(w.m, &p, &e));
    for (uint32_t sm = 0; sm < 4; sm++)
        CHECK_EQ(l1_bytes(&w, sm), 2048);
    for (int i = 0; i < 2; i++) {
        stream_source_free(p.source[i]);
        stream_store_free(k[i]);
    }
    close_world(&w);
}

/* ---- the time to start a CTA ---- */

static uint64_t cycles_with(uint32_t latency)
{
    struct world w;
    char text[64];
    struct stream_store *k = storing_kernel();
    snprintf(text, sizeof text, "gpu.cta_latency=%u", latency);
    open_world(&w, text, (struct machine_options){0});
    CHECK(run(&w, k));
    uint64_t n = machine_cycles(w.m);
    close_world(&w);
    stream_store_free(k);
    return n;
}

/* All CTAs fit at once, so that it is paid once. */
static void the_time_to_start_a_cta_is_added_to_a_kernel_of_one_wave(void)
{
    uint64_t least = cycles_with(1);
    CHECK_EQ(cycles_with(2), least + 1);
    CHECK_EQ(cycles_with(331), least + 330);
}

CHECK_MAIN("programs", TEST(a_kernel_is_over_when_its_last_store_is_answered),
           TEST(a_kernel_that_is_stopped_ends_there),
           TEST(each_kernel_leaves_the_l1_what_its_ctas_do_not_need),
           TEST(a_carved_l1_does_what_an_l1_of_its_size_does),
           TEST(how_a_carved_machine_is_run_changes_nothing),
           TEST(programs_at_once_leave_the_l1_the_least),
           TEST(the_time_to_start_a_cta_is_added_to_a_kernel_of_one_wave))
