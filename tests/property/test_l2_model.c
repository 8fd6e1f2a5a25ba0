/* The slice against the plain model: every access, fill and answer of random requests has the same
 * outcome, and at the end the same words are dirty in the same lines; under sharing_l2, every answer
 * says the same of its line. */
#include "base/rng.h"
#include "check.h"
#include "rig/cache_model.h"
#include "rig/l2_rig.h"
#include "sim/stats_snapshot.h"

struct pair {
    struct l2_rig *rig;
    struct cache_model *model;
    struct l2_stats before;
    struct l2_refused_stats refused_before;
    uint32_t naccesses, nfills, nby_turn;
    uint64_t waiting;
    uint32_t drained;  /* lines, confirmations and passing reads that have had their turns */
    uint32_t *version; /* [request]: as the model answers it */
    bool *shared;      /* [request]: as the model says of its line */
    uint32_t *by_turn; /* [nby_turn]: answered when their line had come, in order */
};

static uint64_t draw(uint64_t seed, uint64_t n, uint32_t below)
{
    return rng_below(rng_at(seed, n), below);
}

static void send_random(struct l2_rig *r, uint64_t seed, uint32_t n, uint32_t lines)
{
    for (uint32_t i = 0; i < n; i++) {
        struct l2_rig_ask ask = l2_rig_random(seed, i, lines);
        l2_rig_ask(r, &ask, draw(seed, i, 40) ? 0 : 5 * (uint64_t)i);
    }
}

/* Outcome of the last access by what was counted. */
static int outcome_of(const struct l2_stats *a, const struct l2_stats *b)
{
    uint64_t hits = b->read_hits + b->write_hits + b->atomic_hits;
    uint64_t merges = b->read_merges + b->write_merges + b->atomic_merges;
    hits -= a->read_hits + a->write_hits + a->atomic_hits;
    merges -= a->read_merges + a->write_merges + a->atomic_merges;
    return hits ? CACHE_MODEL_HIT : merges ? CACHE_MODEL_MERGE : CACHE_MODEL_MISS;
}

static uint64_t waiting(const struct slice *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->mshr.entries; i++)
        if (s->mshr.at[i].line != UINT64_MAX)
            n += s->mshr.at[i].count - s->fetch[i].answered;
    return n;
}

/* Whether the access of this cycle has put its request into an MSHR. */
static bool has_joined(const struct pair *p, const struct slice *s)
{
    if (s->stats.accesses == p->before.accesses)
        return false;
    const struct cache_model *m = p->model;
    if (s->refused.read_passes + s->refused.write_passes !=
        p->refused_before.read_passes + p->refused_before.write_passes)
        return false;
    bool is_write = p->rig->pool.at[p->naccesses].kind == REQUEST_WRITE;
    switch (outcome_of(&p->before, &s->stats)) {
    case CACHE_MODEL_HIT:
        return false;
    case CACHE_MODEL_MISS:
        return !is_write || m->write_fetch;
    default:
        return !is_write || m->write_fetch || !m->write_through;
    }
}

/* Whether the turn is no longer at the line that it was at. */
static bool has_line_left(struct pair *p, const struct slice *s)
{
    const struct ring *d = &s->drains;
    bool has_left = d->head != p->drained;
    uint32_t which = d->at[p->drained & d->mask].id;
    p->drained = d->head;
    return has_left && which < s->mshr.entries;
}

static void follow_turn(struct pair *p, const struct slice *s)
{
    uint32_t request = UINT32_MAX, version = 0;
    uint64_t now = waiting(s);
    uint64_t turns = p->waiting + has_joined(p, s) - now;
    bool left = has_line_left(p, s);
    p->waiting = now;
    CHECK(turns <= 1);
    if (turns == 0 && !left)
        return;
    CHECK(p->model->nfilled > 0);
    enum cache_model_turn turn = cache_model_answer(p->model, &request, &version);
    CHECK_EQ(turn == CACHE_MODEL_ANSWERS || turn == CACHE_MODEL_PASSES, turns);
    CHECK(turn != CACHE_MODEL_REFETCHES || s->stats.refetches != p->before.refetches);
    if (turn != CACHE_MODEL_ANSWERS)
        return;
    p->version[request] = version;
    p->shared[request] = p->model->says_shared;
    p->by_turn[p->nby_turn++] = request;
}

