/* occupancy.c - registers are allocated per warp, a thread's rounded up to the machine's unit.
 *
 * A CTA that has more registers than the SM is taken to be compiled with as few as fit (as by
 * launch bounds): one CTA runs, the limit is called "registers (capped)", and the spills that a
 * compiler would have to add are not modelled. */
#include "cta/occupancy.h"

#include "cta/registers_of.h"

static void count_registers(const struct occupancy_limits *sm, const struct stream_kernel *k,
                            struct occupancy *o)
{
    enum stream_count count = stream_best_count(k->registers, sm->no_assembler);
    o->regs_per_thread = k->registers[count];
    o->regs_from = stream_count_name(count);
    if (sm->registers_of && registers_of(sm->registers_of, k->name, &o->regs_per_thread))
        o->regs_from = "set";
}

bool occupancy_of(const struct occupancy_limits *sm, const struct stream_kernel *k,
                  struct occupancy *o, struct err *e)
{
    uint64_t warps = stream_kernel_warps(k);
    *o = (struct occupancy){.ctas = UINT32_MAX};
    count_registers(sm, k, o);
    uint64_t regs =
        (o->regs_per_thread + sm->register_unit - 1) / sm->register_unit * sm->register_unit;
    o->registers = warps * WARP_LANES * regs;
    const struct {
        const char *name;
        uint64_t need, have;
        bool is_soft;
    } limits[] = {{"threads", warps * WARP_LANES, sm->threads, false},
                  {"warps", warps, sm->warps, false},
                  {"CTAs", 1, sm->ctas, false},
                  {"registers", warps * WARP_LANES * regs, sm->registers, true},
                  {"shared memory", k->shared_bytes, sm->shared, false}};
    bool is_capped = false;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].need == 0)
            continue;
        uint64_t n = limits[i].have / limits[i].need;
        if (n == 0 && limits[i].is_soft)
            n = 1;
        if (n == 0)
            return err_set(e, STATUS_BAD_INPUT,
                           "kernel %s: a CTA needs %llu (%s), an SM of this machine has %llu",
                           k->name, (unsigned long long)limits[i].need, limits[i].name,
                           (unsigned long long)limits[i].have);
        if (n < o->ctas) {
            o->ctas = (uint32_t)n;
            o->limit = limits[i].name;
        }
        if (limits[i].have < limits[i].need)
            is_capped = true;
    }
    if (is_capped)
        o->limit = "registers (capped)";
    o->needs = (struct occupancy_needs){.threads = warps * WARP_LANES,
                                        .warps = warps,
                                        .ctas = 1,
                                        .registers = o->registers < sm->registers ? o->registers
                                                                                  : sm->registers,
                                        .shared = k->shared_bytes};
    return true;
}

struct occupancy_needs occupancy_whole(const struct occupancy_limits *sm)
{
    return (struct occupancy_needs){.threads = sm->threads,
                                    .warps = sm->warps,
                                    .ctas = sm->ctas,
                                    .registers = sm->registers,
                                    .shared = sm->shared};
}

static uint64_t at_most(uint64_t n, uint64_t have, uint64_t need)
{
    uint64_t fit = need ? have / need : n;
    return fit < n ? fit : n;
}

uint32_t occupancy_fit(const struct occupancy_needs *left, const struct occupancy_needs *cta)
{
    uint64_t n = left->ctas / cta->ctas;
    n = at_most(n, left->threads, cta->threads);
    n = at_most(n, left->warps, cta->warps);
    n = at_most(n, left->registers, cta->registers);
    return (uint32_t)at_most(n, left->shared, cta->shared);
}
