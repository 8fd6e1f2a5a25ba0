/* array_sram.c - SRAM cut into sub-arrays.
 *
 * Four sub-arrays share a mat: address decoders in the middle, precharge, sense amplifiers and
 * column multiplexers at the inner ends of the bit lines, a repeated wire along each sub-array that
 * takes its outputs out.  Mats hang on an H-tree of repeated wires.  An access wakes mats of one
 * row that together give the bits of the port.  This is the structure of CACTI (Wilton and Jouppi,
 * 1996; Muralimanohar et al., 2009).  How often bit and word lines are cut and how many columns
 * share an output is found by trying all powers of two; layouts of nearly equal merit are blended,
 * so that costs change steadily with size.
 *
 * Not modelled: ports beyond one for read and write, spare rows and columns, error correction,
 * power gating.  The two levels of multiplexers behind sense amplifiers are taken as one. */
#include "power/array_sram.h"

#include <math.h>
#include <stdbool.h>

#include "base/err.h"

struct cut {
    double word_cuts, bit_cuts; /* how often word lines and bit lines are cut */
    double fold;                /* addresses that share a row */
    double mux;                 /* columns per output */
    double share;               /* columns per sense amplifier; divides mux */
};

/* One mat and its place in the array, in counts and lengths. */
struct plan {
    double rows, cols;            /* of a sub-array */
    double across, down;          /* mats */
    double active;                /* mats that an access wakes */
    double outs;                  /* bits out of a mat */
    double in;                    /* bits into it */
    double row_bits, address;     /* that select a row; all of the address that enter a mat */
    double banked;                /* and those that say which mats */
    double mux, share;            /* columns per output, per sense amplifier */
    double sub_width, sub_height; /* m */
    double mat_width, mat_height;
    double tree;            /* m from the edge to a mat */
    double branches, joins; /* gates on that way, in delays of those between long wires */
    double width, height;
};

enum {
    SUBS = 4,
    LEAST_ROWS = 16,
    LEAST_COLS = 2,
    MOST_CUTS = 512,
    MOST_FOLD = 256,
    MOST_MUX = 256,
    MOST_LAYOUTS = 1024 /* near the best at a time */
};

static const double least_tag_fold = 0.125;
static const double tag_slack = 1.2; /* access of tags over the fastest */
static const double softness = 0.02; /* of merit by which layouts are told apart */
static const double far = 3;         /* times the best: of no layout that is worth following */
static const double nothing = 20;    /* softnesses: exp(-20) of a layout is none of it */

/* Lengths in features. */
static const double decoder_width = 228; /* of the driver of a long word line */
static const double centre_area = 1.2e5; /* squared: predecoders, per mat */
static const double compare_area = 300;  /* squared: a bit of comparator */

/* Circuits in least inverters. */
static const double largest_driver = 89;
static const double predecode_leak = 14; /* that leak like predecoders, per row */
static const double mux_gates = 1.9;     /* of a transistor of a multiplexer */
static const double compare_gates = 11;  /* that a bit of comparator switches */
static const double compare_leak = 280;  /* that leak like a comparator, per way it may match */

/* Delays in stages: a least inverter that drives another. */
static const double predecode_stages = 1.7, predecode_bit = 2.3;
static const double line_stages = 15; /* of the driver of a select line */
static const double sense_stages = 1;
static const double restore_stages = 8; /* until word and bit lines are at rest */

/* Parts of the delays of gates in the tree that do not depend on the wires around them. */
static const double branch_own = 0.15, join_own = 0.53;

/* The driver of a word line, in gate_res x gate_cap: grows with the logarithm of its load. */
static const double drive_octave = 4.2, drive_offset = 5.5, drive_least = 3, drive_most = 22;
static const double drive_last = 0.88;     /* of it in the gate that drives the line */
static const double drive_slope = 0.15;    /* of the predecoder's delay, by its slow edge */
static const double line_half = 0.38;      /* RC of a distributed line until half the swing */
static const double lumped_half = 0.69;    /* the same of a lumped one */
static const double threshold_rise = 1.64; /* of an edge until an access transistor conducts */
static const double word_overhead = 1.1;   /* of a word line's energy, for its driver */

