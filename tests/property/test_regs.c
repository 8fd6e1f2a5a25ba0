/* Random kernels computed twice: by the executor, with allocated registers and lanes that part and
 * meet, and by a thread-at-a-time interpreter in which every register has a place of its own.
 *
 * A kernel is a random graph of blocks, laid out in random order: branches and jump tables on data,
 * loops (every block uses up fuel), guarded instructions of all register widths, guarded exits,
 * barriers, calls.  A register is read only where it is written on every way there; what is seen of
 * the registers is a sum that some instructions add to.  HEDDLE_CHECK_FULL=1 runs many more. */
#include "check.h"
#include "rig/ptx_rig.h"

/* Of each width, the last OWN registers are others in every block. */
enum { OWN = 6, WORDS = 28, WIDES = 18, PREDS = 14, REGS = WORDS + WIDES + PREDS, SUM = REGS };
enum { FUNCS = 3, MAX_BLOCKS = 16, MAX_STEPS = 7, WAYS = 4, THREADS = 50, FUEL = 30 };
enum width { WORD, WIDE, PRED };
enum end { END_JUMP, END_IF, END_SWITCH, END_LEAVE };
enum { OP_UNPACK = 8, OP_PAIR = 10, OP_NOTE_WORD = 13, OP_LITERAL = 16, OP_CALL, OPS };

/* $d $e: destinations; $a $b $c: sources; %i %j: scratch.  sources: w, d, p as in the text. */
static const struct {
    const char *text, *sources;
    enum width width; /* of the destinations */
} op[OPS] = {
    {"add.u32 $d, $a, $b;", "ww", WORD},
    {"mul.lo.u32 $d, $a, $b;", "ww", WORD},
    {"xor.b32 $d, $a, $b;", "ww", WORD},
    {"add.u64 $d, $a, $b;", "dd", WIDE},
    {"xor.b64 $d, $a, $b;", "dd", WIDE},
    {"cvt.u64.u32 $d, $a;", "w", WIDE},
    {"mad.wide.u32 $d, $a, $b, $c;", "wwd", WIDE},
    {"mov.b64 $d, {$a, $b};", "ww", WIDE},
    [OP_UNPACK] = {"mov.b64 {$d, $e}, $a;", "d", WORD},
    {"setp.lt.u32 $d, $a, $b;", "ww", PRED},
    [OP_PAIR] = {"setp.lt.and.u32 $d|$e, $a, $b, $c;", "wwp", PRED},
    {"selp.b32 $d, $a, $b, $c;", "wwp", WORD},
    {"st.local.u32 [l], $a; $gld.local.u32 $d, [l];", "w", WORD},
    [OP_NOTE_WORD] = {"mad.lo.u32 $d, $d, 31, $a;", "w", WORD},
    {"mov.b64 {%i, %j}, $a; $gmad.lo.u32 $d, $d, 31, %i; $gxor.b32 $d, $d, %j;", "d", WORD},
    {"selp.u32 %i, 5, 6, $a; $gmad.lo.u32 $d, $d, 31, %i;", "p", WORD},
    [OP_LITERAL] = {"", "", WORD},
    [OP_CALL] = {"st.param.b32 [a], $a; $gcall (b), f$n, (a); $gld.param.b32 $d, [b];", "w", WORD},
};

struct step {
    int op, dst, dst2, src[3], guard; /* -1: none */
    bool is_negated;
    uint32_t literal; /* OP_CALL: the function */
};

struct node {
    struct step step[MAX_STEPS];
    int nsteps;
    enum end end;
    int to[WAYS], pred, value; /* blocks (nblocks: the end); what the end looks at */
    bool has_barrier, is_negated;
    uint64_t before, writes; /* registers that are surely written */
};

struct func {
    struct node node[MAX_BLOCKS];
    int nblocks, place[MAX_BLOCKS];
};

struct program {
    struct func func[FUNCS]; /* func[0] is the kernel */
    uint64_t random;
    char text[200000];
    size_t n;
    int block; /* whose own registers are meant */
};

static uint32_t draw(struct program *p, uint32_t below)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->random >> 33) % below;
}

/* --- making ----------------------------------------------------------------------------------- */

static const int first_of[] = {0, WORDS, WORDS + WIDES}, count_of[] = {WORDS, WIDES, PREDS};

static enum width width_of(int r)
{
    return r < WORDS || r == SUM ? WORD : r < WORDS + WIDES ? WIDE : PRED;
}

static int any_register(struct program *p, enum width w)
{
    return first_of[w] + (int)draw(p, (uint32_t)count_of[w]);
}

