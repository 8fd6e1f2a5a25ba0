#include "check.h"
#include "rig/policy_rig.h"

static void the_line_that_came_first_gives_way_however_often_it_was_used(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "fifo", .sets = 1, .ways = 3});
    policy_rig_use_all(&r, "abcaaad");
    CHECK_STR(policy_rig_text(&r, 0), "dbc");
    policy_rig_use_all(&r, "bbae");
    CHECK_STR(policy_rig_text(&r, 0), "dae");
    policy_rig_hold(&r, 'd', true); /* the next in turn is on its way: a goes instead */
    policy_rig_use_all(&r, "f");
    CHECK_STR(policy_rig_text(&r, 0), "dfe");
    policy_rig_close(&r);
}

/* Belady, Nelson and Shedler (CACM 1969): more room, and yet more misses. */
static uint32_t misses_of(const char *lines, uint32_t ways)
{
    struct policy_rig r;
    uint32_t n = 0;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "fifo", .sets = 1, .ways = ways});
    for (; *lines; lines++) {
        n += tags_find(&r.tags, (uint64_t)*lines * 128) == TAGS_NONE;
        policy_rig_use(&r, (uint64_t)*lines);
    }
    policy_rig_close(&r);
    return n;
}

static void beladys_anomaly_is_seen(void)
{
    CHECK_EQ(misses_of("123412512345", 3), 9);
    CHECK_EQ(misses_of("123412512345", 4), 10);
}

/* The ways of a set in the order in which they were filled. */
struct queue {
    uint32_t way[POLICY_MODEL_SETS][POLICY_MODEL_WAYS], n[POLICY_MODEL_SETS];
};

static void leave(void *state, uint32_t set, uint32_t way)
{
    struct queue *m = state;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n[set]; i++)
        if (m->way[set][i] != way)
            m->way[set][n++] = m->way[set][i];
    m->n[set] = n;
}

static void enter(void *state, uint32_t set, uint32_t way)
{
    struct queue *m = state;
    leave(m, set, way);
    m->way[set][m->n[set]++] = way;
}

static uint32_t first(void *state, uint32_t set, const bool *may_leave)
{
    const struct queue *m = state;
    uint32_t i = 0;
    while (!may_leave[m->way[set][i]])
        i++;
    return m->way[set][i];
}

static void random_uses_agree_with_a_queue(void)
{
    static const uint32_t ways[] = {1, 2, 3, 5, 8, 24}, sets[] = {1, 3, 8};
    for (uint32_t i = 0; i < 18; i++) {
        struct queue state = {.n = {0}};
        const struct policy_model m = {&state, first, NULL, enter, leave};
        policy_rig_compare(&(struct policy_rig_options){.policy = "fifo",
                                                        .sets = sets[i % 3],
                                                        .ways = ways[i / 3]},
                           &m, i);
    }
}

CHECK_MAIN("policy_fifo", TEST(the_line_that_came_first_gives_way_however_often_it_was_used),
           TEST(beladys_anomaly_is_seen), TEST(random_uses_agree_with_a_queue))
