/* launch.c - LAUNCH: what the start and end of a CTA take.
 *
 * Two launches, of `ctas` CTAs and of twice as many: the second less the first is what `ctas` CTAs take
 * amidst others. */
#include "workload.h"

enum { CTAS, BLOCK, SHARED, WORK };

static const struct workload_arg args[] = {
    {"ctas", {64, 2560, 10240, 10240, 32}, 1, 1 << 24, 1, NULL, "CTA", "that are timed"},
    {"block", {32, 32, 32, 32, 32}, 1, 1024, 1, NULL, "thread", "of a CTA"},
    {"shared",
     {0, 0, 0, 0, 0},
     0,
     227 << 10,
     1,
     NULL,
     "B",
     "of shared memory that a CTA has and does not use, to limit how many an SM holds"},
    {"work",
     {0, 0, 0, 0, 0},
     0,
     1 << 20,
     1,
     NULL,
     "step",
     "multiply-adds of a thread, each of what the last one gave"},
    {0}};

static bool launch(struct work *w, hd_ptr never, uint32_t ctas, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_u32(&a, (uint32_t)w->args[WORK]);
    hd_arg_ptr(&a, never);
    return work_launch(w, "launch_ctas", (struct hd_dim){ctas, 1, 1},
                       (struct hd_dim){(uint32_t)w->args[BLOCK], 1, 1}, (uint32_t)w->args[SHARED],
                       &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    uint32_t ctas = (uint32_t)w->args[CTAS], got = 0, want = 0;
    hd_ptr never = work_device(w, sizeof got, e);
    return never && launch(w, never, ctas, e) && launch(w, never, 2 * ctas, e) &&
           work_download(w, &got, never, sizeof got, e) &&
           work_same_u32("never", &got, &want, 1, e);
}

const struct workload workload_launch = {
    .name = "LAUNCH",
    .suite = "Micro",
    .stands_for = "CTA launch: CTAs that do nothing, or a chain of instructions",
    .papers = "",
    .kernels = "launch",
    .inputs = {"64 CTAs of 32", "2,560 CTAs of 32", "10,240 CTAs of 32", "10,240 CTAs of 32",
               "32 CTAs of 32"},
    .args = args,
    .run = run,
};