/* The slice has done one cycle: fill, answer, access. */
static void follow(struct pair *p)
{
    const struct slice *s = p->rig->slice;
    if (s->stats.fills != p->before.fills) {
        const struct l2_rig_transfer *t = &p->rig->seen[p->rig->fetched[p->nfills++]];
        if (slice_is_fetch(s, t->index)) /* else it passes by */
            cache_model_fill(p->model, t->t.line, t->t.sectors);
    }
    follow_turn(p, s);
    if (s->stats.accesses != p->before.accesses) {
        CHECK_EQ(s->stats.accesses, p->before.accesses + 1);
        uint32_t id = p->naccesses++;
        CHECK_EQ(outcome_of(&p->before, &s->stats),
                 cache_model_access(p->model, id, &p->version[id]));
        p->shared[id] = p->model->says_shared;
    }
    if (p->model->fault)
        print_error("%s\n", p->model->fault);
    CHECK(p->model->fault == NULL);
    p->before = s->stats;
    p->refused_before = s->refused;
}

static void compare_lines(const struct pair *p)
{
    const struct tags *t = &p->rig->slice->tags;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->sets * t->ways; i++) {
        if (t->tag[i] == 0)
            continue;
        const struct cache_model_line *l = cache_model_find(p->model, tags_address(t, i));
        n++;
        CHECK(l != NULL);
        CHECK_EQ(t->line[i].valid, l->valid);
        CHECK_EQ(t->line[i].dirty, l->dirty);
        CHECK_EQ(t->line[i].version, l->version);
    }
    CHECK_EQ(n, p->model->nlines);
}

static void compare_counts(const struct pair *p)
{
    const struct l2_stats *s = l2_rig_stats(p->rig);
    const struct cache_model *m = p->model;
    CHECK_EQ(s->evictions, m->evictions);
    CHECK_EQ(s->writebacks, m->writebacks);
    CHECK_EQ(s->writeback_sectors, m->writeback_sectors);
    CHECK_EQ(s->fetches, m->fetches);
    CHECK_EQ(s->fetched_sectors, m->fetched_sectors);
    CHECK_EQ(s->refetches, m->refetches);
    CHECK_EQ(s->throughs, m->throughs);
    CHECK_EQ(s->through_sectors, m->through_sectors);
    CHECK_EQ(p->rig->slice->refused.read_passes, m->read_passes);
    CHECK_EQ(p->rig->slice->refused.write_passes, m->write_passes);
    CHECK_EQ(p->rig->slice->refused.unkept, m->unkept);
    for (uint32_t i = 0; i < p->rig->nsent; i++) {
        CHECK_EQ(p->rig->pool.at[i].version, p->version[i]);
        CHECK_EQ((p->rig->pool.at[i].flags & REQUEST_SHARED) != 0, p->shared[i]);
    }
    CHECK_EQ(p->rig->stale, 0);
    CHECK_EQ(p->rig->oracle.unfounded, 0);
}

/* By name: how the policy counts is its own affair. */
static uint64_t counted(const struct stats_snapshot *s, const char *name)
{
    double v = stats_snapshot_value(s, name);
    if (v != v)
        print_error("no statistic %s\n", name);
    CHECK(v == v);
    return (uint64_t)v;
}

