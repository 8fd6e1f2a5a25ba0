/* stream_rig.c - random kernels and streams, told twice: once to be written, once to be compared. */
#include "rig/stream_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"

/* --- kernels ----------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t key, uint64_t counter, uint32_t n)
{
    return rng_below(rng_at(key, counter), n);
}

static uint16_t random_register(uint64_t key, uint64_t i)
{
    uint32_t number = draw(key, 3 * i, 255);
    switch (draw(key, 3 * i + 1, 4)) {
    case 0:
        return REG_NONE;
    case 1:
        return (uint16_t)(number | REG_WIDE);
    case 2:
        return (uint16_t)(number | REG_PRED);
    default:
        return (uint16_t)number;
    }
}

static struct stream_insn random_insn(uint64_t key)
{
    static const uint16_t kinds[] = {0,
                                     INSN_BAR,
                                     INSN_MEM | INSN_LOAD,
                                     INSN_MEM | INSN_STORE,
                                     INSN_MEM | INSN_MULTI | INSN_LOAD,
                                     INSN_MEM | INSN_ATOMIC | INSN_LOAD};
    struct stream_insn in = {.flags = kinds[draw(key, 0, 6)]};
    if (draw(key, 1, 3) == 0)
        in.flags |= INSN_GUARDED;
    in.unit = (uint8_t)(in.flags & INSN_MEM ? UNIT_MEM : draw(key, 2, UNIT_MEM));
    in.opclass = (uint8_t)draw(key, 3, OPCLASS_COUNT);
    in.space = (uint8_t)draw(key, 4, STREAM_SPACES);
    in.size = (uint8_t)(1 << draw(key, 5, 5));
    in.line = draw(key, 6, 5000);
    for (uint32_t i = 0; i < 4; i++)
        in.dst[i] = random_register(key, 10 + i);
    for (uint32_t i = 0; i < 6; i++)
        in.src[i] = random_register(key, 20 + i);
    return in;
}

struct stream_kernel stream_rig_kernel(struct arena *a, uint64_t seed, uint32_t blocks,
                                       uint32_t ctas, uint32_t threads)
{
    uint64_t key = rng_key(seed, 1);
    struct stream_block *block = ARENA_ARRAY(a, struct stream_block, blocks);
    uint32_t n = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        block[b] = (struct stream_block){n, draw(key, b, 9)};
        n += block[b].count;
    }
    struct stream_insn *insn = ARENA_ARRAY(a, struct stream_insn, n);
    for (uint32_t i = 0; i < n; i++)
        insn[i] = random_insn(rng_key(key, i));
    return (struct stream_kernel){
        .name = arena_printf(a, "kernel_%u", (unsigned)seed),
        .grid = {ctas, 1, 1},
        .block = {threads, 1, 1},
        .registers = {draw(key, 1000, 255), draw(key, 1003, 255), draw(key, 1004, 255)},
        .shared_bytes = draw(key, 1001, 49152),
        .local_bytes = draw(key, 1002, 500),
        .insns = insn,
        .ninsns = n,
        .blocks = block,
        .nblocks = blocks,
        .has_grid_spin = seed % 3 == 0};
}

/* --- what a warp does -------------------------------------------------------------------------- */

struct set {
    uint8_t space;
    uint32_t mask;
    enum stream_pattern pattern; /* as the writer is told */
    uint64_t base;
    int64_t stride;
    uint64_t addr[WARP_LANES];
};

struct step { /* one dynamic instruction */
    uint32_t mask, bar_id, bar_threads, nsets;
    struct set set[STREAM_MAX_SETS];
};

struct walk {
    const struct stream_kernel *k;
    uint64_t key, at; /* `at` counts the draws */
    uint32_t left;    /* blocks to come */
    uint32_t block, mask, before;
    uint64_t near[STREAM_SPACES];
};

static uint32_t walk_draw(struct walk *w, uint32_t n)
{
    return draw(w->key, w->at++, n);
}

static uint64_t walk_word(struct walk *w)
{
    return rng_at(w->key, w->at++);
}

static struct walk walk_begin(const struct stream_kernel *k, uint64_t seed, uint32_t cta,
                              uint32_t warp, uint32_t length)
{
    struct walk w = {.k = k, .mask = UINT32_MAX, .before = UINT32_MAX};
    w.key = rng_key(rng_key(seed, 2), (uint64_t)cta << 32 | warp);
    w.left = walk_draw(&w, length + 1);
    return w;
}

static uint32_t some_lanes(struct walk *w, uint32_t of)
{
    uint32_t mask = (uint32_t)walk_word(w) & of;
    if (walk_draw(w, 4) == 0) /* few */
        mask &= (uint32_t)walk_word(w) & (uint32_t)walk_word(w);
    return mask ? mask : of;
}

static uint32_t next_mask(struct walk *w)
{
    uint32_t other = w->before ^ w->mask;
    switch (walk_draw(w, 10)) {
    case 0:
        return some_lanes(w, UINT32_MAX);
    case 1:
        return w->before;
    case 2:
        return other ? other : w->mask;
    case 3:
        return UINT32_MAX;
    case 4:
        return 1u << walk_draw(w, WARP_LANES);
    default:
        return w->mask;
    }
}

