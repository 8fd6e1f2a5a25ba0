/* sm.c - an SM as a component: its cycle, statistics over time, and its interface.
 *
 * Modelled after GPGPU-Sim's Fermi-class core: per-warp instruction buffers filled in turn,
 * in-order issue per warp under a scoreboard, pipelines with latency and initiation interval.
 * Not modelled: instruction cache misses, register bank conflicts and operand collectors. */
#include "sm/sm.h"

#include <string.h>

#include "l1/carve.h"
#include "sim/waitgraph.h"
#include "sm/sm_priv.h"

CFG_SECTION(sm, SM_ROWS, "streaming multiprocessors: limits, warp schedulers, pipelines")
CFG_SECTION_WHEN(pipe, PIPE_ROWS, "latencies and initiation intervals of the pipelines",
                 {"control_interval", "sm.int_units=0"})
STATS_ROWS(sm, SM_STATS)
STATS_ROWS(sm_program, SM_PROGRAM_STATS)
STATS_ROWS(warps, WARPS_STATS)

/* Something has come for the SM, or there is room again on its way out. */
static void woken(struct component *c, uint32_t slot, hd_cycle at)
{
    struct sm *s = (struct sm *)c;
    hd_cycle *next = slot == SM_SLOT_CLUSTER ? &s->lsu_next : &s->start_next;
    *next = at < *next ? at : *next;
}

static void settle(struct component *c, hd_cycle now)
{
    struct sm *s = (struct sm *)c;
    sm_account(s, now);
    s->stats.issued = sm_issued(s);
    s->stats.thread_insns = s->operands[0];
    s->stats.register_reads = s->operands[1];
    s->stats.register_writes = s->operands[2];
    s->stats.other_operands = s->operands[3];
    lsu_settle(s->lsu, now);
    if (s->watch)
        s->watch->stats.available = s->stats.ready_warp_cycles + s->watch->more;
}

static uint64_t live(const struct component *c)
{
    const struct sm *s = (const struct sm *)c;
    return s->nresident + lsu_live(s->lsu) + port_held(s->start);
}

static bool audit(const struct component *c, struct err *e)
{
    const struct sm *s = (const struct sm *)c;
    uint64_t all = 0;
    for (int i = 0; i < WARP_STATES; i++) {
        if (all & s->in[i])
            return err_set(e, STATUS_FAILED, "%s: a warp is in two states", c->path);
        all |= s->in[i];
    }
    if ((uint32_t)__builtin_popcountll(all) != s->nresident || s->nresident != s->npositions)
        return err_set(e, STATUS_FAILED, "%s: %u warps resident, %u places", c->path, s->nresident,
                       s->npositions);
    return lsu_audit(s->lsu, e);
}

static void waits(const struct component *c, struct waitgraph *g)
{
    const struct sm *s = (const struct sm *)c;
    /* Whoever waits for memory waits for those who bring it, who say themselves whether they can
     * move; warps that all stand at barriers wait for nobody who will come. */
    uint64_t all = s->npositions == 64 ? UINT64_MAX : (1ull << s->npositions) - 1;
    bool can_move = (s->in[WARP_AT_BARRIER] | s->in[WARP_OVER]) != all || !lsu_is_idle(s->lsu) ||
                    s->nresident == 0;
    waitgraph_vertex(g, c, 0, can_move, "warps at barriers");
    lsu_waits(s->lsu, g, 1);
}

static const struct component_ops ops = {.kind = "sm",
                                         .tick = sm_tick,
                                         .woken = woken,
                                         .waits = waits,
                                         .live = live,
                                         .settle = settle,
                                         .audit = audit};

static const struct component_ops watched_ops = {.kind = "sm",
                                                 .tick = sm_tick_watched,
                                                 .woken = woken,
                                                 .waits = waits,
                                                 .live = live,
                                                 .settle = settle,
                                                 .audit = audit};

/* --- the interface ---------------------------------------------------------------------------- */

static const char *policy(int i)
{
    return warp_policy_all[i]->name;
}

/* Of one memory for L1 and shared memory, an SM can have as much of the latter as it says. */
static bool check_carveouts(const struct config *cfg, const struct sm_spec *s, struct err *e)
{
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    uint64_t most = carve_shared(&l1->carveouts, (uint64_t)s->shared);
    if (l1->carveouts.n == 0 || most >= (uint64_t)s->shared)
        return true;
    return config_blame(cfg, e, &l1_section, "carveouts",
                        "the largest, %llu, does not hold the %lld bytes of sm.shared",
                        (unsigned long long)most, (long long)s->shared);
}

bool sm_check(const struct config *cfg, struct err *e)
{
    const struct sm_spec *s = config_get(cfg, &sm_section);
    const struct cfg_registry policies = {"warp scheduler", "policies", warp_policy_count, policy};
    if (!warp_policy_find(s->scheduler))
        return config_no_such(cfg, e, &sm_section, "scheduler", s->scheduler, &policies);
    int64_t warps = s->warps ? s->warps : s->threads / WARP_LANES;
    if (warps * WARP_LANES > s->threads)
        return config_blame(cfg, e, &sm_section, "warps", "%lld warps have more than %lld threads",
                            (long long)warps, (long long)s->threads);
    if (warps < s->schedulers)
        return config_blame(cfg, e, &sm_section, "schedulers", "%lld schedulers for %lld warps",
                            (long long)s->schedulers, (long long)warps);
    (void)config_get(cfg, &pipe_section); /* first read when a kernel comes: say so now */
    return lsu_check(cfg, e) && check_carveouts(cfg, s, e);
}

static uint32_t ready_warps(const struct component *c)
{
    return (uint32_t)__builtin_popcountll(sm_ready((const struct sm *)c));
}

