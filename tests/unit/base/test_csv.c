#include "check.h"

#include <unistd.h>

#include "base/csv.h"

struct fixture {
    struct arena *a;
    struct csv *t;
    struct err e;
    char path[40];
};

static void open_bytes(struct fixture *f, const char *text, size_t n)
{
    *f = (struct fixture){.a = arena_new()};
    strcpy(f->path, "/tmp/heddle-csv-XXXXXX");
    FILE *out = fdopen(mkstemp(f->path), "w");
    fwrite(text, 1, n, out);
    fclose(out);
    f->t = csv_read(f->a, f->path, &f->e);
    unlink(f->path);
}

static void open_text(struct fixture *f, const char *text)
{
    open_bytes(f, text, strlen(text));
}

/* Whether *e is of bad input and reads "<path><why>". */
static bool says(const struct fixture *f, const char *why)
{
    size_t n = strlen(f->path);
    bool ok = f->e.status == STATUS_BAD_INPUT && strncmp(f->e.text, f->path, n) == 0 &&
              strcmp(f->e.text + n, why) == 0;
    if (!ok)
        print_error("got %s\n", f->e.status ? f->e.text : "no error");
    return ok;
}

static bool refuses(const char *text, const char *why)
{
    struct fixture f;
    open_text(&f, text);
    bool ok = !f.t && says(&f, why);
    arena_free(f.a);
    return ok;
}

static void cells_are_found_by_row_and_by_name_of_their_column(void)
{
    struct fixture f;
    double v = 0;
    uint32_t n = 0;
    open_text(&f, "name,size,energy\na,7,1.5e-12\nb,8,-2\n");
    CHECK(f.t != NULL);
    CHECK_EQ(f.t->ncolumns, 3);
    CHECK_EQ(f.t->nrows, 2);
    CHECK_STR(csv_text(f.t, 1, csv_column(f.t, "name", &f.e)), "b");
    CHECK(csv_count(f.t, 0, csv_column(f.t, "size", &f.e), &n, &f.e));
    CHECK_EQ(n, 7);
    CHECK(csv_real(f.t, 0, csv_column(f.t, "energy", &f.e), &v, &f.e));
    CHECK_NEAR(v, 1.5e-12, 1e-15);
    CHECK(csv_real(f.t, 1, csv_column(f.t, "energy", &f.e), &v, &f.e));
    CHECK_NEAR(v, -2, 1e-15);
    CHECK_EQ(f.e.status, STATUS_DONE);
    arena_free(f.a);
}

static void blank_lines_comments_carriage_returns_and_byte_order_marks_mean_nothing(void)
{
    struct fixture f;
    open_text(&f, "\xef\xbb\xbf"
                  "a,b\r\n\r\n1,2\r\n# no, row\n3,4");
    CHECK(f.t != NULL);
    CHECK_STR(f.t->name[0], "a");
    CHECK_STR(f.t->name[1], "b");
    CHECK_EQ(f.t->nrows, 2);
    CHECK_STR(csv_text(f.t, 0, 1), "2");
    CHECK_STR(csv_text(f.t, 1, 1), "4");
    CHECK_EQ(f.t->line[0], 3);
    CHECK_EQ(f.t->line[1], 5);
    arena_free(f.a);
}

static void quotes_keep_commas_and_double_for_themselves(void)
{
    struct fixture f;
    open_text(&f, "a,\"b, c\",d\n\"x \"\"y\"\"\",\"\",z\n");
    CHECK(f.t != NULL);
    CHECK_STR(f.t->name[1], "b, c");
    CHECK_STR(csv_text(f.t, 0, 0), "x \"y\"");
    CHECK_STR(csv_text(f.t, 0, 1), "");
    CHECK_STR(csv_text(f.t, 0, 2), "z");
    arena_free(f.a);
    CHECK(refuses("a,b\n\"x,1\n", ":2: a quote that is not closed"));
    CHECK(refuses("a,b\n\"x\"y,1\n", ":2: text after a closing quote"));
}

static void cells_may_be_empty_but_not_missing(void)
{
    struct fixture f;
    open_text(&f, "a,b,c\n,,\n1,,\n");
    CHECK(f.t != NULL);
    CHECK_EQ(f.t->nrows, 2);
    CHECK_STR(csv_text(f.t, 0, 0), "");
    CHECK_STR(csv_text(f.t, 1, 0), "1");
    CHECK_STR(csv_text(f.t, 1, 2), "");
    arena_free(f.a);
    CHECK(refuses("a,b,c\n1,2,3\n1,2\n", ":3: 2 cells, 3 columns"));
    CHECK(refuses("a,b\n1,2,3\n", ":2: 3 cells, 2 columns"));
}

