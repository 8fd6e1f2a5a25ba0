/* policy_pass.c - LRU, but some kinds of requests to some spaces get no line, or pass by the cache.
 *
 * What GPUs say per instruction (PTX ISA, section "Cache Operators": .cg, .cs, .lu) or per kind of
 * access (Kepler's L1 is for local memory alone; "Kepler Tuning Guide", "L1 Cache"), here for any
 * cache: which requests would only push out what others want again.
 *
 *   keep      everything is kept: LRU
 *   no_line   a miss takes an MSHR, so that others can wait for it, too, but no line
 *   no_mshr   a miss takes neither; nobody waits for it but who asked */
#include <string.h>

#include "base/str.h"
#include "cache/policy.h"

#define PASS_ROWS(F, id)                                                                           \
    F(id, STR, kinds, "all", 0, 0, "", "requests concerned: all, or read|write|atomic|reduce")     \
    F(id, STR, spaces, "local", 0, 0, "",                                                          \
      "of these, to: all, or global|local|const|texture|param")                                    \
    F(id, CHOICE, mode, "no_line", 0, 0, "keep|no_line|no_mshr",                                   \
      "what becomes of their misses; no_mshr: each goes down by itself")
CFG_STRUCT(pass, PASS_ROWS)
CFG_SECTION(pass, PASS_ROWS, "cache policy pass: lru, but for some requests")

struct pass {
    uint32_t kinds, spaces; /* bits */
    bool has_line, has_mshr;
};

static const char *const kinds[REQUEST_KINDS] = {[REQUEST_READ] = "read",
                                                 [REQUEST_WRITE] = "write",
                                                 [REQUEST_ATOMIC] = "atomic",
                                                 [REQUEST_REDUCE] = "reduce"};
static const char *const spaces[STREAM_SPACES] = {
    [STREAM_GLOBAL] = "global", [STREAM_SHARED] = "shared", [STREAM_LOCAL] = "local",
    [STREAM_CONST] = "const",   [STREAM_TEX] = "texture",   [STREAM_PARAM] = "param"};

/* Bits of the words "a|b" in `text`; 0 with the first unknown one in `unknown`. */
static uint32_t bits_of(const char *text, const char *const *words, uint32_t n, char unknown[32])
{
    uint32_t bits = 0;
    if (strcmp(text, "all") == 0)
        return (1u << n) - 1;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, "|");
        uint32_t i = 0;
        while (i < n && (strlen(words[i]) != length || strncmp(words[i], at, length) != 0))
            i++;
        if (i == n) {
            size_t shown = length < 31 ? length : 31;
            memcpy(unknown, at, shown);
            unknown[shown] = '\0';
            return 0;
        }
        bits |= 1u << i;
        at += length;
        if (!*at)
            return bits;
    }
}

static bool check_words(const struct config *cfg, struct err *e, const char *field,
                        const char *text, const char *const *words, uint32_t n)
{
    char unknown[32];
    if (bits_of(text, words, n, unknown))
        return true;
    struct str_hint hint = str_hint(unknown);
    for (uint32_t i = 0; i < n; i++)
        str_hint_offer(&hint, words[i]);
    return config_blame(cfg, e, &pass_section, field, "no such word \"%s\"%s", unknown,
                        str_hint_text(&hint, ""));
}

static bool check(const struct config *cfg, struct err *e)
{
    const struct pass_spec *s = config_get(cfg, &pass_section);
    return check_words(cfg, e, "kinds", s->kinds, kinds, REQUEST_KINDS) &&
           check_words(cfg, e, "spaces", s->spaces, spaces, STREAM_SPACES);
}

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct pass_spec *s = config_get(cfg, &pass_section);
    struct pass *p = ARENA_NEW(a, struct pass);
    char unknown[32];
    (void)shape;
    p->kinds = bits_of(s->kinds, kinds, REQUEST_KINDS, unknown);
    p->spaces = bits_of(s->spaces, spaces, STREAM_SPACES, unknown);
    p->has_line = strcmp(s->mode, "keep") == 0;
    p->has_mshr = strcmp(s->mode, "no_mshr") != 0;
    return p;
}

static bool is_concerned(const struct pass *p, const struct cache_ask *ask)
{
    return (p->kinds >> ask->kind & 1) && (p->spaces >> ask->space & 1);
}

static bool passes(const void *state, const struct cache_ask *ask)
{
    const struct pass *p = state;
    return !p->has_mshr && is_concerned(p, ask);
}

static bool keeps(const void *state, const struct cache_ask *ask)
{
    const struct pass *p = state;
    return p->has_line || !is_concerned(p, ask);
}

const struct cache_policy cache_policy_pass = {
    .name = "pass",
    .help = "lru, but requests of pass.kinds to pass.spaces get no line, or pass by",
    .section = &pass_section,
    .check = check,
    .init = init,
    .passes = passes,
    .keeps = keeps};
