/* atomics.c - ATOMICS: throughput of atomic additions to global memory.
 *
 * Three launches: one brings the words into the L2, the second makes `rounds` additions a thread, the
 * third twice as many: the third less the second is what `rounds` additions a thread take. */
#include "workload.h"

enum { LANES = 32, WORD = 4, LINE_WORDS = 32, LAUNCHES = 3 };
enum { PLACE_WORD, PLACE_LINE, PLACE_LINES };
enum { PLACE, CTAS, BLOCK, ROUNDS };

static const struct workload_arg args[] = {
    {"place",
     {PLACE_LINE, PLACE_LINE, PLACE_LINE, PLACE_LINE, PLACE_LINE},
     0,
     PLACE_LINES,
     1,
     "word|line|lines",
     "",
     "one word for all threads, a line whose words are the lanes', or a line for each warp"},
    {"ctas", {4, 80, 80, 80, 40}, 1, 65535, 1, NULL, "CTA", "one for each SM, say"},
    {"block", {64, 256, 256, 256, 256}, LANES, 1024, LANES, NULL, "thread", "of a CTA"},
    {"rounds",
     {4, 8, 16, 16, 8},
     1,
     1 << 16,
     1,
     NULL,
     "round",
     "of an addition a thread, that are timed"},
    {0}};

struct adding {
    uint32_t lane_step, warp_step, threads, words;
};

static struct adding adding_of(const struct work *w)
{
    struct adding a = {.threads = (uint32_t)(w->args[CTAS] * w->args[BLOCK])};
    a.lane_step = w->args[PLACE] != PLACE_WORD;
    a.warp_step = w->args[PLACE] == PLACE_LINES ? LINE_WORDS : 0;
    a.words = a.warp_step ? a.threads : LINE_WORDS;
    return a;
}

static bool check(struct work *w, const struct adding *x, hd_ptr words, uint32_t rounds,
                  struct hd_error *e)
{
    uint32_t *got = work_alloc(w, x->words * sizeof *got);
    uint32_t *want = work_alloc(w, x->words * sizeof *want);
    for (uint32_t t = 0; t < x->threads; t++)
        want[t % LANES * x->lane_step + t / LANES * x->warp_step] += rounds;
    return work_download(w, got, words, x->words * sizeof *got, e) &&
           work_same_u32("count", got, want, x->words, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct adding x = adding_of(w);
    uint32_t rounds = (uint32_t)w->args[ROUNDS], done = 0;
    const uint32_t of_launch[LAUNCHES] = {1, rounds, 2 * rounds};
    hd_ptr words = work_device(w, (uint64_t)x.words * WORD, e);
    hd_ptr seen = work_device(w, (uint64_t)x.threads * WORD, e);
    if (!words || !seen)
        return false;
    for (int i = 0; i < LAUNCHES; i++) {
        struct hd_args a = {0};
        hd_arg_ptr(&a, words);
        hd_arg_u32(&a, x.lane_step);
        hd_arg_u32(&a, x.warp_step);
        hd_arg_u32(&a, of_launch[i]);
        hd_arg_ptr(&a, seen);
        if (!work_launch(w, "atomic_add", (struct hd_dim){(uint32_t)w->args[CTAS], 1, 1},
                         (struct hd_dim){(uint32_t)w->args[BLOCK], 1, 1}, 0, &a, e))
            return false;
        done += of_launch[i];
    }
    return check(w, &x, words, done, e);
}

const struct workload workload_atomics = {
    .name = "ATOMICS",
    .suite = "Micro",
    .stands_for = "atomics: additions to a word, a line or many lines of global memory",
    .papers = "",
    .kernels = "atomics",
    .inputs = {"one line, 4 CTAs", "one line, 80 CTAs", "one line, 80 CTAs", "one line, 80 CTAs",
               "one line, 40 CTAs"},
    .args = args,
    .run = run,
};
