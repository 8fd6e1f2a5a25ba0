/* source_driver.c - kernels that a driver launches, executed in a thread of its own.
 *
 * There is one place between the two threads: while kernel k is timed, k + 1 is executed, and the
 * driver then waits with it.  What a driver computes never depends on how fast it is asked, so
 * results are the same whoever is ahead. */
#include <pthread.h>
#include <stdatomic.h>

#include "stream/source_priv.h"

struct stream_driver {
    struct stream_source source;
    struct stream_driver_options options;
    struct arena *arena;
    pthread_t thread;
    bool has_thread, keeps;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* under the mutex */
    struct stream_store *offered; /* waits to be asked for */
    bool has_ended;
    struct err err; /* of a driver that has ended */
    /* of who asks */
    struct stream_store **kernel; /* asked for so far: all of them, or only the last */
    uint32_t nkernels, room, next;
    atomic_bool is_stopped, is_awaited;
};

/* --- the driver's side ------------------------------------------------------------------------ */

bool stream_driver_is_stopped(const struct stream_driver *d)
{
    return atomic_load(&d->is_stopped);
}

bool stream_driver_is_awaited(const struct stream_driver *d)
{
    return atomic_load(&d->is_awaited);
}

bool stream_driver_offer(struct stream_driver *d, struct stream_store *kernel, struct err *e)
{
    pthread_mutex_lock(&d->mutex);
    while (d->offered && !atomic_load(&d->is_stopped))
        pthread_cond_wait(&d->changed, &d->mutex);
    bool is_wanted = !atomic_load(&d->is_stopped);
    if (is_wanted)
        d->offered = kernel;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    if (is_wanted)
        return true;
    stream_store_free(kernel);
    return err_set(e, STATUS_BUDGET, "nobody times this kernel any more");
}

static void *run(void *context)
{
    struct stream_driver *d = context;
    struct err e = {0};
    d->options.drive(d->options.context, d, &e);
    pthread_mutex_lock(&d->mutex);
    d->err = e;
    d->has_ended = true;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

/* --- the side of who asks --------------------------------------------------------------------- */

static struct stream_store *take(struct stream_driver *d, struct err *e)
{
    pthread_mutex_lock(&d->mutex);
    atomic_store(&d->is_awaited, true);
    while (!d->offered && !d->has_ended)
        pthread_cond_wait(&d->changed, &d->mutex);
    atomic_store(&d->is_awaited, false);
    struct stream_store *kernel = d->offered;
    d->offered = NULL;
    if (!kernel && d->err.status)
        *e = d->err;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    return kernel;
}

static void keep(struct stream_driver *d, struct stream_store *kernel)
{
    if (d->nkernels == d->room) {
        uint32_t room = d->room ? 2 * d->room : 8;
        struct stream_store **more = ARENA_ARRAY(d->arena, struct stream_store *, room);
        for (uint32_t i = 0; i < d->nkernels; i++)
            more[i] = d->kernel[i];
        d->kernel = more;
        d->room = room;
    }
    d->kernel[d->nkernels++] = kernel;
}

static void drop_kernels(struct stream_driver *d)
{
    for (uint32_t i = 0; i < d->nkernels; i++)
        stream_store_free(d->kernel[i]);
    d->nkernels = d->next = 0;
}

static const struct stream_store *next(struct stream_source *base, struct err *e)
{
    struct stream_driver *d = (struct stream_driver *)base;
    if (d->next < d->nkernels)
        return d->kernel[d->next++];
    if (!d->keeps)
        drop_kernels(d);
    struct stream_store *kernel = take(d, e);
    if (!kernel)
        return NULL;
    keep(d, kernel);
    return d->kernel[d->next++];
}

static void restart(struct stream_source *base)
{
    struct stream_driver *d = (struct stream_driver *)base;
    HD_ASSERT(d->keeps, "a driver whose kernels are not kept cannot restart");
    d->next = 0;
}

static void free_all(struct stream_source *base)
{
    struct stream_driver *d = (struct stream_driver *)base;
    pthread_mutex_lock(&d->mutex);
    atomic_store(&d->is_stopped, true);
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    if (d->has_thread)
        pthread_join(d->thread, NULL);
    stream_store_free(d->offered);
    drop_kernels(d);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->mutex);
    arena_free(d->arena);
}

struct stream_source *stream_source_of_driver(const struct stream_driver_options *o)
{
    struct arena *a = arena_new();
    struct stream_driver *d = ARENA_NEW(a, struct stream_driver);
    d->source = (struct stream_source){next, restart, free_all};
    d->options = *o;
    d->arena = a;
    d->keeps = o->keeps;
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->changed, NULL);
    d->has_thread = pthread_create(&d->thread, NULL, run, d) == 0;
    if (!d->has_thread) {
        d->has_ended = true;
        err_set(&d->err, STATUS_BUDGET, "the system gives no thread to execute kernels in");
    }
    return &d->source;
}
