#include "check.h"

#include "cli/interrupt.h"

static void a_signal_is_a_question_until_the_end(void)
{
    struct interrupt i;
    struct sigaction now;
    interrupt_begin(&i);
    CHECK(!interrupt_came());
    raise(SIGTERM);
    CHECK(interrupt_came());
    interrupt_end(&i);
    sigaction(SIGTERM, NULL, &now);
    CHECK(now.sa_handler == SIG_DFL);
}

static void a_new_beginning_forgets(void)
{
    struct interrupt i;
    interrupt_begin(&i);
    raise(SIGINT);
    interrupt_end(&i);
    interrupt_begin(&i);
    CHECK(!interrupt_came());
    raise(SIGHUP);
    CHECK(interrupt_came());
    interrupt_end(&i);
}

static void a_hangup_that_is_ignored_stays_so(void)
{
    struct interrupt i;
    struct sigaction now;
    signal(SIGHUP, SIG_IGN);
    interrupt_begin(&i);
    raise(SIGHUP);
    CHECK(!interrupt_came());
    raise(SIGTERM);
    CHECK(interrupt_came());
    interrupt_end(&i);
    sigaction(SIGHUP, NULL, &now);
    CHECK(now.sa_handler == SIG_IGN);
    signal(SIGHUP, SIG_DFL);
}

CHECK_MAIN("interrupt", TEST(a_hangup_that_is_ignored_stays_so),
           TEST(a_signal_is_a_question_until_the_end), TEST(a_new_beginning_forgets))
