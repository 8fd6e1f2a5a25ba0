/* policy.h - the plug-point for warp schedulers: which of the warps that could issue does.
 *
 * Warps are bits in the order of their age, the oldest lowest; the numbering is kept dense, so
 * positions move when a CTA leaves (sched.last, .current and .active are moved
 * along).  To add one: a file with a struct warp_policy, a line in policies.def. */
#ifndef HEDDLE_SM_POLICY_H
#define HEDDLE_SM_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP_POSITIONS = 64 };

struct sched {       /* of one scheduler */
    uint64_t own;    /* its warps */
    uint64_t active; /* two-level: those that may issue */
    int32_t last;    /* position that issued last, or the one before it when that is gone; or -1 */
    int32_t current; /* position that issued last; -1 when it is gone */
    uint32_t limit;  /* two-level: most active warps */
};

struct sched_view {      /* all within sched.own */
    uint64_t candidates; /* could issue now: not empty, unless the policy is called always */
    uint64_t ready;      /* could issue but for a busy pipeline */
    uint64_t waiting;    /* wait for memory, at a barrier or fence, or for nothing any more */
};

struct warp_policy {
    const char *name, *help;
    bool always; /* pick is called without candidates, too: it keeps a state */
    /* A position out of v->candidates, or -1 to let all of them wait.  Called with the same view
     * twice it must leave the same state behind: cycles in which nothing happens are skipped. */
    int32_t (*pick)(struct sched *s, const struct sched_view *v);
};

extern const struct warp_policy *const warp_policy_all[];
extern const int warp_policy_count;
const struct warp_policy *warp_policy_find(const char *name);

/* The first of `mask` at or after position `from`, going round; mask is not empty. */
static inline int32_t policy_next(uint64_t mask, int32_t from)
{
    uint64_t above = from < WARP_POSITIONS ? mask >> from << from : 0;
    return __builtin_ctzll(above ? above : mask);
}

#endif
