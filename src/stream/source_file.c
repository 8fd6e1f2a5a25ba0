/* source_file.c - the kernels of a recorded file. */
#include "stream/source_priv.h"

struct file_source {
    struct stream_source source;
    struct arena *arena;
    struct stream_file *file;
    struct stream_store *kernel; /* the one that was asked for last */
    uint32_t next;
};

static void drop_kernel(struct file_source *s)
{
    stream_store_free(s->kernel);
    s->kernel = NULL;
}

static const struct stream_store *next(struct stream_source *base, struct err *e)
{
    struct file_source *s = (struct file_source *)base;
    drop_kernel(s);
    if (s->next < stream_file_kernels(s->file))
        s->kernel = stream_file_kernel(s->file, s->next++, e);
    return s->kernel;
}

static void restart(struct stream_source *base)
{
    ((struct file_source *)base)->next = 0;
}

static void free_all(struct stream_source *base)
{
    struct file_source *s = (struct file_source *)base;
    drop_kernel(s);
    stream_file_free(s->file);
    arena_free(s->arena);
}

struct stream_source *stream_source_of_file(const char *path, struct err *e)
{
    struct stream_file *f = stream_file_open(path, e);
    if (!f)
        return NULL;
    struct arena *a = arena_new();
    struct file_source *s = ARENA_NEW(a, struct file_source);
    *s = (struct file_source){{next, restart, free_all}, a, f, NULL, 0};
    return &s->source;
}