static void compare_shared(const struct pair *p)
{
    const struct cache_model_shared *m = &p->model->shared;
    struct stats *tree = stats_new(p->rig->arena);
    slice_add_stats(p->rig->slice, tree);
    const struct stats_snapshot *s = stats_snapshot(tree, p->rig->arena);
    uint64_t line_sms = 0;
    for (uint32_t n = 1; n <= CACHE_MODEL_SMS; n++)
        line_sms += m->used_by[n];
    CHECK_EQ(counted(s, "l2.sharing.lines"), m->lines);
    CHECK_EQ(counted(s, "l2.sharing.lines_shared"), m->became_shared);
    CHECK_EQ(counted(s, "l2.sharing.line_sms"), line_sms);
    CHECK_EQ(counted(s, "l2.sharing.used_by_2"), m->used_by[2]);
    CHECK_EQ(counted(s, "l2.sharing.used_by_3"), m->used_by[3]);
    CHECK_EQ(counted(s, "l2.sharing.used_by_5"), m->used_by[5]);
    CHECK_EQ(counted(s, "l2.sharing.used_by_6"), 0);
    CHECK_EQ(counted(s, "l2.sharing.private_hits"), m->hits[0]);
    CHECK_EQ(counted(s, "l2.sharing.shared_hits"), m->hits[1]);
    CHECK_EQ(counted(s, "l2.sharing.private_merges"), m->waits[0]);
    CHECK_EQ(counted(s, "l2.sharing.shared_merges"), m->waits[1]);
    CHECK_EQ(counted(s, "l2.sharing.private_evictions"), m->evictions[0]);
    CHECK_EQ(counted(s, "l2.sharing.shared_evictions"), m->evictions[1]);
    CHECK_EQ(counted(s, "l2.sharing.spared"), m->spared);
}

/* Those that waited get their replies in the order of their turns. */
static void compare_order(const struct pair *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->rig->nanswered && n < p->nby_turn; i++)
        n += p->rig->answers[i] == p->by_turn[n];
    CHECK_EQ(n, p->nby_turn);
}

/* A kernel begins now and then. */
static void launch(struct pair *p, uint64_t t)
{
    struct slice *s = p->rig->slice;
    s->c.ops->settle(&s->c, t);
    slice_launch(s, PROGRAM_ANY);
    cache_model_disown(p->model);
}

/* What a comparison is about. */
struct subject {
    uint32_t mode; /* enum cache_model_mode */
    struct cache_model_sharing sharing;
    uint64_t launches; /* cycles between two; 0: none that the policy heeds */
};

struct compared {
    struct l2_refused_stats refused;
    struct cache_model_shared shared;
};

static struct compared compare(const char *settings, const struct l2_rig_options *opt,
                               const struct subject *about, uint64_t seed, uint32_t lines)
{
    enum { REQUESTS = 600 };
    struct pair p = {.rig = l2_rig_new(settings, opt)};
    const struct l2_spec *l2 = config_get(p.rig->cfg, &l2_section);
    p.model = ARENA_NEW(p.rig->arena, struct cache_model);
    *p.model = (struct cache_model){.ways = (uint32_t)l2->ways,
                                    .sets = (uint32_t)(l2->size / l2->ways / 128),
                                    .mshrs = (uint32_t)l2->mshrs,
                                    .merges = (uint32_t)l2->merges,
                                    .write_fetch = l2->write_fetch,
                                    .write_through = l2->write_through,
                                    .sectored = l2->sectored,
                                    .sector_fetches = l2->sector_fetches,
                                    .mode = opt->mode,
                                    .kinds = opt->kinds,
                                    .spaces = opt->spaces,
                                    .sharing = about->sharing,
                                    .requests = p.rig->pool.at};
    p.version = ARENA_ARRAY(p.rig->arena, uint32_t, REQUESTS);
    p.shared = ARENA_ARRAY(p.rig->arena, bool, REQUESTS);
    p.by_turn = ARENA_ARRAY(p.rig->arena, uint32_t, REQUESTS);
    send_random(p.rig, seed, REQUESTS, lines);
    for (uint64_t t = 1; p.rig->nanswered < REQUESTS || p.rig->slice->mshr.live > 0; t++) {
        CHECK(l2_rig_run(p.rig, t));
        p.model->now = t - 1;
        follow(&p);
        if (about->launches && t % about->launches == 0)
            launch(&p, t);
        CHECK(t < 200000);
    }
    CHECK(l2_rig_finish(p.rig));
    compare_counts(&p);
    compare_lines(&p);
    compare_order(&p);
    struct compared out = {p.rig->slice->refused, p.model->shared};
    if (about->sharing.is_on)
        compare_shared(&p);
    cache_model_free(p.model);
    l2_rig_free(p.rig);
    return out;
}

