/* sm_priv.h - the state of an SM, shared by the files of src/sm.
 *
 * Each warp is in exactly one state, and the SM keeps one 64-bit mask per state, in the order of
 * the warps' age: which warps can issue to a free pipeline is a few ORs, the oldest of them a
 * count of trailing zeros.  A warp's state changes by events only (it issues, a result comes, a
 * fetch ends, a barrier opens); nothing is looked at per warp and cycle. */
#ifndef HEDDLE_SM_SM_PRIV_H
#define HEDDLE_SM_SM_PRIV_H

#include <stddef.h>

#include "mem/program.h"
#include "sm/policy.h"
#include "sm/program.h"
#include "sm/sm.h"

enum {
    MAX_WARPS = WARP_POSITIONS,
    MAX_CONTEXTS = 64,
    MAX_SCHEDULERS = 4,
    MAX_PIPELINES = 8,
    MAX_BARRIERS = 16,
    FETCH_SLOTS = 16,
    RESULTS_PER_WARP = 64 /* on their way, on average */
};

enum warp_state {
    /* The first PIPES states: the head could issue if a pipeline of this kind takes it. */
    WARP_EMPTY = PIPES, /* nothing fetched */
    WARP_FETCHING,
    WARP_WAITS_ALU, /* the head needs a result that is being computed */
    WARP_WAITS_MEM, /* ... that comes from memory */
    WARP_AT_FENCE,
    WARP_AT_BARRIER,
    WARP_DRAINS, /* has ended, but has something outstanding */
    WARP_OVER,
    WARP_STATES,
};

enum stall {
    STALL_PIPE, /* ready, but no pipeline takes it */
    STALL_LSU,  /* ready, but the load/store unit takes nothing */
    STALL_ALU,
    STALL_MEM,
    STALL_FETCH,
    STALL_FENCE,
    STALL_BARRIER,
    STALL_DRAIN,
    STALL_IDLE, /* no warps */
    STALLS,
};

/* A line of the host's cache: what each issue and each result looks at. */
struct warp {
    scoreboard pending; /* registers on their way */
    const struct sm_program *program;
    uint64_t bit;          /* 1 << its position */
    uint32_t head;         /* static instruction that is next */
    uint16_t inflight;     /* instructions whose results have not come, */
    uint16_t inflight_mem; /* those of them that are of memory */
    uint8_t slot, state, position, scheduler, fetched, context, owner; /* owner: a program */
};
_Static_assert(sizeof(struct warp) == 64, "a warp is more than a line");

struct barrier {
    uint32_t arrived, expected; /* threads; expected 0: all warps that have not ended */
    uint64_t waiting;           /* warp slots */
};

struct context {                      /* of a resident CTA */
    const struct sm_program *program; /* NULL: free */
    uint64_t warps;                   /* slots */
    uint32_t owner;                   /* the program that it belongs to */
    uint32_t left;                    /* warps that have not ended */
    uint32_t undone;                  /* warps that have not ended or have something outstanding */
    struct barrier barrier[MAX_BARRIERS];
};

