/* Lengths of single parts, and the wires that parameters ask for. */
#include "check.h"
#include "cli/cost_part.h"
#include "machine/machine.h"

static void a_length_is_from_a_micrometre_to_a_metre(void)
{
    double m = -1;
    CHECK(cost_part_length("12.3mm", &m));
    CHECK_NEAR(m, 12.3e-3, 1e-12);
    CHECK(cost_part_length("500um", &m));
    CHECK_NEAR(m, 500e-6, 1e-12);
    CHECK(cost_part_length("3.3", &m));
    CHECK_NEAR(m, 3.3e-3, 1e-12);
    CHECK(cost_part_length("1um", &m) && cost_part_length("1000mm", &m));
    static const char *const wrong[] = {"0mm",   "-1mm", "0.9um",  "1001mm", "nan",
                                        "inf",   "",     "mm",     "3kg",    "1e400mm",
                                        "3.3km", "3GHz", "1e-300", "3.3mmm"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        m = -1;
        CHECK(!cost_part_length(wrong[i], &m));
        CHECK_NEAR(m, -1, 0);
    }
}

static void wires_take_one_cycle_unless_more_are_set(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *applied = NULL;
    struct cost_options o = {
        .nsets = 2, .set = {"noc.clock=2GHz", "noc.width=16"}, .applied = &applied};
    const struct config *c = cost_part_config(&o, a, &e);
    CHECK(c != NULL);
    struct power_link_spec s = cost_part_link(c, 3.3e-3);
    CHECK_EQ(s.node, 22);
    CHECK_EQ(s.bits, 128);
    CHECK_EQ(s.registers, 0);
    CHECK_NEAR(s.delay, 0.5e-9, 1e-18);
    o.set[o.nsets++] = "power.link_cycles=3";
    o.set[o.nsets++] = "power.node=45";
    c = cost_part_config(&o, a, &e);
    CHECK(c != NULL);
    s = cost_part_link(c, 3.3e-3);
    CHECK_EQ(s.node, 45);
    CHECK_EQ(s.registers, 2);
    CHECK_NEAR(s.delay, 1.5e-9, 1e-18);
    o.set[o.nsets++] = "power.node=28";
    CHECK(cost_part_config(&o, a, &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
}

CHECK_MAIN("cost_part", TEST(a_length_is_from_a_micrometre_to_a_metre),
           TEST(wires_take_one_cycle_unless_more_are_set))
