/* devmem.h - device memory: a sparse 64-bit space in which every access is checked against the
 * live allocations.
 *
 * The whole space is one reservation of host address space, so that a device address becomes a
 * host pointer by one addition; pages appear when touched.  Allocations are 256-byte aligned, with
 * a gap between neighbours so that running over the end is noticed; freed ranges are not handed
 * out again until the space is exhausted, so that use after free is noticed as well. */
#ifndef HEDDLE_DEV_DEVMEM_H
#define HEDDLE_DEV_DEVMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Generic addresses: windows of the spaces that are not global memory. */
#define DEVMEM_BASE 0x0000001000000000u   /* first global address */
#define DEVMEM_SHARED 0x0000700000000000u /* + offset in the CTA's shared memory */
#define DEVMEM_LOCAL 0x0000710000000000u  /* + offset in the thread's local memory */
#define DEVMEM_PARAM 0x0000720000000000u  /* + offset in the kernel's parameters */
#define DEVMEM_WINDOW 0x0000010000000000u /* size of each window */

struct devmem;

struct devmem_range { /* a live allocation: [lo, hi) */
    uint64_t lo, hi;
};

struct devmem *devmem_new(uint64_t capacity_bytes, struct err *e); /* 0: the default, 64 GiB */
void devmem_free_all(struct devmem *m);
/* 0 with *e set (STATUS_BUDGET) when there is no room.  A size of 0 gives an address with no
 * accessible byte. Fresh memory reads as zero. */
uint64_t devmem_alloc(struct devmem *m, uint64_t bytes, struct err *e);
bool devmem_release(struct devmem *m, uint64_t address,
                    struct err *e); /* must be an allocation's start */
/* The live allocation that holds `address`; false when there is none. */
bool devmem_find(const struct devmem *m, uint64_t address, struct devmem_range *r);
/* Why an access is wrong: "outside any allocation", "in freed memory", "4 bytes past the end of
 * the allocation at 0x...(+1024)". */
void devmem_explain(const struct devmem *m, uint64_t address, uint64_t bytes, char *text, size_t n);
/* Host side copies; bounds-checked, STATUS_BAD_INPUT with the reason. */
bool devmem_write(struct devmem *m, uint64_t to, const void *from, uint64_t bytes, struct err *e);
bool devmem_read(const struct devmem *m, void *to, uint64_t from, uint64_t bytes, struct err *e);
bool devmem_copy(struct devmem *m, uint64_t to, uint64_t from, uint64_t bytes, struct err *e);
bool devmem_set(struct devmem *m, uint64_t to, uint8_t value, uint64_t bytes, struct err *e);
uint64_t devmem_live_bytes(const struct devmem *m);

/* For the executor: host pointer = devmem_host(m) + address, for addresses of live allocations. */
uint8_t *devmem_host(const struct devmem *m); /* base minus DEVMEM_BASE: add the address itself */

#endif
