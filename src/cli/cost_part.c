/* cost_part.c - heddle cost --router, --link, --array: one part, as the parameters say (cost_optical.c
 * has the optical channel).
 *
 * A router has noc.width, router.vcs and router.depth and its cells are sized for noc.clock; a link
 * has noc.width and power.link_cycles cycles of noc.clock (one unless set); all are of power.node. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/cost_part.h"
#include "machine/cost.h"
#include "machine/machine.h"
#include "noc/net.h"

const struct config *cost_part_config(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct config *c = machine_config(a);
    return cost_apply_sets(o, c, e) ? c : NULL;
}

uint32_t cost_part_node(const struct config *c)
{
    const struct power_spec *p = config_get(c, &power_section);
    return (uint32_t)strtoul(p->node, NULL, 10);
}

/* ---- documents ---- */

/* Large numbers are no powers of ten for people. */
static void print_figure(const struct cost_figure *f)
{
    printf("%-26s ", f->text);
    if (!isfinite(f->value))
        printf("%12s", "-");
    else
        printf(f->value >= 1e4 ? "%12.0f" : "%12.4g", f->value);
    printf("%s%s\n", *f->unit ? " " : "", f->unit);
}

static bool write_json(const char *path, const struct cost_part *p, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_key(&j, p->what);
    json_string(&j, p->name);
    for (int i = 0; i < p->n; i++)
        cost_json_number(&j, p->figure[i].key, p->figure[i].value);
    return outfile_commit_json(&out, &j, e);
}

bool cost_part_show(const struct cost_options *o, const struct cost_part *p, struct err *e)
{
    if (!cost_tell_effect(o, e) || (o->json && !write_json(o->json, p, e)))
        return false;
    if (cost_is_quiet(o))
        return true;
    printf("%s %s: %s\n", p->what, p->name, p->made_of);
    for (int i = 0; i < p->n; i++)
        print_figure(&p->figure[i]);
    return true;
}

/* ---- router ---- */

/* "10x3" */
static bool parse_ports(const char *text, struct power_router_spec *s, struct err *e)
{
    char in[16] = "", out[16] = "";
    int64_t i, o;
    int used = 0;
    if (sscanf(text, "%15[0-9]x%15[0-9]%n", in, out, &used) != 2 || text[used] ||
        !str_to_int(in, &i) || !str_to_int(out, &o) || i < 1 || o < 1 ||
        i > (int64_t)TOPOLOGY_MAX_RADIX || o > (int64_t)TOPOLOGY_MAX_RADIX)
        return err_set(e, STATUS_BAD_INPUT,
                       "--router %s: expected inputs and outputs from 1 to %u, as in 10x3", text,
                       TOPOLOGY_MAX_RADIX);
    s->in = (uint32_t)i;
    s->out = (uint32_t)o;
    return true;
}

static bool show_router(const struct cost_options *o, const struct power_router_spec *s,
                        const struct power_router *r, struct arena *a, struct err *e)
{
    const struct cost_figure figures[] = {
        {"area_um2", "active area", "um2", power_router_area(r) * COST_UM2},
        {"area_buffer_um2", "  buffer", "um2", r->area[ROUTER_BUFFER] * COST_UM2},
        {"area_crossbar_um2", "  crossbar", "um2", r->area[ROUTER_CROSSBAR] * COST_UM2},
        {"area_switch_allocator_um2", "  switch allocator", "um2",
         r->area[ROUTER_SWITCH_ALLOCATOR] * COST_UM2},
        {"area_vc_allocator_um2", "  VC allocator", "um2", r->area[ROUTER_VC_ALLOCATOR] * COST_UM2},
        {"area_clock_um2", "  clock tree", "um2", r->area[ROUTER_CLOCK] * COST_UM2},
        {"leakage_mw", "leakage", "mW", power_router_leak(r) * COST_MW},
        {"flit_pj", "energy per flit", "pJ", power_router_flit(r) * COST_PJ},
        {"buffer_write_pj", "  buffer write", "pJ", r->buffer_write * COST_PJ},
        {"buffer_read_pj", "  buffer read", "pJ", r->buffer_read * COST_PJ},
        {"crossbar_pj", "  crossbar", "pJ", r->crossbar * COST_PJ},
        {"switch_1_pj", "  arbitration among VCs", "pJ", r->switch_1 * COST_PJ},
        {"switch_2_pj", "  arbitration among inputs", "pJ", r->switch_2 * COST_PJ},
        {"vc_alloc_pj", "VC allocation, per packet", "pJ", r->vc_alloc * COST_PJ},
        {"cycle_pj", "clock, per cycle", "pJ", r->clock_cycle * COST_PJ},
        {"max_clock_ghz", "clock at most", "GHz", r->max_clock * COST_GHZ},
    };
    const char *made_of = arena_printf(
        a, "%u bits, %u VCs of %u flits, %u nm, sized for %.3g GHz%s", s->bits, s->vcs, s->depth,
        s->node, s->clock * COST_GHZ, s->clock > r->max_clock ? ", which it does not reach" : "");
    struct cost_part p = {"router", o->subject[COST_ROUTER], made_of,
                          (int)(sizeof figures / sizeof figures[0]), figures};
    return cost_part_show(o, &p, e);
}

