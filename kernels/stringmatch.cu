/* stringmatch.cu - where a word occurs in a text (Mars StringMatch).
 *
 * The original: a thread maps a line, comparing the word at each of its bytes; a match is a pair
 * of its place and its line.  There is nothing to group and nothing to reduce.  Mars maps twice,
 * to count and to write.
 *
 * Ours maps once: a match takes its place in the output by an atomic addition, as systems after
 * Mars do.  The word is in constant memory, the text is compared as it is. */
#include "heddle_cuda.h"

#define LONGEST 32

__constant__ char word[LONGEST];

HD_DEVICE bool matches(const char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        if (text[i] != word[i])
            return false;
    return true;
}

extern "C" __global__ void map(const char *text, const unsigned *lines, unsigned n, unsigned length,
                               uint2 *found, unsigned *nfound, unsigned *per_line)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    unsigned count = 0;
    for (unsigned at = lines[t], end = lines[t + 1]; at + length <= end; at++) {
        if (!matches(text + at, length))
            continue;
        found[atomicAdd(nfound, 1u)] = {at, t};
        count++;
    }
    per_line[t] = count;
}
