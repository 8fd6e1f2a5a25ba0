/* processors.h - how many processors there are to use.  No result may depend on it. */
#ifndef HEDDLE_BASE_PROCESSORS_H
#define HEDDLE_BASE_PROCESSORS_H

#include <stdint.h>

/* That this process may run on; at least 1. */
uint32_t processors_allowed(void);
/* Of those, the ones that no other process seems to be running on just now; at least 1. */
uint32_t processors_idle(void);
/* Threads of this process that run, or could if there were a processor for them; at least 1. */
uint32_t processors_own_threads(void);

#endif
