/* cmd_record.c - heddle record: the warp streams of a run, in a file. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/trace.h"

static const char help[] = "usage: heddle record -w NAME[@SIZE] -o FILE [OPTION]...\n"
                           "       heddle record --ptx FILE --launch FILE -o FILE [OPTION]...\n\n"
                           "Executes kernels and records the instructions and addresses of every "
                           "warp; heddle run --trace\n"
                           "reads them back.\n\n" EXECUTE_HELP_WHAT
                           "  -o FILE               where to record\n" EXECUTE_HELP_HOW;

static const struct option long_options[] = {
    EXECUTE_LONG_OPTIONS, {"help", no_argument, NULL, 'h'}, {0}};

static bool parse(int argc, char **argv, struct execute *x, bool *wants_help, struct err *e)
{
    *x = (struct execute){.seed = 1};
    *wants_help = false;
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":w:o:h", long_options, NULL)) != -1;) {
        if (c == 'h')
            *wants_help = true;
        else if (c == 'o')
            x->record = optarg;
        else if (c == '?' || c == ':')
            return execute_refuse_option("record", c, argv, e);
        else if (!execute_option(x, c, optarg, e))
            return false;
    }
    if (*wants_help)
        return true;
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT, "record: unexpected \"%s\" (heddle record --help)",
                       argv[optind]);
    if (!execute_check(x, "record", e))
        return false;
    if (!x->record) {
        err_set(e, STATUS_BAD_INPUT, "record: -o FILE is missing (heddle record --help)");
        return false;
    }
    return strcmp(x->record, "-") != 0 ||
           err_set(e, STATUS_BAD_INPUT, "record: -o needs the name of a file");
}

/* A device or a pipe would be replaced by the file. */
static bool is_usable(const char *path, struct err *e)
{
    struct stat st;
    HD_ASSERT(path, "-o was asked for before");
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: not a regular file", path);
    return outfile_probe(path, e);
}

/* The file is read back: that is what it is for, and its sizes and digest are true then. */
static bool record(const struct execute *x, struct arena *a, struct err *e)
{
    struct execution r;
    struct trace t;
    if (!is_usable(x->record, e) || !execute_run(x, a, &r, e) || !trace_read(x->record, a, &t, e))
        return false;
    trace_print_sizes(&t, a, stdout);
    return true;
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct execute x;
    bool wants_help;
    if (parse(argc, argv, &x, &wants_help, e)) {
        if (wants_help)
            fputs(help, stdout);
        else
            record(&x, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_record = {"record", "the warp streams of kernels, in a file", run};
