/* cmd_run.c - heddle run: executes kernels and checks what they computed. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/run_out.h"
#include "cli/trace.h"

static const char help[] =
    "usage: heddle run -w NAME[@SIZE] --functional [OPTION]...\n"
    "       heddle run --ptx FILE --launch FILE --functional [OPTION]...\n"
    "       heddle run --trace FILE --functional [--json FILE]\n\n"
    "Executes kernels and checks their outputs.\n\n" EXECUTE_HELP_WHAT
    "  --trace FILE          a file of heddle record: read all of it back, check it\n"
    "  --functional          without timing (this version has no model of a "
    "machine)\n" EXECUTE_HELP_HOW
    "  --no-stream           do not make the warp streams that a timing run would read\n"
    "  --json FILE           results as JSON ('-': standard output, and nothing else there)\n";

struct options {
    struct execute execute;
    const char *json, *trace;
    bool functional, wants_help;
};

enum { OPT_FUNCTIONAL = 256, OPT_NO_STREAM, OPT_JSON, OPT_TRACE };

static const struct option long_options[] = {EXECUTE_LONG_OPTIONS,
                                             {"functional", no_argument, NULL, OPT_FUNCTIONAL},
                                             {"no-stream", no_argument, NULL, OPT_NO_STREAM},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"trace", required_argument, NULL, OPT_TRACE},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

static bool refuse_timing(struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT,
                   "run: timing needs a machine (-m), and this version has no model of one; "
                   "--functional executes and checks without timing");
}

static bool take_option(struct options *o, int c, char **argv, struct err *e)
{
    switch (c) {
    case 'h':
        o->wants_help = true;
        return true;
    case 'm':
        return refuse_timing(e);
    case OPT_FUNCTIONAL:
        o->functional = true;
        return true;
    case OPT_NO_STREAM:
        o->execute.no_stream = true;
        return true;
    case OPT_JSON:
        o->json = optarg;
        return true;
    case OPT_TRACE:
        o->trace = optarg;
        return true;
    case '?':
    case ':':
        return execute_refuse_option("run", c, argv, e);
    default:
        return execute_option(&o->execute, c, optarg, e);
    }
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){.execute.seed = 1};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":w:m:h", long_options, NULL)) != -1;)
        if (!take_option(o, c, argv, e))
            return false;
    if (o->wants_help)
        return true;
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT, "run: unexpected \"%s\" (heddle run --help)",
                       argv[optind]);
    if (o->trace && (o->execute.workload || o->execute.ptx || o->execute.launch))
        return err_set(e, STATUS_BAD_INPUT, "run: --trace is what was executed: no -w, no --ptx");
    if (!o->trace && !execute_check(&o->execute, "run", e))
        return false;
    return o->functional || refuse_timing(e);
}

static bool run_trace(const struct options *o, struct arena *a, struct err *e)
{
    struct trace t;
    if (!trace_read(o->trace, a, &t, e) || (o->json && !trace_json(&t, o->json, e)))
        return false;
    if (!o->json || strcmp(o->json, "-") != 0)
        trace_print_units(&t, a, stdout);
    return true;
}

static bool run_kernels(struct options *o, struct arena *a, struct err *e)
{
    struct execution r;
    bool is_quiet = o->json && strcmp(o->json, "-") == 0;
    o->execute.prints_to_stderr = is_quiet;
    if (!execute_run(&o->execute, a, &r, e) ||
        (o->json && !run_out_json(&o->execute, &r, o->json, e)))
        return false;
    if (!is_quiet)
        run_out_print(&o->execute, &r, a, stdout);
    return true;
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else if (!o.json || outfile_probe(o.json, e))
            (void)(o.trace ? run_trace(&o, a, e) : run_kernels(&o, a, e));
    }
    arena_free(a);
    return e->status;
}

const struct command command_run = {"run", "execute kernels: a workload, or PTX of your own", run};
