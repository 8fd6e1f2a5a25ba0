#include "check.h"
#include "host/host.h"

#include <string.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

struct loaded {
    struct host *host;
    struct host_module *module;
    struct err e;
};

static struct loaded load(const char *text)
{
    struct loaded l = {0};
    struct host_options o = {.no_stream = true};
    l.host = host_new(&o, &l.e);
    l.module = host_module_load(l.host, "m.ptx", text, strlen(text), &l.e);
    return l;
}

static void variables_have_their_initial_values(void)
{
    struct loaded l = load(HEAD ".global .align 4 .u32 a[4] = {1, 2, 3};\n"
                                ".const .f32 c = 0f3F800000;\n"
                                ".global .f64 d = 2.5;\n"
                                ".global .b8 text[] = {104, 105, 0};\n"
                                ".global .u64 p = a;\n"
                                ".global .u64 q = generic(a)+8;\n"
                                ".func f() { ret; }\n"
                                ".global .u64 fn = f;\n");
    CHECK_STR(l.e.text, "");
    uint64_t at, bytes, a, value;
    CHECK(host_module_symbol(l.module, "a", &a, &bytes, &l.e));
    CHECK_EQ(bytes, 16);
    uint32_t words[4];
    CHECK(devmem_read(host_memory(l.host), words, a, 16, &l.e));
    CHECK_EQ(words[0], 1);
    CHECK_EQ(words[2], 3);
    CHECK_EQ(words[3], 0);
    CHECK(host_module_symbol(l.module, "c", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), words, at, 4, &l.e));
    CHECK_EQ(words[0], 0x3f800000);
    CHECK(host_module_symbol(l.module, "d", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), &value, at, 8, &l.e));
    CHECK_EQ(value, 0x4004000000000000);
    CHECK(host_module_symbol(l.module, "p", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), &value, at, 8, &l.e));
    CHECK_EQ(value, a);
    CHECK(host_module_symbol(l.module, "q", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), &value, at, 8, &l.e));
    CHECK_EQ(value, a + 8);
    CHECK(host_module_symbol(l.module, "fn", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), &value, at, 8, &l.e));
    CHECK(value != 0);
    host_free(l.host);
}

static void a_function_without_a_body_has_address_0(void)
{
    struct loaded l = load(HEAD ".extern .func __cxa_pure_virtual();\n"
                                ".func f() { ret; }\n"
                                ".global .u64 table[2] = {__cxa_pure_virtual, f};\n");
    CHECK_STR(l.e.text, "");
    uint64_t at, bytes, values[2];
    CHECK(host_module_symbol(l.module, "table", &at, &bytes, &l.e));
    CHECK(devmem_read(host_memory(l.host), values, at, 16, &l.e));
    CHECK_EQ(values[0], 0);
    CHECK(values[1] != 0);
    host_free(l.host);
}

static void what_a_module_lacks_is_refused_by_name(void)
{
    struct loaded l = load(HEAD ".visible .entry saxpy() { ret; }\n");
    CHECK_STR(l.e.text, "");
    uint64_t at, bytes;
    struct err e = {0};
    CHECK(!host_module_symbol(l.module, "x", &at, &bytes, &e));
    CHECK_STR(e.text, "m.ptx: no variable \"x\"");
    e = (struct err){0};
    CHECK(host_module_function(l.module, "saxpi", &e) == NULL);
    CHECK_STR(e.text, "m.ptx: no kernel \"saxpi\"; did you mean saxpy?");
    host_free(l.host);
}

static void kernels_are_found_by_their_plain_names(void)
{
    struct loaded l = load(HEAD ".visible .entry _Z5saxpyifPf() { ret; }\n"
                                ".visible .entry _Z3addv() { ret; }\n"
                                ".visible .entry _Z3addi() { ret; }\n");
    struct err e = {0};
    const struct host_function *f = host_module_function(l.module, "saxpy", &e);
    CHECK_STR(e.text, "");
    CHECK_STR(host_function_code(f)->name, "_Z5saxpyifPf");
    CHECK(host_module_function(l.module, "_Z5saxpyifPf", &e) == f);
    CHECK(host_module_function(l.module, "add", &e) == NULL);
    CHECK_STR(e.text, "m.ptx: kernel \"add\" is ambiguous: _Z3addv or _Z3addi");
    host_free(l.host);
}

static void a_kernel_that_cannot_run_does_not_spoil_the_others(void)
{
    struct loaded l = load(HEAD ".visible .entry good() { ret; }\n"
                                ".visible .entry bad() { frobnicate; ret; }\n");
    CHECK_STR(l.e.text, "");
    struct err e = {0};
    CHECK(host_module_function(l.module, "good", &e) != NULL);
    CHECK(host_module_function(l.module, "bad", &e) == NULL);
    CHECK(strstr(e.text, "m.ptx:5: ") != NULL);
    host_free(l.host);
}

static void too_much_constant_memory_is_refused(void)
{
    struct loaded l = load(HEAD ".const .b8 a[65536];\n.const .b8 b[1];\n");
    CHECK(l.module == NULL);
    CHECK_STR(l.e.text, "m.ptx:5: more than 65536 bytes of constants");
    host_free(l.host);
}

static void an_initialiser_must_fit_and_name_something(void)
{
    struct loaded l = load(HEAD ".global .u32 a[2] = {1, 2, 3};\n");
    CHECK_EQ(l.e.status, STATUS_BAD_INPUT);
    host_free(l.host);
    l = load(HEAD ".global .u64 a = nothing;\n");
    CHECK_EQ(l.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(l.e.text, "nothing") != NULL);
    host_free(l.host);
}

CHECK_MAIN("module", TEST(variables_have_their_initial_values),
           TEST(a_function_without_a_body_has_address_0),
           TEST(what_a_module_lacks_is_refused_by_name),
           TEST(kernels_are_found_by_their_plain_names),
           TEST(a_kernel_that_cannot_run_does_not_spoil_the_others),
           TEST(too_much_constant_memory_is_refused),
           TEST(an_initialiser_must_fit_and_name_something))
