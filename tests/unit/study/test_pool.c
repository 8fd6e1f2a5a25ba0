/* The pool with real children: what is missing is run, failures have reasons, ends are clean. */
#include "study/kind.h"
#include "study/pool.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "machine/machine.h"
#include "workload.h"

enum { VARIANTS = 3, WORKLOADS = 2, JOBS = VARIANTS * WORKLOADS };

static const char *const machine[] = {
    "gpu.clusters=2", "gpu.sms_per_cluster=1", "noc.topology=xbar", "noc.networks=two",
    "xbar.inputs=2",  "xbar.outputs=2",        "mc.channels=2",     "l2.size=128K"};
static const char *const differs[VARIANTS] = {"l1.mshrs=32", "l1.mshrs=16", "l1.mshrs=8"};

/* What record() does to itself. */
enum trouble { NO_TROUBLE, REFUSES, CRASHES, RECORDS_NOTHING, TAKES_LONG };

struct world {
    struct arena *a;
    char dir[64];
    struct study_program programs[WORKLOADS];
    struct study_workload workloads[WORKLOADS];
    struct study_variant variants[VARIANTS];
    struct study study;
    struct study_job jobs[JOBS];
    struct study_plan plan;
    struct pool_options options;
    struct pool_result result;
    struct err e;
    enum trouble trouble; /* of the first workload */
    uint32_t asked, stop_after;
    struct pool_progress progress;
};

static bool record(void *context, const struct study *s, const struct study_program *p,
                   const char *path, struct err *e)
{
    struct world *x = context;
    struct hd_error he = {0};
    struct workload_request request = {.seed = s->seed, .verify = true};
    enum trouble t = p == &x->programs[0] ? x->trouble : NO_TROUBLE;
    fclose(
        fopen(arena_printf(x->a, "%s/recorded-%s-%ld", x->dir, p->workload, (long)getpid()), "w"));
    if (t == REFUSES)
        return err_set(e, STATUS_FAILED, "element 3 is wrong");
    if (t == CRASHES)
        abort();
    if (t == RECORDS_NOTHING)
        return true;
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &he);
    bool ok = hd_record_begin(d, path, p->workload, &he);
    if (t == TAKES_LONG)
        sleep(60);
    ok = ok && workload_size_parse(p->size, &request.size) &&
         workload_run(workload_find(p->workload), d, &request, &he) && hd_record_end(d, &he);
    hd_device_free(d);
    return ok || err_set(e, STATUS_FAILED, "%s", he.text);
}

static bool interrupted(void *context)
{
    struct world *w = context;
    return w->stop_after && ++w->asked > w->stop_after;
}

static void progress(void *context, const struct pool_progress *p)
{
    ((struct world *)context)->progress = *p;
}

static void make_jobs(struct world *w)
{
    for (uint32_t i = 0; i < JOBS; i++) {
        struct study_job *j = &w->jobs[i];
        *j = (struct study_job){.key = 100 + i,
                                .variant = i / WORKLOADS,
                                .workload = i % WORKLOADS,
                                .kind = &kind_kernel,
                                .row = study_row_text(w->a, &w->workloads[i % WORKLOADS]),
                                .config = machine_config(w->a),
                                .cost = 1};
        j->label = arena_printf(w->a, "%s/%s", w->variants[j->variant].name,
                                w->workloads[j->workload].name);
        for (size_t k = 0; k < sizeof machine / sizeof machine[0]; k++)
            CHECK(config_set(j->config, machine[k], &w->e));
        CHECK(config_set(j->config, differs[j->variant], &w->e));
    }
}

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-pool-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    for (uint32_t i = 0; i < WORKLOADS; i++) {
        w->programs[i] = (struct study_program){.workload = i ? "BP" : "HS", .size = "tiny"};
        w->workloads[i] = (struct study_workload){.name = w->programs[i].workload,
                                                  .size = "tiny",
                                                  .kind = &kind_kernel,
                                                  .nprograms = 1,
                                                  .programs = &w->programs[i]};
    }
    for (uint32_t i = 0; i < VARIANTS; i++)
        w->variants[i] =
            (struct study_variant){.name = arena_printf(w->a, "v%u", i), .machine = "small"};
    w->study = (struct study){.name = "toy",
                              .seed = 1,
                              .nvariants = VARIANTS,
                              .nworkloads = WORKLOADS,
                              .variants = w->variants,
                              .workloads = w->workloads};
    make_jobs(w);
    w->plan = (struct study_plan){.njobs = JOBS, .jobs = w->jobs};
    w->options = (struct pool_options){.processes = 2,
                                       .store = arena_printf(w->a, "%s/results.db", w->dir),
                                       .streams = arena_printf(w->a, "%s/streams", w->dir),
                                       .context = w,
                                       .progress = progress,
                                       .interrupted = interrupted,
                                       .record = record,
                                       .leave = _exit};
}

