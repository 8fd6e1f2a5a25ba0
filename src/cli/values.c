/* values.c - numbers of eleven types: read, made up, printed, compared. */
#include "cli/values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/rng.h"
#include "base/str.h"
#include "cli/infile.h"

static const struct value_type types[] = {
    {"i8", 1, VALUE_SIGNED},    {"u8", 1, VALUE_UNSIGNED},  {"i16", 2, VALUE_SIGNED},
    {"u16", 2, VALUE_UNSIGNED}, {"i32", 4, VALUE_SIGNED},   {"u32", 4, VALUE_UNSIGNED},
    {"i64", 8, VALUE_SIGNED},   {"u64", 8, VALUE_UNSIGNED}, {"f16", 2, VALUE_FLOAT},
    {"f32", 4, VALUE_FLOAT},    {"f64", 8, VALUE_FLOAT},
};
enum { NTYPES = sizeof types / sizeof types[0] };

const struct value_type *values_type(const struct tree *t, struct err *e)
{
    const struct tree *type = tree_get(t, "type");
    if (!type || type->kind != TREE_SCALAR) {
        tree_refuse(type ? type : t, e,
                    "expected \"type\": one of i8 u8 i16 u16 i32 u32 i64 u64 "
                    "f16 f32 f64");
        return NULL;
    }
    struct str_hint hint = str_hint(type->text);
    for (int i = 0; i < NTYPES; i++) {
        if (strcmp(type->text, types[i].name) == 0)
            return &types[i];
        str_hint_offer(&hint, types[i].name);
    }
    tree_refuse(type, e, "no type \"%s\"%s", type->text, str_hint_text(&hint, ""));
    return NULL;
}

/* ---- one value ----------------------------------------------------------------------------- */

static void store(const struct value_type *t, union value v, uint8_t *to)
{
    if (t->class != VALUE_FLOAT) {
        uint64_t bits = (uint64_t)v.i;
        for (uint32_t i = 0; i < t->bytes; i++)
            to[i] = (uint8_t)(bits >> 8 * i);
        return;
    }
    float narrow = (float)v.f;
    uint16_t half = half_from_float(narrow);
    if (t->bytes == 8)
        memcpy(to, &v.f, 8);
    else if (t->bytes == 4)
        memcpy(to, &narrow, 4);
    else
        memcpy(to, &half, 2);
}

static union value load(const struct value_type *t, const uint8_t *from)
{
    union value v = {.i = 0};
    if (t->class != VALUE_FLOAT) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < t->bytes; i++)
            bits |= (uint64_t)from[i] << 8 * i;
        uint32_t unused = 64 - 8 * t->bytes;
        v.i = t->class == VALUE_SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
        return v;
    }
    float narrow;
    uint16_t half;
    if (t->bytes == 8) {
        memcpy(&v.f, from, 8);
    } else if (t->bytes == 4) {
        memcpy(&narrow, from, 4);
        v.f = (double)narrow;
    } else {
        memcpy(&half, from, 2);
        v.f = (double)half_to_float(half);
    }
    return v;
}

static bool parse_float(const char *text, double *v)
{
    char *end;
    const char *s = *text == '.' && (text[1] == 'i' || text[1] == 'n') ? text + 1 : text; /* .inf */
    *v = strtod(s, &end);
    return end != s && *end == '\0';
}

static bool parse_int(const struct value_type *t, const char *text, int64_t *v)
{
    int bits = (int)(8 * t->bytes);
    if (str_to_int(text, v)) {
        if (t->class == VALUE_UNSIGNED)
            return *v >= 0 && (bits == 64 || *v < (int64_t)1 << bits);
        return bits == 64 || (*v >= -((int64_t)1 << (bits - 1)) && *v < (int64_t)1 << (bits - 1));
    }
    char *end; /* what only an unsigned 64-bit integer holds */
    errno = 0;
    unsigned long long wide = strtoull(text, &end, 0);
    *v = (int64_t)wide;
    return t->class == VALUE_UNSIGNED && bits == 64 && text[0] >= '0' && text[0] <= '9' &&
           *end == '\0' && errno == 0;
}

static bool parse_value(const struct value_type *t, const char *text, union value *v)
{
    return t->class == VALUE_FLOAT ? parse_float(text, &v->f) : parse_int(t, text, &v->i);
}

