/* ms.c - MS: CUDA SDK mergeSort.
 *
 * The original sorts 4 M keys below 65,536 with their positions as values; ours sorts as many at
 * `paper`.  Merging is stable, so the outcome is unique although keys are equal: the reference is a
 * counting sort. */
#include "workload.h"

enum { TILE = 1024, SAMPLE = 128, SORTERS = 512, RANKERS = 256, KEYS = 65536, KEY_STREAM = 0 };

struct sorter {
    uint32_t n;
    hd_ptr keys[2], values[2]; /* in turn input and output */
    hd_ptr ranks[2], limits[2];
};

static bool launch_tiles(struct work *w, const struct sorter *s, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, s->keys[1]);
    hd_arg_ptr(&a, s->values[1]);
    hd_arg_ptr(&a, s->keys[0]);
    hd_arg_ptr(&a, s->values[0]);
    return work_launch(w, "merge_sort_shared", (struct hd_dim){s->n / TILE, 1, 1},
                       (struct hd_dim){SORTERS, 1, 1}, 0, &a, e);
}

static bool launch_ranks(struct work *w, const struct sorter *s, int from, uint32_t run,
                         struct hd_error *e)
{
    uint32_t samples = s->n / (2 * SAMPLE);
    struct hd_dim grid = {(samples + RANKERS - 1) / RANKERS, 1, 1}, block = {RANKERS, 1, 1};
    struct hd_args a = {0};
    hd_arg_ptr(&a, s->ranks[0]);
    hd_arg_ptr(&a, s->ranks[1]);
    hd_arg_ptr(&a, s->keys[from]);
    hd_arg_u32(&a, run);
    hd_arg_u32(&a, samples);
    bool ok = work_launch(w, "rank_samples", grid, block, 0, &a, e);
    for (int i = 0; i < 2 && ok; i++) {
        struct hd_args m = {0};
        hd_arg_ptr(&m, s->limits[i]);
        hd_arg_ptr(&m, s->ranks[i]);
        hd_arg_u32(&m, run);
        hd_arg_u32(&m, samples);
        ok = work_launch(w, "merge_ranks", grid, block, 0, &m, e);
    }
    return ok;
}

static bool launch_intervals(struct work *w, const struct sorter *s, int from, uint32_t run,
                             struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, s->keys[!from]);
    hd_arg_ptr(&a, s->values[!from]);
    hd_arg_ptr(&a, s->keys[from]);
    hd_arg_ptr(&a, s->values[from]);
    hd_arg_ptr(&a, s->limits[0]);
    hd_arg_ptr(&a, s->limits[1]);
    hd_arg_u32(&a, run);
    return work_launch(w, "merge_intervals", (struct hd_dim){s->n / SAMPLE, 1, 1},
                       (struct hd_dim){SAMPLE, 1, 1}, 0, &a, e);
}

static bool make_sorter(struct work *w, struct sorter *s, const uint32_t *keys,
                        const uint32_t *values, struct hd_error *e)
{
    uint64_t bytes = s->n * sizeof *keys, samples = bytes / SAMPLE;
    s->keys[0] = work_upload(w, keys, bytes, e);
    s->values[0] = work_upload(w, values, bytes, e);
    s->keys[1] = work_device(w, bytes, e);
    s->values[1] = work_device(w, bytes, e);
    bool ok = s->keys[0] && s->values[0] && s->keys[1] && s->values[1];
    for (int i = 0; i < 2 && ok; i++) {
        s->ranks[i] = work_device(w, samples, e);
        s->limits[i] = work_device(w, samples, e);
        ok = s->ranks[i] && s->limits[i];
    }
    return ok;
}

static void reference(const struct sorter *s, const uint32_t *keys, uint32_t *sorted,
                      uint32_t *positions, uint32_t *first)
{
    for (uint32_t i = 0; i < s->n; i++)
        first[keys[i] + 1]++;
    for (uint32_t k = 0; k < KEYS; k++)
        first[k + 1] += first[k];
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t to = first[keys[i]]++;
        sorted[to] = keys[i];
        positions[to] = i;
    }
}

static bool check(struct work *w, const struct sorter *s, int at, const uint32_t *keys,
                  struct hd_error *e)
{
    size_t bytes = s->n * sizeof *keys;
    uint32_t *got = work_alloc(w, bytes), *sorted = work_alloc(w, bytes);
    uint32_t *positions = work_alloc(w, bytes);
    reference(s, keys, sorted, positions, work_alloc(w, (KEYS + 1) * sizeof *keys));
    return work_download(w, got, s->keys[at], bytes, e) &&
           work_same_i32("key", (int32_t *)got, (int32_t *)sorted, s->n, e) &&
           work_download(w, got, s->values[at], bytes, e) &&
           work_same_i32("value", (int32_t *)got, (int32_t *)positions, s->n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t sizes[SIZES] = {[SIZE_TINY] = 1 << 12,
                                          [SIZE_SMALL] = 1 << 16,
                                          [SIZE_STUDY] = 1 << 18,
                                          [SIZE_PAPER] = 1 << 22,
                                          [SIZE_FEW] = 1 << 13};
    struct sorter s = {.n = sizes[w->size]};
    uint32_t *keys = work_alloc(w, s.n * sizeof *keys), *values = work_alloc(w, s.n * sizeof *keys);
    for (uint32_t i = 0; i < s.n; i++) {
        keys[i] = (uint32_t)(work_random(w, KEY_STREAM, i) % KEYS);
        values[i] = i;
    }
    bool ok = make_sorter(w, &s, keys, values, e) && launch_tiles(w, &s, e);
    int at = 1; /* which of the two holds the keys */
    for (uint32_t run = TILE; run < s.n && ok; run *= 2, at = !at)
        ok = launch_ranks(w, &s, at, run, e) && launch_intervals(w, &s, at, run, e);
    return ok && (!w->verify || check(w, &s, at, keys, e));
}

const struct workload workload_ms = {
    .name = "MS",
    .suite = "CUDA SDK",
    .papers = "cdxbar",
    .stands_for = "mergeSort: tiles sorted in shared memory, then merged by ranks of samples",
    .kernels = "mergesort",
    .inputs =
        {
            [SIZE_TINY] = "4,096 keys and values",
            [SIZE_SMALL] = "65,536 keys and values",
            [SIZE_STUDY] = "262,144 keys and values",
            [SIZE_PAPER] = "4,194,304 keys and values",
            [SIZE_FEW] = "8,192 keys and values: 64 intervals",
        },
    .run = run,
};
