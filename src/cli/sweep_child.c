/* sweep_child.c - one run of a sweep, in a process of its own.
 *
 * Statistics come back in a file: a line of what is not a statistic, then name,value. */
#include "cli/sweep_child.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/wall.h"
#include "cli/infile.h"
#include "cli/timed_out.h"
#include "machine/machine.h"
#include "report/run_json.h"

/* ---- in the child ----------------------------------------------------------------------------- */

static bool record(const struct sweep_child *c, struct err *e)
{
    struct execution done;
    struct execute x = c->sweep->o->program[0].execute;
    x.record = c->stream;
    x.prints_to_stderr = true;
    return execute_run(&x, c->sweep->arena, &done, e);
}

static bool write_result(const struct sweep_child *c, const struct machine *m, bool is_partial,
                         double wall, struct err *e)
{
    struct arena *a = c->sweep->arena;
    struct results_scale scale;
    char number[STR_REAL_N];
    if (!results_scale_of(&scale, m, a, e))
        return false;
    struct results_view v = run_view(m, &scale, a);
    FILE *out = fopen(c->result, "w");
    if (!out)
        return err_set(e, STATUS_FAILED, "%s: cannot write: %s", c->result, strerror(errno));
    fprintf(out, "%" PRIu64 " %016" PRIx64 " %d %.6f\n", machine_cycles(m), machine_digest(m),
            is_partial, wall);
    for (size_t i = 0; i < results_nrows; i++) {
        double x = results_rows[i].value(&v);
        fprintf(out, "%s,%s\n", results_rows[i].name, isnan(x) ? "" : str_from_real(number, x));
    }
    stats_snapshot_csv(v.values, out);
    bool ok = fflush(out) == 0 && !ferror(out);
    return (fclose(out) == 0 && ok) ||
           err_set(e, STATUS_FAILED, "%s: cannot write: %s", c->result, strerror(errno));
}

static bool replay(const struct sweep_child *c, struct err *e)
{
    const struct timed_options *o = c->sweep->o;
    struct machine_options mo = {.no_skip = o->no_skip,
                                 .check = o->check,
                                 .threads = o->threads,
                                 .max_cycles = o->max_cycles,
                                 .max_insns = o->max_insns};
    double start = wall_s();
    struct stream_source *s = stream_source_of_file(c->stream, e);
    struct machine *m = s ? machine_new(c->run->config, &mo, e) : NULL;
    bool ok = m && machine_run_source(m, s, e) && machine_finish(m, e);
    bool is_partial = !ok && e->status == STATUS_BUDGET;
    if (is_partial)
        *e = (struct err){0};
    ok = (ok || is_partial) && write_result(c, m, is_partial, wall_s() - start, e);
    machine_free(m);
    stream_source_free(s);
    return ok;
}

bool sweep_child_do(void *child, struct err *e)
{
    const struct sweep_child *c = child;
    return c->run ? replay(c, e) : record(c, e);
}

/* ---- in the parent ---------------------------------------------------------------------------- */

bool sweep_child_read(struct sweep_run *r, const char *result, struct arena *a, struct err *e)
{
    size_t length;
    char *text = infile_read(a, result, &length, e), *save = NULL;
    int is_partial = 0;
    if (!text)
        return false;
    uint32_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    r->names = ARENA_ARRAY(a, const char *, lines);
    r->values = ARENA_ARRAY(a, double, lines);
    char *line = strtok_r(text, "\n", &save);
    if (!line || sscanf(line, "%" SCNu64 " %" SCNx64 " %d %lf", &r->cycles, &r->digest, &is_partial,
                        &r->wall_s) != 4)
        return err_set(e, STATUS_FAILED, "%s: not what a run wrote", result);
    r->is_partial = is_partial;
    while ((line = strtok_r(NULL, "\n", &save))) {
        char *comma = strchr(line, ',');
        HD_ASSERT(comma, "\"%s\" is no statistic", line);
        *comma = '\0';
        r->names[r->nstats] = line;
        r->values[r->nstats++] = comma[1] ? strtod(comma + 1, NULL) : (double)NAN;
    }
    return true;
}