static void names_are_there_once(void)
{
    CHECK(refuses("", ":1: no line of column names"));
    CHECK(refuses("\n\n", ":1: no line of column names"));
    CHECK(refuses("a,b,a\n", ":1: two columns of the same name"));
}

static void a_column_that_is_not_there_is_named_with_what_is_near(void)
{
    struct fixture f;
    open_text(&f, "e_sned,leak\n1,2\n");
    CHECK_EQ(csv_column(f.t, "e_send", &f.e), -1);
    CHECK(says(&f, ":1: no column \"e_send\"; did you mean e_sned?"));
    f.e = (struct err){0};
    CHECK_EQ(csv_column(f.t, "wavelengths", &f.e), -1);
    CHECK(says(&f, ":1: no column \"wavelengths\""));
    arena_free(f.a);
}

static bool refuses_number(const char *cell, bool is_count, const char *why)
{
    struct fixture f;
    char text[64];
    double v;
    uint32_t n;
    snprintf(text, sizeof text, "a,w\nx,1\nx,%s\n", cell);
    open_text(&f, text);
    bool read = is_count ? csv_count(f.t, 1, 1, &n, &f.e) : csv_real(f.t, 1, 1, &v, &f.e);
    bool ok = !read && says(&f, why);
    arena_free(f.a);
    return ok;
}

static void what_is_no_number_is_refused_with_its_line(void)
{
    CHECK(refuses_number("abc", false, ":3: w: \"abc\" is no number"));
    CHECK(refuses_number("", false, ":3: w: \"\" is no number"));
    CHECK(refuses_number("1.5x", false, ":3: w: \"1.5x\" is no number"));
    CHECK(refuses_number("12mm", false, ":3: w: \"12mm\" is no number"));
    CHECK(refuses_number("nan", false, ":3: w: \"nan\" is no number"));
    CHECK(refuses_number("1e999", false, ":3: w: \"1e999\" is no number"));
    CHECK(refuses_number("2.5", true, ":3: w: \"2.5\" is no whole number"));
    CHECK(refuses_number("-1", true, ":3: w: \"-1\" is no whole number"));
    CHECK(refuses_number("4294967296", true, ":3: w: \"4294967296\" is no whole number"));
}

static void files_that_cannot_be_read_are_refused(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(csv_read(a, "/nonexistent/x.csv", &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    e = (struct err){0};
    CHECK(csv_read(a, "/", &e) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
    struct fixture f;
    open_bytes(&f, "a,b\n1,\0\n", 8);
    CHECK(f.t == NULL);
    CHECK(says(&f, ": no text: it has a NUL byte"));
    arena_free(f.a);
}

static void more_columns_than_anybody_needs_are_refused(void)
{
    char text[2000] = "c";
    for (int i = 1; i < 257; i++)
        strcat(text, ",c");
    CHECK(refuses(text, ":1: more than 256 columns"));
}

static void large_files_are_read_whole(void)
{
    enum { ROWS = 20000 };
    struct fixture f;
    char *text = malloc(ROWS * 16);
    size_t used = (size_t)sprintf(text, "i,twice\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, "%d,%d\n", i, 2 * i);
    open_bytes(&f, text, used);
    free(text);
    CHECK(f.t != NULL);
    CHECK_EQ(f.t->nrows, ROWS);
    for (int i = 0; i < ROWS; i += 97)
        CHECK_EQ(atoi(csv_text(f.t, i, 1)), 2 * i);
    arena_free(f.a);
}

CHECK_MAIN("csv", TEST(cells_are_found_by_row_and_by_name_of_their_column),
           TEST(blank_lines_comments_carriage_returns_and_byte_order_marks_mean_nothing),
           TEST(quotes_keep_commas_and_double_for_themselves),
           TEST(cells_may_be_empty_but_not_missing), TEST(names_are_there_once),
           TEST(a_column_that_is_not_there_is_named_with_what_is_near),
           TEST(what_is_no_number_is_refused_with_its_line),
           TEST(files_that_cannot_be_read_are_refused),
           TEST(more_columns_than_anybody_needs_are_refused), TEST(large_files_are_read_whole))
