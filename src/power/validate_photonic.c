/* validate_photonic.c - optical links, one writer and one reader, against DSENT.
 *
 * DSENT's energy of sending leaves out a throttled laser, so that its light is not compared;
 * neither are buses with several writers, for which there is no reference. */
#include <string.h>

#include "power/photonic.h"
#include "power/validate_group.h"

static const struct validate_quantity quantities[] = {
    {"energy", "e_send", NULL, 1, false},
    {"leakage", "leak", NULL, 1, false},
    {"ring tuning", "ring_tuning", NULL, 1, false},
    {"laser", "laser_w", NULL, 1, false},
    {"silicon area", "area_active", NULL, 1, false},
    {"photonic area", "area_photonic", NULL, 1, false},
};
enum { N = (int)(sizeof quantities / sizeof quantities[0]) };

struct word {
    const char *theirs, *ours;
};
static const struct word lasers[] = {{"Standard", "standard"}, {"Throttled", "throttled"}, {0}};
static const struct word tunings[] = {{"ThermalWithBitReshuffle", "reshuffle"},
                                      {"ElectricalAssistWithBitReshuffle", "assisted"},
                                      {"FullThermal", "full"},
                                      {"AthermalWithTrim", "athermal"},
                                      {0}};

static bool translate(const struct validate_line *l, const char *column, const struct word *words,
                      const char **out)
{
    const char *text = validate_text(l, column);
    if (!text)
        return false;
    while (words->theirs && strcmp(words->theirs, text) != 0)
        words++;
    *out = words->ours;
    return *out || csv_refuse(l->table, l->row, csv_column(l->table, column, l->e),
                              "is none of DSENT's words", l->e);
}

static bool point(const struct validate_line *l, struct validate_point *p)
{
    static const struct cfg_section *const sections[] = {&photonic_section};
    const struct config *defaults = config_new(l->arena, sections, 1);
    struct photonic_spec params = *(const struct photonic_spec *)config_get(defaults, sections[0]);
    struct power_photonic_spec s = {.writers = 1, .readers = 1, .params = &params};
    struct power_photonic r;
    struct err why = {0};
    if (!validate_count(l, "tech", &s.node) || !validate_count(l, "bits", &s.bits) ||
        !validate_real(l, "core_rate", &s.clock) || !validate_real(l, "link_rate", &params.rate) ||
        !validate_real(l, "len_m", &s.length) || !translate(l, "laser", lasers, &params.laser) ||
        !translate(l, "tuning", tunings, &params.tuning))
        return false;
    if (!power_photonic(&s, &r, &why))
        return validate_blame(l, &why);
    p->node = s.node;
    p->words = arena_printf(l->arena, "%u nm %u b %.1f mm at %.0f GHz %s %s", s.node, s.bits,
                            s.length * 1e3, params.rate * 1e-9, params.laser, params.tuning);
    double sent = r.energy - r.laser_flit;
    const double model[] = {sent, r.leak, r.tuning, r.laser, r.area, r.photonic_area};
    _Static_assert(sizeof model / sizeof model[0] == N, "one figure per quantity");
    memcpy(p->model, model, sizeof model);
    return true;
}

const struct validate_group validate_photonic = {"photonic", "dsent_photonic.csv", quantities, N,
                                                 point};
