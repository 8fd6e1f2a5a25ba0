/* mapreduce.h - what the drivers of the four MapReduce programs share: texts, launches, groups;
 * kernels/mapreduce.h has their kernels. */
#ifndef HEDDLE_WORKLOADS_MAPREDUCE_H
#define HEDDLE_WORKLOADS_MAPREDUCE_H

#include "workload.h"

enum { MR_THREADS = 256, MR_LONGEST_WORD = 9, MR_LINE = 64, MR_VOCABULARY = 20000 };

/* A pair as the kernels have it. */
struct mr_pair {
    uint32_t key, length, hash, value;
};

/* Lines without their ends: line i is bytes[lines[i]] up to bytes[lines[i + 1]]. */
struct mr_text {
    char *bytes;
    uint32_t *lines; /* n + 1 */
    uint32_t n;
    hd_ptr bytes_d, lines_d;
};

/* Groups of pairs with the same key; see kernels/mapreduce.h. */
struct mr_groups {
    uint32_t npairs, slots;
    hd_ptr pairs, table, members, first, grouped;
};

/* A key and a number, in outputs and references; sorted and compared by mr_same. */
struct mr_count {
    const char *key;
    uint32_t length, count;
};

/* Ranks drawn by the law of Zipf and Mandelbrot: the weight of rank r is 1 / (r + offset). */
struct mr_zipf;
struct mr_zipf *mr_zipf_new(struct work *w, uint32_t ranks, double offset);
uint32_t mr_zipf_draw(const struct mr_zipf *z, uint64_t random);

/* The word of a rank below 21^4, not ended by zero; its length.  Its consonants are the rank's
 * digits, so no two ranks have the same word, and frequent words are short, as in languages: 2 or 3
 * letters up to rank 20, 4 or 5 up to 440, 6 or 7 up to 9260, then 8 or 9. */
uint32_t mr_word(const struct work *w, uint32_t rank, char *to);

/* An empty text with room for n lines of at most `longest` bytes. */
struct mr_text mr_text_new(struct work *w, uint32_t n, uint32_t longest);
/* Ends the line that was begun at lines[n]; `length` bytes were written there. */
void mr_text_end_line(struct mr_text *t, uint32_t length);
static inline char *mr_text_line(struct mr_text *t)
{
    return t->bytes + t->lines[t->n];
}
/* n lines of words and blanks, each as long as it takes to reach MR_LINE letters. */
struct mr_text mr_prose(struct work *w, uint32_t n);
bool mr_text_upload(struct work *w, struct mr_text *t, struct hd_error *e);

/* Where `what` stands first from `from` on; NULL: not before `end`. */
const char *mr_find(const char *from, const char *end, const char *what, uint32_t length);

/* One thread per element, in CTAs of MR_THREADS. */
bool mr_launch(struct work *w, const char *kernel, uint32_t threads, const struct hd_args *args,
               struct hd_error *e);
/* Exclusive prefix sums; the sum of all comes back. */
bool mr_scan(struct work *w, hd_ptr out, hd_ptr in, uint32_t n, uint32_t *total,
             struct hd_error *e);
/* Groups g->npairs pairs at g->pairs; makes the rest of *g. */
bool mr_group(struct work *w, const struct mr_text *t, struct mr_groups *g, struct hd_error *e);
/* Runs map_count, a scan, and returns where each line's pairs go; room for all is in g->pairs. */
bool mr_count_pairs(struct work *w, const struct mr_text *t, struct mr_groups *g, hd_ptr *places,
                    struct hd_error *e);
/* Launches `reduce`: the sum of each group's values. */
bool mr_reduce(struct work *w, const struct mr_groups *g, hd_ptr *sums, struct hd_error *e);

/* The key and `counts` of each group that has members. */
struct mr_count *mr_read(struct work *w, const struct mr_text *t, const struct mr_groups *g,
                         hd_ptr counts, uint32_t *n, struct hd_error *e);
/* Sorts by key, then by count; equal keys become one, with the sum of their counts. */
uint32_t mr_merge(struct mr_count *all, uint32_t n);
void mr_sort(struct mr_count *all, uint32_t n);
/* Whether groups have these keys and counts, which are sorted. */
bool mr_check(struct work *w, const char *what, const struct mr_text *t, const struct mr_groups *g,
              hd_ptr counts, const struct mr_count *want, uint32_t nwant, struct hd_error *e);
bool mr_same(const char *what, const struct mr_count *got, uint32_t ngot,
             const struct mr_count *want, uint32_t nwant, struct hd_error *e);

#endif
