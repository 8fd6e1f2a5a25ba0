/* slurm.c - see slurm.h.
 *
 * The commands are started as they are, without a shell, and say what went wrong in their last line
 * on standard error. */
#include "cli/slurm.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; /* POSIX has it in no header */

enum { USUAL_ARRAY = 1001, LONGEST = 1 << 24 };

/* ---- names and times -------------------------------------------------------------------------- */

bool slurm_is_name(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (text[n] && strchr("_.-,", text[n])))
        n++;
    return n > 0 && !text[n] && text[0] != '-';
}

/* Numbers with ':' between them; how many, or 0. */
static int count_fields(const char *text)
{
    int n = 0;
    for (;;) {
        size_t digits = strspn(text, "0123456789");
        if (!digits || digits > 6)
            return 0;
        n++;
        text += digits;
        if (!*text)
            return n;
        if (*text++ != ':')
            return 0;
    }
}

bool slurm_is_time(const char *text)
{
    const char *dash = strchr(text, '-');
    if (strcmp(text, "UNLIMITED") == 0 || strcmp(text, "INFINITE") == 0)
        return true;
    if (dash && (size_t)(dash - text) != strspn(text, "0123456789"))
        return false;
    int n = count_fields(dash ? dash + 1 : text);
    return n >= 1 && n <= 3 && dash != text;
}

/* ---- commands --------------------------------------------------------------------------------- */

static bool is_on_path(const char *tool)
{
    const char *path = getenv("PATH");
    char file[4096];
    for (const char *at = path ? path : ""; *at;) {
        size_t n = strcspn(at, ":");
        int length = snprintf(file, sizeof file, "%.*s/%s", (int)n, at, tool);
        if (length < (int)sizeof file && access(file, X_OK) == 0)
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

bool slurm_is_here(struct err *e)
{
    static const char *const tools[] = {"sbatch", "squeue", "scancel"};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        if (!is_on_path(tools[i]))
            return err_set(e, STATUS_BAD_INPUT,
                           "no %s on the path: this is no computer of a Slurm cluster (--dry-run "
                           "shows the scripts; --shard K/N is for other batch systems)",
                           tools[i]);
    return true;
}

/* All that can be read from the beginning of a file. */
static char *contents(struct arena *a, FILE *f)
{
    long n = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    n = n < 0 ? 0 : n > LONGEST ? LONGEST : n;
    char *text = arena_alloc(a, (size_t)n + 1);
    rewind(f);
    text[fread(text, 1, (size_t)n, f)] = '\0';
    return text;
}

static const char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    const char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

static int spawn(const char *const *args, FILE *out, FILE *err)
{
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_t to;
    posix_spawn_file_actions_init(&to);
    posix_spawn_file_actions_addopen(&to, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&to, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&to, fileno(err), STDERR_FILENO);
    int failed = posix_spawnp(&child, args[0], &to, NULL, (char *const *)args, environ);
    posix_spawn_file_actions_destroy(&to);
    if (failed) {
        fprintf(err, "%s\n", strerror(failed));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* What a command prints; false when its status is not 0. */
static bool ask(struct arena *a, const char *const *args, const char **answer, struct err *e)
{
    FILE *out = tmpfile(), *err = tmpfile();
    bool ok = out && err;
    if (!ok)
        err_set(e, STATUS_BAD_INPUT, "%s: no temporary file: %s", args[0], strerror(errno));
    if (ok && spawn(args, out, err) != 0) {
        const char *line = last_line(contents(a, err));
        ok = err_set(e, STATUS_BAD_INPUT, "%s: %s", args[0], *line ? line : "failed");
    }
    if (ok)
        *answer = contents(a, out);
    if (out)
        fclose(out);
    if (err)
        fclose(err);
    return ok;
}

/* "17" or "17;cluster". */
bool slurm_submit(struct arena *a, const char *const *args, uint64_t *id, struct err *e)
{
    const char *answer;
    char *end;
    if (!ask(a, args, &answer, e))
        return false;
    *id = strtoull(answer, &end, 10);
    return (end != answer && *id > 0) ||
           err_set(e, STATUS_BAD_INPUT, "sbatch: expected a job id, got \"%.60s\"", answer);
}

uint32_t slurm_array_tasks(struct arena *a)
{
    static const char *const args[] = {"scontrol", "show", "config", NULL};
    static const char key[] = "\nMaxArraySize";
    const char *answer, *found;
    struct err ignored = {0};
    if (!ask(a, args, &answer, &ignored) || !(found = strstr(answer, key)))
        return USUAL_ARRAY;
    found += strlen(key);
    long n = strtol(found + strspn(found, " ="), NULL, 10);
    return n > 0 && n < LONGEST ? (uint32_t)n : USUAL_ARRAY;
}

bool slurm_queue(struct arena *a, const char *names, struct slurm_queue *q, struct err *e)
{
    const char *const args[] = {"squeue",      "--noheader",
                                "--array",     arena_printf(a, "--name=%s", names),
                                "--format=%T", NULL};
    const char *answer;
    *q = (struct slurm_queue){0};
    if (!is_on_path("squeue"))
        return err_set(e, STATUS_BAD_INPUT, "not known here: there is no squeue on the path");
    if (!ask(a, args, &answer, e))
        return false;
    for (size_t n; *answer; answer += n + strspn(answer + n, " \n")) {
        n = strcspn(answer, " \n");
        bool is_running = strncmp(answer, "RUNNING", n) == 0 && n == 7;
        bool is_pending = strncmp(answer, "PENDING", n) == 0 && n == 7;
        q->running += is_running;
        q->pending += is_pending;
        q->other += n && !is_running && !is_pending;
    }
    return true;
}

bool slurm_cancel(struct arena *a, const char *name, struct err *e)
{
    const char *const args[] = {"scancel", arena_printf(a, "--name=%s", name), NULL};
    const char *answer;
    return ask(a, args, &answer, e);
}
