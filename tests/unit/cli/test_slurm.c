/* What Slurm may be given, and what a script does with names that a shell would take apart. */
#include "cli/slurm.h"

#include "check.h"
#include "cli/slurm_script.h"

static void times_are_those_that_sbatch_takes(void)
{
    static const char *const good[] = {"30",      "90:00",   "2:00:00",   "1-12",
                                       "1-12:30", "2-0:0:5", "UNLIMITED", "0"};
    static const char *const bad[] = {"",      "abc", "1h", "-5", "1:2:3:4", "1-",      "1--2",
                                      "1-2-3", " 5",  "5 ", "1:", ":1",      "12345678"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(slurm_is_time(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!slurm_is_time(bad[i]));
}

static void names_of_partitions_have_no_signs_that_mean_something(void)
{
    CHECK(slurm_is_name("main") && slurm_is_name("gpu-long_2.x,short"));
    static const char *const bad[] = {"", "a b", "a;b", "$x", "a\nb", "--wrap", "a'b"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!slurm_is_name(bad[i]));
}

static void without_slurm_there_is_one_line_and_what_to_do_instead(void)
{
    struct err e = {0};
    setenv("PATH", "/nonexistent", 1);
    CHECK(!slurm_is_here(&e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "no sbatch on the path") && strstr(e.text, "--shard"));
}

/* The script as text. */
static const char *script(struct arena *a, const struct slurm_script *x, enum slurm_step step)
{
    char *text = arena_alloc(a, 1 << 14);
    FILE *f = tmpfile();
    CHECK(f);
    slurm_script_write(x, step, f);
    rewind(f);
    text[fread(text, 1, (1 << 14) - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void whatever_files_are_called_a_shell_gets_their_names(void)
{
    struct arena *a = arena_new();
    struct study_ask ask = {.name = "my study.yaml",
                            .study = {.quick = true, .only = "a,$(touch x)"},
                            .jobs = 3,
                            .partition = "main",
                            .time = "10"};
    struct slurm_script x = {.ask = &ask,
                             .name = "heddle-my_study-1",
                             .program = "/opt/it's/heddle",
                             .folder = "/home/a b",
                             .out = "/data/`id`",
                             .db = "/data/x.db",
                             .manifest = "/data/\"1\".manifest"};
    const char *run = script(a, &x, STEP_RUN);
    CHECK(strstr(run, "\ncd '/home/a b' || exit 2\n"));
    CHECK(strstr(run,
                 "\nexec '/opt/it'\\''s/heddle' study 'my study.yaml' --out '/data/`id`' --quick "
                 "--only 'a,$(touch x)' --jobs 3 --task '/data/\"1\".manifest':$(("));
    CHECK(strstr(run, "#SBATCH --cpus-per-task=3\n#SBATCH --partition=main\n#SBATCH --time=10\n"));
    const char *gather = script(a, &x, STEP_GATHER);
    CHECK(strstr(gather, " --db /data/x.db --gather\n"));
    CHECK(strstr(gather, "#SBATCH --cpus-per-task=1\n"));
    arena_free(a);
}

CHECK_MAIN("slurm", TEST(times_are_those_that_sbatch_takes),
           TEST(names_of_partitions_have_no_signs_that_mean_something),
           TEST(without_slurm_there_is_one_line_and_what_to_do_instead),
           TEST(whatever_files_are_called_a_shell_gets_their_names))