static bool is_own(int r)
{
    return r != SUM && r - first_of[width_of(r)] >= count_of[width_of(r)] - OWN;
}

/* One of `written`, or -1. */
static int written_register(struct program *p, enum width w, uint64_t written)
{
    int start = (int)draw(p, (uint32_t)count_of[w]);
    for (int i = 0; i < count_of[w]; i++) {
        int r = first_of[w] + (start + i) % count_of[w];
        if (written >> r & 1)
            return r;
    }
    return -1;
}

/* Destinations only: what is read is chosen when it is known what is written. */
static void make_destinations(struct program *p, struct step *s, int func)
{
    *s = (struct step){.op = (int)draw(p, OPS), .dst2 = -1, .guard = draw(p, 3) ? -1 : 0};
    s->literal = draw(p, 1u << 31);
    if (s->op == OP_CALL && func + 1 == FUNCS)
        s->op = OP_LITERAL;
    if (s->op == OP_CALL)
        s->literal = (uint32_t)func + 1 + s->literal % (uint32_t)(FUNCS - func - 1);
    bool is_note = s->op >= OP_NOTE_WORD && s->op < OP_LITERAL;
    s->dst = is_note ? SUM : any_register(p, op[s->op].width);
    if (s->op == OP_UNPACK || s->op == OP_PAIR)
        do
            s->dst2 = any_register(p, op[s->op].width);
        while (s->dst2 == s->dst);
}

static uint64_t written_by(const struct step *s)
{
    return s->guard >= 0 ? 0 : 1ull << s->dst | (s->dst2 >= 0 ? 1ull << s->dst2 : 0);
}

static void make_graph(struct program *p, int index)
{
    struct func *f = &p->func[index];
    bool is_chain = draw(p, 2); /* values live longer, and fewer lanes come back */
    f->nblocks = 2 + (int)draw(p, MAX_BLOCKS - 2);
    for (int b = 0; b < f->nblocks; b++) {
        struct node *n = &f->node[b];
        n->nsteps = 1 + (int)draw(p, MAX_STEPS - 1);
        for (int i = 0; i < n->nsteps; i++) {
            make_destinations(p, &n->step[i], index);
            n->writes |= written_by(&n->step[i]);
        }
        n->end = draw(p, 12) == 0 ? END_LEAVE : (enum end)draw(p, END_LEAVE);
        n->is_negated = draw(p, 2);
        n->has_barrier = draw(p, 6) == 0;
        for (int k = 0; k < WAYS; k++) {
            int on = b + 1 + (int)draw(p, 2), any = 1 + (int)draw(p, (uint32_t)f->nblocks - 1);
            n->to[k] = draw(p, 24) == 0 ? f->nblocks : is_chain && draw(p, 3) ? on : any;
            if (n->to[k] > f->nblocks)
                n->to[k] = f->nblocks;
        }
        f->place[b] = b;
    }
    for (int b = f->nblocks; b-- > 2;) { /* the first stays */
        int other = 1 + (int)draw(p, (uint32_t)b), was = f->place[b];
        f->place[b] = f->place[other];
        f->place[other] = was;
    }
}

static int ways(const struct node *n)
{
    return n->end == END_SWITCH ? WAYS : n->end == END_IF ? 2 : 1;
}

/* What is written on every way to each block.  Nothing comes back to block 0. */
static void find_written(struct func *f)
{
    uint64_t own = 0;
    for (int r = 0; r < REGS; r++)
        own |= (uint64_t)is_own(r) << r;
    f->node[0].before = 1ull << SUM | 3; /* registers 0 and 1 come from outside */
    for (int b = 1; b < f->nblocks; b++)
        f->node[b].before = ~own;
    for (int round = 0; round < f->nblocks; round++)
        for (int b = 0; b < f->nblocks; b++)
            for (int k = 0; k < ways(&f->node[b]); k++)
                if (f->node[b].to[k] < f->nblocks)
                    f->node[f->node[b].to[k]].before &= f->node[b].before | f->node[b].writes;
}

/* A step whose sources are not there becomes a literal, which writes the same. */
static void choose_sources(struct program *p, struct step *s, uint64_t written)
{
    if (s->guard >= 0)
        s->guard = written_register(p, PRED, written);
    s->is_negated = draw(p, 2);
    const char *need = op[s->op].sources;
    for (int i = 0; need[i]; i++) {
        enum width w = need[i] == 'w' ? WORD : need[i] == 'd' ? WIDE : PRED;
        s->src[i] = written_register(p, w, written);
        if (s->src[i] < 0) {
            s->src[i] = 0;
            s->op = OP_LITERAL;
            return;
        }
    }
}

