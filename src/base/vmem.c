/* vmem.c - reservations by mmap.
 *
 * Space is reserved without access rights, which no overcommit policy counts; mprotect makes it
 * usable and is refused by the system when the piece is larger than the machine could ever hold,
 * so that an absurd size is an error here and not a killed process later. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "base/vmem.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"

void *vmem_reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool vmem_commit(void *start, size_t bytes)
{
    return mprotect(start, bytes, PROT_READ | PROT_WRITE) == 0;
}

void vmem_prefer_large_pages(void *start, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(start, bytes, MADV_HUGEPAGE); /* a wish */
#else
    (void)start, (void)bytes;
#endif
}

void vmem_clear(void *start, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t lo = (uintptr_t)start, hi = lo + bytes;
    uintptr_t first = (lo + page - 1) / page * page, last = hi / page * page;
    if (first >= last) {
        memset(start, 0, bytes);
        return;
    }
    memset(start, 0, first - lo);
    memset((void *)last, 0, hi - last);
    if (madvise((void *)first, last - first, MADV_DONTNEED) != 0)
        memset((void *)first, 0, last - first);
}

void vmem_release(void *start, size_t bytes)
{
    if (start && munmap(start, bytes) != 0)
        HD_ASSERT(false, "munmap of %zu bytes failed", bytes);
}
