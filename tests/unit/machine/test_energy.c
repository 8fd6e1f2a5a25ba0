/* Bills of energy: that they add up, that they go with events and time, what is on them. */
#include "check.h"

#include "machine/energy.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

#define MACHINES HEDDLE_SOURCE_DIR "/machines/"

/* A machine that has not run, its models, and a tree with its names and numbers of our own. */
struct world {
    struct arena *a;
    struct machine *m;
    struct results_scale scale;
    struct err e;
};

static struct world world_of(const char *file, const char *const *set)
{
    struct world w = {.a = arena_new()};
    struct config *c = machine_config(w.a);
    CHECK(config_load(c, file, &w.e));
    for (; *set; set++)
        CHECK(config_set(c, *set, &w.e));
    w.m = machine_new(c, &(struct machine_options){0}, &w.e);
    CHECK(w.m != NULL);
    results_scale_of(&w.scale, w.m, w.a, &w.e);
    return w;
}

#define WORLD(file, ...) world_of(MACHINES file, (const char *const[]){__VA_ARGS__, NULL})
#define ICC60() WORLD("icc60.yaml", "icc.enabled=true", "icc.cc_lines=24")

static void world_free(struct world *w)
{
    machine_free(w->m);
    arena_free(w->a);
}

static const struct energy_model *model(const struct world *w, int i)
{
    return &w->scale.energy->model[i];
}

typedef uint64_t number_fn(const char *name, uint64_t place);

/* A view in which every statistic of the machine has the number that `of` gives it. */
static struct results_view view_of(struct world *w, number_fn *of, uint64_t cycles)
{
    struct stats *t = stats_new(w->a);
    struct text x;
    text_open(&x);
    stats_names(machine_stats(w->m), x.out);
    char *rest, *names = arena_strdup(w->a, text_close(&x));
    uint64_t place = 0;
    for (char *n = strtok_r(names, "\n", &rest); n; n = strtok_r(NULL, "\n", &rest)) {
        struct results_rig_item *item = ARENA_NEW(w->a, struct results_rig_item);
        uint64_t value = of(n, place++);
        char *dot = strrchr(n, '.');
        *dot = '\0';
        *item = (struct results_rig_item){.path = n, .name = dot + 1, .value = value};
        results_rig_plant(t, w->a, item, 1);
    }
    text_free(&x);
    return (struct results_view){
        .scale = &w->scale, .values = stats_snapshot(t, w->a), .cycles = cycles};
}

static uint64_t none(const char *name, uint64_t place)
{
    (void)name, (void)place;
    return 0;
}

static uint64_t some(const char *name, uint64_t place)
{
    (void)name;
    return 1000 + 37 * place % 991;
}

static uint64_t twice(const char *name, uint64_t place)
{
    return 2 * some(name, place);
}

static double joules(const struct energy_item *item, const struct results_view *v)
{
    return item->each * item->count(v, item->context);
}

