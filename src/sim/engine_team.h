/* engine_team.h - threads that do one piece of work together, again and again.
 *
 * The caller is one of them.  Between two pieces the others wait: spinning for some microseconds,
 * then giving way to other programs, then asleep, so that they cost nothing while nobody calls. */
#ifndef HEDDLE_SIM_ENGINE_TEAM_H
#define HEDDLE_SIM_ENGINE_TEAM_H

#include <stdint.h>

#include "base/arena.h"

struct engine_team;

/* work(context, t) is thread t's share; t is 0 for the caller. */
struct engine_team *engine_team_new(struct arena *a, uint32_t threads,
                                    void (*work)(void *context, uint32_t thread), void *context);
/* No more than this many, before the first start. */
void engine_team_limit(struct engine_team *t, uint32_t threads);
/* Starts the others unless they run; returns how many there are with the caller, which is fewer
 * than asked for where the system gives no more. */
uint32_t engine_team_start(struct engine_team *t);
/* One piece of work: returns when all shares are done, and what each wrote is seen by all.  How long
 * the caller waited for the others, in ns, where that was so long that it gave way to other programs; else 0. */
uint64_t engine_team_run(struct engine_team *t);
void engine_team_stop(struct engine_team *t);

#endif
