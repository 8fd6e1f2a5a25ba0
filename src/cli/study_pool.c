/* study_pool.c - the pool of a study as the program has it. */
#include "cli/study_pool.h"

#include <unistd.h>

#include "base/processors.h"
#include "cli/execute.h"
#include "study/pool_stream.h"

enum { MOST_JOBS = 1024 };

uint64_t study_pool_jobs(void)
{
    return processors_allowed();
}

static bool interrupted(void *bar)
{
    (void)bar;
    return interrupt_came();
}

static void progress(void *bar, const struct pool_progress *p)
{
    study_bar_show(bar, p);
}

/* Outputs are checked: a study should not time a kernel that computes nonsense. */
bool study_pool_record(const struct study *s, const struct study_program *p, const char *path,
                       struct err *e)
{
    struct arena *a = arena_new();
    struct execution done;
    struct execute x = {.ptx = p->ptx,
                        .launch = p->launch,
                        .seed = s->seed,
                        .record = pool_stream_part(a, path),
                        .prints_to_stderr = true};
    bool ok = (!p->workload || execute_parse_workload(study_program_title(a, p), &x, e)) &&
              execute_run(&x, a, &done, e) && pool_stream_publish(x.record, path, e);
    arena_free(a);
    return ok;
}

static bool record(void *bar, const struct study *s, const struct study_program *p,
                   const char *path, struct err *e)
{
    (void)bar;
    return study_pool_record(s, p, path, e);
}

void study_pool_begin(struct study_pool *p, struct arena *a, uint64_t jobs, const char *store,
                      const char *dir)
{
    study_bar_init(&p->bar);
    p->options = (struct pool_options){.processes = (uint32_t)(jobs < MOST_JOBS ? jobs : MOST_JOBS),
                                       .store = store,
                                       .streams = arena_printf(a, "%s/streams", dir),
                                       .progress = progress,
                                       .context = &p->bar,
                                       .interrupted = interrupted,
                                       .record = record,
                                       .leave = _exit};
    interrupt_begin(&p->signals);
}

void study_pool_end(struct study_pool *p)
{
    interrupt_end(&p->signals);
    study_bar_wipe(&p->bar);
}