static double log_2(double v) /* bits that tell v things apart */
{
    return v > 1 ? ceil(log2(v) - 1e-9) : 0;
}

static bool is_tags(const struct sram_need *n)
{
    return n->tag_bits > 0;
}

static double leaving(const struct sram_need *n) /* of tags, one match per way */
{
    return is_tags(n) ? n->ways : n->out;
}

/* Each level halves what is left, alternately across and down. */
static double tree_length(const struct plan *p)
{
    double across = log_2(p->across), down = log_2(p->down);
    double x = p->width / 2, y = p->height / 4, length = 0;
    while (across > 0 || down > 0) {
        bool is_across = across > 0 && across >= down, is_down = down > 0 && down >= across;
        length += (is_across ? x : 0) + (is_down ? y : 0);
        x /= is_across ? 2 : 1;
        y /= is_down ? 2 : 1;
        across -= is_across;
        down -= is_down;
    }
    return length;
}

/* `ahead` and `behind`: the repeaters of the wires that a gate of the tree joins, from the edge. */
static void add_node(struct plan *p, double ahead, double behind)
{
    p->branches += branch_own + (1 - branch_own) * behind / ahead;
    p->joins += join_own + (1 - join_own) * ahead / behind;
}

/* A wire shorter than the space between repeaters begins with a part of one.  In an array that is
 * lower than that space, the reference takes this part from the wire across also for the wire down:
 * more than a whole repeater if the array is wide.  So do we: low arrays are not worth cutting. */
static void count_nodes(const struct array_tech *t, struct plan *p)
{
    double across = log_2(p->across), down = log_2(p->down);
    double x = p->width / 2, y = p->height / 4, wide = x, high = p->height / 2;
    p->branches = p->joins = 0;
    while (across > 0 || down > 0) {
        bool is_across = across > 0, is_down = down > 0 && down >= across;
        wide = is_across ? x : wide;
        high = is_down ? y : high;
        double length = wide / t->repeater_space;
        add_node(p, fmin(1, length), high > t->repeater_space ? 1 : length);
        if (is_across && is_down)
            add_node(p, 1, 1);
        x /= is_across ? 2 : 1;
        y /= is_down ? 2 : 1;
        across -= is_across;
        down -= is_down;
    }
}

/* The wires of the tree run between mats and push them apart. */
static void place(const struct array_tech *t, const struct sram_need *n, struct plan *p)
{
    double across = log_2(p->across), down = log_2(p->down), skew = fabs(across - down);
    double address = (p->address + p->banked) * t->wire_pitch;
    double data = ((is_tags(n) ? n->tag_bits : n->out + n->ways) + leaving(n)) * t->wire_pitch;
    double spine = 2 * (1 - exp2(-skew));
    bool is_wide = across > down;
    double spread = address * (fmin(p->across, p->down) - 1 + skew);
    p->width = p->across * p->mat_width + (is_wide ? address * (p->across - 1) : spread) +
               data * (is_wide ? down : across + spine);
    p->height =
        p->down * p->mat_height + spread + data * (is_wide ? spine + exp2(skew) * down : across);
    p->tree = tree_length(p);
    count_nodes(t, p);
}

static void lay_out(const struct array_tech *t, const struct sram_need *n, struct plan *p)
{
    double f = t->feature;
    p->sub_width = array_strapped_width(t, p->cols);
    p->sub_height = p->rows * t->cell_height;
    double wires = (p->address + (p->in + p->outs) / 2 + p->mux) * t->wire_pitch;
    double repeaters = array_out_area(t, p->sub_width) * p->outs / SUBS / p->sub_width;
    double compare = n->tag_bits * p->outs * compare_area * f * f / p->sub_width;
    p->mat_height = 2 * (p->sub_height + t->strip + repeaters + compare) + wires;
    double drivers = 2 * decoder_width * f * array_driver_gates(p->cols) / largest_driver;
    double predecoded = 2 * exp2(p->row_bits / 2) * t->wire_pitch;
    p->mat_width =
        2 * p->sub_width + fmax(predecoded, drivers) + centre_area * f * f / p->mat_height;
    place(t, n, p);
}

