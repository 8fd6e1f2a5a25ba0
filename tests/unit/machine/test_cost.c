/* What machines are made of: the ICC paper's own figures of storage, and that costs grow with what
 * they are costs of. */
#include "check.h"
#include "machine/cost.h"
#include "machine/machine.h"
#include "rig/sm_rig.h"

static struct cost cost_with(struct arena *a, const char *const *set)
{
    struct cost c;
    struct err e = {0};
    if (!cost_of(machine_rig_config(a, set), a, &c, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, STATUS_DONE);
    return c;
}

#define COST(a, ...) cost_with(a, (const char *const[]){__VA_ARGS__, NULL})

static uint64_t each(const struct cost *c, const char *name)
{
    const struct cost_row *r = cost_find(c, name);
    CHECK(r != NULL);
    return r->bytes;
}

static uint64_t units(const struct cost *c, const char *name)
{
    const struct cost_row *r = cost_find(c, name);
    CHECK(r != NULL);
    return r->units;
}

static struct cost cost_of_file(struct arena *a, const char *machine, const char *const *set)
{
    struct config *cfg = machine_config(a);
    struct err e = {0};
    struct cost c;
    CHECK(config_load(cfg, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, machine), &e));
    for (; *set; set++)
        CHECK(config_set(cfg, *set, &e));
    CHECK(cost_of(cfg, a, &c, &e));
    return c;
}

#define ICC60(a, ...) cost_of_file(a, "icc60", (const char *const[]){__VA_ARGS__, NULL})
#define SHARING15(a, ...) cost_of_file(a, "sharing15", (const char *const[]){__VA_ARGS__, NULL})

/* --- sections VI.A and VI.B of the sharing paper ----------------------------------------------- */

static void the_sharing_tracker_takes_five_bits_of_a_line_of_the_l2_and_two_of_the_l1(void)
{
    struct arena *a = arena_new();
    struct cost lru = SHARING15(a, "l1.latency=4");
    struct cost c = SHARING15(a, "l1.replacement=sharing_l1", "l2.replacement=sharing_l2");
    CHECK_EQ(each(&c, "l2_policy"), 1024 * 5 / 8);
    CHECK_EQ(units(&c, "l2_policy"), 6);
    CHECK_EQ(each(&c, "l1_policy"), 128 * 2 / 8);
    CHECK_EQ(units(&c, "l1_policy"), 15);
    CHECK_EQ(units(&lru, "l2_policy") + units(&lru, "l1_policy"), 0);
    CHECK_EQ(c.total - lru.total, 6 * 640 + 15 * 32);
    CHECK(cost_find(&c, "l2")->array.area > cost_find(&lru, "l2")->array.area);
    arena_free(a);
}

static void bits_of_a_policy_are_those_of_what_is_switched_on_and_of_how_many_sms_there_are(void)
{
    struct arena *a = arena_new();
    struct cost c = SHARING15(a, "l1.replacement=sharing_l1", "sharing_l1.dead=off");
    CHECK_EQ(each(&c, "l1_policy"), 128 / 8);
    c = SHARING15(a, "l1.replacement=sharing_l1", "sharing_l1.replacement=false");
    CHECK_EQ(each(&c, "l1_policy"), 128 / 8);
    c = SHARING15(a, "l1.replacement=sharing_l1", "sharing_l1.replacement=false",
                  "sharing_l1.allocation=false");
    CHECK_EQ(units(&c, "l1_policy"), 0);
    c = ICC60(a, "l2.replacement=sharing_l2"); /* 60 SMs: 6 bits of owner */
    CHECK_EQ(each(&c, "l2_policy"), 4096 * 7 / 8);
    c = ICC60(a, "l2.replacement=sharing_l2", "sharing_l2.at_launch=clear"); /* or nobody */
    CHECK_EQ(each(&c, "l2_policy"), 4096 * 7 / 8);
    c = ICC60(a, "l2.replacement=sharing_l2", "gpu.sms=64"); /* still 6 */
    CHECK_EQ(each(&c, "l2_policy"), 4096 * 7 / 8);
    c = ICC60(a, "l2.replacement=sharing_l2", "gpu.sms=64", "sharing_l2.at_launch=clear");
    CHECK_EQ(each(&c, "l2_policy"), 4096 * 8 / 8);
    c = ICC60(a, "icc.enabled=true", "icc.cc_lines=24", "icc.replacement=sharing_l1");
    CHECK_EQ(each(&c, "coalesced_policy"), 24 * 2 / 8);
    CHECK_EQ(units(&c, "coalesced_policy"), 12);
    c = ICC60(a, "l2.replacement=srrip"); /* what replaces LRU is not counted, as LRU is not */
    CHECK_EQ(units(&c, "l2_policy"), 0);
    arena_free(a);
}

