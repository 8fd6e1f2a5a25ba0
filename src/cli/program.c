/* program.c - what a timed run executes or replays, as a source of kernels. */
#include "cli/program.h"

#include "study/files.h"
#include "study/inputs.h"
#include "study/study_program.h"

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

bool program_hash(const struct program *p, uint64_t *hash, struct err *e)
{
    const struct execute *x = &p->execute;
    if (x->workload) {
        *hash = inputs_stream_hash(x->workload->name, workload_size_name(x->size), x->args.text,
                                   x->seed);
        return !x->kernels ||
               files_hash(arena_printf(p->arena, "%s/%s.ptx", x->kernels, x->workload->kernels),
                          hash, e);
    }
    struct study_program files = {.ptx = x->ptx, .launch = x->launch, .trace = p->trace};
    bool ok = p->trace ? files_hash(p->trace, &files.contents, e)
                       : files_hash(x->ptx, &files.contents, e) &&
                             files_hash_launch(x->launch, &files.contents, e);
    *hash = study_program_hash(&files, x->seed);
    return ok;
}
