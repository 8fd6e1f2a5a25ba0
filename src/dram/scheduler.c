/* scheduler.c - the table of MC schedulers, expanded from schedulers.def. */
#include "dram/scheduler.h"

#include "base/str.h"
#include "sim/config.h"

#define SCHEDULER(id) extern const struct scheduler scheduler_##id;
#include "dram/schedulers.def"
#undef SCHEDULER

const struct scheduler *const scheduler_all[] = {
#define SCHEDULER(id) &scheduler_##id,
#include "dram/schedulers.def"
#undef SCHEDULER
};

const int scheduler_count = (int)(sizeof scheduler_all / sizeof scheduler_all[0]);

const struct scheduler *scheduler_find(const char *name)
{
    for (int i = 0; i < scheduler_count; i++)
        if (str_is_word(name, scheduler_all[i]->name))
            return scheduler_all[i];
    return NULL;
}

const struct scheduler *scheduler_variant(const struct scheduler *s, const struct config *cfg)
{
    const struct scheduler *v = s->variant ? s->variant(cfg) : NULL;
    return v ? v : s;
}

int scheduler_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < scheduler_count; i++)
        n = config_add_section(all, n, room, scheduler_all[i]->section);
    return n;
}
