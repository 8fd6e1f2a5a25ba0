/* bt.c - BT of Rodinia (b+tree): look-ups of keys and of ranges of keys; see kernels/btree.cu.
 *
 * The original inserts the keys 0..n-1 of a file one by one; here the tree is built from its leaves
 * upwards, with nodes between half full and full as insertion in random order leaves them, and
 * numbered level by level from the root as in the original.  The original's input is a million
 * keys, 10,000 look-ups and 6,000 ranges of 3,000 keys, which fits a study.  At size chip nodes are
 * half full, as keys leave them that are inserted in ascending order. */
#include <limits.h>

#include "workload.h"

enum { ORDER = 256, MAX_LEVELS = 8 };

struct node { /* as in the kernel */
    int32_t location;
    int32_t links[ORDER + 1];
    int32_t keys[ORDER + 1];
    bool is_leaf;
    int32_t slots;
};
_Static_assert(sizeof(struct node) == 2068, "the kernel's layout");

struct shape {
    uint32_t keys, lookups, ranges, range;
};

/* The nodes of one level; level 0 are the leaves.  Node i holds the entries (nodes below, or keys)
 * first[i] to first[i + 1] - 1, and `lowest` is its lowest key. */
struct level {
    uint32_t nodes;
    uint32_t *first, *lowest;
    uint32_t number; /* of its first node in the tree */
};

struct tree {
    uint32_t levels, nodes;
    struct level level[MAX_LEVELS];
    struct node *node;
};

struct device_tree {
    hd_ptr nodes, records;
};

enum stream { STREAM_FILL, STREAM_RECORD = MAX_LEVELS, STREAM_LOOKUP, STREAM_RANGE };

/* `entries` in nodes of ORDER/2 to `most`; what is left at the end is one node. */
static struct level group(struct work *w, uint32_t stream, uint32_t entries, uint32_t most)
{
    const uint32_t least = ORDER / 2;
    const bool is_sorted = w->size == SIZE_CHIP;
    uint32_t bound = entries / least + 2;
    struct level l = {.first = work_alloc(w, bound * sizeof *l.first),
                      .lowest = work_alloc(w, bound * sizeof *l.lowest)};
    uint32_t at = 0;
    while (at < entries) {
        uint32_t fill = least;
        if (!is_sorted)
            fill += (uint32_t)(work_random(w, stream, l.nodes) % (most - least + 1));
        l.first[l.nodes++] = at;
        at = entries - at <= most ? entries : at + fill;
    }
    l.first[l.nodes] = entries;
    return l;
}

static void build_levels(struct work *w, struct tree *t, uint32_t keys)
{
    t->level[0] = group(w, STREAM_FILL, keys, ORDER - 1);
    memcpy(t->level[0].lowest, t->level[0].first, t->level[0].nodes * sizeof(uint32_t));
    t->nodes = t->level[0].nodes;
    t->levels = 1;
    while (t->level[t->levels - 1].nodes > 1) {
        const struct level *below = &t->level[t->levels - 1];
        struct level l = group(w, STREAM_FILL + t->levels, below->nodes, ORDER);
        for (uint32_t i = 0; i < l.nodes; i++)
            l.lowest[i] = below->lowest[l.first[i]];
        t->nodes += l.nodes;
        t->level[t->levels++] = l;
    }
    uint32_t number = 0;
    for (uint32_t i = t->levels; i-- > 0;) {
        t->level[i].number = number;
        number += t->level[i].nodes;
    }
}

static void fill_node(struct node *n, const struct tree *t, uint32_t level, uint32_t index)
{
    const struct level *l = &t->level[level];
    uint32_t first = l->first[index], entries = l->first[index + 1] - first;
    uint32_t slot = 0;
    n->location = (int32_t)(l->number + index);
    n->is_leaf = level == 0;
    for (uint32_t i = 0; i <= ORDER; i++)
        n->keys[i] = INT_MAX;
    if (n->is_leaf)
        slot = 1; /* slot 0 of a leaf holds no key */
    for (uint32_t i = 0; i < entries; i++, slot++) {
        uint32_t below = first + i;
        n->keys[slot] = (int32_t)(n->is_leaf ? below : t->level[level - 1].lowest[below]);
        n->links[slot] = (int32_t)(n->is_leaf ? below : t->level[level - 1].number + below);
    }
    n->keys[0] = INT_MIN;
    n->slots = (int32_t)slot + 1;
}

static struct tree make_tree(struct work *w, uint32_t keys)
{
    struct tree t = {0};
    build_levels(w, &t, keys);
    t.node = work_alloc(w, t.nodes * sizeof *t.node);
    for (uint32_t level = 0; level < t.levels; level++)
        for (uint32_t i = 0; i < t.level[level].nodes; i++)
            fill_node(&t.node[t.level[level].number + i], &t, level, i);
    return t;
}

/* n elements of `bytes`, all with every byte `value`. */
static hd_ptr filled(struct work *w, uint32_t n, size_t bytes, uint8_t value, struct hd_error *e)
{
    hd_ptr p = work_device(w, n * bytes, e);
    return p && hd_memset(w->device, p, value, n * bytes, e) ? p : 0;
}

static bool same(struct work *w, const char *what, hd_ptr result, const int32_t *want, uint32_t n,
                 struct hd_error *e)
{
    int32_t *got = work_alloc(w, n * sizeof *got);
    return work_download(w, got, result, n * sizeof *got, e) &&
           work_same_i32(what, got, want, n, e);
}

