/* exec_mutator.h - changes PTX text so that it is likely to stay PTX: whole lines are moved, copied,
 * dropped or made from templates; operands, opcodes, suffixes and numbers are exchanged for others
 * of their kind. */
#ifndef FUZZ_EXEC_MUTATOR_H
#define FUZZ_EXEC_MUTATOR_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

struct edit {
    char *text;
    size_t size, max;
    uint64_t key, draws;
};

struct span {
    size_t at, n;
};

#define PICK(e, table) ((table)[below((e), sizeof(table) / sizeof(table)[0])])

static inline size_t below(struct edit *e, size_t n)
{
    return n ? rng_below(rng_at(e->key, e->draws++), (uint32_t)n) : 0;
}

static inline void replace(struct edit *e, struct span s, const char *with, size_t n)
{
    if (e->size - s.n + n > e->max)
        return;
    memmove(e->text + s.at + n, e->text + s.at + s.n, e->size - s.at - s.n);
    memcpy(e->text + s.at, with, n);
    e->size = e->size - s.n + n;
}

/* --- where ------------------------------------------------------------------------------------ */

static inline struct span line_at(const struct edit *e, size_t at)
{
    size_t from = at, to = at;
    while (from > 0 && e->text[from - 1] != '\n')
        from--;
    while (to < e->size && e->text[to] != '\n')
        to++;
    return (struct span){from, to - from + (to < e->size)};
}

static inline bool in_token(char c)
{
    return isalnum((unsigned char)c) || c == '%' || c == '_' || c == '$';
}

/* The token at a place, or the next one; n is 0 at the end of the text. */
static inline struct span token_at(const struct edit *e, size_t at)
{
    size_t from = at;
    while (from > 0 && in_token(e->text[from - 1]))
        from--;
    while (from < e->size && !in_token(e->text[from]))
        from++;
    size_t to = from;
    while (to < e->size && in_token(e->text[to]))
        to++;
    return (struct span){from, to - from};
}

static inline char kind_of(const struct edit *e, struct span token)
{
    char c = token.n ? e->text[token.at] : 0;
    return isdigit((unsigned char)c) ? '0' : c == '%' ? '%' : 'a';
}

/* The opcode with its suffixes on a line: behind the guard, to the next blank or semicolon. */
static inline struct span opcode_of(const struct edit *e, struct span line)
{
    size_t at = line.at, end = line.at + line.n;
    while (at < end && isspace((unsigned char)e->text[at]))
        at++;
    if (at < end && e->text[at] == '@') {
        while (at < end && !isspace((unsigned char)e->text[at]))
            at++;
        while (at < end && isspace((unsigned char)e->text[at]))
            at++;
    }
    size_t to = at;
    while (to < end && !isspace((unsigned char)e->text[to]) && e->text[to] != ';')
        to++;
    return (struct span){at, to - at};
}

/* --- what ------------------------------------------------------------------------------------- */

/* Makes a line of a template: R D F E P H stand for registers as compilers name them, N for a
 * number, O for a small one. */
static inline size_t expand(struct edit *e, const char *template, char *out, size_t room)
{
    static const char letters[] = "RDFEPH";
    static const char *const names[] = {"%r", "%rd", "%f", "%fd", "%p", "%rs"};
    static const char *const numbers[] = {
        "0",  "1",   "-1",         "2",          "31",         "32",     "33",     "63",
        "64", "255", "0x7fffffff", "0x80000000", "0xffffffff", "0x5410", "0x1f1f", "1000000"};
    size_t n = 0;
    for (const char *t = template; *t && n + 16 < room; t++) {
        const char *letter = strchr(letters, *t);
        if (letter)
            n += (size_t)snprintf(out + n, room - n, "%s%zu", names[letter - letters],
                                  1 + below(e, 8));
        else if (*t == 'N')
            n += (size_t)snprintf(out + n, room - n, "%s", PICK(e, numbers));
        else if (*t == 'O')
            n += (size_t)snprintf(out + n, room - n, "%zu", below(e, 72));
        else
            out[n++] = *t;
    }
    out[n++] = '\n';
    return n;
}

