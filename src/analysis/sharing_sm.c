/* sharing_sm.c - what one SM touches, and the shadow of its L1. */
#include "analysis/sharing_priv.h"

STATS_ROWS(class, CLASS_STATS)

struct sharing_sm *sharing_sm_new(struct arena *a, const struct sharing_spec *spec, uint32_t index,
                                  uint32_t l1_lines)
{
    struct sharing_sm *w = ARENA_NEW(a, struct sharing_sm);
    w->path = arena_printf(a, "sm[%u]", index);
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        w->of[p] = footprint_new();
    w->shadow = shadow_new(a, l1_lines);
    w->counts_stores = spec->stores;
    return w;
}

void sharing_sm_free(struct sharing_sm *w)
{
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        footprint_clear(&w->of[p]);
    shadow_free(w->shadow);
}

void sharing_sm_add_stats(const struct sharing_sm *w, struct stats *tree)
{
    stats_join(tree, "sharing.l1", w->path, class_stat_rows,
               sizeof class_stat_rows / sizeof class_stat_rows[0], &w->stats);
}

void sharing_sm_touch(struct sharing_sm *w, const struct sharing_touch *t)
{
    static const enum footprint_load loads[] = {[SHARING_HIT] = LOAD_HIT,
                                                [SHARING_MERGE] = LOAD_MERGE,
                                                [SHARING_MISS] = LOAD_MISS,
                                                [SHARING_READ] = LOAD_NONE,
                                                [SHARING_WRITE] = LOAD_NONE};
    if (t->kind == SHARING_WRITE && !w->counts_stores)
        return;
    footprint_touch(&w->of[program_of(t->line)], t->line, t->cta, loads[t->kind], t->now);
}

void sharing_sm_fill(struct sharing_sm *w, uint64_t line, hd_cycle now)
{
    footprint_fill(&w->of[program_of(line)], line, now);
}

void sharing_sm_load(struct sharing_sm *w, uint64_t line, uint32_t wanted, uint32_t brought,
                     bool is_miss)
{
    sharing_count(&w->stats, shadow_access(w->shadow, line, wanted, brought), is_miss);
}

void sharing_sm_keep(struct sharing_sm *w, uint64_t line, uint32_t words)
{
    shadow_access(w->shadow, line, 0, words);
}

void sharing_sm_write(struct sharing_sm *w, uint64_t line, uint32_t words)
{
    shadow_write(w->shadow, line, words);
}

void sharing_sm_drop(struct sharing_sm *w, uint64_t line)
{
    shadow_drop(w->shadow, line);
}

void sharing_sm_forget(struct sharing_sm *w, uint32_t program)
{
    shadow_forget(w->shadow, program);
}

void sharing_sm_resize(struct sharing_sm *w, uint32_t l1_lines)
{
    shadow_resize(w->shadow, l1_lines);
}