/* Files in a folder whose names have `part` in them; removed where asked. */
static uint32_t count(struct world *w, const char *folder, const char *part, bool removes)
{
    uint32_t n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d)) != NULL;) {
        if (f->d_name[0] == '.' || !strstr(f->d_name, part))
            continue;
        n++;
        if (removes)
            unlink(arena_printf(w->a, "%s/%s", folder, f->d_name));
    }
    if (d)
        closedir(d);
    return n;
}

static void close_world(struct world *w)
{
    count(w, w->options.streams, "", true);
    rmdir(w->options.streams);
    count(w, w->dir, "", true);
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

static void run(struct world *w)
{
    bool ok = pool_run(w->a, &w->study, &w->plan, &w->options, &w->result, &w->e);
    CHECK_STR(w->e.text, "");
    CHECK(ok);
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void expect(struct world *w, uint32_t done, uint32_t cached, uint32_t failures)
{
    CHECK_EQ(w->result.done, done);
    CHECK_EQ(w->result.cached, cached);
    CHECK_EQ(w->result.nfailures, failures);
}

static struct store_run get(struct world *w, uint64_t key)
{
    struct store_run r;
    bool found;
    struct store *s = store_open(w->options.store, &w->e);
    CHECK(s && store_get(s, w->a, key, &r, &found, &w->e) && found);
    store_close(s);
    return r;
}

static double value(const struct store_run *r, const char *name)
{
    for (uint32_t i = 0; i < r->nstats; i++)
        if (strcmp(r->names[i], name) == 0)
            return r->values[i];
    return NAN;
}

/* ---- what is done ----------------------------------------------------------------------------- */

static void every_run_is_done_once_and_every_workload_recorded_once(void)
{
    struct world w;
    open_world(&w);
    run(&w);
    expect(&w, JOBS, 0, 0);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), WORKLOADS);
    CHECK_EQ(count(&w, w.options.streams, ".hds", false), WORKLOADS);
    CHECK_EQ(count(&w, w.options.streams, ".part", false), 0);
    CHECK(w.progress.done == JOBS && w.progress.total == JOBS && w.progress.running == 0);
    run(&w);
    expect(&w, 0, JOBS, 0);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), WORKLOADS);
    close_world(&w);
}

static void a_result_has_all_statistics_by_name(void)
{
    struct world w;
    open_world(&w);
    run(&w);
    struct store_run r = get(&w, 100);
    CHECK_STR(r.machine, "small");
    CHECK_STR(r.workload, "HS@tiny");
    CHECK_STR(r.variant, "v0");
    CHECK(r.config[0] == '{' && strstr(r.config, "\"mshrs\""));
    CHECK(r.cycles > 100 && r.wall_s > 0 && r.digest != 0);
    CHECK_NEAR(value(&r, "cycles"), (double)r.cycles, 0);
    CHECK_NEAR(value(&r, "ipc"), value(&r, "sm.thread_insns") / (double)r.cycles, 1e-12);
    CHECK(value(&r, "l1.stores") > 0);
    double n = value(&r, "noc.request.hops.n"), sum = value(&r, "noc.request.hops.sum");
    CHECK(n > 0);
    CHECK_NEAR(value(&r, "noc.request.hops"), sum / n, 1e-12);
    close_world(&w);
}

static void the_number_of_processes_changes_no_result(void)
{
    struct world one, many;
    open_world(&one);
    open_world(&many);
    one.options.processes = 1;
    many.options.processes = 7;
    run(&one);
    run(&many);
    for (uint64_t key = 100; key < 100 + JOBS; key++) {
        struct store_run a = get(&one, key), b = get(&many, key);
        CHECK(a.digest == b.digest && a.cycles == b.cycles);
    }
    close_world(&one);
    close_world(&many);
}