/* False when the cut is none: too few columns, or no mats that give the bits wanted. */
static bool plan_cut(const struct array_tech *t, const struct sram_need *n, const struct cut *c,
                     struct plan *p)
{
    *p = (struct plan){.rows = ceil(n->rows / (c->bit_cuts * c->fold)),
                       .cols = ceil(n->bits * c->fold / c->word_cuts),
                       .across = c->word_cuts / 2,
                       .down = c->bit_cuts / 2,
                       .mux = c->mux,
                       .share = c->share};
    p->outs = floor(SUBS * p->cols / c->mux);
    if (p->cols < LEAST_COLS || p->outs < fmax(SUBS, n->tag_bits))
        return false;
    double wanted = n->out / p->outs;
    p->active = is_tags(n) ? fmax(1, floor(wanted)) : ceil(wanted);
    double given = p->active * p->outs; /* columns are rounded up, odd ports to what mats give */
    if (p->active > p->across || given > (is_tags(n) ? n->out + SUBS : 2 * fmax(n->out, SUBS)))
        return false;
    if (is_tags(n))
        p->outs = fmax(1, floor(n->ways / p->active));
    p->in = is_tags(n) ? n->tag_bits : p->outs + 2 * n->ways;
    p->row_bits = log_2(p->rows);
    p->address = p->row_bits + log_2(is_tags(n) ? c->mux : c->mux / n->ways);
    p->banked = log_2(p->across * p->down / p->active);
    lay_out(t, n, p);
    return true;
}

/* A line across a mat that opens this many transistors of a multiplexer. */
static double line_cap(const struct array_tech *t, const struct plan *p, double opened)
{
    return 2 * p->sub_width * t->wire_cap + opened * mux_gates * t->gate_cap;
}

static double line_delay(const struct array_tech *t, const struct plan *p, double opened)
{
    return line_stages * t->stage + line_half * p->sub_width * t->wire_res * line_cap(t, p, opened);
}

/* Joules.  A write drives full swings on the columns that are written and senses none; the
 * reference counts it once per active mat for each of them, and so do we. */
static void energy(const struct array_tech *t, const struct sram_need *n, const struct plan *p,
                   struct sram *s)
{
    double v2 = t->vdd * t->vdd, cols = SUBS * p->cols, bit = p->rows * t->bit_cap;
    double sensed =
        cols * array_sense_energy(t, bit, p->share) + cols / p->share * t->latch_cap * v2;
    double precharge = cols * (t->precharge_cap + t->cell_width * t->wire_cap) * v2;
    double word = word_overhead * cols * t->word_cap * v2;
    double predecode = p->row_bits * p->sub_height * t->wire_cap * v2;
    double select = (p->share > 1) * line_cap(t, p, 2 * cols / p->share) * v2 +
                    (p->mux > p->share) * line_cap(t, p, cols / p->mux) * v2;
    double compare = n->tag_bits * n->ways * compare_gates * t->gate_cap * v2;
    double outs = p->outs * array_out_energy(t, p->sub_width);
    double tree = (leaving(n) + p->address + p->banked) * p->tree * t->link_energy;
    double mat = sensed + precharge + word + predecode + select + outs + compare;
    double driven = cols / p->mux * p->active * bit * 2 * v2;
    s->read = p->active * mat + tree;
    s->write = s->read + p->active * (driven - sensed);
}

static void leakage(const struct array_tech *t, const struct sram_need *n, const struct plan *p,
                    struct sram *s)
{
    double cols = SUBS * p->cols;
    double gates = 2 * cols / p->share + SUBS * p->rows * array_driver_gates(p->cols) +
                   SUBS * largest_driver + p->rows * predecode_leak;
    if (is_tags(n))
        gates += p->outs * n->ways * compare_leak;
    double mat = cols * p->rows * t->cell_leak + gates * t->gate_leak +
                 cols / p->mux * array_out_leak(t, p->sub_width);
    s->leak = mat * p->across * p->down;
}

