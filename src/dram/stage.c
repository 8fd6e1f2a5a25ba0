/* stage.c - see stage.h.  A few dozen places: lists are searched and moved up. */
#include "dram/stage.h"

#include <string.h>

enum { NOBODY = UINT32_MAX };

void stage_init(struct stage *s, struct arena *a, const struct stage_options *opt)
{
    *s = (struct stage){.room = opt->room, .above = opt->above, .after = opt->after};
    for (int k = 0; k < 2; k++) {
        s->of[k].at = ARENA_ARRAY(a, struct queue_entry, opt->room);
        s->of[k].since = ARENA_ARRAY(a, hd_cycle, opt->room);
    }
}

void stage_add(struct stage *s, hd_cycle now, const struct queue_entry *e)
{
    struct stage_list *l = &s->of[e->is_write];
    HD_ASSERT(stage_has_room(s, e->is_write), "a transfer for a full stage");
    l->at[l->n] = *e;
    l->at[l->n].rank = ++s->arrivals;
    l->since[l->n++] = now;
}

/* An older one of the line and the other kind waits, too. */
static bool is_behind(const struct stage *s, const struct queue_entry *e)
{
    const struct stage_list *l = &s->of[!e->is_write];
    for (uint32_t i = 0; i < l->n && l->at[i].rank < e->rank; i++)
        if (l->at[i].line == e->line)
            return true;
    return false;
}

static bool is_read_behind(const struct stage *s)
{
    for (uint32_t i = 0; s->of[1].n && i < s->of[0].n; i++)
        if (is_behind(s, &s->of[0].at[i]))
            return true;
    return false;
}

static hd_cycle overdue_at(const struct stage *s)
{
    return s->of[1].n && s->after != HD_NEVER ? s->of[1].since[0] + s->after : HD_NEVER;
}

static bool begins(const struct stage *s, const struct channel *ch, hd_cycle now)
{
    const uint32_t n = s->of[1].n;
    return n && (n == s->room || (n > s->above && ch->q.count == 0) || overdue_at(s) <= now ||
                 is_read_behind(s));
}

/* The first that can go on. */
static uint32_t first_read(const struct stage *s, const struct channel *ch)
{
    for (uint32_t i = 0; i < s->of[0].n; i++)
        if (channel_has_room(ch, s->of[0].at[i].bank) && !is_behind(s, &s->of[0].at[i]))
            return i;
    return NOBODY;
}

static uint32_t first_write(const struct stage *s, const struct channel *ch)
{
    for (uint32_t i = 0; i < s->of[1].n; i++)
        if (channel_has_room(ch, s->of[1].at[i].bank))
            return i;
    return NOBODY;
}

static void move(struct stage *s, struct channel *ch, bool is_write, uint32_t i, hd_cycle now)
{
    struct stage_list *l = &s->of[is_write];
    channel_add(ch, now, &l->at[i]);
    s->left -= is_write;
    l->n--;
    memmove(&l->at[i], &l->at[i + 1], (l->n - i) * sizeof l->at[0]);
    memmove(&l->since[i], &l->since[i + 1], (l->n - i) * sizeof l->since[0]);
}

/* Who goes on in a cycle with, or without a batch; a batch that has to wait for a read is over. */
static uint32_t choose(const struct stage *s, const struct channel *ch, bool *is_batch)
{
    uint32_t i = *is_batch ? first_write(s, ch) : NOBODY;
    if (i != NOBODY && is_behind(s, &s->of[1].at[i]))
        *is_batch = false;
    return *is_batch ? i : first_read(s, ch);
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
