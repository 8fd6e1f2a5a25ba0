/* err.h - an error value: one line for the user and the exit status it leads to.
 *
 * Functions that can fail for the user's fault return bool and take `struct err *`.
 * They set it once, at the place that knows file, line and key, and every caller
 * passes `false` upwards; only main prints it.  Our own faults are asserted instead:
 * HD_ASSERT is on in every build. */
#ifndef HEDDLE_BASE_ERR_H
#define HEDDLE_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, /* a check failed: invariant, wrong result */
    STATUS_BAD_INPUT = 2,
    STATUS_DEADLOCK = 3,
    STATUS_BUDGET = 4, /* --max-cycles or memory used up */
    STATUS_STOPPED = 5 /* somebody asked it to stop */
};

struct err {
    enum status status;
    char text[1024];
};

/* Sets *e (first error wins) and returns false, so that `return err_set(...)` reads well. */
bool err_set(struct err *e, enum status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool err_vset(struct err *e, enum status status, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

_Noreturn void err_panic(const char *file, int line, const char *expr, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#define HD_ASSERT(cond, ...)                                                                       \
    do {                                                                                           \
        if (__builtin_expect(!(cond), 0))                                                          \
            err_panic(__FILE__, __LINE__, #cond, __VA_ARGS__);                                     \
    } while (0)

#endif
