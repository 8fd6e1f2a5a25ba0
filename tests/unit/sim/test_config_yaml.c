#include "check.h"

#include "rig/params.h"

struct fixture {
    struct arena *a;
    struct config *c;
    struct err e;
};

static struct fixture set_up(void)
{
    struct fixture f = {.a = arena_new()};
    f.c = config_new(f.a, params_sections, PARAMS_N);
    return f;
}

static const struct mesh_spec *mesh_of(const struct fixture *f)
{
    return config_get(f->c, &mesh_section);
}

static const struct net_spec *net_of(const struct fixture *f)
{
    return config_get(f->c, &net_section);
}

static bool load_text(struct fixture *f, const char *text)
{
    return config_load_text(f->c, "m.yaml", text, strlen(text), &f->e);
}

/* A document that must load; the caller frees f->a. */
static struct fixture loaded(const char *text)
{
    struct fixture f = set_up();
    bool ok = load_text(&f, text);
    CHECK_STR(f.e.text, "");
    CHECK(ok && f.e.status == STATUS_DONE);
    return f;
}

/* A document that must not, with the line that says why. */
static void check_refused(const char *text, const char *error)
{
    struct fixture f = set_up();
    CHECK(!load_text(&f, text));
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    CHECK_STR(f.e.text, error);
    arena_free(f.a);
}

static void every_type_is_loaded_from_sections(void)
{
    struct fixture f = loaded("doc: all of them\n"
                              "net:\n"
                              "  topology: xbar   # a comment\n"
                              "  vcs: 2\n"
                              "  clock: 1.2 GHz\n"
                              "  lookahead: yes\n"
                              "  label: \"two words \\u00e9\"\n"
                              "mesh: {width: 4, height: 0x10, mem: [3, 1, 7-9], hop: 500um}\n");
    CHECK_STR(config_doc(f.c), "all of them");
    CHECK_STR(net_of(&f)->topology, "xbar");
    CHECK_EQ(net_of(&f)->vcs, 2);
    CHECK(net_of(&f)->clock == 1.2e9);
    CHECK(net_of(&f)->lookahead);
    CHECK_STR(net_of(&f)->label, "two words \xc3\xa9");
    CHECK_EQ(mesh_of(&f)->height, 16);
    CHECK_EQ(mesh_of(&f)->mem.n, 5);
    CHECK_EQ(mesh_of(&f)->mem.v[1], 1);
    CHECK_EQ(mesh_of(&f)->mem.v[4], 9);
    CHECK_NEAR(mesh_of(&f)->hop, 0.5, 1e-12);
    arena_free(f.a);
}

