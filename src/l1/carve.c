/* carve.c - how a memory is divided between L1 and shared memory; see carve.h.
 *
 * Not modelled: that an SM which still runs another kernel keeps its division until it is empty. */
#include "l1/carve.h"

bool carve_check(const struct cfg_list *sizes, uint64_t whole, uint64_t set, struct err *e)
{
    for (int i = 0; i < sizes->n; i++) {
        int64_t size = sizes->v[i];
        if (i > 0 && size <= sizes->v[i - 1])
            return err_set(e, STATUS_BAD_INPUT, "%lld after %lld: sizes must ascend",
                           (long long)size, (long long)sizes->v[i - 1]);
        if ((uint64_t)size >= whole)
            return err_set(e, STATUS_BAD_INPUT, "%lld leave the L1 nothing of l1.size, %llu bytes",
                           (long long)size, (unsigned long long)whole);
        if ((whole - (uint64_t)size) % set)
            return err_set(e, STATUS_BAD_INPUT,
                           "%lld leave the L1 %llu bytes, which are not whole sets of %llu",
                           (long long)size, (unsigned long long)(whole - (uint64_t)size),
                           (unsigned long long)set);
    }
    return true;
}

uint64_t carve_shared(const struct cfg_list *sizes, uint64_t bytes)
{
    uint64_t size = 0;
    for (int i = 0; i < sizes->n && (i == 0 || size < bytes); i++)
        size = (uint64_t)sizes->v[i];
    return size;
}
