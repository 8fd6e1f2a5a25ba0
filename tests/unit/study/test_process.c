/* Children: their last words, their ends. */
#include "study/process.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static bool succeeds(void *context, struct err *e)
{
    (void)context;
    (void)e;
    puts("words of no consequence");
    return true;
}

static bool refuses(void *context, struct err *e)
{
    fprintf(stderr, "first line\n");
    return err_set(e, STATUS_DEADLOCK, "deadlock at %s", (const char *)context);
}

static bool asserts(void *context, struct err *e)
{
    (void)e;
    HD_ASSERT(!context, "two is not three");
    return true;
}

static bool talks(void *context, struct err *e)
{
    (void)context;
    for (int i = 0; i < 20000; i++)
        fprintf(stderr, "line %d\n", i);
    return err_set(e, STATUS_FAILED, "that was all");
}

static bool sleeps(void *context, struct err *e)
{
    (void)context;
    (void)e;
    sleep(60);
    return true;
}

static void start(struct process *p, bool (*body)(void *, struct err *), const char *context)
{
    struct err e = {0};
    struct process_body b = {.run = body, .context = (void *)(uintptr_t)context, .leave = _exit};
    CHECK(process_start(p, &b, &e));
    CHECK(p->pid > 0);
}

static const char *outcome(struct process *p, struct arena *a)
{
    struct pollfd f = {.fd = p->words, .events = POLLIN};
    do
        CHECK_EQ(poll(&f, 1, 60000), 1);
    while (process_listen(p));
    const char *why = process_reap(p, a);
    CHECK_EQ(p->pid, 0);
    return why;
}

static void a_child_that_succeeds_has_nothing_to_explain(void)
{
    struct process p;
    struct arena *a = arena_new();
    start(&p, succeeds, NULL);
    CHECK(!outcome(&p, a));
    arena_free(a);
}

static void an_error_is_the_status_and_the_last_line(void)
{
    struct process p;
    struct arena *a = arena_new();
    start(&p, refuses, "cycle 7");
    CHECK_STR(outcome(&p, a), "status 3: deadlock at cycle 7");
    arena_free(a);
}

static void a_failed_assertion_is_a_reason_like_any_other(void)
{
    struct process p;
    struct arena *a = arena_new();
    start(&p, asserts, "x");
    const char *why = outcome(&p, a);
    CHECK(strncmp(why, "killed by signal 6 ", 19) == 0);
    CHECK(strstr(why, "assertion failed: !context: two is not three"));
    arena_free(a);
}

static void of_many_words_the_last_are_kept(void)
{
    struct process p;
    struct arena *a = arena_new();
    start(&p, talks, NULL);
    CHECK_STR(outcome(&p, a), "status 1: that was all");
    arena_free(a);
}

static void a_child_can_be_ended_also_when_it_was_stopped(void)
{
    struct process p;
    start(&p, sleeps, NULL);
    pid_t pid = p.pid;
    CHECK_EQ(kill(pid, SIGSTOP), 0);
    CHECK(process_listen(&p)); /* it has said nothing, and has not ended */
    process_kill(&p);
    CHECK_EQ(p.pid, 0);
    CHECK(kill(pid, 0) != 0);
}

static void an_interrupt_from_the_keyboard_is_left_to_the_parent(void)
{
    struct process p;
    struct arena *a = arena_new();
    start(&p, talks, NULL);
    /* Talking, it has set its signals. */
    struct pollfd f = {.fd = p.words, .events = POLLIN};
    CHECK_EQ(poll(&f, 1, 60000), 1);
    CHECK_EQ(kill(p.pid, SIGINT), 0);
    CHECK_STR(outcome(&p, a), "status 1: that was all");
    arena_free(a);
}

static void a_hangup_that_the_parent_ignores_ends_no_child(void)
{
    struct process p;
    struct arena *a = arena_new();
    signal(SIGHUP, SIG_IGN);
    start(&p, talks, NULL);
    struct pollfd f = {.fd = p.words, .events = POLLIN};
    CHECK_EQ(poll(&f, 1, 60000), 1);
    CHECK_EQ(kill(p.pid, SIGHUP), 0);
    CHECK_STR(outcome(&p, a), "status 1: that was all");
    signal(SIGHUP, SIG_DFL);
    arena_free(a);
}

CHECK_MAIN("process", TEST(a_hangup_that_the_parent_ignores_ends_no_child),
           TEST(a_child_that_succeeds_has_nothing_to_explain),
           TEST(an_error_is_the_status_and_the_last_line),
           TEST(a_failed_assertion_is_a_reason_like_any_other),
           TEST(of_many_words_the_last_are_kept),
           TEST(a_child_can_be_ended_also_when_it_was_stopped),
           TEST(an_interrupt_from_the_keyboard_is_left_to_the_parent))
