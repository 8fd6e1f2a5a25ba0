/* policy.h - the plug-point for warp schedulers: which of the warps that could issue does.
 *
 * Warps are bits in the order of their age, the oldest lowest; the numbering is kept dense, so
 * positions move when a CTA leaves (sched.own, .last and .current are moved along; a policy that
 * keeps positions of its own moves them itself).  To add one: a file with a struct warp_policy, a
 * line in policies.def. */
#ifndef HEDDLE_SM_POLICY_H
#define HEDDLE_SM_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct cfg_section;
struct config;

enum { WARP_POSITIONS = 64 };

struct sched {       /* of one scheduler */
    uint64_t own;    /* its warps */
    int32_t last;    /* position that issued last, or the one before it when that is gone; or -1 */
    int32_t current; /* position that issued last; -1 when it is gone */
    void *state;     /* the policy's own, of this scheduler */
};

struct sched_view {      /* all within sched.own */
    uint64_t candidates; /* could issue now: not empty, unless the policy is called always */
    /* Of a policy that sees_all, else empty: */
    uint64_t ready;   /* could issue but for a busy pipeline */
    uint64_t waiting; /* wait for memory, at a barrier or fence, or for nothing any more */
};

struct warp_policy {
    const char *name, *help;
    const struct cfg_section *section; /* parameters of its own; NULL: none */
    bool always;   /* pick is called without candidates, too: it keeps a state */
    bool sees_all; /* looks at more than the candidates */
    /* The state of one scheduler; may be NULL. */
    void *(*begin)(struct arena *a, const struct config *cfg);
    /* A position out of v->candidates, which issues, or -1 to let all of them wait.  A second call
     * with the same view after -1 must leave the same state behind: cycles in which nothing
     * happens are skipped. */
    int32_t (*pick)(struct sched *s, const struct sched_view *v);
    /* Positions that are not in `keep` are gone, the others closed up: policy_squeeze() does so
     * with a mask.  May be NULL. */
    void (*moved)(void *state, uint64_t keep);
};

extern const struct warp_policy *const warp_policy_all[];
extern const int warp_policy_count;
const struct warp_policy *warp_policy_find(const char *name);
/* The sections of all policies; returns their number. */
int warp_policy_sections(const struct cfg_section **all, int room);

/* The first of `mask` at or after position `from`, going round; mask is not empty. */
static inline int32_t policy_next(uint64_t mask, int32_t from)
{
    uint64_t above = from < WARP_POSITIONS ? mask >> from << from : 0;
    return __builtin_ctzll(above ? above : mask);
}

/* The bits of `mask` that are in `keep`, closed up: run by run, since warps of a CTA come and go together. */
static inline uint64_t policy_squeeze(uint64_t mask, uint64_t keep)
{
    uint64_t out = 0;
    for (uint32_t to = 0, n; keep; to += n) {
        const uint32_t from = (uint32_t)__builtin_ctzll(keep);
        const uint64_t beyond = ~(keep >> from);
        n = beyond ? (uint32_t)__builtin_ctzll(beyond) : WARP_POSITIONS;
        const uint64_t run = UINT64_MAX >> (WARP_POSITIONS - n);
        out |= (mask >> from & run) << to;
        keep &= ~(run << from);
    }
    return out;
}

#endif
