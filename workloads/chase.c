/* chase.c - CHASE: latency over footprint, by a chase of pointers in random order.
 *
 * The lines of a buffer are in a ring of random order, and the ring is walked once for each 8-byte
 * word of a line: every line is touched once before any is touched again.  One thread follows it.
 *
 * Four launches.  The first reads the buffer, if it has no more than `touch` bytes, so that the L2 holds
 * what it can of it.  The others chase, each from where the last one ended: the second and the third
 * `warmup` steps, the fourth as many and then `steps` more.  So the fourth less the third is what the
 * steps took, in caches that are as the warm-up left them.  Two walks over all words of all lines are a
 * warm-up for any cache, and more are not made; of a buffer far larger than the caches a part of one
 * is as good.  Only the pointers that are followed are written, so that a large buffer costs little. */
#include "workload.h"

enum { POINTER = 8, LINE = 128, ORDER_STREAM = 0, WALKS_OF_WARMUP = 2, WALKS = 3 };
enum { FOOTPRINT, STRIDE, STEPS, WARMUP, TOUCH };

static const struct workload_arg args[] = {
    {"footprint",
     {4 << 10, 1 << 20, 16 << 20, 600 << 20, 4 << 20},
     LINE,
     4ll << 30,
     LINE,
     NULL,
     "B",
     "of the buffer"},
    {"stride",
     {LINE, LINE, LINE, LINE, LINE},
     POINTER,
     1 << 20,
     POINTER,
     NULL,
     "B",
     "from one line of the ring to the next in memory; where it is less than 128, so is a line"},
    {"steps",
     {256, 4096, 16384, 16384, 256},
     1,
     1 << 24,
     1,
     NULL,
     "step",
     "that are timed, after the warm-up"},
    {"warmup",
     {2048, 32768, 524288, 524288, 256},
     0,
     1 << 24,
     1,
     NULL,
     "step",
     "before, if two walks over all words are not fewer"},
    {"touch",
     {1 << 20, 32 << 20, 32 << 20, 32 << 20, 32 << 20},
     0,
     4ll << 30,
     1,
     NULL,
     "B",
     "buffers of at most so many are read before, to be in the L2"},
    {0}};

struct ring {
    uint64_t stride, nlines,
        words;      /* words: of a line, each in a ring of its own behind the last */
    uint32_t *line; /* [nlines] in the order of the ring */
};

/* Where the step-th load of a chase that never ends is, from the start of the buffer. */
static uint64_t place(const struct ring *r, uint64_t step)
{
    uint64_t word = step / r->nlines % r->words;
    return r->line[step % r->nlines] * r->stride + word * POINTER;
}

static struct ring make_ring(struct work *w)
{
    uint64_t stride = (uint64_t)w->args[STRIDE], line = stride < LINE ? stride : LINE;
    struct ring r = {
        .stride = stride, .nlines = (uint64_t)w->args[FOOTPRINT] / stride, .words = line / POINTER};
    r.line = work_alloc(w, r.nlines * sizeof *r.line);
    for (uint32_t i = 0; i < r.nlines; i++) {
        uint32_t other = work_random_u32(w, ORDER_STREAM, i, i + 1); /* Fisher and Yates */
        r.line[i] = r.line[other];
        r.line[other] = i;
    }
    return r;
}

/* Pointers from each of the first `steps` places to the next. */
static bool write_pointers(struct work *w, const struct ring *r, hd_ptr buffer, uint64_t steps,
                           struct hd_error *e)
{
    uint64_t all = r->nlines * r->words;
    for (uint64_t i = 0; i < steps && i < all; i++) {
        uint64_t next = buffer + place(r, i + 1);
        if (!hd_upload(w->device, buffer + place(r, i), &next, POINTER, e))
            return false;
    }
    return true;
}

/* `steps` steps from *step on, which is advanced. */
static bool walk(struct work *w, const struct ring *r, hd_ptr buffer, hd_ptr end, uint64_t *step,
                 uint64_t steps, struct hd_error *e)
{
    uint64_t got = 0;
    struct hd_args a = {0};
    hd_arg_ptr(&a, buffer + place(r, *step));
    hd_arg_u32(&a, (uint32_t)steps);
    hd_arg_ptr(&a, end);
    if (!work_launch(w, "chase", (struct hd_dim){1, 1, 1}, (struct hd_dim){1, 1, 1}, 0, &a, e) ||
        !work_download(w, &got, end, sizeof got, e))
        return false;
    *step += steps;
    uint64_t want = buffer + place(r, *step);
    return work_same_u64("the pointer after so many steps", &got, &want, 1, e);
}

static bool touch(struct work *w, hd_ptr buffer, struct hd_error *e)
{
    enum { CTAS = 64, THREADS = 1024 };
    uint64_t pointers = (uint64_t)w->args[FOOTPRINT] / POINTER;
    struct hd_args a = {0};
    if (w->args[FOOTPRINT] > w->args[TOUCH])
        return true;
    hd_ptr sums = work_device(w, CTAS * THREADS * POINTER, e);
    hd_arg_ptr(&a, buffer);
    hd_arg_u32(&a, (uint32_t)pointers);
    hd_arg_ptr(&a, sums);
    return sums && work_launch(w, "touch", (struct hd_dim){CTAS, 1, 1},
                               (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    if (w->args[FOOTPRINT] < w->args[STRIDE])
        return work_refuse(e, "CHASE: a footprint of %lld bytes holds no stride of %lld",
                           (long long)w->args[FOOTPRINT], (long long)w->args[STRIDE]);
    struct ring r = make_ring(w);
    uint64_t warmup = WALKS_OF_WARMUP * r.words * r.nlines, most = (uint64_t)w->args[WARMUP];
    warmup = warmup < most ? warmup : most;
    const uint64_t steps[WALKS] = {warmup, warmup, warmup + (uint64_t)w->args[STEPS]};
    uint64_t step = 0;
    hd_ptr buffer = work_device_pages(w, (uint64_t)w->args[FOOTPRINT], e);
    hd_ptr end = work_device(w, POINTER, e);
    if (!buffer || !end || !write_pointers(w, &r, buffer, steps[0] + steps[1] + steps[2], e) ||
        !touch(w, buffer, e))
        return false;
    for (int i = 0; i < WALKS; i++)
        if (!walk(w, &r, buffer, end, &step, steps[i], e))
            return false;
    return true;
}

const struct workload workload_chase = {
    .name = "CHASE",
    .suite = "Micro",
    .stands_for = "pointer chase: latency over footprint, one thread, lines in random order",
    .papers = "",
    .kernels = "chase",
    .inputs = {"4 KiB, 256 steps", "1 MiB, 4,096 steps", "16 MiB, 16,384 steps",
               "600 MiB, 16,384 steps", "4 MiB, 256 steps"},
    .args = args,
    .run = run,
};