bool cost_router(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct power_router_spec s = {0};
    struct power_router r;
    if (!parse_ports(o->subject[COST_ROUTER], &s, e))
        return false;
    const struct config *c = cost_part_config(o, a, e);
    if (!c)
        return false;
    const struct noc_spec *noc = config_get(c, &noc_section);
    const struct router_spec *router = config_get(c, &router_section);
    const struct power_spec *power = config_get(c, &power_section);
    s.node = cost_part_node(c);
    s.bits = (uint32_t)noc->width * 8;
    s.vcs = (uint32_t)router->vcs;
    s.depth = (uint32_t)router->depth;
    s.clock = noc->clock;
    s.vc_allocator = power->vc_allocator;
    return power_router(&s, &r, e) && show_router(o, &s, &r, a, e);
}

/* ---- link ---- */

static bool show_link(const struct cost_options *o, const struct power_link_spec *s,
                      const struct power_link *l, struct arena *a, struct err *e)
{
    const struct cost_figure figures[] = {
        {"area_um2", "active area", "um2", l->area * COST_UM2},
        {"wire_area_um2", "global wire area", "um2", l->wire_area * COST_UM2},
        {"leakage_mw", "leakage", "mW", l->leak * COST_MW},
        {"flit_pj", "energy per flit", "pJ", l->energy * COST_PJ},
        {"cycle_pj", "clock, per cycle", "pJ", l->clock_cycle * COST_PJ},
        {"delay_ns", "delay", "ns", l->delay * COST_NS},
        {"segments", "segments", "per wire", l->segments},
        {"repeater_size", "size of a repeater", "least inverters", l->size},
        {"is_met", "in time", l->is_met ? "(yes)" : "(no: too slow)", l->is_met},
    };
    const char *made_of = arena_printf(
        a, "%u bits, %u nm, %.3g ns in %u cycle%s%s", s->bits, s->node, s->delay * COST_NS,
        s->registers + 1, s->registers ? "s" : "", l->is_met ? "" : ", which it does not meet");
    struct cost_part p = {"link", o->subject[COST_LINK], made_of,
                          (int)(sizeof figures / sizeof figures[0]), figures};
    return cost_part_show(o, &p, e);
}

bool cost_part_length(const char *text, double *length)
{
    double mm;
    if (!str_to_real_in(text, "mm", &mm) || !(mm >= 0.001 && mm <= 1000))
        return false;
    *length = mm * 1e-3;
    return true;
}

struct power_link_spec cost_part_link(const struct config *c, double length)
{
    const struct noc_spec *noc = config_get(c, &noc_section);
    const struct power_spec *power = config_get(c, &power_section);
    uint32_t cycles = power->link_cycles ? (uint32_t)power->link_cycles : 1;
    return (struct power_link_spec){.node = cost_part_node(c),
                                    .bits = (uint32_t)noc->width * 8,
                                    .length = length,
                                    .delay = cycles / noc->clock,
                                    .registers = cycles - 1};
}

bool cost_link(const struct cost_options *o, struct arena *a, struct err *e)
{
    const char *text = o->subject[COST_LINK];
    struct power_link l;
    double length;
    if (!cost_part_length(text, &length))
        return err_set(e, STATUS_BAD_INPUT, "--link %s: expected " COST_LENGTHS ", as in 12.3mm",
                       text);
    const struct config *c = cost_part_config(o, a, e);
    if (!c)
        return false;
    struct power_link_spec s = cost_part_link(c, length);
    return power_link(&s, &l, e) && show_link(o, &s, &l, a, e);
}

/* ---- array ---- */

struct array_word { /* a number and what it is of */
    const char *suffix;
    size_t offset; /* of the uint32_t in the spec */
    int64_t most;  /* beyond anything that is built */
};

static const struct array_word array_words[] = {
    {"way|ways", offsetof(struct power_array_spec, ways), 1 << 20},
    {"B|byte|bytes", offsetof(struct power_array_spec, block), 1 << 16},
    {"bit|bits", offsetof(struct power_array_spec, port_bits), 1 << 19},
    {"bank|banks", offsetof(struct power_array_spec, banks), 1 << 16},
    {"tag|tags", offsetof(struct power_array_spec, tag_bits), 64},
};

