#include "check.h"

#include "rig/capture.h"
#include "rig/params.h"

static struct config *set_up(struct arena *a, int n, const char *const *assignments)
{
    struct config *c = config_new(a, params_sections, PARAMS_N);
    struct err e = {0};
    for (int i = 0; i < n; i++)
        CHECK(config_set(c, assignments[i], &e));
    return c;
}

static void describe_is_an_aligned_table_per_section(void)
{
    struct arena *a = arena_new();
    struct text t;
    text_open(&t);
    config_describe(set_up(a, 0, NULL), t.out);
    CHECK_STR(text_close(&t),
              "# net: the network\n"
              "net.topology   choice  mesh    mesh|xbar|clos           shape of the network\n"
              "net.vcs        int     4       1..64 VC                 virtual channels per port\n"
              "net.clock      real    1.4GHz  1000000..10000000000 Hz  network clock\n"
              "net.lookahead  bool    no      -                        routing one hop ahead\n"
              "net.label      string  \"\"      -                        name in reports\n"
              "\n"
              "# mesh: 2D mesh topology\n"
              "mesh.width   int     8      1..4096 routers  routers per row\n"
              "mesh.height  int     8      1..4096 routers  rows of routers\n"
              "mesh.mem     list    0,3-5  0..1000000 node  nodes that are memory nodes\n"
              "mesh.hop     real    1.5    0..20 mm         length of a link\n");
    text_free(&t);
    arena_free(a);
}

static void names_are_one_key_per_line(void)
{
    struct arena *a = arena_new();
    struct text t;
    text_open(&t);
    config_names(set_up(a, 0, NULL), t.out);
    CHECK_STR(text_close(&t), "net.topology\nnet.vcs\nnet.clock\nnet.lookahead\nnet.label\n"
                              "mesh.width\nmesh.height\nmesh.mem\nmesh.hop\n");
    text_free(&t);
    arena_free(a);
}

static void the_echo_has_every_value_as_resolved(void)
{
    static const char *const sets[] = {"mesh.width=1K", "net.lookahead=on", "net.label=a\"b",
                                       "mesh.hop=300um", "net.clock=700MHz"};
    struct arena *a = arena_new();
    struct text t;
    struct json j;
    text_open(&t);
    json_begin(&j, t.out);
    config_echo_json(set_up(a, 5, sets), &j);
    json_end(&j);
    CHECK_STR(text_close(&t), "{\n"
                              "  \"net\": {\n"
                              "    \"topology\": \"mesh\",\n"
                              "    \"vcs\": 4,\n"
                              "    \"clock\": 700000000,\n"
                              "    \"lookahead\": true,\n"
                              "    \"label\": \"a\\\"b\"\n"
                              "  },\n"
                              "  \"mesh\": {\n"
                              "    \"width\": 1024,\n"
                              "    \"height\": 8,\n"
                              "    \"mem\": [0, 3, 4, 5],\n"
                              "    \"hop\": 0.3\n"
                              "  }\n"
                              "}\n");
    text_free(&t);
    arena_free(a);
}

static void the_echo_as_text_has_whatever_length_it_needs(void)
{
    enum { LONG = 200000 };
    struct arena *a = arena_new();
    char *set = arena_alloc(a, LONG + 16);
    memset(set, 'x', LONG + 15);
    memcpy(set, "net.label=", 10);
    set[LONG + 10] = '\0';
    const char *const sets[] = {set};
    const char *text = config_echo_text(set_up(a, 1, sets), a);
    CHECK(strstr(text, set + 10));
    CHECK_STR(text + strlen(text) - 4, "}\n}\n");
    arena_free(a);
}

static uint64_t hash_after(int n, const char *const *sets)
{
    struct arena *a = arena_new();
    uint64_t h = config_hash(set_up(a, n, sets), NULL, NULL);
    arena_free(a);
    return h;
}

