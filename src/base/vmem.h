/* vmem.h - address space taken from the operating system: reserved at once, usable piece by piece.
 *
 * Reserved space costs no memory and does not count as promised memory; committed space reads as
 * zero and takes a page when it is first touched. */
#ifndef HEDDLE_BASE_VMEM_H
#define HEDDLE_BASE_VMEM_H

#include <stdbool.h>
#include <stddef.h>

#define VMEM_LARGE_PAGE ((size_t)2 << 20)

void *vmem_reserve(size_t bytes);            /* page-aligned; NULL when refused */
bool vmem_commit(void *start, size_t bytes); /* part of a reservation, start page-aligned */
/* Asks for large pages (VMEM_LARGE_PAGE bytes, so aligned), which the system may have or not. */
void vmem_prefer_large_pages(void *start, size_t bytes);
/* The bytes read as zero again, and their whole pages go back to the system. */
void vmem_clear(void *start, size_t bytes);
void vmem_release(void *start, size_t bytes); /* a whole reservation; NULL is allowed */

#endif
