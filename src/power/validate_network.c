/* validate_network.c - routers, their clocks and repeated links against DSENT.
 *
 * DSENT's router has no VC allocator, so that the model is built without one. */
#include "power/link.h"
#include "power/router.h"
#include "power/validate_group.h"

static bool read_router(const struct validate_line *l, struct power_router_spec *s,
                        struct validate_point *p)
{
    *s = (struct power_router_spec){0};
    if (!validate_count(l, "tech", &s->node) || !validate_count(l, "i", &s->in) ||
        !validate_count(l, "o", &s->out) || !validate_count(l, "w", &s->bits) ||
        !validate_count(l, "v", &s->vcs) || !validate_count(l, "d", &s->depth))
        return false;
    p->node = s->node;
    p->words = arena_printf(l->arena, "%u nm %ux%u %u b %ux%u", s->node, s->in, s->out, s->bits,
                            s->vcs, s->depth);
    return true;
}

/* ---- router: as DSENT builds it, of least cells or sized for a clock ---- */

static const struct validate_quantity router_quantities[] = {
    {"buffer write energy", "e_buf_write", NULL, 1, false},
    {"buffer read energy", "e_buf_read", NULL, 1, false},
    {"crossbar energy", "e_xbar", NULL, 1, false},
    {"switch allocator energy, VCs", "e_sa1", NULL, 1, false},
    {"switch allocator energy, inputs", "e_sa2", NULL, 1, false},
    {"clock energy per cycle", "e_clk_cycle", NULL, 1, false},
    {"buffer leakage", "leak_buf", NULL, 1, false},
    {"crossbar leakage", "leak_xbar", NULL, 1, false},
    {"switch allocator leakage", "leak_sa", NULL, 1, false},
    {"clock leakage", "leak_clk", NULL, 1, false},
    {"total leakage", "leak_total", NULL, 1, false},
    {"buffer area", "area_buf", NULL, 1, false},
    {"crossbar area", "area_xbar", NULL, 1, false},
    {"switch allocator area", "area_sa", NULL, 1, false},
    {"clock area", "area_clk", NULL, 1, false},
    {"total area", "area_total", NULL, 1, false},
    {"crossbar wire area", "area_xbar_wire", NULL, 1, false},
    {"clock wire area", "area_global_wire", NULL, 1, false},
};
enum { ROUTER_N = (int)(sizeof router_quantities / sizeof router_quantities[0]) };
enum { ROUTER_ENERGIES = 5 }; /* the first of them make up the energy of a flit */

static bool router_point(const struct validate_line *l, struct validate_point *p)
{
    struct power_router_spec s;
    struct power_router r;
    struct err why = {0};
    uint32_t is_sized, is_met;
    if (!read_router(l, &s, p) || !validate_real(l, "f", &s.clock) ||
        !validate_count(l, "opt", &is_sized) || !validate_count(l, "timing_met", &is_met))
        return false;
    if (!is_sized)
        s.clock = 0;
    else
        p->words = arena_printf(l->arena, "%s at %.2f GHz", p->words, s.clock * 1e-9);
    if (!is_met)
        p->left_out = "DSENT did not meet the clock";
    if (!power_router(&s, &r, &why))
        return validate_blame(l, &why);
    const double model[] = {
        r.buffer_write,
        r.buffer_read,
        r.crossbar,
        r.switch_1,
        r.switch_2,
        r.clock_cycle,
        r.leak[ROUTER_BUFFER],
        r.leak[ROUTER_CROSSBAR],
        r.leak[ROUTER_SWITCH_ALLOCATOR],
        r.leak[ROUTER_CLOCK],
        power_router_leak(&r),
        r.area[ROUTER_BUFFER],
        r.area[ROUTER_CROSSBAR],
        r.area[ROUTER_SWITCH_ALLOCATOR],
        r.area[ROUTER_CLOCK],
        power_router_area(&r),
        r.wire_area,
        r.global_wire_area,
    };
    _Static_assert(sizeof model / sizeof model[0] == ROUTER_N, "one figure per quantity");
    for (int i = 0; i < ROUTER_N; i++) {
        p->model[i] = model[i];
        p->whole[i] = i < ROUTER_ENERGIES ? power_router_flit(&r) : 0;
    }
    return true;
}

const struct validate_group validate_router = {"router", "dsent_router.csv", router_quantities,
                                               ROUTER_N, router_point};

/* ---- clock: the highest that closed, the lowest that did not ---- */

static const struct validate_quantity clock_quantities[] = {
    {"highest clock", "f_met_hz", "f_fail_hz", 1, false},
};

static bool clock_point(const struct validate_line *l, struct validate_point *p)
{
    struct power_router_spec s;
    struct power_router r;
    struct err why = {0};
    if (!read_router(l, &s, p))
        return false;
    if (!power_router(&s, &r, &why))
        return validate_blame(l, &why);
    p->model[0] = r.max_clock;
    return true;
}

const struct validate_group validate_clock = {"clock", "dsent_fmax.csv", clock_quantities, 1,
                                              clock_point};

/* ---- link ---- */

static const struct validate_quantity link_quantities[] = {
    {"energy", "e_send", NULL, 1, false},
    {"leakage", "leak", NULL, 1, false},
    {"repeater area", "area_active", NULL, 1, false},
    {"wire area", "area_global_wire", NULL, 1, false},
    {"timing met", "timing_met", NULL, 1, false},
};
enum { LINK_N = (int)(sizeof link_quantities / sizeof link_quantities[0]), LINK_MET = LINK_N - 1 };

static bool link_point(const struct validate_line *l, struct validate_point *p)
{
    struct power_link_spec s = {0};
    struct power_link k;
    struct err why = {0};
    uint32_t is_met;
    if (!validate_count(l, "tech", &s.node) || !validate_count(l, "w", &s.bits) ||
        !validate_real(l, "len_m", &s.length) || !validate_real(l, "delay_s", &s.delay) ||
        !validate_real(l, "width_mult", &s.width_mult) ||
        !validate_real(l, "space_mult", &s.space_mult) || !validate_count(l, "timing_met", &is_met))
        return false;
    if (!power_link(&s, &k, &why))
        return validate_blame(l, &why);
    p->node = s.node;
    p->words = arena_printf(l->arena, "%u nm %u b %.1f mm in %.0f ps", s.node, s.bits,
                            s.length * 1e3, s.delay * 1e12);
    const double model[] = {k.energy, k.leak, k.area, k.wire_area, k.is_met ? 1 : 0};
    _Static_assert(sizeof model / sizeof model[0] == LINK_N, "one figure per quantity");
    for (int i = 0; i < LINK_N; i++) {
        p->model[i] = model[i];
        p->skip[i] = !is_met && i != LINK_MET; /* DSENT's sizing is then of no use to anybody */
    }
    return true;
}

const struct validate_group validate_link = {"link", "dsent_links.csv", link_quantities, LINK_N,
                                             link_point};