#define SM_STATS(S, id)                                                                            \
    S(id, COUNTER, issued, "warp instruction", "issued")                                           \
    S(id, COUNTER, thread_insns, "instruction", "thread instructions issued")                      \
    S(id, COUNTER, issued_off, "warp instruction", "issued with all lanes off")                    \
    S(id, COUNTER, issued_int, "warp instruction", "integer")                                      \
    S(id, COUNTER, issued_fp32, "warp instruction", "single precision")                            \
    S(id, COUNTER, issued_fp64, "warp instruction", "double precision")                            \
    S(id, COUNTER, issued_fp16, "warp instruction", "half precision")                              \
    S(id, COUNTER, issued_sfu, "warp instruction", "special functions")                            \
    S(id, COUNTER, issued_control, "warp instruction", "branches, barriers, fences")               \
    S(id, COUNTER, issued_mem, "warp instruction", "loads, stores, atomics")                       \
    S(id, COUNTER, threads_int, "instruction", "thread instructions, integer")                     \
    S(id, COUNTER, threads_fp32, "instruction", "thread instructions, single precision")           \
    S(id, COUNTER, threads_fp64, "instruction", "thread instructions, double precision")           \
    S(id, COUNTER, threads_fp16, "instruction", "thread instructions, half precision")             \
    S(id, COUNTER, threads_sfu, "instruction", "thread instructions, special functions")           \
    S(id, COUNTER, threads_control, "instruction", "thread instructions, control")                 \
    S(id, COUNTER, threads_mem, "instruction", "thread instructions, loads, stores, atomics")      \
    S(id, COUNTER, ctas, "CTA", "that ran to their end")                                           \
    S(id, COUNTER, warps, "warp", "that ran to their end")                                         \
    S(id, COUNTER, register_reads, "operand", "32-bit registers that thread instructions read")    \
    S(id, COUNTER, register_writes, "operand", "32-bit registers that they write")                 \
    S(id, COUNTER, other_operands, "operand", "of thread instructions that are no registers")      \
    S(id, COUNTER, fetches, "fetch", "of up to sm.ibuffer instructions")                           \
    S(id, COUNTER, barriers, "arrival", "of warps at barriers")                                    \
    S(id, COUNTER, sched_cycles, "cycle", "of all schedulers while their SM had warps")            \
    S(id, COUNTER, issue_cycles, "cycle", "of schedulers in which something was issued")           \
    S(id, COUNTER, stall_pipe, "cycle", "of schedulers: pipelines busy")                           \
    S(id, COUNTER, stall_lsu, "cycle", "of schedulers: load/store unit full")                      \
    S(id, COUNTER, stall_alu, "cycle", "of schedulers: results being computed")                    \
    S(id, COUNTER, stall_mem, "cycle", "of schedulers: results from memory")                       \
    S(id, COUNTER, stall_fetch, "cycle", "of schedulers: instruction buffers empty")               \
    S(id, COUNTER, stall_fence, "cycle", "of schedulers: memory fences")                           \
    S(id, COUNTER, stall_barrier, "cycle", "of schedulers: barriers")                              \
    S(id, COUNTER, stall_drain, "cycle", "of schedulers: ended warps' stores")                     \
    S(id, COUNTER, stall_idle, "cycle", "of schedulers without warps, on an SM with some")         \
    S(id, COUNTER, active_cycles, "cycle", "of SMs with at least one warp")                        \
    S(id, COUNTER, warp_cycles, "cycle", "resident warps, summed over cycles")                     \
    S(id, COUNTER, ready_warp_cycles, "cycle", "warps that could issue, summed over cycles")       \
    S(id, COUNTER, cta_cycles, "cycle", "resident CTAs, summed over cycles")
STATS_STRUCT(sm, SM_STATS)

/* What only an SM counts whose available warps are watched. */
#define WARPS_STATS(S, id)                                                                         \
    S(id, COUNTER, available, "warp x cycle",                                                      \
      "warps that could issue, as each cycle began to issue")
STATS_STRUCT(warps, WARPS_STATS)

struct sm_watch {
    uint64_t
        more; /* warps that could issue before a cycle's issue, less those after it; modulo 2^64 */
    struct warps_stats stats; /* settled */
};