static uint32_t pick(uint64_t seed, uint32_t n, const uint32_t *from, uint32_t count)
{
    return from[draw(seed, n, count)];
}

/* What changes time and nothing else.  Two queues must have room for all that an access sends. */
static void set_timing(uint64_t k, char *text, size_t size)
{
    static const uint32_t port[] = {0, 0, 8, 32, 48, 128}, memory[] = {0, 0, 1, 2, 7},
                          miss[] = {3, 4, 5, 9};
    uint32_t queue = pick(k, 20, memory, 5);
    snprintf(text, size, "l2.port_bytes=%u l2.gated=%s l2.latency_clock=%s", pick(k, 21, port, 6),
             draw(k, 22, 3) ? "false" : "true", draw(k, 23, 3) ? "l2" : "sm");
    if (queue)
        snprintf(text + strlen(text), size - strlen(text), " l2.memory_queue=%u l2.miss_queue=%u",
                 queue, pick(k, 24, miss, 4));
}

static struct compared compare_random(uint64_t seed, const char *more, const struct subject *about)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 7, 16}, sets[] = {1, 2, 3, 5, 8, 13},
                          few[] = {1, 2, 3, 8}, latency[] = {1, 3, 20}, every[] = {1, 1, 3, 7};
    uint64_t k = rng_key(seed, 1);
    uint32_t w = pick(k, 0, ways, 6), s = pick(k, 1, sets, 6);
    char text[1536], timing[128];
    set_timing(k, timing, sizeof timing);
    snprintf(text, sizeof text,
             "l2.size=%u l2.ways=%u l2.mshrs=%u l2.merges=%u l2.miss_queue=%u l2.input_queue=%u "
             "l2.reply_queue=%u l2.writebacks=%u l2.latency=%u l2.hit_latency=%u "
             "l2.fill_latency=%u l2.banks=%u l2.bank_cycles=%u %s %s",
             w * s * 128, w, pick(k, 2, few, 4), pick(k, 3, few, 4), pick(k, 4, few, 4),
             pick(k, 5, few, 4), pick(k, 6, few, 4), pick(k, 7, few, 4), pick(k, 8, latency, 3),
             pick(k, 9, latency, 3), pick(k, 10, latency, 3), pick(k, 11, few, 4),
             pick(k, 12, few, 4), timing, more);
    struct l2_rig_options opt = {.memory_latency = pick(k, 13, latency, 3),
                                 .memory_jitter = pick(k, 14, latency, 3),
                                 .memory_every = pick(k, 15, every, 4),
                                 .reply_every = pick(k, 16, every, 4),
                                 .port_depth = pick(k, 17, few, 4),
                                 .sm_period = pick(k, 25, few, 4),
                                 .mode = about->mode,
                                 .kinds = 1 + (uint32_t)draw(k, 26, 15),
                                 .spaces = 1 + (uint32_t)draw(k, 27, 63),
                                 .check = true,
                                 .audit = 97};
    return compare(text, &opt, about, k, 1 + w * s * pick(k, 18, few, 4));
}

static void compare_many(uint64_t first, const char *more)
{
    for (uint64_t seed = first; seed < first + 60; seed++)
        compare_random(seed, more, &(struct subject){.mode = CACHE_MODEL_KEEPS});
}

