/* conserve.c - what must hold over the whole machine when every request has been answered.
 *
 * Sums of statistics on both sides of an equation, from the SMs to DRAM and back: each request is
 * answered once and passes each place on its way once, flits that go in come out, every access is a
 * hit, a miss, a merge or passes by, and DRAM moves what the L2 fetches and writes back, in whole
 * bursts.  All counts are those of complete runs: nothing may be under way. */
#include <math.h>
#include <string.h>

#include "machine/machine_priv.h"

struct sums {
    const struct stats_snapshot *s;
    struct err *e;
};

static const struct equation {
    const char *what, *left, *right; /* sums of names, "a + b" */
} equations[] = {
    {"cycles of schedulers", "sm.sched_cycles",
     "sm.issue_cycles + sm.stall_pipe + sm.stall_lsu + sm.stall_alu + sm.stall_mem + "
     "sm.stall_fetch + sm.stall_fence + sm.stall_barrier + sm.stall_drain + sm.stall_idle"},
    {"warp instructions by kind", "sm.issued",
     "sm.issued_int + sm.issued_fp32 + sm.issued_fp64 + sm.issued_fp16 + sm.issued_sfu + "
     "sm.issued_control + sm.issued_mem"},
    {"thread instructions by kind", "sm.thread_insns",
     "sm.threads_int + sm.threads_fp32 + sm.threads_fp64 + sm.threads_fp16 + sm.threads_sfu + "
     "sm.threads_control + sm.threads_mem"},

    {"global loads at the L1", "l1.global.accesses",
     "l1.global.hits + l1.global.misses + l1.global.merges + l1.global.passes"},
    {"local loads at the L1", "l1.local.accesses",
     "l1.local.hits + l1.local.misses + l1.local.merges + l1.local.passes"},
    {"accesses to constant caches", "const.accesses",
     "const.hits + const.misses + const.merges + const.passes"},
    {"accesses to texture caches", "tex.accesses",
     "tex.hits + tex.misses + tex.merges + tex.passes"},
    {"misses of L1s and reads sent", "l1.read.sent",
     "l1.global.misses + l1.global.passes + l1.local.misses + l1.local.passes + const.misses + "
     "const.passes + tex.misses + tex.passes"},
    {"stores of L1s and writes sent", "l1.write.sent",
     "l1.store_accesses + l1.write_backs + l1.local_store_passes"},
    {"atomics of L1s and those sent", "l1.atomic.sent", "l1.atomic_accesses"},
    {"reductions of L1s and those sent", "l1.reduce.sent", "l1.reduction_accesses"},
    {"reads answered and lines filled", "l1.read.answers",
     "l1.fills + const.fills + tex.fills + l1.global.passes + l1.local.passes + const.passes + "
     "tex.passes"},

    {"reads from L1s to clusters", "l1.read.sent", "cluster.reads + icc.merges + icc.cc_hits"},
    {"writes from L1s to clusters", "l1.write.sent", "cluster.writes"},
    {"atomics from L1s to clusters", "l1.atomic.sent", "cluster.atomics"},
    {"reductions from L1s to clusters", "l1.reduce.sent", "cluster.reductions"},
    {"reads and their answers at clusters", "cluster.reads", "cluster.read_answers"},
    {"writes and their answers at clusters", "cluster.writes", "cluster.write_answers"},
    {"atomics and their answers at clusters", "cluster.atomics", "cluster.atomic_answers"},
    {"reductions and their answers at clusters", "cluster.reductions", "cluster.reduction_answers"},
    {"answers of reads from clusters to L1s", "cluster.read_answers + icc.merges + icc.cc_hits",
     "l1.read.answers"},
    {"misses that were looked up by ICC", "icc.lookups",
     "icc.cc_hits + icc.merges + icc.allocations + icc.pass_full + icc.pass_stale + "
     "icc.pass_partial + icc.pass_policy"},
    {"answers of writes from clusters to L1s", "cluster.write_answers", "l1.write.answers"},
    {"answers of atomics from clusters to L1s", "cluster.atomic_answers", "l1.atomic.answers"},
    {"answers of reductions from clusters to L1s", "cluster.reduction_answers",
     "l1.reduce.answers"},

    {"requests of clusters and of L2 slices",
     "cluster.reads + cluster.writes + cluster.atomics + cluster.reductions", "l2.requests"},
    {"requests and replies of L2 slices", "l2.requests", "l2.replies"},
    {"requests and accesses of L2 slices", "l2.requests", "l2.accesses"},
    {"reads of clusters and at the L2", "cluster.reads",
     "l2.read_hits + l2.read_misses + l2.read_merges"},
    {"writes of clusters and at the L2", "cluster.writes",
     "l2.write_hits + l2.write_misses + l2.write_merges"},
    {"atomics of clusters and at the L2", "cluster.atomics + cluster.reductions",
     "l2.atomic_hits + l2.atomic_misses + l2.atomic_merges"},
    {"reductions of clusters and at the L2", "cluster.reductions", "l2.reductions"},
    {"read hits of the L2 by space", "l2.read_hits",
     "l2.global_hits + l2.local_hits + l2.const_hits + l2.tex_hits"},
    {"read misses of the L2 by space", "l2.read_misses",
     "l2.global_misses + l2.local_misses + l2.const_misses + l2.tex_misses"},
    {"read merges of the L2 by space", "l2.read_merges",
     "l2.global_merges + l2.local_merges + l2.const_merges + l2.tex_merges"},

    {"fetches and fills of the L2", "l2.fetches", "l2.fills"},
    {"fetches of the L2 and reads of DRAM", "l2.fetches", "dram.reads"},
    {"write-backs of the L2 and those done", "l2.writebacks", "l2.writebacks_done"},
    {"writes of the L2 sent through and those done", "l2.throughs", "l2.throughs_done"},
    {"write-backs and writes sent through by the L2, and writes of DRAM",
     "l2.writebacks + l2.throughs", "dram.writes"},
    {"transfers of DRAM by the row they found", "dram.reads + dram.writes",
     "dram.row_hits + dram.row_misses + dram.row_conflicts"},
};

