/* engine_team.c - a barrier that spins first.
 *
 * No hardware.  The caller counts `epoch` up, everybody works, each of the others then writes the
 * epoch it has done into a cache line of its own.  A piece of work takes microseconds, so whoever
 * waits spins; but a host may have fewer processors than threads, so nobody spins for long. */
#include "sim/engine_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/wall.h"

enum { SPINS = 400, YIELDS = 100 }; /* some microseconds; then about as many system calls */

struct member {
    alignas(64) uint32_t done; /* the last epoch */
    uint32_t number;
    struct engine_team *team;
    pthread_t thread;
};

struct engine_team {
    void (*work)(void *context, uint32_t thread);
    void *context;
    uint32_t wanted, n; /* threads, the caller included */
    struct member *member;
    pthread_mutex_t lock;
    pthread_cond_t called;
    bool quits;
    alignas(64) uint32_t epoch;
    uint32_t sleepers;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- the others ---- */

static void sleep_until_called(struct engine_team *t, uint32_t seen)
{
    pthread_mutex_lock(&t->lock);
    /* In one order with the caller's "epoch, then sleepers": one of the two sees the other. */
    __atomic_add_fetch(&t->sleepers, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&t->epoch, __ATOMIC_SEQ_CST) == seen)
        pthread_cond_wait(&t->called, &t->lock);
    __atomic_sub_fetch(&t->sleepers, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&t->lock);
}

static uint32_t await_call(struct engine_team *t, uint32_t seen)
{
    for (int i = 0; i < SPINS + YIELDS; i++) {
        uint32_t epoch = __atomic_load_n(&t->epoch, __ATOMIC_ACQUIRE);
        if (epoch != seen)
            return epoch;
        if (i < SPINS)
            relax();
        else
            sched_yield();
    }
    sleep_until_called(t, seen);
    return __atomic_load_n(&t->epoch, __ATOMIC_ACQUIRE);
}

static void *live(void *arg)
{
    struct member *m = arg;
    struct engine_team *t = m->team;
    for (;;) {
        uint32_t epoch = await_call(t, m->done);
        if (t->quits)
            return NULL;
        t->work(t->context, m->number);
        __atomic_store_n(&m->done, epoch, __ATOMIC_RELEASE);
    }
}

/* ---- the caller ---- */

static void call(struct engine_team *t)
{
    __atomic_store_n(&t->epoch, t->epoch + 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&t->sleepers, __ATOMIC_SEQ_CST) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->called);
    pthread_mutex_unlock(&t->lock);
}

struct engine_team *engine_team_new(struct arena *a, uint32_t threads,
                                    void (*work)(void *context, uint32_t thread), void *context)
{
    struct engine_team *t = ARENA_NEW(a, struct engine_team);
    t->work = work;
    t->context = context;
    t->wanted = threads;
    t->n = 1;
    t->member = ARENA_ARRAY(a, struct member, threads);
    return t;
}

void engine_team_limit(struct engine_team *t, uint32_t threads)
{
    t->wanted = threads < t->wanted ? threads : t->wanted;
}

uint32_t engine_team_start(struct engine_team *t)
{
    if (t->n > 1 || t->wanted < 2)
        return t->n;
    t->quits = false;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->called, NULL);
    for (; t->n < t->wanted; t->n++) {
        struct member *m = &t->member[t->n];
        *m = (struct member){.done = t->epoch, .number = t->n, .team = t};
        if (pthread_create(&m->thread, NULL, live, m) != 0)
            break;
    }
    return t->n;
}

static bool is_done(const struct engine_team *t, uint32_t i)
{
    return __atomic_load_n(&t->member[i].done, __ATOMIC_ACQUIRE) == t->epoch;
}

uint64_t engine_team_run(struct engine_team *t)
{
    uint64_t gave_way = 0;
    call(t);
    t->work(t->context, 0);
    for (uint32_t i = 1; i < t->n; i++) {
        int spins = 0;
        for (; spins < SPINS && !is_done(t, i); spins++)
            relax();
        if (spins == SPINS && !gave_way)
            gave_way = wall_ns();
        while (!is_done(t, i))
            sched_yield();
    }
    return gave_way ? wall_ns() - gave_way : 0;
}

void engine_team_stop(struct engine_team *t)
{
    if (t->n < 2)
        return;
    t->quits = true;
    call(t);
    for (uint32_t i = 1; i < t->n; i++)
        pthread_join(t->member[i].thread, NULL);
    t->n = 1;
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->called);
}
