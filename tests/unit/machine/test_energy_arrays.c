/* Memories on the structural bill: what is counted, and that each access costs what the array of
 * cost.h says. */
#include "check.h"

#include "machine/cost.h"
#include "machine/energy_build.h"
#include "rig/results_rig.h"

#define ICC60 HEDDLE_SOURCE_DIR "/machines/icc60.yaml"

struct world {
    struct arena *a;
    struct cost cost;
    struct fabric graphs;
    const struct energy_model *m;
};

static struct world world_of(const char *const *set)
{
    struct world w = {.a = arena_new()};
    struct err e = {0};
    struct config *c = machine_config(w.a);
    CHECK(config_load(c, ICC60, &e));
    for (; *set; set++)
        CHECK(config_set(c, *set, &e));
    CHECK(fabric_of(c, w.a, &w.graphs, &e) && cost_memories(c, &w.graphs, w.a, &w.cost, &e));
    const struct energy_models *all = energy_models_new(c, &w.graphs, w.a, &e);
    CHECK(all != NULL);
    w.m = &all->model[ENERGY_MODEL_structural];
    return w;
}

#define WORLD(...) world_of((const char *const[]){__VA_ARGS__, NULL})

static const struct energy_item *find(const struct world *w, const char *name)
{
    for (int i = 0; i < w->m->nitems; i++)
        if (strcmp(w->m->item[i].name, name) == 0)
            return &w->m->item[i];
    print_error("no item %s\n", name);
    CHECK(false);
    return NULL;
}

static double each(const struct world *w, const char *name)
{
    return find(w, name)->each;
}

static const struct power_array *array(const struct world *w, const char *name)
{
    return &cost_find(&w->cost, name)->array;
}

/* ---- energies -------------------------------------------------------------------------------- */

static void a_cache_pays_for_tags_and_for_data_apart(void)
{
    static const char *const caches[] = {"l1", "constant_cache", "texture_cache", "l2"};
    struct world w = WORLD("icc.enabled=false");
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        const struct power_array *a = array(&w, caches[i]);
        double tags = each(&w, arena_printf(w.a, "%s_tags", caches[i]));
        CHECK(a->match > 0 && a->read > a->match && a->write > a->match);
        CHECK_NEAR(tags, a->match, 1e-12);
        CHECK_NEAR(tags + each(&w, arena_printf(w.a, "%s_read", caches[i])), a->read, 1e-12);
        CHECK_NEAR(tags + each(&w, arena_printf(w.a, "%s_write", caches[i])), a->write, 1e-12);
    }
    arena_free(w.a);
}

static void lanes_and_banks_pay_for_their_share(void)
{
    struct world w = WORLD("shared.banks=16");
    CHECK_NEAR(32 * each(&w, "register_read"), array(&w, "register_file")->read, 1e-12);
    CHECK_NEAR(32 * each(&w, "register_write"), array(&w, "register_file")->write, 1e-12);
    CHECK_NEAR(each(&w, "shared_memory"), 16 * array(&w, "shared_memory")->read, 1e-12);
    arena_free(w.a);
}

/* SMs' static power was measured with their arrays in it. */
static void every_slice_and_table_leaks_and_nothing_in_an_sm_does(void)
{
    struct world w = WORLD("icc.enabled=true", "icc.cc_lines=24");
    CHECK_NEAR(each(&w, "l2_leakage"), 8 * array(&w, "l2")->leak, 1e-12);
    CHECK_NEAR(each(&w, "merge_table_leakage"), 12 * array(&w, "merge_table")->leak, 1e-12);
    CHECK_NEAR(each(&w, "coalesced_cache_leakage"), 12 * array(&w, "coalesced_cache")->leak, 1e-12);
    for (int i = 0; i < w.m->nitems; i++) {
        enum energy_part part = w.m->item[i].part;
        CHECK(!strstr(w.m->item[i].name, "_leakage") || (part != ENERGY_SM && part != ENERGY_L1));
    }
    arena_free(w.a);
}