static const struct energy_item *find(const struct energy_model *m, const char *name)
{
    for (int i = 0; i < m->nitems; i++)
        if (strcmp(m->item[i].name, name) == 0)
            return &m->item[i];
    print_error("no item %s\n", name);
    CHECK(false);
    return NULL;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void items_add_up_to_parts_and_parts_to_the_total(void)
{
    struct world w = ICC60();
    struct results_view v = view_of(&w, some, 1000000);
    for (int i = 0; i < ENERGY_MODELS; i++) {
        const struct energy_model *m = model(&w, i);
        struct energy x;
        double part[ENERGY_PARTS] = {0}, total = 0, fixed = 0;
        energy_of(m, &v, &x);
        for (int k = 0; k < m->nitems; k++) {
            part[m->item[k].part] += joules(&m->item[k], &v);
            fixed += m->item[k].is_static ? joules(&m->item[k], &v) : 0;
        }
        for (int p = 0; p < ENERGY_PARTS; p++) {
            CHECK_NEAR(x.part[p], part[p], 1e-12);
            CHECK(x.part[p] > 0);
            total += x.part[p];
        }
        CHECK_NEAR(x.total, total, 1e-12);
        CHECK_NEAR(x.network[ENERGY_BUFFER] + x.network[ENERGY_CROSSBAR] + x.network[ENERGY_LINK] +
                       x.network[ENERGY_CONTROL],
                   i == ENERGY_MODEL_structural ? x.part[ENERGY_NOC] : 0, 1e-12);
        CHECK_NEAR(x.fixed, fixed, 1e-12);
        CHECK(x.fixed > 0 && x.fixed < x.total);
    }
    world_free(&w);
}

static void items_have_names_of_their_own_and_sources(void)
{
    struct world w = ICC60();
    for (int i = 0; i < ENERGY_MODELS; i++)
        for (int k = 0; k < model(&w, i)->nitems; k++) {
            const struct energy_item *item = &model(&w, i)->item[k];
            CHECK(*item->name && *item->unit && *item->counts && *item->source);
            CHECK(item->each >= 0 && isfinite(item->each));
            for (int j = 0; j < k; j++)
                CHECK(strcmp(item->name, model(&w, i)->item[j].name) != 0);
        }
    world_free(&w);
}

/* ---- dimensions ------------------------------------------------------------------------------ */

static void twice_the_events_in_the_same_time_cost_twice_what_is_not_static(void)
{
    struct world w = ICC60();
    struct results_view one = view_of(&w, some, 1000000), two = view_of(&w, twice, 1000000);
    for (int i = 0; i < ENERGY_MODELS; i++)
        for (int k = 0; k < model(&w, i)->nitems; k++) {
            const struct energy_item *item = &model(&w, i)->item[k];
            if (!item->is_static)
                CHECK_NEAR(joules(item, &two), 2 * joules(item, &one), 1e-12);
        }
    world_free(&w);
}

static void nothing_but_time_costs_what_is_static_and_by_its_length(void)
{
    struct world w = ICC60();
    struct results_view one = view_of(&w, none, 1000000), two = view_of(&w, none, 2000000);
    for (int i = 0; i < ENERGY_MODELS; i++) {
        struct energy x, y;
        energy_of(model(&w, i), &one, &x);
        energy_of(model(&w, i), &two, &y);
        CHECK(x.total > 0);
        CHECK_NEAR(x.fixed, x.total, 1e-12);
        CHECK_NEAR(y.total, 2 * x.total, 1e-12);
    }
    world_free(&w);
}

static void two_runs_like_one_cost_twice_as_much(void)
{
    struct world w = ICC60();
    struct results_view one = view_of(&w, some, 1000000), two = view_of(&w, twice, 2000000);
    for (int i = 0; i < ENERGY_MODELS; i++) {
        struct energy x, y;
        energy_of(model(&w, i), &one, &x);
        energy_of(model(&w, i), &two, &y);
        for (int p = 0; p < ENERGY_PARTS; p++)
            CHECK_NEAR(y.part[p], 2 * x.part[p], 1e-12);
        CHECK_NEAR(y.fixed, 2 * x.fixed, 1e-12);
    }
    world_free(&w);
}

/* ---- hand-worked ----------------------------------------------------------------------------- */

static uint64_t tiny(const char *name, uint64_t place)
{
    static const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"sm.issued", 10},
        {"sm.thread_insns", 300},
        {"sm.issued_control", 1},
        {"sm.fetches", 5},
        {"sm.register_reads", 600},
        {"sm.register_writes", 300},
        {"sm.other_operands", 64},
        {"sm.issued_int", 4},
        {"sm.threads_int", 100},
        {"sm.issued_fp32", 3},
        {"sm.threads_fp32", 90},
        {"sm.issued_sfu", 1},
        {"sm.threads_sfu", 8},
        {"sm.active_cycles", 600},
        {"l1.global.hits", 7},
        {"l1.global.merges", 1},
        {"l1.global.misses", 2},
        {"l1.local.hits", 3},
        {"l1.local.misses", 4},
        {"l1.store_accesses", 9},
        {"l1.store_hits", 5},
        {"l1.local_store_hits", 2},
        {"l1.local_store_misses", 1},
        {"tex.hits", 3},
        {"tex.merges", 1},
        {"tex.misses", 2},
        {"const.hits", 5},
        {"const.merges", 1},
        {"const.misses", 3},
        {"shared.cycles", 7},
        {"sm.threads_mem", 60},
        {"noc.request.flits_in", 30},
        {"noc.reply.flits_in", 6},
        {"l2.write_hits", 2},
        {"l2.write_merges", 1},
        {"l2.write_misses", 5},
        {"l2.read_hits", 1},
        {"l2.read_merges", 2},
        {"l2.read_misses", 4},
        {"l2.atomic_hits", 1},
        {"l2.atomic_merges", 3},
        {"l2.atomic_misses", 6},
        {"dram.refreshes", 5},
        {"dram.read_bursts", 4},
        {"dram.precharges", 2},
        {"dram.activates", 3},
        {"dram.row_open", 1400},
        {"dram.write_bursts", 2},
        {"noc.request.packets_in", 10},
        {"noc.request.router_12x8.flits", 30},
    };
    (void)place;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].value;
    return 0;
}