static bool walk_block(struct walk *w)
{
    if (w->left == 0)
        return false;
    w->left--;
    if (walk_draw(w, 6) == 0)
        w->block = walk_draw(w, w->k->nblocks);
    else
        w->block = (w->block + walk_draw(w, 5)) % w->k->nblocks;
    uint32_t mask = next_mask(w);
    if (mask != w->mask)
        w->before = w->mask;
    w->mask = mask;
    return true;
}

static uint64_t lane_address(struct walk *w, const struct set *s, uint32_t how, uint32_t lane)
{
    switch (how) {
    case 0:
        return s->base + 4ull * walk_draw(w, 1 << 20);
    case 1:
        return s->base + walk_draw(w, 300);
    case 2:
        return walk_word(w);
    case 3: /* all but one in step */
        return s->base + 4ull * lane + (walk_draw(w, WARP_LANES) == 0 ? 1ull << 33 : 0);
    case 4:
        return s->base + 8ull * (walk_draw(w, 8) == 0 ? walk_draw(w, UINT32_MAX) : lane / 4);
    default:
        return s->base + lane * (uint64_t)s->stride;
    }
}

static void make_addresses(struct walk *w, struct set *s)
{
    static const int64_t strides[] = {0, 1, 4, 8, 16, 32, 64, -4, 12, 4096, 1 << 20, INT64_MIN, -1};
    uint32_t how = walk_draw(w, 10);
    s->base = walk_draw(w, 8) ? w->near[s->space] + walk_draw(w, 4096) - 2048 : walk_word(w);
    s->stride = strides[walk_draw(w, 13)];
    s->pattern = how < 5 || walk_draw(w, 2) ? PATTERN_LANES : PATTERN_STRIDE;
    if (s->pattern == PATTERN_STRIDE && s->stride == 0)
        s->pattern = PATTERN_UNIFORM;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        s->addr[l] = lane_address(w, s, how, l);
    w->near[s->space] = s->base;
}

static void walk_step(struct walk *w, uint32_t insn, struct step *t)
{
    const struct stream_insn *in = &w->k->insns[insn];
    t->mask = w->mask;
    t->nsets = 0;
    if (in->flags & INSN_GUARDED && walk_draw(w, 2))
        t->mask = walk_draw(w, 3) ? some_lanes(w, w->mask) : 0;
    if (t->mask == 0)
        return;
    if (in->flags & INSN_MEM)
        t->nsets = in->flags & INSN_MULTI ? walk_draw(w, STREAM_MAX_SETS + 1) : 1;
    for (uint32_t i = 0; i < t->nsets; i++) {
        struct set *s = &t->set[i];
        bool is_multi = in->flags & INSN_MULTI;
        s->space = is_multi ? (uint8_t)walk_draw(w, STREAM_SPACES) : in->space;
        s->mask = is_multi && walk_draw(w, 2) ? some_lanes(w, t->mask) : t->mask;
        make_addresses(w, s);
    }
    t->bar_id = walk_draw(w, 16);
    t->bar_threads = walk_draw(w, 2) ? 32 * walk_draw(w, 33) : 0;
}

/* --- written ----------------------------------------------------------------------------------- */

static void write_set(struct stream_writer *w, const struct set *s)
{
    if (s->pattern == PATTERN_LANES)
        stream_writer_lanes(w, s->space, s->mask, s->addr);
    else if (s->pattern == PATTERN_UNIFORM)
        stream_writer_uniform(w, s->space, s->base);
    else
        stream_writer_stride(w, s->space, s->base, s->stride);
}

static void write_step(struct stream_writer *w, unsigned flags, uint32_t active,
                       const struct step *t)
{
    if (flags & INSN_GUARDED)
        stream_writer_guard(w, active, t->mask);
    if (t->mask == 0)
        return;
    if (flags & INSN_MULTI)
        stream_writer_sets(w, t->nsets);
    for (uint32_t i = 0; i < t->nsets; i++) {
        if (flags & INSN_MULTI)
            stream_writer_set(w, t->set[i].space, active, t->set[i].mask);
        write_set(w, &t->set[i]);
    }
    if (flags & INSN_BAR)
        stream_writer_bar(w, t->bar_id, t->bar_threads);
}

void stream_rig_write(const struct stream_kernel *k, uint64_t seed, uint32_t cta, uint32_t warp,
                      uint32_t length, struct stream_writer *w)
{
    struct walk walk = walk_begin(k, seed, cta, warp, length);
    struct step t;
    while (walk_block(&walk)) {
        const struct stream_block *b = &k->blocks[walk.block];
        stream_writer_block(w, walk.block, b->count, walk.mask);
        for (uint32_t i = 0; i < b->count; i++) {
            walk_step(&walk, b->first + i, &t);
            write_step(w, k->insns[b->first + i].flags, walk.mask, &t);
        }
    }
}

