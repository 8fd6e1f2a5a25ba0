/* banks.h - how long an access to shared memory takes. */
#ifndef HEDDLE_L1_BANKS_H
#define HEDDLE_L1_BANKS_H

#include "stream/stream.h"

struct banks_use {
    uint32_t cycles; /* that the access takes: the degrees of its passes together */
    uint32_t passes; /* what it would take without conflicts */
};

/* `banks` is 16 or 32.  `is_atomic`: lanes at one word are served one after another. */
struct banks_use banks_serve(const struct stream_access *a, uint32_t size, uint32_t banks,
                             bool is_atomic);

#endif
