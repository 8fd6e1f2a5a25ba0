/* explore_rig.c - explorations from text. */
#include "rig/explore_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

void explore_rig_open(struct explore_rig *r, const char *text, const char *machine, bool is_quick)
{
    *r = (struct explore_rig){.arena = arena_new(), .path = "/tmp/heddle_exploreXXXXXX"};
    int fd = mkstemp(r->path);
    CHECK(fd >= 0);
    CHECK_EQ(write(fd, text, strlen(text)), (long)strlen(text));
    close(fd);
    r->x = explore_read(r->arena, r->path, machine, &(struct study_options){.quick = is_quick},
                        &r->err);
    unlink(r->path);
}

void explore_rig_close(struct explore_rig *r)
{
    arena_free(r->arena);
}

bool explore_rig_refuses(const char *text, const char *words)
{
    struct explore_rig r;
    explore_rig_open(&r, text, "", false);
    bool ok = !r.x && r.err.status == STATUS_BAD_INPUT &&
              strncmp(r.err.text, r.path, strlen(r.path)) == 0 && strstr(r.err.text, words);
    if (!ok)
        printf("%s: expected: %s\n", r.err.text, words);
    explore_rig_close(&r);
    return ok;
}
