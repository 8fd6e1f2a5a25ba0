/* array.c - caches, tables, register files and scratchpads from stores of cells.
 *
 * A cache is a store of tags beside one of data.  Read in sequence, the tags say which way's line
 * to read; in parallel, all ways are read and the tags choose what leaves.  A table that is
 * searched is a CAM.  Banks are equal stores on one tree of wires.
 *
 * Flags beside the tags are columns that a cache gets when it is laid out already.  Were the layout
 * found anew, a few bits could tip it to another one that is nearly as good, and a cache with flags
 * could be smaller than the same without.
 *
 * The reference is CACTI 7 (itrs-hp, 360 K, one port for reads and writes).  Not modelled: miss
 * registers, replacement state, error correction, controllers and queues in front of banks. */
#include "power/array.h"

#include <math.h>
#include <stddef.h>

#include "power/array_cam.h"
#include "power/array_sram.h"
#include "power/array_tech.h"

enum { TAG_STEP = 4 }; /* bits that the tags of a CAM come in */

struct bank {
    double bytes, lines;
    double bits; /* of a line */
};

static bool is_sound(const struct power_array_spec *s, struct err *e)
{
    uint64_t banks = s->banks ? s->banks : 1;
    if (s->bytes == 0)
        return err_set(e, STATUS_BAD_INPUT, "array.bytes: 0 bytes store nothing");
    if (s->block == 0)
        return err_set(e, STATUS_BAD_INPUT, "array.block: a line has at least 1 byte");
    if (s->port_bits == 0)
        return err_set(e, STATUS_BAD_INPUT, "array.port_bits: a port has at least 1 bit");
    if (s->bytes / banks < s->block)
        return err_set(e, STATUS_BAD_INPUT,
                       "array.bytes: %llu bytes in %llu banks hold no line of %u",
                       (unsigned long long)s->bytes, (unsigned long long)banks, s->block);
    if (s->kind == ARRAY_RAM && s->port_bits > 8 * (s->bytes / banks))
        return err_set(e, STATUS_BAD_INPUT, "array.port_bits: %u bits are more than a bank holds",
                       s->port_bits);
    if (s->kind == ARRAY_RAM)
        return true;
    if (s->tag_bits == 0)
        return err_set(e, STATUS_BAD_INPUT, "array.tag_bits: a line is found by at least 1 bit");
    if (s->kind == ARRAY_CAM)
        return true;
    if (s->ways == 0 || s->bytes / banks / s->block < s->ways)
        return err_set(e, STATUS_BAD_INPUT, "array.ways: %u ways of %u bytes do not fit in %llu",
                       s->ways, s->block, (unsigned long long)(s->bytes / banks));
    if (s->port_bits > 8 * (uint64_t)s->block)
        return err_set(e, STATUS_BAD_INPUT, "array.port_bits: %u bits are more than a line of %u",
                       s->port_bits, 8 * s->block);
    return true;
}

static void make_ram(const struct array_tech *t, const struct power_array_spec *s,
                     const struct bank *b, struct power_array *a)
{
    double bits = fmax(b->bits, s->port_bits);
    struct sram_need need = {ceil(8 * b->bytes / bits), bits, s->port_bits, .ways = 1};
    struct sram data = sram_best(t, &need, NULL);
    *a = (struct power_array){data.read, data.write, .leak = data.leak, .area = data.area,
                              .access = data.access};
}

/* The store of tags grows with its bits, in width. */
static void widen(const struct power_array_spec *s, const struct sram *data, struct sram *tag,
                  double *area)
{
    double more = (double)s->flag_bits / s->tag_bits;
    *area = data->area * (1 + more * tag->width / (tag->width + data->width));
    tag->read *= 1 + more;
    tag->write *= 1 + more;
    tag->leak *= 1 + more;
}

static void make_cache(const struct array_tech *t, const struct power_array_spec *s,
                       const struct bank *b, struct power_array *a)
{
    double sets = ceil(b->lines / s->ways), read = s->is_parallel ? s->ways : 1;
    double tag_bits = (double)s->tag_bits * s->ways;
    struct sram_need tags = {sets, tag_bits, tag_bits, s->ways, s->tag_bits, false};
    struct sram_need lines = {sets * s->ways / read, b->bits * read, s->port_bits, read, 0,
                              s->is_parallel};
    struct sram tag = sram_best_tags(t, &tags);
    struct sram data = sram_best(t, &lines, &tag);
    double area;
    widen(s, &data, &tag, &area);
    *a = (struct power_array){.read = tag.read + data.read,
                              .write = tag.write + data.write,
                              .search = tag.read,
                              .match = tag.read,
                              .leak = tag.leak + data.leak,
                              .area = area,
                              .access = data.access};
}

static void make_cam(const struct array_tech *t, const struct power_array_spec *s,
                     const struct bank *b, struct power_array *a)
{
    struct cam_need need = {b->lines, ceil(s->tag_bits / (double)TAG_STEP) * TAG_STEP,
                            s->is_tags_only ? 0 : b->bits};
    struct cam c = cam_cost(t, &need);
    *a = (struct power_array){c.read, c.write, c.search, c.match,
                              c.leak, c.area,  c.access, c.addressed};
}

/* Banks on one tree: to one of them it is half as far as the whole is wide. */
static void spread(const struct array_tech *t, const struct power_array_spec *s, uint32_t banks,
                   struct power_array *a)
{
    double length = sqrt(a->area * banks) / 2 * (1 - 1.0 / banks);
    double bits = s->port_bits + log2((double)s->bytes / s->block);
    double wires = length * bits * t->link_energy;
    a->read += wires;
    a->write += wires;
    a->access += 2 * length * t->link_delay;
    a->leak = a->leak * banks + 2 * length * bits * t->link_leak;
    a->area *= banks;
}

bool power_array(const struct power_array_spec *s, struct power_array *a, struct err *e)
{
    static void (*const make[])(const struct array_tech *, const struct power_array_spec *,
                                const struct bank *, struct power_array *) = {
        [ARRAY_RAM] = make_ram, [ARRAY_CACHE] = make_cache, [ARRAY_CAM] = make_cam};
    struct array_tech t;
    uint32_t banks = s->banks ? s->banks : 1;
    HD_ASSERT(s->kind <= ARRAY_CAM, "kind %d", (int)s->kind);
    if (!array_tech_find(s->node, &t, e) || !is_sound(s, e))
        return false;
    struct bank b = {(double)s->bytes / banks, .bits = 8.0 * s->block};
    b.lines = floor(b.bytes / s->block);
    make[s->kind](&t, s, &b, a);
    if (banks > 1)
        spread(&t, s, banks, a);
    return true;
}
