/* arena.c - chunked bump allocation.
 *
 * Requests are cut from the newest chunk; a large one gets a chunk of its own, so that it does not
 * throw away the rest of that one.  First chunks come from calloc.  An arena that has grown is that of
 * a machine, whose state is looked at all over in every simulated cycle: its chunks are of large pages,
 * since the host would otherwise look up more pages than it can remember, and what is small, which is
 * what is looked at most, lies close together, since with tables in between it would use a few sets of
 * the host's caches and leave others empty.  Very large requests are tables that may stay mostly
 * untouched: they are mapped for themselves and cost only what is touched.  Under AddressSanitizer
 * every request is a chunk, so that an overrun of one object into the next is seen. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vmem.h"

#define CACHE_LINE ((size_t)64)
#define WORD ((size_t)16)
#define CHUNK ((size_t)64 << 10)
#define GROWN ((size_t)1 << 20)
#define GROWN_CHUNK (2 * VMEM_LARGE_PAGE)
#define TABLE ((size_t)256 << 10)
#define SMALL ((size_t)8 << 10)

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_LARGE ((size_t)0)
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(ARENA_LARGE)
#define ARENA_LARGE ((size_t)0)
#endif
#ifndef ARENA_LARGE
#define ARENA_LARGE (CHUNK / 4)
#endif

struct chunk {
    struct chunk *next;
    void *space; /* mapped; NULL: from calloc */
    size_t bytes;
};

struct space { /* what is left of a chunk */
    uintptr_t at, end;
};

struct arena {
    struct chunk *head;       /* of all chunks */
    struct space small, bulk; /* bulk: of tables, once the arena has grown */
    size_t bytes;
};

static _Noreturn void out_of_memory(size_t bytes)
{
    fprintf(stderr, "heddle: out of memory (%zu more bytes wanted)\n", bytes);
    _Exit(STATUS_BUDGET); /* not exit(): buffered, half-written results must not be flushed */
}

static uintptr_t align_up(uintptr_t p, size_t to)
{
    return (p + to - 1) & ~(uintptr_t)(to - 1);
}

static struct chunk *chunk_new(size_t payload)
{
    struct chunk *c = calloc(1, sizeof *c + payload);
    if (!c)
        out_of_memory(payload);
    return c;
}

/* Of at least so many bytes, with itself; `align` is a power of two. */
static struct chunk *chunk_map(size_t bytes, size_t align)
{
    char *space = vmem_reserve(bytes + align);
    if (!space || !vmem_commit(space, bytes + align))
        out_of_memory(bytes);
    struct chunk *c = (struct chunk *)align_up((uintptr_t)space, align);
    if (align == VMEM_LARGE_PAGE)
        vmem_prefer_large_pages(c, bytes);
    c->space = space;
    c->bytes = bytes + align;
    return c;
}

static void chunk_free(struct chunk *c)
{
    if (c->space)
        vmem_release(c->space, c->bytes);
    else
        free(c);
}

static void *alloc_large(struct arena *a, size_t bytes, size_t align)
{
    if (bytes > SIZE_MAX / 4)
        out_of_memory(bytes);
    struct chunk *c = bytes >= TABLE && ARENA_LARGE ? chunk_map(sizeof *c + bytes + align, align)
                                                    : chunk_new(bytes + align);
    c->next = a->head;
    a->head = c;
    return (void *)align_up((uintptr_t)(c + 1), align);
}

struct arena *arena_new(void)
{
    struct arena *a = calloc(1, sizeof *a);
    if (!a)
        out_of_memory(sizeof *a);
    return a;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    for (struct chunk *c = a->head, *next; c; c = next) {
        next = c->next;
        chunk_free(c);
    }
    free(a);
}

static void refill(struct arena *a, struct space *s, bool has_grown)
{
    struct chunk *c = has_grown ? chunk_map(GROWN_CHUNK, VMEM_LARGE_PAGE) : chunk_new(CHUNK);
    c->next = a->head;
    a->head = c;
    s->at = (uintptr_t)(c + 1);
    s->end = (uintptr_t)c + (has_grown ? GROWN_CHUNK : sizeof *c + CHUNK);
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    size_t align = bytes >= CACHE_LINE ? CACHE_LINE : WORD;
    size_t want = bytes ? bytes : 1; /* distinct objects have distinct addresses */
    a->bytes += bytes;
    const bool has_grown = a->bytes > GROWN && ARENA_LARGE;
    if (want > (has_grown ? TABLE : ARENA_LARGE))
        return alloc_large(a, want, align);
    struct space *s = has_grown && want > SMALL ? &a->bulk : &a->small;
    uintptr_t p = align_up(s->at, align);
    if (s->at == 0 || p > s->end || s->end - p < want) {
        refill(a, s, has_grown);
        p = align_up(s->at, align);
    }
    s->at = p + want;
    return (void *)p;
}

void *arena_array(struct arena *a, size_t size, size_t n)
{
    if (n && size > SIZE_MAX / n)
        out_of_memory(SIZE_MAX);
    return arena_alloc(a, size * n);
}

char *arena_strdup(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(arena_alloc(a, n), s, n);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    HD_ASSERT(n >= 0, "unprintable format \"%s\"", fmt);
    char *s = arena_alloc(a, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return s;
}

size_t arena_bytes(const struct arena *a)
{
    return a->bytes;
}
