/* The analyses of shared data on whole machines: they change nothing, say the same however a machine is
 * run, and what they say of CTAs and SMs follows from the warp streams and from who ran where. */
#include "check.h"

#include "machine/machine.h"
#include "rig/capture.h"
#include "rig/machine_rig.h"
#include "rig/workload_rig.h"
#include "sim/stats_snapshot.h"

#define WATCH "sharing.enabled=true "

struct shape {
    const char *machine, *settings; /* separated by blanks */
    const char *workload[2];        /* the second may be missing */
    uint64_t window;
};

/* Lines and sectors, with and without an L1 and an L2, policies that refuse, stores that take lines, ICC, textures. */
static const struct shape shapes[] = {
    {"sharing15", "", {"LUD"}, 0},
    {"sharing15", "l1.replacement=pass l2.replacement=pass", {"KMEANS"}, 0},
    {"sharing15", "l1.write_hit=update l1.write_miss=allocate", {"HIST"}, 0},
    {"icc60", "icc.enabled=true icc.cc_lines=24 gpu.cta_scheduler=distributed", {"MM"}, 0},
    {"volta", "", {"BFS"}, 0},
    {"coalesce28", "", {"LIB"}, 0},
    {"icc60", "l2.perfect=true noc.topology=ideal ideal.cores=12 ideal.mems=8", {"HS"}, 0},
    {"icc60", "icc.enabled=true", {"HS", "BFS"}, 0},
    {"sharing15", "gpu.partition=room", {"BT", "NN"}, 15000},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static const struct machine_options ways[] = {
    {.check = true, .details = true}, {.no_skip = true}, {.threads = 3}, {.reversed = true}};
enum { NWAYS = sizeof ways / sizeof ways[0] };

static struct config *config_of(struct arena *a, const struct shape *s, const char *more)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    config_load(c, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, s->machine), &e);
    char *text = arena_printf(a, "%s%s", more, s->settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        config_set(c, w, &e);
    CHECK_STR(e.text, "");
    return c;
}

/* ---- runs ---- */

struct sources {
    struct stream_source *of[2];
    uint32_t n;
};

static struct sources sources_of(const struct shape *s)
{
    struct sources all = {.n = s->workload[1] ? 2 : 1};
    for (uint32_t i = 0; i < all.n; i++)
        all.of[i] = workload_rig_source(s->workload[i], true);
    return all;
}

static void free_sources(struct sources *all)
{
    for (uint32_t i = 0; i < all->n; i++)
        stream_source_free(all->of[i]);
}

static struct machine *run(const struct shape *s, const struct config *c,
                           const struct machine_options *opt, struct sources *all)
{
    struct err e = {0};
    struct machine_options o = *opt;
    struct machine_programs p = {.n = all->n, .window = s->window};
    o.nprograms = all->n > 1 ? all->n : 0;
    struct machine *m = machine_new(c, &o, &e);
    CHECK_STR(e.text, "");
    for (uint32_t i = 0; i < all->n; i++) {
        p.source[i] = all->of[i];
        stream_source_restart(all->of[i]);
    }
    CHECK(machine_run_programs(m, &p, &e));
    CHECK(s->window || machine_finish(m, &e));
    CHECK_STR(e.text, "");
    return m;
}

static double stat(const struct machine *m, const char *name)
{
    struct arena *a = arena_new();
    double v = stats_snapshot_value(stats_snapshot(machine_stats(m), a), name);
    arena_free(a);
    return v;
}

/* All that the analyses say, as lines "name,value". */
static char *words_of(const struct machine *m, struct arena *a)
{
    struct text t;
    char *words = arena_strdup(a, ""), *rest = NULL;
    text_open(&t);
    stats_snapshot_csv(stats_snapshot(machine_stats(m), a), t.out);
    text_close(&t);
    for (char *w = strtok_r(t.s, "\n", &rest); w; w = strtok_r(NULL, "\n", &rest))
        if (strncmp(w, "sharing.", 8) == 0)
            words = arena_printf(a, "%s%s\n", words, w);
    text_free(&t);
    return words;
}

/* ---- what holds on every machine ---- */

/* NaN: the machine has no such cache. */
static double sum_of(const struct machine *m, const char *const *names)
{
    double sum = 0;
    for (; *names; names++)
        sum += stat(m, *names);
    return sum;
}

