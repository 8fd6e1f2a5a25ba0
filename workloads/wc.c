/* wc.c - WC: Mars WordCount.
 *
 * The original reads a text from a file; ours makes one of lines of about 64 letters, with words
 * drawn by Zipf's law from 20,000.  As in languages, the frequent ones are short: of the words 43 %
 * have the six letters that make them pairs. */
#include "mapreduce.h"

enum { SHORTEST = 6 };

/* Words of the text, wherever lines end: they end with a blank. */
static uint32_t reference(const struct mr_text *t, struct mr_count *words)
{
    uint32_t n = 0;
    const char *end = t->bytes + t->lines[t->n];
    for (const char *word = t->bytes, *c = word; c < end; c++) {
        if (*c != ' ')
            continue;
        if (c - word >= SHORTEST)
            words[n++] = (struct mr_count){word, (uint32_t)(c - word), 1};
        word = c + 1;
    }
    return mr_merge(words, n);
}

static bool check(struct work *w, const struct mr_text *t, const struct mr_groups *g, hd_ptr sums,
                  struct hd_error *e)
{
    struct mr_count *want = work_alloc(w, (t->lines[t->n] / SHORTEST + 1) * sizeof *want);
    return mr_check(w, "word", t, g, sums, want, reference(t, want), e);
}

static bool launch_map(struct work *w, const struct mr_text *t, const struct mr_groups *g,
                       hd_ptr places, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, t->lines_d);
    hd_arg_u32(&a, t->n);
    hd_arg_ptr(&a, places);
    hd_arg_ptr(&a, g->pairs);
    return mr_launch(w, "map", t->n, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t lines[SIZES] = {[SIZE_TINY] = 512,
                                          [SIZE_SMALL] = 16 << 10,
                                          [SIZE_STUDY] = 64 << 10,
                                          [SIZE_PAPER] = 512 << 10,
                                          [SIZE_FEW] = 48 * MR_THREADS};
    struct mr_text t = mr_prose(w, lines[w->size]);
    struct mr_groups g;
    hd_ptr places, sums;
    return mr_text_upload(w, &t, e) && mr_count_pairs(w, &t, &g, &places, e) &&
           launch_map(w, &t, &g, places, e) && mr_group(w, &t, &g, e) &&
           mr_reduce(w, &g, &sums, e) && (!w->verify || check(w, &t, &g, sums, e));
}

const struct workload workload_wc = {
    .name = "WC",
    .suite = "MapReduce",
    .papers = "cdxbar",
    .stands_for = "WordCount: lines scanned byte by byte, words grouped in a hash table",
    .kernels = "wordcount",
    .inputs =
        {
            [SIZE_TINY] = "512 lines, 34 KB",
            [SIZE_SMALL] = "16,384 lines, 1.1 MB",
            [SIZE_STUDY] = "65,536 lines, 4.4 MB",
            [SIZE_PAPER] = "524,288 lines, 35 MB",
            [SIZE_FEW] = "12,288 lines: 48 CTAs of lines",
        },
    .run = run,
};
