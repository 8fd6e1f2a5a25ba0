/* Several kernels at once on clusters of unequal size, each on SMs of its own, here and there: all complete, each where it belongs, and the
 * result is the same however the simulation is run. */
#include "check.h"
#include "machine/machine.h"
#include "rig/sm_rig.h"
#include "sim/stats_snapshot.h"

enum { KERNELS = 3, SMS = 7 };

struct world {
    struct arena *a;
    struct stream_store *k[KERNELS];
    struct sm_set sms[KERNELS];
    uint32_t ended[KERNELS][SMS];
};

static const char *const names[KERNELS] = {"a", "b", "c"};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new()};
    static const uint32_t sms[KERNELS][3] = {{0, 3}, {2, 6, 1}, {4}}, count[] = {2, 3, 1};
    struct sm_clusters c = sm_clusters_deal(w->a, SMS, 2);
    for (uint32_t i = 0; i < KERNELS; i++) {
        w->k[i] = machine_rig_kernel(names[i], (i + 1) << 20);
        w->sms[i] = sm_set_of(w->a, &c, sms[i], count[i]);
    }
}

static void close_world(struct world *w)
{
    for (uint32_t i = 0; i < KERNELS; i++)
        stream_store_free(w->k[i]);
    arena_free(w->a);
}

static void note_cta(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct world *w = context;
    CHECK(sm < SMS && slot < 8 && cta < 20 && begin < end);
    w->ended[kernel[0] - 'a'][sm]++;
}

/* Kernels first .. first + n - 1 at once, each a program. */
static bool run_all(struct machine *m, struct world *w, uint32_t first, uint32_t n, struct err *e)
{
    struct machine_programs p = {.n = n, .sms = w->sms + first};
    for (uint32_t i = 0; i < n; i++)
        p.source[i] = stream_source_of_kernel(w->k[first + i]);
    bool ok = machine_run_programs(m, &p, e);
    for (uint32_t i = 0; i < n; i++)
        stream_source_free(p.source[i]);
    return ok;
}

static struct machine *machine(struct world *w, struct machine_options opt)
{
    static const char *const set[] = {"gpu.sms=7", "noc.clock=700MHz", NULL};
    struct err e = {0};
    opt.context = w;
    opt.nprograms = KERNELS;
    opt.cta_done = note_cta;
    memset(w->ended, 0, sizeof w->ended);
    struct machine *m = machine_new(machine_rig_config(w->a, set), &opt, &e);
    CHECK_STR(e.text, "");
    return m;
}

static void all_kernels_complete_each_on_its_own_sms(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w);
    struct machine *m = machine(&w, (struct machine_options){.check = true});
    CHECK(run_all(m, &w, 0, KERNELS, &e));
    CHECK_EQ(machine_nkernels(m), KERNELS);
    for (uint32_t i = 0; i < KERNELS; i++) {
        const struct machine_kernel *k = machine_kernel(m, i);
        uint32_t total = 0;
        CHECK_STR(k->name, names[i]);
        CHECK(k->ctas_done == 20 && k->end <= machine_cycles(m));
        CHECK_NEAR(k->waves, 20.0 / (8 * w.sms[i].n), 1e-12);
        for (uint32_t s = 0; s < SMS; s++) {
            CHECK_EQ(w.ended[i][s] > 0, sm_set_has(&w.sms[i], s));
            total += w.ended[i][s];
        }
        CHECK_EQ(total, 20);
    }
    CHECK(machine_kernel(m, 2)->end > machine_kernel(m, 1)->end); /* one SM against three */
    CHECK(machine_finish(m, &e));
    CHECK_STR(e.text, "");
    machine_free(m);
    close_world(&w);
}

static uint64_t digest(struct world *w, struct machine_options opt)
{
    struct err e = {0};
    struct machine *m = machine(w, opt);
    CHECK(run_all(m, w, 0, KERNELS, &e));
    CHECK(machine_run(m, w->k[0], &e)); /* then one on all SMs */
    CHECK(run_all(m, w, 1, 2, &e));
    CHECK(machine_finish(m, &e));
    uint64_t d = machine_digest(m);
    machine_free(m);
    return d;
}

static void however_it_is_run_the_result_is_the_same(void)
{
    struct world w;
    open_world(&w);
    uint64_t d = digest(&w, (struct machine_options){0});
    for (uint32_t threads = 2; threads <= 4; threads++)
        CHECK_EQ(digest(&w, (struct machine_options){.threads = threads}), d);
    CHECK_EQ(digest(&w, (struct machine_options){.no_skip = true}), d);
    CHECK_EQ(digest(&w, (struct machine_options){.reversed = true}), d);
    CHECK_EQ(digest(&w, (struct machine_options){.reversed = true, .threads = 2}), d);
    close_world(&w);
}

static void alone_a_kernel_is_not_slower_than_with_others(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w);
    struct machine *m = machine(&w, (struct machine_options){0});
    CHECK(run_all(m, &w, 2, 1, &e));
    uint64_t alone = machine_kernel(m, 0)->end - machine_kernel(m, 0)->begin;
    machine_free(m);
    m = machine(&w, (struct machine_options){0});
    CHECK(run_all(m, &w, 0, KERNELS, &e));
    CHECK(machine_kernel(m, 2)->end - machine_kernel(m, 2)->begin >= alone);
    machine_free(m);
    close_world(&w);
}

CHECK_MAIN("concurrent_kernels", TEST(all_kernels_complete_each_on_its_own_sms),
           TEST(however_it_is_run_the_result_is_the_same),
           TEST(alone_a_kernel_is_not_slower_than_with_others))
