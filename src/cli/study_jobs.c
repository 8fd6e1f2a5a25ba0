/* study_jobs.c - see study_jobs.h.
 *
 *     name heddle-icc-1f0c92aa
 *     record 12
 *     run 13
 *     gather 14
 *     gathered
 */
#include "cli/study_jobs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "cli/slurm.h"

enum { LINE = 256, NAME = 40 };

static const char gathered[] = "gathered";

const char *study_jobs_folder(struct arena *a, const struct study_ask *o)
{
    return arena_printf(a, "%s/cluster", o->out.dir);
}

static const char *path_of(struct arena *a, const struct study_ask *o)
{
    return arena_printf(a, "%s/jobs", study_jobs_folder(a, o));
}

const char *study_jobs_name(struct arena *a, const struct study_ask *o, const struct study *s)
{
    char full[PATH_MAX], host[256] = "", stem[NAME + 1] = "";
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    gethostname(host, sizeof host - 1);
    for (size_t i = 0; i < NAME && s->name[i]; i++)
        stem[i] = isalnum((unsigned char)s->name[i]) ? s->name[i] : '_';
    uint64_t h = bytes_hash_text(1, realpath(o->out.dir, full) ? full : o->out.dir);
    h = bytes_hash_u64(bytes_hash_text(h, host), (uint64_t)getpid());
    h = bytes_hash_u64(bytes_hash_u64(h, (uint64_t)now.tv_sec), (uint64_t)now.tv_nsec);
    return arena_printf(a, "heddle-%s-%08x", stem, (unsigned)(h ^ h >> 32));
}

bool study_jobs_note(struct arena *a, const struct study_ask *o, const char *line, struct err *e)
{
    const char *path = path_of(a, o);
    FILE *f = fopen(path, "a");
    bool ok = f && fprintf(f, "%s\n", line) > 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
    int why = errno;
    ok = f && fclose(f) == 0 && ok;
    return ok || err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(why));
}

const char *study_jobs_names(struct arena *a, const struct study_ask *o)
{
    char line[LINE];
    const char *names = NULL;
    FILE *f = fopen(path_of(a, o), "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "name ", 5) == 0 && slurm_is_name(line + 5))
            names = names ? arena_printf(a, "%s,%s", names, line + 5) : arena_strdup(a, line + 5);
    }
    if (f)
        fclose(f);
    return names;
}

bool study_jobs_settle(struct arena *a, const struct study_ask *o, struct err *e)
{
    return !study_jobs_owe(a, o) || study_jobs_note(a, o, gathered, e);
}

bool study_jobs_owe(struct arena *a, const struct study_ask *o)
{
    char line[LINE] = "";
    bool is_owed = false;
    FILE *f = fopen(path_of(a, o), "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        is_owed = strcmp(line, gathered) != 0;
    }
    if (f)
        fclose(f);
    return is_owed;
}

bool study_jobs_cancel(const struct study_ask *o, const struct study *s, struct arena *a,
                       struct err *e)
{
    struct slurm_queue q;
    const char *names = study_jobs_names(a, o);
    if (!names)
        return err_set(e, STATUS_BAD_INPUT, "%s: %s was never submitted from here", path_of(a, o),
                       s->name);
    if (!slurm_is_here(e) || !slurm_queue(a, names, &q, e))
        return false;
    char *rest = NULL, *all = arena_strdup(a, names);
    for (char *name = strtok_r(all, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        if (!slurm_cancel(a, name, e))
            return false;
    printf("cancelled: %u tasks that ran, %u that waited; what is done is kept\n",
           q.running + q.other, q.pending);
    return true;
}