static void check_sums(const struct machine *m)
{
    static const char *const l1_classes[] = {"sharing.l1.compulsory", "sharing.l1.capacity",
                                             "sharing.l1.conflict", "sharing.l1.invalidated", NULL};
    static const char *const l1_misses[] = {"l1.global.misses", "l1.local.misses", NULL};
    static const char *const l2_classes[] = {"sharing.l2.compulsory", "sharing.l2.capacity",
                                             "sharing.l2.conflict", NULL};
    static const char *const l2_misses[] = {"l2.read_misses", "l2.write_misses", "l2.atomic_misses",
                                            NULL};
    CHECK_NEAR(sum_of(m, l1_classes), sum_of(m, l1_misses), 0);
    if (!isnan(stat(m, "sharing.l2.compulsory")))
        CHECK_NEAR(sum_of(m, l2_classes), sum_of(m, l2_misses), 0);
    CHECK(stat(m, "sharing.blocks") > 0);
    CHECK_NEAR(stat(m, "sharing.sharers_1"), stat(m, "sharing.blocks"), 0);
    CHECK(stat(m, "sharing.shared_hits") <= stat(m, "l1.global.hits"));
    CHECK(stat(m, "sharing.shared_merges") <= stat(m, "l1.global.merges"));
    CHECK(stat(m, "sharing.shared_misses") <= stat(m, "l1.global.misses"));
}

static void watching_changes_nothing_and_is_the_same_in_every_way(void)
{
    for (int i = 0; i < NSHAPES; i++) {
        const struct shape *s = &shapes[i];
        struct arena *a = arena_new();
        const struct config *c = config_of(a, s, WATCH);
        struct sources all = sources_of(s);
        const struct machine_options none = {0};
        struct machine *plain = run(s, config_of(a, s, ""), &none, &all);
        struct machine *m = run(s, c, &none, &all);
        uint64_t digest = machine_digest(plain);
        char *words = words_of(m, a);
        CHECK(isnan(stat(plain, "sharing.blocks")));
        CHECK_EQ(machine_digest(m), digest);
        CHECK_EQ(machine_cycles(m), machine_cycles(plain));
        check_sums(m);
        machine_free(plain);
        machine_free(m);
        for (int w = 0; w < NWAYS; w++) {
            m = run(s, c, &ways[w], &all);
            CHECK_EQ(machine_digest(m), digest);
            CHECK_STR(words_of(m, a), words);
            machine_free(m);
        }
        free_sources(&all);
        arena_free(a);
    }
}

static void what_kernels_had_adds_up_to_the_run(void)
{
    static const char *const names[] = {"sharing.blocks",        "sharing.pair_more",
                                        "sharing.sharers_2",     "sharing.reuse_100",
                                        "sharing.l1.capacity",   "sharing.l2.compulsory",
                                        "sharing.l2.sharers_2",  "sharing.cta_mean.n",
                                        "sharing.cta_sigma.sum", "sharing.shared_merges"};
    static const struct shape lud = {"sharing15", "", {"LUD"}, 0};
    struct arena *a = arena_new();
    struct sources all = sources_of(&lud);
    struct machine *m = run(&lud, config_of(a, &lud, WATCH), &(struct machine_options){0}, &all);
    CHECK(machine_nkernels(m) > 2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < machine_nkernels(m); k++) {
            struct stats_snapshot *during = stats_snapshot_clone(machine_kernel(m, k)->after, a);
            stats_snapshot_subtract(during, machine_kernel(m, k)->before);
            double v = stats_snapshot_value(during, names[i]);
            CHECK(v >= 0);
            sum += v;
        }
        CHECK_NEAR(sum, stat(m, names[i]), 0);
    }
    machine_free(m);
    free_sources(&all);
    arena_free(a);
}

/* ---- against the streams ---- */

enum { BINS = 12, MOST_SMS = 15 };

struct touch { /* of a kernel */
    uint64_t block;
    uint32_t cta;
};

struct place { /* where a CTA ran, and when */
    uint32_t cta, sm;
    uint64_t cycles;
};

struct ran { /* in the order in which CTAs ended: kernels one after the other */
    struct place *at;
    uint32_t n, room;
};

static void note_cta(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct ran *r = context;
    (void)slot;
    (void)kernel;
    CHECK(r->n < r->room);
    r->at[r->n++] = (struct place){cta, sm, end - begin};
}

struct want {
    double blocks, cta_shared, nearest[BINS], step[BINS], pair[BINS];
    double sharers, at_least[MOST_SMS + 1];
    double kernels, mean, sigma, least, most; /* sums over kernels, rounded as they are kept */
};

static int compare_touches(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->cta > y->cta) - (x->cta < y->cta);
}