static void lists_are_sequences_or_scalars(void)
{
    static const struct {
        const char *text;
        int n;
        int64_t last;
    } cases[] = {
        {"mesh: {mem: [1, 2, 3]}", 3, 3},
        {"mesh:\n  mem:\n  - 1\n  - 2\n", 2, 2},
        {"mesh: {mem: '1,2,3'}", 3, 3},
        {"mesh:\n  mem: 1, 2, 5\n", 3, 5},
        {"mesh:\n  mem: 0-7, 12\n", 9, 12},
        {"mesh: {mem: 9}", 1, 9},
        {"mesh: {mem: []}", 0, 0},
        {"mesh: {mem: ''}", 0, 0},
        {"mesh.mem: [4]", 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f = loaded(cases[i].text);
        CHECK_EQ(mesh_of(&f)->mem.n, cases[i].n);
        if (cases[i].n)
            CHECK_EQ(mesh_of(&f)->mem.v[cases[i].n - 1], cases[i].last);
        arena_free(f.a);
    }
}

static void a_field_may_be_named_in_full(void)
{
    struct fixture f = loaded("mesh.width: 4\nmesh: {height: 5}\nnet.topology: clos\n");
    CHECK_EQ(mesh_of(&f)->width, 4);
    CHECK_EQ(mesh_of(&f)->height, 5);
    CHECK_STR(net_of(&f)->topology, "clos");
    arena_free(f.a);
}

static void files_without_content_are_fine(void)
{
    static const char *const texts[] = {
        "",           "\n\n", "# only a comment\n", "---\n",
        "---\n...\n", "{}",   "mesh: {}",           "\xef\xbb\xbf# BOM\nmesh: {}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fixture f = loaded(texts[i]);
        CHECK_EQ(mesh_of(&f)->width, 8);
        arena_free(f.a);
    }
}

static void quoted_words_are_not_null(void)
{
    struct fixture f = loaded("net: {label: 'null'}\nmesh: {width: '4'}\n");
    CHECK_STR(net_of(&f)->label, "null");
    CHECK_EQ(mesh_of(&f)->width, 4);
    arena_free(f.a);
}

static void the_doc_may_be_a_block_of_one_line(void)
{
    struct fixture f = loaded("doc: >\n  two\n  lines folded\n");
    CHECK_STR(config_doc(f.c), "two lines folded");
    arena_free(f.a);
    check_refused("doc: |\n  two\n  lines\n", "m.yaml:1: doc: expected one line of text");
    check_refused("\ndoc: [a]\n", "m.yaml:2: doc: expected one line of text");
    check_refused("doc: {a: b}\n", "m.yaml:1: doc: expected one line of text");
    check_refused("doc:\n", "m.yaml:1: doc: expected one line of text");
}

static void wrong_values_name_line_key_and_what_was_expected(void)
{
    check_refused("mesh:\n  height: 3\n  width: abc\n",
                  "m.yaml:3: mesh.width: expected an integer, got \"abc\"");
    check_refused("mesh: {width: 1.5}", "m.yaml:1: mesh.width: expected an integer, got \"1.5\"");
    check_refused("mesh: {width: 0}", "m.yaml:1: mesh.width: 0 is outside 1..4096");
    check_refused("\nmesh.width: 1G\n", "m.yaml:2: mesh.width: 1G is outside 1..4096");
    check_refused("mesh: {hop: far}", "m.yaml:1: mesh.hop: expected a number, got \"far\"");
    check_refused("net:\n  lookahead: perhaps\n",
                  "m.yaml:2: net.lookahead: expected true or false, got \"perhaps\"");
    check_refused("net: {topology: closs}", "m.yaml:1: net.topology: \"closs\" is not one of mesh, "
                                            "xbar, clos; did you mean clos?");
    check_refused("mesh: {mem: [0, 2000000]}", "m.yaml:1: mesh.mem: 2000000 is outside 0..1000000");
    check_refused("mesh: {mem: [0, \"1,2\"]}",
                  "m.yaml:1: mesh.mem: expected a list of integers, got \"1,2\"");
    check_refused("net: {label: \"a\\nb\"}",
                  "m.yaml:1: net.label: expected one line without control characters");
}

static void wrong_shapes_are_refused(void)
{
    check_refused("mesh: {width: [1, 2]}", "m.yaml:1: mesh.width: expected an integer, got a list");
    check_refused("mesh:\n  width: {a: 1}\n",
                  "m.yaml:2: mesh.width: expected an integer, got a map");
    check_refused("mesh.width: {a: 1}", "m.yaml:1: mesh.width: expected an integer, got a map");
    check_refused("mesh: 4", "m.yaml:1: mesh: expected a map of parameters");
    check_refused("mesh: [1]", "m.yaml:1: mesh: expected a map of parameters");
    check_refused("mesh:\n", "m.yaml:1: mesh: expected a map of parameters");
    check_refused("mesh:\n  mem:\n  - 1\n  - [2]\n",
                  "m.yaml:4: mesh.mem: expected only plain values in the list");
    check_refused("- mesh\n", "m.yaml:1: expected a map of sections");
    check_refused("just text", "m.yaml:1: expected a map of sections");
    check_refused("~", "m.yaml:1: expected a map of sections");
    check_refused("[a]: b\n", "m.yaml:1: expected a name before the ':'");
    check_refused("'': b\n", "m.yaml:1: expected a name before the ':'");
    check_refused("mesh:\n  ? {a: b}\n  : 4\n", "m.yaml:2: expected a name before the ':'");
}

static void nulls_are_refused(void)
{
    check_refused("mesh:\n  width:\n", "m.yaml:2: mesh.width: expected an integer, got null");
    check_refused("mesh: {width: ~}", "m.yaml:1: mesh.width: expected an integer, got null");
    check_refused("net: {label: null}", "m.yaml:1: net.label: expected a string, got null");
    check_refused("net: {topology: NULL}", "m.yaml:1: net.topology: expected one word, got null");
    check_refused("mesh: {mem: [1, ]}\nnet: {label: Null}",
                  "m.yaml:2: net.label: expected a string, got null");
    check_refused("mesh: {mem: [1, ~]}",
                  "m.yaml:1: mesh.mem: expected only plain values in the list");
}

static void unknown_keys_are_refused_with_a_suggestion(void)
{
    check_refused("mesh:\n  height: 3\n  widht: 4\n",
                  "m.yaml:3: mesh.widht: unknown parameter; did you mean mesh.width?");
    check_refused("mseh:\n  width: 4\n",
                  "m.yaml:2: mseh.width: unknown parameter; did you mean mesh.width?");
    check_refused("vcs: 4\n", "m.yaml:1: vcs: unknown parameter; did you mean net.vcs?");
    check_refused("dram: {banks: 4}", "m.yaml:1: dram.banks: unknown parameter");
    check_refused("dram: {}", "m.yaml:1: dram: unknown section");
    check_refused("mehs: {}", "m.yaml:1: mehs: unknown section; did you mean mesh?");
    check_refused("dram: 3", "m.yaml:1: dram: unknown parameter");
    check_refused("net: {mesh.width: 4}",
                  "m.yaml:1: net.mesh.width: unknown parameter; did you mean mesh.width?");
    check_refused("Base: x.yaml", "m.yaml:1: Base: unknown parameter");
}

static void repeated_keys_are_refused(void)
{
    check_refused("mesh:\n  width: 4\n  height: 4\n  width: 5\n",
                  "m.yaml:4: mesh.width: given twice, first on line 2");
    check_refused("mesh: {width: 4}\nnet: {}\nmesh: {height: 4}\n",
                  "m.yaml:3: mesh: given twice, first on line 1");
    check_refused("mesh: {width: 4}\nmesh.width: 4\n",
                  "m.yaml:2: mesh.width: given twice, first on line 1");
    check_refused("doc: a\ndoc: b\n", "m.yaml:2: doc: given twice, first on line 1");
    check_refused("base: a\nbase: b\n", "m.yaml:2: base: given twice, first on line 1");
}

static void what_heddle_does_not_take_from_yaml_is_refused(void)
{
    check_refused("mesh: {width: &w 4, height: *w}", "m.yaml:1: aliases (*name) are not supported");
    check_refused("mesh: &m {width: 4}\nnet: *m\n", "m.yaml:2: aliases (*name) are not supported");
    check_refused("mesh:\n  width: !!int 4\n", "m.yaml:2: tags (!name) are not supported");
    check_refused("mesh: !foo {width: 4}\n", "m.yaml:1: tags (!name) are not supported");
    check_refused("mesh.mem: !!seq [4]\n", "m.yaml:1: tags (!name) are not supported");
    check_refused("mesh: {}\n---\nnet: {}\n", "m.yaml:2: more than one document");
    check_refused("net: {label: \"a\\0b\"}", "m.yaml:1: a NUL character in a value");
}

static void syntax_errors_have_a_line(void)
{
    check_refused("mesh:\n\twidth: 4\n", "m.yaml:2: found character that cannot start any token "
                                         "(while scanning for the next token)");
    check_refused("mesh: {width: 4\n", "m.yaml:2: did not find expected ',' or '}' "
                                       "(while parsing a flow mapping)");
    check_refused("mesh:\n  width: \"4\n", "m.yaml:3: found unexpected end of stream "
                                           "(while scanning a quoted scalar)");
    check_refused("net:\n  label: a: b\n",
                  "m.yaml:2: mapping values are not allowed in this context");
    check_refused("mesh: {}\n# \xff\n", "m.yaml:2: invalid leading UTF-8 octet");
    check_refused("mesh: {}\n\nnet: {label: \x01}\n",
                  "m.yaml:3: control characters are not allowed");
    check_refused("%YAML 9.9\n---\n", "m.yaml:1: found incompatible YAML document");
    check_refused("\xff\xfe"
                  "a",
                  "m.yaml:1: invalid leading UTF-8 octet"); /* UTF-16 */
}

static void deep_nesting_and_large_texts_are_refused(void)
{
    struct fixture f = set_up();
    static char big[(1 << 20) + 1];
    memset(big, '#', sizeof big);
    CHECK(!config_load_text(f.c, "big.yaml", big, sizeof big, &f.e));
    CHECK_STR(f.e.text, "big.yaml: larger than 1 MiB");
    memset(&f.e, 0, sizeof f.e);
    CHECK(config_load_text(f.c, "big.yaml", big, sizeof big - 1, &f.e));

    memset(big, '[', sizeof big);
    memcpy(big, "mesh.mem: ", 10);
    CHECK(!config_load_text(f.c, "big.yaml", big, sizeof big - 1, &f.e));
    CHECK_STR(f.e.text, "big.yaml:1: mesh.mem: expected only plain values in the list");
    memset(&f.e, 0, sizeof f.e);
    for (size_t i = 11; i < sizeof big; i++)
        big[i] = i % 2 ? '1' : ',';
    CHECK(!config_load_text(f.c, "big.yaml", big, sizeof big - 1, &f.e));
    CHECK_STR(f.e.text, "big.yaml:1: mesh.mem: more than 65536 elements");
    arena_free(f.a);
}

static void a_base_is_a_name_or_a_list_of_names(void)
{
    static const char error[] = "m.yaml:1: base: expected a file name or a list of them";
    check_refused("base:\n", error);
    check_refused("base: ''\n", error);
    check_refused("base: {a: b}\n", error);
    check_refused("base: [a, '']\n", error);
    check_refused("base: [[a]]\n", "m.yaml:1: base: expected only plain values in the list");
    struct fixture f = loaded("base: []\n");
    arena_free(f.a);
}

CHECK_MAIN("config_yaml", TEST(every_type_is_loaded_from_sections),
           TEST(lists_are_sequences_or_scalars), TEST(a_field_may_be_named_in_full),
           TEST(files_without_content_are_fine), TEST(quoted_words_are_not_null),
           TEST(the_doc_may_be_a_block_of_one_line),
           TEST(wrong_values_name_line_key_and_what_was_expected), TEST(wrong_shapes_are_refused),
           TEST(nulls_are_refused), TEST(unknown_keys_are_refused_with_a_suggestion),
           TEST(repeated_keys_are_refused), TEST(what_heddle_does_not_take_from_yaml_is_refused),
           TEST(syntax_errors_have_a_line), TEST(deep_nesting_and_large_texts_are_refused),

           TEST(a_base_is_a_name_or_a_list_of_names))
