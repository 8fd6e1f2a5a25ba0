/* slurm_script.c - see slurm_script.h.
 *
 * What Slurm reads (#SBATCH) has names that were checked; whatever a user can call a file stands in
 * quotes, and only where a shell reads it.  The program takes the place of the shell, so that
 * Slurm's signals reach it. */
#include "cli/slurm_script.h"

#include <stdlib.h>

#include "cli/origin.h"

const char *slurm_script_word(enum slurm_step step)
{
    static const char *const words[SLURM_STEPS] = {"record", "run", "gather"};
    return words[step];
}

static void write_head(const struct slurm_script *x, enum slurm_step step, FILE *f)
{
    bool is_array = step != STEP_GATHER;
    fprintf(f, "#!/bin/sh\n#SBATCH --job-name=%s\n", x->name);
    fprintf(f, "#SBATCH --output=logs/%s\n", is_array ? "%A_%a.log" : "%j.log");
    fputs("#SBATCH --open-mode=append\n#SBATCH --requeue\n#SBATCH --ntasks=1\n", f);
    fprintf(f, "#SBATCH --cpus-per-task=%llu\n",
            step == STEP_RUN && x->ask->jobs ? (unsigned long long)x->ask->jobs : 1);
    if (x->ask->partition)
        fprintf(f, "#SBATCH --partition=%s\n", x->ask->partition);
    if (x->ask->time)
        fprintf(f, "#SBATCH --time=%s\n", x->ask->time);
}

void slurm_script_write(const struct slurm_script *x, enum slurm_step step, FILE *f)
{
    struct arena *a = arena_new();
    const struct study_ask *o = x->ask;
    const char *data = getenv("HEDDLE_DATA");
    write_head(x, step, f);
    fprintf(f, "cd %s || exit 2\n", origin_quoted(a, x->folder));
    if (data)
        fprintf(f, "export HEDDLE_DATA=%s\n", origin_quoted(a, data));
    fprintf(f, "exec %s study %s --out %s", origin_quoted(a, x->program), origin_quoted(a, o->name),
            origin_quoted(a, x->out));
    if (o->study.quick)
        fputs(" --quick", f);
    if (o->study.only)
        fprintf(f, " --only %s", origin_quoted(a, o->study.only));
    if (step == STEP_GATHER)
        fprintf(f, " --db %s --gather\n", origin_quoted(a, x->db));
    else
        fprintf(f, " --jobs %llu --task %s:$((${SLURM_ARRAY_TASK_ID:-0} + ${1:-0}))\n",
                step == STEP_RUN && o->jobs ? (unsigned long long)o->jobs : 1,
                origin_quoted(a, x->manifest));
    arena_free(a);
}
