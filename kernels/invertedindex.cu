/* invertedindex.cu - which documents link to which page (Mars InvertedIndex).
 *
 * The original: a thread maps a line of HTML, looking byte for byte for the opening of a link;
 * each link is a pair of the page's address (its bytes in the text) and the document; pairs are
 * grouped by address.  There is no reduction: the groups are the index.
 *
 * Ours: grouping is by a hash table (mapreduce.h). */
#include "mapreduce.h"

#define OPENING_LENGTH 9

__constant__ char opening[OPENING_LENGTH + 1] = "<a href=\"";

/* Moves *at behind the next opening; false when the line has none. */
HD_DEVICE bool next_link(const char *text, unsigned *at, unsigned end)
{
    unsigned matched = 0;
    while (*at < end && matched < OPENING_LENGTH) {
        char c = text[*at];
        matched = c == opening[matched] ? matched + 1 : c == opening[0];
        *at += 1;
    }
    return matched == OPENING_LENGTH;
}

HD_DEVICE unsigned address_length(const char *text, unsigned at, unsigned end)
{
    unsigned length = 0;
    while (at + length < end && text[at + length] != '"')
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
    while (next_link(text, &at, end)) {
        at += address_length(text, at, end);
        count++;
    }
    counts[t] = count;
}

extern "C" __global__ void map(const char *text, const unsigned *lines, unsigned n,
                               const unsigned *places, const unsigned *document_of, pair *pairs)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned at = lines[t], end = lines[t + 1], to = places[t];
    while (next_link(text, &at, end)) {
        unsigned length = address_length(text, at, end);
        pairs[to++] = {at, length, hash_of(text + at, length), document_of[t]};
        at += length;
    }
}

/* The index: documents of a page side by side. */
extern "C" __global__ void collect(const pair *pairs, const unsigned *grouped, unsigned n,
                                   unsigned *documents)
{
    const unsigned t = thread_number();
    if (t < n)
        documents[t] = pairs[grouped[t]].value;
}