static bool equal(const struct sums *c, const char *what, double a, double b)
{
    if (a == b)
        return true;
    return err_set(c->e, STATUS_FAILED, "not conserved: %s: %.0f against %.0f", what, a, b);
}

/* What machines without this unit, or whose cache policies refuse nothing, do not count. */
static bool is_optional(const char *name)
{
    return strncmp(name, "icc.", 4) == 0 || strcmp(name, "l1.local_store_passes") == 0;
}

static double get(const struct sums *c, const char *name)
{
    double v = stats_snapshot_value(c->s, name);
    if (isnan(v) && is_optional(name))
        return 0;
    HD_ASSERT(!isnan(v), "no statistic %s", name);
    return v;
}

static double sum(const struct sums *c, const char *names)
{
    char name[64];
    double total = 0;
    for (;;) {
        size_t n = strcspn(names, " ");
        HD_ASSERT(n < sizeof name, "a long name in %s", names);
        memcpy(name, names, n);
        name[n] = '\0';
        total += get(c, name);
        if (!names[n])
            return total;
        names += n + strlen(" + ");
    }
}

/* --- networks --------------------------------------------------------------------------------- */

static double of_net(const struct sums *c, struct arena *a, const char *net, const char *name)
{
    return get(c, arena_printf(a, "%s.%s", net, name));
}

/* What goes in comes out, and it is what the ends say that they sent and got. */
static bool check_networks(const struct machine *m, const struct sums *c, struct arena *a)
{
    double packets = 0, flits = 0;
    for (int i = 0; i < m->graphs.n; i++) {
        const char *net = m->graphs.name[i];
        double in = of_net(c, a, net, "packets_in"), flits_in = of_net(c, a, net, "flits_in");
        if (!equal(c, arena_printf(a, "packets into and out of %s", net), in,
                   of_net(c, a, net, "packets_out")) ||
            !equal(c, arena_printf(a, "flits into and out of %s", net), flits_in,
                   of_net(c, a, net, "flits_out") + (double)noc_merged_flits(m->net[i])))
            return false;
        packets += in;
        flits += flits_in;
    }
    return equal(c, "packets of the networks and of their ends", packets,
                 sum(c, "l2.requests + l2.replies")) &&
           equal(c, "flits of the networks and of clusters", flits,
                 sum(c, "cluster.request_flits + cluster.answer_flits"));
}