static void delays(const struct array_tech *t, const struct sram_need *n, const struct plan *p,
                   struct sram *s)
{
    double column = 2 * p->sub_height, row = p->cols * t->cell_width, cols = SUBS * p->cols;
    double enter = p->tree * t->link_delay + p->branches * t->branch_delay;
    double predecode = t->stage * (predecode_stages + predecode_bit * p->row_bits) +
                       line_half * column * column * t->wire_res * t->wire_cap;
    double word = line_half * row * t->local_res * p->cols * t->word_cap;
    double drive =
        fmin(drive_most, fmax(drive_least, drive_octave * log2(p->cols) - drive_offset)) *
        t->gate_res * t->gate_cap;
    double decode = drive + drive_slope * predecode + word;
    double rise = threshold_rise * (drive_last * drive + word - fmin(t->stage, drive / 2));
    double bit = array_sense_delay(t, p->rows * t->bit_cap, rise);
    double opened = p->share > 1 ? line_delay(t, p, 2 * cols / p->share) : 0;
    double restore = lumped_half * (row * t->wire_res + 2 * t->gate_res / largest_driver) *
                     p->cols * (t->precharge_cap + t->cell_width * t->wire_cap);
    s->select = enter + (p->mux > p->share ? line_delay(t, p, cols / p->mux) : 0);
    s->arrive = enter + fmax(predecode + decode + bit, opened) + sense_stages * t->stage;
    s->leave =
        array_out_delay(t, p->sub_width) + p->tree * t->link_delay + p->joins * t->join_delay;
    bool waits = n->ways > 1 && !is_tags(n); /* for tags to say which way */
    s->access = (waits ? s->arrive : fmax(s->arrive, s->select)) + s->leave;
    s->cycle = decode + bit + word + restore + restore_stages * t->stage;
}

struct search {
    const struct array_tech *tech;
    const struct sram_need *need;
    const struct sram *tags; /* beside the data, if any */
    double limit;            /* s of access, of tags */
    double (*cost)(const struct search *, struct sram *);

    double least_rows; /* of a sub-array */
    double best;       /* least cost of all layouts */
    int nlayouts;      /* that were the best, or near it, when they were found */
    struct layout {
        double cost;
        struct sram s;
    } layout[MOST_LAYOUTS];
};

/* Tags lie beside the data; what is left beside the lower of the two is lost. */
static double cost_of_data(const struct search *f, struct sram *s)
{
    if (f->tags)
        s->area = fmax(s->height, f->tags->height) * (s->width + f->tags->width);
    if (f->tags && f->need->is_beside)
        s->access = fmax(f->tags->access + s->select, s->arrive) + s->leave;
    else if (f->tags)
        s->access += f->tags->access;
    return s->access * s->access * (s->read + (f->tags ? f->tags->read : 0));
}

static double cost_of_speed(const struct search *f, struct sram *s)
{
    (void)f;
    return s->access;
}

static double cost_of_tags(const struct search *f, struct sram *s)
{
    return s->access <= f->limit ? s->cycle : INFINITY;
}

static bool is_near(const struct search *f, double cost)
{
    return cost <= f->best * (1 + nothing * softness);
}

static void try_cut(const struct search *f, const struct cut *c, double *least, struct sram *best)
{
    struct plan p;
    if (!plan_cut(f->tech, f->need, c, &p))
        return;
    struct sram s = {.width = p.width, .height = p.height, .area = p.width * p.height};
    energy(f->tech, f->need, &p, &s);
    delays(f->tech, f->need, &p, &s);
    double cost = f->cost(f, &s);
    if (cost < *least) {
        *least = cost;
        if (is_near(f, cost))
            leakage(f->tech, f->need, &p, &s);
        *best = s;
    }
}

static void keep(struct search *f, double cost, const struct sram *s)
{
    int n = 0;
    for (int i = 0; f->nlayouts == MOST_LAYOUTS && i < MOST_LAYOUTS; i++)
        if (is_near(f, f->layout[i].cost)) /* still: the best may have become better */
            f->layout[n++] = f->layout[i];
    f->nlayouts = f->nlayouts == MOST_LAYOUTS ? n : f->nlayouts;
    HD_ASSERT(f->nlayouts < MOST_LAYOUTS, "more than %d layouts", MOST_LAYOUTS);
    f->layout[f->nlayouts++] = (struct layout){cost, *s};
}

