/* pageviewcount.cu - distinct visits of each page in a server's log (Mars PageViewCount).
 *
 * The original: two passes of MapReduce over lines of address, visitor and cookie.  The first
 * makes whole lines its keys, so that repeated ones fall together; its reduction keeps one of
 * each.  The second maps those to the address alone (up to the first tabulator) and counts the
 * members of each group.  Every line is one pair, so nothing has to be counted before mapping.
 *
 * Ours: grouping is by a hash table (mapreduce.h); distinct lines are appended to the second
 * pass's input by an atomic addition. */
#include "mapreduce.h"

extern "C" __global__ void map_lines(const char *text, const unsigned *lines, unsigned n,
                                     pair *pairs)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned at = lines[t], length = lines[t + 1] - at;
    pairs[t] = {at, length, hash_of(text + at, length), 1};
}

/* One line of each group; *n is how many there are. */
extern "C" __global__ void keep_distinct(const int *table, unsigned slots, unsigned *kept,
                                         unsigned *n)
{
    const unsigned t = thread_number();
    if (t < slots && table[t] != EMPTY)
        kept[atomicAdd(n, 1u)] = (unsigned)table[t];
}

extern "C" __global__ void map_addresses(const char *text, const pair *lines, const unsigned *kept,
                                         unsigned n, pair *pairs)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned at = lines[kept[t]].key, length = 0;
    while (text[at + length] != '\t')
        length++;
    pairs[t] = {at, length, hash_of(text + at, length), 1};
}

extern "C" __global__ void reduce(const pair *pairs, const unsigned *members, const unsigned *first,
                                  const unsigned *grouped, unsigned slots, unsigned *sums)
{
    const unsigned t = thread_number();
    if (t < slots)
        sums[t] = sum_of_group(pairs, grouped + first[t], members[t]);
}
