/* The slice against the plain model: every access, fill and answer of random requests has the same
 * outcome, and at the end the same words are dirty in the same lines. */
#include "base/rng.h"
#include "check.h"
#include "rig/cache_model.h"
#include "rig/l2_rig.h"

struct pair {
    struct l2_rig *rig;
    struct cache_model *model;
    struct l2_stats before;
    struct l2_refused_stats refused_before;
    uint32_t naccesses, nfills, nby_turn;
    uint64_t waiting;
    uint32_t *version; /* [request]: as the model answers it */
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
        if (s->mshr.line[i] != UINT64_MAX)
            n += s->mshr.count[i] - s->fetch[i].answered;
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

static void follow_turn(struct pair *p, const struct slice *s)
{
    uint32_t request = UINT32_MAX, version = 0;
    uint64_t now = waiting(s);
    bool refetched = s->stats.refetches != p->before.refetches;
    uint64_t turns = p->waiting + has_joined(p, s) - now;
    p->waiting = now;
    CHECK(turns + refetched <= 1);
    if (turns + refetched == 0)
        return;
    CHECK(p->model->nfilled > 0);
    enum cache_model_turn turn = cache_model_answer(p->model, &request, &version);
    CHECK_EQ(turn == CACHE_MODEL_REFETCHES, refetched);
    if (turn != CACHE_MODEL_ANSWERS)
        return;
    p->version[request] = version;
    p->by_turn[p->nby_turn++] = request;
}

/* The slice has done one cycle: fill, answer, access. */
static void follow(struct pair *p)
{
    const struct slice *s = p->rig->slice;
    if (s->stats.fills != p->before.fills) {
        const struct l2_rig_transfer *t = &p->rig->seen[p->rig->fetched[p->nfills++]];
        if (t->index < s->mshr.entries) /* else it passes by */
            cache_model_fill(p->model, t->t.line, t->t.sectors);
    }
    follow_turn(p, s);
    if (s->stats.accesses != p->before.accesses) {
        CHECK_EQ(s->stats.accesses, p->before.accesses + 1);
        uint32_t id = p->naccesses++;
        CHECK_EQ(outcome_of(&p->before, &s->stats),
                 cache_model_access(p->model, id, &p->version[id]));
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
    for (uint32_t i = 0; i < p->rig->nsent; i++)
        CHECK_EQ(p->rig->pool.at[i].version, p->version[i]);
    CHECK_EQ(p->rig->stale, 0);
    CHECK_EQ(p->rig->oracle.unfounded, 0);
}

/* Those that waited get their replies in the order of their turns. */
static void compare_order(const struct pair *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->rig->nanswered && n < p->nby_turn; i++)
        n += p->rig->answers[i] == p->by_turn[n];
    CHECK_EQ(n, p->nby_turn);
}

static struct l2_refused_stats compare(const char *settings, const struct l2_rig_options *opt,
                                       uint64_t seed, uint32_t lines)
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
                                    .mode = opt->mode,
                                    .kinds = opt->kinds,
                                    .spaces = opt->spaces,
                                    .requests = p.rig->pool.at};
    p.version = ARENA_ARRAY(p.rig->arena, uint32_t, REQUESTS);
    p.by_turn = ARENA_ARRAY(p.rig->arena, uint32_t, REQUESTS);
    send_random(p.rig, seed, REQUESTS, lines);
    for (uint64_t t = 1; p.rig->nanswered < REQUESTS || p.rig->slice->mshr.live > 0; t++) {
        CHECK(l2_rig_run(p.rig, t));
        follow(&p);
        CHECK(t < 200000);
    }
    CHECK(l2_rig_finish(p.rig));
    compare_counts(&p);
    compare_lines(&p);
    compare_order(&p);
    struct l2_refused_stats refused = p.rig->slice->refused;
    cache_model_free(p.model);
    l2_rig_free(p.rig);
    return refused;
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

static struct l2_refused_stats compare_random(uint64_t seed, const char *more, uint32_t mode)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 7, 16}, sets[] = {1, 2, 3, 5, 8, 13},
                          few[] = {1, 2, 3, 8}, latency[] = {1, 3, 20}, every[] = {1, 1, 3, 7};
    uint64_t k = rng_key(seed, 1);
    uint32_t w = pick(k, 0, ways, 6), s = pick(k, 1, sets, 6);
    char text[512], timing[128];
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
                                 .mode = mode,
                                 .kinds = 1 + (uint32_t)draw(k, 26, 15),
                                 .spaces = 1 + (uint32_t)draw(k, 27, 63),
                                 .check = true,
                                 .audit = 97};
    return compare(text, &opt, k, 1 + w * s * pick(k, 18, few, 4));
}

static void compare_many(uint64_t first, const char *more)
{
    for (uint64_t seed = first; seed < first + 60; seed++)
        compare_random(seed, more, CACHE_MODEL_KEEPS);
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

/* ---- requests that get no line ---- */

static struct l2_refused_stats compare_refusals(uint64_t first, uint32_t mode)
{
    struct l2_refused_stats sum = {0};
    static const char *const ways[] = {"",
                                       "l2.write_fetch=false",
                                       "l2.sectored=true l2.passing=2",
                                       "l2.sectored=true l2.write_fetch=false",
                                       THROUGH,
                                       THROUGH "l2.write_fetch=false l2.passing=1",
                                       THROUGH "l2.sectored=true",
                                       THROUGH "l2.sectored=true l2.write_fetch=false"};
    for (uint32_t i = 0; i < 8; i++)
        for (uint64_t seed = first; seed < first + 25; seed++) {
            struct l2_refused_stats one = compare_random(100 * i + seed, ways[i], mode);
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

CHECK_MAIN("l2_model", TEST(whole_lines_with_write_fetch), TEST(whole_lines_whose_writes_are_kept),
           TEST(sectors_with_write_fetch), TEST(sectors_whose_writes_are_kept),
           TEST(whole_lines_whose_writes_go_through_and_fetch),
           TEST(whole_lines_whose_writes_go_through),
           TEST(sectors_whose_writes_go_through_and_fetch), TEST(sectors_whose_writes_go_through),
           TEST(lines_that_are_not_kept), TEST(requests_that_pass_by))