static void tables_are_searched_by_every_request(void)
{
    struct world w = WORLD("icc.enabled=true", "icc.cc_lines=24");
    static const char *const tables[] = {"merge_table", "coalesced_cache"};
    for (int i = 0; i < 2; i++) {
        const struct power_array *a = array(&w, tables[i]);
        CHECK_NEAR(each(&w, arena_printf(w.a, "%s_search", tables[i])), a->match, 1e-12);
        CHECK_NEAR(each(&w, arena_printf(w.a, "%s_read", tables[i])), a->read, 1e-12);
        CHECK_NEAR(each(&w, arena_printf(w.a, "%s_write", tables[i])), a->write, 1e-12);
    }
    arena_free(w.a);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Powers of two, so that a sum says of what it is. */
static const struct results_rig_item numbers[] = {
    {"l1.global", "accesses", 1, 0},
    {"l1.global", "hits", 2, 0},
    {"l1.global", "passes", 4, 0},
    {"l1.local", "accesses", 8, 0},
    {"l1.local", "hits", 16, 0},
    {"l1", "store_accesses", 32, 0},
    {"l1", "store_hits", 64, 0},
    {"l1", "local_store_hits", 128, 0},
    {"l1", "local_store_misses", 256, 0},
    {"l1", "write_backs", 512, 0},
    {"l1", "fills", 1024, 0},
    {"l1", "unkept", 2048, 0},
    {"l1", "store_lines", 4096, 0},
    {"const", "accesses", 1, 0},
    {"const", "hits", 2, 0},
    {"const", "fills", 64, 0},
    {"const", "unkept", 4, 0},
    {"tex", "accesses", 1, 0},
    {"tex", "hits", 2, 0},
    {"tex", "fills", 64, 0},
    {"tex", "unkept", 4, 0},
    {"l2", "accesses", 1, 0},
    {"l2", "sectors_read", 2, 0},
    {"l2", "sectors_written", 4, 0},
    {"l2", "fetched_sectors", 8, 0},
    {"l2", "writeback_sectors", 16, 0},
    {"l2", "past_sectors", 1, 0},
    {"icc", "lookups", 1, 0},
    {"icc", "cc_hits", 2, 0},
    {"icc", "cc_fills", 4, 0},
    {"icc", "merges", 8, 0},
    {"icc", "allocations", 16, 0},
};

static void check_count(const struct world *w, const char *name, double want)
{
    static const struct results_scale scale = {.sm_clock = 1e9};
    struct stats *t = stats_new(w->a);
    results_rig_plant(t, w->a, numbers, sizeof numbers / sizeof numbers[0]);
    struct results_view v = {.scale = &scale, .values = stats_snapshot(t, w->a), .cycles = 1};
    const struct energy_item *item = find(w, name);
    double count = item->count(&v, item->context);
    if (count != want)
        print_error("%s: %g, not %g\n", name, count, want);
    CHECK(count == want);
}

static void an_l1_moves_lines_that_hit_that_fill_and_that_are_written_back(void)
{
    struct world w = WORLD("l1.write_hit=evict"), updates = WORLD("l1.write_hit=update");
    struct world passes = WORLD("l1.enabled=false"); /* stores of global memory, too */
    struct world allocates = WORLD("l1.write_hit=update", "l1.write_miss=allocate");
    check_count(&passes, "l1_tags", 1 - 4 + 8 + 128 + 256);
    check_count(&w, "l1_tags", 1 - 4 + 8 + 32 + 128 + 256);
    check_count(&w, "l1_read", 2 + 16 + 512);
    check_count(&w, "l1_write", 1024 - 2048 + 128 + 256);
    check_count(&updates, "l1_write", 1024 - 2048 + 128 + 256 + 64);
    check_count(&allocates, "l1_write", 1024 - 2048 + 128 + 256 + 64 + 4096);
    arena_free(allocates.a);
    arena_free(w.a);
    arena_free(updates.a);
    arena_free(passes.a);
}

/* Lines of constants are 64 bytes, 16 words; those of textures four sectors. */
static void other_caches_move_words_and_sectors(void)
{
    struct world w = WORLD("icc.enabled=false");
    check_count(&w, "constant_cache_tags", 1);
    check_count(&w, "constant_cache_read", 2);
    check_count(&w, "constant_cache_write", 16 * (64 - 4));
    check_count(&w, "texture_cache_tags", 1);
    check_count(&w, "texture_cache_read", 4 * 2);
    check_count(&w, "texture_cache_write", 4 * (64 - 4));
    check_count(&w, "l2_tags", 1);
    check_count(&w, "l2_read", 2 + 16);
    check_count(&w, "l2_write", 4 + 8);
    arena_free(w.a);
}

static void a_write_that_takes_no_line_writes_no_array(void)
{
    struct world kept = WORLD("l2.write_through=false", "l2.write_fetch=false");
    struct world fetched = WORLD("l2.write_through=true", "l2.write_fetch=true");
    struct world passes = WORLD("l2.write_through=true", "l2.write_fetch=false");
    check_count(&kept, "l2_write", 4 + 8);
    check_count(&fetched, "l2_write", 4 + 8);
    check_count(&passes, "l2_write", 4 - 1 + 8);
    check_count(&passes, "l2_tags", 1);
    arena_free(kept.a);
    arena_free(fetched.a);
    arena_free(passes.a);
}

static void entries_are_written_for_every_requester_and_read_once(void)
{
    struct world w = WORLD("icc.enabled=true", "icc.cc_lines=24");
    check_count(&w, "merge_table_search", 1);
    check_count(&w, "merge_table_read", 16);
    check_count(&w, "merge_table_write", 16 + 8);
    check_count(&w, "coalesced_cache_search", 1);
    check_count(&w, "coalesced_cache_read", 2);
    check_count(&w, "coalesced_cache_write", 4);
    arena_free(w.a);
}

CHECK_MAIN("energy_arrays", TEST(a_cache_pays_for_tags_and_for_data_apart),
           TEST(lanes_and_banks_pay_for_their_share),
           TEST(every_slice_and_table_leaks_and_nothing_in_an_sm_does),
           TEST(tables_are_searched_by_every_request),
           TEST(an_l1_moves_lines_that_hit_that_fill_and_that_are_written_back),
           TEST(other_caches_move_words_and_sectors),
           TEST(a_write_that_takes_no_line_writes_no_array),
           TEST(entries_are_written_for_every_requester_and_read_once))