static void only_what_is_missing_is_run(void)
{
    struct world w;
    open_world(&w);
    w.plan.njobs = 2;
    run(&w);
    expect(&w, 2, 0, 0);
    w.plan.njobs = JOBS;
    run(&w);
    expect(&w, JOBS - 2, 2, 0);
    close_world(&w);
}

/* ---- what fails ------------------------------------------------------------------------------- */

static void failed_with(struct world *w, const char *why)
{
    expect(w, JOBS - VARIANTS, 0, VARIANTS); /* the other workload is done */
    for (uint32_t i = 0; i < VARIANTS; i++) {
        CHECK(strstr(w->result.failures[i].label, "/HS"));
        if (!strstr(w->result.failures[i].why, why))
            CHECK_STR(w->result.failures[i].why, why);
    }
    struct store *s = store_open(w->options.store, &w->e);
    CHECK_STR(store_failure(s, w->a, 100), w->result.failures[0].why);
    store_close(s);
}

static void a_workload_that_cannot_be_recorded_fails_its_own_runs_only(void)
{
    static const struct {
        enum trouble trouble;
        const char *why;
    } cases[] = {{REFUSES, "recording HS@tiny: status 1: element 3 is wrong"},
                 {CRASHES, "recording HS@tiny: killed by signal 6"},
                 {RECORDS_NOTHING, "recording HS@tiny: nothing was recorded"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world w;
        open_world(&w);
        w.trouble = cases[i].trouble;
        run(&w);
        failed_with(&w, cases[i].why);
        w.trouble = NO_TROUBLE;
        run(&w);
        expect(&w, VARIANTS, JOBS - VARIANTS, 0);
        struct store *s = store_open(w.options.store, &w.e);
        CHECK(!store_failure(s, w.a, 100));
        store_close(s);
        close_world(&w);
    }
}

static void a_run_that_is_refused_says_why_and_the_others_go_on(void)
{
    struct world w;
    open_world(&w);
    CHECK(config_set(w.jobs[2].config, "gpu.cta_scheduler=nonsense", &w.e));
    run(&w);
    expect(&w, JOBS - 1, 0, 1);
    CHECK_STR(w.result.failures[0].label, "v1/HS");
    CHECK(strncmp(w.result.failures[0].why, "status 2: ", 10) == 0);
    CHECK(strstr(w.result.failures[0].why, "nonsense"));
    close_world(&w);
}

/* `at` < 0: from its end; 0: in its last quarter. */
static void damage_a_stream(struct world *w, long at)
{
    DIR *d = opendir(w->options.streams);
    CHECK(d);
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        struct stat st;
        const char *path = arena_printf(w->a, "%s/%s", w->options.streams, f->d_name);
        if (strncmp(f->d_name, "HS", 2) != 0 || stat(path, &st) != 0)
            continue;
        FILE *s = fopen(path, "r+");
        CHECK(s && fseek(s, at < 0 ? st.st_size + at : st.st_size * 3 / 4, SEEK_SET) == 0);
        CHECK(fwrite("damage damage", 1, 13, s) == 13);
        CHECK_EQ(fclose(s), 0);
    }
    closedir(d);
}

static void a_damaged_recording_is_made_anew(void)
{
    struct world w;
    open_world(&w);
    w.plan.njobs = 1;
    run(&w);
    damage_a_stream(&w, -40); /* its directory: found before it is used */
    w.plan.njobs = 3;
    run(&w);
    expect(&w, 2, 1, 0);
    damage_a_stream(&w, 0); /* its operations: found by the run that comes to them */
    w.plan.njobs = JOBS;
    run(&w);
    CHECK_EQ(w.result.nfailures, 1);
    CHECK(strstr(w.result.failures[0].why, ".hds: "));
    run(&w);
    expect(&w, 1, JOBS - 1, 0);
    close_world(&w);
}

/* The first row becomes both programs at once; the second stays what it is. */
static void programs_at_once_wait_for_all_their_recordings(void)
{
    struct world w;
    open_world(&w);
    w.workloads[0] = (struct study_workload){
        .name = "both", .size = "", .kind = &kind_programs, .nprograms = 2, .programs = w.programs};
    for (uint32_t i = 0; i < JOBS; i += WORKLOADS) {
        w.jobs[i].kind = &kind_programs;
        w.jobs[i].row = "both";
    }
    run(&w);
    expect(&w, JOBS, 0, 0);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), 2); /* shared by the rows */
    struct store_run both = get(&w, 100), alone = get(&w, 101);
    double stp = value(&both, "stp"), bp = value(&both, "program1.progress");
    CHECK_NEAR(value(&both, "program0.progress") + bp, stp, 1e-12);
    CHECK(stp > 0.5 && stp <= 2 && value(&both, "program1.sms") == 1);
    CHECK_NEAR(value(&both, "program1.alone"), value(&alone, "cycles"), 0);
    CHECK_NEAR(bp, value(&alone, "cycles") / value(&both, "program1.cycles"), 1e-12);
    close_world(&w);
}

