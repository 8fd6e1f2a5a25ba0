/* array_cam.c - content-addressed memory and fully associative caches.
 *
 * One mat of four sub-arrays.  A row has cells that compare and, beside them, cells of data that
 * the row's match line opens.  A search drives search lines past all rows and discharges all match
 * lines but one; then the data of the row that matched are read.  A read or write by address uses
 * one sub-array and goes past tags and data alike.  The structure is CACTI's.
 *
 * Not modelled: more than one mat (tables of over about a thousand entries would be cut further),
 * priority encoders, search lines that are gated or segmented. */
#include "power/array_cam.h"

#include <math.h>

enum { SUBS = 4, PORTS = 2 }; /* one port reads and writes, one searches */

/* Lengths in features. */
static const double match_to_word = 360; /* width of what joins match lines to word lines */
static const double decoder_width = 114; /* of a word-line driver; rows are twice SRAM's height */

/* Circuits, in least inverters. */
static const double driver_gates = 89;  /* of the largest driver */
static const double match_drains = 1.5; /* that a cell adds to its match and search lines */
static const double match_gates = 123;  /* that the NAND and NOR of a row add */
static const double match_leak = 20;    /* that leak like those */
static const double dummy_gates = 350;  /* of the row that times the others */
static const double two_stages = 70;    /* load of a search line that two gates can drive */
static const double two_size = 0.65;    /* of two gates over their load */
static const double four_size = 1.2;    /* of four */
static const double driver_swing = 0.3; /* of these drivers' own capacitance, per search */
static const double search_stages = 48; /* from search line to word line */
static const double search_row = 0.4;   /* and per row */
static const double step_half = 0.38;   /* RC of a distributed line until half the swing */
static const double decode_stages = 9;  /* from an address to a word line, */
static const double decode_bit = 2.2;   /* per bit of the address, */
static const double predecode = 7;      /* and where it takes predecoders, */
static const double one_step_bits = 3;  /* as more bits than a gate decodes do */

struct plan {
    double rows, cols; /* of a sub-array, tags and data */
    double width, height;
    double bit; /* F of a bit line */
};

static struct plan plan_of(const struct array_tech *t, const struct cam_need *n)
{
    struct plan p = {.rows = ceil(n->entries / SUBS), .cols = n->tag_bits + n->data_bits};
    p.width = array_strapped_width(t, p.cols) + match_to_word * t->feature;
    p.height = (p.rows + 1) * t->match_height;
    p.bit = (p.rows + 1) * (t->bit_cap + (t->match_height - t->cell_height) * t->wire_cap);
    return p;
}

static double area(const struct array_tech *t, const struct cam_need *n, const struct plan *p)
{
    double found = n->data_bits > 0 ? n->data_bits : log2(fmax(2, n->entries));
    double wires =
        (p->cols + (n->tag_bits + found) / 2 + log2(fmax(2, n->entries))) * t->wire_pitch;
    double repeaters = PORTS * array_out_area(t, p->width) * p->cols / p->width;
    double height = 2 * (p->height + t->strip + repeaters) + wires;
    double drivers = decoder_width * t->feature * array_driver_gates(p->cols) / driver_gates;
    return height * 2 * (p->width + drivers);
}

/* The driver of a search line, in least inverters. */
static double search_driver(const struct array_tech *t, const struct plan *p)
{
    double line = (p->rows + 1) * (t->match_height * t->wire_cap + t->gate_cap / 2);
    double load = line / t->gate_cap;
    return load * (load < two_stages ? two_size : four_size);
}

static double leakage(const struct array_tech *t, const struct cam_need *n, const struct plan *p)
{
    double stored = n->data_bits > 0 ? p->cols : 0; /* tags leak as cells and as comparators */
    double cells = p->rows * stored + (p->rows + 1) * n->tag_bits;
    double gates = p->rows * array_driver_gates(p->cols) + (p->rows + 1) * match_leak +
                   4 * driver_gates + PORTS * p->cols * 2 + n->tag_bits * search_driver(t, p);
    return SUBS * (cells * t->cell_leak + gates * t->gate_leak +
                   PORTS * p->cols * array_out_leak(t, p->width));
}

/* Seconds from an address to the outputs: a row is decoded, not searched for. */
static double addressed(const struct array_tech *t, const struct plan *p)
{
    double bits = floor(log2(fmax(1, p->rows)));
    double stages = decode_stages + decode_bit * bits + (bits > one_step_bits ? predecode : 0);
    double word = step_half * p->cols * p->cols * t->cell_width * t->local_res * t->word_cap;
    return stages * t->stage + word + array_sense_delay(t, p->bit, 2 * word) +
           array_out_delay(t, p->width);
}

struct cam cam_cost(const struct array_tech *t, const struct cam_need *n)
{
    struct plan p = plan_of(t, n);
    double v2 = t->vdd * t->vdd;
    double sense = array_sense_energy(t, p.bit, 1) + t->latch_cap * v2;
    double precharge = t->precharge_cap + t->cell_width * t->wire_cap;
    double column = ((n->data_bits > 0) * precharge + t->word_cap) * v2;
    double out = array_out_energy(t, p.width);
    double cell = (t->cell_width + t->match_height) * t->wire_cap + match_drains * t->drain_cap;
    double match =
        (p.rows + 1) * (n->tag_bits * cell + match_gates * t->gate_cap) +
        dummy_gates * t->gate_cap +
        n->tag_bits * search_driver(t, &p) * driver_swing * (t->gate_cap + t->drain_cap) +
        n->tag_bits * precharge;
    double word =
        step_half * n->data_bits * n->data_bits * t->cell_width * t->local_res * t->word_cap;
    struct cam c = {.match = SUBS * match * v2,
                    .leak = leakage(t, n, &p),
                    .area = area(t, n, &p),
                    .read = p.cols * (sense + column + out)};
    c.write = c.read + p.cols * (2 * p.bit * v2 - sense);
    c.search = c.match + n->data_bits * (sense + column + out);
    c.access = (search_stages + search_row * p.rows) * t->stage + word +
               array_out_delay(t, p.width) + array_sense_delay(t, p.bit, 2 * word);
    c.addressed = addressed(t, &p);
    return c;
}
