/* policy_sharing_l2.c - the L2's part of sharing-aware cache management ("Power Efficient
 * Sharing-Aware GPU Data Management", IPDPS 2017): the sharing tracker (sections V.B.1 and VI.A),
 * what of local memory gets a line (V.B.2, Fig. 10), and who gives way (V.B.3).
 *
 *   owner, flag   of each line, also while it is on its way: the owner is the SM whose miss took the
 *                 line, and who else uses it sets the flag.  Answers say what the flag is when they
 *                 are made; policy_sharing_l1.c heeds it.
 *   allocation    a local read miss passes by: no line, no MSHR.  Other local misses take a line only
 *                 from nobody or from a private one, else they go to memory (P2: only possibly
 *                 shared data evicts shared data).
 *   replacement   the least recently used private line gives way, else the least recently used.
 *
 * The paper leaves open what counts as an access (`kinds`, `spaces`), whether flags outlive a kernel
 * (`at_launch`: the L2 is kept, so they do), and what becomes of shared lines that nobody wants any
 * more (`age`).  docs/model/sharing.md has all choices.
 *
 * Not modelled: the time that it takes. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cache/policy.h"
#include "cache/sharing.h"
#include "cache/words.h"

#define SHARING_L2_ROWS(F, id)                                                                     \
    F(id, BOOL, allocation, "true", 0, 0, "",                                                      \
      "local read misses pass by the L2, other local misses take no line from shared data")        \
    F(id, BOOL, replacement, "true", 0, 0, "", "private lines give way first; false: LRU")         \
    F(id, STR, kinds, "all", 0, 0, "",                                                             \
      "accesses of other SMs that make a line shared: all, or read|write|atomic|reduce")           \
    F(id, STR, spaces, "all", 0, 0, "",                                                            \
      "of these, to: all (but local), or global|const|texture|param")                              \
    F(id, CHOICE, at_launch, "keep", 0, 0, "keep|clear",                                           \
      "when a kernel begins: owners and flags of its program's lines are kept, or forgotten")      \
    F(id, INT, age, "0", 0, 1e15, "cycle",                                                         \
      "without use after which a shared line gives way like a private one; 0: never")              \
    F(id, INT, stale, "10000", 1, 1e15, "cycle", "without use after which it counts as stale")     \
    F(id, INT, late, "1000", 1, 1e15, "cycle", "after a line was given: its use counts as late")
CFG_STRUCT(sharing_l2, SHARING_L2_ROWS)
CFG_SECTION(sharing_l2, SHARING_L2_ROWS, "cache policy sharing_l2: sharing tracker of the L2")

#define SHARING_L2_STATS(S, id)                                                                    \
    S(id, COUNTER, lines, "line", "given to an address; its owner is the first SM that uses it")   \
    S(id, COUNTER, lines_shared, "line", "that became shared; again after a launch that clears")   \
    S(id, COUNTER, line_sms, "SM", "that used a line, summed over lines")                          \
    S(id, COUNTER, used_by_2, "line", "used by at least 2 SMs while it was there")                 \
    S(id, COUNTER, used_by_3, "line", "... by 3")                                                  \
    S(id, COUNTER, used_by_4, "line", "... by 4")                                                  \
    S(id, COUNTER, used_by_5, "line", "... by 5")                                                  \
    S(id, COUNTER, used_by_6, "line", "... by 6")                                                  \
    S(id, COUNTER, used_by_7, "line", "... by 7")                                                  \
    S(id, COUNTER, used_by_8, "line", "... by 8")                                                  \
    S(id, COUNTER, used_by_9, "line", "... by 9")                                                  \
    S(id, COUNTER, used_by_10, "line", "... by 10")                                                \
    S(id, COUNTER, used_by_11, "line", "... by 11")                                                \
    S(id, COUNTER, used_by_12, "line", "... by 12")                                                \
    S(id, COUNTER, used_by_13, "line", "... by 13")                                                \
    S(id, COUNTER, used_by_14, "line", "... by 14")                                                \
    S(id, COUNTER, used_by_15, "line", "... by 15")                                                \
    S(id, COUNTER, used_by_16, "line", "... by 16")                                                \
    S(id, COUNTER, private_hits, "access", "to a private line that was there")                     \
    S(id, COUNTER, shared_hits, "access", "to a shared one, the access that made it so included")  \
    S(id, COUNTER, private_merges, "access", "to a private line on its way")                       \
    S(id, COUNTER, shared_merges, "access", "to a shared one")                                     \
    S(id, COUNTER, late_uses, "access", "to a shared line, sharing_l2.late after it was given")    \
    S(id, COUNTER, private_evictions, "line", "private, that made room for another")               \
    S(id, COUNTER, shared_evictions, "line", "shared")                                             \
    S(id, COUNTER, aged_evictions, "line", "of these, because of sharing_l2.age")                  \
    S(id, COUNTER, spared, "line", "shared and least recently used, when a private one left")      \
    S(id, COUNTER, local_lines, "line", "given to local data")                                     \
    S(id, COUNTER, local_refused, "access", "local misses that shared lines left no room for")     \
    S(id, COUNTER, cleared, "line", "shared, whose flag a launch cleared")                         \
    S(id, MEAN, private_lines, "line", "of a slice, over time")                                    \
    S(id, MEAN, shared_lines, "line", "of a slice, over time")                                     \
    S(id, MEAN, stale_lines, "line", "shared, and not used for sharing_l2.stale, over time")
STATS_STRUCT(sharing_l2, SHARING_L2_STATS)
STATS_ROWS(sharing_l2, SHARING_L2_STATS)

#define USED_BY(n) offsetof(struct sharing_l2_stats, used_by_##n)
static const size_t used_by[] = {USED_BY(2),  USED_BY(3),  USED_BY(4),  USED_BY(5),  USED_BY(6),
                                 USED_BY(7),  USED_BY(8),  USED_BY(9),  USED_BY(10), USED_BY(11),
                                 USED_BY(12), USED_BY(13), USED_BY(14), USED_BY(15), USED_BY(16)};
enum { MOST_USERS = 1 + sizeof used_by / sizeof used_by[0] };

#define NOBODY UINT32_MAX

struct line {
    hd_cycle given_at, used_at;
    uint32_t owner, nusers; /* owner: NOBODY after a launch that clears, until the next use */
    bool is_there, is_shared;
};