static inline size_t new_line(struct edit *e, char *out, size_t room)
{
    static const char *const templates[] = {
        "add.s32 R, R, N;",
        "sub.cc.u32 R, R, R;",
        "subc.u32 R, R, R;",
        "mad.lo.s32 R, R, R, N;",
        "madc.hi.cc.u32 R, R, R, R;",
        "mul.wide.s32 D, R, R;",
        "mul.hi.s64 D, D, D;",
        "div.s32 R, R, R;",
        "rem.s64 D, D, D;",
        "div.u16 H, H, H;",
        "shl.b32 R, R, R;",
        "shr.s64 D, D, R;",
        "shf.l.wrap.b32 R, R, R, R;",
        "bfe.s32 R, R, R, R;",
        "bfi.b64 D, D, D, R, R;",
        "bfind.shiftamt.s32 R, R;",
        "clz.b64 R, D;",
        "brev.b64 D, D;",
        "prmt.b32 R, R, R, N;",
        "lop3.b32 R, R, R, R, O;",
        "dp4a.s32.u32 R, R, R, R;",
        "sad.u32 R, R, R, R;",
        "mul24.lo.s32 R, R, R;",
        "add.sat.s32 R, R, R;",
        "bmsk.clamp.b32 R, R, R;",
        "szext.wrap.s32 R, R, R;",
        "fns.b32 R, R, R, R;",
        "vabsdiff4.u32.u32.u32.add R, R, R, R;",
        "add.f32 F, F, F;",
        "fma.rm.ftz.f32 F, F, F, F;",
        "div.rn.f32 F, F, F;",
        "div.full.f32 F, F, F;",
        "sqrt.rz.f64 E, E;",
        "rcp.rp.f64 E, E;",
        "fma.rz.f64 E, E, E, E;",
        "sin.approx.f32 F, F;",
        "ex2.approx.ftz.f32 F, F;",
        "lg2.approx.f32 F, F;",
        "tanh.approx.f32 F, F;",
        "rsqrt.approx.f64 E, E;",
        "add.f16x2 R, R, R;",
        "fma.rn.relu.f16 H, H, H, H;",
        "min.NaN.bf16x2 R, R, R;",
        "cvt.rzi.s32.f32 R, F;",
        "cvt.rni.u64.f64 D, E;",
        "cvt.rn.f32.u64 F, D;",
        "cvt.sat.f32.f32 F, F;",
        "cvt.rn.f16.f32 H, F;",
        "cvt.s64.s8 D, R;",
        "cvt.sat.u8.s32 R, R;",
        "cvt.rz.f16.s64 H, D;",
        "cvt.rp.f32.f64 F, E;",
        "setp.lt.s32 P, R, N;",
        "setp.ne.and.u64 P|P, D, D, P;",
        "setp.ltu.f32 P, F, F;",
        "set.gt.u32.f64 R, E, E;",
        "selp.b64 D, D, D, P;",
        "slct.f32.s32 F, F, F, R;",
        "testp.subnormal.f32 P, F;",
        "copysign.f64 E, E, E;",
        "mov.b64 D, {R, R};",
        "mov.b64 {R, R}, D;",
        "mov.u32 R, %clock;",
        "mov.u32 R, %laneid;",
        "mov.u32 R, %lanemask_gt;",
        "mov.b32 R, {H, H};",
        "mov.pred P, P;",
        "not.pred P, P;",
        "xor.pred P, P, P;",
        "cvta.to.global.u64 D, D;",
        "cvta.shared.u64 D, D;",
        "isspacep.shared P, D;",
        "ld.global.u32 R, [D+O];",
        "ld.global.v4.u32 {R, R, R, R}, [D+16];",
        "ld.u64 D, [D];",
        "ld.shared.s8 R, [R+O];",
        "ld.local.f64 E, [D+O];",
        "ld.param.u32 R, [D];",
        "st.global.v2.f32 [D], {F, F};",
        "st.shared.u32 [R], R;",
        "st.u8 [D], R;",
        "st.local.v2.u64 [D], {D, D};",
        "ld.const.u32 R, [R];",
        "prefetch.global.L2 [D];",
        "atom.global.add.u32 R, [D], R;",
        "atom.shared.cas.b64 D, [R], D, D;",
        "atom.inc.u32 R, [D], R;",
        "red.global.max.s64 [D], D;",
        "atom.global.add.f64 E, [D], E;",
        "atom.global.exch.b32 R, [D+O], N;",
        "atom.shared.add.noftz.f16x2 R, [R], R;",
        "membar.gl;",
        "fence.acq_rel.gpu;",
        "bar.sync 0;",
        "bar.sync R, N;",
        "barrier.sync O, 64;",
        "bar.arrive O, 64;",
        "bar.red.popc.u32 R, 0, P;",
        "bar.red.or.pred P, R, P;",
        "bar.warp.sync N;",
        "vote.sync.ballot.b32 R, P, N;",
        "vote.sync.any.pred P, P, -1;",
        "activemask.b32 R;",
        "match.any.sync.b64 R, D, N;",
        "match.all.sync.b32 R|P, R, R;",
        "shfl.sync.idx.b32 R|P, R, R, N, -1;",
        "shfl.sync.down.b32 R, R, O, R, R;",
        "redux.sync.add.s32 R, R, N;",
        "elect.sync R|P, N;",
        "nanosleep.u32 R;",
        "ret;",
        "exit;",
        "trap;",
        "bra L1;",
        "bra.uni L2;",
        "@P bra L1;",
        "@!P bra L2;",
        "@P ret;",
        "L1:",
        "L2:",
        "{",
        "}",
        ".reg .b32 R;",
        ".shared .align 8 .b8 s1[N];",
        ".local .align 4 .b8 l1[O];",
        "mov.u64 D, s1;",
        "mov.u64 D, l1;",
        "brx.idx R, T1;",
        "T1: .branchtargets L1, L2;",
        "call (R), f1, (R);",
        "call.uni f2, ();",
        ".pragma \"nounroll\";",
        ".loc 1 O 2",
        "tex.1d.v4.f32.f32 {F, F, F, F}, [D, {F}];",
        "tex.2d.v4.f32.f32 {F, F, F, F}, [D, {F, F}];",
        "tex.3d.v4.u32.s32 {R, R, R, R}, [D, {R, R, R, R}];",
        "tex.level.2d.v4.s32.f32 {R, R, R, R}, [D, {F, F}], F;",
        "ld.relaxed.gpu.global.u32 R, [D];",
        "st.release.sys.global.u32 [D], R;",
        "mul.wide.u32 D, R, 4;",
        "add.s64 D, D, D;",
        "and.b32 R, R, 255;",
    };
    return expand(e, PICK(e, templates), out, room);
}