/* 60 SMs, flits of 64 bytes, bursts of 128 bytes over 128 bits.  Lanes that are off cost half in
 * units, three quarters in special ones, as much as others in the pipeline. */
static void a_bill_of_gpuwattch_by_hand(void)
{
    struct world w = ICC60();
    struct results_view v = view_of(&w, tiny, 1000);
    struct energy x;
    energy_of(model(&w, ENERGY_MODEL_gpuwattch40), &v, &x);
    double idle = 1.59 / w.scale.sm_clock, constant = 11.0 / 15 / w.scale.sm_clock;
    double sm = 10 * 0.0036141 + 9 * 0.0548897 + 5 * 0.0634345 + 600 * 0.00726682 +
                300 * 0.00598604 + 64 * 0.0530065 + (100 + 28 / 2.0) * 32 * 0.00269477 +
                (90 + 6 / 2.0) * 0.0295799 + (8 + 24 * 3 / 4.0) * 26.75 * 0.0483518 +
                10 * 32 * 18186.9 / (15 * 500 * 64);
    CHECK_NEAR(x.part[ENERGY_SM], sm * 1e-9 + (60000 - 600) * idle, 1e-5);
    CHECK_NEAR(x.part[ENERGY_L1],
               (11 * 2.9346 + 6 * 2.22507 + 7 * 0.220124 + 5 * 2.60367 + 4 * 1.35331 + 2 * 2.22507 +
                6 * 1.4673 + 3 * 1.11254 + 7 * 2.11946) *
                   1e-9,
               1e-5);
    CHECK_NEAR(x.part[ENERGY_NOC], 36 * 2 * 1.93858e-9, 1e-5);
    CHECK_NEAR(x.part[ENERGY_L2], (3 * 13.8512 + 5 * 15.0243 + 7 * 2.80504 + 10 * 0.102042) * 1e-9,
               1e-5);
    CHECK_NEAR(x.part[ENERGY_DRAM], (4 * 2 * 26.9484 + 2 * 2 * 15.8649 + 2 * 2 * 4.23225) * 1e-9,
               1e-5);
    CHECK_NEAR(x.part[ENERGY_OTHER], 60000 * constant, 1e-9);
    CHECK_NEAR(x.fixed, 60000 * constant + 59400 * idle, 1e-9);
    world_free(&w);
}

/* GPGPU-Sim's ldst_unit::memory_cycle: what passes by the L1 goes to the network at once. */
static void stores_that_pass_by_the_l1_are_not_on_its_bill(void)
{
    struct world w = WORLD("icc60.yaml", "l1.enabled=false");
    struct results_view v = view_of(&w, tiny, 1000);
    const struct energy_model *m = model(&w, ENERGY_MODEL_gpuwattch40);
    CHECK_NEAR(joules(find(m, "l1_write_hit"), &v), 2 * 0.220124e-9, 1e-5);
    CHECK_NEAR(joules(find(m, "l1_write_miss"), &v), 1 * 2.60367e-9, 1e-5);
    world_free(&w);
}

