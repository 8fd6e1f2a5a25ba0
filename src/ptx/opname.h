/* opname.h - opcodes as PTX writes them ("ld.global.u32"): the first part and the others. */
#ifndef HEDDLE_PTX_OPNAME_H
#define HEDDLE_PTX_OPNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Whether `part` (of `n` characters) is the first one.  A NULL opcode has no parts. */
static inline bool opname_is_n(const char *op, const char *part, size_t n)
{
    return op && strncmp(op, part, n) == 0 && (op[n] == '.' || op[n] == '\0');
}

static inline bool opname_is(const char *op, const char *part)
{
    return opname_is_n(op, part, strlen(part));
}

/* Whether it is one of the others. */
static inline bool opname_has_n(const char *op, const char *part, size_t n)
{
    for (const char *p = op ? strchr(op, '.') : NULL; p; p = strchr(p + 1, '.'))
        if (strncmp(p + 1, part, n) == 0 && (p[1 + n] == '.' || p[1 + n] == '\0'))
            return true;
    return false;
}

static inline bool opname_has(const char *op, const char *part)
{
    return opname_has_n(op, part, strlen(part));
}

/* Whether the opcode has all parts of "add s64", the first as its first. */
static inline bool opname_matches(const char *op, const char *parts)
{
    size_t n = strcspn(parts, " ");
    if (!opname_is_n(op, parts, n))
        return false;
    for (const char *p = parts + n; *p; p += n) {
        p++;
        n = strcspn(p, " ");
        if (!opname_has_n(op, p, n))
            return false;
    }
    return true;
}

#endif
