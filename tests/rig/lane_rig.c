/* lane_rig.c - lays the operands of one instruction out as the lowering would, and runs it. */
#include "rig/lane_rig.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "simt/exec.h"

extern const struct op_set op_set_base;
#if defined(__x86_64__)
extern const struct op_set op_set_v3;
#endif

enum {
    FIRST_SOURCE = LANE_RIG_RESULTS, /* registers are two units each, results first */
    REGISTERS = FIRST_SOURCE + LANE_RIG_SOURCES,
    FIRST_PRED_SOURCE = 8, /* 2 and 3 are destinations */
    PREDS = FIRST_PRED_SOURCE + LANE_RIG_SOURCES,
    NOT_IN_PLACE = -1,
};
static const uint64_t idle_lane = 0xa5a55a5ac3c33c3c;
static const uint32_t idle_mask = 0x96a5c3f0;

struct bench {
    _Alignas(128) uint8_t file[2 * REGISTERS * UNIT_BYTES];
    uint32_t pred[PREDS];
    uint16_t list[LANE_RIG_RESULTS + LANE_RIG_SOURCES];
    struct warp warp;
    struct insn insn;
    char letter[LANE_RIG_RESULTS]; /* of the register destinations */
    int unit_of[LANE_RIG_RESULTS];
    int nresults, npreds, nsources, nplaces; /* a literal takes no place among src */
};

static int sets_here(const struct op_set *sets[2])
{
    int n = 0;
    sets[n++] = &op_set_base;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        sets[n++] = &op_set_v3;
#endif
    return n;
}

static bool find_in(const struct op_set *set, const char *text, struct op_desc *d, struct err *e)
{
    char copy[128];
    struct opcode o = {.text = text, .where = "rig.ptx:1"};
    CHECK(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char *p = copy; p; o.nparts++) {
        CHECK(o.nparts < 16);
        o.part[o.nparts] = p;
        p = strchr(p, '.');
        if (p)
            *p++ = 0;
    }
    memset(d, 0, sizeof *d);
    return set->find(&o, d, e);
}

bool lane_rig_find(const char *opcode, struct op_desc *d, struct err *e)
{
    const struct op_set *sets[2];
    int n = sets_here(sets);
    bool found = find_in(sets[0], opcode, d, e);
    for (int k = 1; k < n; k++) {
        struct op_desc other;
        struct err e2 = {0};
        CHECK_EQ(find_in(sets[k], opcode, &other, &e2), found);
        if (!found)
            CHECK_STR(e2.text, e->text);
        if (found) {
            CHECK_STR(other.operands, d->operands);
            CHECK_EQ(other.mod, d->mod);
        }
    }
    return found;
}

static uint64_t get(const struct bench *b, int unit, bool is_wide, int lane)
{
    uint64_t v = 0;
    memcpy(&v, &b->file[unit * UNIT_BYTES + lane * (is_wide ? 8 : 4)], is_wide ? 8 : 4);
    return v;
}

static void put(struct bench *b, int unit, bool is_wide, int lane, uint64_t v)
{
    memcpy(&b->file[unit * UNIT_BYTES + lane * (is_wide ? 8 : 4)], &v, is_wide ? 8 : 4);
}

static void add_source(struct bench *b, char letter, const uint64_t *value)
{
    int k = b->nsources++;
    uint16_t operand = (uint16_t)(2 * (FIRST_SOURCE + k));
    HD_ASSERT(k < LANE_RIG_SOURCES, "too many sources");
    if (letter == 'i') {
        b->insn.imm = value[0];
        return;
    }
    if (letter == 'p') {
        operand = (uint16_t)(FIRST_PRED_SOURCE + k);
        for (int l = 0; l < WARP_LANES; l++)
            b->pred[operand] |= (uint32_t)(value[l] & 1) << l;
    } else {
        for (int l = 0; l < WARP_LANES; l++)
            put(b, operand, letter == 'd', l, value[l]);
    }
    if (b->nplaces < 4)
        b->insn.src[b->nplaces++] = operand;
    else
        b->list[b->insn.nextra++] = operand;
}