/* How many lines are so, summed over time: adding the time at which one ceases to be and subtracting
 * that at which it begins makes the integral. */
struct span {
    uint64_t sum, level, most;
};

struct sharing_l2 {
    bool allocates, replaces, clears;
    uint32_t kinds, spaces;
    hd_cycle age, stale, late;
    hd_cycle now; /* the latest that was heard of */
    const struct tags *tags;
    struct line *line;
    uint64_t *users; /* [line][words]: bits of SMs */
    uint32_t words;
    struct span are[2];   /* private lines, shared lines */
    uint64_t stale_sum;   /* line cycles, of gaps between uses that are over */
    uint64_t p2_breaches; /* shared lines that left for local data */
    struct sharing_l2_stats stats;
};

/* --- lines ------------------------------------------------------------------------------------ */

static bool is_aged(const struct sharing_l2 *s, const struct line *l, hd_cycle now)
{
    return s->age && now >= l->used_at + s->age;
}

/* Private lines and those that nobody has wanted for long are not spared. */
static bool is_spared(const struct sharing_l2 *s, uint32_t line, hd_cycle now)
{
    const struct line *l = &s->line[line];
    return l->is_shared && !is_aged(s, l, now);
}

/* The line that would give way, of those that may; TAGS_NONE: none. */
static uint32_t choose(const struct sharing_l2 *s, const struct cache_ask *ask)
{
    uint32_t any = TAGS_NONE, unspared = TAGS_NONE, first = ask->set * s->tags->ways;
    for (uint32_t i = first; i < first + s->tags->ways; i++) {
        if (s->tags->line[i].state == TAG_RESERVED)
            continue;
        any = sharing_older(s->tags, i, any);
        if (!is_spared(s, i, ask->now))
            unspared = sharing_older(s->tags, i, unspared);
    }
    return s->replaces && unspared != TAGS_NONE ? unspared : any;
}

/* --- who uses a line -------------------------------------------------------------------------- */

static bool is_tracked(const struct sharing_l2 *s, const struct cache_ask *ask)
{
    return ask->space != STREAM_LOCAL && (s->kinds >> ask->kind & 1) &&
           (s->spaces >> ask->space & 1);
}

static void add_user(struct sharing_l2 *s, uint32_t line, uint32_t sm)
{
    uint64_t *word = &s->users[(uint64_t)line * s->words + (sm >> 6)], bit = 1ull << (sm & 63);
    uint32_t n = s->line[line].nusers;
    if (*word & bit)
        return;
    *word |= bit;
    s->line[line].nusers = ++n;
    s->stats.line_sms++;
    if (n >= 2 && n <= MOST_USERS)
        ++*(uint64_t *)(void *)((char *)&s->stats + used_by[n - 2]);
}