static void whole_lines_with_write_fetch(void)
{
    compare_many(0, "");
}

static void whole_lines_whose_writes_are_kept(void)
{
    compare_many(100, "l2.write_fetch=false");
}

static void sectors_with_write_fetch(void)
{
    compare_many(200, "l2.sectored=true");
}

static void sectors_whose_writes_are_kept(void)
{
    compare_many(300, "l2.sectored=true l2.write_fetch=false");
}

/* A write that is sent through and its victim need a slot each. */
#define THROUGH "l2.write_through=true l2.writebacks=2 "

static void whole_lines_whose_writes_go_through_and_fetch(void)
{
    compare_many(400, THROUGH);
}

static void whole_lines_whose_writes_go_through(void)
{
    compare_many(500, THROUGH "l2.write_fetch=false");
}

static void sectors_whose_writes_go_through_and_fetch(void)
{
    compare_many(600, THROUGH "l2.sectored=true");
}

static void sectors_whose_writes_go_through(void)
{
    compare_many(700, THROUGH "l2.sectored=true l2.write_fetch=false");
}

#define FURTHER "l2.sectored=true l2.sector_fetches=true "

static void further_sectors_fetched_at_once_with_write_fetch(void)
{
    compare_many(800, FURTHER);
}

static void further_sectors_fetched_at_once_where_writes_are_kept(void)
{
    compare_many(900, FURTHER "l2.write_fetch=false");
}

static void further_sectors_fetched_at_once_where_writes_go_through_and_fetch(void)
{
    compare_many(4000, THROUGH FURTHER);
}

static void further_sectors_fetched_at_once_where_writes_go_through(void)
{
    compare_many(4100, THROUGH FURTHER "l2.write_fetch=false");
}

/* ---- requests that get no line ---- */

static const char *const ways_to_write[] = {"",
                                            "l2.write_fetch=false",
                                            "l2.sectored=true l2.passing=2",
                                            "l2.sectored=true l2.write_fetch=false",
                                            THROUGH,
                                            THROUGH "l2.write_fetch=false l2.passing=1",
                                            THROUGH "l2.sectored=true",
                                            THROUGH "l2.sectored=true l2.write_fetch=false",
                                            FURTHER "l2.passing=2",
                                            FURTHER "l2.write_fetch=false",
                                            THROUGH FURTHER,
                                            THROUGH FURTHER "l2.write_fetch=false"};
enum { WAYS_TO_WRITE = sizeof ways_to_write / sizeof ways_to_write[0] };

static struct l2_refused_stats compare_refusals(uint64_t first, uint32_t mode)
{
    struct l2_refused_stats sum = {0};
    for (uint32_t i = 0; i < WAYS_TO_WRITE; i++)
        for (uint64_t seed = first; seed < first + 25; seed++) {
            struct l2_refused_stats one =
                compare_random(100 * i + seed, ways_to_write[i], &(struct subject){.mode = mode})
                    .refused;
            sum.read_passes += one.read_passes;
            sum.write_passes += one.write_passes;
            sum.unkept += one.unkept;
        }
    return sum;
}

static void lines_that_are_not_kept(void)
{
    struct l2_refused_stats all = compare_refusals(1000, CACHE_MODEL_NO_LINE);
    CHECK(all.unkept > 1000 && all.write_passes > 1000);
    CHECK_EQ(all.read_passes, 0);
}

static void requests_that_pass_by(void)
{
    struct l2_refused_stats all = compare_refusals(2000, CACHE_MODEL_NO_MSHR);
    CHECK(all.read_passes > 1000 && all.write_passes > 1000);
    CHECK(all.unkept > 1000); /* atomics need an MSHR */
}

/* ---- lines that several SMs share ---- */

