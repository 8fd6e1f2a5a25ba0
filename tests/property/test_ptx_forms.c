/* Every form of instruction that public programs use is executed once, by both sets of handlers;
 * those that heddle does not execute are refused by name.
 *
 * A form's operands follow from its family (the table) and from the types among its suffixes.
 * Registers are named by what they hold: <kind>0 takes the result, <kind>1..3 are 7, 5 and 3. */
#include "check.h"
#include "host/host.h"
#include "rig/csv_rig.h"

/* --- types ------------------------------------------------------------------------------------ */

/* A letter for each kind of register: b16, b32, b64 integers, f16, f16x2, f32, f64, predicates. */
static char kind_of_type(const char *type)
{
    static const struct {
        const char *type;
        char kind;
    } kinds[] = {{"s8", 'h'},   {"u8", 'h'},   {"b8", 'h'},  {"s16", 'h'}, {"u16", 'h'},
                 {"b16", 'h'},  {"s32", 'w'},  {"u32", 'w'}, {"b32", 'w'}, {"s64", 'd'},
                 {"u64", 'd'},  {"b64", 'd'},  {"f16", 'x'}, {"f32", 'f'}, {"f64", 'e'},
                 {"pred", 'p'}, {"f16x2", 'y'}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(type, kinds[i].type) == 0)
            return kinds[i].kind;
    return 0;
}

struct form {
    const char *text;
    char parts[16][24];
    int nparts;
    char first, last; /* kinds of the first and the last type; the same when there is one */
    int vec;
};

static struct form split(const char *text)
{
    struct form f = {.text = text, .vec = 1};
    for (const char *at = text; *at; at += *at == '.') {
        size_t n = strcspn(at, ".");
        CHECK(f.nparts < 16 && n < sizeof f.parts[0]);
        memcpy(f.parts[f.nparts++], at, n);
        at += n;
    }
    for (int i = 1; i < f.nparts; i++) {
        char kind = kind_of_type(f.parts[i]);
        if (kind && !f.first)
            f.first = kind;
        if (kind)
            f.last = kind;
        if (f.parts[i][0] == 'v' && (f.parts[i][1] == '2' || f.parts[i][1] == '4'))
            f.vec = f.parts[i][1] - '0';
    }
    return f;
}

static bool has(const struct form *f, const char *part)
{
    for (int i = 1; i < f->nparts; i++)
        if (strcmp(f->parts[i], part) == 0)
            return true;
    return false;
}

/* --- operands --------------------------------------------------------------------------------- */

/* $D: the result, of the first type; $1 $2 $3: sources, of the last type; $W $V: result and third
 * source of twice the size; $L $S: what is loaded or stored, a register or a vector; $A: an
 * address in the form's space; $T: what a texture fetch has.  Where several rows fit, the first is
 * taken. */
