/* explore_rig.c - explorations from text. */
#include "rig/explore_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void open_with(struct explore_rig *r, const char *text, const char *machine,
                      const struct study_options *o)
{
    *r = (struct explore_rig){.arena = arena_new(), .path = "/tmp/heddle_exploreXXXXXX"};
    int fd = mkstemp(r->path);
    CHECK(fd >= 0);
    CHECK_EQ(write(fd, text, strlen(text)), (long)strlen(text));
    close(fd);
    r->x = explore_read(r->arena, r->path, machine, o, &r->err);
    unlink(r->path);
}

void explore_rig_open(struct explore_rig *r, const char *text, const char *machine, bool is_quick)
{
    open_with(r, text, machine, &(struct study_options){.quick = is_quick});
}

void explore_rig_open_only(struct explore_rig *r, const char *text, const char *only)
{
    open_with(r, text, "", &(struct study_options){.only = only});
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
