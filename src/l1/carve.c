/* carve.c - how a memory is divided between L1 and shared memory; see carve.h.
 *
 * Not modelled: that an SM which still runs another kernel keeps its division until it is empty. */
#include "l1/carve.h"

#include <string.h>

#include "base/str.h"

/* Takes a size and its comma off the front; -1: not a size. */
static int64_t take(const char **at)
{
    char text[32];
    size_t n = strcspn(*at, ",");
    int64_t value = -1;
    if (n > 0 && n < sizeof text) {
        memcpy(text, *at, n);
        text[n] = '\0';
        if (!str_to_int(text, &value))
            value = -1;
    }
    *at += n + ((*at)[n] == ',');
    return value;
}

bool carve_check(const char *sizes, uint64_t whole, struct err *e)
{
    int64_t last = -1;
    size_t length = strlen(sizes);
    if (length > 0 && sizes[length - 1] == ',')
        return err_set(e, STATUS_BAD_INPUT, "an empty entry: a comma too many");
    for (const char *at = sizes; *at;) {
        int64_t size = take(&at);
        if (size <= last || (uint64_t)size >= whole)
            return err_set(
                e, STATUS_BAD_INPUT,
                "expected ascending sizes below %llu bytes, such as 0,8K,16K; found \"%s\"",
                (unsigned long long)whole, sizes);
        last = size;
    }
    return true;
}

uint64_t carve_shared(const char *sizes, uint64_t bytes)
{
    uint64_t size = 0;
    for (const char *at = sizes; *at;) {
        size = (uint64_t)take(&at);
        if (size >= bytes)
            break;
    }
    return size;
}