struct sm *sm_new(struct arena *a, const struct sm_options *opt)
{
    const struct sm_spec *spec = config_get(opt->cfg, &sm_section);
    struct sm *s = ARENA_NEW(a, struct sm);
    s->c.ops = spec->watch_available ? &watched_ops : &ops;
    s->watch = spec->watch_available ? ARENA_NEW(a, struct sm_watch) : NULL;
    s->c.path = opt->path;
    s->index = opt->index;
    s->max_warps = (uint32_t)(spec->warps ? spec->warps : spec->threads / WARP_LANES);
    s->nsched = (uint32_t)spec->schedulers;
    s->turns = spec->fair ? s->nsched : 1;
    s->issue_width = (uint32_t)spec->issue_width;
    s->fetch_warps = (uint32_t)spec->fetch_warps;
    s->fetch_latency = (uint32_t)spec->fetch_latency;
    HD_ASSERT(s->fetch_latency < FETCH_SLOTS, "%s: fetches of %u cycles", s->c.path,
              s->fetch_latency);
    s->ibuffer = (uint32_t)spec->ibuffer;
    s->fetch_last = -1;
    s->drains = spec->drain;
    s->npipelines[PIPE_SP] = (uint8_t)spec->sp_units;
    s->npipelines[PIPE_INT] = (uint8_t)spec->int_units;
    s->npipelines[PIPE_DP] = (uint8_t)spec->dp_units;
    s->npipelines[PIPE_SFU] = (uint8_t)spec->sfu_units;
    s->npipelines[PIPE_MEM] = 1;
    s->policy = warp_policy_find(spec->scheduler);
    for (uint32_t i = 0; i < s->nsched; i++) {
        void *state = s->policy->begin ? s->policy->begin(a, opt->cfg) : NULL;
        s->sched[i] = (struct sched){.last = -1, .current = -1, .state = state};
    }
    s->free_slots = s->max_warps == 64 ? UINT64_MAX : (1ull << s->max_warps) - 1;
    s->warp = ARENA_ARRAY(a, struct warp, s->max_warps);
    s->pending_mem = ARENA_ARRAY(a, scoreboard, s->max_warps);
    s->reader = ARENA_ARRAY(a, struct stream_reader, s->max_warps);
    if (strcmp(spec->instructions, "ptx") != 0)
        s->window = ARENA_ARRAY(a, struct stream_window, s->max_warps);
    s->context = ARENA_ARRAY(a, struct context, MAX_CONTEXTS);
    s->lsu_next = s->start_next = HD_NEVER;
    s->lsu_takes = true;
    s->most_results = s->max_warps * RESULTS_PER_WARP;
    completions_init(&s->completions, a,
                     s->most_results + lsu_max_completions(opt->cfg, s->max_warps));
    struct lsu_options lo = {.cfg = opt->cfg,
                             .owner = &s->c,
                             .pool = opt->pool,
                             .completions = &s->completions,
                             .sm = opt->index,
                             .max_warps = s->max_warps,
                             .local_base = opt->local_base,
                             .param_base = opt->param_base,
                             .sharing = opt->sharing,
                             .ready_warps = opt->tells_warps ? ready_warps : NULL};
    s->lsu = lsu_new(a, &lo);
    return s;
}

struct component *sm_component(struct sm *s)
{
    return &s->c;
}

void sm_connect_cluster(struct sm *s, struct port *out, struct port *in)
{
    lsu_connect(s->lsu, out, in);
}

void sm_connect_dispatch(struct sm *s, struct port *start, struct port *done)
{
    s->start = start;
    s->done = done;
}

void sm_invalidate(struct sm *s, uint32_t program)
{
    lsu_invalidate(s->lsu, program);
}

void sm_carve(struct sm *s, uint64_t shared_bytes)
{
    lsu_carve(s->lsu, shared_bytes);
}

bool sm_is_broken(const struct sm *s)
{
    return s->is_broken;
}

uint64_t sm_issued(const struct sm *s)
{
    const uint64_t *of_unit = &s->stats.issued_int;
    uint64_t sum = 0;
    for (uint32_t unit = UNIT_INT; unit < UNIT_COUNT; unit++)
        sum += of_unit[unit - UNIT_INT];
    return sum;
}

uint64_t sm_thread_insns(const struct sm *s)
{
    return s->operands[0];
}

uint64_t sm_issued_of(const struct sm *s, uint32_t program)
{
    return s->by_program[program].stats.issued;
}

hd_cycle sm_last_issue_of(const struct sm *s, uint32_t program)
{
    return s->by_program[program].last_issue;
}

void sm_add_stats(const struct sm *s, struct stats *tree)
{
    stats_join(tree, "sm", s->c.path, sm_stat_rows, sizeof sm_stat_rows / sizeof sm_stat_rows[0],
               &s->stats);
    lsu_add_stats(s->lsu, tree);
}

void sm_add_observed(const struct sm *s, struct stats *tree)
{
    if (s->watch)
        stats_join(tree, "warps", s->c.path, warps_stat_rows,
                   sizeof warps_stat_rows / sizeof warps_stat_rows[0], &s->watch->stats);
}

void sm_count_programs(struct sm *s, struct arena *a)
{
    s->by_program = ARENA_ARRAY(a, struct sm_by_program, MAX_PROGRAMS);
    lsu_count_programs(s->lsu, a);
}

void sm_add_program_stats(const struct sm *s, struct stats *tree, uint32_t program,
                          const char *path, const char *l1_path)
{
    stats_join(tree, path, s->c.path, sm_program_stat_rows,
               sizeof sm_program_stat_rows / sizeof sm_program_stat_rows[0],
               &s->by_program[program].stats);
    lsu_add_program_stats(s->lsu, tree, program, l1_path);
}
