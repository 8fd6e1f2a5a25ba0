/* err.c - error values and panics.
 *
 * Whatever the user wrote may be quoted in an error, so the text is made one printable line
 * here, once: a newline or an escape sequence out of a file cannot reach a terminal or a log. */
#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>

static void make_one_line(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = ' ';
}

bool err_vset(struct err *e, enum status status, const char *fmt, va_list ap)
{
    HD_ASSERT(e, "err_set needs somewhere to put the error");
    HD_ASSERT(status != STATUS_DONE, "an error cannot mean success");
    if (e->status != STATUS_DONE)
        return false;
    e->status = status;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    make_one_line(e->text);
    return false;
}

bool err_set(struct err *e, enum status status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    err_vset(e, status, fmt, ap);
    va_end(ap);
    return false;
}

void err_panic(const char *file, int line, const char *expr, const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, "%s:%d: assertion failed: %s: ", file, line, expr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}
