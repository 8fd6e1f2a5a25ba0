/* devmem.c - allocations in one reservation of host address space.
 *
 * Live and freed ranges are two sorted arrays.  New ranges are taken above all others until the
 * space is used up; only then are freed places used again.  The gap behind an allocation holds no
 * accessible byte.  Address space is committed in a growing prefix rather than per allocation: the
 * number of mappings that a process may have is limited. */
#include "dev/devmem.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/vmem.h"

#define DEFAULT_CAPACITY ((uint64_t)64 << 30)
#define SMALLEST_DEFAULT (1ull << 30)
#define ALIGNMENT ((uint64_t)256)
#define GAP ((uint64_t)4096)
#define PAGE ((uint64_t)4096) /* where they are larger, fewer go back */
#define COMMIT_STEP ((uint64_t)64 << 20)

struct range_list {
    struct devmem_range *range; /* sorted by lo */
    size_t n, size;
};

struct devmem {
    struct arena *arena;
    uint8_t *base;
    uint64_t capacity, committed; /* bytes */
    uint64_t top;                 /* first address above all ranges ever handed out */
    uint64_t live_bytes;
    struct range_list live, freed;
};

/* --- sorted ranges -------------------------------------------------------------------------- */

/* Number of ranges with lo <= address: the last of them is the one that can hold it. */
static size_t count_upto(const struct range_list *l, uint64_t address)
{
    size_t lo = 0, hi = l->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->range[mid].lo <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void list_insert(struct arena *a, struct range_list *l, struct devmem_range r)
{
    if (l->n == l->size) {
        size_t size = l->size ? 2 * l->size : 64;
        struct devmem_range *grown = ARENA_ARRAY(a, struct devmem_range, size);
        if (l->n)
            memcpy(grown, l->range, l->n * sizeof *grown);
        l->range = grown;
        l->size = size;
    }
    size_t at = count_upto(l, r.lo);
    memmove(&l->range[at + 1], &l->range[at], (l->n - at) * sizeof *l->range);
    l->range[at] = r;
    l->n++;
}

static void list_remove(struct range_list *l, size_t at)
{
    l->n--;
    memmove(&l->range[at], &l->range[at + 1], (l->n - at) * sizeof *l->range);
}

static bool list_find(const struct range_list *l, uint64_t address, struct devmem_range *r)
{
    size_t n = count_upto(l, address);
    if (n == 0 || address >= l->range[n - 1].hi)
        return false;
    *r = l->range[n - 1];
    return true;
}

/* --- life ----------------------------------------------------------------------------------- */

struct devmem *devmem_new(uint64_t capacity_bytes, struct err *e)
{
    uint64_t wanted = capacity_bytes ? capacity_bytes : DEFAULT_CAPACITY;
    uint64_t limit = DEVMEM_SHARED - DEVMEM_BASE;
    if (wanted > limit) {
        err_set(e, STATUS_BAD_INPUT, "%llu bytes of device memory: at most %llu are possible",
                (unsigned long long)wanted, (unsigned long long)limit);
        return NULL;
    }
    uint64_t capacity = (wanted + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
    uint8_t *base = vmem_reserve(capacity);
    /* A default may shrink: some places (valgrind, a limit set by ulimit) have little space. */
    while (!base && !capacity_bytes && capacity > SMALLEST_DEFAULT) {
        capacity /= 2;
        base = vmem_reserve(capacity);
    }
    if (!base) {
        err_set(e, STATUS_BUDGET, "cannot reserve %llu bytes of address space for device memory",
                (unsigned long long)capacity);
        return NULL;
    }
    struct arena *a = arena_new();
    struct devmem *m = ARENA_NEW(a, struct devmem);
    *m = (struct devmem){
        .arena = a, .base = base, .capacity = capacity, .top = DEVMEM_BASE + ALIGNMENT};
    return m;
}

void devmem_free_all(struct devmem *m)
{
    if (!m)
        return;
    vmem_release(m->base, m->capacity);
    arena_free(m->arena);
}

/* --- allocation ----------------------------------------------------------------------------- */

/* What an allocation takes of the address space, gap included. */
static uint64_t footprint(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
}

static bool commit_upto(struct devmem *m, uint64_t end)
{
    uint64_t needed = end - DEVMEM_BASE;
    if (needed <= m->committed)
        return true;
    uint64_t target = (needed + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
    if (!vmem_commit(m->base + m->committed, target - m->committed))
        return false;
    m->committed = target;
    return true;
}

/* The first place between live allocations that is large enough; 0 when there is none. */
static uint64_t place_among_freed(struct devmem *m, uint64_t bytes)
{
    uint64_t at = DEVMEM_BASE + ALIGNMENT, need = footprint(bytes);
    for (size_t k = 0; k < m->live.n; k++) {
        struct devmem_range r = m->live.range[k];
        if (r.lo - at >= need)
            return at;
        at = r.lo + footprint(r.hi - r.lo);
    }
    return m->top - at >= need ? at : 0;
}

static void forget_freed(struct devmem *m, uint64_t lo, uint64_t hi)
{
    for (size_t k = m->freed.n; k-- > 0;)
        if (m->freed.range[k].lo < hi && m->freed.range[k].hi > lo)
            list_remove(&m->freed, k);
}

static uint64_t place_new(struct devmem *m, uint64_t bytes)
{
    uint64_t end = DEVMEM_BASE + m->capacity;
    if (bytes <= m->capacity && footprint(bytes) <= end - m->top) {
        uint64_t at = m->top;
        if (!commit_upto(m, at + footprint(bytes)))
            return 0;
        m->top += footprint(bytes);
        return at;
    }
    uint64_t at = bytes <= m->capacity ? place_among_freed(m, bytes) : 0;
    if (at)
        forget_freed(m, at, at + footprint(bytes));
    return at;
}

uint64_t devmem_alloc(struct devmem *m, uint64_t bytes, struct err *e)
{
    uint64_t at = place_new(m, bytes);
    if (!at) {
        err_set(e, STATUS_BUDGET, "out of device memory: %llu bytes wanted, %llu of %llu in use",
                (unsigned long long)bytes, (unsigned long long)m->live_bytes,
                (unsigned long long)m->capacity);
        return 0;
    }
    list_insert(m->arena, &m->live, (struct devmem_range){at, at + bytes});
    m->live_bytes += bytes;
    return at;
}

/* Zeros where a range was that has just been removed, from place `at` of the live ones.  Pages at its
 * ends go back to the system, too, unless a neighbour is in them: a program may allocate little
 * and often. */
static void give_back(struct devmem *m, size_t at, struct devmem_range r)
{
    uint64_t lo = r.lo / PAGE * PAGE, hi = (r.hi + PAGE - 1) / PAGE * PAGE;
    if (at > 0 && m->live.range[at - 1].hi > lo)
        lo = r.lo;
    if (at < m->live.n && m->live.range[at].lo < hi)
        hi = r.hi;
    vmem_clear(devmem_host(m) + lo, hi - lo);
}

bool devmem_release(struct devmem *m, uint64_t address, struct err *e)
{
    size_t n = count_upto(&m->live, address);
    if (n == 0 || m->live.range[n - 1].lo != address) {
        char why[160];
        devmem_explain(m, address, 1, why, sizeof why);
        return err_set(e, STATUS_BAD_INPUT,
                       "free of 0x%llx, which is not an allocation's start%s%s",
                       (unsigned long long)address, *why ? ": " : "", why);
    }
    struct devmem_range r = m->live.range[n - 1];
    list_remove(&m->live, n - 1);
    m->live_bytes -= r.hi - r.lo;
    if (r.hi > r.lo) {
        give_back(m, n - 1, r);
        list_insert(m->arena, &m->freed, r);
    }
    return true;
}

uint64_t devmem_live_bytes(const struct devmem *m)
{
    return m->live_bytes;
}

/* --- checks --------------------------------------------------------------------------------- */

bool devmem_find(const struct devmem *m, uint64_t address, struct devmem_range *r)
{
    return list_find(&m->live, address, r);
}

/* `over`: bytes of the access behind the end, or bytes from the end to where it starts. */
static void explain_end(struct devmem_range r, uint64_t over, char *text, size_t n)
{
    char distance[32] = "just";
    if (over)
        snprintf(distance, sizeof distance, "%llu bytes", (unsigned long long)over);
    snprintf(text, n, "%s past the end of the allocation at 0x%llx(+%llu)", distance,
             (unsigned long long)r.lo, (unsigned long long)(r.hi - r.lo));
}

void devmem_explain(const struct devmem *m, uint64_t address, uint64_t bytes, char *text, size_t n)
{
    struct devmem_range r;
    size_t below = count_upto(&m->live, address);
    if (list_find(&m->live, address, &r)) {
        text[0] = '\0';
        if (bytes > r.hi - address)
            explain_end(r, bytes - (r.hi - address), text, n);
    } else if (list_find(&m->freed, address, &r)) {
        snprintf(text, n,
                 "in freed memory, %llu bytes into the allocation that was at 0x%llx(+%llu)",
                 (unsigned long long)(address - r.lo), (unsigned long long)r.lo,
                 (unsigned long long)(r.hi - r.lo));
    } else if (below && address - m->live.range[below - 1].hi < GAP) {
        explain_end(m->live.range[below - 1], address - m->live.range[below - 1].hi, text, n);
    } else {
        snprintf(text, n, "outside any allocation");
    }
}

uint8_t *devmem_host(const struct devmem *m)
{
    return (uint8_t *)((uintptr_t)m->base - DEVMEM_BASE);
}

/* --- copies by the host --------------------------------------------------------------------- */

static bool is_within(const struct devmem *m, const char *what, uint64_t address, uint64_t bytes,
                      struct err *e)
{
    struct devmem_range r;
    if (bytes == 0 || (devmem_find(m, address, &r) && bytes <= r.hi - address))
        return true;
    char why[160];
    devmem_explain(m, address, bytes, why, sizeof why);
    return err_set(e, STATUS_BAD_INPUT, "%s %llu bytes of device memory at 0x%llx: %s", what,
                   (unsigned long long)bytes, (unsigned long long)address, why);
}

bool devmem_write(struct devmem *m, uint64_t to, const void *from, uint64_t bytes, struct err *e)
{
    if (!is_within(m, "writing", to, bytes, e))
        return false;
    if (bytes)
        memcpy(devmem_host(m) + to, from, bytes);
    return true;
}

bool devmem_read(const struct devmem *m, void *to, uint64_t from, uint64_t bytes, struct err *e)
{
    if (!is_within(m, "reading", from, bytes, e))
        return false;
    if (bytes)
        memcpy(to, devmem_host(m) + from, bytes);
    return true;
}

bool devmem_copy(struct devmem *m, uint64_t to, uint64_t from, uint64_t bytes, struct err *e)
{
    if (!is_within(m, "reading", from, bytes, e) || !is_within(m, "writing", to, bytes, e))
        return false;
    if (bytes)
        memmove(devmem_host(m) + to, devmem_host(m) + from, bytes);
    return true;
}

bool devmem_set(struct devmem *m, uint64_t to, uint8_t value, uint64_t bytes, struct err *e)
{
    if (!is_within(m, "setting", to, bytes, e))
        return false;
    if (bytes)
        memset(devmem_host(m) + to, value, bytes);
    return true;
}
