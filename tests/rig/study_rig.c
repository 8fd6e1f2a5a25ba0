#include "rig/study_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void study_rig_open(struct study_rig *r, const char *text, const struct study_options *o)
{
    *r = (struct study_rig){.arena = arena_new()};
    snprintf(r->path, sizeof r->path, "/tmp/heddle-study-XXXXXX");
    int fd = mkstemp(r->path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    HD_ASSERT(f, "%s cannot be made", r->path);
    fputs(text, f);
    fclose(f);
    r->study = study_read(r->arena, r->path, o, &r->err);
    unlink(r->path);
}

void study_rig_close(struct study_rig *r)
{
    arena_free(r->arena);
}

bool study_rig_refuses(const char *text, const char *begin, const char *has)
{
    struct study_rig r;
    study_rig_open(&r, text, NULL);
    size_t n = strlen(r.path);
    bool ok = !r.study && r.err.status == STATUS_BAD_INPUT && strncmp(r.err.text, r.path, n) == 0 &&
              strncmp(r.err.text + n, begin, strlen(begin)) == 0 && strstr(r.err.text, has);
    if (!ok)
        fprintf(stderr, "got: %s\n", r.study ? "no error" : r.err.text);
    study_rig_close(&r);
    return ok;
}

static const char *find(struct arena *a, const char *what, const char *name, struct err *e)
{
    const char *path = arena_printf(a, "%s/%ss/%s.yaml", HEDDLE_SOURCE_DIR, what, name);
    if (access(path, R_OK) == 0)
        return path;
    err_set(e, STATUS_BAD_INPUT, "no %s \"%s\"", what, name);
    return NULL;
}

static const char *find_machine(struct arena *a, const char *name, struct err *e)
{
    return find(a, "machine", name, e);
}

static const char *find_network(struct arena *a, const char *name, struct err *e)
{
    return find(a, "network", name, e);
}

static bool check(const struct study_program *p, uint64_t seed, struct err *e)
{
    (void)seed;
    return !strstr(p->ptx, "BAD") || err_set(e, STATUS_BAD_INPUT, "%s: no kernel", p->ptx);
}

const struct study_above study_rig_above = {find_machine, find_network, check};
