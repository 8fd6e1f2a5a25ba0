/* program.c - what a timed run executes or replays, as a source of kernels. */
#include "cli/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "study/inputs.h"

static bool drive(void *context, struct stream_driver *d, struct err *e)
{
    struct program *p = context;
    p->execute.driver = d;
    return execute_run(&p->execute, p->arena, &p->done, e);
}

bool program_open(struct program *p, bool keeps, struct err *e)
{
    p->arena = arena_new();
    p->title = p->trace ? p->trace : execute_title(&p->execute, p->arena);
    struct stream_driver_options o = {.drive = drive, .context = p, .keeps = keeps};
    p->source = p->trace ? stream_source_of_file(p->trace, e) : stream_source_of_driver(&o);
    return p->source != NULL;
}

void program_close(struct program *p)
{
    stream_source_free(p->source);
    p->source = NULL;
}

void program_free(struct program *p)
{
    program_close(p);
    if (p->arena)
        arena_free(p->arena);
    p->arena = NULL;
}

static bool hash_file(const char *path, uint64_t *hash, struct err *e)
{
    unsigned char part[1 << 14];
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
        *hash = bytes_hash(*hash, part, n);
    bool ok = f && !ferror(f);
    if (f)
        fclose(f);
    return ok || err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", path, strerror(errno));
}

bool program_hash(const struct program *p, uint64_t *hash, struct err *e)
{
    const struct execute *x = &p->execute;
    if (x->workload) {
        *hash = inputs_stream_hash(x->workload->name, workload_size_name(x->size), x->seed);
        return !x->kernels ||
               hash_file(arena_printf(p->arena, "%s/%s.ptx", x->kernels, x->workload->kernels),
                         hash, e);
    }
    *hash = x->seed;
    return p->trace ? hash_file(p->trace, hash, e)
                    : hash_file(x->ptx, hash, e) && hash_file(x->launch, hash, e);
}
