/* Where a document comes from: this test's own command, as a shell would take it. */
#include "cli/origin.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "heddle/heddle.h"
#include "rig/capture.h"

/* What a child says that was started with these words. */
static const char *say(struct arena *a, char *const words[])
{
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv("/proc/self/exe", words);
        _exit(1);
    }
    close(ends[1]);
    char *text = arena_alloc(a, 1 << 16);
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], text + used, (1 << 16) - 1 - used)) > 0;)
        used += (size_t)n;
    close(ends[0]);
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return text;
}

static void a_command_is_what_a_shell_would_take(void)
{
    struct arena *a = arena_new();
    char *plain[] = {"/any/where/heddle", "--say-json", "-m", "icc60", NULL};
    const char *text = say(a, plain);
    CHECK(strstr(text, "\"command\": \"heddle --say-json -m icc60\"") != NULL);
    CHECK(strstr(text, arena_printf(a, "\"version\": \"%s\"", hd_version())) != NULL);
    CHECK(strstr(text, arena_printf(a, "\"model\": \"%s\"", origin_model(a))) != NULL);
    char *odd[] = {"heddle", "--say-json", "", "", "a b", "it's", NULL};
    CHECK(strstr(say(a, odd), "heddle --say-json '' '' 'a b' 'it'\\\\''s'\"") != NULL);
    arena_free(a);
}

static void a_long_command_is_whole(void)
{
    struct arena *a = arena_new();
    char *word = arena_alloc(a, 20001);
    memset(word, 'x', 20000);
    char *words[] = {"heddle", "--say-json", word, "end", NULL};
    CHECK(strstr(say(a, words), arena_printf(a, " %s end\"", word)) != NULL);
    arena_free(a);
}

static void a_table_has_three_lines_of_comment_above_it(void)
{
    struct arena *a = arena_new();
    char *words[] = {"heddle", "--say-csv", "two\nlines", NULL};
    CHECK_STR(say(a, words), arena_printf(a,
                                          "# heddle %s\n# command: heddle --say-csv 'two\\nlines'\n"
                                          "# model: %s\n",
                                          hd_version(), origin_model(a)));
    CHECK_EQ(strlen(origin_model(a)), 16);
    arena_free(a);
}

static void a_date_can_be_fixed(void)
{
    struct arena *a = arena_new();
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    CHECK_STR(origin_date(a), "1970-01-02 00:00 UTC");
    setenv("SOURCE_DATE_EPOCH", "soon", 1);
    CHECK(strncmp(origin_date(a), "20", 2) == 0);
    unsetenv("SOURCE_DATE_EPOCH");
    CHECK_EQ(strlen(origin_date(a)), 20);
    arena_free(a);
}

static void a_host_has_a_name_and_processors(void)
{
    struct arena *a = arena_new();
    const char *host = origin_host(a);
    CHECK(*host && *host != ' ' && *host != '(');
    CHECK(strstr(host, " processor") != NULL);
    CHECK(strchr(host, '\n') == NULL);
    arena_free(a);
}

static int say_it(bool is_csv)
{
    struct json j;
    if (is_csv) {
        origin_csv(stdout);
        return 0;
    }
    json_begin(&j, stdout);
    json_open_object(&j, false);
    origin_json(&j);
    json_close_object(&j);
    json_end(&j);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strncmp(argv[1], "--say-", 6) == 0)
        return say_it(strcmp(argv[1], "--say-csv") == 0);
    const struct CMUnitTest tests[] = {
        TEST(a_command_is_what_a_shell_would_take), TEST(a_long_command_is_whole),
        TEST(a_table_has_three_lines_of_comment_above_it), TEST(a_date_can_be_fixed),
        TEST(a_host_has_a_name_and_processors)};
    return check_tally_("origin", 5, cmocka_run_group_tests_name("origin", tests, NULL, NULL));
}
