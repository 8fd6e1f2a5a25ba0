/* explore_rig.h - explorations from text. */
#ifndef RIG_EXPLORE_RIG_H
#define RIG_EXPLORE_RIG_H

#include "explore/explore.h"

struct explore_rig {
    struct arena *arena;
    const struct exploration *x; /* NULL: refused */
    struct err err;
    char path[64]; /* of the file, which is gone */
};

void explore_rig_open(struct explore_rig *r, const char *text, const char *machine, bool is_quick);
void explore_rig_open_only(struct explore_rig *r, const char *text, const char *only);
void explore_rig_close(struct explore_rig *r);
/* Whether it is refused with these words, after the file's name. */
bool explore_rig_refuses(const char *text, const char *words);

#endif
