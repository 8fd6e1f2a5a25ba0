/* router.c - an input-buffered virtual-channel router from standard cells.
 *
 *   in -> register -> buffer: vcs x depth rows of flip-flops, clocks gated by a decoder of the
 *         write address, read by a tree of multiplexers -> register -> crossbar: a tree of
 *         multiplexers per output and bit -> register -> out
 *
 * and matrix arbiters: one per input among its VCs, one per output among inputs; with a VC
 * allocator further ones.  Energy is switched capacitance times Vdd squared, for random data.  The
 * structure is that of DSENT's router (Sun et al., NOCS 2012), so that each part can be checked
 * against it; area of the crossbar is that of its cells or of its wires, whichever is larger.
 *
 * Not modelled, as there: credits, route computation, output buffers, energy of the wires within
 * crossbar and allocators, control bits beside the flit. */
#include "power/router.h"

#include <math.h>
#include <stddef.h>

#include "power/arbiter.h"
#include "power/router_priv.h"

/* Beyond these a number is believed to be a slip. */
enum { MAX_PORTS = 4096, MAX_FLIT = 1 << 16, MAX_ENTRIES = 1 << 17 };
static const double max_clock = 1e12;

static bool check_count(const char *what, uint64_t n, uint64_t most, struct err *e)
{
    if (n >= 1 && n <= most)
        return true;
    return err_set(e, STATUS_BAD_INPUT, "router: %s of %llu; expected 1 to %llu", what,
                   (unsigned long long)n, (unsigned long long)most);
}

static bool check_spec(const struct power_router_spec *s, struct err *e)
{
    if (!check_count("number of inputs", s->in, MAX_PORTS, e) ||
        !check_count("number of outputs", s->out, MAX_PORTS, e) ||
        !check_count("bits of a flit", s->bits, MAX_FLIT, e) ||
        !check_count("number of VCs", s->vcs, MAX_ENTRIES, e) ||
        !check_count("depth of a VC", s->depth, MAX_ENTRIES, e) ||
        !check_count("flits of a buffer", (uint64_t)s->vcs * s->depth, MAX_ENTRIES, e))
        return false;
    if (!(s->clock >= 0 && s->clock <= max_clock))
        return err_set(e, STATUS_BAD_INPUT, "router: clock of %g Hz; expected 0 to %g", s->clock,
                       max_clock);
    return true;
}

