/* detector.c - how long reads wait for others, and where (packet coalescing paper, section 2.2).
 *
 *   fixed   `delay` cycles in every router
 *   slack   the same sum, dealt out by Eq. 1: "dynamic slack distribution"
 *   last    the same sum, all of it in the router of the memory controller (ours: the end of the scale)
 *   warps   by Eq. 1, in proportion to the warps that the SM could issue instead, up to all of the
 *           sum for `warps` of them; with none a read waits nowhere (the paper suggests that warps
 *           be looked at, section 2.1, and does not say how: the proportion is ours) */
#include <string.h>

#include "noc/coalesce.h"

static uint32_t whole_budget(const struct coalesce_spec *s, uint32_t hops, uint32_t warps)
{
    (void)warps;
    return (uint32_t)s->delay * hops;
}

static uint32_t budget_by_warps(const struct coalesce_spec *s, uint32_t hops, uint32_t warps)
{
    uint64_t of = (uint64_t)s->warps, have = warps < of ? warps : of;
    return (uint32_t)((uint64_t)s->delay * hops * have / of);
}

static uint32_t hold_fixed(const struct coalesce_spec *s, const struct slack *left)
{
    (void)left;
    return (uint32_t)s->delay;
}

static uint32_t hold_share(const struct coalesce_spec *s, const struct slack *left)
{
    (void)s;
    return slack_share(left);
}

static uint32_t hold_at_end(const struct coalesce_spec *s, const struct slack *left)
{
    (void)s;
    return left->hop >= left->hops ? slack_left(left) : 0;
}

static const struct detector fixed = {
    .name = "fixed", .help = "as long in every router", .budget = whole_budget, .hold = hold_fixed};
static const struct detector slack = {.name = "slack",
                                      .help = "longer nearer to the memory, by Eq. 1",
                                      .budget = whole_budget,
                                      .hold = hold_share};
static const struct detector last = {.name = "last",
                                     .help = "in the last router alone",
                                     .budget = whole_budget,
                                     .hold = hold_at_end};
static const struct detector by_warps = {.name = "warps",
                                         .help = "by Eq. 1 and the available warps of the SM",
                                         .budget = budget_by_warps,
                                         .hold = hold_share};

static const struct detector *const all[] = {&fixed, &slack, &last, &by_warps};

const struct detector *detector_find(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(name, all[i]->name) == 0)
            return all[i];
    return NULL;
}
