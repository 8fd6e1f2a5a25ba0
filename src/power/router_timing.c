/* router_timing.c - the highest clock of a router.
 *
 * A path runs from the clock's port through the largest inverter to all clock pins, through a
 * flip-flop, through cells, into a flip-flop.  Each driver charges what it drives (RC to half of
 * the swing); sizes of the cells on a path are chosen from the library such that the path is
 * fastest.  Paths: crossbar from its data and from its select registers (a select line goes to a
 * multiplexer per bit and pair of inputs), write of a flit (the address is decoded from the flit,
 * the entry's clock is gated, the entry can be read at once), read, arbiters.
 *
 * That one inverter drives the clock is how DSENT counts, whose figures this is checked against; it
 * is more than half of the time of a large router, and a balanced tree would take most of it out.
 * Not modelled, as there: wires of crossbar and allocators, skew and jitter, slopes. */
#include <math.h>

#include "power/router_priv.h"

enum { MAX_STEPS = 96, MAX_SWEEPS = 32 };
static const int largest = CELL_SIZES - 1;

/* Delay behind the clock over that of the best sizes: a design is sized step by step, and cells
 * beside the path grow, too.  The one figure here that is fitted, to DSENT's highest clocks. */
static const double sizing_loss = 1.06;

/* A cell on a path: the driver before it charges `fan` of its pins and `side` F besides. */
struct step {
    enum cell_kind kind;
    bool is_control; /* the signal comes in by the select or clock pin */
    double fan, side;
    int size;
};

struct path {
    const struct cell (*lib)[CELL_SIZES]; /* by kind and size */
    struct step step[MAX_STEPS];
    int n;
};

struct router {
    const struct power_router_spec *spec;
    struct cell lib[CELL_KINDS][CELL_SIZES];
    double pins; /* F of all clock pins of the pipeline registers */
};

static void fill(struct router *r, const struct tech *t, const struct power_router_spec *s)
{
    r->spec = s;
    for (int k = 0; k < CELL_KINDS; k++)
        for (int i = 0; i < CELL_SIZES; i++)
            r->lib[k][i] = cell_of(t, (enum cell_kind)k, cell_sizes[i]);
    r->pins = s->bits * (2.0 * s->in + s->out) * r->lib[CELL_DFF][0].control;
}

static void put(struct path *p, enum cell_kind kind, double fan, double side)
{
    HD_ASSERT(p->n < MAX_STEPS, "a path of more than %d cells", MAX_STEPS);
    p->step[p->n++] = (struct step){.kind = kind, .fan = fan, .side = side};
}

static void put_control(struct path *p, enum cell_kind kind, double fan, double side)
{
    put(p, kind, fan, side);
    p->step[p->n - 1].is_control = true;
}

/* From the clock into a register of `count` flip-flops, some of the pipeline's or others. */
static struct path launch(const struct router *r, double count, bool is_pipeline)
{
    struct path p = {.lib = r->lib};
    double pin = r->lib[CELL_DFF][0].control;
    put_control(&p, CELL_DFF, count, r->pins - (is_pipeline ? count * pin : 0));
    return p;
}

static void put_chain(struct path *p, enum cell_kind kind, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put(p, kind, 1, 0);
}

/* ---- delay of a path, and its sizes ---- */

static const struct cell *cell_at(const struct path *p, int i)
{
    return &p->lib[p->step[i].kind][p->step[i].size];
}

/* F that the driver before step i charges; at the end a flip-flop. */
static double load_of(const struct path *p, int i)
{
    if (i == p->n)
        return p->lib[CELL_DFF][0].data;
    const struct step *s = &p->step[i];
    const struct cell *c = cell_at(p, i);
    return s->fan * (s->is_control ? c->control : c->data) + s->side;
}

static double through(const struct path *p, int i)
{
    const struct cell *c = cell_at(p, i);
    return p->step[i].is_control ? c->ctl_delay : c->delay;
}

static double res_before(const struct path *p, int i)
{
    return i == 0 ? p->lib[CELL_INV][largest].res : cell_at(p, i - 1)->res;
}

/* All of the delay that the size of step i has a part in. */
static double around(const struct path *p, int i)
{
    return cell_delay(res_before(p, i), load_of(p, i)) + through(p, i) +
           cell_delay(cell_at(p, i)->res, load_of(p, i + 1));
}

static double delay_of(const struct path *p)
{
    double sum = p->lib[CELL_INV][largest].delay + p->lib[CELL_DFF][0].delay;
    for (int i = 0; i < p->n; i++)
        sum += cell_delay(res_before(p, i), load_of(p, i)) + through(p, i);
    return sum + cell_delay(res_before(p, p->n), load_of(p, p->n));
}

static bool improve(struct path *p, int i)
{
    int was = p->step[i].size, best = was;
    double least = around(p, i);
    for (int size = 0; size < CELL_SIZES; size++) {
        p->step[i].size = size;
        double d = around(p, i);
        if (d < least) {
            least = d;
            best = size;
        }
    }
    p->step[i].size = best;
    return best != was;
}

