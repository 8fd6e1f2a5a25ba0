/* source.c - a source of kernels, of whatever kind. */
#include "stream/source.h"

#include "stream/source_priv.h"

const struct stream_store *stream_source_next(struct stream_source *s, struct err *e)
{
    return s->next(s, e);
}

void stream_source_restart(struct stream_source *s)
{
    s->restart(s);
}

void stream_source_free(struct stream_source *s)
{
    if (s)
        s->free(s);
}

/* --- one kernel ------------------------------------------------------------------------------- */

struct kernel_source {
    struct stream_source source;
    struct arena *arena;
    const struct stream_store *kernel;
    bool is_taken;
};

static const struct stream_store *next_kernel(struct stream_source *base, struct err *e)
{
    struct kernel_source *s = (struct kernel_source *)base;
    bool was_taken = s->is_taken;
    (void)e;
    s->is_taken = true;
    return was_taken ? NULL : s->kernel;
}

static void restart_kernel(struct stream_source *base)
{
    ((struct kernel_source *)base)->is_taken = false;
}

static void free_kernel(struct stream_source *base)
{
    arena_free(((struct kernel_source *)base)->arena);
}

struct stream_source *stream_source_of_kernel(const struct stream_store *kernel)
{
    struct arena *a = arena_new();
    struct kernel_source *s = ARENA_NEW(a, struct kernel_source);
    *s = (struct kernel_source){{next_kernel, restart_kernel, free_kernel}, a, kernel, false};
    return &s->source;
}