static const struct {
    const char *base, *part; /* part: a suffix that must be there; "" for any */
    const char *operands;
} families[] = {
    {"mul", "wide", "$W, $1, $2"},
    {"mad", "wide", "$W, $1, $2, $V"},
    {"add", "", "$D, $1, $2"},
    {"sub", "", "$D, $1, $2"},
    {"mul", "", "$D, $1, $2"},
    {"div", "", "$D, $1, $2"},
    {"rem", "", "$D, $1, $2"},
    {"min", "", "$D, $1, $2"},
    {"max", "", "$D, $1, $2"},
    {"and", "", "$D, $1, $2"},
    {"or", "", "$D, $1, $2"},
    {"xor", "", "$D, $1, $2"},
    {"addc", "", "$D, $1, $2"},
    {"subc", "", "$D, $1, $2"},
    {"copysign", "", "$D, $1, $2"},
    {"mad", "", "$D, $1, $2, $3"},
    {"madc", "", "$D, $1, $2, $3"},
    {"fma", "", "$D, $1, $2, $3"},
    {"dp4a", "", "$D, $1, $2, $3"},
    {"vabsdiff2", "", "$D, $1, $2, $3"},
    {"vabsdiff4", "", "$D, $1, $2, $3"},
    {"prmt", "", "$D, $1, $2, 0x5410"},
    {"lop3", "", "$D, $1, $2, $3, 0x96"},
    {"shf", "", "$D, $1, $2, %w3"},
    {"shl", "", "$D, $1, %w2"},
    {"shr", "", "$D, $1, %w2"},
    {"bfi", "", "$D, $1, $2, %w2, %w3"},
    {"bmsk", "", "$D, $1, $2"},
    {"neg", "", "$D, $1"},
    {"abs", "", "$D, $1"},
    {"not", "", "$D, $1"},
    {"sqrt", "", "$D, $1"},
    {"rsqrt", "", "$D, $1"},
    {"rcp", "", "$D, $1"},
    {"sin", "", "$D, $1"},
    {"cos", "", "$D, $1"},
    {"ex2", "", "$D, $1"},
    {"lg2", "", "$D, $1"},
    {"mov", "", "$D, $1"},
    {"brev", "", "$D, $1"},
    {"cvt", "", "$D, $1"},
    {"cvta", "to", "$D, %at"},
    {"cvta", "", "$D, $1"},
    {"popc", "", "%w0, $1"},
    {"clz", "", "%w0, $1"},
    {"bfind", "", "%w0, $1"},
    {"setp", "", "%p0, $1, $2"},
    {"selp", "", "$D, $1, $2, %p1"},
    {"ld", "", "$L, $A"},
    {"st", "", "$A, $S"},
    {"atom", "cas", "$D, $A, $1, $2"},
    {"atom", "", "$D, $A, $1"},
    {"red", "", "$A, $1"},
    {"tex", "", "$T"},
    {"bar", "warp", "-1"},
    {"bar", "red", "%p0, 0, %p1"},
    {"bar", "", "0"},
    {"barrier", "", "0"},
    {"membar", "", ""},
    {"fence", "", ""},
    {"nanosleep", "", "$1"},
    {"activemask", "", "$D"},
    {"vote", "pred", "%p0, %p1, -1"},
    {"vote", "", "%w0, %p1, -1"},
    {"match", "", "%w0, $1, -1"},
    {"shfl", "", "$D, $1, 1, 31, -1"},
    {"bra", "", "NEXT"},
    {"call", "", "f, ()"},
    {"ret", "", ""},
    {"exit", "", ""},
    {"trap", "", ""},
    {"wmma", "load", "{%w0, %w1, %w2, %w3}, [%at], 16"},
    {"wmma", "store", "[%at], {%w0}, 16"},
    {"wmma", "mma", "{%w0}, {%w1}, {%w2}, {%w3}"},
    {"sust", "", "[%tex, {%w1}], {%w2}"},
};

static const char *template_of(const struct form *f)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(f->parts[0], families[i].base) == 0 &&
            (!families[i].part[0] || has(f, families[i].part)))
            return families[i].operands;
    return NULL;
}

static const char *address_of(const struct form *f)
{
    static const char *const spaces[][2] = {{"shared", "[in_shared]"},
                                            {"local", "[in_local]"},
                                            {"const", "[in_const]"},
                                            {"global", "[%at]"}};
    if (has(f, "param"))
        return strcmp(f->parts[0], "ld") == 0 ? "[p_any]" : "[argument]";
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (has(f, spaces[i][0]))
            return spaces[i][1];
    return "[%at]";
}

static char *vector_of(struct arena *a, const struct form *f, int first)
{
    char k = f->last;
    if (f->vec == 1)
        return arena_printf(a, "%%%c%d", k, first);
    if (f->vec == 2)
        return arena_printf(a, "{%%%c%d, %%%c%d}", k, first, k, first + 1);
    return arena_printf(a, "{%%%c0, %%%c1, %%%c2, %%%c3}", k, k, k, k);
}

static char *texture_of(struct arena *a, const struct form *f)
{
    char d = f->first, c = f->last;
    char *at = arena_printf(a, "%%%c1", c);
    if (has(f, "2d"))
        at = arena_printf(a, "%%%c1, %%%c2", c, c);
    else if (has(f, "a2d"))
        at = arena_printf(a, "%%w3, %%%c1, %%%c2, %%%c2", c, c, c);
    else if (has(f, "3d") || has(f, "cube"))
        at = arena_printf(a, "%%%c1, %%%c2, %%%c3, %%%c3", c, c, c, c);
    return arena_printf(a, "{%%%c0, %%%c1, %%%c2, %%%c3}, [%%tex, {%s}]%s", d, d, d, d, at,
                        has(f, "level") ? ", %f1" : "");
}

static char *operand_of(struct arena *a, const struct form *f, char placeholder)
{
    switch (placeholder) {
    case 'D':
        return arena_printf(a, "%%%c0", f->first);
    case 'W':
        return arena_printf(a, "%%%c0", f->last == 'h' ? 'w' : 'd');
    case 'V':
        return arena_printf(a, "%%%c3", f->last == 'h' ? 'w' : 'd');
    case 'L':
        return vector_of(a, f, 0);
    case 'S':
        return vector_of(a, f, 1);
    case 'A':
        return arena_strdup(a, address_of(f));
    case 'T':
        return texture_of(a, f);
    default:
        return arena_printf(a, "%%%c%c", f->last, placeholder);
    }
}

