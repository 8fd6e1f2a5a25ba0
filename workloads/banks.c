/* banks.c - BANKS: loads of shared memory with conflicts of a degree.
 *
 * Two launches, of `rounds` and of twice as many rounds of eight loads: the second less the first is
 * what 8 x `rounds` loads of a thread take. */
#include "workload.h"

enum { LANES = 32 };
enum { DEGREE, CTAS, BLOCK, ROUNDS };

static const struct workload_arg args[] = {
    {"degree", {2, 2, 2, 2, 2}, 1, LANES, 1, NULL, "lane", "that want different words of one bank"},
    {"ctas", {4, 80, 80, 80, 40}, 1, 65535, 1, NULL, "CTA", "one for each SM, say"},
    {"block", {256, 1024, 1024, 1024, 1024}, LANES, 1024, LANES, NULL, "thread", "of a CTA"},
    {"rounds", {8, 16, 64, 64, 16}, 1, 1 << 16, 1, NULL, "round", "of eight loads, that are timed"},
    {0}};

static bool read(struct work *w, hd_ptr sums, uint32_t rounds, struct hd_error *e)
{
    uint32_t degree = (uint32_t)w->args[DEGREE], ctas = (uint32_t)w->args[CTAS];
    uint32_t block = (uint32_t)w->args[BLOCK], threads = ctas * block;
    struct hd_args a = {0};
    hd_arg_u32(&a, degree);
    hd_arg_u32(&a, rounds);
    hd_arg_ptr(&a, sums);
    if (!work_launch(w, "bank_read", (struct hd_dim){ctas, 1, 1}, (struct hd_dim){block, 1, 1}, 0,
                     &a, e))
        return false;
    uint32_t *got = work_alloc(w, threads * sizeof *got);
    uint32_t *want = work_alloc(w, threads * sizeof *want);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t lane = t % LANES;
        want[t] = rounds * (lane % degree * LANES + lane / degree);
    }
    return work_download(w, got, sums, threads * sizeof *got, e) &&
           work_same_u32("sum", got, want, threads, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    uint32_t rounds = (uint32_t)w->args[ROUNDS];
    hd_ptr sums = work_device(w, (uint64_t)(w->args[CTAS] * w->args[BLOCK]) * sizeof(uint32_t), e);
    return sums && read(w, sums, rounds, e) && read(w, sums, 2 * rounds, e);
}

const struct workload workload_banks = {
    .name = "BANKS",
    .suite = "Micro",
    .stands_for = "bank conflicts: shared loads of a degree",
    .papers = "",
    .kernels = "banks",
    .inputs = {"degree 2, 4 CTAs", "degree 2, 80 CTAs", "degree 2, 80 CTAs", "degree 2, 80 CTAs",
               "degree 2, 40 CTAs"},
    .args = args,
    .run = run,
};
