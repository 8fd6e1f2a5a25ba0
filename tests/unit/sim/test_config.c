#include "check.h"

#include <signal.h>

#include "rig/capture.h"
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

static const struct mesh_spec *mesh_of(const struct config *c)
{
    return config_get(c, &mesh_section);
}

static const struct net_spec *net_of(const struct config *c)
{
    return config_get(c, &net_section);
}

static void a_new_config_has_the_defaults_of_the_rows(void)
{
    struct fixture f = set_up();
    const struct mesh_spec *m = mesh_of(f.c);
    const struct net_spec *n = net_of(f.c);
    CHECK_EQ(m->width, 8);
    CHECK_EQ(m->mem.n, 4);
    CHECK_EQ(m->mem.v[0], 0);
    CHECK_EQ(m->mem.v[3], 5);
    CHECK(m->hop == 1.5);
    CHECK_STR(n->topology, "mesh");
    CHECK(n->clock == 1.4e9);
    CHECK(!n->lookahead);
    CHECK_STR(n->label, "");
    CHECK_STR(config_doc(f.c), "");
    arena_free(f.a);
}

static void set_changes_one_field_and_the_last_one_wins(void)
{
    struct fixture f = set_up();
    CHECK(config_set(f.c, "mesh.width=4", &f.e));
    CHECK(config_set(f.c, "mesh.width=0x20", &f.e));
    CHECK(config_set(f.c, "net.topology=clos", &f.e));
    CHECK(config_set(f.c, "net.label=a=b", &f.e)); /* only the first '=' separates */
    CHECK(config_set(f.c, "mesh.mem=", &f.e));
    CHECK_EQ(mesh_of(f.c)->width, 32);
    CHECK_EQ(mesh_of(f.c)->height, 8);
    CHECK_EQ(mesh_of(f.c)->mem.n, 0);
    CHECK_STR(net_of(f.c)->topology, "clos");
    CHECK_STR(net_of(f.c)->label, "a=b");
    CHECK_EQ(f.e.status, STATUS_DONE);
    arena_free(f.a);
}

static void a_section_is_added_once_and_none_not_at_all(void)
{
    const struct cfg_section *all[3] = {&mesh_section};
    CHECK_EQ(config_add_section(all, 1, 3, NULL), 1);
    CHECK_EQ(config_add_section(all, 1, 3, &mesh_section), 1);
    CHECK_EQ(config_add_section(all, 1, 3, &net_section), 2);
    CHECK(all[0] == &mesh_section && all[1] == &net_section);
}

static const char *color(int i)
{
    return i ? "green" : "red";
}

static void a_name_that_a_registry_does_not_have_gets_the_nearest_or_the_list(void)
{
    struct fixture f = set_up();
    struct cfg_registry colors = {"color", "colors", 2, color};
    CHECK(config_set(f.c, "net.label=grene", &f.e));
    CHECK(!config_no_such(f.c, &f.e, &net_section, "label", "grene", &colors));
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    CHECK_STR(f.e.text, "--set net.label=grene: no color \"grene\"; did you mean green?");
    struct err e = {0};
    CHECK(!config_no_such(f.c, &e, &net_section, "topology", "cube", &colors));
    CHECK_STR(e.text, "net.topology: no color \"cube\" (heddle list colors)");
    arena_free(f.a);
}

