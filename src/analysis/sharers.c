/* sharers.c - see sharers.h.
 *
 * A row counts blocks of *at least* so many SMs: it never goes down, though a block gets its SMs one by
 * one, and a cumulative distribution is one quotient. */
#include "analysis/sharers.h"

static const uint8_t least[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64};
enum { STEPS = sizeof least / sizeof least[0] };

STATS_ROWS(sharers, SHARERS_STATS)
_Static_assert(sizeof sharers_stat_rows / sizeof sharers_stat_rows[0] == 1 + STEPS,
               "a row for each");
_Static_assert(offsetof(struct sharers_stats, sharers_64) -
                       offsetof(struct sharers_stats, sharers_1) ==
                   (STEPS - 1) * sizeof(uint64_t),
               "rows are an array");

static uint32_t steps_up_to(uint32_t sms)
{
    uint32_t n = 0;
    while (n < STEPS && least[n] <= sms)
        n++;
    return n;
}

void sharers_add(struct sharers_stats *s, uint32_t n, uint64_t blocks)
{
    uint32_t steps = steps_up_to(n);
    s->sharers += blocks;
    if (steps > 0 && least[steps - 1] == n)
        (&s->sharers_1)[steps - 1] += blocks;
}

void sharers_add_stats(const struct sharers_stats *s, const char *path, const char *instance,
                       uint32_t sms, struct stats *tree)
{
    stats_join(tree, path, instance, sharers_stat_rows, 1 + steps_up_to(sms), s);
}