bool values_parse(const struct value_type *t, const char *text, uint8_t *to)
{
    union value v;
    if (!parse_value(t, text, &v))
        return false;
    store(t, v, to);
    return true;
}

void values_print(const struct value_type *t, const uint8_t *from, char *text, size_t size)
{
    union value v = load(t, from);
    if (t->class == VALUE_FLOAT)
        snprintf(text, size, "%.*g", t->bytes == 8 ? 17 : t->bytes == 4 ? 9 : 5, v.f);
    else if (t->class == VALUE_SIGNED)
        snprintf(text, size, "%" PRId64, v.i);
    else
        snprintf(text, size, "%" PRIu64, (uint64_t)v.i);
}

static double as_real(const struct value_type *t, union value v)
{
    return t->class == VALUE_FLOAT    ? v.f
           : t->class == VALUE_SIGNED ? (double)v.i
                                      : (double)(uint64_t)v.i;
}

bool values_near(const struct value_type *t, const uint8_t *got, const uint8_t *want,
                 double absolute, double relative)
{
    if (memcmp(got, want, t->bytes) == 0)
        return true;
    double x = as_real(t, load(t, got)), y = as_real(t, load(t, want));
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    double bound = fmax(absolute, relative * fmax(fabs(x), fabs(y)));
    return bound > 0 && isfinite(bound) && fabs(x - y) <= bound;
}

/* ---- many values --------------------------------------------------------------------------- */

static union value draw(const struct values *v, uint64_t index)
{
    uint64_t random = rng_at(v->key, index);
    union value out;
    if (v->type->class == VALUE_FLOAT) {
        out.f = v->start.f + (v->step.f - v->start.f) * rng_unit(random);
    } else {
        uint64_t span = (uint64_t)v->step.i - (uint64_t)v->start.i + 1; /* 0: all 2^64 */
        out.i = (int64_t)((uint64_t)v->start.i + (span ? random % span : random));
    }
    return out;
}

static union value count_up(const struct values *v, uint64_t index)
{
    union value out;
    if (v->type->class == VALUE_FLOAT)
        out.f = v->start.f + (double)index * v->step.f;
    else
        out.i = (int64_t)((uint64_t)v->start.i + index * (uint64_t)v->step.i);
    return out;
}

void values_fill(const struct values *v, uint64_t first, uint64_t n, uint8_t *to)
{
    uint32_t bytes = v->type->bytes;
    if (v->source == VALUES_LISTED) {
        uint64_t listed = v->nlisted > first ? v->nlisted - first : 0;
        uint64_t copied = listed < n ? listed : n;
        if (copied)
            memcpy(to, v->listed + first * bytes, copied * bytes);
        memset(to + copied * bytes, 0, (n - copied) * bytes);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        union value x = v->source == VALUES_IOTA     ? count_up(v, first + i)
                        : v->source == VALUES_RANDOM ? draw(v, first + i)
                                                     : v->start;
        store(v->type, x, to + i * bytes);
    }
}

/* ---- from a launch file -------------------------------------------------------------------- */

static bool read_value(const struct tree *t, const struct value_type *type, union value *v,
                       struct err *e)
{
    if (t->kind != TREE_SCALAR)
        return tree_refuse(t, e, "expected one value of type %s", type->name);
    return parse_value(type, t->text, v) ||
           tree_refuse(t, e, "\"%s\" is no value of type %s", t->text, type->name);
}

/* `iota: 5` or `iota: {start: 5, step: 2}`. */
static bool read_iota(const struct tree *t, struct values *v, struct err *e)
{
    const struct tree *start = tree_get(t, "start"), *step = tree_get(t, "step");
    union value one = {.i = 1};
    if (v->type->class == VALUE_FLOAT)
        one.f = 1;
    v->source = VALUES_IOTA;
    v->step = one;
    if (t->kind != TREE_MAP)
        return read_value(t, v->type, &v->start, e);
    return tree_knows(t, "start|step", e) && (!start || read_value(start, v->type, &v->start, e)) &&
           (!step || read_value(step, v->type, &v->step, e));
}

