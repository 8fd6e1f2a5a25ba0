/* program.c - the static side of a kernel: checked, copied, written, read. */
#include "stream/program.h"

enum {
    NDST = 4,
    NSRC = 6,
    ALL_FLAGS = 2 * INSN_ARRIVE - 1,
    MAX_THREADS = STREAM_MAX_WARPS * WARP_LANES,
    LEAST_INSN_BYTES = 8, /* registers, flags, unit, space, size, class, others, line */
    LEAST_BLOCK_BYTES = 2,
    WITH_PAYLOAD = INSN_GUARDED | INSN_MEM | INSN_MULTI | INSN_BAR,
};

/* --- checking ---------------------------------------------------------------------------------- */

static bool is_register(uint16_t reg)
{
    if (reg == REG_NONE)
        return true;
    unsigned number = reg & (REG_PRED - 1u);
    if (reg & REG_WIDE)
        return !(reg & REG_PRED) && number + 1 < REG_PRED;
    return true;
}

static const char *insn_problem(const struct stream_insn *in)
{
    for (int i = 0; i < NDST; i++)
        if (!is_register(in->dst[i]))
            return "an instruction has an impossible register";
    for (int i = 0; i < NSRC; i++)
        if (!is_register(in->src[i]))
            return "an instruction has an impossible register";
    if (in->unit >= UNIT_COUNT || in->opclass >= OPCLASS_COUNT || in->flags > ALL_FLAGS)
        return "an instruction is of no known kind";
    if (in->flags & INSN_MULTI && !(in->flags & INSN_MEM))
        return "an instruction has address sets but no memory access";
    if (in->space >= STREAM_SPACES)
        return "an instruction accesses no known space";
    if (in->flags & INSN_MEM && (in->size == 0 || in->size > 16 || (in->size & (in->size - 1))))
        return "an access has an impossible size";
    return NULL;
}

static const char *shape_problem(const struct stream_kernel *k)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (k->grid[i] == 0 || k->block[i] == 0 || k->block[i] > MAX_THREADS)
            return "impossible grid or block";
        threads *= k->block[i];
    }
    if (threads > MAX_THREADS)
        return "impossible grid or block";
    return stream_kernel_ctas(k) > UINT32_MAX - 1 ? "too many CTAs" : NULL;
}

static const char *listing_problem(const struct stream_kernel *k)
{
    const char *problem = NULL;
    for (uint32_t i = 0; i < k->ninsns && !problem; i++)
        problem = insn_problem(&k->insns[i]);
    for (uint32_t i = 0; i < k->nblocks && !problem; i++) {
        const struct stream_block *b = &k->blocks[i];
        if (b->first > k->ninsns || b->count > k->ninsns - b->first)
            problem = "a block has instructions that do not exist";
    }
    return problem;
}

/* From *at on, the next instruction with a payload; NULL: there is none before `end`. */
static const struct stream_insn *next_payload(const struct stream_insn *insns, uint32_t *at,
                                              uint32_t end)
{
    while (*at < end)
        if (insns[(*at)++].flags & WITH_PAYLOAD)
            return &insns[*at - 1];
    return NULL;
}

static bool has_same_payload(const struct stream_insn *x, const struct stream_insn *y)
{
    if (!x || !y)
        return x == y;
    return x->flags == y->flags && x->space == y->space && x->size <= y->size &&
           (x->size == y->size || x->flags & INSN_LOAD);
}

/* What of an assembled block has been compared with that of PTX. */
struct comparison {
    const struct stream_insn *insns; /* of PTX */
    uint32_t at, end;
    const struct stream_insn *member[STREAM_WINDOW]; /* of the window that is open */
    uint32_t count, longest, sets;
};

static uint32_t most_sets(const struct stream_insn *in)
{
    return in->flags & INSN_MULTI ? STREAM_MAX_SETS : in->flags & INSN_MEM ? 1 : 0;
}

/* The next instruction with payload of the assembled block; false: it cannot be there. */
static bool compare(struct comparison *c, const struct stream_insn *in)
{
    if (in->turn == 0)
        return c->count == 0 && has_same_payload(next_payload(c->insns, &c->at, c->end), in);
    uint32_t turn = in->turn - 1u;
    if (turn >= STREAM_WINDOW || in->flags & INSN_BAR || (c->count && c->member[turn]))
        return false;
    if (c->count == 0) {
        memset(c->member, 0, sizeof c->member);
        c->longest = c->sets = 0;
    }
    c->member[turn] = in;
    c->longest = turn > c->longest ? turn : c->longest;
    c->sets += most_sets(in);
    if (++c->count <= c->longest)
        return true;
    for (uint32_t k = 0; k < c->count; k++)
        if (!has_same_payload(next_payload(c->insns, &c->at, c->end), c->member[k]))
            return false;
    c->count = 0;
    return c->sets <= STREAM_WINDOW_SETS;
}