/* A lost recording fails the rows that have it, after all that can be done is done. */
static void programs_at_once_fail_with_one_of_them(void)
{
    struct world w;
    open_world(&w);
    w.workloads[1] = (struct study_workload){
        .name = "both", .size = "", .kind = &kind_programs, .nprograms = 2, .programs = w.programs};
    for (uint32_t i = 1; i < JOBS; i += WORKLOADS)
        w.jobs[i].kind = &kind_programs;
    w.trouble = REFUSES;
    run(&w);
    expect(&w, 0, 0, JOBS);
    CHECK(strstr(w.result.failures[0].why, "recording HS@tiny: ") != NULL);
    close_world(&w);
}

static void a_users_recording_is_replayed_in_place_and_never_removed(void)
{
    struct world w;
    open_world(&w);
    const char *path = arena_printf(w.a, "%s/mine.hds", w.dir);
    CHECK(record(&w, &w.study, &w.programs[0], path, &w.e));
    count(&w, w.dir, "recorded-", true);
    w.programs[0] = (struct study_program){.trace = path};
    w.plan.njobs = 1;
    run(&w);
    expect(&w, 1, 0, 0);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), 0);
    FILE *f = fopen(path, "r+");
    CHECK(f && fseek(f, 0, SEEK_END) == 0 && fseek(f, ftell(f) * 3 / 4, SEEK_SET) == 0);
    CHECK(fwrite("damage damage", 1, 13, f) == 13 && fclose(f) == 0);
    w.plan.jobs[0].key = 99;
    run(&w);
    expect(&w, 0, 0, 1);
    CHECK(strstr(w.result.failures[0].why, "mine.hds: ") != NULL);
    CHECK_EQ(access(path, F_OK), 0);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), 0);
    close_world(&w);
}

static void a_store_that_cannot_be_used_stops_everything_with_one_line(void)
{
    struct world w;
    open_world(&w);
    w.options.store = "/nowhere/results.db";
    CHECK(!pool_run(w.a, &w.study, &w.plan, &w.options, &w.result, &w.e));
    CHECK(strstr(w.e.text, "/nowhere/results.db: cannot open"));
    w.e = (struct err){0};
    w.options.streams = "/proc/streams";
    CHECK(!pool_run(w.a, &w.study, &w.plan, &w.options, &w.result, &w.e));
    CHECK(strstr(w.e.text, "/proc/streams: cannot make the folder"));
    w.options.streams = arena_printf(w.a, "%s/streams", w.dir);
    CHECK_EQ(count(&w, w.dir, "recorded-", false), 0);
    close_world(&w);
}

/* ---- ends that come early --------------------------------------------------------------------- */

static void an_interrupt_ends_the_children_and_leaves_no_parts(void)
{
    struct world w;
    open_world(&w);
    w.trouble = TAKES_LONG;
    w.stop_after = 4;
    run(&w);
    CHECK(w.result.was_interrupted);
    CHECK_EQ(w.result.nfailures, 0);
    CHECK_EQ(count(&w, w.options.streams, ".part", false), 0);
    uint32_t done = w.result.done;
    w.trouble = NO_TROUBLE;
    w.stop_after = 0;
    run(&w); /* a child that was ended may have put its result before */
    CHECK(w.result.cached >= done && w.result.cached <= done + w.options.processes);
    expect(&w, JOBS - w.result.cached, w.result.cached, 0);
    CHECK(!w.result.was_interrupted);
    close_world(&w);
}

