/* stats_out.c - writers of the statistics tree: text for people, JSON for programs, and the list
 * of what there is.  They know the kinds of statistics but no component. */
#include <inttypes.h>
#include <string.h>

#include "sim/stats_priv.h"

#define VALUE_N 32
#define DETAIL_N 160

const char *stats_kind_name(enum stat_kind k)
{
    static const char *const names[] = {[STAT_COUNTER] = "counter",
                                        [STAT_MEAN] = "mean",
                                        [STAT_HIST] = "histogram",
                                        [STAT_SERIES] = "series"};
    return names[k];
}

static double hist_mean(const struct stat_hist *h)
{
    return h->n ? (double)h->sum / (double)h->n : 0;
}

static uint64_t series_sum(const struct stat_series *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += s->slot[i];
    return sum;
}

/* The one number that stands for a statistic in a table. */
static void value_text(char buf[VALUE_N], enum stat_kind kind, const void *value)
{
    switch (kind) {
    case STAT_COUNTER:
        snprintf(buf, VALUE_N, "%" PRIu64, *(const uint64_t *)value);
        break;
    case STAT_MEAN:
        snprintf(buf, VALUE_N, "%.3f", stat_mean_value(value));
        break;
    case STAT_HIST:
        snprintf(buf, VALUE_N, "%.3f", hist_mean(value));
        break;
    case STAT_SERIES:
        snprintf(buf, VALUE_N, "%" PRIu64, series_sum(value));
        break;
    }
}

/* What stands behind it: " (n 10, min 1, max 9)"; nothing for a counter. */
static void detail_text(char buf[DETAIL_N], enum stat_kind kind, const void *value)
{
    buf[0] = '\0';
    if (kind == STAT_MEAN) {
        const struct stat_mean *m = value;
        snprintf(buf, DETAIL_N, " (n %" PRIu64 ", min %" PRIu64 ", max %" PRIu64 ")", m->n, m->min,
                 m->max);
    } else if (kind == STAT_HIST) {
        const struct stat_hist *h = value;
        snprintf(buf, DETAIL_N,
                 " (n %" PRIu64 ", min %" PRIu64 ", max %" PRIu64 ", p50 %g, p90 %g, p99 %g)", h->n,
                 h->min, h->max, stat_hist_percentile(h, 50), stat_hist_percentile(h, 90),
                 stat_hist_percentile(h, 99));
    } else if (kind == STAT_SERIES) {
        const struct stat_series *v = value;
        snprintf(buf, DETAIL_N, " (%" PRIu32 " periods of %" PRIu64 ")", v->n, v->period);
    }
}

struct widths {
    int name, value, unit;
};

static int wider(int width, const char *s)
{
    int n = (int)strlen(s);
    return n > width ? n : width;
}

/* Every entry, sums first. */
static const struct stat_entry *first_entry(const struct stats *t)
{
    const struct stat_entry *s = t->lists[STATS_SUMS].first;
    return s ? s : t->lists[STATS_DETAILS].first;
}

static const struct stat_entry *next_entry(const struct stats *t, const struct stat_entry *s)
{
    bool is_last_sum = &s->next == t->lists[STATS_SUMS].last;
    return is_last_sum ? t->lists[STATS_DETAILS].first : s->next;
}

static struct widths measure(const struct stats *t)
{
    struct widths w = {0, 0, 0};
    char text[VALUE_N];
    union stat_value sum;
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s)) {
        value_text(text, s->row->kind, stats_entry_value(s, &sum));
        w.name = wider(w.name, s->name);
        w.value = wider(w.value, text);
        w.unit = wider(w.unit, s->row->unit);
    }
    return w;
}

void stats_write_text(const struct stats *t, FILE *out)
{
    *t->frozen = true;
    struct widths w = measure(t);
    union stat_value sum;
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s)) {
        char text[VALUE_N], detail[DETAIL_N];
        const void *value = stats_entry_value(s, &sum);
        value_text(text, s->row->kind, value);
        detail_text(detail, s->row->kind, value);
        fprintf(out, "%-*s  %*s  %-*s  %s%s\n", w.name, s->name, w.value, text, w.unit,
                s->row->unit, s->row->help, detail);
    }
}

void stats_describe(const struct stats *t, FILE *out)
{
    struct widths w = measure(t);
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s))
        fprintf(out, "%-*s  %-9s  %-*s  %s\n", w.name, s->name, stats_kind_name(s->row->kind),
                w.unit, s->row->unit, s->row->help);
}

void stats_names(const struct stats *t, FILE *out)
{
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s))
        fprintf(out, "%s\n", s->name);
}

void stats_each(const struct stats *t,
                void (*each)(void *context, const char *name, const struct stat_row *row),
                void *context)
{
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s))
        each(context, s->name, s->row);
}

static void member_uint(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_uint(j, v);
}

static void member_real(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void write_mean(const struct stat_mean *m, struct json *j)
{
    json_open_object(j, true);
    member_real(j, "mean", stat_mean_value(m));
    member_uint(j, "n", m->n);
    member_uint(j, "min", m->min);
    member_uint(j, "max", m->max);
    json_close_object(j);
}

static void write_hist(const struct stat_hist *h, struct json *j)
{
    json_open_object(j, true);
    member_uint(j, "n", h->n);
    member_real(j, "mean", hist_mean(h));
    member_uint(j, "min", h->min);
    member_uint(j, "max", h->max);
    member_real(j, "p50", stat_hist_percentile(h, 50));
    member_real(j, "p90", stat_hist_percentile(h, 90));
    member_real(j, "p99", stat_hist_percentile(h, 99));
    json_key(j, "buckets");
    json_open_array(j, true);
    for (uint32_t b = 0; b < STAT_HIST_N; b++) {
        if (h->bucket[b] == 0)
            continue;
        json_open_array(j, true);
        json_uint(j, stat_hist_lower(b));
        json_uint(j, h->bucket[b]);
        json_close_array(j);
    }
    json_close_array(j);
    json_close_object(j);
}

static void write_series(const struct stat_series *s, struct json *j)
{
    json_open_object(j, true);
    member_uint(j, "period", s->period);
    json_key(j, "values");
    json_open_array(j, true);
    for (uint32_t i = 0; i < s->n; i++)
        json_uint(j, s->slot[i]);
    json_close_array(j);
    json_close_object(j);
}

static void write_value(enum stat_kind kind, const void *value, struct json *j)
{
    switch (kind) {
    case STAT_COUNTER:
        json_uint(j, *(const uint64_t *)value);
        break;
    case STAT_MEAN:
        write_mean(value, j);
        break;
    case STAT_HIST:
        write_hist(value, j);
        break;
    case STAT_SERIES:
        write_series(value, j);
        break;
    }
}

void stats_write_json(const struct stats *t, struct json *j)
{
    *t->frozen = true;
    union stat_value sum;
    json_open_object(j, false);
    for (const struct stat_entry *s = first_entry(t); s; s = next_entry(t, s)) {
        json_key(j, s->name);
        write_value(s->row->kind, stats_entry_value(s, &sum), j);
    }
    json_close_object(j);
}
