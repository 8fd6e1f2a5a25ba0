#include "check.h"

#include "study/study_priv.h"

static const char *const words[] = {"alpha", "beta", "gamma"};
static const struct study_names letters = {"letter", words, 3};

struct fixture {
    struct err e;
    struct study_reader r;
    struct tree map, child;
};

/* A map with one child: {key: text}. */
static void set_up(struct fixture *f, const char *text)
{
    *f = (struct fixture){0};
    f->r = (struct study_reader){.arena = arena_new(), .e = &f->e};
    f->child = (struct tree){.kind = TREE_SCALAR, .line = 7, .file = "f", .key = "k", .text = text};
    f->map = (struct tree){
        .kind = TREE_MAP, .line = 1, .file = "f", .key = "", .first = &f->child, .n = 1};
}

static void tear_down(struct fixture *f)
{
    arena_free(f->r.arena);
}

static void numbers_have_no_units(void)
{
    static const char *const bad[] = {"", "6%", "1.5x", "nan", "inf", "0x10", "1 2"};
    struct fixture f;
    double v = 5;
    set_up(&f, "-1.5e2");
    CHECK(study_number(&f.r, &f.map, "k", &v));
    CHECK_NEAR(v, -150, 0);
    CHECK(study_number(&f.r, &f.map, "absent", &v));
    CHECK_NEAR(v, -150, 0);
    tear_down(&f);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        set_up(&f, bad[i]);
        CHECK(!study_number(&f.r, &f.map, "k", &v));
        CHECK(strstr(f.e.text, "f:7: k: expected a number") == f.e.text);
        tear_down(&f);
    }
}

static void a_choice_is_one_of_its_words(void)
{
    struct fixture f;
    int choice = 9;
    set_up(&f, "beta");
    CHECK(study_choice(&f.r, &f.map, "absent", &letters, &choice));
    CHECK_EQ(choice, 9);
    CHECK(study_choice(&f.r, &f.map, "k", &letters, &choice));
    CHECK_EQ(choice, 1);
    tear_down(&f);
    set_up(&f, "betta");
    CHECK(!study_choice(&f.r, &f.map, "k", &letters, &choice));
    CHECK_STR(f.e.text, "f:7: k: no letter \"betta\"; did you mean beta?");
    tear_down(&f);
    set_up(&f, "omega2000");
    CHECK(!study_choice(&f.r, &f.map, "k", &letters, &choice));
    CHECK_STR(f.e.text, "f:7: k: no letter \"omega2000\" (there are: alpha, beta, gamma)");
    tear_down(&f);
}

static void an_absent_list_is_all_and_a_given_one_keeps_its_order(void)
{
    struct fixture f;
    const uint32_t *list;
    uint32_t n;
    set_up(&f, "gamma");
    CHECK(study_indices(&f.r, NULL, &letters, &list, &n));
    CHECK_EQ(n, 3);
    CHECK_EQ(list[2], 2);
    struct tree other = {.kind = TREE_SCALAR, .file = "f", .key = "", .text = "alpha"};
    f.child.next = &other;
    f.map.kind = TREE_LIST;
    f.map.n = 2;
    CHECK(study_indices(&f.r, &f.map, &letters, &list, &n));
    CHECK_EQ(n, 2);
    CHECK_EQ(list[0], 2);
    CHECK_EQ(list[1], 0);
    CHECK_EQ(study_place(list, n, 0), 1);
    CHECK_EQ(study_place(list, n, 1), -1);
    CHECK(!study_indices(&f.r, &f.child, &letters, &list, &n));
    CHECK_STR(f.e.text, "f:7: k: expected a list ([a, b, ...])");
    tear_down(&f);
}

static void an_expression_is_blamed_on_its_line(void)
{
    struct fixture f;
    set_up(&f, "1 +");
    CHECK(study_expr(&f.r, &f.child) == NULL);
    CHECK(strstr(f.e.text, "f:7: k: column 4: expected") == f.e.text);
    tear_down(&f);
}

CHECK_MAIN("study_words", TEST(numbers_have_no_units), TEST(a_choice_is_one_of_its_words),
           TEST(an_absent_list_is_all_and_a_given_one_keeps_its_order),
           TEST(an_expression_is_blamed_on_its_line))
