/* registers_of.c - registers per thread that a machine is told to take for kernels by name. */
#include "cta/registers_of.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "stream/stream.h"

struct entry {
    const char *name;
    int length;
    long registers; /* -1: not a number */
};

/* Takes an entry and its comma off the front; false when nothing is left. */
static bool take(const char **at, struct entry *x)
{
    const char *from = *at + strspn(*at, " ");
    if (*from == '\0')
        return false;
    size_t n = strcspn(from, ",");
    *at = from + n + (from[n] == ',');
    size_t name = strcspn(from, "=,");
    char *end = NULL;
    *x = (struct entry){.name = from, .length = (int)name, .registers = -1};
    if (name < n)
        x->registers = strtol(from + name + 1, &end, 10);
    if (end == from + name + 1 || (end && end + strspn(end, " ") < from + n))
        x->registers = -1;
    while (x->length > 0 && x->name[x->length - 1] == ' ')
        x->length--;
    return true;
}

/* What is no entry: so many characters, or none between two commas or after the last. */
static bool refuse(struct err *e, const char *text, size_t n)
{
    if (n == 0)
        return err_set(e, STATUS_BAD_INPUT, "an empty entry: a comma too many");
    return err_set(e, STATUS_BAD_INPUT,
                   "expected KERNEL=N, ... with 1 to %d registers, found \"%.*s\"",
                   STREAM_MAX_REGISTERS, (int)n, text);
}

bool registers_of_check(const char *list, struct err *e)
{
    struct entry x;
    size_t n = strlen(list);
    while (n > 0 && list[n - 1] == ' ')
        n--;
    if (n > 0 && list[n - 1] == ',')
        return refuse(e, "", 0);
    while (take(&list, &x))
        if (x.length == 0 || x.registers < 1 || x.registers > STREAM_MAX_REGISTERS)
            return refuse(e, x.name, strcspn(x.name, ","));
    return true;
}

bool registers_of(const char *list, const char *kernel, uint32_t *registers)
{
    struct entry x;
    bool found = false;
    while (take(&list, &x))
        if (str_names_kernel(x.name, x.length, kernel)) {
            *registers = (uint32_t)x.registers;
            found = true;
        }
    return found;
}

const char *registers_of_name(const char *list, uint32_t i, int *length)
{
    struct entry x;
    for (uint32_t n = 0; take(&list, &x); n++)
        if (n == i) {
            *length = x.length;
            return x.name;
        }
    return NULL;
}