static void add_words(char *text, size_t size, const char *key, uint32_t bits,
                      const char *const *words)
{
    snprintf(text + strlen(text), size - strlen(text), " sharing_l2.%s=", key);
    for (bool is_first = true; bits; bits >>= 1, words++)
        if (bits & 1) {
            snprintf(text + strlen(text), size - strlen(text), "%s%s", is_first ? "" : "|", *words);
            is_first = false;
        }
}

/* All that can be switched, by seed. */
static struct subject random_sharing(uint64_t seed, char *text, size_t size)
{
    static const char *const kinds[] = {"read", "write", "atomic", "reduce"},
                             *const spaces[] = {"global", "shared",  "local",
                                                "const",  "texture", "param"};
    static const uint32_t ages[] = {0, 0, 1, 30, 300};
    uint64_t k = rng_key(seed, 77);
    struct subject s = {.sharing = {.is_on = true,
                                    .allocates = draw(k, 0, 2),
                                    .replaces = draw(k, 1, 2),
                                    .kinds = draw(k, 2, 2) ? 15 : 1 + (uint32_t)draw(k, 3, 15),
                                    .spaces = draw(k, 4, 2) ? 63 : 1 + (uint32_t)draw(k, 5, 63),
                                    .age = pick(k, 6, ages, 5)}};
    s.launches = draw(k, 7, 3) ? 0 : 50 + draw(k, 8, 500);
    snprintf(text, size,
             "l2.replacement=sharing_l2 sharing_l2.allocation=%s sharing_l2.replacement=%s "
             "sharing_l2.age=%u sharing_l2.at_launch=%s",
             s.sharing.allocates ? "true" : "false", s.sharing.replaces ? "true" : "false",
             (uint32_t)s.sharing.age, s.launches ? "clear" : "keep");
    add_words(text, size, "kinds", s.sharing.kinds, kinds);
    add_words(text, size, "spaces", s.sharing.spaces, spaces);
    return s;
}

static void lines_that_several_sms_share(void)
{
    struct compared sum = {0};
    for (uint32_t i = 0; i < WAYS_TO_WRITE; i++)
        for (uint64_t seed = 3000; seed < 3060; seed++) {
            char sharing[512], text[1024];
            struct subject s = random_sharing(100 * i + seed, sharing, sizeof sharing);
            snprintf(text, sizeof text, "%s %s", ways_to_write[i], sharing);
            struct compared one = compare_random(100 * i + seed, text, &s);
            for (size_t n = 0; n < sizeof sum / sizeof(uint64_t); n++)
                ((uint64_t *)&sum)[n] += ((const uint64_t *)&one)[n];
        }
    CHECK(sum.refused.read_passes > 1000 && sum.refused.write_passes > 100);
    CHECK(sum.refused.unkept > 10); /* atomics on local memory */
    CHECK(sum.shared.hits[0] > 1000 && sum.shared.hits[1] > 1000);
    CHECK(sum.shared.waits[0] > 1000 && sum.shared.waits[1] > 1000);
    CHECK(sum.shared.evictions[0] > 1000 && sum.shared.evictions[1] > 1000);
    CHECK(sum.shared.spared > 1000 && sum.shared.used_by[5] > 100);
}

CHECK_MAIN("l2_model", TEST(whole_lines_with_write_fetch), TEST(whole_lines_whose_writes_are_kept),
           TEST(sectors_with_write_fetch), TEST(sectors_whose_writes_are_kept),
           TEST(whole_lines_whose_writes_go_through_and_fetch),
           TEST(whole_lines_whose_writes_go_through),
           TEST(sectors_whose_writes_go_through_and_fetch), TEST(sectors_whose_writes_go_through),
           TEST(further_sectors_fetched_at_once_with_write_fetch),
           TEST(further_sectors_fetched_at_once_where_writes_are_kept),
           TEST(further_sectors_fetched_at_once_where_writes_go_through_and_fetch),
           TEST(further_sectors_fetched_at_once_where_writes_go_through),
           TEST(lines_that_are_not_kept), TEST(requests_that_pass_by),
           TEST(lines_that_several_sms_share))
