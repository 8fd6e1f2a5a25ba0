#include "check.h"

#include "noc/clusters.h"

enum { SIDE = 8, NODES = SIDE * SIDE };

static const uint32_t mems[] = {3, 15, 17, 29, 36, 47, 49, 61};

/* Distances from a memory node, found by flooding the mesh instead of by subtraction. */
static void flood(uint32_t from, uint32_t *distance)
{
    uint32_t queue[NODES], n = 1;
    memset(distance, 0xff, sizeof *distance * NODES);
    distance[from] = 0;
    queue[0] = from;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = queue[i], x = at % SIDE, y = at / SIDE;
        const uint32_t next[] = {x > 0 ? at - 1 : at, x + 1 < SIDE ? at + 1 : at,
                                 y > 0 ? at - SIDE : at, y + 1 < SIDE ? at + SIDE : at};
        for (int k = 0; k < 4; k++)
            if (distance[next[k]] == UINT32_MAX) {
                distance[next[k]] = distance[at] + 1;
                queue[n++] = next[k];
            }
    }
}

static const uint32_t *cluster(struct arena *a, uint64_t seed, uint32_t pin, uint32_t host)
{
    uint32_t *pinned = ARENA_ARRAY(a, uint32_t, NODES);
    memset(pinned, 0xff, sizeof *pinned * NODES);
    if (pin < NODES)
        pinned[pin] = host;
    struct topology_nodes n = {.total = NODES, .nmems = 8, .mems = mems};
    return clusters_of(&n, &(struct clusters_ask){SIDE, seed, pinned}, a);
}

/* Fig. 3a: the host of a core is a nearest memory node; 38 cores have but one. */
static void every_core_is_with_a_nearest_memory_node(void)
{
    static uint32_t distance[8][NODES];
    struct arena *a = arena_new();
    const uint32_t *host = cluster(a, 1, NODES, 0);
    uint32_t sole = 0, hops[8] = {0};
    for (int i = 0; i < 8; i++)
        flood(mems[i], distance[i]);
    for (uint32_t v = 0; v < NODES; v++) {
        uint32_t least = UINT32_MAX, ties = 0, own = UINT32_MAX;
        for (int i = 0; i < 8; i++) {
            least = distance[i][v] < least ? distance[i][v] : least;
            own = mems[i] == host[v] ? distance[i][v] : own;
            CHECK_EQ(clusters_distance(SIDE, v, mems[i]), distance[i][v]);
        }
        for (int i = 0; i < 8; i++)
            ties += distance[i][v] == least;
        CHECK_EQ(own, least);
        sole += ties == 1 && least > 0;
        hops[least]++;
    }
    CHECK_EQ(sole, 38);
    CHECK_EQ(hops[1], 26); /* "normally one or two hops", and two cores at three */
    CHECK_EQ(hops[2], 28);
    CHECK_EQ(hops[3], 2);
    arena_free(a);
}

static void ties_are_drawn_by_seed_and_node(void)
{
    struct arena *a = arena_new();
    uint32_t with_3 = 0, differ = 0;
    const uint32_t *first = cluster(a, 1, NODES, 0);
    for (uint64_t seed = 0; seed < 200; seed++) {
        const uint32_t *host = cluster(a, seed, NODES, 0);
        CHECK(host[0] == 3 || host[0] == 17); /* both are three hops away */
        CHECK(host[28] == 29 || host[28] == 36);
        with_3 += host[0] == 3;
        differ += memcmp(host, first, sizeof *host * NODES) != 0;
    }
    CHECK(with_3 > 70 && with_3 < 130);
    CHECK(differ > 190);
    CHECK(memcmp(first, cluster(a, 1, NODES, 0), sizeof *first * NODES) == 0);
    arena_free(a);
}

static void a_pin_decides(void)
{
    struct arena *a = arena_new();
    for (uint64_t seed = 0; seed < 20; seed++) {
        CHECK_EQ(cluster(a, seed, 0, 17)[0], 17);
        CHECK_EQ(cluster(a, seed, 0, 61)[0], 61); /* not even near */
        CHECK_EQ(cluster(a, seed, 0, 61)[17], 17);
    }
    arena_free(a);
}

CHECK_MAIN("clusters", TEST(every_core_is_with_a_nearest_memory_node),
           TEST(ties_are_drawn_by_seed_and_node), TEST(a_pin_decides))