/* A layout is how lines are cut; its multiplexers are the best there are for it. */
static double try_layout(struct search *f, struct cut c)
{
    double ways = is_tags(f->need) ? 1 : f->need->ways, least = INFINITY;
    struct sram s = {0};
    for (c.mux = ways; c.mux <= MOST_MUX * ways; c.mux *= 2) {
        c.share = 1;
        try_cut(f, &c, &least, &s);
        c.share = c.mux / ways;
        if (c.share > 1 && !is_tags(f->need))
            try_cut(f, &c, &least, &s);
    }
    f->best = fmin(f->best, least);
    if (least < INFINITY && is_near(f, least))
        keep(f, least, &s);
    return least;
}

/* Cutting or folding further and further makes an array slower and hungrier in the end: far from the
 * best and getting worse, it need not be followed. */
static bool is_hopeless(const struct search *f, double cost, double before)
{
    return cost < INFINITY && cost > before && cost > far * f->best;
}

static double try_word_cuts(struct search *f, struct cut c)
{
    double before = INFINITY, least = INFINITY;
    for (c.word_cuts = 2; c.word_cuts <= MOST_CUTS; c.word_cuts *= 2) {
        double cost = try_layout(f, c);
        if (is_hopeless(f, cost, before))
            break;
        before = cost;
        least = fmin(least, cost);
    }
    return least;
}

static void try_folds(struct search *f, struct cut c)
{
    const struct sram_need *n = f->need;
    double before = INFINITY;
    for (c.fold = is_tags(n) ? least_tag_fold : fmin(1, n->out * n->ways / n->bits);
         c.fold <= MOST_FOLD; c.fold *= 2) {
        if (ceil(n->rows / (c.bit_cuts * c.fold)) < f->least_rows)
            return;
        double cost = try_word_cuts(f, c);
        if (is_hopeless(f, cost, before))
            return;
        before = cost;
    }
}

static void try_all(struct search *f)
{
    struct cut c = {0};
    for (c.bit_cuts = 2; c.bit_cuts <= MOST_CUTS; c.bit_cuts *= 2)
        try_folds(f, c);
}

/* Stores of few or narrow lines may have sub-arrays of fewer rows than others. */
static void find_best(struct search *f)
{
    f->best = INFINITY;
    f->nlayouts = 0;
    f->least_rows = fmin(LEAST_ROWS, ceil(f->need->rows / 2));
    try_all(f);
    if (f->best < INFINITY)
        return;
    f->least_rows = 1;
    try_all(f);
    HD_ASSERT(f->best < INFINITY, "no cut of %g x %g bits gives %g", f->need->rows, f->need->bits,
              f->need->out);
}

/* Layouts that are nearly as good as the best count nearly as much: where one takes the place of
 * another, sizes in between stay in between. */
static struct sram blend_best(struct search *f)
{
    struct sram sum = {0};
    double all = 0;
    find_best(f);
    for (int i = 0; i < f->nlayouts; i++)
        all += exp((1 - f->layout[i].cost / f->best) / softness);
    for (int i = 0; i < f->nlayouts; i++) {
        const struct sram *s = &f->layout[i].s;
        double weight = exp((1 - f->layout[i].cost / f->best) / softness) / all;
        sum.read += weight * s->read;
        sum.write += weight * s->write;
        sum.leak += weight * s->leak;
        sum.area += weight * s->area;
        sum.width += weight * s->width;
        sum.height += weight * s->height;
        sum.access += weight * s->access;
    }
    return sum;
}

struct sram sram_best(const struct array_tech *t, const struct sram_need *n,
                      const struct sram *tags)
{
    struct search f = {.tech = t, .need = n, .tags = tags, .cost = cost_of_data};
    return blend_best(&f);
}

struct sram sram_best_tags(const struct array_tech *t, const struct sram_need *n)
{
    struct search f = {.tech = t, .need = n, .cost = cost_of_speed};
    find_best(&f);
    f.limit = f.best * tag_slack;
    f.cost = cost_of_tags;
    return blend_best(&f);
}
