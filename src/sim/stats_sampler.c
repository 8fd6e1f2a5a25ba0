/* stats_sampler.c - rows of statistics over time.
 *
 * A row in memory is varints: cycles since the row before, then of each chosen entry its
 * difference (number of samples first, when it has samples), then eight bytes of each computed
 * column. */
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
    const struct stats_sampler_extra **extra;
    uint32_t nextras;
    uint64_t now, rows;
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

static bool is_prefix(const struct stats_sampler_spec *spec, const char *prefix)
{
    size_t n = strlen(prefix);
    for (const struct stat_entry *x = spec->tree->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x) && strncmp(x->name, prefix, n) == 0)
            return true;
    for (size_t i = 0; i < spec->nextras; i++)
        if (strncmp(spec->extras[i].name, prefix, n) == 0)
            return true;
    return false;
}

static bool refuse(const struct stats_sampler_spec *spec, const char *prefix, struct err *e)
{
    struct str_hint hint = str_hint(prefix);
    for (const struct stat_entry *x = spec->tree->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x))
            str_hint_offer(&hint, x->name);
    for (size_t i = 0; i < spec->nextras; i++)
        str_hint_offer(&hint, spec->extras[i].name);
    return err_set(e, STATUS_BAD_INPUT, "no statistic's name begins with \"%s\"%s", prefix,
                   str_hint_text(&hint, ""));
}

static bool check_prefixes(struct arena *a, const struct stats_sampler_spec *spec, struct err *e)
{
    for (const char *p = spec->prefixes; *p;) {
        size_t n = strcspn(p, ",");
        const char *one = arena_printf(a, "%.*s", (int)n, p);
        if (n && !is_prefix(spec, one))
            return refuse(spec, one, e);
        p += n + (p[n] == ',');
    }
    return true;
}

struct stats_sampler *stats_sampler_new(struct arena *a, const struct stats_sampler_spec *spec,
                                        struct err *e)
{
    if (!check_prefixes(a, spec, e))
        return NULL;
    struct stats_sampler *s = ARENA_NEW(a, struct stats_sampler);
    s->last = stats_snapshot(spec->tree, a);
    s->during = stats_snapshot(spec->tree, a);
    s->chosen = ARENA_ARRAY(a, const struct stat_entry *, s->last->n);
    s->extra = ARENA_ARRAY(a, const struct stats_sampler_extra *, spec->nextras + 1);
    for (const struct stat_entry *x = spec->tree->lists[STATS_SUMS].first; x; x = x->next)
        if (is_sampled(x) && is_chosen(x->name, spec->prefixes))
            s->chosen[s->nchosen++] = x;
    for (size_t i = 0; i < spec->nextras; i++)
        if (is_chosen(spec->extras[i].name, spec->prefixes))
            s->extra[s->nextras++] = &spec->extras[i];
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
    for (uint32_t i = 0; i < s->nextras; i++) {
        double x = s->extra[i]->value(s->extra[i]->context, s->during, cycles);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        bytes_put_u64(&s->data, bits);
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

static double take_extra(struct bytes_in *in)
{
    uint64_t bits = bytes_take_u64(in);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
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

static void csv_extra(double x, FILE *out)
{
    char text[STR_REAL_N];
    fprintf(out, ",%s", isnan(x) ? "" : str_from_real(text, x));
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
    for (uint32_t i = 0; i < s->nextras; i++)
        fprintf(out, ",%s", s->extra[i]->name);
    fputc('\n', out);
    struct bytes_in in = open_rows(s);
    uint64_t cycle = 0;
    for (uint64_t r = 0; r < s->rows; r++) {
        fprintf(out, "%" PRIu64, cycle += bytes_take_varint(&in));
        for (uint32_t i = 0; i < s->nchosen; i++)
            csv_number(s->chosen[i], take_number(&in, s->chosen[i]), out);
        for (uint32_t i = 0; i < s->nextras; i++)
            csv_extra(take_extra(&in), out);
        fputc('\n', out);
    }
}
