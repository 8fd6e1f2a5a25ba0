/* completion.c - the wheel of an SM's known future events.
 *
 * In hardware these are result pipelines of fixed length and their write-back stage.  Not modelled:
 * conflicts of results for the register file's write ports. */
#include "l1/completion.h"

void completions_init(struct completions *q, struct arena *a, uint32_t capacity)
{
    HD_ASSERT(capacity > 0 && capacity < COMPLETION_NONE, "%u completions", capacity);
    *q = (struct completions){.at = ARENA_ARRAY(a, struct completion, capacity), .first = HD_NEVER};
    for (uint32_t i = 0; i < capacity; i++)
        q->at[i].next = i + 1 < capacity ? (uint16_t)(i + 1) : COMPLETION_NONE;
}

/* The slot of now + 1 and those above it in its word, the other words, then the rest of the first
 * word: the order in which slots come due. */
hd_cycle completions_search(const struct completions *q, hd_cycle now)
{
    if (q->live == 0)
        return HD_NEVER;
    uint32_t start = (uint32_t)(now + 1) & (COMPLETION_SLOTS - 1), first = start >> 6;
    uint64_t above = ~0ull << (start & 63);
    for (uint32_t k = 0; k <= COMPLETION_WORDS; k++) {
        uint32_t word = (first + k) & (COMPLETION_WORDS - 1);
        uint64_t due = q->due[word];
        due &= k == 0 ? above : k == COMPLETION_WORDS ? ~above : ~0ull;
        if (due == 0)
            continue;
        uint32_t slot = word << 6 | (uint32_t)__builtin_ctzll(due);
        return now + 1 + ((slot - start) & (COMPLETION_SLOTS - 1));
    }
    return HD_NEVER;
}
