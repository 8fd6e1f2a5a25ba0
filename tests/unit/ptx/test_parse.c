#include "check.h"

#include "ptx/parse.h"

#define HEADER ".version 7.0 .target sm_70 .address_size 64 " /* on the first line of the text */

static const struct ast_module *parse(struct arena *a, const char *text)
{
    struct err e = {0};
    const char *whole = arena_printf(a, HEADER "%s", text);
    const struct ast_module *m = parse_ptx(a, "t.ptx", whole, strlen(whole), &e);
    CHECK_STR(e.text, "");
    return m;
}

static const struct ast_func *parse_body(struct arena *a, const char *body)
{
    const struct ast_module *m = parse(a, arena_printf(a, ".entry k() { %s }", body));
    CHECK_EQ(m->nfuncs, 1);
    return m->funcs;
}

/* --- operands as text ------------------------------------------------------------------------- */

static const char *show_items(struct arena *a, const struct ast_operand *o, uint32_t n);

static const char *show(struct arena *a, const struct ast_operand *o)
{
    const char *sign = o->is_negated ? "not " : "", *name = o->name ? o->name : "";
    const char *items = o->nitems ? show_items(a, o->items, o->nitems) : "";
    switch (o->kind) {
    case OPERAND_NAME:
        return o->bits ? arena_printf(a, "%s%s%+lld", sign, name, (long long)o->bits)
                       : arena_printf(a, "%s%s", sign, name);
    case OPERAND_INT:
        return arena_printf(a, "int %lld", (long long)o->bits);
    case OPERAND_F32:
        return arena_printf(a, "f32 %llx", (unsigned long long)o->bits);
    case OPERAND_F64:
        return arena_printf(a, "f64 %llx", (unsigned long long)o->bits);
    case OPERAND_ADDR:
        return arena_printf(a, "[%s%+lld%s%s]", name, (long long)o->bits, *items ? "; " : "",
                            items);
    case OPERAND_VECTOR:
        return arena_printf(a, "{%s}", items);
    case OPERAND_PAIR:
        return arena_printf(a, "pair(%s)", items);
    case OPERAND_LIST:
        return arena_printf(a, "(%s)", items);
    default:
        return "sink";
    }
}

static const char *show_items(struct arena *a, const struct ast_operand *o, uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", show(a, &o[i]));
    return text;
}

static const char *show_insn(struct arena *a, const struct ast_insn *i)
{
    const char *guard = "";
    if (i->guard)
        guard = arena_printf(a, "if %s%s: ", i->guard_negated ? "not " : "", i->guard);
    return arena_printf(a, "%s%s | %s", guard, i->opcode, show_items(a, i->operands, i->noperands));
}