static uint32_t add_touches(const struct stream_kernel *k, const struct stream_warp *warp,
                            uint32_t cta, struct touch *all, uint32_t n, uint32_t room)
{
    struct stream_reader reader;
    struct stream_op op;
    stream_reader_init(&reader, k, warp);
    while (stream_reader_next(&reader, &op)) {
        for (uint32_t i = 0; i < op.nsets; i++) {
            uint64_t addr[WARP_LANES];
            if (op.access[i].space != STREAM_GLOBAL && op.access[i].space != STREAM_TEX)
                continue;
            stream_access_expand(&op.access[i], addr);
            for (uint32_t l = 0; l < WARP_LANES; l++) {
                if (!(op.access[i].mask >> l & 1))
                    continue;
                CHECK(n < room);
                all[n++] = (struct touch){addr[l] / 128, cta};
            }
        }
    }
    return n;
}

static uint32_t bin_of(uint32_t distance)
{
    return distance <= 8    ? distance - 1
           : distance <= 16 ? 8
           : distance <= 32 ? 9
           : distance <= 64 ? 10
                            : 11;
}

static uint32_t sm_of(const struct place *ran, uint32_t n, uint32_t cta)
{
    for (uint32_t i = 0; i < n; i++)
        if (ran[i].cta == cta)
            return ran[i].sm;
    CHECK(false);
    return 0;
}

/* Touches of one block by different CTAs. */
static void want_block(struct want *w, const struct touch *t, uint32_t n, const uint32_t *sm)
{
    uint32_t nearest = UINT32_MAX, nsms = 0;
    bool seen[MOST_SMS] = {false};
    for (uint32_t i = 0; i < n; i++) {
        nsms += !seen[sm[t[i].cta]];
        seen[sm[t[i].cta]] = true;
        for (uint32_t k = 0; k < i; k++)
            w->pair[bin_of(t[i].cta - t[k].cta)]++;
        if (i == 0)
            continue;
        uint32_t step = t[i].cta - t[i - 1].cta;
        w->step[bin_of(step)]++;
        nearest = step < nearest ? step : nearest;
    }
    w->blocks++;
    w->sharers += nsms;
    for (uint32_t i = 1; i <= nsms; i++)
        w->at_least[i]++;
    if (n < 2)
        return;
    w->cta_shared++;
    w->nearest[bin_of(nearest)]++;
}

static void want_times(struct want *w, const struct place *ran, uint32_t n)
{
    double sum = 0, squares = 0, least = INFINITY, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)ran[i].cycles;
        least = fmin(least, (double)ran[i].cycles);
        most = fmax(most, (double)ran[i].cycles);
    }
    for (uint32_t i = 0; i < n; i++)
        squares += pow((double)ran[i].cycles - sum / n, 2);
    w->kernels++;
    w->mean += round(sum / n);
    w->sigma += n > 1 ? round(sqrt(squares / (n - 1))) : 0;
    w->least += least;
    w->most += most;
}

static void want_kernel(struct want *w, const struct stream_store *store, const struct place *ran)
{
    enum { ROOM = 1 << 21 };
    const struct stream_kernel *k = stream_store_kernel(store);
    struct arena *a = arena_new();
    struct err e = {0};
    struct touch *all = ARENA_ARRAY(a, struct touch, ROOM);
    uint32_t n = 0, ctas = k->grid[0] * k->grid[1] * k->grid[2], nwarps;
    uint32_t *sm = ARENA_ARRAY(a, uint32_t, ctas);
    struct stream_cursor *c = stream_cursor_new(store, &e);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        const struct stream_warp *warps;
        sm[cta] = sm_of(ran, ctas, cta);
        CHECK(stream_cursor_seek(c, cta, &warps, &nwarps, &e));
        for (uint32_t i = 0; i < nwarps; i++)
            n = add_touches(k, &warps[i], cta, all, n, ROOM);
    }
    stream_cursor_free(c);
    qsort(all, n, sizeof *all, compare_touches);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || compare_touches(&all[i], &all[i - 1]) != 0)
            all[kept++] = all[i];
    for (uint32_t i = 0, end; i < kept; i = end) {
        for (end = i; end < kept && all[end].block == all[i].block; end++)
            ;
        want_block(w, all + i, end - i, sm);
    }
    want_times(w, ran, ctas);
    arena_free(a);
}

static void check_bins(const struct machine *m, const char *name, const double *want)
{
    static const char *const bins[] = {"1", "2", "3",  "4",  "5",  "6",
                                       "7", "8", "16", "32", "64", "more"};
    char full[64];
    for (int i = 0; i < BINS; i++) {
        snprintf(full, sizeof full, "sharing.%s_%s", name, bins[i]);
        CHECK_NEAR(stat(m, full), want[i], 0);
    }
}

