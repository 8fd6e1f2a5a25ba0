/* config_value.c - one value: from text to the type of its field, and back.
 *
 * Files, --set and the defaults in the rows all come through config_value_parse, so that a value
 * means the same wherever it is written, and is refused with the same words. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "sim/config_priv.h"

#define QUOTE_N 64

/* User text for a message: long ones are cut, at a character and not inside one. */
static const char *quote(char buf[QUOTE_N], const char *s)
{
    size_t room = QUOTE_N - 4, n = strlen(s);
    if (n <= room) {
        memcpy(buf, s, n + 1);
        return buf;
    }
    for (n = room; n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80;)
        n--;
    memcpy(buf, s, n);
    memcpy(buf + n, "...", 4);
    return buf;
}

const char *config_value_bound(char buf[32], double v)
{
    bool plain = v == floor(v) && fabs(v) < 1e15;
    snprintf(buf, 32, plain ? "%.0f" : "%g", v);
    return buf;
}

const char *config_value_type(const struct cfg_field *f)
{
    static const char *const names[] = {
        [CFG_INT] = "int",    [CFG_REAL] = "real",     [CFG_BOOL] = "bool",
        [CFG_STR] = "string", [CFG_CHOICE] = "choice", [CFG_LIST] = "list"};
    return names[f->type];
}

static bool expected(const struct cfg_field *f, const char *got, char why[CFG_WHY_N])
{
    static const char *const names[] = {
        [CFG_INT] = "an integer", [CFG_REAL] = "a number",   [CFG_BOOL] = "true or false",
        [CFG_STR] = "a string",   [CFG_CHOICE] = "one word", [CFG_LIST] = "a list of integers"};
    snprintf(why, CFG_WHY_N, "expected %s, got %s", names[f->type], got);
    return false;
}

static bool expected_not(const struct cfg_field *f, const char *text, char why[CFG_WHY_N])
{
    char q[QUOTE_N], got[QUOTE_N + 2];
    snprintf(got, sizeof got, "\"%s\"", quote(q, text));
    return expected(f, got, why);
}

static bool outside(const struct cfg_field *f, const char *text, char why[CFG_WHY_N])
{
    char q[QUOTE_N], lo[32], hi[32];
    snprintf(why, CFG_WHY_N, "%s is outside %s..%s", quote(q, text), config_value_bound(lo, f->lo),
             config_value_bound(hi, f->hi));
    return false;
}

/* One integer within the field's range. */
static bool parse_int(const struct cfg_field *f, const char *text, int64_t *out,
                      char why[CFG_WHY_N])
{
    int64_t v;
    double d;
    if (!str_to_int(text, &v)) {
        bool huge = str_to_real(text, &d) && fabs(d) >= 0x1p63;
        return huge ? outside(f, text, why) : expected_not(f, text, why);
    }
    if ((double)v < f->lo || (double)v > f->hi)
        return outside(f, text, why);
    *out = v;
    return true;
}

static bool parse_real(const struct cfg_field *f, const char *text, double *out,
                       char why[CFG_WHY_N])
{
    double v;
    if (!str_to_real_in(text, f->unit, &v))
        return expected_not(f, text, why);
    if (v < f->lo || v > f->hi)
        return outside(f, text, why);
    *out = v == 0 ? 0 : v; /* -0 is 0: equal values have one text and one hash */
    return true;
}

static bool parse_str(struct arena *a, const char *text, const char **out, char why[CFG_WHY_N])
{
    for (const char *s = text; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f) {
            snprintf(why, CFG_WHY_N, "expected one line without control characters");
            return false;
        }
    *out = arena_strdup(a, text);
    return true;
}

#define CHOICES_MAX 64

