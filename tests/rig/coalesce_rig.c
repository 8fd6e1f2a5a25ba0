/* coalesce_rig.c - see coalesce_rig.h. */
#include "rig/coalesce_rig.h"

#include "check.h"
#include "noc/aside.h"
#include "sim/stats_priv.h"

static uint64_t tag_of(struct coalesce_ask a)
{
    return (uint64_t)a.row << 40 | (uint64_t)a.line << 16 | (uint64_t)a.warps << 1 | a.writes;
}

struct packet_meaning coalesce_rig_meaning(const void *ctx, uint32_t packet)
{
    const struct net_rig *r = ctx;
    const struct packet *p = &r->pool.at[packet];
    return (struct packet_meaning){.row = p->tag[0] >> 40,
                                   .line = p->tag[0] >> 16 & 0xffffff,
                                   .warps = p->tag[0] >> 1 & 0x7f,
                                   .is_read = !(p->tag[0] & 1),
                                   .sm = p->src};
}

void coalesce_rig_open(struct net_rig *r, const char *settings, uint32_t depth)
{
    char all[512];
    snprintf(all, sizeof all, "router.extension=coalesce noc.port_depth=512 %s", settings);
    net_rig_begin(r, all);
    r->engine_options.audit = 1;
    if (!net_rig_build(r, DIR_ANY))
        print_error("%s: %s\n", settings, r->err.text);
    CHECK_STR(r->err.text, "");
    net_rig_read_all(r, depth);
    r->noc->aside->sense = (struct packet_sense){coalesce_rig_meaning, r};
}

void coalesce_rig_send(struct net_rig *r, hd_cycle at, uint32_t src, uint32_t dst,
                       struct coalesce_ask ask)
{
    net_rig_send_as(
        r, (struct net_rig_send){
               .at = at, .src = src, .dst = dst, .flits = ask.writes ? 5 : 1, .tag = tag_of(ask)});
}

uint64_t coalesce_rig_stat(struct net_rig *r, const char *name)
{
    char full[128];
    struct stats *tree = stats_new(r->arena);
    noc_add_stats(r->noc, tree);
    snprintf(full, sizeof full, "%s.extension.%s", noc_component(r->noc)->path, name);
    const struct stat_entry *s = stats_find(tree, full);
    CHECK(s != NULL);
    return *(const uint64_t *)s->of.value;
}