/* --- compared ---------------------------------------------------------------------------------- */

static bool set_agrees(const struct set *s, const struct stream_access *a)
{
    uint64_t addr[WARP_LANES];
    stream_access_expand(a, addr);
    if (a->space != s->space || a->mask != s->mask)
        return false;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (s->mask >> l & 1 && addr[l] != s->addr[l])
            return false;
    return true;
}

static bool step_agrees(const struct step *t, const struct stream_op *op, unsigned flags)
{
    if (op->mask != t->mask || op->nsets != t->nsets)
        return false;
    if (flags & INSN_BAR && t->mask &&
        (op->bar_id != t->bar_id || op->bar_threads != t->bar_threads))
        return false;
    for (uint32_t i = 0; i < t->nsets; i++)
        if (!set_agrees(&t->set[i], &op->access[i]))
            return false;
    return true;
}

bool stream_rig_agrees(const struct stream_kernel *k, uint64_t seed, uint32_t cta, uint32_t warp,
                       uint32_t length, const struct stream_warp *bytes)
{
    struct walk walk = walk_begin(k, seed, cta, warp, length);
    struct stream_reader r;
    struct stream_op op;
    struct step t;
    stream_reader_init(&r, k, bytes);
    while (walk_block(&walk)) {
        const struct stream_block *b = &k->blocks[walk.block];
        for (uint32_t i = 0; i < b->count; i++) {
            walk_step(&walk, b->first + i, &t);
            if (!stream_reader_next(&r, &op) || op.insn != b->first + i || op.active != walk.mask ||
                !step_agrees(&t, &op, k->insns[op.insn].flags))
                return false;
        }
    }
    return !stream_reader_next(&r, &op) && !r.is_broken;
}

bool stream_rig_store_agrees(const struct stream_store *s, uint64_t seed, uint32_t length,
                             struct err *e)
{
    const struct stream_kernel *k = stream_store_kernel(s);
    struct stream_cursor *c = stream_cursor_new(s, e);
    bool ok = true;
    for (uint32_t i = 0; ok && i < k->grid[0]; i++) {
        uint32_t cta = k->grid[0] - 1 - i, n = 0; /* not the order of writing */
        const struct stream_warp *warps = NULL;
        ok = stream_cursor_seek(c, cta, &warps, &n, e) && n == stream_kernel_warps(k);
        for (uint32_t w = 0; ok && w < n; w++)
            ok = stream_rig_agrees(k, seed, cta, w, length, &warps[w]);
    }
    stream_cursor_free(c);
    return ok;
}

/* --- whole kernels and files ------------------------------------------------------------------- */

bool stream_rig_fill(struct stream_store *s, struct stream_file_writer *f,
                     const struct stream_kernel *k, uint64_t seed, uint32_t length,
                     bool is_shuffled, struct err *e)
{
    struct stream_writer w[STREAM_MAX_WARPS];
    uint32_t nwarps = stream_kernel_warps(k), n = k->grid[0];
    uint32_t *order = malloc(n * sizeof *order);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; is_shuffled && i > 1; i--) {
        uint32_t other = draw(seed, i, i), held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    for (uint32_t i = 0; i < nwarps; i++)
        stream_writer_init(&w[i]);
    for (uint32_t i = 0; ok && i < n; i++) {
        for (uint32_t j = 0; j < nwarps; j++) {
            stream_writer_reset(&w[j]);
            stream_rig_write(k, seed, order[i], j, length, &w[j]);
        }
        ok = s ? stream_store_add(s, order[i], w, nwarps, e)
               : stream_file_add(f, order[i], w, nwarps, e);
    }
    for (uint32_t i = 0; i < nwarps; i++)
        stream_writer_free(&w[i]);
    free(order);
    return ok;
}

bool stream_rig_record(const char *path, uint64_t seed, uint32_t kernels, uint32_t ctas,
                       uint32_t length, struct err *e)
{
    struct arena *a = arena_new();
    struct stream_file_writer *f = stream_file_create(path, "rig@tiny", e);
    bool ok = f != NULL;
    for (uint64_t i = seed; ok && i < seed + kernels; i++) {
        struct stream_kernel k = stream_rig_kernel(a, i, 5, ctas, 40);
        ok = stream_file_begin(f, &k, e) && stream_rig_fill(NULL, f, &k, i, length, i % 2, e) &&
             stream_file_end(f, k.has_grid_spin, e);
    }
    arena_free(a);
    if (ok)
        return stream_file_close(f, e);
    stream_file_abandon(f);
    return false;
}

const char *stream_rig_path(struct arena *a)
{
    const char *dir = getenv("TMPDIR");
    char *path = arena_printf(a, "%s/stream_rig.XXXXXX", dir && *dir ? dir : "/tmp");
    return mkdtemp(path) ? arena_printf(a, "%s/recorded", path) : NULL;
}

void stream_rig_remove(const char *path)
{
    char name[4096];
    snprintf(name, sizeof name, "%s", path);
    *strrchr(name, '/') = '\0';
    unlink(path);
    rmdir(name);
}