/* --- time ------------------------------------------------------------------------------------- */

static void begin_span(struct span *p, hd_cycle now)
{
    p->sum -= now;
    p->level++;
    p->most = p->level > p->most ? p->level : p->most;
}

static void end_span(struct span *p, hd_cycle now)
{
    p->sum += now;
    p->level--;
}

static uint64_t stale_time(const struct sharing_l2 *s, const struct line *l, hd_cycle now)
{
    return l->is_there && l->is_shared && now > l->used_at + s->stale ? now - l->used_at - s->stale
                                                                      : 0;
}

static void set_shared(struct sharing_l2 *s, struct line *l, bool is_shared)
{
    end_span(&s->are[l->is_shared], s->now);
    l->is_shared = is_shared;
    begin_span(&s->are[l->is_shared], s->now);
}

/* The line leaves, or becomes invalid. */
static void forget(struct sharing_l2 *s, uint32_t line)
{
    struct line *l = &s->line[line];
    if (!l->is_there)
        return;
    s->stale_sum += stale_time(s, l, s->now);
    end_span(&s->are[l->is_shared], s->now);
    memset(s->users + (uint64_t)line * s->words, 0, s->words * sizeof *s->users);
    *l = (struct line){.owner = NOBODY};
}

/* --- the contract ----------------------------------------------------------------------------- */

static bool check(const struct config *cfg, struct err *e)
{
    const struct sharing_l2_spec *s = config_get(cfg, &sharing_l2_section);
    return words_check(cfg, e, &sharing_l2_section, s->kinds, s->spaces);
}

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct sharing_l2_spec *spec = config_get(cfg, &sharing_l2_section);
    const uint64_t lines = (uint64_t)shape->sets * shape->ways;
    struct sharing_l2 *s = ARENA_NEW(a, struct sharing_l2);
    s->allocates = spec->allocation;
    s->replaces = spec->replacement;
    s->clears = strcmp(spec->at_launch, "clear") == 0;
    s->kinds = words_kinds(spec->kinds);
    s->spaces = words_spaces(spec->spaces);
    s->age = (hd_cycle)spec->age;
    s->stale = (hd_cycle)spec->stale;
    s->late = (hd_cycle)spec->late;
    s->tags = shape->tags;
    s->words = (shape->sms + 63) / 64;
    s->line = ARENA_ARRAY(a, struct line, lines);
    s->users = ARENA_ARRAY(a, uint64_t, lines * s->words);
    return s;
}

static bool passes(const void *state, const struct cache_ask *ask)
{
    const struct sharing_l2 *s = state;
    return s->allocates && ask->space == STREAM_LOCAL && ask->kind == REQUEST_READ;
}

static bool keeps(const void *state, const struct cache_ask *ask)
{
    const struct sharing_l2 *s = state;
    if (!s->allocates || ask->space != STREAM_LOCAL)
        return true;
    uint32_t i = sharing_invalid(s->tags, ask->set);
    if (i == TAGS_NONE)
        i = choose(s, ask);
    return i != TAGS_NONE && !is_spared(s, i, ask->now);
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    return choose(state, ask) - set->first;
}

static bool is_shared(const void *state, uint32_t line)
{
    return ((const struct sharing_l2 *)state)->line[line].is_shared;
}

static void used(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct sharing_l2 *s = state;
    struct line *l = &s->line[line];
    bool is_coming = s->tags->line[line].state == TAG_RESERVED;
    s->now = ask->now;
    s->stale_sum += stale_time(s, l, ask->now);
    l->used_at = ask->now;
    if (is_tracked(s, ask)) {
        l->owner = l->owner == NOBODY ? ask->sm : l->owner;
        add_user(s, line, ask->sm);
        if (l->owner != ask->sm && !l->is_shared) {
            set_shared(s, l, true);
            s->stats.lines_shared++;
        }
    }
    s->stats.private_hits += !l->is_shared && !is_coming;
    s->stats.private_merges += !l->is_shared && is_coming;
    s->stats.shared_hits += l->is_shared && !is_coming;
    s->stats.shared_merges += l->is_shared && is_coming;
    s->stats.late_uses += l->is_shared && ask->now >= l->given_at + s->late;
}