static void make_func(struct program *p, int index)
{
    struct func *f = &p->func[index];
    make_graph(p, index);
    find_written(f);
    for (int b = 0; b < f->nblocks; b++) {
        struct node *n = &f->node[b];
        uint64_t written = n->before;
        for (int i = 0; i < n->nsteps; i++) {
            choose_sources(p, &n->step[i], written);
            written |= written_by(&n->step[i]);
        }
        n->value = written_register(p, WORD, written);
        n->pred = written_register(p, PRED, written);
        if (n->pred < 0)
            n->end = END_JUMP;
    }
}

/* --- as PTX ----------------------------------------------------------------------------------- */

static void say(struct program *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct program *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    p->n += (size_t)vsnprintf(p->text + p->n, sizeof p->text - p->n, fmt, ap);
    va_end(ap);
    CHECK(p->n < sizeof p->text);
}

static void say_register(struct program *p, int r)
{
    char own[16];
    snprintf(own, sizeof own, "_%d_", p->block);
    if (r == SUM)
        say(p, "%%sum");
    else
        say(p, "%%%c%s%d", "wdq"[width_of(r)], is_own(r) ? own : "", r - first_of[width_of(r)]);
}

static void say_guard(struct program *p, int guard, bool is_negated)
{
    if (guard < 0)
        return;
    say(p, is_negated ? "@!" : "@");
    say_register(p, guard);
    say(p, " ");
}

static void say_literal(struct program *p, const struct step *s, int dst)
{
    static const char *const move[] = {"mov.u32 ", "mov.u64 ", "mov.pred "};
    say_guard(p, s->guard, s->is_negated);
    say(p, "%s", move[width_of(dst)]);
    say_register(p, dst);
    say(p, ", %u;\n", width_of(dst) == PRED ? s->literal & 1 : s->literal);
}

static void say_step(struct program *p, const struct step *s)
{
    if (s->op == OP_LITERAL) {
        say_literal(p, s, s->dst);
        if (s->dst2 >= 0)
            say_literal(p, s, s->dst2);
        return;
    }
    if (s->op == OP_CALL)
        say(p, "{ .param .b32 a, b; ");
    say_guard(p, s->guard, s->is_negated);
    for (const char *c = op[s->op].text; *c; c++) {
        if (*c != '$')
            say(p, "%c", *c);
        else if (*++c == 'g')
            say_guard(p, s->guard, s->is_negated);
        else if (*c == 'n')
            say(p, "%u", s->literal);
        else
            say_register(p, *c == 'd' ? s->dst : *c == 'e' ? s->dst2 : s->src[*c - 'a']);
    }
    say(p, s->op == OP_CALL ? " }\n" : "\n");
}

static void say_end(struct program *p, const struct node *n, int index, int block)
{
    if (n->has_barrier)
        say(p, "bar.sync 0;\n");
    if (n->end == END_SWITCH) {
        say(p, "T%d: .branchtargets B%d, B%d, B%d, B%d;\nand.b32 %%i, ", block, n->to[0], n->to[1],
            n->to[2], n->to[3]);
        say_register(p, n->value);
        say(p, ", 3; brx.idx %%i, T%d;\n", block);
        return;
    }
    if (n->end == END_IF) {
        say_guard(p, n->pred, n->is_negated);
        say(p, "bra B%d;\n", n->to[1]);
    } else if (n->end == END_LEAVE) {
        say_guard(p, n->pred, n->is_negated);
        say(p, index ? "st.param.b32 [r], %%sum; " : "st.global.u32 [%%at], %%sum; ");
        say_guard(p, n->pred, n->is_negated);
        say(p, index ? "ret;\n" : "exit;\n");
    }
    say(p, "bra B%d;\n", n->to[0]);
}

