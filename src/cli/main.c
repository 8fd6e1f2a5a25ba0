/* main.c - the heddle program: picks the command, prints the error, gives the exit status. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "heddle/heddle.h"

static void usage(FILE *out)
{
    fputs("heddle - a laboratory for the memory networks of GPUs\n\n"
          "usage: heddle COMMAND [OPTION]...\n\n",
          out);
    for (int i = 0; i < command_count; i++)
        fprintf(out, "  %-8s %s\n", command_all[i]->name, command_all[i]->help);
    fputs("\nheddle COMMAND --help says more; heddle --version says which version this is.\n"
          "exit status: 0 done, 1 a check failed, 2 bad input, 3 deadlock, 4 out of budget\n",
          out);
}

static const struct command *find(const char *name, struct err *e)
{
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < command_count; i++) {
        if (strcmp(name, command_all[i]->name) == 0)
            return command_all[i];
        str_hint_offer(&hint, command_all[i]->name);
    }
    err_set(e, STATUS_BAD_INPUT, "no command \"%s\"%s", name,
            str_hint_text(&hint, " (heddle --help shows them)"));
    return NULL;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    if (argc < 2) {
        usage(stderr);
        return STATUS_BAD_INPUT;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        printf("heddle %s\n", hd_version());
        return STATUS_DONE;
    }
    bool wants_help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (wants_help && argc == 2)) {
        usage(stdout);
        return STATUS_DONE;
    }
    char help_option[] = "--help", *help_args[] = {argv[argc - 1], help_option, NULL};
    if (wants_help) { /* heddle help noc */
        const struct command *about = find(argv[2], &e);
        if (about)
            about->run(2, help_args, &e);
        else
            fprintf(stderr, "heddle: %s\n", e.text);
        return (int)e.status;
    }
    const struct command *c = find(argv[1], &e);
    enum status s = c ? c->run(argc - 1, argv + 1, &e) : STATUS_BAD_INPUT;
    if (fflush(stdout) != 0 || ferror(stdout))
        err_set(&e, STATUS_FAILED, "standard output: cannot write");
    if (e.status != STATUS_DONE) {
        fprintf(stderr, "heddle: %s\n", e.text);
        return (int)e.status;
    }
    return (int)s;
}