static void instructions_keep_guard_opcode_and_operands(void)
{
    static const char *const rows[][2] = {
        {"ret;", "ret | "},
        {"add.s32 %r1, %r2, -5;", "add.s32 | %r1, %r2, int -5"},
        {"mov.u32 %r1, %tid.x;", "mov.u32 | %r1, %tid.x"},
        {"mov.f32 %v.y, %w.x;", "mov.f32 | %v.y, %w.x"},
        {"@%p1 bra $L__BB0_2;", "if %p1: bra | $L__BB0_2"},
        {"@!%p1 bra.uni L;", "if not %p1: bra.uni | L"},
        {"mov.b32 a, 0x1F; ", "mov.b32 | a, int 31"},
        {"mov.b32 a, 0X1fU;", "mov.b32 | a, int 31"},
        {"mov.b32 a, 017;", "mov.b32 | a, int 15"},
        {"mov.b32 a, 0b101U;", "mov.b32 | a, int 5"},
        {"mov.b64 a, 0;", "mov.b64 | a, int 0"},
        {"mov.b64 a, 18446744073709551615;", "mov.b64 | a, int -1"},
        {"mov.b64 a, -0x8000000000000000;", "mov.b64 | a, int -9223372036854775808"},
        {"mov.b32 a, 4*8+1;", "mov.b32 | a, int 33"},
        {"mov.f32 f, 0f3F800000;", "mov.f32 | f, f32 3f800000"},
        {"mov.f32 f, -0F3f800000;", "mov.f32 | f, f32 bf800000"},
        {"mov.f64 f, 0d3FF0000000000000;", "mov.f64 | f, f64 3ff0000000000000"},
        {"mov.f64 f, 1.5;", "mov.f64 | f, f64 3ff8000000000000"},
        {"mov.f64 f, -2e+1;", "mov.f64 | f, f64 c034000000000000"},
        {"mov.b64 %rd1, table+16;", "mov.b64 | %rd1, table+16"},
        {"mov.b64 %rd1, table-8+4;", "mov.b64 | %rd1, table-4"},
        {"ld.global.L1::no_allocate.L2::128B.v2.f32 {%f1, _}, [%rd1+-4];",
         "ld.global.L1::no_allocate.L2::128B.v2.f32 | {%f1, sink}, [%rd1-4]"},
        {"ld.shared.u32 %r1, [16];", "ld.shared.u32 | %r1, [+16]"},
        {"st.param.b32 [param0+4*3], 7;", "st.param.b32 | [param0+12], int 7"},
        {"setp.lt.and.s32 %p1|%p2, %r1, 3, !%p3;",
         "setp.lt.and.s32 | pair(%p1, %p2), %r1, int 3, not %p3"},
        {"elect.sync _|%p1, -1;", "elect.sync | pair(sink, %p1), int -1"},
        {"mov.b64 {%r1, %r2}, %rd1;", "mov.b64 | {%r1, %r2}, %rd1"},
        {"tex.2d.v4.f32.s32 {a, b, c, d}, [%rd1, {x, y}];",
         "tex.2d.v4.f32.s32 | {a, b, c, d}, [%rd1+0; {x, y}]"},
        {"tex.1d.v4.f32.f32 {a, b, c, d}|p, [t, s, {x}];",
         "tex.1d.v4.f32.f32 | pair({a, b, c, d}, p), [t+0; s, {x}]"},
        {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 8;",
         "mbarrier.arrive.expect_tx.shared::cta.b64 | sink, [%r1+0], int 8"},
        {"sub.f32 %f1, -%f2, %f3;", "sub.f32 | %f1, not %f2, %f3"},
        {"call f;", "call | f"},
        {"call.uni (r0), f, (p0, 3);", "call.uni | (r0), f, (p0, int 3)"},
        {"call.uni f, ();", "call.uni | f, ()"},
        {"call (r0), %rd1, (p0), prototype_0;", "call | (r0), %rd1, (p0), prototype_0"},
        {"bar.sync 0;", "bar.sync | int 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        const struct ast_func *f = parse_body(a, rows[i][0]);
        CHECK_EQ(f->nbody, 1);
        CHECK_EQ(f->body[0].kind, STATEMENT_INSN);
        CHECK_STR(show_insn(a, &f->body[0].insn), rows[i][1]);
        arena_free(a);
    }
}

/* --- the module ------------------------------------------------------------------------------- */

static void the_header_names_version_target_and_address_size(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char text[] = "// by hand\n.version 8.5\n.target sm_75, debug\n.address_size 64\n"
                        ".file 1 \"/src/a b.cu\"\n.file\t2 \"x.h\", 123, 456\n.alias f, g;\n";
    const struct ast_module *m = parse_ptx(a, "dir/m.ptx", text, sizeof text - 1, &e);
    CHECK(m != NULL);
    CHECK_STR(m->name, "dir/m.ptx");
    CHECK_EQ(m->version_major, 8);
    CHECK_EQ(m->version_minor, 5);
    CHECK_STR(m->target, "sm_75, debug");
    CHECK_EQ(m->address_size, 64);
    CHECK_EQ(m->nfiles, 2);
    CHECK_EQ(m->files[0].index, 1);
    CHECK_STR(m->files[0].path, "/src/a b.cu");
    CHECK_STR(m->files[1].path, "x.h");
    arena_free(a);
}

static void the_text_ends_at_its_length(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char text[] = ".version 7.05 ; garbage";
    const struct ast_module *m = parse_ptx(a, "t", text, 12, &e);
    CHECK(m != NULL);
    CHECK_EQ(m->version_minor, 0);
    CHECK(parse_ptx(a, "t", text, sizeof text - 1, &e) == NULL);
    arena_free(a);
}

static void variables_have_space_type_and_shape(void)
{
    static const struct {
        const char *text;
        enum ast_space space;
        enum ast_type type;
        uint32_t vec, align;
        uint64_t count;
        uint32_t ninit;
    } rows[] = {
        {".global .u32 v;", SPACE_GLOBAL, TYPE_U32, 1, 0, 1, 0},
        {".visible .global .align 8 .b8 v[12];", SPACE_GLOBAL, TYPE_B8, 1, 8, 12, 0},
        {".common .global .f64 v;", SPACE_GLOBAL, TYPE_F64, 1, 0, 1, 0},
        {".const .align 4 .f32 v[2][3] = {{1.0}, {2.0, 3.0}};", SPACE_CONST, TYPE_F32, 1, 4, 6, 6},
        {".global .s16 v[] = {1, 2, 3};", SPACE_GLOBAL, TYPE_S16, 1, 0, 3, 3},
        {".global .s16 v[][2] = {{1}, {2}, {3}};", SPACE_GLOBAL, TYPE_S16, 1, 0, 6, 6},
        {".global .b32 v[4*4-1];", SPACE_GLOBAL, TYPE_B32, 1, 0, 15, 0},
        {".shared .align 16 .b8 v[1024];", SPACE_SHARED, TYPE_B8, 1, 16, 1024, 0},
        {".global .v4 .f32 v = {1.0, 2.0};", SPACE_GLOBAL, TYPE_F32, 4, 0, 1, 2},
        {".global .v2 .u32 v[3] = {{1, 2}, {3}};", SPACE_GLOBAL, TYPE_U32, 2, 0, 3, 4},
        {".global .attribute(.managed) .align 4 .u32 v = 7;", SPACE_GLOBAL, TYPE_U32, 1, 4, 1, 1},
        {".global .attribute(.unified(19, 95)) .f32 v;", SPACE_GLOBAL, TYPE_F32, 1, 0, 1, 0},
        {".global .texref v;", SPACE_TEXREF, TYPE_B64, 1, 0, 1, 0},
        {".global .samplerref v = { addr_mode_0 = wrap, filter_mode = nearest };", SPACE_TEXREF,
         TYPE_B64, 1, 0, 1, 0},
        {".global .surfref v;", SPACE_TEXREF, TYPE_B64, 1, 0, 1, 0},
        {".tex .u32 v;", SPACE_TEXREF, TYPE_U32, 1, 0, 1, 0},
        {".local.align 4.b8 v[4];", SPACE_LOCAL, TYPE_B8, 1, 4, 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        const struct ast_module *m = parse(a, rows[i].text);
        CHECK_EQ(m->nvars, 1);
        const struct ast_var *v = m->vars;
        CHECK_STR(v->name, "v");
        CHECK_EQ(v->space, rows[i].space);
        CHECK_EQ(v->type, rows[i].type);
        CHECK_EQ(v->vec, rows[i].vec);
        CHECK_EQ(v->align, rows[i].align);
        CHECK_EQ(v->count, rows[i].count);
        CHECK_EQ(v->ninit, rows[i].ninit);
        CHECK_EQ(v->is_array, strchr(rows[i].text, '[') != NULL);
        CHECK(!v->is_unsized && !v->is_extern);
        arena_free(a);
    }
}

static void linkage_and_open_arrays_are_kept(void)
{
    struct arena *a = arena_new();
    const struct ast_module *m = parse(a, "\n.extern .shared .align 16 .b8 s[];\n"
                                          ".visible .global .u32 a, b[2];\n.weak .const .u8 c;");
    CHECK_EQ(m->nvars, 4);
    CHECK(m->vars[0].is_extern && m->vars[0].is_unsized && m->vars[0].is_array);
    CHECK(!m->vars[0].is_visible);
    CHECK_EQ(m->vars[0].count, 0);
    CHECK_EQ(m->vars[0].line, 2);
    CHECK(m->vars[1].is_visible && m->vars[2].is_visible && m->vars[3].is_visible);
    CHECK_STR(m->vars[2].name, "b");
    CHECK_EQ(m->vars[2].count, 2);
    CHECK_EQ(m->vars[2].line, 3);
    arena_free(a);
}

/* --- initialisers ----------------------------------------------------------------------------- */

static void constants_are_computed_in_64_bits(void)
{
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"-7 / 2", -3},
        {"-7 % 3", -1},
        {"7 % -1", 0},
        {"0x8000000000000000 / 2", 0x4000000000000000},
        {"(.s64)0x8000000000000000 / -1", INT64_MIN},
        {"1 << 40 | 1", ((int64_t)1 << 40) + 1},
        {"1 << 64", 0},
        {"-16 >> 2", -4},
        {"-1 >> 64", -1},
        {"(.u64)-1 >> 60", 15},
        {"0xF0 & ~0x30 ^ 1", 0xC1},
        {"!5 + !0", 1},
        {"2 > 1 ? 10 : 20", 10},
        {"0 ? 1 : 0 ? 2 : 3", 3},
        {"-1 < 0U", 0},
        {"-1 < 0", 1},
        {"3 >= 3 && 2 != 2 || 1 <= 0", 0},
        {"1.5 < 2.0", 1},
        {"+5 == 5", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        const struct ast_module *m =
            parse(a, arena_printf(a, ".global .s64 v = %s;", rows[i].text));
        CHECK_EQ(m->vars[0].ninit, 1);
        CHECK_EQ(m->vars[0].init[0].kind, INIT_INT);
        CHECK_EQ((int64_t)m->vars[0].init[0].bits, rows[i].value);
        arena_free(a);
    }
}

static void floats_and_addresses_initialise(void)
{
    struct arena *a = arena_new();
    const struct ast_module *m =
        parse(a, ".global .b64 v[] = {0f3F800000, -0d4000000000000000, 1.0/4.0, sym, sym+4,"
                 " 8+sym-4, generic(sym)+8, 0xFF(sym), 0xFF00(generic(sym)+1),"
                 " 0xFF00000000000000(sym)};");
    const struct ast_init *v = m->vars[0].init;
    CHECK_EQ(m->vars[0].count, 10);
    CHECK_EQ(v[0].kind, INIT_F32);
    CHECK_EQ(v[0].bits, 0x3F800000);
    CHECK_EQ(v[1].kind, INIT_F64);
    CHECK_EQ(v[1].bits, 0xC000000000000000);
    CHECK_EQ(v[2].bits, 0x3FD0000000000000);
    static const struct ast_init symbols[] = {
        {INIT_SYMBOL, 0, "sym", false, 0},  {INIT_SYMBOL, 4, "sym", false, 0},
        {INIT_SYMBOL, 4, "sym", false, 0},  {INIT_SYMBOL, 8, "sym", true, 0},
        {INIT_SYMBOL, 0, "sym", false, 0},  {INIT_SYMBOL, 1, "sym", true, 8},
        {INIT_SYMBOL, 0, "sym", false, 56},
    };
    for (int i = 0; i < 7; i++) {
        CHECK_EQ(v[3 + i].kind, INIT_SYMBOL);
        CHECK_STR(v[3 + i].symbol, "sym");
        CHECK_EQ(v[3 + i].bits, symbols[i].bits);
        CHECK_EQ(v[3 + i].is_generic, symbols[i].is_generic);
        CHECK_EQ(v[3 + i].mask_shift, symbols[i].mask_shift);
    }
    arena_free(a);
}

static void an_inner_brace_that_ends_early_leaves_zeros(void)
{
    struct arena *a = arena_new();
    const struct ast_module *m =
        parse(a, ".global .u32 v[2][2][2] = {{{1}, {2, 3}}, {{}, {4}}};.global .u32 w[9] = {5};");
    static const uint64_t expected[8] = {1, 0, 2, 3, 0, 0, 4, 0};
    CHECK_EQ(m->vars[0].ninit, 8);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(m->vars[0].init[i].bits, expected[i]);
    CHECK_EQ(m->vars[1].ninit, 1);
    CHECK_EQ(m->vars[1].count, 9);
    arena_free(a);
}

/* --- functions -------------------------------------------------------------------------------- */

static void functions_have_parameters_results_and_linkage(void)
{
    struct arena *a = arena_new();
    const struct ast_module *m =
        parse(a, "\n.extern .func (.param .b32 r0) vprintf (.param .b64 p0, .param .b64 p1);\n"
                 ".func noop\n() .noreturn\n;\n"
                 ".visible .func (.param .align 8 .b8 r[16]) g (.reg .u32 n) { ret; }\n"
                 ".weak .entry k(.param .u64 .ptr .global .align 16 q, .param .align 4 .b8 s[20],\n"
                 ".param .f32 x) { ret; }\n.entry bare { ret; }\n.func noop { }");
    CHECK_EQ(m->nfuncs, 6);
    const struct ast_func *f = m->funcs;
    CHECK(f[0].is_extern && !f[0].has_body && !f[0].is_entry && !f[0].is_visible);
    CHECK_STR(f[0].name, "vprintf");
    CHECK_EQ(f[0].line, 2);
    CHECK_EQ(f[0].nresults, 1);
    CHECK_EQ(f[0].nparams, 2);
    CHECK_STR(f[0].params[1].name, "p1");
    CHECK(!f[1].has_body && f[1].nparams == 0);
    CHECK(f[2].is_visible && f[2].has_body);
    CHECK_EQ(f[2].results[0].count, 16);
    CHECK_EQ(f[2].params[0].space, SPACE_REG);
    CHECK(f[3].is_entry && f[3].is_visible);
    CHECK_EQ(f[3].nparams, 3);
    CHECK_EQ(f[3].params[0].space, SPACE_PARAM);
    CHECK_EQ(f[3].params[0].type, TYPE_U64);
    CHECK_EQ(f[3].params[0].align, 0); /* that of the pointee is not the parameter's */
    CHECK_EQ(f[3].params[1].align, 4);
    CHECK_EQ(f[3].params[2].type, TYPE_F32);
    CHECK(f[4].is_entry && f[4].nbody == 1);
    CHECK_STR(f[5].name, "noop");
    CHECK(f[5].has_body && f[5].nbody == 0);
    arena_free(a);
}

static void performance_directives_are_kept_or_skipped(void)
{
    struct arena *a = arena_new();
    const struct ast_func *f =
        parse(a, ".entry k() .reqntid 16, 8 .maxntid 1, 2, 3 .minnctapersm 2 .maxnreg 64"
                 " .maxclusterrank 8 .explicitcluster .reqnctapercluster 2, 1, 1"
                 " .blocksareclusters .pragma \"nounroll\", \"x\"; .abi_preserve 5 { ret; }")
            ->funcs;
    CHECK_EQ(f->reqntid[0], 16);
    CHECK_EQ(f->reqntid[1], 8);
    CHECK_EQ(f->reqntid[2], 1);
    CHECK_EQ(f->maxntid[2], 3);
    CHECK_EQ(f->minnctapersm, 2);
    CHECK_EQ(f->maxnreg, 64);
    arena_free(a);
}

static void registers_are_declared_by_ranges_and_lists(void)
{
    struct arena *a = arena_new();
    const struct ast_func *f = parse_body(
        a, ".reg .pred %p<3>; .reg .b32 x, %r<1048576>, y; .reg .v4 .f32 %v; .reg .f16x2 h;");
    CHECK_EQ(f->nbody, 6);
    CHECK_EQ(f->body[0].kind, STATEMENT_VAR);
    CHECK_EQ(f->body[0].var.type, TYPE_PRED);
    CHECK_EQ(f->body[0].var.range, 3);
    CHECK_EQ(f->body[0].var.space, SPACE_REG);
    CHECK_STR(f->body[0].var.name, "%p");
    CHECK_EQ(f->body[1].var.range, 0);
    CHECK_EQ(f->body[2].var.range, 1048576);
    CHECK_STR(f->body[3].var.name, "y");
    CHECK_EQ(f->body[4].var.vec, 4);
    CHECK_EQ(f->body[5].var.type, TYPE_F16X2);
    arena_free(a);
}

static void statements_come_in_order_with_their_lines(void)
{
    struct arena *a = arena_new();
    const struct ast_func *f = parse_body(
        a,
        "\n$L__BB0_1:\n.loc 1 12 5\n{ // inner\n.param .b32 p0;\n} ;\n"
        ".loc 2 3 4, function_name $L__info_string0+8, inlined_at 1 30 7\n.pragma \"nounroll\";\n"
        "ts: .branchtargets L1, L2, L1;\n/* two\nlines */ pr : .callprototype (.param .b32 _) _ "
        "(.param .b64 _, .param .align 8 .b8 _[16]);\nct: .calltargets f;\n"
        "pn : .callprototype ()_ (.param .b64 _) ;\nret;");
    static const struct {
        enum ast_statement_kind kind;
        uint32_t line;
    } rows[] = {
        {STATEMENT_LABEL, 2},  {STATEMENT_LOC, 3},    {STATEMENT_OPEN, 4},  {STATEMENT_VAR, 5},
        {STATEMENT_CLOSE, 6},  {STATEMENT_LOC, 7},    {STATEMENT_TABLE, 9}, {STATEMENT_TABLE, 11},
        {STATEMENT_TABLE, 12}, {STATEMENT_TABLE, 13}, {STATEMENT_INSN, 14},
    };
    CHECK_EQ(f->nbody, sizeof rows / sizeof rows[0]);
    for (uint32_t i = 0; i < f->nbody; i++) {
        CHECK_EQ(f->body[i].kind, rows[i].kind);
        CHECK_EQ(f->body[i].line, rows[i].line);
    }
    CHECK_STR(f->body[0].label, "$L__BB0_1");
    CHECK_EQ(f->body[1].loc.line, 12);
    CHECK_EQ(f->body[5].loc.file, 2);
    CHECK_EQ(f->body[5].loc.column, 4);
    CHECK_EQ(f->body[6].table.table.nnames, 3);
    CHECK_STR(f->body[6].table.table.names[1], "L2");
    const struct ast_table *t = &f->body[7].table.table;
    CHECK(t->is_prototype && t->nresults == 1 && t->nparams == 2);
    CHECK_EQ(t->results[0].type, TYPE_B32);
    CHECK_EQ(t->params[1].count, 16);
    CHECK_STR(f->body[9].table.name, "pn");
    CHECK_EQ(f->body[9].table.table.nresults, 0);
    arena_free(a);
}

static void debug_sections_are_skipped(void)
{
    struct arena *a = arena_new();
    const struct ast_module *m = parse(a, "\n.section .debug_str { // }\n$L__i0:\n.b8 95,0\n"
                                          ".b32 .debug_abbrev+4 }\n.section\t.debug_loc\t{\t}\n"
                                          ".global .u32 after;");
    CHECK_EQ(m->nvars, 1);
    CHECK_EQ(m->vars[0].line, 7);
    arena_free(a);
}

static void scopes_nest_a_hundred_deep(void)
{
    struct arena *a = arena_new();
    char open[101] = "", close[101] = "";
    memset(open, '{', 100);
    memset(close, '}', 100);
    CHECK_EQ(parse_body(a, arena_printf(a, "%sret;%s", open, close))->nbody, 201);
    arena_free(a);
}

static void many_long_names_are_all_kept(void)
{
    enum { N = 3000 };
    struct arena *a = arena_new();
    char tail[200] = "";
    memset(tail, 'x', sizeof tail - 1);
    char *text = arena_alloc(a, N * 256);
    size_t used = 0;
    for (int i = 0; i < N; i++)
        used += (size_t)sprintf(text + used, "L%d_%s:\n", i, tail);
    const struct ast_func *f = parse_body(a, text);
    CHECK_EQ(f->nbody, N);
    for (int i = 0; i < N; i++)
        CHECK_STR(f->body[i].label, arena_printf(a, "L%d_%s", i, tail));
    arena_free(a);
}

CHECK_MAIN("parse", TEST(instructions_keep_guard_opcode_and_operands),
           TEST(the_header_names_version_target_and_address_size),
           TEST(the_text_ends_at_its_length), TEST(variables_have_space_type_and_shape),
           TEST(linkage_and_open_arrays_are_kept), TEST(constants_are_computed_in_64_bits),
           TEST(floats_and_addresses_initialise), TEST(an_inner_brace_that_ends_early_leaves_zeros),
           TEST(functions_have_parameters_results_and_linkage),
           TEST(performance_directives_are_kept_or_skipped),
           TEST(registers_are_declared_by_ranges_and_lists),
           TEST(statements_come_in_order_with_their_lines), TEST(debug_sections_are_skipped),
           TEST(scopes_nest_a_hundred_deep), TEST(many_long_names_are_all_kept))
