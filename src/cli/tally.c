/* tally.c - launches added up by kernel. */
#include "cli/tally.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/wall.h"
#include "stream/source.h"

double tally_clock(void)
{
    return wall_s();
}

void tally_init(struct tally *t, struct arena *a)
{
    *t = (struct tally){.arena = a, .start_s = tally_clock()};
    t->last = &t->kernels;
    t->shown_s = t->start_s;
}

/* ---- progress ------------------------------------------------------------------------------ */

/* Whether it is time for a line: on a terminal, twice a second, unless who times the launches
 * has one there. */
static bool is_due(struct tally *t, double now)
{
    if (now - t->shown_s < 0.5 || !isatty(STDERR_FILENO) ||
        (t->driver && !stream_driver_is_awaited(t->driver)))
        return false;
    t->shown_s = now;
    t->is_shown = true;
    return true;
}

static void show_launches(const struct tally *t, double now)
{
    fprintf(stderr, "\r%llu", (unsigned long long)t->sum.launches);
    if (t->expected)
        fprintf(stderr, "/%llu", (unsigned long long)t->expected);
    fprintf(stderr, " launches, %.0f M warp instructions, %.0f s", (double)t->sum.warp_insns / 1e6,
            now - t->start_s);
}

static void show_progress(struct tally *t)
{
    double now = tally_clock(), spent = now - t->start_s;
    if (!is_due(t, now))
        return;
    show_launches(t, now);
    if (t->expected > t->sum.launches)
        fprintf(stderr, ", about %.0f s left",
                spent * (double)(t->expected - t->sum.launches) / (double)t->sum.launches);
    fputs(" \033[K", stderr);
}

void tally_progress(void *tally, uint64_t done, uint64_t ctas)
{
    struct tally *t = tally;
    if (done == 1)
        t->launch_s = tally_clock();
    if (t->ctas_seen++ % 16) /* most CTAs take less time than a look at the clock */
        return;
    double now = tally_clock();
    if (!is_due(t, now))
        return;
    show_launches(t, now);
    fprintf(stderr, "; this one: CTA %llu of %llu, about %.0f s left \033[K",
            (unsigned long long)done, (unsigned long long)ctas,
            (now - t->launch_s) * (double)(ctas - done) / (double)done);
}

void tally_end(struct tally *t)
{
    if (t->is_shown)
        fputs("\r\033[K", stderr);
    t->is_shown = false;
}

/* ---- sums ---------------------------------------------------------------------------------- */

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void add(struct tally_kernel *k, const struct hd_launch_info *i)
{
    if (k->launches++ == 0)
        k->first_grid = i->grid;
    k->last_grid = i->grid;
    k->block = i->block;
    k->regs_per_thread = most(k->regs_per_thread, i->regs_per_thread);
    k->regs_from = i->regs_from;
    k->shared_bytes = most(k->shared_bytes, i->shared_bytes);
    k->local_bytes = most(k->local_bytes, i->local_bytes);
    k->warp_insns += i->warp_insns;
    k->thread_insns += i->thread_insns;
    k->insns = i->insns;
    k->assembled = i->assembled;
    k->assembled_insns += i->assembled_insns;
    k->global_loads += i->global_loads;
    k->global_stores += i->global_stores;
    k->shared_accesses += i->shared_accesses;
    k->atomics += i->atomics;
    k->stream_bytes += i->stream_bytes;
    k->has_grid_spin |= i->has_grid_spin;
    k->wall_s += i->wall_s;
}

static struct tally_kernel *find(struct tally *t, const char *name)
{
    for (struct tally_kernel *k = t->kernels; k; k = k->next)
        if (strcmp(k->name, name) == 0)
            return k;
    struct tally_kernel *k = ARENA_NEW(t->arena, struct tally_kernel);
    k->name = arena_strdup(t->arena, name);
    *t->last = k;
    t->last = &k->next;
    return k;
}

struct tally_kernel *tally_add(struct tally *t, const struct hd_launch_info *info)
{
    struct tally_kernel *k = find(t, info->kernel);
    add(k, info);
    add(&t->sum, info);
    return k;
}

void tally_launched(void *tally, const struct hd_launch_info *info)
{
    struct tally *t = tally;
    tally_add(t, info);
    uint64_t used = t->device ? hd_memory_used(t->device) : 0;
    if (used > t->memory_bytes)
        t->memory_bytes = used;
    show_progress(t);
}

/* ---- names and shapes ---------------------------------------------------------------------- */

/* Where the plain name of _Z<length><name>... is, and how long it is; all of any other name. */
static const char *plain_name(const char *name, int *length)
{
    *length = (int)strlen(name);
    if (strncmp(name, "_Z", 2) != 0 || !isdigit((unsigned char)name[2]))
        return name;
    char *start;
    unsigned long n = strtoul(name + 2, &start, 10);
    if (n == 0 || n > strlen(start))
        return name;
    *length = (int)n;
    return start;
}

const char *tally_label(const struct tally *t, const struct tally_kernel *k)
{
    int length, other_length;
    const char *plain = plain_name(k->name, &length);
    for (const struct tally_kernel *o = t->kernels; o; o = o->next) {
        const char *other = plain_name(o->name, &other_length);
        if (o != k && other_length == length && memcmp(plain, other, (size_t)length) == 0)
            return k->name;
    }
    return arena_printf(t->arena, "%.*s", length, plain);
}

const char *tally_regs_from(const struct tally_kernel *k)
{
    return stream_count_name((enum stream_count)k->regs_from);
}

const char *tally_dim(struct arena *a, struct hd_dim d)
{
    if (d.z > 1)
        return arena_printf(a, "%ux%ux%u", d.x, d.y, d.z);
    return d.y > 1 ? arena_printf(a, "%ux%u", d.x, d.y) : arena_printf(a, "%u", d.x);
}

const char *tally_grid(struct arena *a, const struct tally_kernel *k)
{
    const char *first = tally_dim(a, k->first_grid), *last = tally_dim(a, k->last_grid);
    return strcmp(first, last) == 0 ? first : arena_printf(a, "%s..%s", first, last);
}
