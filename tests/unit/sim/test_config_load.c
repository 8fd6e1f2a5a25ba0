#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

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

/* Every test runs in an empty folder of its own. */

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    CHECK(out != NULL);
    fputs(text, out);
    fclose(out);
}

static void enter_folder(void)
{
    char name[] = "/tmp/heddle-test-XXXXXX";
    CHECK(mkdtemp(name) && chdir(name) == 0);
}

/* Removes what the tests made: files here and in sub/, then the folder itself. */
static void leave_folder(void)
{
    static const char *const files[] = {"a.yaml",     "b.yaml", "c.yaml", "sub/a.yaml",
                                        "sub/b.yaml", "pipe",   "sub"};
    char here[256], name[32];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(files[i]);
    for (int i = 0; i <= 20; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        remove(name);
    }
    CHECK(getcwd(here, sizeof here) && chdir("/") == 0);
    CHECK_EQ(rmdir(here), 0);
}

static void check_file_refused(const char *name, const char *error)
{
    struct fixture f = set_up();
    CHECK(!config_load(f.c, name, &f.e));
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    CHECK_STR(f.e.text, error);
    arena_free(f.a);
}

static void a_file_overrides_its_bases_in_order(void)
{
    enter_folder();
    write_file("c.yaml", "doc: c\nmesh: {width: 3, height: 3, hop: 3}\nnet.vcs: 3\n");
    write_file("b.yaml", "doc: b\nbase: c.yaml\nmesh: {width: 2, height: 2}\n");
    write_file("a.yaml", "mesh: {width: 1}\nbase: [c.yaml, b.yaml]\n"); /* base need not be first */
    struct fixture f = set_up();
    CHECK(config_load(f.c, "a.yaml", &f.e));
    CHECK(config_set(f.c, "net.vcs=9", &f.e));
    CHECK_EQ(mesh_of(&f)->width, 1);
    CHECK_EQ(mesh_of(&f)->height, 2);
    CHECK(mesh_of(&f)->hop == 3);
    CHECK_EQ(net_of(&f)->vcs, 9);
    CHECK_STR(config_doc(f.c), "b");
    config_blame(f.c, &f.e, &mesh_section, "height", "hm");
    CHECK_STR(f.e.text, "b.yaml:3: mesh.height: hm");
    arena_free(f.a);
    leave_folder();
}

static void a_base_is_looked_for_beside_its_file(void)
{
    enter_folder();
    CHECK_EQ(mkdir("sub", 0777), 0);
    write_file("a.yaml", "base: sub/a.yaml\n");
    write_file("sub/a.yaml", "base: b.yaml\n");
    write_file("sub/b.yaml", "base: ../c.yaml\nmesh: {width: 21}\n");
    write_file("c.yaml", "mesh: {width: 0}\n");
    check_file_refused("a.yaml", "sub/../c.yaml:1: mesh.width: 0 is outside 1..4096");
    write_file("c.yaml", "mesh: {height: 12}\n");
    struct fixture f = set_up();
    CHECK(config_load(f.c, "./a.yaml", &f.e));
    CHECK_EQ(mesh_of(&f)->width, 21);
    CHECK_EQ(mesh_of(&f)->height, 12);
    arena_free(f.a);
    leave_folder();
}

static void unreadable_files_are_refused_with_the_reason(void)
{
    enter_folder();
    CHECK_EQ(mkdir("sub", 0777), 0);
    CHECK_EQ(mkfifo("pipe", 0666), 0);
    check_file_refused("no.yaml", "no.yaml: cannot read: No such file or directory");
    check_file_refused("sub", "sub: cannot read: Is a directory");
    check_file_refused("", ": cannot read: No such file or directory");
    write_file("a.yaml", "mesh: {}\nbase: no.yaml\n");
    check_file_refused("a.yaml", "a.yaml:2: base: no.yaml: cannot read: No such file or directory");
    write_file("a.yaml", "base: [sub]\n");
    check_file_refused("a.yaml", "a.yaml:1: base: sub: cannot read: Is a directory");
    write_file("a.yaml", "base: pipe\n"); /* would wait for ever */
    check_file_refused("a.yaml", "a.yaml:1: base: pipe: cannot read: not a regular file");
    check_file_refused("/dev/zero", "/dev/zero: larger than 1 MiB");
    leave_folder();
}

static void cycles_of_bases_are_refused(void)
{
    enter_folder();
    write_file("a.yaml", "base: a.yaml\n");
    check_file_refused("a.yaml", "a.yaml:1: base: a.yaml: is among its own bases");
    write_file("a.yaml", "\nbase: b.yaml\n");
    write_file("b.yaml", "mesh: {}\n\nbase: ./a.yaml\n"); /* under another name */
    check_file_refused("a.yaml", "b.yaml:3: base: ./a.yaml: is among its own bases");
    leave_folder();
}

static void bases_nest_to_16_levels(void)
{
    enter_folder();
    char name[32], text[32];
    for (int i = 0; i < 17; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "base: %d.yaml\n", i + 1);
        write_file(name, text);
    }
    write_file("17.yaml", "mesh: {width: 17}\n");
    struct fixture f = set_up();
    CHECK(config_load(f.c, "1.yaml", &f.e));
    CHECK_EQ(mesh_of(&f)->width, 17);
    arena_free(f.a);
    check_file_refused("0.yaml", "16.yaml:1: base: 17.yaml: bases nested more than 16 deep");
    leave_folder();
}

/* Each level twice: 2^16 files if nobody counted them. */
static void the_number_of_files_is_bounded(void)
{
    enter_folder();
    char name[32], text[64];
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "base: [%d.yaml, %d.yaml]\n", i + 1, i + 1);
        write_file(name, text);
    }
    write_file("16.yaml", "");
    struct fixture f = set_up();
    CHECK(!config_load(f.c, "0.yaml", &f.e));
    CHECK(strstr(f.e.text, ": more than 256 files in all"));
    arena_free(f.a);
    leave_folder();
}

CHECK_MAIN("config_load", TEST(a_file_overrides_its_bases_in_order),
           TEST(a_base_is_looked_for_beside_its_file),
           TEST(unreadable_files_are_refused_with_the_reason), TEST(cycles_of_bases_are_refused),
           TEST(bases_nest_to_16_levels), TEST(the_number_of_files_is_bounded))