/* Sizes one by one until none helps. */
static double fastest(struct path *p)
{
    bool is_better = true;
    for (int sweep = 0; sweep < MAX_SWEEPS && is_better; sweep++) {
        is_better = false;
        for (int i = 0; i < p->n; i++)
            is_better |= improve(p, i);
    }
    double clock = p->lib[CELL_INV][largest].delay + cell_delay(res_before(p, 0), load_of(p, 0));
    return clock + sizing_loss * (delay_of(p) - clock);
}

/* ---- the paths ---- */

static double crossbar_data(const struct router *r)
{
    const struct power_router_spec *s = r->spec;
    struct path p = launch(r, (double)s->bits * s->in, true);
    uint32_t levels = router_bits_of(s->in);
    if (levels > 0) {
        put(&p, CELL_MUX2, s->out, 0);
        put_chain(&p, CELL_MUX2, levels - 1);
    }
    return fastest(&p);
}

/* Two drivers, then the multiplexers of `bits` bits: one per bit on the path, the others beside. */
static struct path select_path(const struct router *r, uint32_t inputs, double bits)
{
    uint32_t levels = router_bits_of(inputs);
    struct path p = launch(r, levels, false);
    if (levels > 0) {
        double others = bits * (router_select_fan_out(inputs, 0) - 1);
        put_chain(&p, CELL_INV, 2);
        put_control(&p, CELL_MUX2, bits, others * r->lib[CELL_MUX2][0].control);
        put_chain(&p, CELL_MUX2, levels - 1);
    }
    return p;
}

/* Inverter; then a NAND and an inverter per joining of two halves of the address. */
static void put_decoder(struct path *p, uint32_t n)
{
    if (n <= 2) {
        put_chain(p, CELL_INV, n == 2);
        return;
    }
    uint32_t lower = router_decoder_lower(n), upper = (n + lower - 1) / lower;
    put_decoder(p, lower);
    put(p, CELL_NAND2, 1, (upper - 1) * p->lib[CELL_NAND2][0].data);
    put(p, CELL_INV, 1, 0);
}

static double buffer_write(const struct router *r)
{
    const struct power_router_spec *s = r->spec;
    uint32_t entries = s->vcs * s->depth;
    struct path p = launch(r, (double)s->bits * s->in, true);
    put_decoder(&p, entries);
    put(&p, CELL_NAND2, 1, 0);
    put(&p, CELL_INV, 1, 0);
    put_control(&p, CELL_DFF, s->bits, 0);
    put_chain(&p, CELL_MUX2, router_bits_of(entries));
    p.step[1].side += entries * r->lib[CELL_DFF][0].data; /* the flit goes to all entries, too */
    return fastest(&p);
}

/* A request disables others; what is left of it is granted.  `n` of two or more. */
static void put_grant(struct path *p, uint32_t n)
{
    put(p, CELL_AND2, 1, (n - 1) * p->lib[CELL_AND2][0].data);
    put_chain(p, CELL_OR2, router_bits_of(n - 1));
    put(p, CELL_INV, 1, 0);
    put(p, CELL_AND2, 1, 0);
}

/* The grant changes the order: to half of the pairs as a set, to the others as a reset. */
static void put_update(struct path *p, uint32_t n)
{
    double inv = p->lib[CELL_INV][0].data, or2 = p->lib[CELL_OR2][0].data;
    put(p, CELL_INV, 1, 0.5 * n * (inv + or2));
    put(p, CELL_AND2, 1, 0);
}

static double switch_allocator(const struct router *r)
{
    uint32_t n = r->spec->in > r->spec->vcs ? r->spec->in : r->spec->vcs; /* stages have a cycle */
    struct path p = launch(r, n, false);
    if (n > 1) {
        put_grant(&p, n);
        put_update(&p, n);
    }
    return fastest(&p);
}

/* Input and output arbiters in one cycle. */
static double vc_allocator(const struct router *r)
{
    const struct power_router_spec *s = r->spec;
    struct path p = launch(r, (double)s->in * s->vcs, false);
    put_grant(&p, s->vcs);
    put_grant(&p, s->vcs);
    if (s->in > 1)
        put_grant(&p, s->in);
    put_update(&p, s->in > 1 ? s->in : s->vcs);
    return fastest(&p);
}

double router_max_clock(const struct tech *t, const struct power_router_spec *s)
{
    struct router r;
    fill(&r, t, s);
    struct path select = select_path(&r, s->in, s->bits);
    struct path read = select_path(&r, s->vcs * s->depth, 1);
    double slowest = fmax(crossbar_data(&r), fastest(&select));
    slowest = fmax(slowest, fmax(buffer_write(&r), fastest(&read)));
    slowest = fmax(slowest, switch_allocator(&r));
    if (s->vc_allocator && s->vcs > 1)
        slowest = fmax(slowest, vc_allocator(&r));
    return 1 / slowest;
}

double router_select_size(const struct tech *t, const struct power_router_spec *s)
{
    struct router r;
    fill(&r, t, s);
    struct path p = select_path(&r, s->in, s->bits);
    int size = 0;
    while (p.n > 1 && size < largest && delay_of(&p) * s->clock > 1) {
        size++;
        p.step[1].size = p.step[2].size = size; /* the two drivers */
    }
    return cell_sizes[size];
}