static void check_wanted(const struct machine *m, const struct want *w)
{
    char full[64];
    CHECK_NEAR(stat(m, "sharing.blocks"), w->blocks, 0);
    CHECK_NEAR(stat(m, "sharing.cta_shared"), w->cta_shared, 0);
    check_bins(m, "distance", w->nearest);
    check_bins(m, "step", w->step);
    check_bins(m, "pair", w->pair);
    CHECK_NEAR(stat(m, "sharing.sharers"), w->sharers, 0);
    for (int i = 1; i <= MOST_SMS; i++) {
        snprintf(full, sizeof full, "sharing.sharers_%d", i);
        CHECK_NEAR(stat(m, full), w->at_least[i], 0);
    }
    CHECK_NEAR(stat(m, "sharing.cta_mean.n"), w->kernels, 0);
    CHECK_NEAR(stat(m, "sharing.cta_mean.sum"), w->mean, 0);
    CHECK_NEAR(stat(m, "sharing.cta_sigma.sum"), w->sigma, 0);
    CHECK_NEAR(stat(m, "sharing.cta_least.sum"), w->least, 0);
    CHECK_NEAR(stat(m, "sharing.cta_most.sum"), w->most, 0);
}

static void what_ctas_share_follows_from_the_streams(void)
{
    enum { ROOM = 1 << 16 };
    static const struct shape of[] = {{"sharing15", "", {"HS"}, 0},
                                      {"sharing15", "gpu.cta_scheduler=qx", {"LUD"}, 0},
                                      {"sharing15", "l1.enabled=false", {"BFS"}, 0},
                                      {"sharing15", "", {"KMEANS"}, 0}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct arena *a = arena_new();
        struct err e = {0};
        struct sources all = sources_of(&of[i]);
        struct ran ran = {ARENA_ARRAY(a, struct place, ROOM), 0, ROOM};
        struct machine_options opt = {.cta_done = note_cta, .context = &ran};
        struct machine *m = run(&of[i], config_of(a, &of[i], WATCH), &opt, &all);
        struct want w = {0};
        uint32_t at = 0;
        stream_source_restart(all.of[0]);
        for (const struct stream_store *k; (k = stream_source_next(all.of[0], &e));) {
            want_kernel(&w, k, ran.at + at);
            at += (uint32_t)stream_kernel_ctas(stream_store_kernel(k));
        }
        CHECK_EQ(at, ran.n);
        CHECK(w.cta_shared > 0 && w.at_least[2] > 0);
        check_wanted(m, &w);
        machine_free(m);
        free_sources(&all);
        arena_free(a);
    }
}

/* ---- kernels of one load ---- */

static void one_line_for_all(const void *context, const struct machine_rig_at *at,
                             struct stream_access *a)
{
    (void)context;
    (void)at;
    a->pattern = PATTERN_STRIDE;
    a->base = 0x1000;
    a->stride = 4;
}

static void a_line_of_four_sms_and_a_second_kernel(void)
{
    struct machine_rig r;
    const struct stream_insn load = machine_rig_load(STREAM_GLOBAL, 0, REG_NONE);
    const struct machine_rig_kernel k = {.insn = &load,
                                         .ninsns = 1,
                                         .loops = 3, /* of one warp: it asks once more, and again */
                                         .ctas = 4,
                                         .address = one_line_for_all};
    machine_rig_open(&r, machine_rig_small, WATCH "gpu.sms_per_cluster=4");
    for (int i = 0; i < 2; i++) {
        machine_rig_run(&r, &k);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.blocks"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.distance_1"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.step_1"), 3, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.pair_3"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.sharers_4"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.l1.compulsory"), i == 0 ? 4 : 0, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.l1.invalidated"), i == 0 ? 0 : 4, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.l2.compulsory"), i == 0 ? 1 : 0, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.l2.sharers_4"), i == 0 ? 1 : 0, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.shared_misses"), 4, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.shared_merges") +
                       machine_rig_stat(&r, "sharing.shared_hits"),
                   8, 0);
        CHECK_NEAR(machine_rig_stat(&r, "sharing.cta_mean.n"), 1, 0);
    }
    machine_rig_close(&r);
}

CHECK_MAIN("sharing analysis", TEST(watching_changes_nothing_and_is_the_same_in_every_way),
           TEST(what_kernels_had_adds_up_to_the_run),
           TEST(what_ctas_share_follows_from_the_streams),
           TEST(a_line_of_four_sms_and_a_second_kernel))