static void add_result(struct bench *b, char letter)
{
    int k = b->nresults++;
    HD_ASSERT(k < LANE_RIG_RESULTS, "too many destinations");
    b->letter[k] = letter;
    b->unit_of[k] = 2 * k;
}

/* Destinations of the descriptor in order: registers of a vector, else dst and dst2. */
static void add_destination(struct bench *b, const struct op_desc *d, char letter)
{
    if (letter == 'P' || letter == 'S') {
        if (letter == 'S')
            add_result(b, 'W');
        b->npreds = letter == 'P' ? 2 : 1;
        b->insn.dst = letter == 'P' ? PRED_FIRST : 0;
        b->insn.dst2 = letter == 'P' ? PRED_FIRST + 1 : PRED_FIRST;
        return;
    }
    if (letter == 'V') {
        for (int k = 0; k < d->vec; k++) {
            add_result(b, (char)(d->elem - 'a' + 'A'));
            b->list[b->insn.nextra++] = (uint16_t)(2 * (b->nresults - 1));
        }
        return;
    }
    add_result(b, letter);
    *(b->nresults == 1 ? &b->insn.dst : &b->insn.dst2) = (uint16_t)(2 * (b->nresults - 1));
}

static void lay_out(struct bench *b, const struct lane_rig *r, const struct op_desc *d,
                    const uint64_t src[][WARP_LANES])
{
    b->insn.fn = d->fn;
    b->insn.mod = d->mod;
    b->insn.dst = b->insn.dst2 = b->insn.guard = NO_OPERAND;
    for (int k = 0; k < 4; k++)
        b->insn.src[k] = NO_OPERAND;
    b->insn.list = b->list;
    b->pred[PRED_TRUE] = UINT32_MAX;
    b->pred[PRED_FIRST] = b->pred[PRED_FIRST + 1] = idle_mask;
    for (const char *p = d->operands; *p; p++) {
        if (*p == '?') {
            if (r->omit_optional)
                break;
        } else if (strchr("PSVHWD", *p)) {
            add_destination(b, d, *p);
        } else {
            CHECK(strchr("hwdpi", *p) != NULL);
            add_source(b, *p, src[b->nsources]);
        }
    }
    for (int k = 0; k < b->nresults; k++)
        for (int l = 0; l < WARP_LANES; l++)
            put(b, b->unit_of[k], b->letter[k] == 'D', l, idle_lane);
}

/* The first destination takes the place of source `in_place`; false when it does not fit there. */
static bool move_in_place(struct bench *b, const struct op_desc *d, int in_place)
{
    const char *p = d->operands;
    while (*p && strchr("PSVHWD", *p))
        p++;
    for (int k = 0; *p && k < b->nsources; p++)
        if (*p != '?' && k++ == in_place) {
            bool is_wide = b->letter[0] == 'D';
            if (!strchr(is_wide ? "d" : "hw", *p) || in_place > 3 || strchr(d->operands, 'V'))
                return false;
            b->insn.dst = b->insn.src[in_place];
            b->unit_of[0] = b->insn.dst;
            return true;
        }
    return false;
}

static uint64_t idle_value(const struct bench *before, int k, int lane)
{
    return get(before, before->unit_of[k], before->letter[k] == 'D', lane);
}

static void collect(struct lane_rig *r, const struct bench *before, const struct bench *b)
{
    const uint32_t exec = b->warp.exec;
    memset(r->dst, 0, sizeof r->dst);
    memset(r->raw, 0, sizeof r->raw);
    for (int k = 0; k < b->nresults; k++)
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t v = get(b, b->unit_of[k], b->letter[k] == 'D', l);
            if (!(exec >> l & 1)) {
                CHECK(v == idle_value(before, k, l));
                continue;
            }
            r->raw[k][l] = v;
            r->dst[k][l] = b->letter[k] == 'H' ? v & 0xffff : v;
        }
    for (int k = 0; k < 2; k++) {
        uint32_t mask = b->pred[PRED_FIRST + k];
        CHECK_EQ(mask & ~exec, idle_mask & ~exec);
        r->pred[k] = k < b->npreds ? mask & exec : 0;
    }
    CHECK_EQ(b->warp.carry & ~exec, before->warp.carry & ~exec);
    r->carry = b->warp.carry & exec;
}

