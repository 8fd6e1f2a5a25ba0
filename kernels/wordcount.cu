/* wordcount.cu - how often each word occurs in a text (Mars WordCount).
 *
 * The original: a thread maps a line, walking over its bytes; words of six letters and more are
 * pairs (the short ones are everywhere); pairs are grouped by word, and a thread per group adds
 * up.  Neighbouring threads read bytes a line apart: lanes diverge, and a warp's load touches as
 * many lines of the cache as it has lanes.
 *
 * Ours: grouping is by a hash table (mapreduce.h), and words are not ended by zeros in the text. */
#include "mapreduce.h"

#define SHORTEST 6

HD_DEVICE bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The next word at or after `at`; its length, 0 when the line has no more. */
HD_DEVICE unsigned next_word(const char *text, unsigned *at, unsigned end)
{
    unsigned length = 0;
    while (*at < end && !is_letter(text[*at]))
        *at += 1;
    while (*at + length < end && is_letter(text[*at + length]))
        length++;
    return length;
}

extern "C" __global__ void map_count(const char *text, const unsigned *lines, unsigned n,
                                     unsigned *counts)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned at = lines[t], end = lines[t + 1], count = 0;
    for (unsigned length; (length = next_word(text, &at, end)) > 0; at += length)
        count += length >= SHORTEST;
    counts[t] = count;
}

extern "C" __global__ void map(const char *text, const unsigned *lines, unsigned n,
                               const unsigned *places, pair *pairs)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned at = lines[t], end = lines[t + 1], to = places[t];
    for (unsigned length; (length = next_word(text, &at, end)) > 0; at += length)
        if (length >= SHORTEST)
            pairs[to++] = {at, length, hash_of(text + at, length), 1};
}

/* A thread per slot adds the values of its group. */
extern "C" __global__ void reduce(const pair *pairs, const unsigned *members, const unsigned *first,
                                  const unsigned *grouped, unsigned slots, unsigned *sums)
{
    const unsigned t = thread_number();
    if (t < slots)
        sums[t] = sum_of_group(pairs, grouped + first[t], members[t]);
}
