/* Payloads out of their order: an assembled view with windows, read beside PTX. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "rig/stream_rig.h"
#include "stream/program.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { WITH_PAYLOAD = INSN_GUARDED | INSN_MEM | INSN_MULTI | INSN_BAR, MOST_INSNS = 512 };

/* A view of a kernel in which payloads are shuffled; by instruction of the view, which one of PTX it is. */
struct shuffled {
    struct stream_kernel kernel;
    uint32_t *origin;
};

static uint32_t sets_of(const struct stream_insn *in)
{
    return in->flags & INSN_MULTI ? STREAM_MAX_SETS : in->flags & INSN_MEM ? 1 : 0;
}

/* Exchanges payloads list[0 .. n-1] at random; `turn` of those that are out of place. */
static void shuffle(uint64_t key, const struct stream_insn *insns, const uint32_t *list, uint32_t n,
                    struct stream_insn *view, uint32_t *origin)
{
    uint32_t order[STREAM_WINDOW];
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = rng_below(rng_at(key, i), i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    for (uint32_t first = 0, longest = 0, i = 0; i < n; i++) {
        view[list[i]] = insns[list[order[i]]];
        origin[list[i]] = list[order[i]];
        longest = order[i] > longest ? order[i] : longest;
        if (i < longest)
            continue;
        for (uint32_t m = first; m <= i && i > first; m++)
            view[list[m]].turn = (uint8_t)(1 + order[m] - first);
        first = longest = i + 1;
    }
}

static struct shuffled shuffled(struct arena *a, uint64_t seed, const struct stream_kernel *k)
{
    struct shuffled s = {.kernel = *k, .origin = ARENA_ARRAY(a, uint32_t, k->ninsns + 1)};
    struct stream_insn *view = ARENA_ARRAY(a, struct stream_insn, k->ninsns + 1);
    for (uint32_t i = 0; i < k->ninsns; i++) {
        view[i] = k->insns[i];
        s.origin[i] = i;
    }
    for (uint32_t b = 0; b < k->nblocks; b++) {
        uint32_t list[STREAM_WINDOW], n = 0, sets = 0,
                                      end = k->blocks[b].first + k->blocks[b].count;
        for (uint32_t i = k->blocks[b].first; i <= end; i++) {
            const struct stream_insn *in = &k->insns[i];
            bool is_end = i == end || in->flags & INSN_BAR;
            if (is_end || n == STREAM_WINDOW || sets + sets_of(in) > STREAM_WINDOW_SETS) {
                shuffle(rng_key(seed, 1000 + i), k->insns, list, n, view, s.origin);
                n = sets = 0;
            }
            if (is_end || !(in->flags & WITH_PAYLOAD))
                continue;
            list[n++] = i;
            sets += sets_of(in);
        }
    }
    s.kernel.insns = view;
    return s;
}

static bool is_same(const struct stream_op *x, const struct stream_op *y)
{
    uint64_t p[WARP_LANES], q[WARP_LANES];
    if (x->active != y->active || x->mask != y->mask || x->nsets != y->nsets)
        return false;
    for (uint32_t i = 0; i < x->nsets; i++) {
        const struct stream_access *u = &x->access[i], *v = &y->access[i];
        if (u->pattern != v->pattern || u->space != v->space || u->mask != v->mask)
            return false;
        stream_access_expand(u, p);
        stream_access_expand(v, q);
        for (uint32_t rest = u->mask; rest; rest &= rest - 1)
            if (p[__builtin_ctz(rest)] != q[__builtin_ctz(rest)])
                return false;
    }
    return true;
}

/* Block by block, both views of one warp. */
static void compare(const struct stream_kernel *k, const struct shuffled *s,
                    const struct stream_warp *bytes, struct stream_op *ops)
{
    struct stream_reader x, y;
    struct stream_window window;
    struct stream_op op;
    stream_reader_init(&x, k, bytes);
    stream_reader_init_view(&y, &s->kernel, bytes, &window);
    while (stream_reader_next(&x, &op)) {
        const struct stream_block *b = &k->blocks[x.block];
        ops[op.insn] = op;
        while (x.next < x.end) {
            CHECK(stream_reader_next(&x, &op));
            ops[op.insn] = op;
        }
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            CHECK(stream_reader_next(&y, &op));
            CHECK_EQ(op.insn, i);
            CHECK(is_same(&op, &ops[s->origin[i]]));
        }
    }
    CHECK(!stream_reader_next(&y, &op) && !y.is_broken && !x.is_broken);
}

