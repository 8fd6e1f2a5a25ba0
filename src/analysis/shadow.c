/* shadow.c - the lines of a cache of one set, in the order of their use, and all that were ever there.
 *
 * After M. D. Hill, "Aspects of Cache Memory and Instruction Buffer Performance", 1987, chapter 3.
 * Lines that the shadow holds are a list from the most recent to the least recent one; the others keep
 * which of their words were there, and how they left. */
#include "analysis/shadow.h"

#include <stdbool.h>

#include "analysis/lines.h"
#include "base/err.h"
#include "mem/program.h"

struct entry {
    uint32_t newer, older; /* numbers of its neighbours in the list */
    uint32_t seen, valid;  /* words: ever, now */
    bool was_here, is_held;
    bool was_dropped; /* when it left last */
};

struct shadow {
    struct lines lines;
    uint32_t newest, oldest, held, most;
};

struct shadow *shadow_new(struct arena *a, uint32_t lines)
{
    struct shadow *s = ARENA_NEW(a, struct shadow);
    HD_ASSERT(lines > 0, "a cache of no lines");
    s->lines.bytes = sizeof(struct entry);
    s->newest = s->oldest = LINES_NONE;
    s->most = lines;
    return s;
}

void shadow_free(struct shadow *s)
{
    lines_clear(&s->lines);
}

/* ---- the list ---- */

static struct entry *entry_at(const struct shadow *s, uint32_t i)
{
    return lines_at(&s->lines, i);
}

static void unlink_entry(struct shadow *s, const struct entry *e)
{
    *(e->newer == LINES_NONE ? &s->newest : &entry_at(s, e->newer)->older) = e->older;
    *(e->older == LINES_NONE ? &s->oldest : &entry_at(s, e->older)->newer) = e->newer;
}

static void link_newest(struct shadow *s, uint32_t i)
{
    struct entry *e = entry_at(s, i);
    e->newer = LINES_NONE;
    e->older = s->newest;
    *(s->newest == LINES_NONE ? &s->oldest : &entry_at(s, s->newest)->newer) = i;
    s->newest = i;
}

static void leave(struct shadow *s, uint32_t i, bool is_dropped)
{
    struct entry *e = entry_at(s, i);
    unlink_entry(s, e);
    e->is_held = false;
    e->was_dropped = is_dropped;
    e->valid = 0;
    s->held--;
}

/* ---- accesses ---- */

static enum shadow_class class_of(const struct entry *e, uint32_t wanted)
{
    if (!e->was_here || wanted & ~e->seen)
        return SHADOW_COMPULSORY;
    if (e->is_held && !(wanted & ~e->valid))
        return SHADOW_CONFLICT;
    return e->was_dropped ? SHADOW_INVALIDATED : SHADOW_CAPACITY;
}

static void touch(struct shadow *s, uint32_t i)
{
    struct entry *e = entry_at(s, i);
    if (e->is_held) {
        unlink_entry(s, e);
    } else {
        if (s->held == s->most)
            leave(s, s->oldest, false);
        s->held++;
        e->was_here = e->is_held = true;
    }
    link_newest(s, i);
}

enum shadow_class shadow_access(struct shadow *s, uint64_t line, uint32_t wanted, uint32_t brought)
{
    uint32_t i = lines_add(&s->lines, line);
    struct entry *e = entry_at(s, i);
    enum shadow_class class = class_of(e, wanted);
    touch(s, i);
    e->valid |= brought;
    e->seen |= brought;
    return class;
}

static uint32_t find_held(const struct shadow *s, uint64_t line)
{
    uint32_t i = lines_find(&s->lines, line);
    return i != LINES_NONE && entry_at(s, i)->is_held ? i : LINES_NONE;
}

void shadow_write(struct shadow *s, uint64_t line, uint32_t words)
{
    uint32_t i = find_held(s, line);
    if (i == LINES_NONE)
        return;
    struct entry *e = entry_at(s, i);
    touch(s, i);
    e->valid |= words;
    e->seen |= words;
}

void shadow_drop(struct shadow *s, uint64_t line)
{
    uint32_t i = find_held(s, line);
    if (i != LINES_NONE)
        leave(s, i, true);
}

void shadow_forget(struct shadow *s, uint32_t program)
{
    for (uint32_t i = s->newest, older; i != LINES_NONE; i = older) {
        older = entry_at(s, i)->older;
        if (program_has(program, s->lines.key[i]))
            leave(s, i, true);
    }
}

void shadow_resize(struct shadow *s, uint32_t lines)
{
    HD_ASSERT(lines > 0, "a cache of no lines");
    s->most = lines;
    while (s->held > s->most)
        leave(s, s->oldest, false);
}
