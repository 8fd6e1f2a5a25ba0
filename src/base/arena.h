/* arena.h - bump allocation for everything that lives as long as its owner.
 *
 * `malloc` is called only here and in bytes.c.  An allocation is zeroed, aligned to a cache
 * line when it is at least one line long, and freed with the arena.  Running out of memory
 * is not an error a caller can mend: it ends the program with status 4. */
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);
void *arena_alloc(struct arena *a, size_t bytes);
void *arena_array(struct arena *a, size_t size, size_t n); /* a product too large is "no memory" */
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
size_t arena_bytes(const struct arena *a); /* handed out so far */

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_array((a), sizeof(type), (size_t)(n)))

#endif