/* What the models of src/power price is asked of them; the rest is worked out here. */
static void a_structural_bill_by_hand(void)
{
    struct world w = WORLD("icc60.yaml", "power.node=45", "router.vcs=4");
    struct results_view v = view_of(&w, tiny, 1400000); /* 1 ms */
    const struct energy_model *m = model(&w, ENERGY_MODEL_structural);
    double to_45 = 45.0 / 40 / (0.96 * 0.96); /* of McPAT's 40 nm, at 1 V */
    CHECK_NEAR(joules(find(m, "fetch"), &v), 5 * 29.6423e-12 * to_45, 1e-9);
    CHECK_NEAR(joules(find(m, "fp32"), &v), 90 * 4.6e-12 / 0.81, 1e-9);
    CHECK_NEAR(joules(find(m, "int"), &v), (100 + 60) * 1.13226e-12 * to_45, 1e-9);
    CHECK_NEAR(joules(find(m, "pipeline"), &v), 300 * 7076.63e-9 / (16 * 500 * 64) * to_45, 1e-9);
    CHECK_NEAR(joules(find(m, "sfu"), &v), 8 * 9.2e-12 / 0.81, 1e-9);
    CHECK_NEAR(joules(find(m, "active_sm"), &v), 600 * (18.6179906 + 31 * 0.645228013) / 80 / 1.4e9,
               1e-9);
    CHECK_NEAR(joules(find(m, "idle_sm"), &v), (60 * 1400000.0 - 600) * 0.28279166 / 1.4e9, 1e-9);
    CHECK_NEAR(joules(find(m, "constant"), &v), 60 * 32.32522272 / 80 * 1e-3, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_activate"), &v), 3 * 4 * 6e-9, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_read"), &v), 4 * 4 * 1.26e-9, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_write"), &v), 2 * 4 * 1.42e-9, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_refresh"), &v), 5 * 4 * 19.5e-9, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_io"), &v), 6 * 1024 * 0.01125 / 5.6e9, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_row_open"), &v), 1e-6 * 4 * 0.3 * 1.4 / 1.5, 1e-9);
    CHECK_NEAR(joules(find(m, "dram_standby"), &v), 1e-3 * 8 * 4 * 0.375 * 1.4 / 1.5, 1e-9);
    CHECK_NEAR(joules(find(m, "memory_controller"), &v), 6 * 2 * 4.19e-9 * to_45, 1e-9);
    const struct energy_item *buffer = find(m, "noc.request.router_12x8.buffer");
    CHECK_NEAR(joules(buffer, &v), 30 * buffer->each, 1e-12);
    const struct energy_item *vc = find(m, "noc.request.router_12x8.vc_allocator");
    CHECK_NEAR(vc->count(&v, vc->context), 10, 1e-12); /* as many packets as entered */
    world_free(&w);
}

/* Table 2 of Jouppi et al. (ISCA 2021): 0.38 + 1.31 pJ at 7 nm. */
static void operations_below_22_nm_cost_what_was_published_for_7_nm(void)
{
    static const char *const lines[] = {"fetch", "pipeline", "int", "fp32", "fp64", "sfu"};
    struct world old = WORLD("volta.yaml", "power.node=45"),
                 mid = WORLD("volta.yaml", "power.node=12"),
                 new = WORLD("volta.yaml", "power.node=7");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        double at_45 = find(model(&old, ENERGY_MODEL_structural), lines[i])->each;
        double at_12 = find(model(&mid, ENERGY_MODEL_structural), lines[i])->each;
        double at_7 = find(model(&new, ENERGY_MODEL_structural), lines[i])->each;
        CHECK(at_45 > at_12 && at_12 > at_7);
    }
    CHECK_NEAR(find(model(&new, ENERGY_MODEL_structural), "fp32")->each, 1.69e-12, 1e-9);
    CHECK_NEAR(find(model(&mid, ENERGY_MODEL_structural), "fp32")->each,
               4.6e-12 * pow(12.0 / 45, log(4.6 / 1.69) / log(45.0 / 7)), 1e-9);
    world_free(&old);
    world_free(&mid);
    world_free(&new);
}