/* Waits for a file of that name, made by a recording child; its process id. */
static pid_t await_recorder(struct world *w, const char *name)
{
    const char *start = arena_printf(w->a, "recorded-%s-", name);
    for (int i = 0; i < 1000; i++) {
        DIR *d = opendir(w->dir);
        long pid = 0;
        for (struct dirent *f; d && (f = readdir(d)) != NULL;)
            if (strncmp(f->d_name, start, strlen(start)) == 0)
                pid = strtol(f->d_name + strlen(start), NULL, 10);
        closedir(d);
        if (pid)
            return (pid_t)pid;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return 0;
}

static bool is_gone(pid_t pid)
{
    for (int i = 0; i < 1000; i++) {
        char path[64], state = 0;
        snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
        FILE *f = fopen(path, "r");
        if (!f || fscanf(f, "%*d %*s %c", &state) != 1 || state == 'Z')
            i = 1001; /* gone, or waiting for its new parent to look */
        if (f)
            fclose(f);
        if (i > 1000)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return false;
}

static pid_t start_pool(struct world *w)
{
    pid_t pool = fork();
    if (pool == 0) {
        bool ok = pool_run(w->a, &w->study, &w->plan, &w->options, &w->result, &w->e);
        _exit(ok && w->result.nfailures == VARIANTS && w->result.done == JOBS - VARIANTS &&
                      strstr(w->result.failures[0].why, "killed by signal 9")
                  ? 0
                  : 1);
    }
    return pool;
}

static void a_killed_child_is_a_failure_and_the_others_go_on(void)
{
    struct world w;
    int status;
    open_world(&w);
    w.trouble = TAKES_LONG;
    pid_t pool = start_pool(&w), child = await_recorder(&w, "HS");
    CHECK(child > 0);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(pool, &status, 0), pool);
    CHECK_EQ(status, 0);
    CHECK_EQ(count(&w, w.options.streams, ".part", false), 0);
    w.trouble = NO_TROUBLE;
    run(&w);
    expect(&w, VARIANTS, JOBS - VARIANTS, 0);
    close_world(&w);
}

static void children_of_a_killed_pool_die_with_it(void)
{
    struct world w;
    int status;
    open_world(&w);
    w.trouble = TAKES_LONG;
    pid_t pool = start_pool(&w), child = await_recorder(&w, "HS");
    CHECK(child > 0);
    CHECK_EQ(kill(pool, SIGKILL), 0);
    CHECK_EQ(waitpid(pool, &status, 0), pool);
    CHECK(is_gone(child));
    w.trouble = NO_TROUBLE;
    run(&w);
    CHECK_EQ(w.result.done + w.result.cached, JOBS);
    CHECK_EQ(w.result.nfailures, 0);
    close_world(&w);
}

static void a_full_disk_fails_runs_and_keeps_the_earlier_ones(void)
{
    struct world w;
    int status;
    open_world(&w);
    w.plan.njobs = 2;
    run(&w);
    w.plan.njobs = JOBS;
    pid_t pool = fork();
    if (pool == 0) {
        struct rlimit limit = {36864, 36864}; /* the log's index fits, a result does not */
        setrlimit(RLIMIT_FSIZE, &limit);
        bool ok = pool_run(w.a, &w.study, &w.plan, &w.options, &w.result, &w.e);
        _exit(ok && w.result.nfailures == JOBS - 2 &&
                      strstr(w.result.failures[0].why, "results.db: cannot ")
                  ? 0
                  : 1);
    }
    CHECK_EQ(waitpid(pool, &status, 0), pool);
    CHECK_EQ(status, 0);
    run(&w);
    expect(&w, JOBS - 2, 2, 0);
    close_world(&w);
}

CHECK_MAIN("pool", TEST(every_run_is_done_once_and_every_workload_recorded_once),
           TEST(a_result_has_all_statistics_by_name),
           TEST(the_number_of_processes_changes_no_result), TEST(only_what_is_missing_is_run),
           TEST(a_workload_that_cannot_be_recorded_fails_its_own_runs_only),
           TEST(a_run_that_is_refused_says_why_and_the_others_go_on),
           TEST(a_damaged_recording_is_made_anew),
           TEST(programs_at_once_wait_for_all_their_recordings),
           TEST(programs_at_once_fail_with_one_of_them),
           TEST(a_users_recording_is_replayed_in_place_and_never_removed),
           TEST(a_store_that_cannot_be_used_stops_everything_with_one_line),
           TEST(an_interrupt_ends_the_children_and_leaves_no_parts),
           TEST(a_killed_child_is_a_failure_and_the_others_go_on),
           TEST(children_of_a_killed_pool_die_with_it),
           TEST(a_full_disk_fails_runs_and_keeps_the_earlier_ones))
