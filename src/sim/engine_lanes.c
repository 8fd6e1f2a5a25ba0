/* engine_lanes.c - which thread ticks what.
 *
 * No hardware.  A thread has consecutive lanes of each kind of a phase, about its share of the time
 * that they take: SMs and memory are busy at different times, so that each thread gets some of both.
 * Every so often the lanes of a step are measured with the host's clock, and the borders move if that
 * is worth while.  What a thread gets changes how long a step takes, never what it
 * does.  A phase in which too little is due to pay for a barrier is done by the caller alone; so is
 * one that was measured to take no longer so, as on a host that has other things to do: of some steps
 * in a row the quickest counts, since what the host does in between only makes steps longer. */
#include "base/wall.h"
#include "sim/engine_priv.h"

enum {
    SAMPLE = 64,    /* the last step of so many is measured lane by lane, */
    WATCHED = 4,    /* so many before it as a whole */
    LOOK = 16,      /* samples after which borders are looked at */
    FIRST_TRY = 8,  /* sample in which alone is tried for the first time, */
    TRY_ALONE = 16, /* and samples between tries: for the last steps of one, */
    BURST = 9,      /* so many; */
    TRY_SHARED = 2, /* or for all of one, since what a thread needs is then in another's cache, */
    RARELY = 64,    /* and twice as rarely after each that was no quicker, up to so many */
    LATE_NS = 1000000, /* a thread that is waited for so long has no processor: */
    LATE = 3,          /* with so many such steps in a sample it is over at once */
    SHARED = 16,       /* components that take longer than a barrier: fewer are never shared */
    SCALE = 16,        /* of phase.ns */
    FEW = 8,           /* members that are looked at one by one */
    GAIN_OF = 20,      /* borders move for a twentieth less of the longest share */
};

/* ---- places ---- */

static bool comes_before(const struct member *a, const struct member *b)
{
    if (a->phase != b->phase)
        return a->phase < b->phase;
    return a->lane != b->lane ? a->lane < b->lane : a->c->id < b->c->id;
}

/* By insertion: machines are wired nearly in this order. */
static void sort_members(struct engine *e)
{
    for (uint32_t i = 1; i < e->n; i++) {
        struct member m = e->member[i];
        uint32_t k = i;
        for (; k > 0 && comes_before(&m, &e->member[k - 1]); k--)
            e->member[k] = e->member[k - 1];
        e->member[k] = m;
    }
}

static void find_lanes(struct engine *e)
{
    uint32_t n = 0;
    e->nphases = e->n ? e->member[e->n - 1].phase + 1 : 1;
    for (uint32_t p = 0; p < ENGINE_PHASES; p++)
        e->phase[p] = (struct phase){.next_try = FIRST_TRY, .pause = TRY_SHARED};
    for (uint32_t i = 0; i < e->n; i++) {
        const struct member *m = &e->member[i], *last = i ? m - 1 : NULL;
        if (!last || last->phase != m->phase || last->lane != m->lane)
            e->lane[n++] = (struct lane){.first = i, .phase = m->phase, .kind = m->c->ops->kind};
        e->lane[n - 1].n++;
        e->lane[n - 1].cost++; /* until it is measured, all components cost the same */
    }
    e->nlanes = n;
    for (uint32_t l = n; l-- > 0;) {
        struct phase *p = &e->phase[e->lane[l].phase];
        p->first_lane = l;
        p->nlanes++;
    }
}

/* The first lane after `from` whose components are of another kind. */
static uint32_t end_of_kind(const struct engine *e, const struct phase *p, uint32_t from)
{
    uint32_t l = from + 1;
    while (l < p->nlanes && e->lane[p->first_lane + l].kind == e->lane[p->first_lane + from].kind)
        l++;
    return l;
}

static uint64_t cost_of(const struct engine *e, const struct phase *p, uint32_t lane)
{
    return e->lane[p->first_lane + lane].cost + 1;
}

/* Fewer lanes than threads: each goes to who has least. */
static void split_few(struct engine *e, const struct phase *p, uint32_t from, uint32_t to)
{
    for (uint32_t l = from; l < to; l++) {
        uint32_t least = 0;
        for (uint32_t t = 1; t < e->nthreads; t++)
            least = e->share[t] < e->share[least] ? t : least;
        e->thread[l] = least;
        e->share[least] += cost_of(e, p, l);
    }
}

/* What thread t lacks of an equal share of `sum`. */
static uint64_t lack(const struct engine *e, uint32_t t, uint64_t sum)
{
    uint64_t equal = sum / e->nthreads + 1;
    return equal > e->share[t] ? equal - e->share[t] : 0;
}

