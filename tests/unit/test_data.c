#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "lab/lab.h"
#include "rig/picture_rig.h"

static void touch(const char *path)
{
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fclose(f);
}

/* A data folder of its own under the working folder. */
static void enter_data(void)
{
    picture_rig_enter();
    CHECK_EQ(mkdir("data", 0777), 0);
    CHECK_EQ(mkdir("data/networks", 0777), 0);
    setenv("HEDDLE_DATA", "data", 1);
}

static void leave_data(void)
{
    static const char *const files[] = {"zebra.yaml", "mesh.yaml", "ant.yaml",
                                        "notes.txt",  ".yaml",     ".hid.yaml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "data/networks/%s", files[i]);
        unlink(path);
    }
    CHECK_EQ(rmdir("data/networks"), 0);
    CHECK_EQ(rmdir("data"), 0);
    unsetenv("HEDDLE_DATA");
    picture_rig_leave();
}

static void networks_are_the_yaml_files_in_order_of_name(void)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    enter_data();
    touch("data/networks/zebra.yaml");
    touch("data/networks/mesh.yaml");
    touch("data/networks/ant.yaml");
    touch("data/networks/notes.txt");
    touch("data/networks/.yaml");
    touch("data/networks/.hid.yaml");
    CHECK_EQ(data_networks(a, &names, &paths), 3);
    CHECK_STR(names[0], "ant");
    CHECK_STR(names[1], "mesh");
    CHECK_STR(names[2], "zebra");
    CHECK_STR(paths[0], "data/networks/ant.yaml");
    CHECK_STR(paths[2], "data/networks/zebra.yaml");
    leave_data();
    arena_free(a);
}

static void a_name_stands_for_its_file(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    enter_data();
    touch("data/networks/mesh.yaml");
    CHECK_STR(data_network(a, "mesh", &e), "data/networks/mesh.yaml");
    leave_data();
    arena_free(a);
}

static void a_path_stands_for_itself(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK_STR(data_network(a, "my.yaml", &e), "my.yaml");
    CHECK_STR(data_network(a, "./mesh", &e), "./mesh");
    CHECK_STR(data_network(a, "no/such/file", &e), "no/such/file"); /* whoever reads it complains */
    CHECK_EQ(e.status, STATUS_DONE);
    arena_free(a);
}

static void an_unknown_name_is_refused_with_the_nearest_one(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    enter_data();
    touch("data/networks/zebra.yaml");
    CHECK(data_network(a, "zerba", &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "no network \"zerba\"; did you mean zebra?");
    e = (struct err){0};
    CHECK(data_network(a, "qqqqqqqq", &e) == NULL);
    CHECK_STR(e.text, "no network \"qqqqqqqq\" (heddle list networks shows them)");
    leave_data();
    arena_free(a);
}

static void without_any_data_there_are_no_networks(void)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    struct err e = {0};
    setenv("HEDDLE_DATA", "/nonexistent", 1);
    CHECK_EQ(data_networks(a, &names, &paths), 0);
    CHECK(data_network(a, "mesh", &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    unsetenv("HEDDLE_DATA");
    arena_free(a);
}

static void every_network_of_the_source_tree_can_be_loaded(void)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    setenv("HEDDLE_DATA", HEDDLE_SOURCE_DIR, 1);
    int n = data_networks(a, &names, &paths);
    CHECK(n >= 10);
    for (int i = 0; i < n; i++) {
        struct arena *each = arena_new();
        struct config *c = lab_config(each);
        struct err e = {0};
        CHECK(config_load(c, paths[i], &e));
        CHECK(strlen(config_doc(c)) > 0);
        CHECK_EQ(e.status, STATUS_DONE);
        arena_free(each);
    }
    unsetenv("HEDDLE_DATA");
    arena_free(a);
}

CHECK_MAIN("data", TEST(networks_are_the_yaml_files_in_order_of_name),
           TEST(a_name_stands_for_its_file), TEST(a_path_stands_for_itself),
           TEST(an_unknown_name_is_refused_with_the_nearest_one),
           TEST(without_any_data_there_are_no_networks),
           TEST(every_network_of_the_source_tree_can_be_loaded))
