#include "check.h"

#include "base/rng.h"
#include "rig/toy_rig.h"
#include "sim/waitgraph.h"

static struct component at(const char *path, uint32_t id)
{
    struct component c = toy_sleeper(path, 1).c;
    c.id = id;
    return c;
}

static void vertex(struct waitgraph *g, const struct component *c, uint64_t local, bool moves)
{
    char label[24];
    snprintf(label, sizeof label, "%d", (int)local);
    waitgraph_vertex(g, c, local, moves, label);
}

static void an_empty_graph_is_no_deadlock(void)
{
    struct arena *a = arena_new();
    CHECK(waitgraph_deadlock(waitgraph_new(a)) == NULL);
    arena_free(a);
}

static void a_chain_that_ends_in_a_mover_is_no_deadlock(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    for (uint64_t i = 0; i < 100; i++) {
        vertex(g, &c, i, i == 99);
        if (i < 99)
            waitgraph_edge(g, &c, i, &c, i + 1);
    }
    CHECK(waitgraph_deadlock(g) == NULL);
    arena_free(a);
}

static void a_ring_is_a_deadlock_and_is_printed_from_end_to_end(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    for (uint64_t i = 0; i < 4; i++) {
        vertex(g, &c, i, false);
        waitgraph_edge(g, &c, i, &c, (i + 1) % 4);
    }
    CHECK_STR(waitgraph_deadlock(g), "net 0 -> net 1 -> net 2 -> net 3 -> net 0");
    arena_free(a);
}

static void a_tail_that_waits_for_a_ring_is_not_printed(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    static const uint64_t next[] = {1, 2, 3, 4, 2}; /* 0 -> 1 -> 2 -> 3 -> 4 -> 2 */
    for (uint64_t i = 0; i < 5; i++) {
        vertex(g, &c, i, false);
        waitgraph_edge(g, &c, i, &c, next[i]);
    }
    CHECK_STR(waitgraph_deadlock(g), "net 2 -> net 3 -> net 4 -> net 2");
    arena_free(a);
}

static void a_vertex_that_waits_for_itself_is_a_ring_of_one(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    vertex(g, &c, 7, false);
    waitgraph_edge(g, &c, 7, &c, 7);
    CHECK_STR(waitgraph_deadlock(g), "net 7 -> net 7");
    arena_free(a);
}

static void one_way_out_of_a_ring_is_enough(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    for (uint64_t i = 0; i < 4; i++) {
        vertex(g, &c, i, false);
        waitgraph_edge(g, &c, i, &c, (i + 1) % 4);
    }
    vertex(g, &c, 9, true);
    waitgraph_edge(g, &c, 2, &c, 9); /* 2 waits for 3 or 9 */
    CHECK(waitgraph_deadlock(g) == NULL);
    arena_free(a);
}

static void a_choice_between_two_dead_ends_is_none(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    for (uint64_t i = 0; i < 3; i++)
        vertex(g, &c, i, false);
    waitgraph_edge(g, &c, 0, &c, 1);
    waitgraph_edge(g, &c, 0, &c, 2);
    waitgraph_edge(g, &c, 1, &c, 0);
    waitgraph_edge(g, &c, 2, &c, 0);
    const char *cycle = waitgraph_deadlock(g);
    CHECK(strcmp(cycle, "net 0 -> net 2 -> net 0") == 0 ||
          strcmp(cycle, "net 0 -> net 1 -> net 0") == 0);
    arena_free(a);
}

static void a_ring_beside_movers_is_still_found(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    for (uint64_t i = 0; i < 50; i++)
        vertex(g, &c, i, true);
    for (uint64_t i = 50; i < 53; i++) {
        vertex(g, &c, i, false);
        waitgraph_edge(g, &c, i, &c, i == 52 ? 50 : i + 1);
        waitgraph_edge(g, &c, i - 50, &c, i); /* movers that could also wait */
    }
    CHECK_STR(waitgraph_deadlock(g), "net 50 -> net 51 -> net 52 -> net 50");
    arena_free(a);
}

static void a_ring_may_lead_through_several_components(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component req = at("noc.request", 0), mem = at("memory", 1), rep = at("noc.reply", 2);
    vertex(g, &req, 5, false); /* the same number in each is not the same vertex */
    vertex(g, &mem, 5, false);
    vertex(g, &rep, 5, false);
    waitgraph_edge(g, &req, 5, &mem, 5);
    waitgraph_edge(g, &mem, 5, &rep, 5);
    waitgraph_edge(g, &rep, 5, &req, 5);
    CHECK_STR(waitgraph_deadlock(g), "noc.request 5 -> memory 5 -> noc.reply 5 -> noc.request 5");
    arena_free(a);
}

static void an_undeclared_vertex_can_move(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    vertex(g, &c, 0, false);
    waitgraph_edge(g, &c, 0, &c, 1);
    CHECK(waitgraph_deadlock(g) == NULL);
    arena_free(a);
}

