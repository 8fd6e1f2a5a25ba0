/* program.c - what a timed run executes or replays, as a source of kernels. */
#include "cli/program.h"

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
