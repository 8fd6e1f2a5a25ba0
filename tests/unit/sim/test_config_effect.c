#include "check.h"

#include "sim/config.h"

#define BUFFER_ROWS(F, id)                                                                         \
    F(id, BOOL, enabled, "false", 0, 0, "", "there is one")                                        \
    F(id, INT, entries, "8", 0, 64, "entry", "of it")                                              \
    F(id, CHOICE, order, "fifo", 0, 0, "fifo|lru|random", "who leaves first")                      \
    F(id, INT, seed, "1", 0, 99, "", "of the draws")                                               \
    F(id, LIST, marks, "", 0, 64, "entry", "that are counted")                                     \
    F(id, BOOL, deep, "false", 0, 0, "", "... in depth")
#define RING_ROWS(F, id) F(id, INT, nodes, "8", 1, 64, "node", "in the ring")

CFG_STRUCT(buffer, BUFFER_ROWS)
CFG_SECTION_WHEN(buffer, BUFFER_ROWS, "a buffer", {"*", "buffer.enabled=true"},
                 {"seed", "buffer.order!=fifo|lru"}, {"deep", "buffer.marks!="},
                 {"deep", "elsewhere.row=1"})
CFG_STRUCT(ring, RING_ROWS)
CFG_SECTION(ring, RING_ROWS, "a ring")

static const struct cfg_section *const sections[] = {&buffer_section, &ring_section};

struct fixture {
    struct arena *a;
    struct config *c;
    struct err e;
};

static struct fixture set_up(void)
{
    struct fixture f = {.a = arena_new()};
    f.c = config_new(f.a, sections, 2);
    return f;
}

static void set(struct fixture *f, const char *assignment)
{
    CHECK(config_set(f->c, assignment, &f->e));
}

static const char *why(const struct fixture *f, const char *key)
{
    const char *text = config_why_idle(f->c, f->a, key);
    return text ? text : "";
}

static void a_section_that_nobody_asked_for_has_no_effect(void)
{
    struct fixture f = set_up();
    CHECK_STR(why(&f, "ring.nodes"), "nothing here reads section ring");
    config_get(f.c, &ring_section);
    CHECK_STR(why(&f, "ring.nodes"), "");
    arena_free(f.a);
}

static void rows_need_what_their_section_says(void)
{
    struct fixture f = set_up();
    config_get(f.c, &buffer_section);
    CHECK_STR(why(&f, "buffer.entries"), "buffer.enabled is false");
    CHECK_STR(why(&f, "buffer.enabled"), ""); /* it is what the others look at */
    set(&f, "buffer.enabled=true");
    CHECK_STR(why(&f, "buffer.entries"), "");
    CHECK_STR(why(&f, "buffer.seed"), "buffer.order is fifo");
    set(&f, "buffer.order=random");
    CHECK_STR(why(&f, "buffer.seed"), "");
    CHECK_STR(why(&f, "buffer.deep"), "buffer.marks is empty");
    set(&f, "buffer.marks=3"); /* what is needed of a section that is not here is not asked */
    CHECK_STR(why(&f, "buffer.deep"), "");
    arena_free(f.a);
}

static void settings_are_known_once_with_whether_they_changed_anything(void)
{
    struct fixture f = set_up();
    bool is_same;
    set(&f, "ring.nodes=4");
    set(&f, "buffer.entries=8");
    set(&f, "ring.nodes=8");
    CHECK(config_set_option(f.c, "buffer.seed=1", &f.e));
    CHECK_STR(config_setting(f.c, 0, &is_same), "ring.nodes");
    CHECK(is_same); /* in the end */
    CHECK_STR(config_setting(f.c, 1, &is_same), "buffer.entries");
    CHECK(is_same);
    CHECK(config_setting(f.c, 2, &is_same) == NULL);
    set(&f, "ring.nodes=5");
    CHECK_STR(config_setting(f.c, 0, &is_same), "ring.nodes");
    CHECK(!is_same);
    arena_free(f.a);
}

static void files_make_no_settings(void)
{
    struct fixture f = set_up();
    bool is_same;
    static const char text[] = "ring: {nodes: 4}\n";
    CHECK(config_load_text(f.c, "a.yaml", text, sizeof text - 1, &f.e));
    CHECK(config_setting(f.c, 0, &is_same) == NULL);
    arena_free(f.a);
}

CHECK_MAIN("config_effect", TEST(a_section_that_nobody_asked_for_has_no_effect),
           TEST(rows_need_what_their_section_says),
           TEST(settings_are_known_once_with_whether_they_changed_anything),
           TEST(files_make_no_settings))