static bool has_same_payloads(const struct stream_kernel *k, const struct stream_kernel *view,
                              uint32_t b)
{
    const struct stream_block *x = &k->blocks[b], *y = &view->blocks[b];
    struct comparison c = {.insns = k->insns, .at = x->first, .end = x->first + x->count};
    for (uint32_t i = y->first; i < y->first + y->count; i++) {
        const struct stream_insn *in = &view->insns[i];
        if (in->flags & WITH_PAYLOAD ? !compare(&c, in) : in->turn != 0)
            return false;
    }
    return c.count == 0 && !next_payload(k->insns, &c.at, c.end);
}

/* One stream is read with both lists of instructions. */
static const char *views_problem(const struct stream_kernel *k, const struct stream_kernel *view)
{
    for (uint32_t b = 0; b < k->nblocks; b++)
        if (!has_same_payloads(k, view, b))
            return "its assembled view has other accesses";
    for (uint32_t i = 0; i < k->ninsns; i++)
        if (k->insns[i].turn)
            return "its payloads are out of turn";
    return NULL;
}

const char *program_problem(const struct stream_kernel *k)
{
    const char *problem = shape_problem(k);
    if (!problem)
        problem = listing_problem(k);
    if (problem || !k->assembled.insns)
        return problem;
    struct stream_kernel view = stream_kernel_assembled(k);
    problem = listing_problem(&view);
    return problem ? problem : views_problem(k, &view);
}

/* --- copying ----------------------------------------------------------------------------------- */

static const struct stream_insn *copy_insns(struct arena *a, const struct stream_insn *from,
                                            uint32_t n)
{
    struct stream_insn *insns = ARENA_ARRAY(a, struct stream_insn, n + 1);
    for (uint32_t i = 0; i < n; i++)
        insns[i] = from[i];
    return insns;
}

static const struct stream_block *copy_blocks(struct arena *a, const struct stream_block *from,
                                              uint32_t n)
{
    struct stream_block *blocks = ARENA_ARRAY(a, struct stream_block, n + 1);
    for (uint32_t i = 0; i < n; i++)
        blocks[i] = from[i];
    return blocks;
}

struct stream_kernel program_copy(struct arena *a, const struct stream_kernel *k)
{
    struct stream_kernel copy = *k;
    copy.name = arena_strdup(a, k->name);
    copy.insns = copy_insns(a, k->insns, k->ninsns);
    copy.blocks = copy_blocks(a, k->blocks, k->nblocks);
    if (k->assembled.insns) {
        copy.assembled.insns = copy_insns(a, k->assembled.insns, k->assembled.ninsns);
        copy.assembled.blocks = copy_blocks(a, k->assembled.blocks, k->nblocks);
    }
    return copy;
}

/* --- writing ----------------------------------------------------------------------------------- */

static uint16_t *reg_at(struct stream_insn *in, unsigned i)
{
    return i < NDST ? &in->dst[i] : &in->src[i - NDST];
}

static void put_insn(struct bytes *b, struct stream_insn in, uint32_t *line)
{
    unsigned present = 0;
    for (unsigned i = 0; i < NDST + NSRC; i++)
        present |= (unsigned)(*reg_at(&in, i) != REG_NONE) << i;
    bytes_put_varint(b, present);
    for (unsigned i = 0; i < NDST + NSRC; i++)
        if (present >> i & 1)
            bytes_put_varint(b, *reg_at(&in, i));
    bytes_put_varint(b, in.flags);
    bytes_put_u8(b, in.unit);
    bytes_put_u8(b, in.space);
    bytes_put_u8(b, in.size);
    bytes_put_u8(b, in.opclass);
    bytes_put_u8(b, in.others);
    bytes_put_varint(b, bytes_zigzag((uint64_t)in.line - *line));
    *line = in.line;
}

static void put_listing(struct bytes *b, const struct stream_kernel *k)
{
    uint32_t line = 0, first = 0;
    for (uint32_t i = 0; i < k->ninsns; i++)
        put_insn(b, k->insns[i], &line);
    for (uint32_t i = 0; i < k->nblocks; i++) {
        bytes_put_varint(b, bytes_zigzag((uint64_t)k->blocks[i].first - first));
        bytes_put_varint(b, k->blocks[i].count);
        first = k->blocks[i].first + k->blocks[i].count;
    }
}

