#include "check.h"

#include "ptx/parse.h"

#define HEADER ".version 7.0 .target sm_70 .address_size 64 " /* on the first line of the text */

static void check_error(const char *text, const char *expected)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *whole = arena_printf(a, HEADER "%s", text);
    CHECK(parse_ptx(a, "t.ptx", whole, strlen(whole), &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, arena_printf(a, "t.ptx:%s", expected));
    arena_free(a);
}

static void an_error_is_one_line_with_what_was_found_and_expected(void)
{
    static const char *const rows[][2] = {
        {"\n.foo 1", "2: unknown directive '.foo'"},
        {"\n\nentry", "3: found 'entry', expected a directive, a declaration or a function"},
        {".entry k() {\nadd.s32 %r1 %r2; }", "2: found '%r2', expected ',' or ';'"},
        {".entry k() {\nadd.s32 %r1, ; }", "2: found ';', expected an operand"},
        {".entry k() {\nld.u32 %r1, [%r2; }", "2: found ';', expected ',' or ']'"},
        {".entry k() {\nld.u32 %r1, [1.5]; }",
         "2: an address in [] begins with a name or an integer"},
        {".entry k() {\n] }",
         "2: found ']', expected an instruction, a label, a declaration or '}'"},
        {".entry k() {\nret;\n",
         "3: found the end of the file, expected an instruction, a label, a declaration or '}'"},
        {".entry k() {\nret }", "2: found '}', expected an operand, ';' or ':'"},
        {".entry k() {\n@p ret }", "2: found '}', expected an operand or ';'"},
        {".entry k() { bra \"L\"; }", "1: found a string, expected an operand, ';' or ':'"},
        {".entry (.param .b32 r) k() { }", "1: the kernel 'k' cannot return a value"},
        {".entry k() .reqntid 1,2,3,4 { }", "1: '.reqntid' has 4 numbers, expected 1 to 3"},
        {".entry k() .maxnreg { }", "1: '.maxnreg' has 0 numbers, expected 1"},
        {".entry k() .maxnreg 4294967296 { }",
         "1: the number '4294967296' does not fit in 32 bits"},
        {".global .u32 a[-1];", "1: the size of 'a' is not an integer from 0 to 2^40"},
        {".global .u32 a[1.5];", "1: the size of 'a' is not an integer from 0 to 2^40"},
        {".global .u32 a[1048576][1048577];", "1: 'a' has more than 2^40 elements"},
        {".global .u32 a[2][];", "1: only the first dimension of 'a' can be left open"},
        {".global .u32 a[1][1][1][1][1][1][1][1][1];", "1: 'a' has more than 8 dimensions"},
        {".global .u32 a[2] = {1, 2, 3};", "1: 3 values for the 2 elements of 'a'"},
        {".global .u32 a[2][1] = {{1, 2}};", "1: 2 values for the 1 elements of a row of 'a'"},
        {".global .u32 a[9][9999999] = {{1}};",
         "1: the initialiser of 'a' leaves out more than 1048576 elements"},
        {".global .u32 a = {{1}};", "1: the initialiser of 'a' has more braces than dimensions"},
        {".shared .u32 a = 1;", "1: 'a' cannot be initialised: it is not .global or .const"},
        {".global .u32 a = 1/0;", "1: division by zero"},
        {".global .u32 a = b*2;", "1: an address can only be moved by an integer"},
        {".global .u32 a = 1.0 << 2;", "1: the operator does not take floating-point numbers"},
        {".global .u32 a = ~1.0;", "1: the operator takes an integer"},
        {".global .u32 a = (.s32)1;", "1: a cast takes an integer to .s64 or .u64"},
        {".global .u32 a = 0xFE(b);", "1: a mask selects one byte: 0xFF, 0xFF00, ..."},
        {".global .u32 a = special(b);", "1: found 'special(', expected 'generic('"},
        {".global .u32 a = ;", "1: found ';', expected a constant"},
        {".global .u32 a = 18446744073709551616;",
         "1: '18446744073709551616' is not a number of 64 bits"},
        {".global .u32 a = 089;", "1: '089' is not a number of 64 bits"},
        {".global .f64 a = 1e999;", "1: '1e999' is not a number of 64 bits"},
        {".global .f32 a = 0f3F80;", "1: '0f3F80' is not a number"},
        {".global .align 3 .u32 a;", "1: found '.align 3', expected a power of two up to 1048576"},
        {".global a;", "1: found 'a', expected a type before it"},
        {".global .u32 .f32 a;", "1: found '.f32', expected a name: the type is already given"},
        {".reg .b32 %r<4000000000>;", "1: '%r<4000000000>': expected 1 to 1048576 registers"},
        {".reg .b32 %r<0>;", "1: '%r<0>': expected 1 to 1048576 registers"},
        {".reg .b32 %r<-1>;", "1: found '-', expected an integer"},
        {".local .b32 r<4>;", "1: 'r<>': only registers are declared by ranges"},
        {".address_size 16", "1: found '.address_size 16', expected 64"},
        {".address_size 32", "1: found '.address_size 32', expected 64"},
        {".version 7", "1: found '7', expected a floating-point number"},
        {"\n.version 0f3F800000", "2: found '0f3F800000', expected a version such as 7.0"},
        {"\n/* \n *", "2: the comment that begins here has no end"},
        {"\n.pragma \"a\n\";", "2: the string that begins here has no end"},
        {"\n.section .debug_info {\n", "2: '.section' has no closing '}'"},
        {".global .attribute(.managed", "1: '.attribute' has no closing ')'"},
        {"\n\x01", "2: found '\\x01', which begins nothing in PTX"},
        {"\n#", "2: found '#', which begins nothing in PTX"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_error(rows[i][0], rows[i][1]);
}

static void a_text_without_version_is_not_ptx(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(parse_ptx(a, "empty.ptx", NULL, 0, &e) == NULL);
    CHECK_STR(e.text, "empty.ptx:1: found no '.version', which every PTX module has");
    arena_free(a);
}

static void a_nul_byte_is_refused_outside_comments(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(parse_ptx(a, "t", ".version 7.0 // \0 \n", 19, &e) != NULL);
    CHECK(parse_ptx(a, "t", ".version 7.0\n\0\n", 15, &e) == NULL);
    CHECK_STR(e.text, "t:2: found '\\x00', which begins nothing in PTX");
    arena_free(a);
}

static void nesting_without_end_is_refused(void)
{
    static const char *const starts[] = {".entry k() { ",
                                         ".global .u32 a = ", ".global .samplerref a = "};
    static const char nested[] = {'{', '(', '{'};
    for (int i = 0; i < 3; i++) {
        struct arena *a = arena_new();
        char deep[100001] = "";
        memset(deep, nested[i], sizeof deep - 1);
        check_error(arena_printf(a, "%s%s", starts[i], deep),
                    "1: braces or parentheses are nested too deeply");
        arena_free(a);
    }
}

CHECK_MAIN("parse_error", TEST(an_error_is_one_line_with_what_was_found_and_expected),
           TEST(a_text_without_version_is_not_ptx), TEST(a_nul_byte_is_refused_outside_comments),
           TEST(nesting_without_end_is_refused))
