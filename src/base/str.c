/* str.c - numbers with units, and the nearest name.
 *
 * Numbers are read and written in the "C" locale whatever the program that embeds the library
 * has set: a German desktop must not turn 0.25 into a syntax error or into 0,25. */
#include "base/str.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* `kind` is the base unit; only Hz is scaled to it when the caller names no unit of his own. */
static const struct unit {
    const char *name, *kind;
    double scale;
} units[] = {
    {"Hz", "Hz", 1},      {"kHz", "Hz", 1e3},    {"MHz", "Hz", 1e6}, {"GHz", "Hz", 1e9},
    {"m", "m", 1},        {"cm", "m", 1e-2},     {"mm", "m", 1e-3},  {"um", "m", 1e-6},
    {"nm", "m", 1e-9},    {"s", "s", 1},         {"ms", "s", 1e-3},  {"us", "s", 1e-6},
    {"ns", "s", 1e-9},    {"ps", "s", 1e-12},    {"B/s", "B/s", 1},  {"MB/s", "B/s", 1e6},
    {"GB/s", "B/s", 1e9}, {"TB/s", "B/s", 1e12}, {"W", "W", 1},      {"mW", "W", 1e-3},
    {"uW", "W", 1e-6},    {"J", "J", 1},         {"nJ", "J", 1e-9},  {"pJ", "J", 1e-12},
    {"fJ", "J", 1e-15},   {"V", "V", 1},         {"mV", "V", 1e-3},  {"B", "B", 1},
    {"%", "%", 1},        {"dB", "dB", 1},
};

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static bool scale_suffix(const char *s, int *shift)
{
    static const char suffix[] = "KMG";
    *shift = 0;
    if (*s == '\0')
        return true;
    const char *k = strchr(suffix, *s);
    if (!k || s[1] != '\0')
        return false;
    *shift = 10 * (int)(k - suffix + 1);
    return true;
}

bool str_to_int(const char *s, int64_t *out)
{
    bool negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    int base = 10;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    }
    if (digit_of(*s) >= base)
        return false;
    uint64_t v = 0;
    for (; digit_of(*s) < base; s++)
        if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
            __builtin_add_overflow(v, (uint64_t)digit_of(*s), &v))
            return false;
    int shift;
    if (!scale_suffix(s, &shift) || __builtin_mul_overflow(v, (uint64_t)1 << shift, &v))
        return false;
    if (v > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? 0 - v : v);
    return true;
}

/* strtod in the C locale; the thread's own locale is put back. */
static double read_real(const char *s, char **end)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t old = c ? uselocale(c) : (locale_t)0;
    double v = strtod(s, end);
    if (c) {
        uselocale(old);
        freelocale(c);
    }
    return v;
}

/* Splits "1.4 GHz" into its number and the text of its unit ("" when there is none). */
static bool split_real(const char *s, double *v, const char **unit)
{
    /* strtod takes also blanks, "nan", "inf" and "infinity": only these can begin a number. */
    const char *t = *s == '-' || *s == '+' ? s + 1 : s;
    if (!(*t >= '0' && *t <= '9') && *t != '.')
        return false;
    char *end;
    *v = read_real(s, &end);
    if (end == s || !isfinite(*v))
        return false;
    *unit = *end == ' ' && end[1] != '\0' ? end + 1 : end;
    return true;
}

bool str_to_real(const char *s, double *out)
{
    double v;
    const char *name;
    if (!split_real(s, &v, &name))
        return false;
    if (*name) {
        const struct unit *u = find_unit(name);
        if (!u)
            return false;
        if (strcmp(u->kind, "Hz") == 0)
            v *= u->scale;
    }
    if (!isfinite(v))
        return false;
    *out = v;
    return true;
}

bool str_to_real_in(const char *s, const char *unit, double *out)
{
    double v;
    const char *name;
    if (!split_real(s, &v, &name))
        return false;
    if (*name && strcmp(name, unit) != 0) {
        const struct unit *from = find_unit(name), *to = find_unit(unit);
        if (!from || !to || strcmp(from->kind, to->kind) != 0)
            return false;
        v = v * from->scale / to->scale;
    }
    if (!isfinite(v))
        return false;
    *out = v;
    return true;
}

bool str_to_bool(const char *s, bool *out)
{
    static const char *const yes[] = {"true", "yes", "on", "1"};
    static const char *const no[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; i++) {
        bool is_yes = strcasecmp(s, yes[i]) == 0;
        if (is_yes || strcasecmp(s, no[i]) == 0) {
            *out = is_yes;
            return true;
        }
    }
    return false;
}

char *str_from_real(char buf[STR_REAL_N], double v)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t old = c ? uselocale(c) : (locale_t)0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, STR_REAL_N, "%.*g", digits, v);
        if (strtod(buf, NULL) == v)
            break;
    }
    if (c) {
        uselocale(old);
        freelocale(c);
    }
    return buf;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Edits that turn a into b, ignoring case; a swap of two neighbours is one edit (optimal string
 * alignment), since that is how names are most often mistyped. */
static int distance(const char *a, const char *b)
{
    int row[3][STR_HINT_NAME + 1];
    int na = (int)strlen(a), nb = (int)strlen(b);
    for (int j = 0; j <= nb; j++)
        row[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            now[j] = min_int(up[j - 1] + (ca != cb), 1 + min_int(up[j], now[j - 1]));
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]))
                now[j] = min_int(now[j], up2[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

struct str_hint str_hint(const char *wanted)
{
    size_t len = strlen(wanted);
    struct str_hint h = {.wanted = wanted};
    if (len == 0 || len > STR_HINT_NAME)
        h.limit = -1;
    else if (len < 6)
        h.limit = len < 3 ? (int)len - 1 : 2; /* never a whole replacement */
    else
        h.limit = (int)len / 3;
    return h;
}

/* Whether `candidate` is nearer than what was near before. */
static bool comes_nearer(struct str_hint *h, const char *candidate)
{
    if (h->limit < 0 || strlen(candidate) > STR_HINT_NAME)
        return false;
    int d = distance(h->wanted, candidate);
    if (d > h->limit)
        return false;
    h->limit = d - 1;
    return true;
}

void str_hint_offer(struct str_hint *h, const char *candidate)
{
    if (comes_nearer(h, candidate))
        memcpy(h->nearest, candidate, strlen(candidate) + 1);
}

const char *str_hint_text(struct str_hint *h, const char *otherwise)
{
    if (!h->nearest[0])
        return otherwise;
    snprintf(h->text, sizeof h->text, "; did you mean %s?", h->nearest);
    return h->text;
}

bool str_is_word(const char *s, const char *words)
{
    while (words) {
        size_t i = 0;
        while (s[i] && (s[i] == words[i] || (s[i] == '-' && words[i] == '_') ||
                        (s[i] == '_' && words[i] == '-')))
            i++;
        if (!s[i] && (words[i] == '|' || !words[i]))
            return true;
        words = strchr(words, '|');
        words = words ? words + 1 : NULL;
    }
    return false;
}

bool str_names_kernel(const char *name, int length, const char *symbol)
{
    char prefix[32];
    size_t n = (size_t)length;
    if (strlen(symbol) == n && memcmp(symbol, name, n) == 0)
        return true;
    size_t before = (size_t)snprintf(prefix, sizeof prefix, "_Z%d", length);
    return strncmp(symbol, prefix, before) == 0 && strlen(symbol + before) >= n &&
           memcmp(symbol + before, name, n) == 0;
}