uint32_t router_bits_of(uint32_t n)
{
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

/* ---- tree of multiplexers ---- */

uint32_t router_select_fan_out(uint32_t n, uint32_t level)
{
    if (n < 2)
        return 0;
    return (router_bits_of(n) == level + 1) + router_select_fan_out(n - n / 2, level) +
           router_select_fan_out(n / 2, level);
}

struct tree {
    struct cell_net out;
    double switched; /* F per cycle of one bit, without the drivers of the select lines */
};

/* The first input and the others; all select lines behave like `select`. */
struct tree_nets {
    struct cell_net first, other, select;
};

static struct tree mux_tree(const struct cell *mux, struct tree_nets w, uint32_t n, double load)
{
    if (n == 1)
        return (struct tree){.out = w.first};
    struct tree_nets rest = {w.other, w.other, w.select};
    struct tree a = mux_tree(mux, w, n - n / 2, mux->data);
    struct tree b = mux_tree(mux, rest, n / 2, mux->data);
    struct cell_net out = cell_net_mux(a.out, b.out, w.select);
    return (struct tree){out, a.switched + b.switched + w.select.rise * mux->in_ctl +
                                  cell_switched(mux, out, load)};
}

/* F per cycle of the two inverters of each select line, and the pins of `bits` bits. */
static double select_switched(const struct cell_set *set, uint32_t n, double bits)
{
    const struct cell *inv = &set->cell[CELL_INV];
    double sum = 0;
    for (uint32_t level = 0; level < router_bits_of(n); level++) {
        double pins = bits * router_select_fan_out(n, level);
        sum += cell_switched(inv, cell_net_random, inv->data) +
               cell_switched(inv, cell_net_random, pins * set->cell[CELL_MUX2].control);
    }
    return sum;
}

/* ---- decoder: a tree of NANDs with inverters, each of which joins two smaller decoders ---- */

struct decoder {
    double area, leak;
    double switched; /* F per cycle, addresses random */
    double load;     /* F of the address bit that drives most */
    struct cell_net out;
};

uint32_t router_decoder_lower(uint32_t n)
{
    return (uint32_t)1 << ((router_bits_of(n) + 1) / 2);
}

/* Each output drives `fan` NANDs. */
static struct decoder decoder_of(const struct cell_set *set, uint32_t n, double fan)
{
    const struct cell *inv = &set->cell[CELL_INV], *nand = &set->cell[CELL_NAND2];
    const struct tech *t = set->tech;
    double load = fan * nand->data;
    if (n == 1)
        return (struct decoder){.out = cell_net_still};
    if (n == 2)
        return (struct decoder){inv->area, inv->leak, cell_switched(inv, cell_net_random, load),
                                inv->data + load, cell_net_random};
    uint32_t lower = router_decoder_lower(n), upper = (n + lower - 1) / lower;
    struct decoder a = decoder_of(set, lower, upper), b = decoder_of(set, upper, lower);
    struct cell_net out = cell_net_and(a.out, b.out);
    double share_a = 1.0 / lower, share_b = 1.0 / upper;
    double leak = cell_leak(t, CELL_NAND2, share_a, share_b) +
                  cell_leak(t, CELL_INV, 1 - share_a * share_b, 0);
    double switched = cell_switched(nand, out, inv->data) + cell_switched(inv, out, load);
    return (struct decoder){a.area + b.area + n * (inv->area + nand->area),
                            a.leak + b.leak + n * leak, a.switched + b.switched + n * switched,
                            fmax(a.load, b.load), out};
}

/* ---- parts ---- */

struct build {
    const struct power_router_spec *spec;
    struct cell_set set;
    double volt2; /* V2 */
    double bits, in, out;
    uint32_t entries, address, selects; /* flits of a buffer; bits of their number, of an input's */
    double clock_pins;                  /* F */
};

static struct build build_of(const struct power_router_spec *s, const struct tech *t)
{
    struct build b = {.spec = s,
                      .set = cell_set_of(t),
                      .volt2 = t->vdd * t->vdd,
                      .bits = s->bits,
                      .in = s->in,
                      .out = s->out,
                      .entries = s->vcs * s->depth};
    b.address = router_bits_of(b.entries);
    b.selects = router_bits_of(s->in);
    /* Of the address and select registers those of one port, of arbiters the requests of one: what
     * is not in use is gated. */
    double flops = 2 * b.bits * b.in + b.bits * b.out + b.selects + b.address + s->vcs + b.in;
    b.clock_pins = flops * b.set.cell[CELL_DFF].control + b.set.cell[CELL_NAND2].data;
    return b;
}

/* Flip-flops of an input beside those of the rows: two registers of a flit, and the read address,
 * once for each of its bits, as DSENT has it. */
static double input_flops(const struct build *b)
{
    return 2 * b->bits + (double)b->address * b->address;
}

/* The register of the input to all rows and the decoder; all rows' masters; the clock of one row.
 * (DSENT draws addresses from a power of two: where there are fewer rows, some flits are written
 * nowhere, and a write costs up to a tenth less than here.) */
static double write_switched(const struct build *b, const struct decoder *d)
{
    const struct cell *c = b->set.cell, *dff = &c[CELL_DFF], *inv = &c[CELL_INV];
    const struct cell_net data = cell_net_random;
    double rows = b->entries, next = b->entries > 1 ? c[CELL_MUX2].data : dff->data;
    double line = rows * dff->data + d->load; /* of every bit as of those that are an address */
    double gate = c[CELL_NAND2].out + inv->data + inv->out;
    return b->bits * cell_flop_switched(dff, data, data, line, 1) +
           b->bits * rows * cell_flop_switched(dff, data, cell_net_sampled(rows), next, 1 / rows) +
           d->switched + gate + rows * c[CELL_NAND2].data + gate + b->bits * dff->control;
}

/* The tree over all rows, its address, the register before the crossbar to all outputs. */
static double read_switched(const struct build *b)
{
    const struct cell *c = b->set.cell, *dff = &c[CELL_DFF];
    const struct cell_net data = cell_net_random, row = cell_net_sampled(b->entries);
    struct tree tree =
        mux_tree(&c[CELL_MUX2], (struct tree_nets){row, row, data}, b->entries, dff->data);
    double address = cell_flop_switched(dff, data, data, c[CELL_INV].data, 1);
    return b->bits * (tree.switched + select_switched(&b->set, b->entries, 1)) +
           (double)b->address * b->address * address +
           b->bits * cell_flop_switched(dff, data, data, b->out * c[CELL_MUX2].data, 1);
}

static void add_buffer(const struct build *b, struct power_router *r)
{
    const struct cell *c = b->set.cell;
    const struct tech *t = b->set.tech;
    struct decoder d = decoder_of(&b->set, b->entries, 1);
    double rows = b->entries, flops = b->bits * rows + input_flops(b);
    double muxes = b->bits * (rows - 1), drivers = 2.0 * b->address * b->bits;
    double gates = (rows + 1) * (c[CELL_NAND2].area + c[CELL_INV].area);
    double gate_leak = cell_leak(t, CELL_NAND2, 0.5, 1) + c[CELL_INV].leak +
                       rows * (cell_leak(t, CELL_NAND2, 0.5, 1 / rows) +
                               cell_leak(t, CELL_INV, 1 - 0.5 / rows, 0));
    r->area[ROUTER_BUFFER] = b->in * (flops * c[CELL_DFF].area + muxes * c[CELL_MUX2].area +
                                      drivers * c[CELL_INV].area + d.area + gates);
    r->leak[ROUTER_BUFFER] = b->in * (flops * c[CELL_DFF].leak + muxes * c[CELL_MUX2].leak +
                                      drivers * c[CELL_INV].leak + d.leak + gate_leak);
    r->buffer_write = b->volt2 * write_switched(b, &d);
    r->buffer_read = b->volt2 * read_switched(b);
}

/* The drivers of the longest select line of each output grow for a clock. */
static void size_selects(const struct build *b, struct power_router *r, double *cells)
{
    const struct cell *inv = &b->set.cell[CELL_INV];
    if (b->selects == 0 || b->spec->clock <= 0)
        return;
    struct cell big = cell_of(b->set.tech, CELL_INV, router_select_size(b->set.tech, b->spec));
    *cells += b->out * 2 * (big.area - inv->area);
    r->leak[ROUTER_CROSSBAR] += b->out * 2 * (big.leak - inv->leak);
    r->crossbar +=
        b->volt2 * cell_net_random.rise * (2 * (big.out - inv->out) + 2 * (big.data - inv->data));
}

/* One input sends to one output, whose select lines change; the flit also comes to the multiplexers
 * of all others. */
static double traverse_switched(const struct build *b)
{
    const struct cell *c = b->set.cell, *dff = &c[CELL_DFF];
    const struct cell_net data = cell_net_random, still = cell_net_still;
    uint32_t n = b->spec->in;
    struct tree to = mux_tree(&c[CELL_MUX2], (struct tree_nets){data, still, data}, n, dff->data);
    struct tree by = mux_tree(&c[CELL_MUX2], (struct tree_nets){data, still, still}, n, dff->data);
    return b->bits * (to.switched + (b->out - 1) * by.switched) +
           select_switched(&b->set, n, b->bits) +
           b->selects * cell_flop_switched(dff, data, data, c[CELL_INV].data, 1) +
           b->bits * cell_flop_switched(dff, data, data, 0, 1);
}

static void add_crossbar(const struct build *b, struct power_router *r)
{
    const struct cell *c = b->set.cell;
    double muxes = b->out * b->bits * (b->in - 1), drivers = 2 * b->out * b->selects;
    double flops = b->out * (b->selects + b->bits);
    double cells = muxes * c[CELL_MUX2].area + drivers * c[CELL_INV].area;
    double pitch = wire_intermediate(b->set.tech).pitch;
    r->leak[ROUTER_CROSSBAR] =
        muxes * c[CELL_MUX2].leak + drivers * c[CELL_INV].leak + flops * c[CELL_DFF].leak;
    r->crossbar = b->volt2 * traverse_switched(b);
    size_selects(b, r, &cells);
    r->wire_area = (b->bits * b->in * pitch) * (b->bits * b->out * pitch);
    r->area[ROUTER_CROSSBAR] = fmax(cells, r->wire_area) + flops * c[CELL_DFF].area;
}

/* Requests are registered once per VC and once per input; their leakage is not counted, as DSENT
 * does not. */
static void add_switch_allocator(const struct build *b, struct power_router *r)
{
    struct arbiter vcs = arbiter_of(&b->set, b->spec->vcs), in = arbiter_of(&b->set, b->spec->in);
    r->area[ROUTER_SWITCH_ALLOCATOR] =
        b->in * vcs.area + b->out * in.area + (b->spec->vcs + b->in) * b->set.cell[CELL_DFF].area;
    r->leak[ROUTER_SWITCH_ALLOCATOR] = b->in * vcs.leak + b->out * in.leak;
    r->switch_1 = vcs.energy;
    r->switch_2 = in.energy;
}

/* Separable, input first: every input VC chooses among the VCs of its output; every output VC among
 * the VCs of each input, then among inputs.  A packet takes part in one of each. */
static void add_vc_allocator(const struct build *b, struct power_router *r)
{
    if (!b->spec->vc_allocator || b->spec->vcs < 2)
        return;
    double n = b->spec->vcs;
    struct arbiter vcs = arbiter_of(&b->set, b->spec->vcs), in = arbiter_of(&b->set, b->spec->in);
    double small = b->in * n + b->out * n * b->in, large = b->out * n;
    r->area[ROUTER_VC_ALLOCATOR] = small * vcs.area + large * in.area;
    r->leak[ROUTER_VC_ALLOCATOR] = small * vcs.leak + large * in.leak;
    r->vc_alloc = 2 * vcs.energy + in.energy;
}

/* ---- all together ---- */

static double sum(const double part[ROUTER_PARTS])
{
    double all = 0;
    for (int i = 0; i < ROUTER_PARTS; i++)
        all += part[i];
    return all;
}

bool power_router(const struct power_router_spec *s, struct power_router *r, struct err *e)
{
    const struct tech *t = tech_find(s->node, e);
    if (t == NULL || !check_spec(s, e))
        return false;
    struct build b = build_of(s, t);
    *r = (struct power_router){0};
    add_buffer(&b, r);
    add_crossbar(&b, r);
    add_switch_allocator(&b, r);
    add_vc_allocator(&b, r);
    struct router_clock c = router_clock_of(t, sum(r->area), b.clock_pins);
    r->area[ROUTER_CLOCK] = c.area;
    r->leak[ROUTER_CLOCK] = c.leak;
    r->clock_cycle = c.energy;
    r->global_wire_area = c.wire_area;
    r->max_clock = router_max_clock(t, s);
    return true;
}

double power_router_area(const struct power_router *r)
{
    return sum(r->area);
}

double power_router_leak(const struct power_router *r)
{
    return sum(r->leak);
}

double power_router_flit(const struct power_router *r)
{
    return r->buffer_write + r->buffer_read + r->crossbar + r->switch_1 + r->switch_2;
}
