/* pvc.c - PVC: Mars PageViewCount.
 *
 * The original reads a server's log; ours makes one: pages drawn by the law of Zipf and Mandelbrot
 * from 10,000, visitors from a quarter of the number of lines; one line of four repeats an earlier
 * one. */
#include "mapreduce.h"

#include <stdio.h>
#include <string.h>

enum { PAGES = 10000, LONGEST = 96, REPEAT_STREAM = 0, PAGE_STREAM = 1, VISITOR_STREAM = 2 };

static uint32_t new_line(const struct work *w, const struct mr_zipf *pages, uint32_t i, uint32_t n,
                         char *to)
{
    uint32_t page = mr_zipf_draw(pages, work_random(w, PAGE_STREAM, i));
    uint64_t visitor = work_random(w, VISITOR_STREAM, i) % (n / 4);
    uint64_t address = work_random(w, VISITOR_STREAM, (uint64_t)n + visitor);
    return (uint32_t)snprintf(to, LONGEST, "http://site%u.org/page%u.html\t%u.%u.%u.%u\t%08x",
                              page % 500, page, (uint32_t)(address & 255),
                              (uint32_t)(address >> 8 & 255), (uint32_t)(address >> 16 & 255),
                              (uint32_t)(address >> 24 & 255), (uint32_t)(address >> 32));
}

static struct mr_text make_log(struct work *w, uint32_t n)
{
    struct mr_text t = mr_text_new(w, n, LONGEST);
    const struct mr_zipf *pages = mr_zipf_new(w, PAGES, 50);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t random = work_random(w, REPEAT_STREAM, i);
        uint32_t length;
        if (i > 0 && random % 4 == 0) {
            uint32_t of = (uint32_t)((random >> 8) % i);
            length = t.lines[of + 1] - t.lines[of];
            memcpy(mr_text_line(&t), t.bytes + t.lines[of], length);
        } else {
            length = new_line(w, pages, i, n, mr_text_line(&t));
        }
        mr_text_end_line(&t, length);
    }
    return t;
}

static uint32_t reference(const struct mr_text *t, struct mr_count *visits)
{
    for (uint32_t i = 0; i < t->n; i++)
        visits[i] = (struct mr_count){t->bytes + t->lines[i], t->lines[i + 1] - t->lines[i], 0};
    uint32_t distinct = mr_merge(visits, t->n);
    for (uint32_t i = 0; i < distinct; i++) {
        const char *tab = memchr(visits[i].key, '\t', visits[i].length);
        visits[i].length = (uint32_t)(tab - visits[i].key);
        visits[i].count = 1;
    }
    return mr_merge(visits, distinct);
}

static bool check(struct work *w, const struct mr_text *t, const struct mr_groups *g, hd_ptr sums,
                  struct hd_error *e)
{
    struct mr_count *want = work_alloc(w, t->n * sizeof *want);
    return mr_check(w, "page", t, g, sums, want, reference(t, want), e);
}

static bool map_lines(struct work *w, const struct mr_text *t, struct mr_groups *g,
                      struct hd_error *e)
{
    g->npairs = t->n;
    g->pairs = work_device(w, g->npairs * sizeof(struct mr_pair), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, t->lines_d);
    hd_arg_u32(&a, t->n);
    hd_arg_ptr(&a, g->pairs);
    return g->pairs && mr_launch(w, "map_lines", t->n, &a, e);
}

static bool keep_distinct(struct work *w, const struct mr_groups *g, hd_ptr *kept, uint32_t *n,
                          struct hd_error *e)
{
    hd_ptr count = work_device(w, sizeof *n, e);
    *kept = work_device(w, g->npairs * sizeof(uint32_t), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, g->table);
    hd_arg_u32(&a, g->slots);
    hd_arg_ptr(&a, *kept);
    hd_arg_ptr(&a, count);
    return count && *kept && hd_memset(w->device, count, 0, sizeof *n, e) &&
           mr_launch(w, "keep_distinct", g->slots, &a, e) &&
           work_download(w, n, count, sizeof *n, e);
}

static bool map_addresses(struct work *w, const struct mr_text *t, const struct mr_groups *lines,
                          hd_ptr kept, struct mr_groups *g, struct hd_error *e)
{
    g->pairs = work_device(w, g->npairs * sizeof(struct mr_pair), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, lines->pairs);
    hd_arg_ptr(&a, kept);
    hd_arg_u32(&a, g->npairs);
    hd_arg_ptr(&a, g->pairs);
    return g->pairs && mr_launch(w, "map_addresses", g->npairs, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t sizes[SIZES] = {[SIZE_TINY] = 512,
                                          [SIZE_SMALL] = 16 << 10,
                                          [SIZE_STUDY] = 64 << 10,
                                          [SIZE_PAPER] = 512 << 10,
                                          [SIZE_FEW] = 48 * MR_THREADS};
    struct mr_text t = make_log(w, sizes[w->size]);
    struct mr_groups lines, pages;
    hd_ptr kept, sums;
    return mr_text_upload(w, &t, e) && map_lines(w, &t, &lines, e) && mr_group(w, &t, &lines, e) &&
           keep_distinct(w, &lines, &kept, &pages.npairs, e) &&
           map_addresses(w, &t, &lines, kept, &pages, e) && mr_group(w, &t, &pages, e) &&
           mr_reduce(w, &pages, &sums, e) && (!w->verify || check(w, &t, &pages, sums, e));
}

const struct workload workload_pvc = {
    .name = "PVC",
    .suite = "MapReduce",
    .papers = "cdxbar",
    .stands_for = "PageViewCount: a log's distinct lines, then visits per page, by hash tables",
    .kernels = "pageviewcount",
    .inputs =
        {
            [SIZE_TINY] = "512 lines, 28 KB",
            [SIZE_SMALL] = "16,384 lines, 0.9 MB",
            [SIZE_STUDY] = "65,536 lines, 3.5 MB",
            [SIZE_PAPER] = "524,288 lines, 28 MB",
            [SIZE_FEW] = "12,288 lines: 48 CTAs of lines",
        },
    .run = run,
};