/* The words of "a|b|c". */
static size_t split_choices(struct arena *a, const char *words, const char *out[CHOICES_MAX])
{
    size_t n = 0;
    for (char *s = arena_strdup(a, words); s;) {
        HD_ASSERT(n < CHOICES_MAX, "more than %d choices", CHOICES_MAX);
        out[n++] = s;
        s = strchr(s, '|');
        if (s)
            *s++ = '\0';
    }
    return n;
}

static bool refuse_choice(const char *text, const char *const *words, size_t n, char why[CFG_WHY_N])
{
    char q[QUOTE_N];
    size_t at = (size_t)snprintf(why, CFG_WHY_N, "\"%s\" is not one of", quote(q, text));
    struct str_hint hint = str_hint(text);
    for (size_t i = 0; i < n && at < CFG_WHY_N; i++) {
        at += (size_t)snprintf(why + at, CFG_WHY_N - at, "%s %s", i ? "," : "", words[i]);
        str_hint_offer(&hint, words[i]);
    }
    if (at < CFG_WHY_N)
        snprintf(why + at, CFG_WHY_N - at, "%s", str_hint_text(&hint, ""));
    return false;
}

static bool parse_choice(struct arena *a, const struct cfg_field *f, const char *text,
                         const char **out, char why[CFG_WHY_N])
{
    const char *words[CHOICES_MAX];
    struct arena *scratch = arena_new();
    size_t n = split_choices(scratch, f->unit, words), i = 0;
    while (i < n && strcmp(words[i], text) != 0)
        i++;
    if (i < n)
        *out = arena_strdup(a, text);
    else
        refuse_choice(text, words, n, why);
    arena_free(scratch);
    return i < n;
}

/* A list under construction: grown by doubling inside its arena. */
struct growing {
    struct arena *arena;
    int64_t *v;
    int n, room;
};

static void grow(struct growing *g, int64_t v)
{
    if (g->n == g->room) {
        int room = g->room ? 2 * g->room : 16;
        int64_t *bigger = ARENA_ARRAY(g->arena, int64_t, room);
        if (g->n)
            memcpy(bigger, g->v, sizeof *bigger * (size_t)g->n);
        g->v = bigger;
        g->room = room;
    }
    g->v[g->n++] = v;
}

/* "5" or "0-7" (also "-3--1"): a '-' that is not the first character separates. */
static bool parse_item(struct growing *g, const struct cfg_field *f, char *text,
                       char why[CFG_WHY_N])
{
    char *dash = *text ? strchr(text + 1, '-') : NULL;
    int64_t lo = 0, hi;
    if (dash)
        *dash = '\0';
    bool ok = parse_int(f, text, &lo, why);
    if (dash)
        *dash = '-';
    if (!ok)
        return false;
    hi = lo;
    if (dash && !parse_int(f, dash + 1, &hi, why))
        return false;
    if (hi < lo)
        return expected_not(f, text, why);
    if ((uint64_t)hi - (uint64_t)lo >= (uint64_t)(CFG_MAX_LIST - g->n)) {
        snprintf(why, CFG_WHY_N, "more than %d elements", CFG_MAX_LIST);
        return false;
    }
    for (int64_t v = lo; v < hi; v++)
        grow(g, v);
    grow(g, hi);
    return true;
}

/* Items separated by commas, blanks around them ignored; nothing at all is the empty list. */
static bool parse_items(struct growing *g, const struct cfg_field *f, const char *text,
                        char why[CFG_WHY_N])
{
    if (text[strspn(text, " ")] == '\0')
        return true;
    for (char *s = arena_strdup(g->arena, text); s;) {
        char *comma = strchr(s, ',');
        if (comma)
            *comma = '\0';
        s += strspn(s, " ");
        for (size_t n = strlen(s); n > 0 && s[n - 1] == ' ';)
            s[--n] = '\0';
        if (!parse_item(g, f, s, why))
            return false;
        s = comma ? comma + 1 : NULL;
    }
    return true;
}