/* --- DRAM ------------------------------------------------------------------------------------- */

struct moved {
    const char *what;
    const char *bytes, *bursts, *transfers; /* of DRAM */
    const char *sectors;                    /* wanted by the L2: a sum of names */
};

/* Whole bursts over the span of the sectors of each transfer: no less than was asked for, and no
 * more than a line, or a burst, for each. */
static bool check_bytes(const struct sums *c, const struct moved *m, uint32_t burst)
{
    double bytes = get(c, m->bytes), wanted = sum(c, m->sectors) * SECTOR_BYTES;
    double most = get(c, m->transfers) * (burst > LINE_BYTES ? burst : LINE_BYTES);
    if (bytes != burst * get(c, m->bursts) || bytes < wanted || bytes > most)
        return err_set(c->e, STATUS_FAILED,
                       "not conserved: %s: %.0f bytes in %.0f bursts for %.0f to %.0f bytes",
                       m->what, bytes, get(c, m->bursts), wanted, most);
    return true;
}

static bool check_dram(const struct machine *m, const struct sums *c)
{
    static const struct moved moved[] = {
        {"fetches of the L2 and bytes read from DRAM", "dram.read_bytes", "dram.read_bursts",
         "dram.reads", "l2.fetched_sectors"},
        {"writes of the L2 and bytes written to DRAM", "dram.write_bytes", "dram.write_bursts",
         "dram.writes", "l2.writeback_sectors + l2.through_sectors"}};
    uint32_t burst = dram_burst_bytes(config_get(m->cfg, &dram_section));
    return check_bytes(c, &moved[0], burst) && check_bytes(c, &moved[1], burst);
}

/* --- programs --------------------------------------------------------------------------------- */

/* What programs did adds up to what was done. */
static bool check_programs(const struct machine *m, const struct sums *c, struct arena *a)
{
    static const char *const same[][2] = {{"sm.issued", "sm.issued"},
                                          {"sm.thread_insns", "sm.thread_insns"},
                                          {"sm.ctas", "sm.ctas"},
                                          {"l1.reads", "l1.read.answers"},
                                          {"noc.request_flits", "cluster.request_flits"},
                                          {"noc.answer_flits", "cluster.answer_flits"},
                                          {"l2.accesses", "l2.accesses"},
                                          {"dram.read_bytes", "dram.read_bytes"},
                                          {"dram.write_bytes", "dram.write_bytes"}};
    for (size_t i = 0; m->opt.nprograms > 1 && i < sizeof same / sizeof same[0]; i++) {
        double all = 0;
        for (uint32_t p = 0; p < m->opt.nprograms; p++)
            all += get(c, arena_printf(a, "program%u.%s", p, same[i][0]));
        if (!equal(c, arena_printf(a, "%s of programs and of all", same[i][1]), all,
                   get(c, same[i][1])))
            return false;
    }
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Warps, requests in the SM's pool, CTAs that wait for their start. */
static bool check_sms(const struct machine *m, const struct sums *c)
{
    uint64_t ctas = 0;
    for (uint32_t i = 0; i < m->nsms; i++) {
        const struct component *sm = sm_component(m->sm[i]);
        uint64_t held = sm->ops->live(sm);
        if (held)
            return err_set(c->e, STATUS_FAILED,
                           "not conserved: %s still holds %llu warps and "
                           "requests",
                           sm->path, (unsigned long long)held);
    }
    for (uint32_t i = 0; i < m->nkernels; i++)
        ctas += m->kernel[i]->ctas_done;
    return equal(c, "CTAs of kernels and of SMs", (double)ctas, get(c, "sm.ctas"));
}

bool conserve_check(const struct machine *m, struct err *e)
{
    struct arena *a = arena_new();
    struct sums c = {stats_snapshot(m->stats, a), e};
    bool ok = check_sms(m, &c);
    for (size_t i = 0; ok && i < sizeof equations / sizeof equations[0]; i++)
        ok = equal(&c, equations[i].what, sum(&c, equations[i].left), sum(&c, equations[i].right));
    ok = ok && check_networks(m, &c, a) && check_dram(m, &c) && check_programs(m, &c, a);
    arena_free(a);
    return ok;
}