static char *operands_of(struct arena *a, const struct form *f, const char *template)
{
    char *out = arena_strdup(a, "");
    for (const char *t = template; *t; t++) {
        if (*t == '$')
            out = arena_printf(a, "%s%s", out, operand_of(a, f, *++t));
        else
            out = arena_printf(a, "%s%c", out, *t);
    }
    return out;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static const char before[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".const .align 16 .b8 in_const[16] = {7, 0, 0, 0, 5};\n"
    ".func f() { ret; }\n"
    ".visible .entry k(.param .u64 p_buf, .param .u64 p_tex, .param .align 16 .b8 p_any[16])\n{\n"
    ".shared .align 16 .b8 in_shared[16];\n"
    ".local .align 16 .b8 in_local[16];\n"
    ".param .align 16 .b8 argument[16];\n"
    ".reg .b64 %at, %tex; .reg .b16 %h<4>, %x<4>; .reg .b32 %w<4>, %y<4>; .reg .b64 %d<4>;\n"
    ".reg .f32 %f<4>; .reg .f64 %e<4>; .reg .pred %p<4>, %never;\n"
    "ld.param.u64 %at, [p_buf]; ld.param.u64 %tex, [p_tex];\n"
    "mov.b32 %w1, 7; mov.b32 %w2, 5; mov.b32 %w3, 3;\n"
    "mov.b64 %d1, 7; mov.b64 %d2, 5; mov.b64 %d3, 3;\n"
    "mov.b16 %h1, 7; mov.b16 %h2, 5; mov.b16 %h3, 3;\n"
    "mov.f32 %f1, 0f40E00000; mov.f32 %f2, 0f40A00000; mov.f32 %f3, 0f40400000;\n"
    "mov.f64 %e1, 0d401C000000000000; mov.f64 %e2, 0d4014000000000000;\n"
    "mov.f64 %e3, 0d4008000000000000;\n"
    "mov.b16 %x1, 0x4700; mov.b16 %x2, 0x4500; mov.b16 %x3, 0x4200;\n"
    "mov.b32 %y1, 0x47004700; mov.b32 %y2, 0x45004500; mov.b32 %y3, 0x42004200;\n"
    "setp.eq.u32 %p1, %w1, 7; setp.ne.u32 %p2, %w1, 7; setp.ne.u32 %never, %w1, 7;\n"
    "st.shared.u64 [in_shared], %d1; st.local.u64 [in_local], %d1;\n";

/* The result of each kind goes to the buffer's second half; what the form did not write is 0. */
static const char after[] =
    "\nNEXT:\n"
    "st.global.u16 [%at+64], %h0; st.global.b16 [%at+66], %x0;\n"
    "st.global.u32 [%at+72], %w0; st.global.b32 [%at+76], %y0; st.global.u64 [%at+80], %d0;\n"
    "st.global.f32 [%at+88], %f0; st.global.f64 [%at+96], %e0;\n"
    "selp.u32 %w0, 1, 0, %p0; st.global.u32 [%at+104], %w0;\nret;\n}\n";

static const char *kernel_of(struct arena *a, const struct form *f)
{
    const char *template = template_of(f);
    if (!template)
        return NULL;
    bool is_end =
        strcmp(f->text, "trap") == 0 || strcmp(f->text, "exit") == 0 || strcmp(f->text, "ret") == 0;
    return arena_printf(a, "%s%s%s %s;%s", before, is_end ? "@%never " : "", f->text,
                        operands_of(a, f, template), after);
}

/* --- execution -------------------------------------------------------------------------------- */

struct outcome {
    bool ok;
    struct err e;
    uint64_t word[16];
};

static uint64_t texture_for(struct host *h, const struct form *f, uint64_t buffer, struct err *e)
{
    bool is_cube = has(f, "cube"), is_volume = has(f, "3d");
    bool is_flat = has(f, "2d") || has(f, "a2d") || is_cube || is_volume;
    struct texture t = {.address = buffer,
                        .width = 2,
                        .height = is_flat ? 2 : 0,
                        .depth = is_volume ? 2 : 0,
                        .layers = is_cube         ? 6
                                  : has(f, "a2d") ? 2
                                                  : 0,
                        .pitch_bytes = 32,
                        .channels = 4,
                        .bits = 32,
                        .format = f->first == 'f'                 ? TEX_FLOAT
                                  : has(f, "v4") && has(f, "u32") ? TEX_UNSIGNED
                                                                  : TEX_SIGNED,
                        .addressing = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP},
                        .is_linear_memory = has(f, "1d") && f->last == 'w'};
    return texture_table_add(host_textures(h), &t, e);
}

static struct outcome run(const struct form *f, const char *text, bool is_portable)
{
    struct outcome r = {0};
    struct host_options o = {.portable = is_portable, .memory_bytes = 1 << 20};
    struct host *h = host_new(&o, &r.e);
    CHECK(h != NULL);
    uint64_t in[64] = {7, 5, 3};
    uint64_t buffer = devmem_alloc(host_memory(h), sizeof in, &r.e);
    devmem_write(host_memory(h), buffer, in, sizeof in, &r.e);
    uint64_t texture = strcmp(f->parts[0], "tex") == 0 ? texture_for(h, f, buffer, &r.e) : 0;
    struct host_module *m = host_module_load(h, f->text, text, strlen(text), &r.e);
    const struct host_function *k = m ? host_module_function(m, "k", &r.e) : NULL;
    uint64_t params[4] = {buffer, texture, 7, 5};
    struct host_launch l = {.function = k,
                            .grid = {1, 1, 1},
                            .block = {32, 1, 1},
                            .params = (const uint8_t *)params,
                            .param_bytes = sizeof params};
    r.ok = k && host_launch(h, &l, NULL, &r.e);
    if (r.ok)
        devmem_read(host_memory(h), r.word, buffer, sizeof r.word, &r.e);
    host_free(h);
    return r;
}

static bool is_refused_by_design(const struct form *f)
{
    return strcmp(f->parts[0], "wmma") == 0 || strcmp(f->parts[0], "sust") == 0 ||
           strcmp(f->parts[0], "suld") == 0;
}

static bool is_one_line_naming(const struct err *e, const char *opcode)
{
    return strstr(e->text, opcode) && !strchr(e->text, '\n') && e->status == STATUS_BAD_INPUT;
}

/* Prints what is wrong with a form. */
static bool passes(struct arena *a, const char *text)
{
    struct form f = split(text);
    const char *kernel = kernel_of(a, &f);
    if (!kernel) {
        print_message("%s: no operands known\n", text);
        return false;
    }
    struct outcome fast = run(&f, kernel, false), portable = run(&f, kernel, true);
    bool ok =
        is_refused_by_design(&f)
            ? !fast.ok && is_one_line_naming(&fast.e, text)
            : fast.ok && portable.ok && memcmp(fast.word, portable.word, sizeof fast.word) == 0;
    if (!ok)
        print_message("%s: \"%s\", \"%s\"\n", text, fast.e.text, portable.e.text);
    return ok;
}

static void every_form_in_use_is_executed_or_refused_by_name(void)
{
    struct arena *a = arena_new();
    struct csv forms = csv_rig_read(a, "ptx/forms.csv", true);
    int good = 0, refused = 0;
    for (int i = 0; i < forms.rows; i++) {
        struct form f = split(forms.row[i].name);
        bool ok = passes(a, forms.row[i].name);
        good += ok;
        refused += ok && is_refused_by_design(&f);
    }
    print_message("%d of %d forms: %d executed, %d refused by name\n", good, forms.rows,
                  good - refused, refused);
    CHECK_EQ(forms.rows, 583);
    CHECK_EQ(good, forms.rows);
    CHECK_EQ(refused, 23);
    arena_free(a);
}

/* --- a sample of results ---------------------------------------------------------------------- */

enum { AT_H = 64, AT_X = 66, AT_W = 72, AT_Y = 76, AT_D = 80, AT_F = 88, AT_E = 96, AT_P = 104 };

static const struct {
    const char *form;
    int at, bytes;
    uint64_t bits;
} samples[] = {
    {"add.s32", AT_W, 4, 12},
    {"sub.s64", AT_D, 8, 2},
    {"mul.wide.s32", AT_D, 8, 35},
    {"mul.wide.u16", AT_W, 4, 35},
    {"mad.lo.s32", AT_W, 4, 38},
    {"mad.wide.u32", AT_D, 8, 38},
    {"rem.u32", AT_W, 4, 2},
    {"div.s64", AT_D, 8, 1},
    {"shl.b32", AT_W, 4, 7 << 5},
    {"shr.u64", AT_D, 8, 0},
    {"bfi.b32", AT_W, 4, 5 | 7 << 5},
    {"prmt.b32", AT_W, 4, 0x00050007},
    {"lop3.b32", AT_W, 4, 7 ^ 5 ^ 3},
    {"shf.l.wrap.b32", AT_W, 4, 5 << 3},
    {"popc.b32", AT_W, 4, 3},
    {"clz.b64", AT_W, 4, 61},
    {"brev.b32", AT_W, 4, 0xe0000000},
    {"bfind.u32", AT_W, 4, 2},
    {"bfind.shiftamt.u32", AT_W, 4, 29},
    {"bmsk.clamp.b32", AT_W, 4, 31 << 7},
    {"dp4a.u32.u32", AT_W, 4, 38},
    {"vabsdiff4.u32.u32.u32.add", AT_W, 4, 5},
    {"neg.s32", AT_W, 4, 0xfffffff9},
    {"not.b64", AT_D, 8, ~7ull},
    {"add.f32", AT_F, 4, 0x41400000},
    {"fma.rn.f32", AT_F, 4, 0x42180000},
    {"div.rn.f64", AT_E, 8, 0x3ff6666666666666},
    {"sqrt.rn.f32", AT_F, 4, 0x402953fd},
    {"add.f16x2", AT_Y, 4, 0x4a004a00},
    {"sub.f16", AT_X, 2, 0x4000},
    {"cvt.rn.f32.s32", AT_F, 4, 0x40e00000},
    {"cvt.rzi.s32.f64", AT_W, 4, 7},
    {"cvt.rn.f16.f32", AT_X, 2, 0x4700},
    {"cvt.f64.f32", AT_E, 8, 0x401c000000000000},
    {"cvt.u16.u64", AT_H, 2, 7},
    {"setp.gt.s32", AT_P, 4, 1},
    {"setp.ltu.f32", AT_P, 4, 0},
    {"and.pred", AT_P, 4, 0},
    {"xor.pred", AT_P, 4, 1},
    {"selp.b32", AT_W, 4, 7},
    {"ld.global.u32", AT_W, 4, 7},
    {"ld.const.u32", AT_W, 4, 7},
    {"ld.shared.u64", AT_D, 8, 7},
    {"ld.local.u32", AT_W, 4, 7},
    {"ld.param.b64", AT_D, 8, 7},
    {"ld.global.v2.u32", AT_W, 4, 7},
    {"st.global.u64", 0, 8, 7},
    {"st.global.v2.f32", 0, 8, 0x40a0000040e00000},
    {"atom.global.add.u32", 0, 4, 7 + 32 * 7},
    {"atom.global.exch.b32", AT_W, 4, 7},
    {"atom.global.inc.u32", 0, 4, 7},
    {"vote.sync.ballot.b32", AT_W, 4, 0xffffffff},
    {"vote.sync.all.pred", AT_P, 4, 1},
    {"match.any.sync.b64", AT_W, 4, 0xffffffff},
    {"shfl.sync.down.b32", AT_W, 4, 7},
    {"activemask.b32", AT_W, 4, 0xffffffff},
    {"bar.red.or.pred", AT_P, 4, 1},
};

static void results_of_a_sample_of_forms_are_as_expected(void)
{
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct form f = split(samples[i].form);
        struct outcome r = run(&f, kernel_of(a, &f), false);
        uint64_t bits = 0;
        memcpy(&bits, (const uint8_t *)r.word + samples[i].at, (size_t)samples[i].bytes);
        if (bits != samples[i].bits)
            print_message("%s: 0x%llx %s\n", f.text, (unsigned long long)bits, r.e.text);
        CHECK(bits == samples[i].bits);
    }
    arena_free(a);
}

static void a_kernel_launched_from_the_device_is_refused_by_name(void)
{
    static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                               ".extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 a);\n"
                               ".visible .entry k()\n{\n.param .b64 a; .param .b32 r;\n"
                               "st.param.b64 [a], 0;\n"
                               "call (r), cudaLaunchDevice, (a);\nret;\n}\n";
    struct form f = split("call");
    struct outcome r = run(&f, text, false);
    CHECK(!r.ok);
    CHECK(is_one_line_naming(&r.e, "cudaLaunchDevice"));
}

CHECK_MAIN("ptx_forms", TEST(every_form_in_use_is_executed_or_refused_by_name),
           TEST(results_of_a_sample_of_forms_are_as_expected),
           TEST(a_kernel_launched_from_the_device_is_refused_by_name))
