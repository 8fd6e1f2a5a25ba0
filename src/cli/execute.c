/* execute.c - a device, a module, and a workload's driver or a launch file that uses them. */
#include "cli/execute.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/infile.h"
#include "cli/launch_file.h"
#include "libheddle_gpu.h"

/* ---- options ------------------------------------------------------------------------------- */

bool execute_parse_workload(const char *text, struct execute *x, struct err *e)
{
    struct libheddle_workload w;
    if (!libheddle_parse_workload(text, &w, e))
        return false;
    x->workload = w.workload;
    x->size = w.size;
    x->args = w.args;
    return true;
}

bool execute_parse_number(const char *option, const char *text, uint64_t least, uint64_t *v,
                          struct err *e)
{
    int64_t n;
    if (!str_to_int(text, &n) || n < (int64_t)least)
        return err_set(e, STATUS_BAD_INPUT, "%s %s: expected a whole number from %llu to %lld",
                       option, text, (unsigned long long)least, (long long)INT64_MAX);
    *v = (uint64_t)n;
    return true;
}

bool execute_option(struct execute *x, int option, const char *value, struct err *e)
{
    switch (option) {
    case 'w':
        if (x->workload)
            return err_set(e, STATUS_BAD_INPUT, "-w %s: there can be only one -w", value);
        return execute_parse_workload(value, x, e);
    case EXECUTE_PTX:
        x->ptx = value;
        return true;
    case EXECUTE_LAUNCH:
        x->launch = value;
        return true;
    case EXECUTE_KERNELS:
        x->kernels = value;
        return true;
    case EXECUTE_SEED:
        return execute_parse_number("--seed", value, 0, &x->seed, e);
    case EXECUTE_MAX_INSNS:
        return execute_parse_number("--max-insns", value, 1, &x->max_insns, e);
    case EXECUTE_CHECK:
        x->check = true;
        return true;
    case EXECUTE_NO_VERIFY:
        x->no_verify = true;
        return true;
    default:
        HD_ASSERT(option == EXECUTE_PORTABLE, "option %d", option);
        x->portable = true;
        return true;
    }
}

bool execute_refuse_option(const char *command, int c, char **argv, struct err *e)
{
    if (c == '?' && optopt > 0 && optopt < 256)
        return err_set(e, STATUS_BAD_INPUT, "%s: no option \"-%c\" (heddle %s --help)", command,
                       optopt, command);
    return err_set(e, STATUS_BAD_INPUT, "%s: %s \"%s\" (heddle %s --help)", command,
                   c == ':' ? "nothing follows" : "no option", argv[optind - 1], command);
}

bool execute_check(const struct execute *x, const char *command, struct err *e)
{
    if (x->workload && (x->ptx || x->launch))
        return err_set(e, STATUS_BAD_INPUT, "%s: -w and --ptx: there can be only one", command);
    if (!x->workload && !x->ptx && !x->launch)
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: -w WORKLOAD or --ptx FILE is missing (heddle list workloads)", command);
    if (!x->workload && (!x->ptx || !x->launch))
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: --ptx and --launch need each other (heddle %s --help)", command,
                       command);
    if (x->ptx && x->kernels)
        return err_set(e, STATUS_BAD_INPUT, "%s: --kernels is for workloads, --ptx names its file",
                       command);
    return true;
}

/* ---- execution ----------------------------------------------------------------------------- */

static bool pass(const struct hd_error *from, struct err *to)
{
    return from->status == HD_DONE || err_set(to, (enum status)from->status, "%s", from->text);
}

static void print_to_stderr(void *tally, const char *text, size_t n)
{
    tally_end(tally);
    fwrite(text, 1, n, stderr);
}

static void print_to_stdout(void *tally, const char *text, size_t n)
{
    tally_end(tally);
    fwrite(text, 1, n, stdout);
}

static struct hd_device *make_device(const struct execute *x, struct tally *t, struct hd_error *e)
{
    struct hd_device_options o = {.check = x->check,
                                  .max_insns = x->driver ? 0 : x->max_insns,
                                  .no_stream = x->no_stream,
                                  .portable = x->portable,
                                  .print = x->prints_to_stderr ? print_to_stderr : print_to_stdout,
                                  .launched = tally_launched,
                                  .progress = tally_progress,
                                  .context = t};
    struct hd_device *d = hd_device_new(&o, e);
    if (d && x->driver)
        libheddle_drive(d, x->driver);
    t->device = d;
    return d;
}