/* Thread t's part of what is `left` for it and those after it. */
static uint64_t part_of(const struct engine *e, uint32_t t, uint64_t left, uint64_t sum)
{
    uint64_t own = lack(e, t, sum), all = 0;
    for (; t < e->nthreads; t++)
        all += lack(e, t, sum);
    return all ? left * own / all : 0;
}

/* The thread of each of the lanes [from, to): as many in a row as even out what the threads have of the kinds before. */
static void split_kind(struct engine *e, const struct phase *p, uint32_t from, uint32_t to)
{
    uint64_t left = 0, sum = 0, part, took = 0;
    for (uint32_t l = from; l < to; l++)
        left += cost_of(e, p, l);
    for (uint32_t t = 0; t < e->nthreads; t++)
        sum += e->share[t];
    sum += left;
    uint32_t thread = 0;
    part = part_of(e, 0, left, sum);
    for (uint32_t l = from; l < to; l++) {
        const uint64_t cost = cost_of(e, p, l);
        while (thread + 1 < e->nthreads && (part == 0 || (took && took + cost / 2 >= part))) {
            left -= took;
            took = 0;
            thread++;
            part = part_of(e, thread, left, sum);
        }
        took += cost;
        e->thread[l] = thread;
    }
    for (uint32_t l = from; l < to; l++)
        e->share[e->thread[l]] += cost_of(e, p, l);
}

static void split(struct engine *e, const struct phase *p)
{
    for (uint32_t t = 0; t < e->nthreads; t++)
        e->share[t] = 0;
    for (uint32_t from = 0, to; from < p->nlanes; from = to) {
        to = end_of_kind(e, p, from);
        if (to - from < e->nthreads)
            split_few(e, p, from, to);
        else
            split_kind(e, p, from, to);
    }
}

static void deal(struct engine *e, const struct phase *p)
{
    for (uint32_t l = 0; l < p->nlanes; l++)
        e->lane[p->first_lane + l].thread = e->thread[l];
    e->unplaced = true;
}

/* Of the threads' shares; thread[l]: of lane l of the phase. */
static uint64_t longest_share(struct engine *e, const struct phase *p, const uint32_t *thread)
{
    uint64_t longest = 0;
    for (uint32_t t = 0; t < e->nthreads; t++)
        e->share[t] = 0;
    for (uint32_t l = 0; l < p->nlanes; l++) {
        uint64_t *share = &e->share[thread[l]];
        *share += cost_of(e, p, l);
        longest = *share > longest ? *share : longest;
    }
    return longest;
}

static void move_borders(struct engine *e, const struct phase *p)
{
    for (uint32_t l = 0; l < p->nlanes; l++)
        e->thread[l] = e->lane[p->first_lane + l].thread;
    uint64_t was = longest_share(e, p, e->thread);
    split(e, p);
    if (longest_share(e, p, e->thread) + was / GAIN_OF < was)
        deal(e, p);
}

static uint32_t group_of(const struct engine *e, const struct lane *l)
{
    return l->phase * e->nthreads + l->thread;
}

static bool is_ahead(const struct engine *e, const struct member *m)
{
    return m->is_inner && e->has_inner;
}

/* Those of a lane that are ticked ahead of time, or those that are not; where the next place is. */
static uint32_t put(struct engine *e, uint32_t lane, bool ahead, uint32_t at)
{
    const struct lane *l = &e->lane[lane];
    for (uint32_t i = l->first; i < l->first + l->n; i++) {
        struct component *c = e->member[i].c;
        if (is_ahead(e, &e->member[i]) != ahead)
            continue;
        e->at[at] = c;
        e->tick[at] = c->ops->tick;
        e->domain_at[at] = (uint8_t)e->member[i].domain;
        e->lane_at[at] = lane;
        e->wake[at] = c->wake_at < ASLEEP ? c->wake_at : ASLEEP;
        c->wake = &e->wake[at];
        c->is_shared = e->nthreads > 1;
        at++;
    }
    return at;
}

static void clear_places(struct engine *e)
{
    for (uint32_t i = 0; i < e->n; i++) {
        struct component *c = e->member[i].c;
        c->wake_at = c->wake ? *c->wake : c->wake_at;
    }
    for (uint32_t i = 0; i < e->cap + BLOCK * (ENGINE_PHASES + 1) * e->nthreads; i++) {
        e->wake[i] = ASLEEP;
        e->at[i] = NULL;
    }
}