/* --- the changes ------------------------------------------------------------------------------ */

static inline void copy_line(struct edit *e, bool is_move)
{
    char copy[512];
    struct span from = line_at(e, below(e, e->size));
    if (from.n > sizeof copy)
        return;
    memcpy(copy, e->text + from.at, from.n);
    if (is_move)
        replace(e, from, "", 0);
    replace(e, (struct span){line_at(e, below(e, e->size)).at, 0}, copy, from.n);
}

static inline void exchange(struct edit *e, struct span to, struct span from)
{
    char copy[128];
    if (from.n == 0 || from.n > sizeof copy || to.n == 0)
        return;
    memcpy(copy, e->text + from.at, from.n);
    replace(e, to, copy, from.n);
}

static inline void exchange_operand(struct edit *e)
{
    struct span to = token_at(e, below(e, e->size));
    for (int tries = 0; tries < 8; tries++) {
        struct span from = token_at(e, below(e, e->size));
        if (kind_of(e, from) != kind_of(e, to))
            continue;
        exchange(e, to, from);
        return;
    }
}

static inline void exchange_opcode(struct edit *e)
{
    struct span to = opcode_of(e, line_at(e, below(e, e->size)));
    if (below(e, 2)) {
        exchange(e, to, opcode_of(e, line_at(e, below(e, e->size))));
        return;
    }
    char line[256];
    size_t n = new_line(e, line, sizeof line), k = 0;
    while (k < n && !isspace((unsigned char)line[k]) && line[k] != ';')
        k++;
    if (to.n)
        replace(e, to, line, k);
}