static void each_instruction_gets_its_own_payload(void)
{
    uint32_t windows = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct arena *a = arena_new();
        struct stream_kernel k = stream_rig_kernel(a, seed, 12, 1, 32);
        struct shuffled s = shuffled(a, seed, &k);
        k.assembled = (struct stream_assembled){s.kernel.insns, k.ninsns, k.blocks};
        CHECK_STR(program_problem(&k) ? program_problem(&k) : "", "");
        windows += stream_kernel_has_windows(&s.kernel);
        struct stream_writer w;
        stream_writer_init(&w);
        stream_rig_write(&k, seed, 0, 0, 60, &w);
        struct stream_warp bytes = {w.control.at, w.payload.at, w.control.used, w.payload.used};
        struct stream_op *ops = ARENA_ARRAY(a, struct stream_op, k.ninsns + 1);
        compare(&k, &s, &bytes, ops);
        stream_writer_free(&w);
        arena_free(a);
    }
    CHECK(windows > 20);
}

static void a_payload_that_ends_within_a_window_is_noticed(void)
{
    struct arena *a = arena_new();
    struct stream_kernel k = stream_rig_kernel(a, 7, 12, 1, 32);
    struct shuffled s = shuffled(a, 7, &k);
    struct stream_writer w;
    stream_writer_init(&w);
    stream_rig_write(&k, 7, 0, 0, 60, &w);
    for (size_t n = 0; n < w.payload.used; n++) {
        uint8_t *copy = malloc(n + 1); /* so that sanitizers see what is read behind it */
        CHECK(copy);
        memcpy(copy + 1, w.payload.at, n);
        struct stream_warp bytes = {w.control.at, copy + 1, w.control.used, n};
        struct stream_reader r;
        struct stream_window window;
        struct stream_op op;
        stream_reader_init_view(&r, &s.kernel, &bytes, &window);
        while (stream_reader_next(&r, &op))
            CHECK((op.mask & ~op.active) == 0 && op.nsets <= STREAM_MAX_SETS);
        CHECK(r.is_broken);
        free(copy);
    }
    stream_writer_free(&w);
    arena_free(a);
}

/* --- programs ---------------------------------------------------------------------------------- */

static const struct stream_insn ptx[] = {
    {.flags = INSN_MEM | INSN_LOAD, .size = 4},
    {.flags = INSN_MEM | INSN_STORE, .space = STREAM_SHARED, .size = 4},
    {.flags = INSN_MEM | INSN_LOAD, .size = 4},
    {.flags = INSN_BAR},
};

static bool is_refused(uint8_t t0, uint8_t t1, uint8_t t2, uint8_t t3)
{
    struct stream_insn view[4] = {ptx[0], ptx[2], ptx[1], ptx[3]};
    const struct stream_block block = {0, 4};
    view[0].turn = t0;
    view[1].turn = t1;
    view[2].turn = t2;
    view[3].turn = t3;
    const struct stream_kernel k = {.name = "k",
                                    .grid = {1, 1, 1},
                                    .block = {32, 1, 1},
                                    .insns = ptx,
                                    .ninsns = 4,
                                    .blocks = &block,
                                    .nblocks = 1,
                                    .assembled = {view, 4, &block}};
    return program_problem(&k) != NULL;
}

static void windows_that_do_not_fit_are_refused(void)
{
    CHECK(!is_refused(0, 2, 1, 0));
    CHECK(is_refused(0, 0, 0, 0)); /* the store is not where it was */
    CHECK(is_refused(0, 2, 2, 0)); /* one payload twice, */
    CHECK(is_refused(0, 3, 1, 0)); /* ... one never */
    CHECK(is_refused(0, 1, 2, 0)); /* another access than that of PTX */
    CHECK(is_refused(0, 200, 1, 0));
    CHECK(is_refused(0, 2, 1, 1)); /* a barrier */
}

CHECK_MAIN("reader", TEST(each_instruction_gets_its_own_payload),
           TEST(a_payload_that_ends_within_a_window_is_noticed),
           TEST(windows_that_do_not_fit_are_refused))