static void the_hash_is_of_the_values_not_of_how_they_came(void)
{
    static const char *const forward[] = {"mesh.width=4", "mesh.height=6"};
    static const char *const backward[] = {"mesh.height=6", "mesh.width=9", "mesh.width=0x4"};
    static const char *const as_default[] = {"mesh.width=8", "mesh.mem=0,3,4,5"};
    CHECK(hash_after(2, forward) == hash_after(3, backward));
    CHECK(hash_after(2, as_default) == hash_after(0, NULL));

    struct arena *a = arena_new();
    struct config *c = set_up(a, 0, NULL);
    struct err e = {0};
    CHECK(config_load_text(c, "m.yaml", "mesh: {height: 6, width: 4}", 27, &e));
    CHECK(config_hash(c, NULL, NULL) == hash_after(2, forward));
    arena_free(a);
}

static void the_hash_does_not_depend_on_the_order_of_sections(void)
{
    static const struct cfg_section *const swapped[] = {&mesh_section, &net_section};
    struct arena *a = arena_new();
    CHECK(config_hash(config_new(a, swapped, 2), NULL, NULL) == hash_after(0, NULL));
    arena_free(a);
}

static void any_change_of_a_value_changes_the_hash(void)
{
    static const char *const sets[] = {
        "mesh.width=4",      "mesh.height=4", "mesh.mem=",         "mesh.mem=0,3,4",
        "mesh.mem=5,4,3,0",  "mesh.hop=1.25", "net.topology=xbar", "net.vcs=5",
        "net.lookahead=yes", "net.label=8",   "net.clock=1.5GHz",  "mesh.mem=0,34,5",
    };
    enum { N = sizeof sets / sizeof sets[0] };
    uint64_t hash[N + 1];
    hash[N] = hash_after(0, NULL);
    for (int i = 0; i < N; i++)
        hash[i] = hash_after(1, &sets[i]);
    for (int i = 0; i <= N; i++)
        for (int k = 0; k < i; k++)
            CHECK(hash[i] != hash[k]);
}

static bool is_mesh(const void *context, const char *section)
{
    (void)context;
    return strcmp(section, "mesh") == 0;
}

static void a_hash_can_be_of_some_sections(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *c = config_new(a, params_sections, PARAMS_N);
    uint64_t mesh = config_hash(c, is_mesh, NULL), all = config_hash(c, NULL, NULL);
    CHECK(config_set(c, "net.label=x", &e));
    CHECK(config_hash(c, is_mesh, NULL) == mesh);
    CHECK(config_hash(c, NULL, NULL) != all);
    CHECK(config_set(c, "mesh.width=5", &e));
    CHECK(config_hash(c, is_mesh, NULL) != mesh);
    arena_free(a);
}

/* A default that is said is asked for; others can change without changing the question. */
static void what_was_asked_is_what_was_given(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *c = config_new(a, params_sections, PARAMS_N);
    struct config *d = config_new(a, params_sections, PARAMS_N);
    CHECK(config_set(c, "mesh.width=8", &e));
    CHECK(config_hash_set(c) != config_hash_set(d));
    CHECK(config_hash(c, NULL, NULL) == config_hash(d, NULL, NULL));
    CHECK(config_set(d, "mesh.width=8", &e));
    CHECK(config_hash_set(c) == config_hash_set(d));
    arena_free(a);
}

static void words_are_found_in_values(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *c = config_new(a, params_sections, PARAMS_N);
    CHECK(config_set(c, "net.label=ring, two-level+x", &e));
    CHECK(config_names_any(c, "ring"));
    CHECK(config_names_any(c, "none|two_level"));
    CHECK(config_names_any(c, "x"));
    CHECK(config_names_any(c, "mesh")); /* net.topology, by default */
    CHECK(!config_names_any(c, "rin"));
    CHECK(!config_names_any(c, "level"));
    CHECK(!config_names_any(c, "8"));
    arena_free(a);
}

CHECK_MAIN("config_out", TEST(describe_is_an_aligned_table_per_section),
           TEST(names_are_one_key_per_line), TEST(the_echo_has_every_value_as_resolved),
           TEST(the_echo_as_text_has_whatever_length_it_needs),
           TEST(the_hash_is_of_the_values_not_of_how_they_came),
           TEST(the_hash_does_not_depend_on_the_order_of_sections),
           TEST(any_change_of_a_value_changes_the_hash), TEST(a_hash_can_be_of_some_sections),
           TEST(what_was_asked_is_what_was_given), TEST(words_are_found_in_values))