/* --- section 6.4 of the ICC paper ------------------------------------------------------------- */

static void the_merge_table_takes_276_bytes_per_cluster_and_the_coalesced_cache_3_2_kb(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "icc.enabled=true", "icc.entries=48", "icc.cc_lines=24");
    CHECK_EQ(each(&c, "merge_table"), 276);
    CHECK_EQ(each(&c, "coalesced_cache"), 3195);
    CHECK_EQ(units(&c, "merge_table"), 12);
    CHECK_EQ(units(&c, "coalesced_cache"), 12);
    struct cost none = ICC60(a, "icc.enabled=false", "icc.entries=48", "icc.cc_lines=24");
    CHECK_EQ(units(&none, "merge_table") + units(&none, "coalesced_cache"), 0);
    CHECK_EQ(c.total - none.total, 12 * (276 + 3195));
    arena_free(a);
}

/* Section 8.4 has 96 entries for clusters of 10 SMs. */
static void a_merge_table_grows_with_its_entries_and_with_the_sms_of_its_cluster(void)
{
    CHECK_EQ(cost_merge_bits(48, 128, 5), 2208);
    CHECK_EQ(cost_merge_bits(96, 128, 5), 2 * 2208);
    CHECK_EQ(cost_merge_bits(96, 128, 10), 96 * (41 + 10));
    CHECK_EQ(cost_merge_bits(0, 128, 5), 0);
    struct arena *a = arena_new();
    struct cost one = ICC60(a, "icc.enabled=true", "icc.entries=48");
    struct cost two = ICC60(a, "icc.enabled=true", "icc.entries=96");
    CHECK_EQ(each(&two, "merge_table"), 2 * each(&one, "merge_table"));
    arena_free(a);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void a_cache_is_its_lines_and_what_the_set_does_not_say_about_them(void)
{
    CHECK_EQ(cost_cache_bits(24 * 128, 128, 24), 24 * (1024 + 41));    /* one set */
    CHECK_EQ(cost_cache_bits(16384, 128, 4), 128 * (1024 + 41 - 5));   /* 32 sets */
    CHECK_EQ(cost_cache_bits(49152, 128, 4), 384 * (1024 + 41 - 6));   /* 96 sets */
    CHECK_EQ(cost_cache_bits(8192, 64, 2), 128 * (512 + 42 - 6));      /* 64 sets */
    CHECK_EQ(cost_cache_bits(524288, 128, 8), 4096 * (1024 + 41 - 9)); /* 512 sets */
    CHECK_EQ(cost_mshr_bits(32, 128, 8 * 7), 32 * (41 + 56));
}

static void units_of_the_icc_paper_are_counted_per_sm_slice_and_port(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "icc.enabled=false");
    CHECK_EQ(units(&c, "register_file"), 60);
    CHECK_EQ(each(&c, "register_file"), 32768 * 4);
    CHECK_EQ(each(&c, "shared_memory"), 65536);
    CHECK_EQ(each(&c, "l1"), (49152 * 8 + 384 * 35) / 8);
    CHECK_EQ(units(&c, "l2"), 8);
    CHECK_EQ(each(&c, "l2"), 4096 * (128 + 4));
    CHECK_EQ(units(&c, "request_network_buffers"), 12); /* a 12x8 crossbar, ... */
    CHECK_EQ(units(&c, "reply_network_buffers"), 8);    /* ... and its way back */
    CHECK_EQ(each(&c, "reply_network_buffers"), 8 * 64);
    arena_free(a);
}