static bool leaks(const struct energy_model *m)
{
    for (int i = 0; i < m->nitems; i++)
        if (strstr(m->item[i].name, "leakage"))
            return true;
    return false;
}

/* An idle chip draws the constant, its SMs' idle power and what DRAM and clocks need: no more. */
static void at_12_nm_static_power_is_that_of_the_measured_chip(void)
{
    struct world w = WORLD("gv100_1417.yaml", "power.node=12"),
                 papers = WORLD("volta.yaml", "power.node=22");
    struct results_view v = view_of(&w, none, 1000000);
    const struct energy_model *m = model(&w, ENERGY_MODEL_structural);
    double seconds = 1000000 / w.scale.sm_clock;
    struct energy x;
    energy_of(m, &v, &x);
    CHECK(!leaks(m) && leaks(model(&papers, ENERGY_MODEL_structural)));
    CHECK_NEAR(x.part[ENERGY_OTHER] / seconds, 32.32522272, 1e-9);
    CHECK_NEAR(x.part[ENERGY_SM] / seconds, 80 * 0.28279166, 1e-9);
    CHECK(x.total / seconds < 32.32522272 + 80 * 0.28279166 + 3);
    world_free(&w);
    world_free(&papers);
}

static double per_flit(const struct energy_model *m, const char *prefix)
{
    double sum = 0;
    for (int i = 0; i < m->nitems; i++)
        if (strncmp(m->item[i].name, prefix, strlen(prefix)) == 0 && !m->item[i].is_static)
            sum += m->item[i].each;
    return sum;
}

/* A request passes one link to the 12 x 8 crossbar, the crossbar, and one to the slice. */
static void a_flit_of_64_bytes_costs_3_88_nj_or_about_a_tenth(void)
{
    struct world w = ICC60();
    double effective = find(model(&w, ENERGY_MODEL_gpuwattch40), "flit")->each;
    const struct energy_model *m = model(&w, ENERGY_MODEL_structural);
    double physical = per_flit(m, "noc.request.router_12x8") + 2 * per_flit(m, "noc.request.link_");
    CHECK_NEAR(effective, 3.88e-9, 1e-3);
    CHECK(physical / effective > 0.05 && physical / effective < 0.2);
    world_free(&w);
}

static void coalescing_is_on_the_bill_only_where_it_is_in_the_machine(void)
{
    struct world with = ICC60(), without = WORLD("icc60.yaml", "icc.enabled=false");
    for (int i = 0; i < ENERGY_MODELS; i++) {
        bool is_there = false;
        for (int k = 0; k < model(&without, i)->nitems; k++)
            is_there |= strstr(model(&without, i)->item[k].counts, "icc.") != NULL;
        CHECK(!is_there);
        CHECK(model(&with, i)->nitems > model(&without, i)->nitems);
    }
    world_free(&with);
    world_free(&without);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void every_statistic_that_is_billed_is_one_that_users_see(void)
{
    static const char *const files[] = {"icc60.yaml", "cdxbar56_mesh.yaml", "cdxbar80.yaml",
                                        "coalesce28.yaml", "volta.yaml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", MACHINES, files[i]);
        struct world w = world_of(path, (const char *const[]){NULL});
        if (!results_check_names(&w.scale, machine_stats(w.m), &w.e))
            print_error("%s: %s\n", files[i], w.e.text);
        CHECK_EQ(w.e.status, STATUS_DONE);
        world_free(&w);
    }
}

static void a_bill_for_another_machine_s_tree_is_told_apart(void)
{
    struct world one = ICC60(), other = WORLD("icc60.yaml", "icc.enabled=false");
    struct err e = {0};
    CHECK(!results_check_names(&one.scale, machine_stats(other.m), &e));
    CHECK_STR(e.text, "energy.gpuwattch40.sm: no statistic is named icc.lookups");
    world_free(&one);
    world_free(&other);
}

