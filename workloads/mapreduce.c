/* mapreduce.c - texts with words by Zipf's law, groups of pairs, and their comparison. */
#include "mapreduce.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_TILE = 512, PROSE_STREAM = 0, VOCABULARY_STREAM = 100 };

/* ---- texts ------------------------------------------------------------------------------------ */

struct mr_zipf {
    uint32_t ranks;
    double *upto; /* weight of the ranks up to this one */
};

struct mr_zipf *mr_zipf_new(struct work *w, uint32_t ranks, double offset)
{
    struct mr_zipf *z = work_alloc(w, sizeof *z);
    *z = (struct mr_zipf){ranks, work_alloc(w, ranks * sizeof *z->upto)};
    for (uint32_t r = 0; r < ranks; r++)
        z->upto[r] = (r ? z->upto[r - 1] : 0.0) + 1.0 / (r + offset);
    return z;
}

uint32_t mr_zipf_draw(const struct mr_zipf *z, uint64_t random)
{
    double at = (double)(random >> 11) * 0x1p-53 * z->upto[z->ranks - 1];
    uint32_t low = 0, high = z->ranks - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (z->upto[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t mr_word(const struct work *w, uint32_t rank, char *to)
{
    static const char consonants[] = "bcdfghjklmnpqrstvwxyz", vowels[] = "aeiou";
    const uint32_t base = sizeof consonants - 1;
    uint64_t random = work_random(w, VOCABULARY_STREAM, rank);
    uint32_t n = 0;
    for (uint32_t rest = rank; n == 0 || rest > 0; rest /= base, random >>= 3) {
        to[n++] = consonants[rest % base];
        to[n++] = vowels[(random & 7) % 5];
    }
    if (random & 8)
        to[n++] = vowels[(random >> 4 & 7) % 5];
    return n;
}

struct mr_text mr_text_new(struct work *w, uint32_t n, uint32_t longest)
{
    return (struct mr_text){.bytes = work_alloc(w, (size_t)n * longest),
                            .lines = work_alloc(w, (n + 1) * sizeof(uint32_t))};
}

void mr_text_end_line(struct mr_text *t, uint32_t length)
{
    t->lines[t->n + 1] = t->lines[t->n] + length;
    t->n++;
}

struct mr_text mr_prose(struct work *w, uint32_t n)
{
    struct mr_text t = mr_text_new(w, n, MR_LINE + MR_LONGEST_WORD + 1);
    const struct mr_zipf *zipf = mr_zipf_new(w, MR_VOCABULARY, 2.7);
    uint64_t drawn = 0;
    while (t.n < n) {
        char *line = mr_text_line(&t);
        uint32_t length = 0;
        while (length < MR_LINE) {
            uint32_t rank = mr_zipf_draw(zipf, work_random(w, PROSE_STREAM, drawn++));
            length += mr_word(w, rank, line + length);
            line[length++] = ' ';
        }
        mr_text_end_line(&t, length);
    }
    return t;
}

bool mr_text_upload(struct work *w, struct mr_text *t, struct hd_error *e)
{
    t->bytes_d = work_upload(w, t->bytes, t->lines[t->n], e);
    t->lines_d = work_upload(w, t->lines, (t->n + 1) * sizeof *t->lines, e);
    return t->bytes_d && t->lines_d;
}

const char *mr_find(const char *from, const char *end, const char *what, uint32_t length)
{
    for (; end - from >= (ptrdiff_t)length; from++)
        if (memcmp(from, what, length) == 0)
            return from;
    return NULL;
}

/* ---- launches --------------------------------------------------------------------------------- */

bool mr_launch(struct work *w, const char *kernel, uint32_t threads, const struct hd_args *args,
               struct hd_error *e)
{
    return work_launch(w, kernel, (struct hd_dim){(threads + MR_THREADS - 1) / MR_THREADS, 1, 1},
                       (struct hd_dim){MR_THREADS, 1, 1}, 0, args, e);
}

bool mr_scan(struct work *w, hd_ptr out, hd_ptr in, uint32_t n, uint32_t *total, struct hd_error *e)
{
    uint32_t tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    hd_ptr sums = work_device(w, (tiles + 1) * sizeof(uint32_t), e);
    struct hd_args scan = {0}, top = {0}, add = {0};
    hd_arg_ptr(&scan, out);
    hd_arg_ptr(&scan, sums);
    hd_arg_ptr(&scan, in);
    hd_arg_u32(&scan, n);
    hd_arg_ptr(&top, sums);
    hd_arg_u32(&top, tiles);
    hd_arg_ptr(&add, out);
    hd_arg_ptr(&add, sums);
    hd_arg_u32(&add, n);
    return sums && mr_launch(w, "scan_tiles", tiles * MR_THREADS, &scan, e) &&
           mr_launch(w, "scan_sums", MR_THREADS, &top, e) &&
           mr_launch(w, "scan_add", tiles * MR_THREADS, &add, e) &&
           work_download(w, total, sums + tiles * sizeof(uint32_t), sizeof *total, e);
}

static bool insert(struct work *w, const struct mr_text *t, const struct mr_groups *g,
                   hd_ptr slot_of, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, g->pairs);
    hd_arg_u32(&a, g->npairs);
    hd_arg_ptr(&a, g->table);
    hd_arg_u32(&a, g->slots);
    hd_arg_ptr(&a, slot_of);
    hd_arg_ptr(&a, g->members);
    return mr_launch(w, "group_insert", g->npairs, &a, e);
}

static bool scatter(struct work *w, const struct mr_groups *g, hd_ptr slot_of, struct hd_error *e)
{
    uint64_t bytes = g->slots * sizeof(uint32_t);
    hd_ptr cursors = work_device(w, bytes, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, slot_of);
    hd_arg_ptr(&a, g->first);
    hd_arg_ptr(&a, cursors);
    hd_arg_u32(&a, g->npairs);
    hd_arg_ptr(&a, g->grouped);
    return cursors && hd_memset(w->device, cursors, 0, bytes, e) &&
           mr_launch(w, "group_scatter", g->npairs, &a, e);
}

bool mr_group(struct work *w, const struct mr_text *t, struct mr_groups *g, struct hd_error *e)
{
    for (g->slots = MR_THREADS; g->slots < g->npairs; g->slots *= 2)
        continue;
    uint64_t bytes = g->slots * sizeof(uint32_t);
    uint32_t total;
    g->table = work_device(w, bytes, e);
    g->members = work_device(w, bytes, e);
    g->first = work_device(w, bytes, e);
    g->grouped = work_device(w, g->npairs * sizeof(uint32_t), e);
    hd_ptr slot_of = work_device(w, g->npairs * sizeof(uint32_t), e);
    return g->table && g->members && g->first && g->grouped && slot_of &&
           hd_memset(w->device, g->table, 0xff, bytes, e) &&
           hd_memset(w->device, g->members, 0, bytes, e) && insert(w, t, g, slot_of, e) &&
           mr_scan(w, g->first, g->members, g->slots, &total, e) && scatter(w, g, slot_of, e);
}

bool mr_count_pairs(struct work *w, const struct mr_text *t, struct mr_groups *g, hd_ptr *places,
                    struct hd_error *e)
{
    hd_ptr counts = work_device(w, t->n * sizeof(uint32_t), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, t->lines_d);
    hd_arg_u32(&a, t->n);
    hd_arg_ptr(&a, counts);
    *places = work_device(w, t->n * sizeof(uint32_t), e);
    if (!counts || !*places || !mr_launch(w, "map_count", t->n, &a, e) ||
        !mr_scan(w, *places, counts, t->n, &g->npairs, e))
        return false;
    g->pairs = work_device(w, g->npairs * sizeof(struct mr_pair), e);
    return g->pairs != 0;
}

bool mr_reduce(struct work *w, const struct mr_groups *g, hd_ptr *sums, struct hd_error *e)
{
    *sums = work_device(w, g->slots * sizeof(uint32_t), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, g->pairs);
    hd_arg_ptr(&a, g->members);
    hd_arg_ptr(&a, g->first);
    hd_arg_ptr(&a, g->grouped);
    hd_arg_u32(&a, g->slots);
    hd_arg_ptr(&a, *sums);
    return *sums && mr_launch(w, "reduce", g->slots, &a, e);
}

/* ---- comparison ------------------------------------------------------------------------------- */

struct mr_count *mr_read(struct work *w, const struct mr_text *t, const struct mr_groups *g,
                         hd_ptr counts, uint32_t *n, struct hd_error *e)
{
    size_t bytes = g->slots * sizeof(uint32_t);
    int32_t *table = work_alloc(w, bytes);
    uint32_t *count = work_alloc(w, bytes);
    struct mr_pair *pairs = work_alloc(w, g->npairs * sizeof *pairs);
    struct mr_count *all = work_alloc(w, g->slots * sizeof *all);
    *n = 0;
    if (!work_download(w, table, g->table, bytes, e) ||
        !work_download(w, count, counts, bytes, e) ||
        !work_download(w, pairs, g->pairs, g->npairs * sizeof *pairs, e))
        return NULL;
    for (uint32_t i = 0; i < g->slots; i++) {
        if (table[i] < 0)
            continue;
        const struct mr_pair *p = &pairs[table[i]];
        all[(*n)++] = (struct mr_count){t->bytes + p->key, p->length, count[i]};
    }
    return all;
}

static int compare_keys(const struct mr_count *a, const struct mr_count *b)
{
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->key, b->key, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare(const void *a, const void *b)
{
    const struct mr_count *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->count > y->count) - (x->count < y->count);
}

void mr_sort(struct mr_count *all, uint32_t n)
{
    qsort(all, n, sizeof *all, compare);
}

uint32_t mr_merge(struct mr_count *all, uint32_t n)
{
    uint32_t kept = 0;
    mr_sort(all, n);
    for (uint32_t i = 0; i < n; i++) {
        if (kept > 0 && compare_keys(&all[kept - 1], &all[i]) == 0)
            all[kept - 1].count += all[i].count;
        else
            all[kept++] = all[i];
    }
    return kept;
}

bool mr_same(const char *what, const struct mr_count *got, uint32_t ngot,
             const struct mr_count *want, uint32_t nwant, struct hd_error *e)
{
    if (ngot != nwant)
        return work_fail(e, "%u %ss, not %u", ngot, what, nwant);
    for (uint32_t i = 0; i < ngot; i++) {
        if (compare_keys(&got[i], &want[i]) != 0)
            return work_fail(e, "%s %u is \"%.*s\", not \"%.*s\"", what, i, (int)got[i].length,
                             got[i].key, (int)want[i].length, want[i].key);
        if (got[i].count != want[i].count)
            return work_fail(e, "%s \"%.*s\" has %u, not %u", what, (int)got[i].length, got[i].key,
                             got[i].count, want[i].count);
    }
    return true;
}

bool mr_check(struct work *w, const char *what, const struct mr_text *t, const struct mr_groups *g,
              hd_ptr counts, const struct mr_count *want, uint32_t nwant, struct hd_error *e)
{
    uint32_t ngot;
    struct mr_count *got = mr_read(w, t, g, counts, &ngot, e);
    if (!got)
        return false;
    mr_sort(got, ngot);
    return mr_same(what, got, ngot, want, nwant, e);
}
