/* validate_array.c - arrays, caches and content-addressed tables against CACTI 7.
 *
 * Two groups read one file.  Caches whose ways are all read at once over a port as wide as a line
 * are compared apart and without limits: CACTI's search for the best layout of those jumps from
 * one to another.  Cells of other kinds than itrs-hp have no model. */
#include <string.h>

#include "power/array.h"
#include "power/validate_group.h"

/* What CACTI takes for the tags of a cache when it is not told. */
enum { CACTI_ADDRESS_BITS = 42, CACTI_EXTRA_TAG_BITS = 5 };

static const struct validate_quantity quantities[] = {
    {"read energy", "read_nJ", NULL, 1e-9, false},
    {"write energy", "write_nJ", NULL, 1e-9, false},
    {"search energy", "search_nJ", NULL, 1e-9, false},
    {"leakage", "leak_mW", NULL, 1e-3, false},
    {"area", "area_mm2", NULL, 1e-6, false},
    {"access time", "access_ns", NULL, 1e-9, false},
};
static const struct validate_quantity wide_quantities[] = {
    {"read energy", "read_nJ", NULL, 1e-9, true},
    {"write energy", "write_nJ", NULL, 1e-9, true},
    {"search energy", "search_nJ", NULL, 1e-9, true},
    {"leakage", "leak_mW", NULL, 1e-3, true},
    {"area", "area_mm2", NULL, 1e-6, true},
    {"access time", "access_ns", NULL, 1e-9, true},
};
enum { N = (int)(sizeof quantities / sizeof quantities[0]) };

struct entry {
    struct power_array_spec spec;
    bool is_sequential, is_hp;
};

static uint32_t log2_of(uint64_t v) /* rounded down */
{
    uint32_t bits = 0;
    while (v >>= 1)
        bits++;
    return bits;
}

/* That a name says ("tag41"), or 0. */
static uint32_t own_tag_bits(const char *name)
{
    const char *at = strstr(name, "tag");
    uint32_t bits = 0;
    for (at = at ? at + 3 : ""; *at >= '0' && *at <= '9' && bits < 1000; at++)
        bits = 10 * bits + (uint32_t)(*at - '0');
    return bits;
}

/* CACTI takes the lines of a CAM without data to be as long as the tag in whole bytes, whatever
 * the block. */
static void set_tags(const char *name, struct power_array_spec *s)
{
    uint32_t own = own_tag_bits(name), all = CACTI_ADDRESS_BITS + CACTI_EXTRA_TAG_BITS;
    if (s->is_tags_only) {
        s->block = ((own ? own : all) + 7) / 8;
        s->tag_bits = 8 * s->block;
    } else if (own) {
        s->tag_bits = own;
    } else {
        s->tag_bits = all - log2_of(s->kind == ARRAY_CAM ? s->block : s->bytes / s->ways);
    }
}

static bool is_word(const struct validate_line *l, const char *column, const char *word, bool *out)
{
    const char *text = validate_text(l, column);
    *out = text && strcmp(text, word) == 0;
    return text != NULL;
}

static bool read_entry(const struct validate_line *l, struct entry *r)
{
    struct power_array_spec *s = &r->spec;
    uint32_t bytes, ways;
    double um;
    const char *name = validate_text(l, "name");
    if (!name || !validate_count(l, "size_B", &bytes) || !validate_count(l, "block_B", &s->block) ||
        !validate_count(l, "assoc", &ways) || !validate_real(l, "tech_um", &um) ||
        !validate_count(l, "bus_bits", &s->port_bits) ||
        !is_word(l, "type", "cam", &s->is_tags_only) ||
        !is_word(l, "mode", "sequential", &r->is_sequential) ||
        !is_word(l, "cell", "itrs-hp", &r->is_hp))
        return false;
    s->node = um > 0 && um < 1 ? (uint32_t)(um * 1e3 + 0.5) : 0;
    s->bytes = bytes;
    s->kind = ways == 0 ? ARRAY_CAM : ARRAY_CACHE;
    s->ways = ways;
    s->is_parallel = !r->is_sequential && s->kind == ARRAY_CACHE;
    set_tags(name, s);
    return true;
}

static bool is_wide(const struct entry *r)
{
    return r->spec.is_parallel && r->spec.port_bits >= 8 * r->spec.block;
}

static bool point_of(const struct validate_line *l, bool wants_wide, struct validate_point *p)
{
    struct entry r = {0};
    struct power_array a;
    struct err why = {0};
    if (!read_entry(l, &r))
        return false;
    p->is_elsewhere = is_wide(&r) != wants_wide;
    if (!r.is_hp)
        p->left_out = "cells other than itrs-hp";
    if (p->is_elsewhere || p->left_out)
        return true;
    if (!power_array(&r.spec, &a, &why))
        return validate_blame(l, &why);
    p->node = r.spec.node;
    p->words = validate_text(l, "name");
    /* CACTI's access to a CAM without data is a read by address: it contains no search. */
    double access = r.spec.is_tags_only ? a.addressed : a.access;
    const double model[] = {a.read, a.write, a.search, a.leak, a.area, access};
    _Static_assert(sizeof model / sizeof model[0] == N, "one figure per quantity");
    memcpy(p->model, model, sizeof model);
    return true;
}

static bool point(const struct validate_line *l, struct validate_point *p)
{
    return point_of(l, false, p);
}

static bool wide_point(const struct validate_line *l, struct validate_point *p)
{
    return point_of(l, true, p);
}

const struct validate_group validate_array = {"array", "cacti_arrays.csv", quantities, N, point};
const struct validate_group validate_array_wide = {"array_wide", "cacti_arrays.csv",
                                                   wide_quantities, N, wide_point};
