/* ii.c - II: Mars InvertedIndex.
 *
 * The original reads HTML files; ours makes documents of 64 lines, in which about two lines of
 * three have a link, between words.  Pages linked to are drawn by the law of Zipf and Mandelbrot
 * from 10,000. */
#include "mapreduce.h"

#include <stdio.h>

enum {
    PAGES = 10000,
    VOCABULARY = 5000,
    LINES_PER_DOCUMENT = 64,
    WORDS = 6,
    LONGEST = 160,
    LINK_STREAM = 0,
    WORD_STREAM = 1,
};

struct web {
    struct mr_text text;
    uint32_t *document_of; /* by line */
    hd_ptr document_of_d;
};

static uint32_t add_words(const struct work *w, const struct mr_zipf *words, uint64_t *drawn,
                          char *to)
{
    uint32_t length = 0;
    for (int i = 0; i < WORDS; i++) {
        uint32_t rank = mr_zipf_draw(words, work_random(w, WORD_STREAM, (*drawn)++));
        length += mr_word(w, rank, to + length);
        to[length++] = ' ';
    }
    return length;
}

static struct web make_web(struct work *w, uint32_t n)
{
    struct web web = {.text = mr_text_new(w, n, LONGEST),
                      .document_of = work_alloc(w, n * sizeof(uint32_t))};
    const struct mr_zipf *pages = mr_zipf_new(w, PAGES, 50),
                         *words = mr_zipf_new(w, VOCABULARY, 2.7);
    uint64_t drawn = 0;
    for (uint32_t i = 0; i < n; i++) {
        char *line = mr_text_line(&web.text);
        uint32_t length = add_words(w, words, &drawn, line);
        uint64_t random = work_random(w, LINK_STREAM, i);
        if (random % 3 != 0) {
            uint32_t page = mr_zipf_draw(pages, work_random(w, LINK_STREAM, (uint64_t)n + i));
            length += (uint32_t)snprintf(line + length, LONGEST - length,
                                         "<a href=\"http://site%u.org/page%u.html\">here</a> ",
                                         page % 500, page);
        }
        if (random % 5 == 0)
            length += (uint32_t)snprintf(line + length, LONGEST - length, "<p><b>so</b>");
        web.document_of[i] = i / LINES_PER_DOCUMENT;
        mr_text_end_line(&web.text, length);
    }
    return web;
}

/* Pairs of a page and a document (as its count), sorted. */
static uint32_t reference(const struct web *web, struct mr_count *links)
{
    static const char opening[] = "<a href=\"";
    const uint32_t opening_length = sizeof opening - 1;
    uint32_t n = 0;
    const struct mr_text *t = &web->text;
    for (uint32_t i = 0; i < t->n; i++) {
        const char *at = t->bytes + t->lines[i], *end = t->bytes + t->lines[i + 1];
        while ((at = mr_find(at, end, opening, opening_length)) != NULL) {
            const char *page = at + opening_length;
            at = mr_find(page, end, "\"", 1);
            links[n++] = (struct mr_count){page, (uint32_t)(at - page), web->document_of[i]};
        }
    }
    mr_sort(links, n);
    return n;
}

/* The index as pairs: every page with each of its documents. */
static struct mr_count *read_index(struct work *w, const struct web *web, const struct mr_groups *g,
                                   hd_ptr documents, struct hd_error *e)
{
    uint32_t ngroups, n = 0;
    struct mr_count *sizes = mr_read(w, &web->text, g, g->members, &ngroups, e);
    struct mr_count *starts = sizes ? mr_read(w, &web->text, g, g->first, &ngroups, e) : NULL;
    uint32_t *documents_of = work_alloc(w, g->npairs * sizeof *documents_of);
    struct mr_count *all = work_alloc(w, g->npairs * sizeof *all);
    if (!starts || !work_download(w, documents_of, documents, g->npairs * sizeof *documents_of, e))
        return NULL;
    for (uint32_t i = 0; i < ngroups; i++)
        for (uint32_t k = 0; k < sizes[i].count && n < g->npairs; k++)
            all[n++] =
                (struct mr_count){sizes[i].key, sizes[i].length, documents_of[starts[i].count + k]};
    mr_sort(all, n);
    return all;
}

static bool check(struct work *w, const struct web *web, const struct mr_groups *g,
                  hd_ptr documents, struct hd_error *e)
{
    struct mr_count *got = read_index(w, web, g, documents, e);
    struct mr_count *want = work_alloc(w, web->text.n * sizeof *want);
    return got && mr_same("link", got, g->npairs, want, reference(web, want), e);
}

static bool launch_map(struct work *w, const struct web *web, const struct mr_groups *g,
                       hd_ptr places, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, web->text.bytes_d);
    hd_arg_ptr(&a, web->text.lines_d);
    hd_arg_u32(&a, web->text.n);
    hd_arg_ptr(&a, places);
    hd_arg_ptr(&a, web->document_of_d);
    hd_arg_ptr(&a, g->pairs);
    return mr_launch(w, "map", web->text.n, &a, e);
}

static bool collect(struct work *w, const struct mr_groups *g, hd_ptr *documents,
                    struct hd_error *e)
{
    *documents = work_device(w, g->npairs * sizeof(uint32_t), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, g->pairs);
    hd_arg_ptr(&a, g->grouped);
    hd_arg_u32(&a, g->npairs);
    hd_arg_ptr(&a, *documents);
    return *documents && mr_launch(w, "collect", g->npairs, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t lines[SIZES] = {[SIZE_TINY] = 512,
                                          [SIZE_SMALL] = 16 << 10,
                                          [SIZE_STUDY] = 64 << 10,
                                          [SIZE_PAPER] = 512 << 10,
                                          [SIZE_FEW] = 48 * MR_THREADS};
    struct web web = make_web(w, lines[w->size]);
    struct mr_groups g;
    hd_ptr places, documents;
    web.document_of_d = work_upload(w, web.document_of, web.text.n * sizeof(uint32_t), e);
    return web.document_of_d && mr_text_upload(w, &web.text, e) &&
           mr_count_pairs(w, &web.text, &g, &places, e) && launch_map(w, &web, &g, places, e) &&
           mr_group(w, &web.text, &g, e) && collect(w, &g, &documents, e) &&
           (!w->verify || check(w, &web, &g, documents, e));
}

const struct workload workload_ii = {
    .name = "II",
    .suite = "MapReduce",
    .papers = "cdxbar",
    .stands_for = "InvertedIndex: links of HTML found byte by byte, grouped in a hash table",
    .kernels = "invertedindex",
    .inputs =
        {
            [SIZE_TINY] = "512 lines, 31 KB",
            [SIZE_SMALL] = "16,384 lines, 1.0 MB",
            [SIZE_STUDY] = "65,536 lines, 4.0 MB",
            [SIZE_PAPER] = "524,288 lines, 32 MB",
            [SIZE_FEW] = "12,288 lines: 48 CTAs of lines",
        },
    .run = run,
};
