/* stage.c - see stage.h.  A few dozen places: lists are searched and moved up. */
#include "dram/stage.h"

#include <string.h>

enum { NOBODY = UINT32_MAX };

void stage_init(struct stage *s, struct arena *a, const struct stage_options *opt)
{
    *s = (struct stage){.room = opt->room, .above = opt->above, .after = opt->after};
    for (int k = 0; k < 2; k++) {
        s->of[k].bank = ARENA_ARRAY(a, uint16_t, opt->room);
        s->of[k].at = ARENA_ARRAY(a, struct queue_entry, opt->room);
        s->of[k].since = ARENA_ARRAY(a, hd_cycle, opt->room);
    }
}

/* The last older one of the line and the other kind.  Those of one line and kind leave in order: none of them waits
 * any more when this one has left. */
static uint64_t last_before(const struct stage *s, const struct queue_entry *e)
{
    const struct stage_list *l = &s->of[!e->is_write];
    for (uint32_t i = l->n; i-- > 0;)
        if (l->at[i].line == e->line)
            return l->at[i].rank;
    return 0;
}

void stage_add(struct stage *s, hd_cycle now, const struct queue_entry *from)
{
    struct stage_list *l = &s->of[from->is_write];
    HD_ASSERT(stage_has_room(s, from->is_write), "a transfer for a full stage");
    struct queue_entry *e = &l->at[l->n];
    *e = *from;
    e->rank = ++s->arrivals;
    e->after = last_before(s, e);
    l->nbehind += e->after != 0;
    l->bank[l->n] = e->bank;
    l->since[l->n++] = now;
}

/* Those who waited for one that has left. */
static void let_go(struct stage_list *l, uint64_t rank)
{
    for (uint32_t i = 0; l->nbehind && i < l->n; i++) {
        if (l->at[i].after != rank)
            continue;
        l->at[i].after = 0;
        l->nbehind--;
    }
}

static hd_cycle overdue_at(const struct stage *s)
{
    return s->of[1].n && s->after != HD_NEVER ? s->of[1].since[0] + s->after : HD_NEVER;
}

static bool begins(const struct stage *s, const struct channel *ch, hd_cycle now)
{
    const uint32_t n = s->of[1].n;
    return n && (n == s->room || (n > s->above && ch->q.count == 0) || overdue_at(s) <= now ||
                 s->of[0].nbehind);
}

/* The first for whose bank there is room; of reads, one that need not wait for a write. */
static uint32_t first_of(const struct stage_list *l, const struct channel *ch, bool is_write)
{
    if (channel_is_full(ch))
        return NOBODY;
    for (uint32_t i = 0; i < l->n; i++)
        if (channel_has_room(ch, l->bank[i]) && (is_write || !l->nbehind || !l->at[i].after))
            return i;
    return NOBODY;
}

static void move(struct stage *s, struct channel *ch, bool is_write, uint32_t i, hd_cycle now)
{
    struct stage_list *l = &s->of[is_write];
    channel_add(ch, now, &l->at[i]);
    let_go(&s->of[!is_write], l->at[i].rank);
    s->left -= is_write;
    l->n--;
    memmove(&l->at[i], &l->at[i + 1], (l->n - i) * sizeof l->at[0]);
    memmove(&l->bank[i], &l->bank[i + 1], (l->n - i) * sizeof l->bank[0]);
    memmove(&l->since[i], &l->since[i + 1], (l->n - i) * sizeof l->since[0]);
}

/* Who goes on in a cycle with, or without a batch; a batch that has to wait for a read is over. */
static uint32_t choose(const struct stage *s, const struct channel *ch, bool *is_batch)
{
    uint32_t i = *is_batch ? first_of(&s->of[1], ch, true) : NOBODY;
    if (i != NOBODY && s->of[1].at[i].after)
        *is_batch = false;
    return *is_batch ? i : first_of(&s->of[0], ch, false);
}

void stage_step(struct stage *s, struct channel *ch, hd_cycle now)
{
    bool is_batch = s->left || begins(s, ch, now);
    s->left = s->left ? s->left : is_batch ? s->of[1].n : 0;
    const uint32_t i = choose(s, ch, &is_batch);
    s->left = is_batch ? s->left : 0;
    if (i != NOBODY)
        move(s, ch, is_batch, i, now);
}

/* That a batch begins or ends is something, too. */
hd_cycle stage_next(const struct stage *s, const struct channel *ch, hd_cycle now)
{
    bool is_batch = s->left || begins(s, ch, now + 1);
    const hd_cycle due = is_batch ? HD_NEVER : overdue_at(s);
    const uint32_t i = choose(s, ch, &is_batch);
    return i != NOBODY || is_batch != (s->left > 0) ? now + 1 : due;
}
