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

#include "cache/policy.h"
#include "cache/words.h"

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

static bool check(const struct config *cfg, struct err *e)
{
    const struct pass_spec *s = config_get(cfg, &pass_section);
    return words_check(cfg, e, &pass_section, s->kinds, s->spaces);
}

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct pass_spec *s = config_get(cfg, &pass_section);
    struct pass *p = ARENA_NEW(a, struct pass);
    (void)shape;
    p->kinds = words_kinds(s->kinds);
    p->spaces = words_spaces(s->spaces);
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
