/* characterise_chip.c - what chips measured: the tables of reference/hw. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "cli/characterise.h"
#include "cli/cli.h"

static const char *const stream_columns[] = {"init_gb_s",  "read_gb_s",     "scale_gb_s",
                                             "triad_gb_s", "stencil3_gb_s", "stencil5_gb_s"};
enum { STREAM_COLUMNS = sizeof stream_columns / sizeof stream_columns[0] };

/* NULL without an error where there is no such file. */
static struct csv *read_table(struct arena *a, const char *chip, const char *what, struct err *e)
{
    const char *path = arena_printf(a, "%s/hw/%s_%s.csv", data_folder(a, "reference"), chip, what);
    return access(path, F_OK) == 0 ? csv_read(a, path, e) : NULL;
}

static bool read_curve(struct arena *a, const struct csv *t, const char *x, const char *y,
                       struct chip_curve *c, struct err *e)
{
    int column[2] = {csv_column(t, x, e), csv_column(t, y, e)};
    if (column[0] < 0 || column[1] < 0)
        return false;
    c->n = (uint32_t)t->nrows;
    c->x = ARENA_ARRAY(a, double, c->n + 1);
    c->y = ARENA_ARRAY(a, double, c->n + 1);
    for (int i = 0; i < t->nrows; i++) {
        if (!csv_real(t, i, column[0], &c->x[i], e) || !csv_real(t, i, column[1], &c->y[i], e))
            return false;
        c->x[i] *= 1024; /* KiB */
    }
    return true;
}

static bool read_streams(struct arena *a, const struct csv *t, struct chip *c, struct err *e)
{
    int block = csv_column(t, "block_threads", e), ctas = csv_column(t, "blocks_per_sm", e);
    int column[STREAM_COLUMNS];
    for (int k = 0; k < STREAM_COLUMNS; k++)
        column[k] = csv_column(t, stream_columns[k], e);
    if (e->status != STATUS_DONE)
        return false;
    c->nstreams = (uint32_t)t->nrows;
    c->streams = ARENA_ARRAY(a, struct chip_stream, c->nstreams + 1);
    for (int i = 0; i < t->nrows; i++) {
        struct chip_stream *s = &c->streams[i];
        s->gbs = ARENA_ARRAY(a, double, STREAM_COLUMNS);
        if (!csv_count(t, i, block, &s->block, e) || !csv_count(t, i, ctas, &s->ctas, e))
            return false;
        for (int k = 0; k < STREAM_COLUMNS; k++)
            if (!csv_real(t, i, column[k], &s->gbs[k], e))
                return false;
    }
    return true;
}

bool chip_read(struct arena *a, const char *name, struct chip *c, struct err *e)
{
    struct csv *latency = read_table(a, name, "latency", e);
    struct csv *cache = read_table(a, name, "cache", e),
               *streams = read_table(a, name, "stream", e);
    *c = (struct chip){.name = name};
    if (e->status != STATUS_DONE)
        return false;
    if (!latency && !cache && !streams)
        return err_set(e, STATUS_BAD_INPUT, "no measurements of a chip \"%s\" in %s/hw", name,
                       data_folder(a, "reference"));
    return (!latency || read_curve(a, latency, "footprint_kib", "cycles_mean", &c->latency, e)) &&
           (!cache || read_curve(a, cache, "data_kib", "effective_gb_s", &c->cache, e)) &&
           (!streams || read_streams(a, streams, c, e));
}
