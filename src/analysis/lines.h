/* lines.h - a table of lines, or of other 64-bit keys, with a record for each.
 *
 * It grows as keys come and gives each the next number, from 0; a key stays until all are forgotten.
 * For analyses: the machine itself allocates nothing while it runs. */
#ifndef HEDDLE_ANALYSIS_LINES_H
#define HEDDLE_ANALYSIS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define LINES_NONE UINT32_MAX

/* { .bytes = sizeof(struct record) } is an empty table. */
struct lines {
    size_t bytes; /* of a record; 0: keys alone */
    uint32_t n, room;
    uint64_t *key;       /* [room] */
    char *record;        /* [room], of `bytes` each; zero when they come */
    uint32_t *slot;      /* [2 * room]: hash table of numbers, plus 1; 0: free */
    struct arena *arena; /* of the arrays; NULL: there are none yet */
};

uint32_t lines_find(const struct lines *l, uint64_t key); /* or LINES_NONE */
uint32_t lines_add(struct lines *l, uint64_t key);        /* its number, be it new or not */
void lines_clear(struct lines *l);                        /* empty again; nothing is allocated */

/* Good until the next key comes. */
static inline void *lines_at(const struct lines *l, uint32_t i)
{
    return l->record + i * l->bytes;
}

#endif
