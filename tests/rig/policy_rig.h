/* policy_rig.h - a cache policy on a bare tag array, and beside a slow obvious model of it.
 *
 *     struct policy_rig r;
 *     policy_rig_open(&r, &(struct policy_rig_options){.policy = "srrip", .sets = 1, .ways = 4});
 *     CHECK_EQ(policy_rig_use(&r, 'a'), 0);        (a line by its number; returns the way)
 *     policy_rig_close(&r);
 *
 * Against a model, random lines are used, filled, held back (RESERVED) for a while and dropped; in
 * each full set the model says who gives way, told of everything in the same order. */
#ifndef HEDDLE_TESTS_RIG_POLICY_RIG_H
#define HEDDLE_TESTS_RIG_POLICY_RIG_H

#include "cache/follow.h"

struct policy_rig_options {
    const char *policy;
    const char *const *set; /* NULL-ended: "srrip.bits=3"; NULL: none */
    uint32_t sets, ways;
    uint32_t made_sets; /* made with so many, then resized to `sets`; 0: `sets` */
};

struct policy_rig {
    struct arena *arena;
    struct config *cfg;
    struct tags tags;
};

enum { POLICY_RIG_INSTANCE = 99, POLICY_RIG_SMS = 5 };

void policy_rig_open(struct policy_rig *r, const struct policy_rig_options *opt);
void policy_rig_close(struct policy_rig *r);
/* A hit, or a fill that takes a way; line n is in set n % sets.  TAGS_NONE: all are held back. */
uint32_t policy_rig_use(struct policy_rig *r, uint64_t line);
/* The same for who asks; the line and its set are filled in.  A line is given as to data that has come
 * (l1.allocate: fill): to what the answer says, which is told then.  POLICY_RIG_PASSED and _REFUSED:
 * the policy lets it pass by, or gives it no line. */
enum { POLICY_RIG_PASSED = 1000, POLICY_RIG_REFUSED };
uint32_t policy_rig_ask(struct policy_rig *r, uint64_t line, struct cache_ask who);
/* All of them one after another, as letters. */
void policy_rig_use_all(struct policy_rig *r, const char *lines);
/* A statistic of the policy, by name; the cache is called "l1" or "l2" there, as the name has it. */
uint64_t policy_rig_counted(struct policy_rig *r, const char *name);
void policy_rig_hold(struct policy_rig *r, uint64_t line, bool is_held);
void policy_rig_drop(struct policy_rig *r, uint64_t line);
/* The lines of a set of letters, way by way; '-' for none. */
const char *policy_rig_text(struct policy_rig *r, uint32_t set);

struct policy_model {
    void *state;
    uint32_t (*victim)(void *state, uint32_t set, const bool *may_leave); /* then it is filled */
    void (*used)(void *state, uint32_t set, uint32_t way);
    void (*filled)(void *state, uint32_t set, uint32_t way);
    void (*dropped)(void *state, uint32_t set, uint32_t way);
};
enum { POLICY_MODEL_WAYS = 40, POLICY_MODEL_SETS = 80 };

void policy_rig_compare(const struct policy_rig_options *opt, const struct policy_model *m,
                        uint64_t seed);

#endif