/* False when the destination does not fit in the place asked for. */
static bool run_once(struct lane_rig *r, const struct op_desc *d, const uint64_t src[][WARP_LANES],
                     uint32_t exec, int in_place)
{
    struct bench b, before;
    memset(&b, 0, sizeof b);
    lay_out(&b, r, d, src);
    if (in_place != NOT_IN_PLACE && (b.nresults == 0 || !move_in_place(&b, d, in_place)))
        return false;
    b.warp.exec = b.warp.active = exec;
    b.warp.carry = r->carry_in;
    b.warp.executed = r->executed;
    b.warp.file = b.file;
    b.warp.pred = b.pred;
    before = b;
    d->fn(&b.warp, &b.insn);
    collect(r, &before, &b);
    for (int k = 0; k < b.nsources; k++) /* sources are read only */
        if (in_place != k)
            CHECK(memcmp(&b.file[2 * (FIRST_SOURCE + k) * UNIT_BYTES],
                         &before.file[2 * (FIRST_SOURCE + k) * UNIT_BYTES], 2 * UNIT_BYTES) == 0);
    return true;
}

static void check_same(const char *opcode, const char *set, int in_place, const struct lane_rig *a,
                       const struct lane_rig *b)
{
    bool is_same = memcmp(a->raw, b->raw, sizeof a->raw) == 0 &&
                   memcmp(a->pred, b->pred, sizeof a->pred) == 0 && a->carry == b->carry;
    if (is_same)
        return;
    print_error("%s: %s, destination %d differs from the first run\n", opcode, set, in_place);
    for (int l = 0; l < WARP_LANES; l++)
        if (a->raw[0][l] != b->raw[0][l])
            print_error("  lane %d: %#llx, not %#llx\n", l, (unsigned long long)b->raw[0][l],
                        (unsigned long long)a->raw[0][l]);
    CHECK(is_same);
}

void lane_rig_run(struct lane_rig *r, const char *opcode, const uint64_t src[][WARP_LANES],
                  uint32_t exec)
{
    const struct op_set *sets[2];
    int n = sets_here(sets);
    struct lane_rig first = *r;
    for (int s = 0; s < n; s++) {
        struct err e = {0};
        struct op_desc d;
        if (!find_in(sets[s], opcode, &d, &e))
            CHECK_STR(e.text, "");
        CHECK(d.fn != NULL);
        if (s == 0) {
            first.desc = d;
            run_once(&first, &d, src, exec, NOT_IN_PLACE);
        }
        for (int k = s == 0 ? 0 : NOT_IN_PLACE; k < LANE_RIG_SOURCES; k++) {
            struct lane_rig other = *r;
            if (run_once(&other, &d, src, exec, k))
                check_same(opcode, sets[s]->name, k, &first, &other);
        }
    }
    *r = first;
}

uint64_t lane_rig_4(const char *opcode, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    struct lane_rig r = {0};
    uint64_t src[LANE_RIG_SOURCES][WARP_LANES] = {0};
    for (int l = 0; l < WARP_LANES; l++) {
        src[0][l] = a;
        src[1][l] = b;
        src[2][l] = c;
        src[3][l] = d;
    }
    lane_rig_run(&r, opcode, (const uint64_t(*)[WARP_LANES])src, UINT32_MAX);
    return r.dst[0][0];
}

uint64_t lane_rig_3(const char *opcode, uint64_t a, uint64_t b, uint64_t c)
{
    return lane_rig_4(opcode, a, b, c, 0);
}

uint64_t lane_rig_2(const char *opcode, uint64_t a, uint64_t b)
{
    return lane_rig_4(opcode, a, b, 0, 0);
}

uint64_t lane_rig_1(const char *opcode, uint64_t a)
{
    return lane_rig_4(opcode, a, 0, 0, 0);
}

