/* execute.h - executing a workload, or somebody's PTX under a launch file, without timing: the
 * options that `heddle run` and `heddle record` share, and what comes out. */
#ifndef HEDDLE_CLI_EXECUTE_H
#define HEDDLE_CLI_EXECUTE_H

#include <getopt.h>

#include "base/err.h"
#include "cli/tally.h"
#include "workload.h"

struct execute {
    const struct workload *workload; /* or NULL, and the two files */
    enum workload_size size;
    struct workload_args args; /* of the workload */
    const char *ptx, *launch;
    const char *kernels; /* folder of PTX that replaces what is built in */
    uint64_t seed, max_insns;
    bool check, no_verify, portable, no_stream;
    bool prints_to_stderr;        /* what the kernels print; else to standard output */
    const char *record;           /* file to record to, or NULL */
    struct stream_driver *driver; /* gets the streams of the launches; or NULL */
};

struct execution {
    const char *title; /* "MM@tiny", "saxpy.ptx" */
    struct tally tally;
    double wall_s;   /* with making inputs and checking outputs */
    bool is_checked; /* against expected outputs, all of which were right */
};

/* Options: for the tables of getopt_long, for --help, and to be taken. */
enum {
    EXECUTE_PTX = 1000,
    EXECUTE_LAUNCH,
    EXECUTE_KERNELS,
    EXECUTE_SEED,
    EXECUTE_MAX_INSNS,
    EXECUTE_CHECK,
    EXECUTE_NO_VERIFY,
    EXECUTE_PORTABLE,
};

#define EXECUTE_LONG_OPTIONS                                                                       \
    {"ptx", required_argument, NULL, EXECUTE_PTX},                                                 \
        {"launch", required_argument, NULL, EXECUTE_LAUNCH},                                       \
        {"kernels", required_argument, NULL, EXECUTE_KERNELS},                                     \
        {"seed", required_argument, NULL, EXECUTE_SEED},                                           \
        {"max-insns", required_argument, NULL, EXECUTE_MAX_INSNS},                                 \
        {"check", no_argument, NULL, EXECUTE_CHECK},                                               \
        {"no-verify", no_argument, NULL, EXECUTE_NO_VERIFY},                                       \
    {                                                                                              \
        "portable", no_argument, NULL, EXECUTE_PORTABLE                                            \
    }

#define EXECUTE_HELP_WHAT                                                                          \
    "  -w NAME[@SIZE][:ARG=VALUE,...]\n"                                                           \
    "                        a workload (heddle list workloads) at size tiny, small (the\n"        \
    "                        default), study, paper, few or chip; arguments of those with some\n"  \
    "                        (heddle list workloads --details NAME)\n"                             \
    "  --ptx FILE            PTX of your own, with\n"                                              \
    "  --launch FILE         a YAML file of buffers, launches and expected outputs\n"              \
    "                        (docs/own-kernel.md)\n"

#define EXECUTE_HELP_HOW                                                                           \
    "  --seed N              of random inputs (default 1)\n"                                       \
    "  --check               stop at uses of uninitialised shared memory and misuses of\n"         \
    "                        barriers\n"                                                           \
    "  --no-verify           do not compare the outputs with what they should be\n"                \
    "  --kernels DIR         take the workload's PTX from DIR instead of the one built in\n"       \
    "  --max-insns N         stop after N warp instructions (exit status 4)\n"                     \
    "  --portable            use no instructions that only some hosts have (same results)\n"

/* -w (as 'w') and the above; false with *e set when the value is no good. */
bool execute_option(struct execute *x, int option, const char *value, struct err *e);
/* Whether there is exactly one thing to execute. */
bool execute_check(const struct execute *x, const char *command, struct err *e);
bool execute_parse_workload(const char *text, struct execute *x, struct err *e);
/* A whole number of at least `least`. */
bool execute_parse_number(const char *option, const char *text, uint64_t least, uint64_t *v,
                          struct err *e);

bool execute_run(const struct execute *x, struct arena *a, struct execution *r, struct err *e);
const char *execute_title(const struct execute *x, struct arena *a); /* "MM@tiny", "saxpy.ptx" */

/* Whether PTX and launch file belong together, without executing anything. */
bool execute_check_files(const struct execute *x, struct err *e);

/* Options of getopt_long that were not understood: one line with the command's name. */
bool execute_refuse_option(const char *command, int c, char **argv, struct err *e);

#endif
