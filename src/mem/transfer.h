/* transfer.h - what an L2 slice asks of its memory controller.
 *
 * A slice owns a table of transfers; the ports between slice and controller carry indices into
 * it.  An entry belongs to the slice until pushed, to the controller until its index comes back
 * (reads: the data has arrived; writes: they are in DRAM), then to the slice again. */
#ifndef HEDDLE_MEM_TRANSFER_H
#define HEDDLE_MEM_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

struct transfer {
    uint64_t line;    /* global address of the 128-byte line */
    uint32_t version; /* --check: of the data, carried by a write, set by a read's answer */
    uint8_t sectors;  /* which 32-byte sectors; consecutive bursts cover the span they lie in */
    bool is_write;
    uint16_t slice; /* among those of the controller */
};

#endif
