/* manifest.c - see manifest.h. */
#include "study/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "heddle manifest 1\n";

enum { LINE = 2048 };

/* ---- writing ---------------------------------------------------------------------------------- */

/* Names are for people; one with a line's end in it must not end the line. */
static void put_name(FILE *f, const char *name)
{
    for (; *name; name++)
        fputc(*name == '\n' || *name == '\r' ? '?' : *name, f);
    fputc('\n', f);
}

static void put_all(FILE *f, const struct manifest *m)
{
    fputs(head, f);
    for (uint32_t i = 0; i < m->nrecords; i++) {
        const struct manifest_record *r = &m->records[i];
        fprintf(f, "record %u %u %u %016" PRIx64 " ", r->task, r->workload, r->program, r->hash);
        put_name(f, r->title);
    }
    for (uint32_t i = 0; i < m->nruns; i++) {
        const struct manifest_run *r = &m->runs[i];
        fprintf(f, "run %u %u %u %016" PRIx64 " ", r->task, r->variant, r->workload, r->key);
        put_name(f, r->label);
    }
}

bool manifest_write(const char *path, const struct manifest *m, struct err *e)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part%ld", path, (long)getpid()) >= (int)sizeof part)
        return err_set(e, STATUS_BAD_INPUT, "%s: name too long", path);
    FILE *f = fopen(part, "w");
    if (!f)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
    put_all(f, m);
    bool ok = fflush(f) == 0 && !ferror(f) && fsync(fileno(f)) == 0;
    int why = errno;
    ok = fclose(f) == 0 && ok;
    if (ok && rename(part, path) == 0)
        return true;
    unlink(part);
    return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(why));
}

/* ---- reading ---------------------------------------------------------------------------------- */

struct reader {
    FILE *f;
    const char *path;
    uint32_t line, task;
    char text[LINE];
};

static bool refuse(const struct reader *r, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT,
                   "%s:%u: no line of a manifest that this heddle can read; submit the study again",
                   r->path, r->line);
}

/* A line without its end; names that are too long are cut. */
static bool next_line(struct reader *r)
{
    if (!fgets(r->text, sizeof r->text, r->f))
        return false;
    r->line++;
    size_t n = strlen(r->text);
    if (n && r->text[n - 1] == '\n')
        r->text[n - 1] = '\0';
    else
        for (int c; (c = fgetc(r->f)) != EOF && c != '\n';)
            continue;
    return true;
}

static bool read_record(struct reader *r, struct arena *a, struct manifest *m, struct err *e)
{
    struct manifest_record x = {0};
    int at = 0;
    if (sscanf(r->text, "record %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNx64 " %n", &x.task,
               &x.workload, &x.program, &x.hash, &at) != 4 ||
        !at)
        return refuse(r, e);
    if (x.task != r->task)
        return true;
    x.title = arena_strdup(a, r->text + at);
    if (m->records)
        m->records[m->nrecords] = x;
    m->nrecords++;
    return true;
}

static bool read_run(struct reader *r, struct arena *a, struct manifest *m, struct err *e)
{
    struct manifest_run x = {0};
    int at = 0;
    if (sscanf(r->text, "run %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNx64 " %n", &x.task,
               &x.variant, &x.workload, &x.key, &at) != 4 ||
        !at)
        return refuse(r, e);
    if (x.task != r->task)
        return true;
    x.label = arena_strdup(a, r->text + at);
    if (m->runs)
        m->runs[m->nruns] = x;
    m->nruns++;
    return true;
}

/* Counts where there are no arrays yet, else fills them. */
static bool read_all(struct reader *r, struct arena *a, struct manifest *m, struct err *e)
{
    rewind(r->f);
    r->line = 0;
    m->nrecords = m->nruns = 0;
    if (!fgets(r->text, sizeof r->text, r->f) || strcmp(r->text, head) != 0) {
        r->line = 1;
        return refuse(r, e);
    }
    r->line = 1;
    bool ok = true;
    while (ok && next_line(r))
        ok = strncmp(r->text, "record ", 7) == 0 ? read_record(r, a, m, e) : read_run(r, a, m, e);
    return ok && (!ferror(r->f) ||
                  err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", r->path, strerror(errno)));
}

bool manifest_read(struct arena *a, const char *path, uint32_t task, struct manifest *m,
                   struct err *e)
{
    struct reader *r = ARENA_NEW(a, struct reader);
    r->path = path;
    r->task = task;
    r->f = fopen(path, "r");
    *m = (struct manifest){0};
    if (!r->f)
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: cannot read: %s (is it in a folder that all computers share?)", path,
                       strerror(errno));
    bool ok = read_all(r, a, m, e);
    if (ok) {
        m->records = ARENA_ARRAY(a, struct manifest_record, m->nrecords + 1);
        m->runs = ARENA_ARRAY(a, struct manifest_run, m->nruns + 1);
        ok = read_all(r, a, m, e);
    }
    fclose(r->f);
    return ok &&
           (m->nrecords || m->nruns || err_set(e, STATUS_BAD_INPUT, "%s: no task %u", path, task));
}
