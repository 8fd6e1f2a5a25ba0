#include "check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"

/* ---- output files ---- */

static void write_and(bool (*end)(struct outfile *, struct err *), const char *path,
                      const char *text)
{
    struct outfile o;
    struct err e = {0};
    CHECK(outfile_open(&o, path, &e));
    fputs(text, o.f);
    CHECK(end(&o, &e));
    CHECK_EQ(e.status, STATUS_DONE);
}

static bool discard(struct outfile *o, struct err *e)
{
    (void)e;
    outfile_discard(o);
    return true;
}

static void check_content(const char *path, const char *want)
{
    char *text = picture_rig_read(path);
    CHECK_STR(text, want);
    free(text);
}

static void a_committed_file_is_whole(void)
{
    picture_rig_enter();
    write_and(outfile_commit, "a.json", "{}\n");
    check_content("a.json", "{}\n");
    CHECK_EQ(picture_rig_files(), 1);
    picture_rig_leave();
}

static void before_the_commit_there_is_no_file_of_that_name(void)
{
    struct outfile o;
    struct err e = {0};
    picture_rig_enter();
    CHECK(outfile_open(&o, "a.json", &e));
    fputs("half", o.f);
    fflush(o.f);
    CHECK(access("a.json", F_OK) != 0);
    CHECK(outfile_commit(&o, &e));
    CHECK(access("a.json", F_OK) == 0);
    picture_rig_leave();
}

static void a_discarded_file_leaves_nothing_behind(void)
{
    picture_rig_enter();
    write_and(discard, "a.json", "half a resul");
    CHECK_EQ(picture_rig_files(), 0);
    picture_rig_leave();
}

static void an_old_file_stays_until_the_new_one_is_whole(void)
{
    picture_rig_enter();
    write_and(outfile_commit, "a.csv", "old\n");
    write_and(discard, "a.csv", "ne");
    check_content("a.csv", "old\n");
    write_and(outfile_commit, "a.csv", "new\n");
    check_content("a.csv", "new\n");
    CHECK_EQ(picture_rig_files(), 1);
    picture_rig_leave();
}

static void what_cannot_be_opened_is_refused(void)
{
    struct outfile o;
    struct err e = {0};
    picture_rig_enter();
    CHECK(!outfile_open(&o, "no/such/folder/a.json", &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "no/such/folder/a.json: cannot write: No such file or directory");
    CHECK_EQ(picture_rig_files(), 0);
    picture_rig_leave();
}

static void a_folder_is_not_replaced(void)
{
    struct outfile o;
    struct err e = {0};
    picture_rig_enter();
    CHECK_EQ(mkdir("results", 0777), 0);
    if (outfile_open(&o, "results", &e))
        CHECK(!outfile_commit(&o, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "results: cannot write: ") == e.text);
    CHECK_EQ(rmdir("results"), 0); /* and it is empty */
    CHECK_EQ(picture_rig_files(), 0);
    picture_rig_leave();
}

static void a_name_that_is_too_long_is_refused(void)
{
    static char name[9000];
    struct outfile o;
    struct err e = {0};
    memset(name, 'x', sizeof name - 1);
    CHECK(!outfile_open(&o, name, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
}

static void a_dash_is_standard_output(void)
{
    struct outfile o;
    struct err e = {0};
    CHECK(outfile_open(&o, "-", &e));
    CHECK(o.f == stdout);
    outfile_discard(&o); /* does not close it */
    CHECK(outfile_commit(&o, &e));
    CHECK_EQ(fflush(stdout), 0);
}

/* ---- rates ---- */

static void rates_are_a_number_or_a_range(void)
{
    static const struct {
        const char *text;
        int n;
        double first, last;
    } good[] = {
        {"0.1", 1, 0.1, 0.1},
        {"0", 1, 0, 0},
        {"0.05:0.4:0.05", 8, 0.05, 0.4},
        {"0.1:0.3:0.1", 3, 0.1, 0.3},
        {"0.1:0.35:0.1", 3, 0.1, 0.3},
        {"0.2:0.2:0.1", 1, 0.2, 0.2},
        {"0:0.9999:0.0001", 10000, 0, 0.9999},
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double *rates;
        int n;
        struct err e = {0};
        CHECK(parse_rates(a, good[i].text, &rates, &n, &e));
        CHECK_EQ(n, good[i].n);
        CHECK_NEAR(rates[0], good[i].first, 0);
        CHECK_NEAR(rates[n - 1], good[i].last, 0); /* 0.3, not 0.30000000000000004 */
    }
    arena_free(a);
}

static void nonsense_is_no_rate(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "--rate : expected A or A:B:STEP, got \"\""},
        {"abc", "--rate abc: expected A or A:B:STEP, got \"abc\""},
        {"-0.1", "--rate -0.1: expected A or A:B:STEP, got \"-0.1\""},
        {"nan", "--rate nan: expected A or A:B:STEP, got \"nan\""},
        {"inf", "--rate inf: expected A or A:B:STEP, got \"inf\""},
        {"0.1:x:0.1", "--rate 0.1:x:0.1: expected A or A:B:STEP, got \"x\""},
        {"0.1::0.1", "--rate 0.1::0.1: expected A or A:B:STEP, got \"\""},
        {"0.1:0.2", "--rate 0.1:0.2: expected A or A:B:STEP with A <= B and at most 10000 points"},
        {"0.3:0.1:0.1",
         "--rate 0.3:0.1:0.1: expected A or A:B:STEP with A <= B and at most 10000 points"},
        {"0.1:0.3:0",
         "--rate 0.1:0.3:0: expected A or A:B:STEP with A <= B and at most 10000 points"},
        {"0:1:0.0001",
         "--rate 0:1:0.0001: expected A or A:B:STEP with A <= B and at most 10000 points"},
        {"0:1:1e-300",
         "--rate 0:1:1e-300: expected A or A:B:STEP with A <= B and at most 10000 points"},
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double *rates;
        int n;
        struct err e = {0};
        CHECK(!parse_rates(a, bad[i].text, &rates, &n, &e));
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        CHECK_STR(e.text, bad[i].message);
    }
    arena_free(a);
}

static void a_number_that_goes_on_and_on_is_refused(void)
{
    static char text[2000];
    struct arena *a = arena_new();
    double *rates;
    int n;
    struct err e = {0};
    memset(text, '1', sizeof text - 1);
    CHECK(!parse_rates(a, text, &rates, &n, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
}

static void text_in_a_table_is_quoted_where_it_must_be(void)
{
    struct text t;
    text_open(&t);
    outfile_csv_text(t.out, "plain text");
    fputc(' ', t.out);
    outfile_csv_text(t.out, "a,b");
    fputc(' ', t.out);
    outfile_csv_text(t.out, "a \"b\"");
    CHECK_STR(text_close(&t), "plain text \"a,b\" \"a \"\"b\"\"\"");
    text_free(&t);
}

CHECK_MAIN("outfile", TEST(a_committed_file_is_whole),
           TEST(before_the_commit_there_is_no_file_of_that_name),
           TEST(a_discarded_file_leaves_nothing_behind),
           TEST(an_old_file_stays_until_the_new_one_is_whole),
           TEST(what_cannot_be_opened_is_refused), TEST(a_folder_is_not_replaced),
           TEST(a_name_that_is_too_long_is_refused), TEST(a_dash_is_standard_output),
           TEST(rates_are_a_number_or_a_range), TEST(nonsense_is_no_rate),
           TEST(a_number_that_goes_on_and_on_is_refused),
           TEST(text_in_a_table_is_quoted_where_it_must_be))