static void an_edge_may_come_before_its_vertices(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    waitgraph_edge(g, &c, 0, &c, 1);
    waitgraph_edge(g, &c, 1, &c, 0);
    vertex(g, &c, 0, false);
    vertex(g, &c, 1, false);
    CHECK_STR(waitgraph_deadlock(g), "net 0 -> net 1 -> net 0");
    arena_free(a);
}

static void waiting_for_nobody_is_said_as_such(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    vertex(g, &c, 3, false);
    CHECK_STR(waitgraph_deadlock(g), "net 3 waits for something that nobody will do");
    arena_free(a);
}

static void labels_are_copied(void)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    struct component c = at("net", 0);
    char label[] = "before";
    waitgraph_vertex(g, &c, 0, false, label);
    strcpy(label, "after");
    waitgraph_edge(g, &c, 0, &c, 0);
    CHECK_STR(waitgraph_deadlock(g), "net before -> net before");
    arena_free(a);
}

/* Sparse numbers, so that the hash has to work, and far more than the first allocation. */
static void large_graphs_grow_without_losing_anybody(void)
{
    enum { N = 3000 };
    struct arena *a = arena_new();
    struct component c = at("net", 3);
    for (int closed = 0; closed < 2; closed++) {
        struct waitgraph *g = waitgraph_new(a);
        for (uint64_t i = 0; i < N; i++) {
            uint64_t me = i * 0x10001, next = (i + 1) * 0x10001;
            vertex(g, &c, me, false);
            if (i + 1 < N)
                waitgraph_edge(g, &c, me, &c, next);
        }
        if (closed)
            waitgraph_edge(g, &c, (N - 1) * 0x10001, &c, (N - 3) * 0x10001);
        else
            vertex(g, &c, (N - 1) * 0x10001, true);
        /* numbers as vertex() prints them: (N - 3) * 0x10001 and the two that follow */
        CHECK_STR(waitgraph_deadlock(g),
                  closed ? "net 196414389 -> net 196479926 -> net 196545463 -> net 196414389"
                         : NULL);
    }
    arena_free(a);
}

/* Random graphs against the definition: repeat "whoever can reach a mover in one step moves". */
static void random_graphs_agree_with_the_definition(void)
{
    enum { N = 30, EDGES = 45 };
    int deadlocks = 0;
    for (uint64_t k = 0; k < 500; k++) {
        struct arena *a = arena_new();
        struct waitgraph *g = waitgraph_new(a);
        struct component c = at("net", 0);
        bool moves[N], edge[N][N] = {{0}};
        memset(moves, true, sizeof moves); /* whoever waits for nobody */
        for (uint32_t i = 0; i < EDGES; i++) {
            uint32_t from = rng_below(rng_at(k, 100 + i), N), to = rng_below(rng_at(k, 200 + i), N);
            edge[from][to] = true;
            moves[from] = rng_below(rng_at(k, from), 10) == 0;
            waitgraph_edge(g, &c, from, &c, to);
        }
        for (uint32_t i = 0; i < N; i++)
            vertex(g, &c, i, moves[i]);
        for (int round = 0; round < N; round++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    moves[i] |= edge[i][j] && moves[j];
        bool dead = false;
        for (int i = 0; i < N; i++)
            dead |= !moves[i];
        const char *cycle = waitgraph_deadlock(g);
        CHECK_EQ(cycle != NULL, dead);
        deadlocks += dead;
        /* Every printed step is an edge between two vertices that cannot move. */
        int from = -1, to;
        for (const char *s = cycle; s && sscanf(s, "net %d", &to) == 1; from = to) {
            CHECK(!moves[to]);
            CHECK(from < 0 || edge[from][to]);
            s = strstr(s, " -> ");
            s = s ? s + 4 : NULL;
        }
        arena_free(a);
    }
    CHECK(deadlocks > 50 && deadlocks < 500);
}

CHECK_MAIN("waitgraph", TEST(an_empty_graph_is_no_deadlock),
           TEST(a_chain_that_ends_in_a_mover_is_no_deadlock),
           TEST(a_ring_is_a_deadlock_and_is_printed_from_end_to_end),
           TEST(a_tail_that_waits_for_a_ring_is_not_printed),
           TEST(a_vertex_that_waits_for_itself_is_a_ring_of_one),
           TEST(one_way_out_of_a_ring_is_enough), TEST(a_choice_between_two_dead_ends_is_none),
           TEST(a_ring_beside_movers_is_still_found),
           TEST(a_ring_may_lead_through_several_components), TEST(an_undeclared_vertex_can_move),
           TEST(an_edge_may_come_before_its_vertices), TEST(waiting_for_nobody_is_said_as_such),
           TEST(labels_are_copied), TEST(large_graphs_grow_without_losing_anybody),
           TEST(random_graphs_agree_with_the_definition))