static inline void exchange_suffix(struct edit *e)
{
    static const char *const suffixes[] = {
        "s8",      "s16",     "s32",    "s64",    "u8",    "u16",   "u32",   "u64",      "b8",
        "b16",     "b32",     "b64",    "b128",   "f16",   "f16x2", "bf16",  "bf16x2",   "f32",
        "f64",     "pred",    "v2",     "v4",     "rn",    "rz",    "rm",    "rp",       "rni",
        "rzi",     "approx",  "full",   "ftz",    "sat",   "cc",    "and",   "or",       "xor",
        "add",     "min",     "max",    "inc",    "dec",   "cas",   "exch",  "lt",       "le",
        "eq",      "ne",      "gt",     "ge",     "ltu",   "nan",   "num",   "lo",       "hi",
        "wide",    "global",  "shared", "local",  "const", "param", "nc",    "volatile", "relaxed",
        "acquire", "release", "gpu",    "cta",    "sys",   "sync",  "idx",   "up",       "down",
        "bfly",    "any",     "all",    "ballot", "uni",   "wrap",  "clamp", "shiftamt", "1d",
        "2d",      "3d",      "a2d",    "cube",   "level", "x",     "y",     "z",        "L1",
        "cg",      "ca",      "reg",    "align",  "entry", "func",  "to",    "red"};
    size_t at = below(e, e->size);
    while (at < e->size && e->text[at] != '.')
        at++;
    if (at + 1 >= e->size)
        return;
    struct span s = {at + 1, 0};
    while (s.at + s.n < e->size && in_token(e->text[s.at + s.n]))
        s.n++;
    const char *with = PICK(e, suffixes);
    replace(e, s, with, strlen(with));
}

static inline void exchange_number(struct edit *e)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "4",
                                          "7",
                                          "8",
                                          "15",
                                          "16",
                                          "31",
                                          "32",
                                          "33",
                                          "63",
                                          "64",
                                          "65",
                                          "127",
                                          "255",
                                          "256",
                                          "1023",
                                          "1024",
                                          "4095",
                                          "4096",
                                          "65535",
                                          "65536",
                                          "1048576",
                                          "2147483647",
                                          "2147483648",
                                          "4294967295",
                                          "4294967296",
                                          "9223372036854775807",
                                          "18446744073709551615",
                                          "0f00000000",
                                          "0f80000000",
                                          "0f3F800000",
                                          "0f7F800000",
                                          "0fFF800000",
                                          "0f7FC00000",
                                          "0f00000001",
                                          "0f7F7FFFFF",
                                          "0f4F000000",
                                          "0d0000000000000000",
                                          "0d3FF0000000000000",
                                          "0d7FF0000000000000",
                                          "0d7FF8000000000000",
                                          "0d43E0000000000000",
                                          "0d0000000000000001"};
    for (int tries = 0; tries < 16; tries++) {
        struct span s = token_at(e, below(e, e->size));
        if (!s.n || kind_of(e, s) != '0')
            continue;
        const char *with = PICK(e, numbers);
        replace(e, s, with, strlen(with));
        return;
    }
}

static inline void add_guard(struct edit *e)
{
    char guard[16];
    int n = snprintf(guard, sizeof guard, "@%s%%p%zu ", below(e, 2) ? "!" : "", 1 + below(e, 8));
    replace(e, (struct span){line_at(e, below(e, e->size)).at, 0}, guard, (size_t)n);
}

static inline void change_mode(struct edit *e)
{
    if (e->size > 2 && memcmp(e->text, "//", 2) == 0)
        e->text[2] = (char)('0' + below(e, 8));
    else
        replace(e, (struct span){0, 0}, "//1\n", 4);
}

static inline void change(struct edit *e)
{
    char line[256];
    switch (below(e, 16)) {
    case 0:
        replace(e, line_at(e, below(e, e->size)), "", 0);
        break;
    case 1:
        copy_line(e, false);
        break;
    case 2:
        copy_line(e, true);
        break;
    case 3:
    case 4:
    case 5:
        exchange_operand(e);
        break;
    case 6:
        exchange_opcode(e);
        break;
    case 7:
    case 8:
        exchange_suffix(e);
        break;
    case 9:
        exchange_number(e);
        break;
    case 10:
        add_guard(e);
        break;
    case 11:
        change_mode(e);
        break;
    default: {
        size_t n = new_line(e, line, sizeof line);
        replace(e, (struct span){line_at(e, below(e, e->size)).at, 0}, line, n);
    }
    }
}

static inline size_t exec_mutate(char *text, size_t size, size_t max, uint32_t seed)
{
    struct edit e = {.text = text, .size = size, .max = max, .key = rng_key(seed, 0)};
    for (size_t n = 1 + below(&e, 4); n > 0; n--)
        change(&e);
    return e.size;
}

#endif
