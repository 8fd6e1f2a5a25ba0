/* sharing_slice.c - the shadow of a slice of the L2, and who uses its lines while they are there. */
#include "analysis/sharing_priv.h"

STATS_ROWS(class, CLASS_STATS)

struct sharing_slice *sharing_slice_new(struct arena *a, uint32_t index, uint32_t sms,
                                        uint32_t l2_lines)
{
    struct sharing_slice *w = ARENA_NEW(a, struct sharing_slice);
    w->path = arena_printf(a, "l2[%u]", index);
    w->sms = sms;
    w->shadow = shadow_new(a, l2_lines);
    w->words = (sms + 63) / 64;
    w->line = ARENA_ARRAY(a, uint64_t, l2_lines);
    w->users = ARENA_ARRAY(a, uint64_t, (uint64_t)l2_lines * w->words);
    return w;
}

void sharing_slice_free(struct sharing_slice *w)
{
    shadow_free(w->shadow);
}

/* No slice drops a line: the last class is empty. */
void sharing_slice_add_stats(const struct sharing_slice *w, struct stats *tree)
{
    stats_join(tree, "sharing.l2", w->path, class_stat_rows,
               sizeof class_stat_rows / sizeof class_stat_rows[0] - 1, &w->stats);
    sharers_add_stats(&w->sharers, "sharing.l2", w->path, w->sms, tree);
}

/* A way that holds another line than last time begins anew. */
static void count_user(struct sharing_slice *w, const struct sharing_use *u)
{
    uint64_t *users = w->users + (uint64_t)u->way * w->words, bit = 1ull << (u->sm & 63);
    uint32_t n = 0;
    if (w->line[u->way] != u->line + 1)
        for (uint32_t i = 0; i < w->words; i++)
            users[i] = 0;
    w->line[u->way] = u->line + 1;
    if (users[u->sm >> 6] & bit)
        return;
    users[u->sm >> 6] |= bit;
    for (uint32_t i = 0; i < w->words; i++)
        n += (uint32_t)__builtin_popcountll(users[i]);
    sharers_add(&w->sharers, n, 1);
}

void sharing_slice_use(struct sharing_slice *w, const struct sharing_use *u)
{
    sharing_count(&w->stats, shadow_access(w->shadow, u->line, u->wanted, u->brought), u->is_miss);
    if (u->way != UINT32_MAX)
        count_user(w, u);
}
