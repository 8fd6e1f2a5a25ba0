/* interrupt.h - the signals that ask a program to stop, taken as a question to be asked. */
#ifndef HEDDLE_CLI_INTERRUPT_H
#define HEDDLE_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

enum { INTERRUPT_SIGNALS = 3 };

struct interrupt {
    struct sigaction before[INTERRUPT_SIGNALS];
};

/* From begin to end these signals end nothing; whether one came can be asked.  A hangup that is ignored
 * (nohup) stays so. */
void interrupt_begin(struct interrupt *i);
bool interrupt_came(void);
void interrupt_end(const struct interrupt *i);

#endif
