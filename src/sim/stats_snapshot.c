/* stats_snapshot.c - copies of the sums of a statistics tree, and their differences.
 *
 * The tree is frozen by its first snapshot, so the place of an entry in the tree is its place in
 * every snapshot.  Taking one visits every instance of every statistic, which is why histograms
 * are not merged for it. */
#include "sim/stats_snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "sim/stats_priv.h"

#define NAME_N 256

static uint64_t series_sum(const struct stat_series *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += s->slot[i];
    return sum;
}

static struct stat_number number_of(enum stat_kind kind, const void *value)
{
    if (kind == STAT_COUNTER)
        return (struct stat_number){0, *(const uint64_t *)value};
    if (kind == STAT_SERIES)
        return (struct stat_number){0, series_sum(value)};
    if (kind == STAT_MEAN) {
        const struct stat_mean *m = value;
        return (struct stat_number){m->n, m->sum};
    }
    const struct stat_hist *h = value;
    return (struct stat_number){h->n, h->sum};
}

void stats_snapshot_retake(struct stats_snapshot *s)
{
    struct stat_number *to = s->at;
    for (const struct stat_entry *x = s->tree->lists[STATS_SUMS].first; x; x = x->next, to++) {
        *to = (struct stat_number){0, 0};
        for (const struct stat_instance *i = &x->of; i; i = i->next) {
            struct stat_number one = number_of(x->row->kind, i->value);
            to->n += one.n;
            to->sum += one.sum;
        }
    }
}

struct stats_snapshot *stats_snapshot(const struct stats *t, struct arena *a)
{
    struct stats_snapshot *s = ARENA_NEW(a, struct stats_snapshot);
    *t->frozen = true;
    s->tree = t;
    s->n = t->lists[STATS_SUMS].n;
    s->at = ARENA_ARRAY(a, struct stat_number, s->n);
    stats_snapshot_retake(s);
    return s;
}

struct stats_snapshot *stats_snapshot_clone(const struct stats_snapshot *s, struct arena *a)
{
    struct stats_snapshot *c = ARENA_NEW(a, struct stats_snapshot);
    *c = *s;
    c->at = ARENA_ARRAY(a, struct stat_number, s->n);
    memcpy(c->at, s->at, s->n * sizeof s->at[0]);
    return c;
}

void stats_snapshot_subtract(struct stats_snapshot *later, const struct stats_snapshot *earlier)
{
    HD_ASSERT(later->tree == earlier->tree, "snapshots of two trees");
    for (uint32_t i = 0; i < later->n; i++) {
        later->at[i].n -= earlier->at[i].n;
        later->at[i].sum -= earlier->at[i].sum;
    }
}

/* The entry of "hops.n" or "hops.sum", which are no entries of their own; *end is what follows. */
static const struct stat_entry *find_part(const struct stats *t, const char *name, const char **end)
{
    char base[NAME_N];
    const char *dot = strrchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof base)
        return NULL;
    *end = dot + 1;
    if (strcmp(*end, "n") != 0 && strcmp(*end, "sum") != 0)
        return NULL;
    memcpy(base, name, (size_t)(dot - name));
    base[dot - name] = '\0';
    const struct stat_entry *x = stats_find(t, base);
    return x && stat_has_samples(x->row->kind) ? x : NULL;
}

static const struct stat_entry *find(const struct stats *t, const char *name, const char **end)
{
    *end = "";
    const struct stat_entry *x = stats_find(t, name);
    x = x ? x : find_part(t, name, end);
    return x && !x->is_detail ? x : NULL;
}

bool stats_snapshot_has(const struct stats_snapshot *s, const char *name)
{
    const char *end;
    return find(s->tree, name, &end);
}

double stats_snapshot_value(const struct stats_snapshot *s, const char *name)
{
    const char *end;
    const struct stat_entry *x = find(s->tree, name, &end);
    if (!x)
        return NAN;
    const struct stat_number *v = &s->at[x->index];
    if (*end)
        return *end == 'n' ? (double)v->n : (double)v->sum;
    if (stat_has_samples(x->row->kind))
        return v->n ? (double)v->sum / (double)v->n : NAN;
    return (double)v->sum;
}

static void write_samples(const struct stat_entry *x, struct stat_number v, struct json *j)
{
    char name[NAME_N];
    json_key(j, x->name);
    json_real(j, v.n ? (double)v.sum / (double)v.n : NAN);
    snprintf(name, sizeof name, "%s.n", x->name);
    json_key(j, name);
    json_uint(j, v.n);
}

void stats_snapshot_json(const struct stats_snapshot *s, struct json *j)
{
    const struct stat_number *v = s->at;
    for (const struct stat_entry *x = s->tree->lists[STATS_SUMS].first; x; x = x->next, v++) {
        if (stat_has_samples(x->row->kind)) {
            write_samples(x, *v, j);
        } else if (x->row->kind == STAT_COUNTER) {
            json_key(j, x->name);
            json_uint(j, v->sum);
        }
    }
}

void stats_snapshot_csv(const struct stats_snapshot *s, FILE *out)
{
    char mean[STR_REAL_N];
    const struct stat_number *v = s->at;
    for (const struct stat_entry *x = s->tree->lists[STATS_SUMS].first; x; x = x->next, v++) {
        if (stat_has_samples(x->row->kind))
            fprintf(out, "%s,%s\n%s.n,%" PRIu64 "\n", x->name,
                    v->n ? str_from_real(mean, (double)v->sum / (double)v->n) : "", x->name, v->n);
        else if (x->row->kind == STAT_COUNTER)
            fprintf(out, "%s,%" PRIu64 "\n", x->name, v->sum);
    }
}