static void values_are_derived_statistics(void)
{
    struct world w = ICC60();
    struct results_view v = view_of(&w, tiny, 1400000);
    struct energy x;
    energy_of(model(&w, ENERGY_MODEL_structural), &v, &x);
    CHECK_NEAR(results_derived(&v, "energy.structural.noc"), x.part[ENERGY_NOC], 1e-12);
    CHECK_NEAR(results_derived(&v, "energy.structural.total"), x.total, 1e-12);
    CHECK_NEAR(results_derived(&v, "energy.structural.static"), x.fixed, 1e-12);
    CHECK_NEAR(results_derived(&v, "energy.structural.edp"), x.total * 1e-3, 1e-12);
    CHECK_NEAR(results_derived(&v, "energy.structural.power"), x.total / 1e-3, 1e-12);
    CHECK_NEAR(results_derived(&v, "energy.structural.insns_per_joule"), 300 / x.total, 1e-12);
    energy_of(model(&w, ENERGY_MODEL_gpuwattch40), &v, &x);
    CHECK_NEAR(results_derived(&v, "energy.gpuwattch40.dram"), x.part[ENERGY_DRAM], 1e-12);
    w.scale.energy = NULL;
    CHECK(isnan(results_derived(&v, "energy.gpuwattch40.dram")));
    world_free(&w);
}

static void the_document_is_a_bill(void)
{
    struct world w = ICC60();
    struct results_view v = view_of(&w, tiny, 1000);
    struct text x;
    struct json j;
    text_open(&x);
    json_begin(&j, x.out);
    energy_bill_json(w.scale.energy, &v, &j);
    json_end(&j);
    const char *s = text_close(&x);
    CHECK(strstr(s, "{\n  \"gpuwattch40\": {\n    \"doc\": ") == s);
    CHECK(strstr(s, "\"total_j\": ") && strstr(s, "\"static_j\": "));
    CHECK(strstr(s, "\"parts\": {\"sm\": "));
    CHECK(strstr(s, "{\"name\": \"flit\", \"part\": \"noc\", \"count\": 36, \"unit\": \"flit\", "
                    "\"each_j\": "));
    CHECK(strstr(s, "\n  \"structural\": {\n"));
    text_free(&x);
    world_free(&w);
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void a_machine_that_cannot_be_priced_is_refused_in_one_line(void)
{
    struct world w = WORLD("icc60.yaml", "dram_power.idd4r=1");
    CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
    CHECK_STR(w.e.text, "dram_power.idd4r: less than standby (idd3n)");
    struct err e = {0};
    CHECK(!config_set(machine_config(w.a), "power.node=28", &e));
    CHECK(strstr(e.text, "power.node") && !strchr(e.text, '\n'));
    world_free(&w);
}

CHECK_MAIN("energy", TEST(operations_below_22_nm_cost_what_was_published_for_7_nm),
           TEST(at_12_nm_static_power_is_that_of_the_measured_chip),
           TEST(items_add_up_to_parts_and_parts_to_the_total),
           TEST(items_have_names_of_their_own_and_sources),
           TEST(twice_the_events_in_the_same_time_cost_twice_what_is_not_static),
           TEST(nothing_but_time_costs_what_is_static_and_by_its_length),
           TEST(two_runs_like_one_cost_twice_as_much), TEST(a_bill_of_gpuwattch_by_hand),
           TEST(stores_that_pass_by_the_l1_are_not_on_its_bill), TEST(a_structural_bill_by_hand),
           TEST(a_flit_of_64_bytes_costs_3_88_nj_or_about_a_tenth),
           TEST(coalescing_is_on_the_bill_only_where_it_is_in_the_machine),
           TEST(every_statistic_that_is_billed_is_one_that_users_see),
           TEST(a_bill_for_another_machine_s_tree_is_told_apart),
           TEST(values_are_derived_statistics), TEST(the_document_is_a_bill),
           TEST(a_machine_that_cannot_be_priced_is_refused_in_one_line))
