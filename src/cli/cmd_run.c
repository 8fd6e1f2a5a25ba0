/* cmd_run.c - heddle run: kernels executed, checked, and timed on a machine. */
#include <stdio.h>
#include <string.h>

#include "base/processors.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/execute.h"
#include "cli/run_out.h"
#include "cli/sweep.h"
#include "cli/timed.h"
#include "cli/trace.h"

static const char help[] =
    "usage: heddle run -m MACHINE -w NAME[@SIZE] [OPTION]...\n"
    "       heddle run -m MACHINE --ptx FILE --launch FILE [OPTION]...\n"
    "       heddle run -m MACHINE --trace FILE [OPTION]...\n"
    "       heddle run -m MACHINE -w A -w B [--window CYCLES] ... (programs at once)\n"
    "       heddle run -m MACHINE ... --set KEY=A,B,C [--set ...] (a sweep: one table)\n"
    "       heddle run --functional ... (the same without -m: executes and checks, no timing)\n\n"
    "Executes kernels, checks their outputs, and times them on a machine cycle by cycle.\n\n"
    "  -m MACHINE            a machine file, or the name of one (heddle list machines);\n"
    "                        may be repeated: a sweep over machines\n"
    "  --set KEY=VALUE       change a parameter (heddle list params); may be repeated\n"
    "  --set KEY=A,B,...     a sweep: every combination of such values is run, and is one\n"
    "                        row of one table\n"
    "  --jobs N              runs of a sweep at once (default: the processors there "
    "are)\n" EFFECT_HELP EXECUTE_HELP_WHAT
    "  --trace FILE          a file of heddle record: replay it (--functional: read and check it)\n"
    "                        -w, --ptx and --trace may be repeated and mixed: programs at once,\n"
    "                        each on SMs of its own (gpu.partition) with memory of its own\n"
    "  --window CYCLES       programs restart until so many cycles are over (default: each runs\n"
    "                        once)\n"
    "  --no-alone            do not run each program alone as well, for STP and ANTT\n"
    "  --solo FILE           keep such runs here (out/solo.db)\n"
    "  --functional          without timing\n" EXECUTE_HELP_HOW
    "  --max-cycles N        stop after N cycles, with partial statistics (exit status 4)\n"
    "  --threads N           of this one simulation (default: idle processors, up to 4; same "
    "results)\n"
    "  --no-skip             visit every component in every cycle (same results, slower)\n"
    "  --no-stream           do not make the warp streams that a timing run would "
    "read\n" ANALYSE_HELP
    "  --details             in the JSON, statistics of every SM, slice and channel, too\n"
    "  --json FILE           results as JSON ('-': standard output, and nothing else there)\n"
    "  --csv FILE            statistics as name,value; of a sweep, a line for each run\n"
    "  --timeline FILE       CTAs, kernels and counters over time, for Perfetto or "
    "chrome://tracing\n"
    "  --series FILE         statistics over time as CSV: what was counted in each period\n"
    "  --period N            of the series and of the time line's counters, in cycles (1000)\n"
    "  --columns PREFIXES    of the series: names that begin so (sm.,ipc,energy.)\n";

enum { MAX_MACHINES = 64, THREADS_UNASKED = 4 };

struct options {
    struct execute execute; /* what all programs have in common */
    struct timed_options timed;
    const char *machines[MAX_MACHINES];
    int nmachines;
    uint64_t jobs; /* of a sweep; 0: not said */
    bool functional, wants_help;
};

enum {
    OPT_FUNCTIONAL = 256,
    OPT_NO_STREAM,
    OPT_JSON,
    OPT_TRACE,
    OPT_SET,
    OPT_MAX_CYCLES,
    OPT_THREADS,
    OPT_NO_SKIP,
    OPT_DETAILS,
    OPT_CSV,
    OPT_TIMELINE,
    OPT_SERIES,
    OPT_PERIOD,
    OPT_COLUMNS,
    OPT_WINDOW,
    OPT_NO_ALONE,
    OPT_SOLO,
    OPT_JOBS,
    OPT_STRICT,
    OPT_ANALYSE
};

static const struct option long_options[] = {
    EXECUTE_LONG_OPTIONS,
    {"functional", no_argument, NULL, OPT_FUNCTIONAL},
    {"no-stream", no_argument, NULL, OPT_NO_STREAM},
    {"json", required_argument, NULL, OPT_JSON},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"set", required_argument, NULL, OPT_SET},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"no-skip", no_argument, NULL, OPT_NO_SKIP},
    {"details", no_argument, NULL, OPT_DETAILS},
    {"csv", required_argument, NULL, OPT_CSV},
    {"timeline", required_argument, NULL, OPT_TIMELINE},
    {"series", required_argument, NULL, OPT_SERIES},
    {"period", required_argument, NULL, OPT_PERIOD},
    {"columns", required_argument, NULL, OPT_COLUMNS},
    {"window", required_argument, NULL, OPT_WINDOW},
    {"no-alone", no_argument, NULL, OPT_NO_ALONE},
    {"solo", required_argument, NULL, OPT_SOLO},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"analyse", required_argument, NULL, OPT_ANALYSE},
    {"help", no_argument, NULL, 'h'},
    {0}};