static bool read_random(const struct tree *t, uint64_t seed, uint32_t index, struct values *v,
                        struct err *e)
{
    const struct tree *lo = tree_get(t, "lo"), *hi = tree_get(t, "hi"), *own = tree_get(t, "seed");
    const struct value_type u64 = {"u64", 8, VALUE_UNSIGNED};
    union value s = {.i = (int64_t)seed};
    v->source = VALUES_RANDOM;
    if (t->kind != TREE_MAP || !lo || !hi)
        return tree_refuse(t, e, "expected {lo: ..., hi: ...} and perhaps a seed");
    if (!tree_knows(t, "lo|hi|seed", e) || !read_value(lo, v->type, &v->start, e) ||
        !read_value(hi, v->type, &v->step, e) || (own && !read_value(own, &u64, &s, e)))
        return false;
    bool is_empty = v->type->class == VALUE_FLOAT    ? !(v->start.f <= v->step.f)
                    : v->type->class == VALUE_SIGNED ? v->start.i > v->step.i
                                                     : (uint64_t)v->start.i > (uint64_t)v->step.i;
    v->key = rng_key((uint64_t)s.i, index);
    return !is_empty || tree_refuse(t, e, "lo is above hi");
}

static bool read_list(struct arena *a, const struct tree *t, struct values *v, struct err *e)
{
    if (t->kind != TREE_LIST)
        return tree_refuse(t, e, "expected a list of values");
    uint8_t *to = ARENA_ARRAY(a, uint8_t, (size_t)t->n * v->type->bytes + 1);
    v->source = VALUES_LISTED;
    v->listed = to;
    v->nlisted = t->n;
    for (const struct tree *c = t->first; c; c = c->next, to += v->type->bytes) {
        union value x;
        if (!read_value(c, v->type, &x, e))
            return false;
        store(v->type, x, to);
    }
    return true;
}

/* Numbers between white space and commas. */
static bool read_text(struct arena *a, const char *path, char *text, size_t length,
                      struct values *v, struct err *e)
{
    static const char between[] = " \t\r\n,";
    uint8_t *to = ARENA_ARRAY(a, uint8_t, (length / 2 + 1) * v->type->bytes);
    v->listed = to;
    v->nlisted = 0;
    int line = 1;
    for (char *s = text; *(s += strspn(s, " \t\r,"));) {
        if (*s == '\n') {
            line++;
            s++;
            continue;
        }
        size_t n = strcspn(s, between);
        char after = s[n];
        s[n] = '\0';
        if (!values_parse(v->type, s, to + v->nlisted++ * v->type->bytes))
            return err_set(e, STATUS_BAD_INPUT, "%s:%d: \"%.64s\" is no value of type %s", path,
                           line, s, v->type->name);
        s[n] = after;
        s += n;
    }
    return true;
}

static bool read_file(struct arena *a, const struct tree *t, struct values *v, struct err *e)
{
    if (t->kind != TREE_SCALAR)
        return tree_refuse(t, e, "expected the name of a file");
    const char *path = infile_beside(a, t->file, t->text);
    struct err why = {0};
    size_t length;
    char *bytes = infile_read(a, path, &length, &why);
    if (!bytes)
        return tree_refuse(t, e, "%s", why.text);
    v->source = VALUES_LISTED;
    if (infile_has_suffix(path, ".txt"))
        return read_text(a, path, bytes, length, v, e);
    v->listed = (const uint8_t *)bytes;
    v->nlisted = length / v->type->bytes;
    return length % v->type->bytes == 0 ||
           tree_refuse(t, e, "%s: %zu bytes are no whole number of %s", path, length,
                       v->type->name);
}

bool values_read(struct arena *a, const struct tree *t, const struct value_type *type,
                 uint64_t seed, uint32_t index, struct values *v, struct err *e)
{
    static const char *const keys[] = {"zero", "value", "iota", "random", "data", "file"};
    const struct tree *given = NULL;
    *v = (struct values){.type = type, .source = VALUES_SAME};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct tree *c = tree_get(t, keys[i]);
        if (c && given)
            return tree_refuse(c, e, "the values are already given by \"%s\"", given->key);
        given = c ? c : given;
    }
    bool yes;
    switch (given ? given->key[0] : '\0') {
    case '\0':
        return true;
    case 'z':
        return (given->text && str_to_bool(given->text, &yes) && yes) ||
               tree_refuse(given, e, "expected \"true\"");
    case 'v':
        return read_value(given, type, &v->start, e);
    case 'i':
        return read_iota(given, v, e);
    case 'r':
        return read_random(given, seed, index, v, e);
    case 'd':
        return read_list(a, given, v, e);
    default:
        return read_file(a, given, v, e);
    }
}