static void say_func(struct program *p, int index)
{
    const struct func *f = &p->func[index];
    if (index)
        say(p, ".func (.param .b32 r) f%d(.param .b32 x)\n{\n", index);
    else
        say(p, "%s", PTX_KERNEL_HEAD);
    say(p, ".reg .b32 %%w<%d>; .reg .b64 %%d<%d>; .reg .pred %%q<%d>;\n", WORDS, WIDES, PREDS);
    say(p, ".reg .b32 %%fuel, %%i, %%j, %%sum; .reg .pred %%out; .local .align 4 .b8 l[4];\n");
    say(p, index ? "ld.param.u32 %%w0, [x]; mov.u32 %%w1, 9;\n"
                 : "mov.u32 %%w0, %%gid; ld.global.u32 %%w1, [%%at];\n");
    say(p, "mov.u32 %%fuel, %d; mov.u32 %%sum, 1;\n", FUEL / (index + 1));
    for (int i = 0; i < f->nblocks; i++)
        say(p, ".reg .b32 %%w_%d_<%d>; .reg .b64 %%d_%d_<%d>; .reg .pred %%q_%d_<%d>;\n", i, WORDS,
            i, WIDES, i, PREDS);
    for (int i = 0; i < f->nblocks; i++) {
        const struct node *n = &f->node[f->place[i]];
        p->block = f->place[i];
        say(p, "B%d: sub.u32 %%fuel, %%fuel, 1; setp.eq.u32 %%out, %%fuel, 0; @%%out bra B%d;\n",
            f->place[i], f->nblocks);
        for (int k = 0; k < n->nsteps; k++)
            say_step(p, &n->step[k]);
        say_end(p, n, index, f->place[i]);
    }
    say(p,
        index ? "B%d: st.param.b32 [r], %%sum; ret; }\n"
              : "B%d: st.global.u32 [%%at], %%sum; ret; }\n",
        f->nblocks);
}

/* --- one thread at a time --------------------------------------------------------------------- */

static uint32_t run_func(const struct program *p, int index, uint32_t x, uint32_t y);

static bool is_on(const uint64_t *v, int pred, bool is_negated)
{
    return pred < 0 || (v[pred] != 0) != is_negated;
}

static void run_step(const struct program *p, const struct step *s, uint64_t *v)
{
    uint64_t a = v[s->src[0]], b = v[s->src[1]], c = v[s->src[2]], sum = v[SUM] * 31;
    if (!is_on(v, s->guard, s->is_negated))
        return;
    uint64_t literal = width_of(s->dst) == PRED ? s->literal & 1 : s->literal;
    uint64_t first[] = {
        a + b,
        a * b,
        a ^ b,
        a + b,
        a ^ b,
        a,
        a * b + c,
        a | b << 32,
        a,
        a<b, a<b && c, c ? a : b, a, sum + a, (uint32_t)(sum + (uint32_t)a) ^ a>> 32,
        sum + (a ? 5 : 6),
        literal};
    uint64_t second = s->op == OP_UNPACK ? a >> 32 : s->op == OP_PAIR ? a >= b && c : literal;
    uint64_t value = s->op == OP_CALL ? run_func(p, (int)s->literal, (uint32_t)a, 9) : first[s->op];
    v[s->dst] = width_of(s->dst) == WORD ? (uint32_t)value : value;
    if (s->dst2 >= 0)
        v[s->dst2] = second;
}

static uint32_t run_func(const struct program *p, int index, uint32_t x, uint32_t y)
{
    const struct func *f = &p->func[index];
    uint64_t v[REGS + 1] = {x, y, [SUM] = 1};
    int b = 0;
    for (int fuel = FUEL / (index + 1); b != f->nblocks && --fuel;) {
        const struct node *n = &f->node[b];
        for (int k = 0; k < n->nsteps; k++)
            run_step(p, &n->step[k], v);
        if (n->end == END_LEAVE && is_on(v, n->pred, n->is_negated))
            break;
        b = n->end == END_SWITCH ? n->to[v[n->value] & 3]
            : n->end == END_IF   ? n->to[is_on(v, n->pred, n->is_negated)]
                                 : n->to[0];
    }
    return (uint32_t)v[SUM];
}

/* --- the test --------------------------------------------------------------------------------- */

static void check_program(uint64_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    p->random = seed * 0x9e3779b97f4a7c15u;
    uint32_t data[THREADS], want[THREADS];
    say(p, "%s", PTX_HEAD);
    for (int f = FUNCS; f-- > 0;) {
        make_func(p, f);
        say_func(p, f);
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        data[t] = draw(p, 1u << 31);
        want[t] = run_func(p, 0, t, data[t]);
    }
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = p->text, .block = THREADS, .max_insns = 1u << 24}, data, THREADS);
    bool is_same = r.ok && memcmp(data, want, sizeof data) == 0;
    if (!is_same)
        fprintf(stderr, "%s\nseed %llu: %s\n", p->text, (unsigned long long)seed, r.e.text);
    free(p);
    CHECK(is_same);
}

static void random_kernels_compute_what_each_thread_alone_would(void)
{
    const char *full = getenv("HEDDLE_CHECK_FULL");
    uint64_t n = full && *full ? 50000 : 1500;
    for (uint64_t seed = 1; seed <= n; seed++)
        check_program(seed);
}

CHECK_MAIN("regs", TEST(random_kernels_compute_what_each_thread_alone_would))
