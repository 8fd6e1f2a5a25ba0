/* interrupt.c - SIGINT, SIGTERM and SIGHUP as a flag: signals belong to the process, and so does
 * this one. */
#include "cli/interrupt.h"

#include <stddef.h>

static const int signals[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t was_signalled;

static void on_signal(int signal_number)
{
    (void)signal_number;
    was_signalled = 1;
}

void interrupt_begin(struct interrupt *i)
{
    struct sigaction stop = {.sa_handler = on_signal};
    was_signalled = 0;
    for (int k = 0; k < INTERRUPT_SIGNALS; k++) {
        sigaction(signals[k], &stop, &i->before[k]);
        if (signals[k] == SIGHUP && i->before[k].sa_handler == SIG_IGN) /* nohup */
            sigaction(signals[k], &i->before[k], NULL);
    }
}

bool interrupt_came(void)
{
    return was_signalled != 0;
}

void interrupt_end(const struct interrupt *i)
{
    for (int k = 0; k < INTERRUPT_SIGNALS; k++)
        sigaction(signals[k], &i->before[k], NULL);
}