/* A .cu is compiled, not read. */
static bool refuse_source(const struct execute *x, struct arena *a, struct err *e)
{
    if (!infile_has_suffix(x->ptx, ".cu"))
        return true;
    int stem = (int)strlen(x->ptx) - 3;
    return err_set(e, STATUS_BAD_INPUT,
                   "%s: CUDA source, not PTX; compile it: clang -x cuda --cuda-device-only "
                   "-nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature "
                   "-Xclang +ptx63 -O3 -ffp-contract=off -I%s -S %s -o %.*s.ptx",
                   x->ptx, data_folder(a, "kernels"), x->ptx, stem, x->ptx);
}

static const struct launch_file *read_files(const struct execute *x, struct arena *a,
                                            struct hd_device *d, struct hd_module **m,
                                            struct err *e)
{
    struct hd_error he = {0};
    const struct launch_file *f = launch_file_read(a, x->launch, x->seed, e);
    *m = f ? hd_module_load_file(d, x->ptx, &he) : NULL;
    pass(&he, e);
    return *m ? f : NULL;
}

static bool run_launch_file(const struct execute *x, struct arena *a, struct hd_device *d,
                            struct execution *r, struct err *e)
{
    struct hd_module *m;
    const struct launch_file *f = read_files(x, a, d, &m, e);
    if (!f)
        return false;
    r->tally.expected = f->nlaunches;
    r->is_checked = f->nexpects > 0 && !x->no_verify;
    return launch_file_run(f, d, m, !x->no_verify, e);
}

static bool run_workload(const struct execute *x, struct hd_device *d, struct execution *r,
                         struct err *e)
{
    struct hd_error he = {0};
    r->is_checked = !x->no_verify;
    struct workload_request request = {.size = x->size,
                                       .args = x->args.text,
                                       .seed = x->seed,
                                       .verify = !x->no_verify,
                                       .kernel_dir = x->kernels};
    workload_run(x->workload, d, &request, &he);
    return pass(&he, e);
}

static bool run_on(const struct execute *x, struct arena *a, struct hd_device *d,
                   struct execution *r, struct err *e)
{
    struct hd_error he = {0};
    if (x->record && !hd_record_begin(d, x->record, r->title, &he))
        return pass(&he, e);
    if (!(x->workload ? run_workload(x, d, r, e) : run_launch_file(x, a, d, r, e)))
        return false;
    if (x->record)
        hd_record_end(d, &he);
    return pass(&he, e);
}

const char *execute_title(const struct execute *x, struct arena *a)
{
    if (!x->workload)
        return x->ptx;
    struct libheddle_workload w = {x->workload, x->size, x->args};
    return libheddle_workload_title(&w, a);
}

bool execute_run(const struct execute *x, struct arena *a, struct execution *r, struct err *e)
{
    struct hd_error he = {0};
    *r = (struct execution){.title = execute_title(x, a)};
    tally_init(&r->tally, a);
    r->tally.driver = x->driver;
    if (x->ptx && !refuse_source(x, a, e))
        return false;
    struct hd_device *d = make_device(x, &r->tally, &he);
    if (!d)
        return pass(&he, e);
    bool ok = run_on(x, a, d, r, e);
    r->wall_s = tally_clock() - r->tally.start_s;
    r->tally.device = NULL;
    tally_end(&r->tally);
    hd_device_free(d);
    return ok;
}

bool execute_check_files(const struct execute *x, struct err *e)
{
    struct hd_error he = {0};
    struct arena *a = arena_new();
    struct hd_module *m;
    struct hd_device *d = hd_device_new(&(struct hd_device_options){.no_stream = true}, &he);
    bool ok = d ? refuse_source(x, a, e) : pass(&he, e);
    if (ok) {
        const struct launch_file *f = read_files(x, a, d, &m, e);
        ok = f && launch_file_check(f, m, e);
    }
    if (d)
        hd_device_free(d);
    arena_free(a);
    return ok;
}