static void the_total_is_the_sum_of_all_units(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "icc.enabled=true", "icc.cc_lines=24");
    uint64_t sum = 0;
    for (int i = 0; i < c.nrows; i++) {
        sum += c.row[i].units * c.row[i].bytes;
        for (int k = 0; k < i; k++)
            CHECK(strcmp(c.row[i].name, c.row[k].name) != 0);
    }
    CHECK_EQ(c.total, sum);
    CHECK(cost_find(&c, "total") == NULL);
    arena_free(a);
}

static void costs_are_linear_in_what_there_is(void)
{
    struct arena *a = arena_new();
    struct cost c = COST(a, "router.vcs=2", "router.depth=4", "l1.mshrs=16");
    struct cost deep = COST(a, "router.vcs=2", "router.depth=8", "l1.mshrs=16");
    struct cost wide = COST(a, "router.vcs=4", "router.depth=4", "l1.mshrs=48");
    struct cost more =
        COST(a, "router.vcs=2", "router.depth=4", "l1.mshrs=16", "gpu.sms_per_cluster=4");
    CHECK_EQ(each(&deep, "request_network_buffers"), 2 * each(&c, "request_network_buffers"));
    CHECK_EQ(each(&wide, "request_network_buffers"), 2 * each(&c, "request_network_buffers"));
    CHECK_EQ(each(&wide, "l1_mshrs"), 3 * each(&c, "l1_mshrs"));
    CHECK_EQ(units(&more, "register_file"), 2 * units(&c, "register_file"));
    CHECK_EQ(units(&more, "l1"), 2 * units(&c, "l1"));
    CHECK_EQ(units(&more, "reply_network_buffers"), units(&c, "reply_network_buffers"));
    arena_free(a);
}

static void clusters_of_unequal_size_have_the_tables_of_the_largest(void)
{
    struct arena *a = arena_new();
    struct cost four = COST(a, "icc.enabled=true", "gpu.sms_per_cluster=4");
    struct cost some = COST(a, "icc.enabled=true", "gpu.sms=7"); /* 4 and 3 */
    CHECK_EQ(each(&some, "merge_table"), each(&four, "merge_table"));
    CHECK_EQ(units(&some, "merge_table"), units(&four, "merge_table"));
    CHECK_EQ(units(&some, "l1"), 7);
    arena_free(a);
}

static void a_network_without_routers_has_no_buffers(void)
{
    struct arena *a = arena_new();
    struct cost c = COST(a, "noc.topology=ideal", "ideal.cores=2", "ideal.mems=2");
    CHECK_EQ(units(&c, "request_network_buffers") + units(&c, "reply_network_buffers"), 0);
    arena_free(a);
}

/* --- area and power --------------------------------------------------------------------------- */

static double area_of(const struct cost *c, const char *name)
{
    const struct cost_row *r = cost_find(c, name);
    CHECK(r != NULL && r->is_array);
    return r->array.area;
}

/* Others are priced with routers, or with the tags of a cache. */
static bool is_priced_elsewhere(const struct cost_row *r)
{
    return strstr(r->name, "network_buffers") || strstr(r->name, "_policy");
}

