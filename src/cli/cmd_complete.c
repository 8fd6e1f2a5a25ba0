/* cmd_complete.c - heddle complete: what could stand in the place of the last word of a command line.
 *
 * The completions of all shells ask here.  Options are those of a command's own --help, and so is
 * what follows them (FILE, MACHINE, ...): a new option needs nothing here.  Names come from
 * `heddle list`.  A line ":files" or ":folders" asks the shell for those. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "workload.h"

static const char help[] =
    "usage: heddle complete [WORD]...\n\n"
    "For completion in shells: prints what could stand in the place of the last WORD, given those\n"
    "before it; a line \":files\" or \":folders\" stands for names of files.\n";

/* ---- what other commands print ---- */

/* What a command prints on standard output, or "". */
static char *output_of(struct arena *a, const struct command *c, char **argv)
{
    enum { MOST = 1 << 20 };
    FILE *f = tmpfile();
    char *text = arena_alloc(a, MOST);
    struct err ignored = {0};
    int argc = 0, usual = dup(STDOUT_FILENO);
    while (argv[argc])
        argc++;
    fflush(stdout);
    if (f && usual >= 0 && dup2(fileno(f), STDOUT_FILENO) >= 0) {
        c->run(argc, argv, &ignored);
        fflush(stdout);
        dup2(usual, STDOUT_FILENO);
        rewind(f);
        text[fread(text, 1, MOST - 1, f)] = '\0';
    }
    if (f)
        fclose(f);
    if (usual >= 0)
        close(usual);
    return text;
}

static char *help_of(struct arena *a, const struct command *c)
{
    char option[] = "--help", name[] = "help", *argv[] = {name, option, NULL};
    return output_of(a, c, argv);
}

/* ---- candidates ---- */

/* Says `before` + `name` + `after` if it begins as the word does. */
static void offer(const char *word, const char *before, const char *name, const char *after)
{
    size_t n = strlen(before);
    if (strncmp(word, before, n) == 0 && strncmp(word + n, name, strlen(word + n)) == 0)
        printf("%s%s%s\n", before, name, after);
}

/* The lines that `heddle list WHAT [OF]` prints. */
static void offer_list(struct arena *a, const char *word, const char *before, const char *what,
                       const char *of, const char *after)
{
    char names[] = "--names", list[] = "list", *rest = NULL;
    char *argv[] = {list, arena_strdup(a, what), of ? arena_strdup(a, of) : names, NULL};
    for (char *line = strtok_r(output_of(a, &command_list, argv), "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        offer(word, before, line, after);
}

/* The part of a word up to and including the last of some signs. */
static const char *up_to_last(struct arena *a, const char *word, const char *signs)
{
    size_t n = strlen(word);
    while (n > 0 && !strchr(signs, word[n - 1]))
        n--;
    return arena_printf(a, "%.*s", (int)n, word);
}

/* KEY=VALUE, or KEY=VALUE,VALUE: names first, then values of that name. */
static void offer_setting(struct arena *a, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals)
        offer_list(a, word, "", "params", NULL, "=");
    else
        offer_list(a, word, up_to_last(a, word, "=,"), "values",
                   arena_printf(a, "%.*s", (int)(equals - word), word), "");
}

/* What stands before the colon has arguments, and some of those have words for values. */
static void offer_workload_args(struct arena *a, const char *word)
{
    const char *last = strrchr(word, ',') ? strrchr(word, ',') + 1 : strchr(word, ':') + 1;
    const struct workload *w =
        workload_find(arena_printf(a, "%.*s", (int)strcspn(word, "@:"), word));
    for (uint32_t i = 0; w && i < workload_nargs(w); i++) {
        const struct workload_arg *arg = &w->args[i];
        size_t n = strlen(arg->name);
        char value[WORKLOAD_VALUE_N];
        if (!strchr(last, '='))
            offer(word, up_to_last(a, word, ":,"), arg->name, "=");
        else if (arg->choices && strncmp(last, arg->name, n) == 0 && last[n] == '=')
            for (int64_t v = 0; v <= arg->most; v++)
                offer(word, up_to_last(a, word, "="), workload_value_text(value, arg, v), "");
    }
}

static void offer_workload(struct arena *a, const char *word)
{
    if (strchr(word, ':'))
        offer_workload_args(a, word);
    else if (strchr(word, '@'))
        offer_list(a, word, up_to_last(a, word, "@"), "sizes", NULL, "");
    else
        offer_list(a, word, "", "workloads", NULL, "");
}

/* What helps call the thing that an option takes, and where such things are listed. */
static void offer_thing(struct arena *a, const char *thing, const char *word)
{
    static const struct {
        const char *thing, *list;
    } lists[] = {{"MACHINE", "machines"}, {"NETWORK", "networks"}, {"PATTERN", "traffic"},
                 {"SIZE", "sizes"},       {"PREFIXES", "stats"},   {"PARAM", "params"}};
    if (strncmp(thing, "KEY=", 4) == 0)
        offer_setting(a, word);
    else if (strstr(thing, "@SIZE"))
        offer_workload(a, word);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(thing, lists[i].thing) == 0)
            offer_list(a, word, up_to_last(a, word, ","), lists[i].list, NULL, "");
    if (str_is_word(thing, "FILE|MACHINE|NETWORK"))
        puts(":files");
    else if (strcmp(thing, "DIR") == 0)
        puts(":folders");
}