void lane_rig_random(uint64_t src[][WARP_LANES], int n, uint64_t seed)
{
    static const uint64_t edge[] = {
        0,
        1,
        2,
        UINT64_MAX,
        0x7fffffff,
        0x80000000,
        0xffffffff,
        0x80000001,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff7fff,
        0x80008000,
        0x7f,
        0x80,
        0xff,
        INT64_MAX,
        (uint64_t)INT64_MIN,
        0x100000000,
        31,
        32,
        33,
        63,
        64,
        65,
        0x3f800000,
        0xbf800000,
        0x7f800000,
        0xff800000,
        0x7fc00000,
        0x7f800001,
        0x7f7fffff,
        0x00800000,
        0x007fffff,
        0x4f000000,
        0xcf000000,
        0x4f800000,
        0x5f000000,
        0xdf000000,
        0x3ff0000000000000,
        0xbff0000000000000,
        0x7ff0000000000000,
        0xfff0000000000000,
        0x7ff8000000000000,
        0x7ff0000000000001,
        0x7fefffffffffffff,
        0x000fffffffffffff,
        0x0010000000000000,
        0x41e0000000000000,
        0xc1e0000000000000,
        0x43e0000000000000,
        0xc3e0000000000000,
        0x3c003c00,
        0x7c007c00,
        0xfc007e00,
        0x7bff03ff,
        0x3f803f80,
        0x7f80ff80,
    };
    const uint64_t nedges = sizeof edge / sizeof edge[0];
    for (int k = 0; k < n; k++)
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t key = rng_key(seed, (uint64_t)k * WARP_LANES + (uint64_t)l);
            uint64_t bits = rng_at(key, 0), how = rng_at(key, 1);
            switch (how % 8) {
            case 0:
            case 1:
                src[k][l] = edge[bits % nedges];
                break;
            case 2:
                src[k][l] = bits >> (how >> 8 & 63); /* any magnitude */
                break;
            case 3: /* a double of moderate size, a float in its upper half */
                src[k][l] = (bits & 0x800fffffffffffff) | (0x3c0 + (how >> 8 & 127)) << 52;
                break;
            case 4: /* a float of moderate size */
                src[k][l] = (bits & 0xffffffff807fffff) | (90 + (how >> 8 & 127)) << 23;
                break;
            default:
                src[k][l] = bits;
            }
        }
}

void lane_rig_begin(struct lane_rig_round *r, const char *opcode, int round)
{
    uint64_t draw = rng_at(17, (uint64_t)round);
    uint32_t mask = (uint32_t)(draw >> 32);
    memset(r, 0, sizeof *r);
    lane_rig_random(r->src, LANE_RIG_SOURCES, draw);
    r->exec = round % 2 == 0 ? UINT32_MAX : mask | 1u << (round % 32);
    r->rig.carry_in = (uint32_t)draw;
    lane_rig_run(&r->rig, opcode, (const uint64_t(*)[WARP_LANES])r->src, r->exec);
}

void lane_rig_lane(const struct lane_rig_round *r, const char *opcode, int lane, uint64_t expected)
{
    const char letter = r->rig.desc.operands[0];
    uint64_t mask = letter == 'H' ? 0xffff : letter == 'D' ? UINT64_MAX : UINT32_MAX;
    uint64_t got = letter == 'P' ? r->rig.pred[0] >> lane & 1 : r->rig.dst[0][lane];
    if (!(r->exec >> lane & 1) || got == (expected & mask))
        return;
    print_error("%s lane %d: %#llx, not %#llx, of", opcode, lane, (unsigned long long)got,
                (unsigned long long)(expected & mask));
    for (int k = 0; k < 4; k++)
        print_error(" %#llx", (unsigned long long)r->src[k][lane]);
    print_error("\n");
    CHECK(got == (expected & mask));
}

void lane_rig_sweep(const char *opcode, int rounds)
{
    for (int k = 0; k < rounds; k++) {
        struct lane_rig_round r;
        lane_rig_begin(&r, opcode, k);
    }
}
