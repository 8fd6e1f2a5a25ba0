/* trace.c - replays a recorded file through the reader that the timing core will use. */
#include "cli/trace.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "stream/store.h"

enum { SECTOR_BYTES = 32 };

struct progress {
    uint64_t done, total; /* CTAs */
    double start_s, shown_s;
};

static void show_progress(struct progress *p)
{
    p->done++;
    if (p->done % 64 && p->done < p->total)
        return;
    double now = tally_clock(), spent = now - p->start_s;
    bool is_done = p->done == p->total;
    if (!isatty(STDERR_FILENO) || (is_done ? p->shown_s == p->start_s : now - p->shown_s < 0.5))
        return;
    p->shown_s = now;
    if (is_done)
        fputs("\r\033[K", stderr);
    else
        fprintf(stderr, "\r%llu/%llu CTAs, about %.0f s left \033[K", (unsigned long long)p->done,
                (unsigned long long)p->total,
                spent * (double)(p->total - p->done) / (double)p->done);
}

/* ---- sectors ------------------------------------------------------------------------------- */

/* Different sectors among the lanes: an access of at most 16 aligned bytes is in one. */
static uint32_t count_sectors(const struct stream_access *a)
{
    uint64_t addr[WARP_LANES], seen[WARP_LANES];
    uint32_t n = 0;
    if (a->pattern == PATTERN_UNIFORM)
        return 1;
    stream_access_expand(a, addr);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint64_t sector = addr[__builtin_ctz(rest)] / SECTOR_BYTES;
        uint32_t i = n; /* from the end: neighbours share sectors */
        while (i > 0 && seen[i - 1] != sector)
            i--;
        if (i == 0)
            seen[n++] = sector;
    }
    return n;
}

static void count_op(const struct stream_op *op, uint64_t *accesses, uint64_t *sectors)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < op->nsets; i++)
        if (op->access[i].space == STREAM_GLOBAL && op->access[i].mask)
            found += count_sectors(&op->access[i]);
    *accesses += found > 0;
    *sectors += found;
}

static bool count_cta(struct stream_cursor *c, const struct stream_kernel *k, uint32_t cta,
                      uint64_t *accesses, uint64_t *sectors, struct err *e)
{
    const struct stream_warp *warps;
    uint32_t n;
    if (!stream_cursor_seek(c, cta, &warps, &n, e))
        return false;
    for (uint32_t w = 0; w < n; w++) {
        struct stream_reader r;
        struct stream_op op = {0};
        stream_reader_init(&r, k, &warps[w]);
        while (stream_reader_next(&r, &op))
            count_op(&op, accesses, sectors);
        if (r.is_broken)
            return err_set(e, STATUS_BAD_INPUT, "kernel %s, CTA %u: damaged stream", k->name, cta);
    }
    return true;
}

static bool count_accesses(const struct stream_store *s, uint64_t *accesses, uint64_t *sectors,
                           struct progress *p, struct err *e)
{
    const struct stream_kernel *k = stream_store_kernel(s);
    struct stream_cursor *c = stream_cursor_new(s, e);
    bool ok = c != NULL;
    for (uint64_t cta = 0; ok && cta < stream_kernel_ctas(k); cta++) {
        ok = count_cta(c, k, (uint32_t)cta, accesses, sectors, e);
        show_progress(p);
    }
    stream_cursor_free(c);
    return ok;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static struct hd_dim as_dim(const uint32_t v[3])
{
    return (struct hd_dim){v[0], v[1], v[2]};
}

static struct hd_launch_info describe(const struct stream_kernel *k, const struct stream_totals *n)
{
    enum stream_count count = stream_best_count(k->registers, false);
    return (struct hd_launch_info){.kernel = k->name,
                                   .grid = as_dim(k->grid),
                                   .block = as_dim(k->block),
                                   .regs_per_thread = k->registers[count],
                                   .regs_from = (enum hd_register_count)count,
                                   .shared_bytes = k->shared_bytes,
                                   .local_bytes = k->local_bytes,
                                   .warp_insns = n->insns,
                                   .thread_insns = n->thread_insns,
                                   .global_loads = n->by_space_load[STREAM_GLOBAL],
                                   .global_stores = n->by_space_store[STREAM_GLOBAL],
                                   .shared_accesses = n->by_space_load[STREAM_SHARED] +
                                                      n->by_space_store[STREAM_SHARED],
                                   .atomics = n->atomics,
                                   .stream_bytes = n->stored_bytes,
                                   .has_grid_spin = k->has_grid_spin,
                                   .insns = k->ninsns,
                                   .assembled = stream_assembled_total(&k->assembled),
                                   .assembled_insns = n->assembled};
}

static uint64_t digest_kernel(uint64_t seed, const struct stream_kernel *k, uint64_t operations)
{
    uint64_t h = bytes_hash(seed, k->name, strlen(k->name));
    uint64_t shape[] = {k->grid[0],
                        k->grid[1],
                        k->grid[2],
                        k->block[0],
                        k->block[1],
                        k->block[2],
                        k->registers[COUNT_LIVENESS],
                        k->registers[COUNT_ASSEMBLER],
                        k->registers[COUNT_GIVEN],
                        k->shared_bytes,
                        operations};
    return bytes_hash(h, shape, sizeof shape);
}

static bool read_kernel(struct trace *t, const struct stream_store *s, struct progress *p,
                        struct err *e)
{
    const struct stream_kernel *k = stream_store_kernel(s);
    struct stream_totals n = stream_store_totals(s);
    struct hd_launch_info info = describe(k, &n);
    struct tally_kernel *sum = tally_add(&t->tally, &info);
    for (int u = 0; u < UNIT_COUNT; u++)
        sum->by_unit[u] += n.by_unit[u];
    if (!count_accesses(s, &sum->accesses, &sum->sectors, p, e))
        return false;
    t->digest = digest_kernel(t->digest, k, stream_store_digest(s, e));
    return e->status == STATUS_DONE;
}

static bool read_kernels(struct trace *t, struct stream_file *f, struct progress *p, struct err *e)
{
    for (uint32_t pass = 0; pass < 2; pass++) /* how much there is; then all of it */
        for (uint32_t i = 0; i < stream_file_kernels(f); i++) {
            struct stream_store *s = stream_file_kernel(f, i, e);
            bool ok = s != NULL;
            if (ok && pass == 0)
                p->total += stream_kernel_ctas(stream_store_kernel(s));
            else if (ok)
                ok = read_kernel(t, s, p, e);
            if (s)
                stream_store_free(s);
            if (!ok)
                return false;
        }
    return true;
}

bool trace_read(const char *path, struct arena *a, struct trace *t, struct err *e)
{
    struct stat st;
    struct err why = {0};
    *t = (struct trace){.file_bytes = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0};
    tally_init(&t->tally, a);
    struct progress p = {.start_s = t->tally.start_s, .shown_s = t->tally.start_s};
    struct stream_file *f = stream_file_open(path, e);
    if (!f)
        return false;
    t->workload = arena_strdup(a, stream_file_workload(f));
    bool ok = read_kernels(t, f, &p, &why);
    stream_file_free(f);
    if (!ok) /* the file's own messages name it already */
        return err_set(e, why.status, "%s%s%s", strncmp(why.text, path, strlen(path)) ? path : "",
                       strncmp(why.text, path, strlen(path)) ? ": " : "", why.text);
    return true;
}
