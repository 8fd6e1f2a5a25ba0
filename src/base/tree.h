/* tree.h - a YAML file as a tree, every node with its line.
 *
 * For files whose shape is not a table of parameters.  Aliases, tags, deep nesting and repeated
 * keys are refused as they are read. */
#ifndef HEDDLE_BASE_TREE_H
#define HEDDLE_BASE_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    int line;
    const char *file;
    const char *key;           /* in a map; else "" */
    const char *text;          /* of a scalar; else NULL */
    struct tree *first, *next; /* children; neighbour */
    uint32_t n;                /* children */
};

/* The file's top, which must be a map; NULL with *e set. */
struct tree *tree_read(struct arena *a, const char *path, struct err *e);

/* The child with this key, or NULL; `t` may be NULL or no map. */
const struct tree *tree_get(const struct tree *t, const char *key);
/* Whether all keys of the map are among those in "a|b|c"; says which is not, and what is near. */
bool tree_knows(const struct tree *t, const char *keys, struct err *e);
/* "file:line: key: why", always false. */
bool tree_refuse(const struct tree *t, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