/* "[1, 2]" on the command line is the list that it is in a file. */
static const char *without_brackets(struct arena *a, const char *s)
{
    size_t n = strlen(s);
    if (n < 2 || s[0] != '[' || s[n - 1] != ']')
        return s;
    return arena_printf(a, "%.*s", (int)(n - 2), s + 1);
}

static bool parse_list(struct arena *a, const struct cfg_field *f, const struct cfg_text *t,
                       struct cfg_list *out, char why[CFG_WHY_N])
{
    struct growing g = {.arena = arena_new()};
    bool ok = true;
    if (t->shape == CFG_SCALAR)
        ok = parse_items(&g, f, without_brackets(g.arena, t->words[0]), why);
    for (int i = 0; t->shape == CFG_SEQUENCE && ok && i < t->n; i++)
        ok = parse_item(&g, f, arena_strdup(g.arena, t->words[i]), why);
    if (ok) {
        int64_t *v = ARENA_ARRAY(a, int64_t, g.n);
        if (g.n)
            memcpy(v, g.v, sizeof *v * (size_t)g.n);
        *out = (struct cfg_list){g.n, v};
    }
    arena_free(g.arena);
    return ok;
}

bool config_value_parse(struct arena *a, const struct cfg_field *f, const struct cfg_text *t,
                        void *member, char why[CFG_WHY_N])
{
    if (t->shape == CFG_NULL || t->shape == CFG_MAP)
        return expected(f, t->shape == CFG_MAP ? "a map" : "null", why);
    if (t->shape == CFG_SEQUENCE && f->type != CFG_LIST)
        return expected(f, "a list", why);
    bool ok = false;
    switch (f->type) {
    case CFG_INT:
        ok = parse_int(f, t->words[0], member, why);
        break;
    case CFG_REAL:
        ok = parse_real(f, t->words[0], member, why);
        break;
    case CFG_BOOL:
        ok = str_to_bool(t->words[0], member) || expected_not(f, t->words[0], why);
        break;
    case CFG_STR:
        ok = parse_str(a, t->words[0], member, why);
        break;
    case CFG_CHOICE:
        ok = parse_choice(a, f, t->words[0], member, why);
        break;
    case CFG_LIST:
        ok = parse_list(a, f, t, member, why);
        break;
    }
    return ok;
}

void config_value_json(const struct cfg_field *f, const void *member, struct json *j)
{
    switch (f->type) {
    case CFG_INT:
        json_int(j, *(const int64_t *)member);
        break;
    case CFG_REAL:
        json_real(j, *(const double *)member);
        break;
    case CFG_BOOL:
        json_bool(j, *(const bool *)member);
        break;
    case CFG_STR:
    case CFG_CHOICE:
        json_string(j, *(const char *const *)member);
        break;
    case CFG_LIST: {
        const struct cfg_list *l = member;
        json_open_array(j, true);
        for (int i = 0; i < l->n; i++)
            json_int(j, l->v[i]);
        json_close_array(j);
    }
    }
}

static const char *list_text(struct arena *a, const struct cfg_list *l)
{
    enum { ITEM = 24 }; /* the longest int64 is 20 characters, and a comma */
    size_t room = (size_t)l->n * ITEM + 1, at = 0;
    char *s = arena_alloc(a, room);
    for (int i = 0; i < l->n; i++)
        at += (size_t)snprintf(s + at, room - at, "%s%" PRId64, i ? "," : "", l->v[i]);
    return s;
}

const char *config_value_text(struct arena *a, const struct cfg_field *f, const void *member)
{
    switch (f->type) {
    case CFG_INT:
        return arena_printf(a, "%" PRId64, *(const int64_t *)member);
    case CFG_REAL:
        return str_from_real(arena_alloc(a, STR_REAL_N), *(const double *)member);
    case CFG_BOOL:
        return *(const bool *)member ? "true" : "false";
    case CFG_STR:
    case CFG_CHOICE:
        return *(const char *const *)member;
    case CFG_LIST:
        return list_text(a, member);
    }
    return "";
}