/* Three runs of rows are counted as arrays (issue.c): in the order of their enums, without gaps. */
#define SM_NTH_(first, nth, name)                                                                  \
    _Static_assert(offsetof(struct sm_stats, name) ==                                              \
                       offsetof(struct sm_stats, first) + (size_t)(nth) * sizeof(uint64_t),        \
                   #name " does not stand where its enum has it");
#define SM_NTH_UNIT_(unit, name)                                                                   \
    SM_NTH_(issued_int, unit - UNIT_INT, issued_##name)                                            \
    SM_NTH_(threads_int, unit - UNIT_INT, threads_##name)
#define SM_NTH_STALL_(stall, name) SM_NTH_(stall_pipe, stall, stall_##name)
SM_NTH_UNIT_(UNIT_INT, int)
SM_NTH_UNIT_(UNIT_FP32, fp32)
SM_NTH_UNIT_(UNIT_FP64, fp64)
SM_NTH_UNIT_(UNIT_FP16, fp16)
SM_NTH_UNIT_(UNIT_SFU, sfu)
SM_NTH_UNIT_(UNIT_CONTROL, control)
SM_NTH_UNIT_(UNIT_MEM, mem)
_Static_assert((int)UNIT_COUNT == UNIT_MEM + 1, "a unit without its rows");
SM_NTH_STALL_(STALL_PIPE, pipe)
SM_NTH_STALL_(STALL_LSU, lsu)
SM_NTH_STALL_(STALL_ALU, alu)
SM_NTH_STALL_(STALL_MEM, mem)
SM_NTH_STALL_(STALL_FETCH, fetch)
SM_NTH_STALL_(STALL_FENCE, fence)
SM_NTH_STALL_(STALL_BARRIER, barrier)
SM_NTH_STALL_(STALL_DRAIN, drain)
SM_NTH_STALL_(STALL_IDLE, idle)
_Static_assert((int)STALLS == STALL_IDLE + 1, "a stall without its row");

/* Of each program. */
#define SM_PROGRAM_STATS(S, id)                                                                    \
    S(id, COUNTER, issued, "warp instruction", "of this program")                                  \
    S(id, COUNTER, thread_insns, "instruction", "thread instructions of this program")             \
    S(id, COUNTER, ctas, "CTA", "of this program that ran to their end")
STATS_STRUCT(sm_program, SM_PROGRAM_STATS)

/* What insn_operands has, over all lanes: thread instructions, and their operands. */
typedef uint64_t sm_operands __attribute__((vector_size(32)));

struct sm_by_program {
    struct sm_program_stats stats;
    hd_cycle last_issue; /* the last cycle in which a warp of the program issued */
};

/* In the order in which a cycle looks at it, and so that what is looked at together lies in few lines of the host's
 * cache: 80 SMs are more than it holds. */
struct sm {
    struct component c;
    hd_cycle lsu_next;        /* when the load/store unit wants to be ticked */
    hd_cycle start_next;      /* when a CTA comes */
    uint64_t in[WARP_STATES]; /* warps by state */
    hd_cycle accounted;       /* statistics over time reach up to here */
    uint32_t nresident, npositions;
    _Alignas(64) hd_cycle free_first[PIPES]; /* when the first pipeline of a kind is free */
    uint8_t first_free[PIPES], npipelines[PIPES];
    bool lsu_takes; /* whether the load/store unit has room for an instruction */
    /* Rings, from the one that is free first on. */
    _Alignas(64) hd_cycle free_at[PIPES][MAX_PIPELINES];
    struct sched sched[MAX_SCHEDULERS];
    uint32_t turns; /* schedulers that go first in turn: all of them, or 1 */
    uint32_t nsched, issue_width;
    uint32_t fetch_warps, fetch_latency, ibuffer;
    int32_t fetch_last;
    const struct warp_policy *policy;
    struct lsu *lsu;
    struct warp *warp;            /* [MAX_WARPS] */
    struct stream_reader *reader; /* [MAX_WARPS] */
    scoreboard *pending_mem;      /* [MAX_WARPS] registers on their way from memory */
    struct completions completions;
    uint64_t fetched[FETCH_SLOTS];                /* warp slots whose fetch ends, by cycle */
    _Alignas(64) uint8_t slot_at[WARP_POSITIONS]; /* position -> warp slot */
    uint64_t ended;                               /* contexts whose CTA is done */
    struct sm_by_program *by_program; /* [MAX_PROGRAMS]; NULL: programs are not counted apart */
    uint32_t most_results;            /* due at once: the load/store unit's are kept room for */
    uint32_t owes;        /* programs of ended CTAs that have stores under way: a bit each */
    sm_operands operands; /* issued so far */
    struct sm_stats stats;
    struct sm_watch *watch; /* NULL: nobody looks on */
    bool drains;            /* CTAs keep their places until their stores are answered */
    bool is_broken;
    uint32_t index, max_warps, ncontexts_used;
    hd_cycle resident_since; /* statistics of residency reach up to here */
    uint64_t free_slots;
    struct port *start, *done;
    struct stream_window *window; /* [MAX_WARPS]; NULL: the machine issues PTX */
    struct context *context;      /* [MAX_CONTEXTS] */
};

static inline void sm_move(struct sm *s, struct warp *w, enum warp_state to)
{
    s->in[w->state] &= ~w->bit;
    s->in[to] |= w->bit;
    w->state = (uint8_t)to;
}

static inline uint64_t sm_ready(const struct sm *s)
{
    uint64_t m = 0;
    for (int p = 0; p < PIPES; p++)
        m |= s->in[p];
    return m;
}

/* What happens once in the life of a warp or a CTA: no part of an SM's cycle, which is one function. */
#define SM_RARE __attribute__((noinline))

/* issue.c */
hd_cycle sm_tick(struct component *c, hd_cycle now);
hd_cycle sm_tick_watched(struct component *c, hd_cycle now); /* the same of an SM with a `watch` */
void sm_account(struct sm *s, hd_cycle to); /* statistics over time, up to cycle `to` */
/* Residency, over the cycles up to `to`: before it changes. */
void sm_account_residency(struct sm *s, hd_cycle to);
void sm_advance(struct sm *s, struct warp *w); /* to the next instruction, or the end */
/* context.c */
SM_RARE void sm_start_ctas(struct sm *s, hd_cycle now); /* those that have come */
SM_RARE void sm_end_warp(struct sm *s, struct warp *w); /* its stream has ended */
SM_RARE void sm_drain_warp(struct sm *s,
                           struct warp *w); /* ended: has it anything outstanding still? */
/* Gives back the places of CTAs that are done: at the end of a cycle, since positions move. */
SM_RARE void sm_end_ctas(struct sm *s, hd_cycle now);
/* Says which programs of ended CTAs have no stores under way any more. */
SM_RARE void sm_tell_settled(struct sm *s, hd_cycle now);
SM_RARE void sm_arrive(struct sm *s, struct warp *w, const struct stream_op *op, bool waits);

#endif