static uint32_t whole_blocks(uint32_t at)
{
    return (at + BLOCK - 1) / BLOCK;
}

/* One thread: one group, without gaps between phases. */
static uint32_t arrange_all(struct engine *e)
{
    uint32_t at = 0;
    for (uint32_t l = 0; l < e->nlanes; l++)
        at = put(e, l, false, at);
    e->ngroups = 1;
    e->group[0] = 0;
    return e->group[1] = whole_blocks(at);
}

static uint32_t arrange_groups(struct engine *e)
{
    uint32_t at = 0;
    e->ngroups = e->nphases * e->nthreads;
    for (uint32_t g = 0; g < e->ngroups; g++) {
        const struct phase *p = &e->phase[g / e->nthreads];
        e->group[g] = at / BLOCK;
        for (uint32_t l = p->first_lane; l < p->first_lane + p->nlanes; l++)
            if (group_of(e, &e->lane[l]) == g)
                at = put(e, l, false, at);
        at = whole_blocks(at) * BLOCK;
    }
    return e->group[e->ngroups] = at / BLOCK;
}

static void arrange_inner(struct engine *e, uint32_t block)
{
    for (uint32_t t = 0; t < e->nthreads; t++) {
        uint32_t at = block * BLOCK;
        e->inner[t] = block;
        for (uint32_t l = 0; l < e->nlanes; l++)
            if (e->nthreads == 1 || e->lane[l].thread == t)
                at = put(e, l, true, at);
        block = whole_blocks(at);
    }
    e->inner[e->nthreads] = block;
}

/* Ahead of time is not where every edge is to be gone through, or in the other order; nor where members are too few to
 * have places of their own. */
static void find_inner(struct engine *e)
{
    e->has_inner = false;
    for (uint32_t d = 0; d < e->ndomains; d++)
        e->domain[d].is_outer = false;
    for (uint32_t i = 0; i < e->n; i++) {
        const struct member *m = &e->member[i];
        HD_ASSERT(!m->is_inner || m->phase + 1 == e->nphases, "%s: not in the last phase",
                  m->c->path);
        e->has_inner |= m->is_inner;
        e->domain[m->domain].is_outer |= !m->is_inner;
    }
    e->has_inner &= !e->opt.no_skip && !e->opt.reversed && !e->few;
}

void engine_lanes_place(struct engine *e)
{
    if (e->unsorted) {
        sort_members(e);
        find_lanes(e);
    }
    if (e->unsorted || e->replaced) {
        for (uint32_t p = 0; p < e->nphases; p++) {
            split(e, &e->phase[p]);
            deal(e, &e->phase[p]);
        }
    }
    e->unsorted = e->replaced = false;
    e->few = e->nthreads == 1 && e->n <= FEW ? e->n : 0;
    find_inner(e);
    clear_places(e);
    arrange_inner(e, e->nthreads == 1 ? arrange_all(e) : arrange_groups(e));
    e->unplaced = false;
}

/* ---- running a phase ---- */

/* The same as engine_tick_due, lane by lane. */
static void tick_timed(struct engine *e, uint32_t from, uint32_t to)
{
    uint64_t start = wall_ns();
    while (from < to) {
        uint32_t lane = e->lane_at[e->due[from]], end = from + 1;
        while (end < to && e->lane_at[e->due[end]] == lane)
            end++;
        engine_tick_due(e, from, end);
        uint64_t now = wall_ns();
        e->lane[lane].cost += now - start;
        start = now;
        from = end;
    }
}

void engine_lanes_tick_inner(struct engine *e, uint32_t thread)
{
    uint64_t start = e->timed ? wall_ns() : 0;
    for (uint32_t b = e->inner[thread]; b < e->inner[thread + 1]; b++)
        for (uint32_t due = engine_inner_due(e, b); due; due &= due - 1) {
            const uint32_t at = b * BLOCK + (uint32_t)__builtin_ctz(due);
            engine_tick_inner(e, at);
            if (!e->timed)
                continue;
            uint64_t now = wall_ns();
            e->lane[e->lane_at[at]].cost += now - start;
            start = now;
        }
}

void engine_lanes_work(void *engine, uint32_t thread)
{
    struct engine *e = engine;
    uint32_t g = e->running * e->nthreads + thread;
    if (e->timed)
        tick_timed(e, e->group_due[g], e->group_due[g + 1]);
    else
        engine_tick_due(e, e->group_due[g], e->group_due[g + 1]);
    if (e->running + 1 == e->nphases)
        engine_lanes_tick_inner(e, thread);
}