static void all_units_but_buffers_of_networks_are_arrays_with_area_leakage_and_energy(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "icc.enabled=true", "icc.entries=48", "icc.cc_lines=24");
    for (int i = 0; i < c.nrows; i++) {
        const struct cost_row *r = &c.row[i];
        CHECK_EQ(r->is_array, !is_priced_elsewhere(r));
        if (!r->is_array)
            continue;
        CHECK(r->array.area > 0 && r->array.leak > 0 && r->array.read > 0 && r->array.write > 0);
        CHECK(r->spec.port_bits > 0);
    }
    struct cost none = ICC60(a, "icc.enabled=false");
    CHECK(!cost_find(&none, "merge_table")->is_array);
    CHECK(!cost_find(&none, "coalesced_cache")->is_array);
    arena_free(a);
}

static void a_policy_that_keeps_bits_of_a_line_makes_a_cache_larger(void)
{
    struct arena *a = arena_new();
    struct cost lru = ICC60(a, "l2.replacement=lru");
    struct cost c = ICC60(a, "l1.replacement=sharing_l1", "l2.replacement=sharing_l2");
    CHECK(area_of(&c, "l1") > area_of(&lru, "l1"));
    CHECK(area_of(&c, "l2") > area_of(&lru, "l2"));
    CHECK_NEAR(area_of(&c, "l2"), area_of(&lru, "l2"), 0.05);
    arena_free(a);
}

/* Its bytes are the L1's and are not counted twice; what an access costs is still known. */
static void shared_memory_that_is_part_of_the_l1_takes_no_room_of_its_own(void)
{
    struct arena *a = arena_new();
    struct cost apart = COST(a, "sm.shared=32K", "l1.size=64K"),
                one = COST(a, "sm.shared=32K", "l1.size=64K", "l1.carveouts=0,16K,32K");
    CHECK_EQ(units(&one, "shared_memory"), 0);
    CHECK_EQ(apart.total - one.total,
             units(&apart, "shared_memory") * each(&apart, "shared_memory"));
    CHECK_EQ(each(&one, "l1"), each(&apart, "l1"));
    CHECK(cost_find(&one, "shared_memory")->array.read ==
          cost_find(&apart, "shared_memory")->array.read);
    CHECK(cost_find(&one, "shared_memory")->array.read > 0);
    arena_free(a);
}

/* What is smaller than its banks has fewer of them. */
static void small_units_can_be_priced(void)
{
    struct arena *a = arena_new();
    struct cost c =
        COST(a, "sm.shared=4", "l2.size=1024", "l2.ways=8", "l2.banks=2", "l1.pending=1");
    CHECK_EQ(cost_find(&c, "shared_memory")->spec.banks, 1);
    CHECK_EQ(cost_find(&c, "l2")->spec.banks, 1);
    struct cost two = COST(a, "l2.size=2048", "l2.ways=8", "l2.banks=4", "l1.pending=1");
    CHECK_EQ(cost_find(&two, "l2")->spec.banks, 2); /* no bank is without a set */
    CHECK(area_of(&c, "l1_mshrs") > 0);
    struct cost none = COST(a, "sm.shared=0", "l1.pending=1");
    CHECK(!cost_find(&none, "shared_memory")->is_array);
    arena_free(a);
}

/* One of 60 SMs and one of its 64 requests: 12 bits for each that waits. */
static void an_mshr_of_the_l2_names_those_that_wait_by_sm_and_request(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "l2.mshrs=16", "l2.merges=2", "l1.requests=64");
    CHECK_EQ(each(&c, "l2_mshrs"), 16 * (41 + 2 * 12) / 8);
    arena_free(a);
}

static void larger_units_take_more_area(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "icc.enabled=true", "icc.cc_lines=24");
    struct cost more = ICC60(a, "icc.enabled=true", "icc.cc_lines=48", "icc.entries=96",
                             "l2.size=1M", "sm.registers=65536");
    CHECK(area_of(&more, "merge_table") > area_of(&c, "merge_table"));
    CHECK(area_of(&more, "coalesced_cache") > area_of(&c, "coalesced_cache"));
    CHECK(area_of(&more, "l2") > area_of(&c, "l2"));
    CHECK(area_of(&more, "register_file") > area_of(&c, "register_file"));
    CHECK_NEAR(area_of(&more, "l1"), area_of(&c, "l1"), 1e-12);
    arena_free(a);
}

