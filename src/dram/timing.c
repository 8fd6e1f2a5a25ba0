/* timing.c - gaps between commands, from datasheet parameters.
 *
 * The rules are those of JEDEC GDDR5 (JESD212) as simulators use them: a column command waits
 * for tCCD and for the bus; reads turn to writes after CL + burst + tRTRS - WL, writes to reads
 * after WL + burst + tWTR; a bank is precharged tRTP after a read, tWR after the last beat of
 * a write.  Not modelled: ranks, additive latency, tRTP and tWTR that differ within a group,
 * tPPD, the 32-activate window, self-refresh and power-down. */
#include "dram/timing.h"

#include <string.h>

CFG_SECTION_WHEN(dram, DRAM_ROWS, "DRAM channel: sizes, and timing in cycles of its command clock",
                 {"group_bits|trrdl|tccdl", "dram.groups!=1"}, {"trfc", "dram.trefi!=0"},
                 {"groups|group_bits|tcl|twl|trcd|trp|tras|trc|trrd|trrdl|tfaw|tccd|tccdl|twr|twtr|"
                  "trtp|trtrs|dual_command",
                  "l2.perfect=false"})

static uint32_t larger(int64_t a, int64_t b)
{
    return (uint32_t)(a > b ? a : b);
}

struct dram_timing timing_of(const struct dram_spec *s)
{
    const int64_t burst = (s->burst + s->beats_per_cycle - 1) / s->beats_per_cycle;
    const bool grouped = s->groups > 1;
    struct dram_timing t = {
        .banks = (uint32_t)s->banks,
        .groups = (uint32_t)s->groups,
        .burst = (uint32_t)burst,
        .burst_bytes = dram_burst_bytes(s),
        .read_done = (uint32_t)(s->tcl + burst),
        .write_done = (uint32_t)(s->twl + burst),
        .column = larger(s->tccd, burst),
        .read_to_pre = (uint32_t)s->trtp,
        .write_to_pre = (uint32_t)(s->twl + burst + s->twr),
        .act_to_column = (uint32_t)s->trcd,
        .act_to_pre = (uint32_t)s->tras,
        .pre_to_act = (uint32_t)s->trp,
        .act_to_act = (uint32_t)s->trc,
        .act_to_other = (uint32_t)s->trrd,
        .four_acts = (uint32_t)s->tfaw,
        .refresh_every = (uint32_t)s->trefi,
        .refresh_takes = (uint32_t)s->trfc,
        .has_two_slots = s->dual_command,
    };
    /* Whether neighbours are in different groups. */
    const bool is_low = strcmp(s->group_bits, "low") == 0;
    t.group_mask = is_low ? t.groups - 1 : ~(t.banks / t.groups - 1);
    t.group_step = is_low ? t.groups : 1;
    t.column_group = grouped ? larger(s->tccdl, t.column) : t.column;
    t.act_to_group = grouped ? larger(s->trrdl, s->trrd) : t.act_to_other;
    t.read_to_write = larger(s->tcl + burst + s->trtrs - s->twl, t.column);
    t.write_to_read = larger(s->twl + burst + s->twtr, t.column);
    return t;
}

static bool is_power(int64_t v)
{
    return v > 0 && (v & (v - 1)) == 0;
}

/* From the moment a refresh is due, the worst wait until the first column command after it: any
 * less between refreshes, and no transfer might ever be served. */
static int64_t refresh_needs(const struct dram_timing *t)
{
    uint32_t close = larger(larger(t->act_to_pre, t->write_to_pre), t->act_to_act);
    uint32_t turn = larger(t->read_to_write, t->write_to_read);
    return (int64_t)close + t->pre_to_act + t->refresh_takes + t->act_to_column + turn;
}

bool timing_check(const struct config *cfg, struct err *e)
{
    const struct dram_spec *s = config_get(cfg, &dram_section);
    if (!is_power(s->banks))
        return config_blame(cfg, e, &dram_section, "banks", "%lld is not a power of two",
                            (long long)s->banks);
    if (!is_power(s->groups) || s->groups > s->banks)
        return config_blame(cfg, e, &dram_section, "groups", "%lld groups do not divide %lld banks",
                            (long long)s->groups, (long long)s->banks);
    if (s->bus_bits % 8 || !is_power(dram_burst_bytes(s)))
        return config_blame(cfg, e, &dram_section, "burst",
                            "%lld beats of %lld bits are not a power of two of bytes",
                            (long long)s->burst, (long long)s->bus_bits);
    const struct dram_timing t = timing_of(s);
    if (s->trefi > 0 && s->trfc == 0)
        return config_blame(cfg, e, &dram_section, "trfc", "must be given when trefi is");
    if (s->trefi > 0 && s->trefi <= refresh_needs(&t))
        return config_blame(cfg, e, &dram_section, "trefi",
                            "refreshes every %lld cycles leave no time: at least %lld",
                            (long long)s->trefi, (long long)refresh_needs(&t) + 1);
    return true;
}
