#include "check.h"

#include <unistd.h>

#include "base/tree.h"

struct fixture {
    struct arena *a;
    struct tree *top;
    struct err e;
    char path[40];
};

static void open_text(struct fixture *f, const char *text)
{
    *f = (struct fixture){.a = arena_new()};
    strcpy(f->path, "/tmp/heddle-tree-XXXXXX");
    FILE *out = fdopen(mkstemp(f->path), "w");
    fputs(text, out);
    fclose(out);
    f->top = tree_read(f->a, f->path, &f->e);
    unlink(f->path);
}

static bool refuses(const char *text, const char *why)
{
    struct fixture f;
    open_text(&f, text);
    size_t n = strlen(f.path);
    bool ok = !f.top && f.e.status == STATUS_BAD_INPUT && strncmp(f.e.text, f.path, n) == 0 &&
              strcmp(f.e.text + n, why) == 0;
    if (!ok)
        print_error("got %s\n", f.top ? "no error" : f.e.text);
    arena_free(f.a);
    return ok;
}

static void nodes_know_their_kind_their_key_and_their_line(void)
{
    struct fixture f;
    open_text(&f, "a: 1\nb:\n  - x\n  - {c: 'y z'}\nd: {}\n");
    CHECK(f.top != NULL);
    CHECK_EQ(f.top->kind, TREE_MAP);
    CHECK_EQ(f.top->n, 3);
    CHECK_STR(tree_get(f.top, "a")->text, "1");
    const struct tree *b = tree_get(f.top, "b");
    CHECK_EQ(b->kind, TREE_LIST);
    CHECK_EQ(b->line, 2);
    CHECK_EQ(b->n, 2);
    CHECK_STR(b->first->key, "");
    CHECK_STR(tree_get(b->first->next, "c")->text, "y z");
    CHECK_EQ(tree_get(b->first->next, "c")->line, 4);
    CHECK_EQ(tree_get(f.top, "d")->kind, TREE_MAP);
    CHECK(tree_get(f.top, "e") == NULL);
    CHECK(tree_get(b, "e") == NULL);
    CHECK(tree_get(NULL, "e") == NULL);
    arena_free(f.a);
}

static void unknown_keys_are_named_with_what_is_near(void)
{
    struct fixture f;
    char expected[128];
    open_text(&f, "title: 1\nsizes: 2\n");
    CHECK(tree_knows(f.top, "sizes|title", &f.e));
    CHECK(!tree_knows(f.top, "size|title", &f.e));
    snprintf(expected, sizeof expected, "%s:2: sizes: unknown key; did you mean size?", f.path);
    CHECK_STR(f.e.text, expected);
    arena_free(f.a);
}

static void what_is_not_plain_yaml_is_refused(void)
{
    CHECK(refuses("a: &x 1\nb: *x\n", ":2: aliases (*name) are not supported"));
    CHECK(refuses("a: !!int 1\n", ":1: tags (!name) are not supported"));
    CHECK(refuses("a: 1\nb: 2\na: 3\n", ":3: a: given twice, first on line 1"));
    CHECK(refuses("- 1\n", ":1: expected a map (name: value, ...)"));
    CHECK(refuses("", ":1: expected a map (name: value, ...)"));
    CHECK(refuses("a: 1\n---\nb: 1\n", ": more than one document"));
    CHECK(refuses("a: [[[[[[[[[1]]]]]]]]]\n", ":1: nested too deeply"));
}

static void files_that_cannot_be_read_are_named(void)
{
    struct arena *a = arena_new();
    struct err e = {0}, f = {0};
    CHECK(tree_read(a, "/none/x", &e) == NULL);
    CHECK_STR(e.text, "/none/x: cannot read: No such file or directory");
    CHECK(tree_read(a, "/", &f) == NULL);
    CHECK_STR(f.text, "/: cannot read: Is a directory");
    CHECK_EQ(f.status, STATUS_BAD_INPUT);
    arena_free(a);
}

CHECK_MAIN("tree", TEST(nodes_know_their_kind_their_key_and_their_line),
           TEST(unknown_keys_are_named_with_what_is_near), TEST(what_is_not_plain_yaml_is_refused),
           TEST(files_that_cannot_be_read_are_named))