static bool take_set(struct timed_options *t, const char *text, struct err *e)
{
    if (t->nsets == TIMED_MAX_SETS)
        return err_set(e, STATUS_BAD_INPUT, "run: more than %d --set", TIMED_MAX_SETS);
    t->set[t->nsets++] = text;
    return true;
}

static bool take_analysis(struct timed_options *t, const char *name, struct err *e)
{
    const char *setting = analyse_setting(name, e);
    return setting && take_set(t, setting, e);
}

static bool take_machine(struct options *o, const char *name, struct err *e)
{
    if (o->nmachines == MAX_MACHINES)
        return err_set(e, STATUS_BAD_INPUT, "run: more than %d machines", MAX_MACHINES);
    o->machines[o->nmachines++] = name;
    o->timed.machine = o->machines[0];
    return true;
}

static bool take_threads(struct timed_options *t, const char *text, struct err *e)
{
    uint64_t n;
    if (!execute_parse_number("--threads", text, 1, &n, e))
        return false;
    if (n > 256)
        return err_set(e, STATUS_BAD_INPUT, "--threads %s: at most 256", text);
    t->threads = (uint32_t)n;
    return true;
}

/* The next program; NULL: there are too many. */
static struct program *add_program(struct timed_options *t, struct err *e)
{
    if (t->nprograms == MAX_PROGRAMS) {
        err_set(e, STATUS_BAD_INPUT, "run: more than %d programs at once", MAX_PROGRAMS);
        return NULL;
    }
    return &t->program[t->nprograms++];
}

/* --ptx and --launch are halves of a program: the second one completes the last. */
static struct program *half_program(struct timed_options *t, bool has_ptx, struct err *e)
{
    struct program *last = t->nprograms ? &t->program[t->nprograms - 1] : NULL;
    if (last && !last->execute.ptx != !last->execute.launch && !last->execute.ptx == has_ptx)
        return last;
    return add_program(t, e);
}

static bool take_program(struct timed_options *t, int c, const char *text, struct err *e)
{
    bool is_half = c == EXECUTE_PTX || c == EXECUTE_LAUNCH;
    struct program *p = is_half ? half_program(t, c == EXECUTE_PTX, e) : add_program(t, e);
    if (p && c == OPT_TRACE)
        p->trace = text;
    return p && (c == OPT_TRACE || execute_option(&p->execute, c, text, e));
}

/* Options that name a file or a word. */
static const char **text_option(struct timed_options *t, int c)
{
    switch (c) {
    case OPT_JSON:
        return &t->json;
    case OPT_CSV:
        return &t->csv;
    case OPT_TIMELINE:
        return &t->timeline;
    case OPT_SERIES:
        return &t->series;
    case OPT_COLUMNS:
        return &t->columns;
    case OPT_SOLO:
        return &t->solo;
    default:
        return NULL;
    }
}

static bool *flag_option(struct options *o, int c)
{
    switch (c) {
    case 'h':
        return &o->wants_help;
    case OPT_FUNCTIONAL:
        return &o->functional;
    case OPT_NO_STREAM:
        return &o->execute.no_stream;
    case OPT_NO_SKIP:
        return &o->timed.no_skip;
    case OPT_DETAILS:
        return &o->timed.details;
    case OPT_NO_ALONE:
        return &o->timed.no_alone;
    case OPT_STRICT:
        return &o->timed.is_strict;
    default:
        return NULL;
    }
}

static bool take_option(struct options *o, int c, char **argv, struct err *e)
{
    const char **text = text_option(&o->timed, c);
    bool *flag = flag_option(o, c);
    if (text) {
        *text = optarg;
        return true;
    }
    if (flag) {
        *flag = true;
        return true;
    }
    switch (c) {
    case 'm':
        return take_machine(o, optarg, e);
    case OPT_JOBS:
        return execute_parse_number("--jobs", optarg, 1, &o->jobs, e);
    case 'w':
    case EXECUTE_PTX:
    case EXECUTE_LAUNCH:
    case OPT_TRACE:
        return take_program(&o->timed, c, optarg, e);
    case OPT_SET:
        return take_set(&o->timed, optarg, e);
    case OPT_ANALYSE:
        return take_analysis(&o->timed, optarg, e);
    case OPT_MAX_CYCLES:
        return execute_parse_number("--max-cycles", optarg, 1, &o->timed.max_cycles, e);
    case OPT_WINDOW:
        return execute_parse_number("--window", optarg, 1, &o->timed.window, e);
    case OPT_PERIOD:
        return execute_parse_number("--period", optarg, 1, &o->timed.period, e);
    case OPT_THREADS:
        return take_threads(&o->timed, optarg, e);
    case '?':
    case ':':
        return execute_refuse_option("run", c, argv, e);
    default:
        return execute_option(&o->execute, c, optarg, e);
    }
}

