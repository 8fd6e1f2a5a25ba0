/* test_photonic.c - optical links and buses: DSENT's figures, the loss budget, refusals. */
#include "base/arena.h"
#include "check.h"
#include "power/link.h"
#include "power/photonic.h"

/* The defaults of the section's rows. */
static const struct photonic_spec usual = {.waveguide_db_per_cm = 1,
                                           .coupler_db = 1,
                                           .splitter_db = 1,
                                           .through_db = 0.01,
                                           .drop_db = 1,
                                           .detector_db = 1,
                                           .responsivity = 1.1,
                                           .detector_ff = 5,
                                           .laser_efficiency = 0.25,
                                           .laser = "standard",
                                           .tuning = "reshuffle",
                                           .heating_kk_per_w = 100,
                                           .shift_ghz_per_k = 10,
                                           .rate = 8e9};
static const struct power_photonic_spec link_22 = {.node = 22,
                                                   .bits = 256,
                                                   .clock = 1e9,
                                                   .length = 0.0123,
                                                   .writers = 1,
                                                   .readers = 1,
                                                   .params = &usual};

static struct power_photonic build(struct power_photonic_spec s)
{
    struct power_photonic p;
    struct err e = {0};
    if (!power_photonic(&s, &p, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, STATUS_DONE);
    return p;
}

static struct power_photonic build_with(struct photonic_spec params)
{
    struct power_photonic_spec s = link_22;
    s.params = &params;
    return build(s);
}

static void the_section_has_the_defaults_that_these_tests_use(void)
{
    static const struct cfg_section *const sections[] = {&photonic_section};
    struct arena *a = arena_new();
    const struct photonic_spec *p = config_get(config_new(a, sections, 1), &photonic_section);
    CHECK_NEAR(p->rate, usual.rate, 0);
    CHECK_NEAR(p->responsivity, usual.responsivity, 0);
    CHECK_NEAR(p->laser_efficiency, usual.laser_efficiency, 0);
    CHECK_STR(p->laser, usual.laser);
    CHECK_STR(p->tuning, usual.tuning);
    arena_free(a);
}

/* DSENT counts one sample of the receiver per wavelength and flit, we one per bit: our energy is a
 * few per cent higher where a wavelength carries several bits of a flit. */
static void figures_are_dsents(void)
{
    static const struct {
        uint32_t node, bits;
        double rate, length;
        const char *tuning;
        double energy, leak, heat, laser, silicon, photonic;
    } rows[] = {
        {22, 256, 1e9, 0.0123, "reshuffle", 8.30178e-12, 7.19416e-3, 7.95225e-3, 4.81725e-3,
         1.03361e-8, 1.004e-7},
        {22, 256, 16e9, 0.0123, "reshuffle", 1.37951e-11, 2.19942e-3, 7.95225e-3, 8.40185e-3,
         2.71032e-9, 5.24e-8},
        {22, 256, 8e9, 0.04, "reshuffle", 1.17159e-11, 2.42511e-3, 7.95225e-3, 8.06094e-3,
         3.07754e-9, 1.664e-7},
        {22, 256, 8e9, 0.0123, "assisted", 9.50289e-12, 2.4215e-3, 4.75225e-3, 5.05666e-3,
         3.06743e-9, 5.56e-8},
        {22, 256, 8e9, 0.0123, "full", 8.12802e-12, 1.11934e-3, 6.47605e-2, 5.05666e-3, 1.46974e-9,
         5.56e-8},
        {22, 256, 8e9, 0.0123, "athermal", 8.12802e-12, 1.11934e-3, 0, 5.05666e-3, 1.46974e-9,
         5.56e-8},
        {45, 64, 1e9, 0.01, "reshuffle", 3.25718e-12, 1.04435e-3, 7.95225e-3, 6.25675e-4,
         5.40471e-9, 5.28e-8},
        {45, 256, 8e9, 0.0123, "reshuffle", 2.36517e-11, 3.2955e-3, 7.95225e-3, 5.97156e-3,
         1.26814e-8, 5.56e-8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct photonic_spec params = usual;
        params.rate = rows[i].rate;
        params.tuning = rows[i].tuning;
        struct power_photonic p = build((struct power_photonic_spec){
            rows[i].node, rows[i].bits, 1e9, rows[i].length, 1, 1, &params});
        CHECK_NEAR(p.wavelengths, rows[i].bits / (rows[i].rate / 1e9), 0);
        CHECK_NEAR(p.energy, rows[i].energy, 0.1);
        CHECK_NEAR(p.leak, rows[i].leak, 0.005);
        CHECK_NEAR(p.tuning, rows[i].heat, 1e-4);
        CHECK_NEAR(p.laser, rows[i].laser, 0.02);
        CHECK_NEAR(p.area, rows[i].silicon, 0.002);
        CHECK_NEAR(p.photonic_area, rows[i].photonic, 1e-9);
    }
}

/* The modulator is chosen anew at each length, for less loss where light is dear: the laser grows
 * by at most the dB of the waveguide, and nearly by them. */
static void the_laser_pays_for_each_dB_of_waveguide(void)
{
    double last = 0;
    for (int cm = 0; cm <= 8; cm++) {
        struct power_photonic_spec s = link_22;
        s.length = cm * 0.01;
        double laser = build(s).laser;
        if (cm > 0) {
            CHECK(laser < last * pow(10, 0.1) * 1.01);
            CHECK(laser > last * pow(10, 0.06));
        }
        last = laser;
    }
}

static void a_dB_costs_the_same_wherever_it_is_lost(void)
{
    struct photonic_spec coupler = usual, drop = usual, detector = usual, waveguide = usual;
    coupler.coupler_db += 1;
    drop.drop_db += 1;
    detector.detector_db += 1;
    waveguide.waveguide_db_per_cm += 1 / 1.23;
    double laser = build_with(coupler).laser;
    CHECK(laser > build(link_22).laser * 1.1);
    CHECK_NEAR(build_with(drop).laser, laser, 1e-9);
    CHECK_NEAR(build_with(detector).laser, laser, 1e-9);
    CHECK_NEAR(build_with(waveguide).laser, laser, 1e-9);
}

static void a_better_laser_or_detector_takes_less_power(void)
{
    struct photonic_spec laser = usual, detector = usual, load = usual;
    laser.laser_efficiency *= 2;
    detector.responsivity *= 2;
    load.detector_ff *= 2;
    CHECK(build_with(laser).laser < build(link_22).laser * 0.65);
    CHECK_NEAR(build_with(detector).laser, build_with(laser).laser, 1e-9);
    CHECK(build_with(load).laser > build(link_22).laser);
}

static void a_throttled_laser_at_full_load_takes_what_a_standard_one_takes(void)
{
    struct photonic_spec params = usual;
    params.laser = "throttled";
    struct power_photonic on = build(link_22), throttled = build_with(params);
    CHECK_NEAR(throttled.laser, 0, 0);
    CHECK_NEAR(throttled.laser_flit * link_22.clock, on.laser, 1e-9);
    CHECK_NEAR(throttled.energy, on.energy + throttled.laser_flit, 1e-9);
    CHECK_NEAR(on.laser_flit, 0, 0);
}

static void heat_is_inverse_to_the_heaters_efficiency(void)
{
    struct photonic_spec params = usual;
    params.heating_kk_per_w *= 4;
    CHECK_NEAR(build_with(params).tuning, build(link_22).tuning / 4, 1e-9);
}

/* Eight controllers on a ring that one of them reads (intra-clustering): seven others write. */
static void every_writer_of_a_bus_adds_a_bank_of_rings(void)
{
    struct power_photonic_spec s = link_22;
    s.length = 0.06;
    struct power_photonic link = build(s);
    s.writers = 7;
    struct power_photonic bus = build(s);
    CHECK_EQ(bus.wavelengths, link.wavelengths);
    CHECK_NEAR(bus.tuning, link.tuning * 8 / 2, 1e-9);
    CHECK_NEAR(bus.photonic_area, link.photonic_area + 6 * 32 * 100e-12, 1e-9);
    CHECK(bus.leak > link.leak);
    CHECK(bus.leak < 7 * link.leak);
    double passed_db = 6 * 32 * 0.01 + 1; /* rings, and the splitter of a bus */
    CHECK(bus.laser > link.laser * pow(10, passed_db / 10 * 0.6));
    CHECK(bus.laser < link.laser * pow(10, passed_db / 10 * 1.01));
    s.writers = 1;
    s.readers = 7;
    CHECK_NEAR(build(s).laser, bus.laser, 1e-9);
}

/* Of a flit's time: where a 12.3 mm link of wires and one of light take the same power. */
static void light_breaks_even_with_12_mm_of_wire_at_18_per_cent_load(void)
{
    struct power_link_spec w = {.node = 22, .bits = 256, .length = 0.0123, .delay = 1e-9};
    struct power_link wire;
    struct err e = {0};
    CHECK(power_link(&w, &wire, &e));
    struct power_photonic p = build(link_22);
    double fixed = p.leak + p.tuning + p.laser - wire.leak;
    double load = fixed / ((wire.energy - p.energy) * link_22.clock);
    CHECK(load > 0.17);
    CHECK(load < 0.20);
}

static void odd_clocks_round_wavelengths_up(void)
{
    struct power_photonic_spec s = link_22;
    s.clock = 0.7e9;
    CHECK_EQ(build(s).wavelengths, 23); /* 256 * 0.7 / 8 = 22.4 */
    s.clock = 8e9;
    CHECK_EQ(build(s).wavelengths, 256);
    s.bits = 1;
    s.clock = 1e6;
    CHECK_EQ(build(s).wavelengths, 1);
}

static void refuse(struct power_photonic_spec s, const char *word)
{
    struct power_photonic p;
    struct err e = {0};
    CHECK(!power_photonic(&s, &p, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    if (strstr(e.text, word) == NULL)
        print_error("\"%s\" lacks \"%s\"\n", e.text, word);
    CHECK(strstr(e.text, word) != NULL);
    CHECK(strchr(e.text, '\n') == NULL);
}

static void numbers_without_sense_are_refused_in_one_line(void)
{
    const double lengths[] = {-1e-3, NAN, INFINITY, 1000};
    const double clocks[] = {0, -1e9, NAN, 9e9};
    struct power_photonic_spec s;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        s = link_22, s.length = lengths[i], refuse(s, "length");
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        s = link_22, s.clock = clocks[i], refuse(s, "clock");
    s = link_22, s.bits = 0, refuse(s, "0 bits");
    s = link_22, s.bits = UINT32_MAX, refuse(s, "bits");
    s = link_22, s.writers = 0, refuse(s, "0 writers");
    s = link_22, s.readers = 0, refuse(s, "0 readers");
    s = link_22, s.writers = UINT32_MAX, refuse(s, "writers");
    s = link_22, s.node = 65, refuse(s, "65 nm");
}

static void a_rate_that_no_modulator_reaches_is_refused(void)
{
    struct photonic_spec params = usual;
    params.rate = 1e11;
    struct power_photonic_spec s = link_22;
    s.params = &params;
    refuse(s, "no modulator");
}

static void losses_that_no_laser_covers_are_refused(void)
{
    struct power_photonic_spec s = link_22;
    s.writers = 1000;
    refuse(s, "dB lost");
}

CHECK_MAIN("photonic", TEST(the_section_has_the_defaults_that_these_tests_use),
           TEST(figures_are_dsents), TEST(the_laser_pays_for_each_dB_of_waveguide),
           TEST(a_dB_costs_the_same_wherever_it_is_lost),
           TEST(a_better_laser_or_detector_takes_less_power),
           TEST(a_throttled_laser_at_full_load_takes_what_a_standard_one_takes),
           TEST(heat_is_inverse_to_the_heaters_efficiency),
           TEST(every_writer_of_a_bus_adds_a_bank_of_rings),
           TEST(light_breaks_even_with_12_mm_of_wire_at_18_per_cent_load),
           TEST(odd_clocks_round_wavelengths_up),
           TEST(numbers_without_sense_are_refused_in_one_line),
           TEST(a_rate_that_no_modulator_reaches_is_refused),
           TEST(losses_that_no_laser_covers_are_refused))