/* ---- options of a help ---- */

struct option_line { /* "  --json FILE   results as JSON" */
    char name[64], thing[64];
};

/* Whether a line of a help is about an option. */
static bool read_option(const char *line, struct option_line *o)
{
    size_t at = strspn(line, " ");
    *o = (struct option_line){0};
    if (at == 0 || at > 4 || line[at] != '-')
        return false;
    size_t n = strcspn(line + at, " [=");
    snprintf(o->name, sizeof o->name, "%.*s", (int)n, line + at);
    const char *next = line + at + n;
    if (next[0] == ' ' && next[1] != ' ' && next[1])
        snprintf(o->thing, sizeof o->thing, "%.*s", (int)strcspn(next + 1, " "), next + 1);
    return true;
}

/* Offers what follows the option `before`; false if nothing does. */
static bool offer_argument(struct arena *a, const struct command *c, const char *before,
                           const char *word)
{
    struct option_line o;
    char *rest = NULL;
    for (char *line = strtok_r(help_of(a, c), "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        if (read_option(line, &o) && strcmp(o.name, before) == 0 && *o.thing) {
            offer_thing(a, o.thing, word);
            return true;
        }
    return false;
}

static void offer_options(struct arena *a, const struct command *c, const char *word)
{
    struct option_line o;
    char *rest = NULL, last[sizeof o.name] = "";
    offer(word, "", "--help", "");
    for (char *line = strtok_r(help_of(a, c), "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        if (read_option(line, &o) && strcmp(o.name, last) != 0) { /* of several forms the first */
            offer(word, "", o.name, "");
            memcpy(last, o.name, sizeof last);
        }
}

/* ---- words that are no options ---- */

/* Lines "  stats   every statistic: ..." of the help of `heddle list`. */
static void offer_kinds(struct arena *a, const char *word)
{
    char *rest = NULL;
    for (char *line = strtok_r(help_of(a, &command_list), "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "  ", 2) == 0 && line[2] >= 'a' && line[2] <= 'z')
            offer(word, "", arena_printf(a, "%.*s", (int)strcspn(line + 2, " "), line + 2), "");
}

static void offer_plain(struct arena *a, const struct command *c, const char *before,
                        const char *word)
{
    if (c == &command_study || c == &command_explore) {
        offer_list(a, word, "", "studies", NULL, "");
        puts(":files");
    } else if (c == &command_report) {
        puts(":folders");
    } else if (c == &command_list && strcmp(before, "values") == 0) {
        offer_thing(a, "PARAM", word);
    } else if (c == &command_list && strcmp(before, "list") == 0) {
        offer_kinds(a, word);
    }
}

static void offer_commands(const char *word, bool is_first)
{
    for (int i = 0; i < command_count; i++)
        if (command_all[i] != &command_complete)
            offer(word, "", command_all[i]->name, "");
    if (is_first && *word == '-') {
        offer(word, "", "--help", "");
        offer(word, "", "--version", "");
    } else if (is_first) {
        offer(word, "", "help", "");
    }
}

static void complete(struct arena *a, int n, char **words)
{
    const char *word = n > 0 ? words[n - 1] : "";
    const struct command *c = NULL;
    for (int i = 0; n > 1 && i < command_count; i++)
        if (strcmp(command_all[i]->name, words[0]) == 0)
            c = command_all[i];
    if (n <= 1 || strcmp(words[0], "help") == 0)
        offer_commands(word, n <= 1);
    else if (c && !offer_argument(a, c, words[n - 2], word)) {
        if (*word == '-')
            offer_options(a, c, word);
        else
            offer_plain(a, c, words[n - 2], word);
    }
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        fputs(help, stdout);
    else
        complete(a, argc - 1, argv + 1);
    arena_free(a);
    return e->status;
}

const struct command command_complete = {"complete", "what could follow, for completion in shells",
                                         run};
