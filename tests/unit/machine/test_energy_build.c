/* Lines of bills: what their counts come to, and that nothing but sums can be written. */
#include "check.h"

#include "machine/energy_build.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

struct world {
    struct results_rig r;
    struct fabric graphs;
    struct energy_builder b;
};

static struct world world_new(bool is_one)
{
    struct world w = {.r = results_rig_new(is_one)};
    w.graphs =
        (struct fabric){.n = is_one ? 1 : 2, .name = {is_one ? "noc" : "noc.request", "noc.reply"}};
    return w;
}

/* Of a line that counts this, in a view of 1000 cycles at 1 GHz. */
static double count(struct world *w, const char *counts)
{
    w->b = (struct energy_builder){.graphs = &w->graphs, .arena = w->r.a};
    energy_add(&w->b, &(struct energy_item){
                          .name = "x", .unit = "x", .counts = counts, .source = "x", .each = 1});
    CHECK_EQ(w->b.n, 1);
    return w->b.item[0].count(&w->r.v, w->b.item[0].context);
}

static void counts_are_weighted_sums_of_statistics(void)
{
    struct world w = world_new(false);
    CHECK(count(&w, "sm.issued") == 2000);
    CHECK(count(&w, "l1.global.hits + l1.local.hits") == 200);
    CHECK(count(&w, "16 sm.issued + 0.5 sm.thread_insns") == 48000);
    CHECK(count(&w, "sm.thread_insns - 2 sm.issued - l1.stores") == 27900);
    arena_free(w.r.a);
}

static void time_is_counted_in_cycles_or_seconds(void)
{
    struct world w = world_new(false);
    CHECK(count(&w, "2 cycles - sm.active_cycles") == 500);
    CHECK_NEAR(count(&w, "seconds"), 1e-6, 1e-12);
    arena_free(w.r.a);
}

static void a_star_is_for_all_networks(void)
{
    struct world one = world_new(true), two = world_new(false);
    CHECK(count(&one, "noc.*.flits_in") == 3000);
    CHECK(count(&two, "noc.*.flits_in") == 3600);
    CHECK(count(&two, "2 noc.*.flits_in + sm.issued") == 9200);
    arena_free(one.r.a);
    arena_free(two.r.a);
}

static void what_is_not_there_is_not_a_number(void)
{
    struct world w = world_new(false);
    CHECK(isnan(count(&w, "sm.issued + sm.no_such")));
    arena_free(w.r.a);
}

static void a_bill_has_room_for_many_lines(void)
{
    struct world w = world_new(false);
    w.b = (struct energy_builder){.graphs = &w.graphs, .arena = w.r.a};
    for (int i = 0; i < 100; i++)
        energy_add(&w.b,
                   &(struct energy_item){
                       .name = "x", .unit = "x", .counts = "cycles", .source = "x", .each = i});
    CHECK_EQ(w.b.n, 100);
    for (int i = 0; i < 100; i++)
        CHECK(w.b.item[i].each == i);
    arena_free(w.r.a);
}

static void two_words_in_a_row(void)
{
    struct world w = world_new(false);
    count(&w, "sm.issued sm.thread_insns");
}

static void a_sign_at_the_end(void)
{
    struct world w = world_new(false);
    count(&w, "sm.issued +");
}

static void lines_that_cannot_be_read_are_our_own_fault(void)
{
    CHECK(strstr(death_of(two_words_in_a_row).text, "no sign between two words"));
    CHECK(strstr(death_of(a_sign_at_the_end).text, "nothing at the end"));
}

CHECK_MAIN("energy_build", TEST(counts_are_weighted_sums_of_statistics),
           TEST(time_is_counted_in_cycles_or_seconds), TEST(a_star_is_for_all_networks),
           TEST(what_is_not_there_is_not_a_number), TEST(a_bill_has_room_for_many_lines),
           TEST(lines_that_cannot_be_read_are_our_own_fault))