void program_put(struct bytes *b, const struct stream_kernel *k)
{
    size_t name = strlen(k->name);
    bytes_put_varint(b, name);
    bytes_put(b, k->name, name);
    for (int i = 0; i < 3; i++)
        bytes_put_varint(b, k->grid[i]);
    for (int i = 0; i < 3; i++)
        bytes_put_varint(b, k->block[i]);
    for (int i = 0; i < STREAM_COUNTS; i++)
        bytes_put_varint(b, k->registers[i]);
    bytes_put_varint(b, k->shared_bytes);
    bytes_put_varint(b, k->local_bytes);
    bytes_put_varint(b, k->ninsns);
    bytes_put_varint(b, k->nblocks);
    bytes_put_varint(b, k->assembled.insns ? k->assembled.ninsns + 1ull : 0);
    put_listing(b, k);
    if (k->assembled.insns) {
        struct stream_kernel view = stream_kernel_assembled(k);
        put_listing(b, &view);
        for (uint32_t i = 0; i < view.ninsns; i++)
            bytes_put_u8(b, view.insns[i].turn);
    }
}

/* --- reading ----------------------------------------------------------------------------------- */

static uint32_t take_near(struct bytes_in *in, uint32_t near)
{
    uint64_t v = near + bytes_unzigzag(bytes_take_varint(in));
    if (v > UINT32_MAX)
        in->is_short = true;
    return (uint32_t)v;
}

static void take_insn(struct bytes_in *in, struct stream_insn *out, uint32_t line)
{
    unsigned present = (unsigned)bytes_take_at_most(in, (1u << (NDST + NSRC)) - 1);
    for (unsigned i = 0; i < NDST + NSRC; i++)
        *reg_at(out, i) =
            present >> i & 1 ? (uint16_t)bytes_take_at_most(in, UINT16_MAX) : (uint16_t)REG_NONE;
    out->flags = (uint16_t)bytes_take_at_most(in, UINT16_MAX);
    out->unit = bytes_take_u8(in);
    out->space = bytes_take_u8(in);
    out->size = bytes_take_u8(in);
    out->opclass = bytes_take_u8(in);
    out->others = bytes_take_u8(in);
    out->line = take_near(in, line);
}

static void take_listing(struct bytes_in *in, struct arena *a, struct stream_kernel *k,
                         bool has_turns)
{
    struct stream_insn *insns = ARENA_ARRAY(a, struct stream_insn, k->ninsns + 1);
    struct stream_block *blocks = ARENA_ARRAY(a, struct stream_block, k->nblocks + 1);
    uint32_t first = 0;
    for (uint32_t i = 0; i < k->ninsns && !in->is_short; i++)
        take_insn(in, &insns[i], i ? insns[i - 1].line : 0);
    for (uint32_t i = 0; i < k->nblocks && !in->is_short; i++) {
        blocks[i].first = take_near(in, first);
        blocks[i].count = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
        first = blocks[i].first + blocks[i].count;
    }
    for (uint32_t i = 0; has_turns && i < k->ninsns && !in->is_short; i++)
        insns[i].turn = bytes_take_u8(in);
    k->insns = insns;
    k->blocks = blocks;
}

static void take_assembled(struct bytes_in *in, struct arena *a, struct stream_kernel *k,
                           uint32_t ninsns)
{
    struct stream_kernel view = {.ninsns = ninsns, .nblocks = k->nblocks};
    if (ninsns > bytes_left(in) / LEAST_INSN_BYTES || k->nblocks > bytes_left(in)) {
        in->is_short = true;
        return;
    }
    take_listing(in, a, &view, true);
    k->assembled = (struct stream_assembled){view.insns, ninsns, view.blocks};
}

const char *program_take(struct bytes_in *in, struct arena *a, struct stream_kernel *k)
{
    *k = (struct stream_kernel){0};
    size_t name = (size_t)bytes_take_at_most(in, bytes_left(in));
    const uint8_t *text = bytes_take(in, name);
    if (!text || memchr(text, 0, name))
        return "bad name";
    k->name = arena_printf(a, "%.*s", (int)name, (const char *)text);
    for (int i = 0; i < 3; i++)
        k->grid[i] = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
    for (int i = 0; i < 3; i++)
        k->block[i] = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
    for (int i = 0; i < STREAM_COUNTS; i++)
        k->registers[i] = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
    k->shared_bytes = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
    k->local_bytes = (uint32_t)bytes_take_at_most(in, UINT32_MAX);
    k->ninsns = (uint32_t)bytes_take_at_most(in, bytes_left(in) / LEAST_INSN_BYTES);
    k->nblocks = (uint32_t)bytes_take_at_most(in, bytes_left(in) / LEAST_BLOCK_BYTES);
    uint64_t assembled = bytes_take_at_most(in, bytes_left(in) / LEAST_INSN_BYTES + 1);
    if (!in->is_short)
        take_listing(in, a, k, false);
    if (!in->is_short && assembled)
        take_assembled(in, a, k, (uint32_t)(assembled - 1));
    if (in->is_short || bytes_left(in))
        return "the program has not the length it should have";
    return program_problem(k);
}