static void a_wrong_set_is_blamed_on_its_text(void)
{
    static const struct {
        const char *set, *error;
    } cases[] = {
        {"mesh.width=x", "--set mesh.width=x: expected an integer, got \"x\""},
        {"mesh.width=", "--set mesh.width=: expected an integer, got \"\""},
        {"mesh.width=0", "--set mesh.width=0: 0 is outside 1..4096"},
        {"mesh.widht=4", "--set mesh.widht=4: unknown parameter; did you mean mesh.width?"},
        {"mseh.width=4", "--set mseh.width=4: unknown parameter; did you mean mesh.width?"},
        {"mesh.vcs=4", "--set mesh.vcs=4: unknown parameter; did you mean net.vcs?"},
        {"vcs=4", "--set vcs=4: unknown parameter; did you mean net.vcs?"},
        {"dram.banks=4", "--set dram.banks=4: unknown parameter"},
        {"base=a.yaml", "--set base=a.yaml: unknown parameter"},
        {"mesh.=4", "--set mesh.=4: unknown parameter"},
        {"mesh.width.x=4", "--set mesh.width.x=4: unknown parameter; did you mean mesh.width?"},
        {".=4", "--set .=4: unknown parameter"},
        {"mesh.width", "--set mesh.width: expected KEY=VALUE"},
        {"=4", "--set =4: expected KEY=VALUE"},
        {"", "--set : expected KEY=VALUE"},
        {"net.topology=msh", "--set net.topology=msh: \"msh\" is not one of mesh, xbar, clos; "
                             "did you mean mesh?"},
        {"net.label=a\nb", "--set net.label=a b: expected one line without control characters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f = set_up();
        CHECK(!config_set(f.c, cases[i].set, &f.e));
        CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
        CHECK_STR(f.e.text, cases[i].error);
        arena_free(f.a);
    }
}

static void a_huge_set_still_has_its_reason(void)
{
    struct fixture f = set_up();
    static char huge[100000] = "mesh.width=";
    memset(huge + 11, '7', sizeof huge - 12);
    CHECK(!config_set(f.c, huge, &f.e));
    CHECK(strstr(f.e.text, ": expected an integer, got \"7777") != NULL);
    memset(&f.e, 0, sizeof f.e);
    memset(huge, 'k', 50000);
    huge[50000] = '=';
    CHECK(!config_set(f.c, huge, &f.e));
    CHECK(strstr(f.e.text, ": unknown parameter") != NULL);
    arena_free(f.a);
}

static void blame_points_at_who_gave_the_value(void)
{
    struct fixture f = set_up();
    static const char text[] = "mesh:\n  width: 5\n";
    CHECK(config_load_text(f.c, "m.yaml", text, strlen(text), &f.e));
    CHECK(config_set(f.c, "mesh.height=7", &f.e));

    CHECK(!config_blame(f.c, &f.e, &mesh_section, "width", "%d is odd", 5));
    CHECK_STR(f.e.text, "m.yaml:2: mesh.width: 5 is odd");
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    memset(&f.e, 0, sizeof f.e);
    CHECK(!config_blame(f.c, &f.e, &mesh_section, "height", "7 is odd"));
    CHECK_STR(f.e.text, "--set mesh.height=7: 7 is odd");
    memset(&f.e, 0, sizeof f.e);
    CHECK(!config_blame(f.c, &f.e, &mesh_section, "hop", "too long"));
    CHECK_STR(f.e.text, "mesh.hop: too long");
    arena_free(f.a);
}

/* Each of these is a mistake in our own tables or calls. */
#define BAD_ROWS(F, id) F(id, INT, width, "0", 1, 10, "", "a default outside its range")
CFG_STRUCT(bad, BAD_ROWS)
CFG_SECTION(bad, BAD_ROWS, "wrong")
static const struct cfg_section *const with_bad[] = {&bad_section};

static void use_a_bad_default(void)
{
    config_new(arena_new(), with_bad, 1);
}

static void use_a_section_twice(void)
{
    static const struct cfg_section *const twice[] = {&mesh_section, &mesh_section};
    config_new(arena_new(), twice, 2);
}

static void get_a_foreign_section(void)
{
    config_get(config_new(arena_new(), params_sections, PARAMS_N), &bad_section);
}

static void ask_for_a_foreign_field(void)
{
    struct config *c = config_new(arena_new(), params_sections, PARAMS_N);
    config_blame(c, &(struct err){0}, &mesh_section, "depth", "no such field");
}

static void a_section_of_another_kind_of_file_is_refused_with_the_reason(void)
{
    static const struct cfg_foreign rows[] = {{"traffic", "not here"}, {"tra", "never asked for"}};
    static const char *const texts[] = {"traffic: {rate: 1}\n", "\ntraffic: {}\n",
                                        "traffic.rate: 1\n"};
    static const char *const want[] = {"x:1: traffic.rate: not here", "x:2: traffic: not here",
                                       "x:1: traffic.rate: not here"};
    for (int i = 0; i < 3; i++) {
        struct arena *a = arena_new();
        static const struct cfg_section *const sections[] = {&mesh_section};
        struct config *c = config_new(a, sections, 1);
        struct err e = {0};
        config_foreign(c, rows, 2);
        CHECK(!config_load_text(c, "x", texts[i], strlen(texts[i]), &e));
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        CHECK_STR(e.text, want[i]);
        e = (struct err){0};
        CHECK(!config_set(c, "traffic.rate=1", &e));
        CHECK_STR(e.text, "--set traffic.rate=1: not here");
        e = (struct err){0};
        CHECK(!config_set(c, "mesh.widht=1", &e)); /* others as ever */
        CHECK(strstr(e.text, "did you mean mesh.width?") != NULL);
        arena_free(a);
    }
}

static void a_row_is_found_by_its_key(void)
{
    struct fixture f = set_up();
    struct err e = {0};
    CHECK_STR(config_field(f.c, "mesh.width", &e)->name, "width");
    CHECK_EQ(config_field(f.c, "mesh.mem", &e)->type, CFG_LIST);
    CHECK(!config_field(f.c, "mesh.widht", &e));
    CHECK(!config_field(f.c, "mesh", &e));
    arena_free(f.a);
}

static void rows_are_fitted_together_or_not_at_all(void)
{
    struct fixture f = set_up();
    config_fit(f.c, &mesh_section, "width=4 mem=1,2");
    CHECK_EQ(mesh_of(f.c)->width, 4);
    CHECK_EQ(mesh_of(f.c)->mem.n, 2);
    config_fit(f.c, &mesh_section, "width=5 height=99999999"); /* which no mesh has */
    CHECK_EQ(mesh_of(f.c)->width, 4);
    CHECK_EQ(mesh_of(f.c)->height, 8);
    CHECK(config_set(f.c, "mesh.height=3", &f.e));
    config_fit(f.c, &mesh_section, "width=6 height=6");
    CHECK_EQ(mesh_of(f.c)->width, 4);
    CHECK_EQ(mesh_of(f.c)->height, 3);
    arena_free(f.a);
}

static void mistakes_in_the_tables_are_asserted(void)
{
    struct death d = death_of(use_a_bad_default);
    CHECK_EQ(d.signal, SIGABRT);
    CHECK(strstr(d.text, "default of bad.width: 0 is outside 1..10"));
    CHECK(strstr(death_of(use_a_section_twice).text, "two sections named mesh"));
    CHECK(strstr(death_of(get_a_foreign_section).text, "section bad is not in this config"));
    CHECK(strstr(death_of(ask_for_a_foreign_field).text, "no parameter mesh.depth"));
}

CHECK_MAIN("config", TEST(a_new_config_has_the_defaults_of_the_rows),
           TEST(set_changes_one_field_and_the_last_one_wins),
           TEST(a_section_is_added_once_and_none_not_at_all),
           TEST(a_name_that_a_registry_does_not_have_gets_the_nearest_or_the_list),
           TEST(a_wrong_set_is_blamed_on_its_text), TEST(a_huge_set_still_has_its_reason),
           TEST(blame_points_at_who_gave_the_value),
           TEST(a_section_of_another_kind_of_file_is_refused_with_the_reason),
           TEST(a_row_is_found_by_its_key), TEST(rows_are_fitted_together_or_not_at_all),
           TEST(mistakes_in_the_tables_are_asserted))
