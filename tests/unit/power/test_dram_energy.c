#include "check.h"

#include "power/dram_energy.h"

static const struct cfg_section *const sections[] = {&dram_power_section};

static const char *const gddr3[] = {
    "dram_power.vdd=1.8",   "dram_power.clock=909MHz", "dram_power.tras=26.25",
    "dram_power.trc=42.5",  "dram_power.trfc=105",     "dram_power.idd0=350",
    "dram_power.idd2n=275", "dram_power.idd3n=360",    "dram_power.idd4r=470",
    "dram_power.idd4w=495", "dram_power.idd5=550",     "dram_power.vddq=1.8"};

static const char *const hbm2[] = {
    "dram_power.chip_bits=128", "dram_power.vdd=1.2",          "dram_power.clock=1GHz",
    "dram_power.tras=34",       "dram_power.trc=48",           "dram_power.trfc=260",
    "dram_power.idd0=65",       "dram_power.idd2n=40",         "dram_power.idd3n=55",
    "dram_power.idd4r=390",     "dram_power.idd4w=500",        "dram_power.idd5=250",
    "dram_power.termination=0", "dram_power.io_pj_per_bit=0.8"};

struct world {
    struct arena *a;
    struct config *c;
    struct dram_energy_spec s;
    struct dram_energy d;
    struct err e;
};

static void set(struct world *w, const char *const *settings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        CHECK(config_set(w->c, settings[i], &w->e));
}

/* A channel of one GDDR5 chip at the clock of its data sheet. */
static struct world world_new(void)
{
    struct world w = {.a = arena_new()};
    w.c = config_new(w.a, sections, 1);
    w.s = (struct dram_energy_spec){.chip = config_get(w.c, &dram_power_section),
                                    .bus_bits = 32,
                                    .burst = 8,
                                    .beats_per_cycle = 4,
                                    .clock = 1.5e9};
    return w;
}

static void commands_cost_what_they_draw_beyond_standby(void)
{
    struct world w = world_new();
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.chips, 1, 1e-12);
    CHECK_NEAR(w.d.activate, 6.0e-9, 1e-9);        /* 1.5 V (490*40 - 450*28 - 250*12) mA ns */
    CHECK_NEAR(w.d.read, 1.26e-9, 1e-9);           /* 1.5 V * 630 mA * two cycles of 2/3 ns */
    CHECK_NEAR(w.d.write, 1.42e-9, 1e-9);          /* 1.5 V * 710 mA */
    CHECK_NEAR(w.d.refresh, 19.5e-9, 1e-9);        /* 1.5 V * 200 mA * 65 ns */
    CHECK_NEAR(w.d.active, 0.675, 1e-9);           /* 1.5 V * 450 mA */
    CHECK_NEAR(w.d.precharged, 0.375, 1e-9);       /* 1.5 V * 250 mA */
    CHECK_NEAR(w.d.io, 256 * 0.01125 / 6e9, 1e-9); /* 1.5 V squared over 100 ohm, half the time */
    arena_free(w.a);
}

static void chips_of_a_channel_work_together(void)
{
    struct world w = world_new();
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    struct dram_energy one = w.d;
    w.s.bus_bits = 128;
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.chips, 4, 1e-12);
    CHECK_NEAR(w.d.activate, 4 * one.activate, 1e-12);
    w.s.bus_bits = 48;
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.activate, 1.5 * one.activate, 1e-12);
    w.s.bus_bits = 128;
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.read, 4 * one.read, 1e-12);
    CHECK_NEAR(w.d.io, 4 * one.io, 1e-12);
    CHECK_NEAR(w.d.active, 4 * one.active, 1e-12);
    arena_free(w.a);
}

static void standby_goes_with_the_clock_and_commands_do_not(void)
{
    struct world w = world_new();
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    struct dram_energy fast = w.d;
    w.s.clock /= 2;
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.active, fast.active / 2, 1e-12);
    CHECK_NEAR(w.d.precharged, fast.precharged / 2, 1e-12);
    CHECK_NEAR(w.d.read, fast.read, 1e-12);
    CHECK_NEAR(w.d.activate, fast.activate, 1e-12);
    CHECK_NEAR(w.d.io, fast.io * 2, 1e-12); /* a zero is held twice as long */
    arena_free(w.a);
}

/* J per bit of reads at the peak rate, `bursts` to a row. */
static double all_in(const struct world *w, double bursts)
{
    double bits = (double)w->s.bus_bits * w->s.burst;
    double seconds = w->s.burst / (w->s.beats_per_cycle * w->s.clock);
    double burst = w->d.activate / bursts + w->d.read + w->d.io + w->d.active * seconds;
    return burst / bits;
}

static void gddr5_takes_14_to_20_pj_a_bit_all_in(void)
{
    struct world w = world_new();
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK(all_in(&w, 8) > 12e-12 && all_in(&w, 4) > 14e-12 && all_in(&w, 4) < 20e-12);
    arena_free(w.a);
}

static void gddr3_takes_more_and_hbm2_less(void)
{
    struct world w = world_new(), x = world_new();
    set(&w, gddr3, sizeof gddr3 / sizeof gddr3[0]);
    w.s = (struct dram_energy_spec){w.s.chip, 64, 4, 2, 800e6};
    CHECK(dram_energy(&w.s, &w.d, &w.e));
    CHECK_NEAR(w.d.activate, 2 * 1.8 * 956.25e-12, 1e-9); /* two chips */
    CHECK(all_in(&w, 4) > 20e-12 && all_in(&w, 4) < 40e-12);
    set(&x, hbm2, sizeof hbm2 / sizeof hbm2[0]);
    x.s = (struct dram_energy_spec){x.s.chip, 128, 2, 2, 1e9};
    CHECK(dram_energy(&x.s, &x.d, &x.e));
    CHECK(all_in(&x, 4) > 2e-12 && all_in(&x, 4) < 7e-12);
    arena_free(w.a);
    arena_free(x.a);
}

static void currents_that_contradict_one_another_are_refused(void)
{
    static const struct {
        const char *setting, *text;
    } bad[] = {
        {"dram_power.idd0=300",
         "dram_power.idd0: activating costs less than standby (idd2n, idd3n)"},
        {"dram_power.idd4r=400", "dram_power.idd4r: less than standby (idd3n)"},
        {"dram_power.idd4w=400", "dram_power.idd4w: less than standby (idd3n)"},
        {"dram_power.idd5=200", "dram_power.idd5: less than standby (idd2n)"},
        {"dram_power.tras=50", "dram_power.tras: longer than trc"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct world w = world_new();
        set(&w, &bad[i].setting, 1);
        CHECK(!dram_energy(&w.s, &w.d, &w.e));
        CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
        CHECK_STR(w.e.text, bad[i].text);
        arena_free(w.a);
    }
}

static void a_negative_current_is_refused(void)
{
    struct world w = world_new();
    CHECK(!config_set(w.c, "dram_power.idd3n=-1", &w.e));
    CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
    arena_free(w.a);
}

CHECK_MAIN("dram_energy", TEST(commands_cost_what_they_draw_beyond_standby),
           TEST(chips_of_a_channel_work_together),
           TEST(standby_goes_with_the_clock_and_commands_do_not),
           TEST(gddr5_takes_14_to_20_pj_a_bit_all_in), TEST(gddr3_takes_more_and_hbm2_less),
           TEST(currents_that_contradict_one_another_are_refused),
           TEST(a_negative_current_is_refused))