/* A line leaves that was there. */
static void count_eviction(struct sharing_l2 *s, const struct cache_ask *ask, uint32_t line)
{
    const struct line *l = &s->line[line];
    s->stats.private_evictions += !l->is_shared;
    s->stats.shared_evictions += l->is_shared;
    s->stats.aged_evictions += s->replaces && l->is_shared && is_aged(s, l, ask->now);
    s->stats.spared += sharing_lru(s->tags, ask->set) != line;
    s->p2_breaches += s->allocates && ask->space == STREAM_LOCAL && is_spared(s, line, ask->now);
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct sharing_l2 *s = state;
    struct line *l = &s->line[line];
    s->now = ask->now;
    if (l->is_there)
        count_eviction(s, ask, line);
    forget(s, line);
    *l = (struct line){
        .given_at = ask->now, .used_at = ask->now, .owner = ask->sm, .is_there = true};
    begin_span(&s->are[false], ask->now);
    add_user(s, line, ask->sm);
    s->stats.lines++;
    s->stats.local_lines += ask->space == STREAM_LOCAL;
}

static void refused(void *state, const struct cache_ask *ask)
{
    (void)ask;
    ((struct sharing_l2 *)state)->stats.local_refused++;
}

static void dropped(void *state, uint32_t line)
{
    forget(state, line);
}

static void launched(void *state, uint32_t program)
{
    struct sharing_l2 *s = state;
    for (uint32_t i = 0; s->clears && i < s->tags->sets * s->tags->ways; i++) {
        struct line *l = &s->line[i];
        if (!l->is_there || !program_has(program, tags_address(s->tags, i)))
            continue;
        l->owner = NOBODY;
        if (!l->is_shared)
            continue;
        s->stale_sum += stale_time(s, l, s->now);
        set_shared(s, l, false);
        s->stats.cleared++;
    }
}

static void settle_span(struct stat_mean *m, const struct span *p, hd_cycle now)
{
    *m = (struct stat_mean){.n = now, .sum = p->sum + p->level * now, .max = p->most};
}

static void settle(void *state, hd_cycle now)
{
    struct sharing_l2 *s = state;
    uint64_t stale = s->stale_sum;
    s->now = now;
    for (uint32_t i = 0; i < s->tags->sets * s->tags->ways; i++)
        stale += stale_time(s, &s->line[i], now);
    settle_span(&s->stats.private_lines, &s->are[false], now);
    settle_span(&s->stats.shared_lines, &s->are[true], now);
    s->stats.stale_lines = (struct stat_mean){.n = now, .sum = stale};
}

static void add_stats(const void *state, const char *cache, const char *instance,
                      struct stats *tree)
{
    char path[64];
    snprintf(path, sizeof path, "%s.sharing", cache);
    stats_join(tree, path, instance, sharing_l2_stat_rows,
               sizeof sharing_l2_stat_rows / sizeof sharing_l2_stat_rows[0],
               &((const struct sharing_l2 *)state)->stats);
}

/* The users of a line are known exactly here: the flag must agree with them. */
static bool audit(const void *state, struct err *e)
{
    const struct sharing_l2 *s = state;
    if (s->p2_breaches)
        return err_set(e, STATUS_FAILED, "%llu shared lines left for local data (P2)",
                       (unsigned long long)s->p2_breaches);
    for (uint32_t i = 0; i < s->tags->sets * s->tags->ways; i++) {
        const struct line *l = &s->line[i];
        bool has_others = l->nusers > 1;
        if (l->is_there != (s->tags->line[i].state != TAG_INVALID))
            return err_set(e, STATUS_FAILED, "line %u came or went unseen", i);
        if (s->clears ? l->is_shared && !has_others : l->is_shared != has_others)
            return err_set(e, STATUS_FAILED, "line %u of %u SMs counts as %s", i, l->nusers,
                           l->is_shared ? "shared" : "private");
    }
    return true;
}

/* Fig. 13: the number of the owner, of whom there may be none after a launch that clears, and the
 * sharing flag. */
static uint32_t line_bits(const struct config *cfg, uint32_t sms)
{
    const struct sharing_l2_spec *s = config_get(cfg, &sharing_l2_section);
    uint32_t owners = sms + (strcmp(s->at_launch, "clear") == 0);
    return (owners > 1 ? 32 - (uint32_t)__builtin_clz(owners - 1) : 0) + 1;
}

const struct cache_policy cache_policy_sharing_l2 = {
    .name = "sharing_l2",
    .help =
        "of an L2: tracks who shares a line; private lines give way first, local misses pass by",
    .section = &sharing_l2_section,
    .check = check,
    .init = init,
    .passes = passes,
    .keeps = keeps,
    .victim = victim,
    .is_shared = is_shared,
    .used = used,
    .filled = filled,
    .refused = refused,
    .dropped = dropped,
    .launched = launched,
    .settle = settle,
    .add_stats = add_stats,
    .audit = audit,
    .line_bits = line_bits};