static void networks_are_priced_by_direction_at_the_given_load(void)
{
    struct arena *a = arena_new();
    struct cost c = ICC60(a, "power.load=0.1");
    struct cost idle = ICC60(a, "power.load=0");
    CHECK_EQ(c.nnetworks, 2);
    CHECK_STR(c.network[0].name, "noc.request");
    CHECK_STR(c.network[1].name, "noc.reply");
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < NETCOST_PARTS; k++) {
            CHECK_NEAR(c.network[i].cost.leak[k], idle.network[i].cost.leak[k], 1e-12);
            CHECK(c.network[i].power[k] >= idle.network[i].power[k]);
        }
    CHECK_NEAR(idle.network[0].power[NETCOST_BUFFER], c.network[0].cost.leak[NETCOST_BUFFER],
               1e-12);
    arena_free(a);
}

static void a_network_alone_costs_what_it_costs_in_a_machine(void)
{
    struct arena *a = arena_new();
    struct config *cfg = machine_config(a);
    struct err e = {0};
    struct cost machine, network;
    CHECK(config_load(cfg, HEDDLE_SOURCE_DIR "/machines/icc60.yaml", &e));
    CHECK(cost_of(cfg, a, &machine, &e));
    CHECK(cost_of_network(cfg, a, &network, &e));
    CHECK_EQ(network.nrows, 2);
    CHECK_EQ(network.total, units(&machine, "request_network_buffers") * 512 +
                                units(&machine, "reply_network_buffers") * 512);
    for (int k = 0; k < NETCOST_PARTS; k++)
        CHECK_NEAR(network.network[1].power[k], machine.network[1].power[k], 1e-12);
    arena_free(a);
}

static void a_machine_that_cannot_be_built_has_no_cost(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct cost c;
    const char *const set[] = {"gpu.clusters=3", NULL};
    CHECK(!cost_of(machine_rig_config(a, set), a, &c, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "3 clusters on a network") != NULL);
    arena_free(a);
}

CHECK_MAIN("cost", TEST(the_sharing_tracker_takes_five_bits_of_a_line_of_the_l2_and_two_of_the_l1),
           TEST(bits_of_a_policy_are_those_of_what_is_switched_on_and_of_how_many_sms_there_are),
           TEST(the_merge_table_takes_276_bytes_per_cluster_and_the_coalesced_cache_3_2_kb),
           TEST(a_merge_table_grows_with_its_entries_and_with_the_sms_of_its_cluster),
           TEST(a_cache_is_its_lines_and_what_the_set_does_not_say_about_them),
           TEST(units_of_the_icc_paper_are_counted_per_sm_slice_and_port),
           TEST(the_total_is_the_sum_of_all_units), TEST(costs_are_linear_in_what_there_is),
           TEST(clusters_of_unequal_size_have_the_tables_of_the_largest),
           TEST(a_network_without_routers_has_no_buffers),
           TEST(all_units_but_buffers_of_networks_are_arrays_with_area_leakage_and_energy),
           TEST(a_policy_that_keeps_bits_of_a_line_makes_a_cache_larger),
           TEST(shared_memory_that_is_part_of_the_l1_takes_no_room_of_its_own),
           TEST(small_units_can_be_priced),
           TEST(an_mshr_of_the_l2_names_those_that_wait_by_sm_and_request),
           TEST(larger_units_take_more_area),
           TEST(networks_are_priced_by_direction_at_the_given_load),
           TEST(a_network_alone_costs_what_it_costs_in_a_machine),
           TEST(a_machine_that_cannot_be_built_has_no_cost))