static bool parse_word(const char *word, struct power_array_spec *s)
{
    size_t digits = strspn(word, "0123456789");
    char number[16];
    int64_t v;
    if (strcmp(word, "cam") == 0 || strcmp(word, "ram") == 0) {
        s->kind = *word == 'c' ? ARRAY_CAM : ARRAY_RAM;
        return true;
    }
    if (digits == 0 || digits >= 10)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)digits, word);
    for (size_t i = 0; i < sizeof array_words / sizeof array_words[0]; i++) {
        const struct array_word *w = &array_words[i];
        if (!str_is_word(word + digits, w->suffix) || !str_to_int(number, &v) || v < 1 ||
            v > w->most)
            continue;
        *(uint32_t *)((char *)s + w->offset) = (uint32_t)v;
        return true;
    }
    return false;
}

/* "48K,4way,128B": what is not said follows from the rest. */
static bool parse_array(const char *text, struct arena *a, struct power_array_spec *s,
                        struct err *e)
{
    char *rest = arena_strdup(a, text), *word = cost_next_word(&rest, ',');
    int64_t bytes;
    *s = (struct power_array_spec){.kind = ARRAY_CACHE, .block = 128, .banks = 1};
    bool ok = str_to_int(word, &bytes) && bytes > 0 && bytes <= UINT32_MAX;
    while (ok && (word = cost_next_word(&rest, ',')))
        ok = parse_word(word, s);
    if (!ok)
        return err_set(e, STATUS_BAD_INPUT,
                       "--array %s: expected a size below 4G and words such as 4way, 128B, 256bit, "
                       "8banks, 41tag, cam or ram: 48K,4way,128B",
                       text);
    if (s->kind != ARRAY_CACHE && (s->ways || (s->kind == ARRAY_RAM && s->tag_bits)))
        return err_set(e, STATUS_BAD_INPUT, "--array %s: %s has no %s", text,
                       s->kind == ARRAY_RAM ? "ram" : "cam", s->ways ? "ways" : "tags");
    s->bytes = (uint64_t)bytes;
    s->ways = s->ways ? s->ways : 1;
    s->port_bits = s->port_bits ? s->port_bits : s->block * 8;
    if (s->kind == ARRAY_CAM)
        s->ways = (uint32_t)(s->bytes / s->block);
    if (s->kind != ARRAY_RAM && (!s->ways || s->bytes % ((uint64_t)s->block * s->ways)))
        return err_set(e, STATUS_BAD_INPUT, "--array %s: not a whole number of sets of lines",
                       text);
    return true;
}

/* What 48 bits of address leave, as cost.h counts them. */
static uint32_t tag_bits(const struct power_array_spec *s)
{
    if (s->kind == ARRAY_RAM)
        return 0;
    uint64_t lines = s->bytes / s->block;
    HD_ASSERT(lines > 0, "a cache of no lines");
    return (uint32_t)(cost_cache_bits(s->bytes, s->block, s->ways) / lines - s->block * 8ull);
}

static bool show_array(const struct cost_options *o, const struct power_array_spec *s,
                       const struct power_array *r, struct arena *a, struct err *e)
{
    static const char *const kinds[] = {
        [ARRAY_RAM] = "RAM", [ARRAY_CACHE] = "cache", [ARRAY_CAM] = "table"};
    const struct cost_figure figures[] = {
        {"area_um2", "area", "um2", r->area * COST_UM2},
        {"leakage_mw", "leakage", "mW", r->leak * COST_MW},
        {"read_pj", "read", "pJ", r->read * COST_PJ},
        {"write_pj", "write", "pJ", r->write * COST_PJ},
        {"search_pj", "search", "pJ", r->search * COST_PJ},
        {"miss_pj", "search that finds nothing", "pJ", r->match * COST_PJ},
        {"access_ns", "access", "ns", r->access * COST_NS},
    };
    const char *tags = s->kind == ARRAY_RAM ? "" : arena_printf(a, "%u-bit tags, ", s->tag_bits);
    const char *ways = s->kind == ARRAY_CACHE ? arena_printf(a, "%u-way, ", s->ways) : "";
    const char *banks = s->banks == 1 ? "" : arena_printf(a, "%u banks, ", s->banks);
    const char *made_of = arena_printf(a, "%s of %llu B, %u B lines, %s%s%u-bit port, %s%u nm",
                                       kinds[s->kind], (unsigned long long)s->bytes, s->block, ways,
                                       tags, s->port_bits, banks, s->node);
    struct cost_part p = {"array", o->subject[COST_ARRAY], made_of,
                          (int)(sizeof figures / sizeof figures[0]), figures};
    return cost_part_show(o, &p, e);
}

bool cost_array(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct power_array_spec s;
    struct power_array r;
    if (!parse_array(o->subject[COST_ARRAY], a, &s, e))
        return false;
    const struct config *c = cost_part_config(o, a, e);
    if (!c)
        return false;
    s.node = cost_part_node(c);
    s.tag_bits = s.tag_bits ? s.tag_bits : tag_bits(&s);
    return power_array(&s, &r, e) && show_array(o, &s, &r, a, e);
}
