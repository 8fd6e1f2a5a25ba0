/* stats_sampler.c - rows of statistics over time.
 *
 * A row in memory is varints: cycles since the row before, then of each chosen entry its
 * difference (number of samples first, when it has samples). */
#include "sim/stats_sampler.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "sim/stats_priv.h"

struct stats_sampler {
    struct stats_snapshot *last, *during;
    const struct stat_entry **chosen;
    uint32_t nchosen;
    uint64_t start, now, rows;
    struct bytes data;
};

/* Whether `name` begins with one of the words of "a,b,c"; with none every name does. */
static bool is_chosen(const char *name, const char *prefixes)
{
    if (!*prefixes)
        return true;
    for (const char *p = prefixes; *p;) {
        size_t n = strcspn(p, ",");
        if (n && strncmp(name, p, n) == 0)
            return true;
        p += n + (p[n] == ',');
    }
    return false;
}

static bool is_sampled(const struct stat_entry *x)
{
    return x->row->kind != STAT_SERIES;
}

static bool is_prefix(const struct stats *t, const char *prefix)
{
    for (const struct stat_entry *x = t->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x) && strncmp(x->name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

static bool refuse(struct arena *a, const struct stats *t, const char *prefix, struct err *e)
{
    const char **names = ARENA_ARRAY(a, const char *, t->lists[STATS_SUMS].n);
    size_t n = 0;
    for (const struct stat_entry *x = t->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x))
            names[n++] = x->name;
    const char *near = str_nearest(prefix, names, n);
    return err_set(e, STATUS_BAD_INPUT, "no statistic's name begins with \"%s\"%s%s%s", prefix,
                   near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

static bool check_prefixes(struct arena *a, const struct stats *t, const char *prefixes,
                           struct err *e)
{
    for (const char *p = prefixes; *p;) {
        size_t n = strcspn(p, ",");
        const char *one = arena_printf(a, "%.*s", (int)n, p);
        if (n && !is_prefix(t, one))
            return refuse(a, t, one, e);
        p += n + (p[n] == ',');
    }
    return true;
}

struct stats_sampler *stats_sampler_new(struct arena *a, const struct stats *t,
                                        const char *prefixes, uint64_t now, struct err *e)
{
    if (!check_prefixes(a, t, prefixes, e))
        return NULL;
    struct stats_sampler *s = ARENA_NEW(a, struct stats_sampler);
    s->last = stats_snapshot(t, a);
    s->during = stats_snapshot(t, a);
    s->start = s->now = now;
    s->chosen = ARENA_ARRAY(a, const struct stat_entry *, s->last->n);
    for (const struct stat_entry *x = t->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x) && is_chosen(x->name, prefixes))
            s->chosen[s->nchosen++] = x;
    return s;
}

void stats_sampler_free(struct stats_sampler *s)
{
    bytes_free(&s->data);
}

static void keep_row(struct stats_sampler *s, uint64_t cycles)
{
    bytes_put_varint(&s->data, cycles);
    for (uint32_t i = 0; i < s->nchosen; i++) {
        const struct stat_number *v = &s->during->at[s->chosen[i]->index];
        if (stat_has_samples(s->chosen[i]->row->kind))
            bytes_put_varint(&s->data, v->n);
        bytes_put_varint(&s->data, v->sum);
    }
    s->rows++;
}

const struct stats_snapshot *stats_sampler_take(struct stats_sampler *s, uint64_t now)
{
    HD_ASSERT(now > s->now, "a period ends after it began");
    stats_snapshot_retake(s->during);
    for (uint32_t i = 0; i < s->during->n; i++) {
        struct stat_number value = s->during->at[i];
        s->during->at[i].n -= s->last->at[i].n;
        s->during->at[i].sum -= s->last->at[i].sum;
        s->last->at[i] = value;
    }
    keep_row(s, now - s->now);
    s->now = now;
    return s->during;
}

uint64_t stats_sampler_rows(const struct stats_sampler *s)
{
    return s->rows;
}

/* ---- reading the rows back ------------------------------------------------------------------- */

static struct bytes_in open_rows(const struct stats_sampler *s)
{
    return (struct bytes_in){s->data.at, s->data.at + s->data.used, false};
}

static struct stat_number take_number(struct bytes_in *in, const struct stat_entry *x)
{
    uint64_t n = stat_has_samples(x->row->kind) ? bytes_take_varint(in) : 0;
    return (struct stat_number){n, bytes_take_varint(in)};
}

static double mean_of(struct stat_number v)
{
    return v.n ? (double)v.sum / (double)v.n : NAN;
}

static void csv_number(const struct stat_entry *x, struct stat_number v, FILE *out)
{
    char text[STR_REAL_N];
    if (!stat_has_samples(x->row->kind))
        fprintf(out, ",%" PRIu64, v.sum);
    else if (v.n)
        fprintf(out, ",%s,%" PRIu64, str_from_real(text, mean_of(v)), v.n);
    else
        fputs(",,0", out);
}

void stats_sampler_csv(const struct stats_sampler *s, FILE *out)
{
    fputs("cycle", out);
    for (uint32_t i = 0; i < s->nchosen; i++) {
        const char *name = s->chosen[i]->name;
        fprintf(out, ",%s", name);
        if (stat_has_samples(s->chosen[i]->row->kind))
            fprintf(out, ",%s.n", name);
    }
    fputc('\n', out);
    struct bytes_in in = open_rows(s);
    uint64_t cycle = s->start;
    for (uint64_t r = 0; r < s->rows; r++) {
        fprintf(out, "%" PRIu64, cycle += bytes_take_varint(&in));
        for (uint32_t i = 0; i < s->nchosen; i++)
            csv_number(s->chosen[i], take_number(&in, s->chosen[i]), out);
        fputc('\n', out);
    }
}

static void json_columns(const struct stats_sampler *s, struct json *j)
{
    char name[256];
    json_key(j, "columns");
    json_open_array(j, true);
    json_string(j, "cycle");
    for (uint32_t i = 0; i < s->nchosen; i++) {
        json_string(j, s->chosen[i]->name);
        if (!stat_has_samples(s->chosen[i]->row->kind))
            continue;
        snprintf(name, sizeof name, "%s.n", s->chosen[i]->name);
        json_string(j, name);
    }
    json_close_array(j);
}

static void json_number(const struct stat_entry *x, struct stat_number v, struct json *j)
{
    if (!stat_has_samples(x->row->kind)) {
        json_uint(j, v.sum);
        return;
    }
    json_real(j, mean_of(v));
    json_uint(j, v.n);
}

void stats_sampler_json(const struct stats_sampler *s, struct json *j)
{
    json_open_object(j, false);
    json_columns(s, j);
    json_key(j, "rows");
    json_open_array(j, false);
    struct bytes_in in = open_rows(s);
    uint64_t cycle = s->start;
    for (uint64_t r = 0; r < s->rows; r++) {
        json_open_array(j, true);
        json_uint(j, cycle += bytes_take_varint(&in));
        for (uint32_t i = 0; i < s->nchosen; i++)
            json_number(s->chosen[i], take_number(&in, s->chosen[i]), j);
        json_close_array(j);
    }
    json_close_array(j);
    json_close_object(j);
}
