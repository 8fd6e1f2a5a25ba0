/* ext_hold_grant.c - a packet keeps its output of the switch until its tail is through.
 *
 * Without it flits of several packets, on different VCs, take turns at an output.  `ready`: a packet
 * keeps the output only while it has a flit and a credit (Yuan et al., MICRO 2009, and the packet
 * coalescing paper, section 2.1), and others fill its gaps.  `end`: in any case, so that no two
 * packets ever mix on a channel; a network with several VC classes could then lock up, since one
 * class would wait for another, and is refused. */
#include <string.h>

#include "noc/extension.h"

#define HOLD_GRANT_ROWS(F, id)                                                                     \
    F(id, CHOICE, until, "ready", 0, 0, "ready|end",                                               \
      "while the packet has a flit and a credit, or in any case to its end")                       \
    F(id, INT, min_flits, "2", 1, 65535, "flit", "shorter packets keep nothing")
CFG_STRUCT(hold_grant, HOLD_GRANT_ROWS)
CFG_SECTION(hold_grant, HOLD_GRANT_ROWS, "router extension hold_grant: packets pass in one piece")

struct hold_grant {
    const struct noc *net;
    enum extension_grant how;
    uint32_t min_flits;
};

static bool check(const struct config *cfg, const struct graph *g, uint32_t vclasses, struct err *e)
{
    const struct hold_grant_spec *s = config_get(cfg, &hold_grant_section);
    (void)g;
    if (strcmp(s->until, "end") != 0 || vclasses == 1)
        return true;
    return config_blame(cfg, e, &hold_grant_section, "until",
                        "to the end of a packet, one of the %u VC classes waits for another "
                        "(use ready)",
                        vclasses);
}

static void *begin(const struct config *cfg, const struct extension_site *site, struct arena *a)
{
    const struct hold_grant_spec *s = config_get(cfg, &hold_grant_section);
    struct hold_grant *h = ARENA_NEW(a, struct hold_grant);
    *h = (struct hold_grant){.net = site->net,
                             .how = strcmp(s->until, "end") == 0 ? GRANT_END : GRANT_READY,
                             .min_flits = (uint32_t)s->min_flits};
    return h;
}

static enum extension_grant grant(void *state, uint32_t packet)
{
    const struct hold_grant *h = state;
    return extension_flits(h->net, packet) >= h->min_flits ? h->how : GRANT_FREE;
}

const struct router_extension router_extension_hold_grant = {
    .name = "hold_grant",
    .help = "a packet keeps its output of the switch until its tail is through",
    .section = &hold_grant_section,
    .check = check,
    .begin = begin,
    .grant = grant,
};
