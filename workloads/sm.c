/* sm.c - SM: Mars StringMatch.
 *
 * The original looks for a word in a file; ours makes lines of about 64 letters, with words drawn
 * by Zipf's law from 20,000, and looks for one of the frequent ones, which stands also within
 * others. */
#include "mapreduce.h"

#include <stdlib.h>

enum { SOUGHT_RANK = 30, WORD_BYTES = 32 };

struct match {
    uint32_t at, line;
};

struct search {
    struct mr_text text;
    char word[WORD_BYTES];
    uint32_t length;
    hd_ptr found, nfound, per_line;
};

static bool launch(struct work *w, struct search *s, struct hd_error *e)
{
    const struct mr_text *t = &s->text;
    /* The word's first letter is not in its rest, so matches do not overlap. */
    s->found = work_device(w, t->lines[t->n] / s->length * sizeof(struct match), e);
    s->nfound = work_device(w, sizeof(uint32_t), e);
    s->per_line = work_device(w, t->n * sizeof(uint32_t), e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, t->bytes_d);
    hd_arg_ptr(&a, t->lines_d);
    hd_arg_u32(&a, t->n);
    hd_arg_u32(&a, s->length);
    hd_arg_ptr(&a, s->found);
    hd_arg_ptr(&a, s->nfound);
    hd_arg_ptr(&a, s->per_line);
    return s->found && s->nfound && s->per_line &&
           hd_memset(w->device, s->nfound, 0, sizeof(uint32_t), e) &&
           work_symbol(w, "word", s->word, sizeof s->word, e) && mr_launch(w, "map", t->n, &a, e);
}

static int compare_matches(const void *a, const void *b)
{
    const struct match *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* In the order of the text; per_line counts them. */
static uint32_t reference(const struct search *s, struct match *found, uint32_t *per_line)
{
    const struct mr_text *t = &s->text;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const char *at = t->bytes + t->lines[i], *end = t->bytes + t->lines[i + 1];
        while ((at = mr_find(at, end, s->word, s->length)) != NULL) {
            found[n++] = (struct match){(uint32_t)(at - t->bytes), i};
            per_line[i]++;
            at++;
        }
    }
    return n;
}

static bool check(struct work *w, const struct search *s, struct hd_error *e)
{
    const struct mr_text *t = &s->text;
    size_t room = t->lines[t->n] / s->length, lines = t->n * sizeof(uint32_t);
    struct match *got = work_alloc(w, room * sizeof *got);
    struct match *want = work_alloc(w, room * sizeof *want);
    uint32_t *got_lines = work_alloc(w, lines), *want_lines = work_alloc(w, lines), ngot;
    uint32_t n = reference(s, want, want_lines);
    if (!work_download(w, &ngot, s->nfound, sizeof ngot, e) ||
        !work_same_i32("matches", (int32_t *)&ngot, (int32_t *)&n, 1, e) ||
        !work_download(w, got, s->found, n * sizeof *got, e) ||
        !work_download(w, got_lines, s->per_line, lines, e))
        return false;
    qsort(got, n, sizeof *got, compare_matches);
    return work_same_i32("match", (int32_t *)got, (int32_t *)want, 2 * (size_t)n, e) &&
           work_same_i32("matches of line", (int32_t *)got_lines, (int32_t *)want_lines, t->n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t lines[SIZES] = {[SIZE_TINY] = 1024,
                                          [SIZE_SMALL] = 64 << 10,
                                          [SIZE_STUDY] = 256 << 10,
                                          [SIZE_PAPER] = 1 << 20,
                                          [SIZE_FEW] = 48 * MR_THREADS};
    struct search s = {.length = 0};
    s.text = mr_prose(w, lines[w->size]);
    s.length = mr_word(w, SOUGHT_RANK, s.word);
    return mr_text_upload(w, &s.text, e) && launch(w, &s, e) && (!w->verify || check(w, &s, e));
}

const struct workload workload_sm = {
    .name = "SM",
    .suite = "MapReduce",
    .papers = "cdxbar",
    .stands_for = "StringMatch: a word compared at every byte of a text, a line per thread",
    .kernels = "stringmatch",
    .inputs =
        {
            [SIZE_TINY] = "1,024 lines, 69 KB",
            [SIZE_SMALL] = "65,536 lines, 4.4 MB",
            [SIZE_STUDY] = "262,144 lines, 18 MB",
            [SIZE_PAPER] = "1,048,576 lines, 70 MB",
            [SIZE_FEW] = "12,288 lines: 48 CTAs",
        },
    .run = run,
};