static void run_alone(struct engine *e)
{
    for (uint32_t k = 0; k < e->nthreads; k++)
        engine_lanes_work(e, e->opt.reversed ? e->nthreads - 1 - k : k);
}

/* A step took so long for each that was due. */
static void watch(struct phase *p, uint64_t ns)
{
    p->quickest = p->quickest && p->quickest < ns ? p->quickest : ns;
}

static bool is_tried(const struct phase *p)
{
    return p->samples == p->next_try;
}

/* Whether several threads do what can be shared, `left` steps before the end of a sample. */
static bool shares_now(const struct phase *p, uint32_t left)
{
    const bool other = is_tried(p) && (p->is_alone || left < BURST);
    return p->is_alone == other;
}

static uint32_t longer(uint32_t pause)
{
    return pause < RARELY ? 2 * pause : RARELY;
}

/* Both ways are known: which it is from now on, and when to ask again.  Going alone must be clearly quicker: where little
 * is done it often is by a little, and more may be done soon. */
static void choose(struct phase *p, uint64_t tried_ns)
{
    const bool is_quicker = p->is_alone ? tried_ns < p->ns : tried_ns + tried_ns / 4 < p->ns;
    if (is_quicker) {
        p->is_alone = !p->is_alone;
        p->ns = tried_ns;
    }
    p->pause = !p->is_alone ? TRY_ALONE : is_quicker ? TRY_SHARED : longer(p->pause);
}

/* Others have the processors that threads were to have. */
static void give_up(struct phase *p)
{
    const bool is_again = p->is_alone;
    p->is_alone = true;
    p->ns = is_again ? p->ns : 0;
    p->pause = is_again ? longer(p->pause) : TRY_SHARED;
    p->next_try = p->samples + 1 + p->pause;
    p->late = 0;
    p->quickest = 0;
}

/* At the end of a sample. */
static void learn(struct engine *e, struct phase *p)
{
    const uint64_t ns = p->quickest;
    p->quickest = p->late = 0;
    if (ns && is_tried(p))
        choose(p, ns);
    else if (ns)
        p->ns = p->ns ? (p->ns + ns) / 2 : ns;
    if (is_tried(p))
        p->next_try += 1 + (ns ? p->pause : 0);
    p->samples++;
    if (p->samples % LOOK != 0)
        return;
    move_borders(e, p);
    for (uint32_t l = p->first_lane; l < p->first_lane + p->nlanes; l++)
        e->lane[l].cost /= 2; /* what was long ago counts less */
}

/* Of thread t in the running phase. */
static uint32_t due_of(const struct engine *e, uint32_t t)
{
    const uint32_t *first = &e->group_due[e->running * e->nthreads];
    uint32_t due = first[t + 1] - first[t];
    if (e->running + 1 == e->nphases)
        for (uint32_t b = e->inner[t]; b < e->inner[t + 1]; b++)
            due += (uint32_t)__builtin_popcount(engine_inner_due(e, b));
    return due;
}

/* Of all threads; *one_has_all: the others have nothing to do. */
static uint32_t count_due(const struct engine *e, bool *one_has_all)
{
    uint32_t due = 0, most = 0;
    for (uint32_t t = 0; t < e->nthreads; t++) {
        uint32_t own = due_of(e, t);
        due += own;
        most = own > most ? own : most;
    }
    *one_has_all = most == due;
    return due;
}

void engine_lanes_run(struct engine *e, uint32_t phase)
{
    struct phase *p = &e->phase[phase];
    bool one_has_all;
    e->running = phase;
    const uint32_t due = count_due(e, &one_has_all);
    if (due == 0)
        return;
    const uint32_t left = SAMPLE - 1 - (uint32_t)(p->runs % SAMPLE); /* of the sample */
    const bool can_be = !one_has_all && (due >= SHARED || e->opt.always_share);
    const bool is_shared = can_be && (e->opt.always_share || shares_now(p, left));
    const bool is_watched = can_be && left >= 1 && left <= WATCHED;
    const uint64_t start = is_watched ? wall_ns() : 0;
    e->timed = left == 0;
    if (is_shared)
        p->late += engine_team_run(e->team) > LATE_NS;
    else
        run_alone(e);
    if (p->late == LATE)
        give_up(p);
    if (is_watched)
        watch(p, (wall_ns() - start) * SCALE / due + 1);
    if (e->timed)
        learn(e, p);
    p->runs++;
}