static bool check_functional(const struct options *o, struct err *e)
{
    const struct timed_options *t = &o->timed;
    if (t->machine || t->nsets || t->timeline || t->series || t->csv || t->max_cycles ||
        t->threads || t->window || t->no_alone)
        return err_set(e, STATUS_BAD_INPUT,
                       "run: --functional is without timing: it takes no machine and none of its "
                       "options");
    return t->nprograms == 1 ||
           err_set(e, STATUS_BAD_INPUT,
                   "run: --functional is without timing: one program, not %u at once",
                   t->nprograms);
}

static bool check_timed(const struct options *o, struct err *e)
{
    if (!o->timed.machine)
        return err_set(e, STATUS_BAD_INPUT,
                       "run: timing needs a machine: -m MACHINE (heddle list machines); "
                       "--functional executes and checks without timing");
    if (o->execute.no_stream)
        return err_set(e, STATUS_BAD_INPUT, "run: --no-stream leaves nothing to time");
    return true;
}

/* Every program gets what was said for all. */
static bool complete(struct options *o, struct err *e)
{
    struct timed_options *t = &o->timed;
    if (t->nprograms == 0)
        return execute_check(&o->execute, "run", e);
    for (uint32_t i = 0; i < t->nprograms; i++) {
        struct execute *x = &t->program[i].execute, own = *x;
        *x = o->execute;
        x->workload = own.workload;
        x->size = own.size;
        x->args = own.args;
        x->ptx = own.ptx;
        x->launch = own.launch;
        if (!t->program[i].trace && !execute_check(x, "run", e))
            return false;
    }
    t->check = o->execute.check;
    t->max_insns = o->execute.max_insns;
    return o->functional ? check_functional(o, e) : check_timed(o, e);
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){.execute.seed = 1, .timed.period = 1000, .timed.solo = "out/solo.db"};
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
    return complete(o, e);
}

static bool run_trace(const struct options *o, struct arena *a, struct err *e)
{
    struct trace t;
    if (!trace_read(o->timed.program[0].trace, a, &t, e) ||
        (o->timed.json && !trace_json(&t, o->timed.json, e)))
        return false;
    if (!o->timed.json || strcmp(o->timed.json, "-") != 0)
        trace_print_units(&t, a, stdout);
    return true;
}

static bool run_kernels(struct options *o, struct arena *a, struct err *e)
{
    struct execution r;
    struct execute *x = &o->timed.program[0].execute;
    bool is_quiet = o->timed.json && strcmp(o->timed.json, "-") == 0;
    x->prints_to_stderr = is_quiet;
    if (!execute_run(x, a, &r, e) || (o->timed.json && !run_out_json(x, &r, o->timed.json, e)))
        return false;
    if (!is_quiet)
        run_out_print(x, &r, a, stdout);
    return true;
}

static bool probe_outputs(const struct timed_options *t, struct err *e)
{
    const char *const files[] = {t->json, t->csv, t->timeline, t->series};
    int on_stdout = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] && !outfile_probe(files[i], e))
            return false;
        on_stdout += files[i] && strcmp(files[i], "-") == 0;
    }
    return on_stdout <= 1 ||
           err_set(e, STATUS_BAD_INPUT, "run: only one output can go to standard output");
}

/* A run that stands alone may use what nobody else does. */
static void use_idle_processors(struct timed_options *t)
{
    const uint32_t allowed = processors_allowed();
    t->threads = allowed < THREADS_UNASKED ? allowed : THREADS_UNASKED;
    t->only_idle = true;
}

/* Values with commas between make a sweep of what would be one run. */
static bool run_timed(struct options *o, struct arena *a, struct err *e)
{
    uint64_t jobs = o->jobs ? o->jobs : processors_allowed();
    struct sweep_axes axes;
    struct sweep s = {.o = &o->timed,
                      .axes = &axes,
                      .given = {o->nmachines, o->timed.nsets, o->machines, o->timed.set},
                      .jobs = (uint32_t)(jobs < 1024 ? jobs : 1024),
                      .arena = a};
    if (!sweep_axes_read(&axes, &s.given, a, e))
        return false;
    if (axes.n)
        return sweep_do(&s, e);
    if (o->jobs)
        return err_set(e, STATUS_BAD_INPUT,
                       "run: --jobs is for sweeps (--set KEY=A,B); --threads is for one run");
    if (!o->timed.threads)
        use_idle_processors(&o->timed);
    return timed_run(&o->timed, a, e);
}

static void run_as_asked(struct options *o, struct arena *a, struct err *e)
{
    if (!o->functional)
        run_timed(o, a, e);
    else if (o->timed.program[0].trace)
        run_trace(o, a, e);
    else
        run_kernels(o, a, e);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else if (probe_outputs(&o.timed, e))
            run_as_asked(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_run = {
    "run", "time kernels on a machine: a workload, PTX of your own, or a recorded run", run};
