#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/processors.h"

static void some_of_those_allowed_are_idle(void)
{
    for (int i = 0; i < 100; i++) {
        uint32_t idle = processors_idle(), allowed = processors_allowed();
        CHECK(idle >= 1 && idle <= allowed);
    }
}

static void a_process_that_is_bound_has_what_it_is_bound_to(void)
{
    cpu_set_t before, one;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    size_t first = 0;
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(processors_allowed(), 1);
    CHECK_EQ(processors_idle(), 1);
    CHECK_EQ(sched_setaffinity(0, sizeof before, &before), 0);
    CHECK_EQ(processors_allowed(), (uint32_t)CPU_COUNT(&before));
}

struct spinner {
    pthread_t thread;
    atomic_bool has_begun, ends;
};

static void *spin(void *arg)
{
    struct spinner *s = arg;
    atomic_store(&s->has_begun, true);
    while (!atomic_load(&s->ends))
        ;
    return NULL;
}

static void *sleep_until_told(void *arg)
{
    char byte;
    return read(*(int *)arg, &byte, 1) < 0 ? arg : NULL;
}

/* Those that work count, on a processor or waiting for one; those that sleep do not. */
static void threads_of_our_own_that_run_are_counted(void)
{
    struct spinner s = {.has_begun = false};
    pthread_t sleeper;
    int pipe_ends[2];
    CHECK_EQ(pipe(pipe_ends), 0);
    CHECK_EQ(pthread_create(&sleeper, NULL, sleep_until_told, &pipe_ends[0]), 0);
    while (processors_own_threads() != 1) /* until it sleeps */
        sched_yield();
    CHECK_EQ(pthread_create(&s.thread, NULL, spin, &s), 0);
    while (!atomic_load(&s.has_begun))
        sched_yield();
    CHECK_EQ(processors_own_threads(), 2);
    CHECK(processors_idle() >= 1);
    atomic_store(&s.ends, true);
    pthread_join(s.thread, NULL);
    CHECK_EQ(processors_own_threads(), 1);
    CHECK_EQ(write(pipe_ends[1], "x", 1), 1);
    pthread_join(sleeper, NULL);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

CHECK_MAIN("processors", TEST(some_of_those_allowed_are_idle),
           TEST(a_process_that_is_bound_has_what_it_is_bound_to),
           TEST(threads_of_our_own_that_run_are_counted))