static bool find_keys(struct work *w, struct shape s, const struct tree *t,
                      const struct device_tree *d, const int32_t *records, struct hd_error *e)
{
    int32_t *keys = work_alloc(w, s.lookups * sizeof *keys);
    int32_t *want = work_alloc(w, s.lookups * sizeof *want);
    for (uint32_t i = 0; i < s.lookups; i++) {
        keys[i] = (int32_t)(work_random(w, STREAM_LOOKUP, i) % s.keys);
        want[i] = records[keys[i]];
    }
    hd_ptr current = filled(w, s.lookups, sizeof(int64_t), 0, e);
    hd_ptr next = filled(w, s.lookups, sizeof(int64_t), 0, e);
    hd_ptr keys_d = work_upload(w, keys, s.lookups * sizeof *keys, e);
    hd_ptr answers = filled(w, s.lookups, sizeof(int32_t), 0xff, e);
    if (!current || !next || !keys_d || !answers)
        return false;

    struct hd_args args = {0};
    hd_arg_i64(&args, t->levels - 1);
    hd_arg_ptr(&args, d->nodes);
    hd_arg_i64(&args, t->nodes);
    hd_arg_ptr(&args, d->records);
    hd_arg_ptr(&args, current);
    hd_arg_ptr(&args, next);
    hd_arg_ptr(&args, keys_d);
    hd_arg_ptr(&args, answers);
    struct hd_dim grid = {s.lookups, 1, 1}, block = {ORDER, 1, 1};
    return work_launch(w, "findK", grid, block, 0, &args, e) &&
           (!w->verify || same(w, "answers", answers, want, s.lookups, e));
}

static bool launch_ranges(struct work *w, uint32_t n, const struct tree *t,
                          const struct device_tree *d, const int32_t *first, const int32_t *last,
                          hd_ptr result[2], struct hd_error *e)
{
    hd_ptr position[4];
    bool ok = true;
    for (int i = 0; i < 4; i++)
        ok &= (position[i] = filled(w, n, sizeof(int64_t), 0, e)) != 0;
    for (int i = 0; i < 2; i++)
        ok &= (result[i] = filled(w, n, sizeof(int32_t), 0xff, e)) != 0;
    hd_ptr first_d = work_upload(w, first, n * sizeof *first, e);
    hd_ptr last_d = work_upload(w, last, n * sizeof *last, e);
    if (!ok || !first_d || !last_d)
        return false;

    struct hd_args args = {0};
    hd_arg_i64(&args, t->levels - 1);
    hd_arg_ptr(&args, d->nodes);
    hd_arg_i64(&args, t->nodes);
    for (int i = 0; i < 4; i++)
        hd_arg_ptr(&args, position[i]);
    hd_arg_ptr(&args, first_d);
    hd_arg_ptr(&args, last_d);
    hd_arg_ptr(&args, result[0]);
    hd_arg_ptr(&args, result[1]);
    struct hd_dim grid = {n, 1, 1}, block = {ORDER, 1, 1};
    return work_launch(w, "findRangeK", grid, block, 0, &args, e);
}

/* Records lie in the order of their keys, so a range's first record is its first key's. */
static bool find_ranges(struct work *w, struct shape s, const struct tree *t,
                        const struct device_tree *d, struct hd_error *e)
{
    int32_t *first = work_alloc(w, s.ranges * sizeof *first);
    int32_t *last = work_alloc(w, s.ranges * sizeof *last);
    int32_t *count = work_alloc(w, s.ranges * sizeof *count);
    for (uint32_t i = 0; i < s.ranges; i++) {
        first[i] = (int32_t)(work_random(w, STREAM_RANGE, i) % (s.keys - s.range));
        last[i] = first[i] + (int32_t)s.range;
        count[i] = last[i] - first[i] + 1;
    }
    hd_ptr result[2];
    return launch_ranges(w, s.ranges, t, d, first, last, result, e) &&
           (!w->verify || (same(w, "first records", result[0], first, s.ranges, e) &&
                           same(w, "record counts", result[1], count, s.ranges, e)));
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {
        [SIZE_TINY] = {2000, 128, 64, 100},          [SIZE_SMALL] = {65536, 2048, 1024, 1000},
        [SIZE_STUDY] = {1000000, 10000, 6000, 3000}, [SIZE_PAPER] = {1000000, 10000, 6000, 3000},
        [SIZE_FEW] = {1000000, 60, 36, 3000},        [SIZE_CHIP] = {1000000, 10000, 6000, 3000},
    };
    struct shape s = shapes[w->size];
    struct tree t = make_tree(w, s.keys);
    int32_t *records = work_alloc(w, s.keys * sizeof *records);
    for (uint32_t i = 0; i < s.keys; i++)
        records[i] = (int32_t)(work_random(w, STREAM_RECORD, i) & INT_MAX);

    struct device_tree d = {
        .nodes = work_upload(w, t.node, t.nodes * sizeof *t.node, e),
        .records = work_upload(w, records, s.keys * sizeof *records, e),
    };
    return d.nodes && d.records && find_keys(w, s, &t, &d, records, e) &&
           find_ranges(w, s, &t, &d, e);
}

const struct workload workload_bt = {
    .name = "BT",
    .suite = "Rodinia",
    .stands_for = "b+tree: findK and findRangeK, a CTA per query, a thread per key of a node",
    .papers = "icc cdxbar",
    .kernels = "btree",
    .inputs =
        {
            [SIZE_TINY] = "2,000 keys, 128 look-ups, 64 ranges",
            [SIZE_SMALL] = "65,536 keys, 2,048 look-ups, 1,024 ranges",
            [SIZE_STUDY] = "1,000,000 keys, 10,000 look-ups, 6,000 ranges",
            [SIZE_PAPER] = "1,000,000 keys, 10,000 look-ups, 6,000 ranges",
            [SIZE_FEW] = "1,000,000 keys, 60 look-ups, 36 ranges",
            [SIZE_CHIP] = "1,000,000 keys in order, 10,000 look-ups, 6,000 ranges",
        },
    .run = run,
};
