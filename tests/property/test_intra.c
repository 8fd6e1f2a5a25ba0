/* Where a mesh with a ring saturates, in closed form and measured.
 *
 * M memory nodes, N cores of which host h has C(h); every core sends r flits per cycle to memory nodes, all
 * alike.  Of core c the part x(c) takes the ring: all but its host and what is nearer than the threshold.
 *
 *   at the ejection port of a memory node     N r / M <= 1
 *   at the port from a host to the ring       r (sum of x over its cores) <= 1
 *   in the places of a reader                 r (sum of x over all cores) / (M L) <= places / (trip + 1 + L)
 *
 * The least r is where it saturates: below, latency settles; above, it grows for ever. */
#include "check.h"

#include "lab/point.h"
#include "noc/clusters.h"
#include "rig/lab_rig.h"

struct setting {
    uint32_t side, mems, places, flits, trip;
    const char *placement;
    bool is_shared;
    enum { EJECTION, PORT, PLACES } binds;
};

/* Packets of core `node` to memory nodes that take the ring, of all of them. */
static double by_ring(const struct setting *s, const struct topology_nodes *n, const uint32_t *host,
                      uint32_t node)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < n->nmems; i++)
        k += n->mems[i] != host[node] && clusters_distance(s->side, node, n->mems[i]) >= 2;
    return (double)k / n->nmems;
}

static double closed_form(const struct setting *s, const struct topology_nodes *n,
                          const uint32_t *host, int *binds)
{
    double port = 0, all = 0;
    for (uint32_t h = 0; h < n->nmems; h++) {
        double load = 0;
        for (uint32_t i = 0; i < n->ncores; i++)
            if (host[n->cores[i]] == n->mems[h]) {
                load += by_ring(s, n, host, n->cores[i]);
                all += by_ring(s, n, host, n->cores[i]);
            }
        if (s->is_shared) /* what is for the node itself comes by the same port, from all over */
            for (uint32_t i = 0; i < n->ncores; i++)
                load += (host[n->cores[i]] == n->mems[h] ||
                         clusters_distance(s->side, n->cores[i], n->mems[h]) < 2) /
                        (double)n->nmems;
        port = fmax(port, load);
    }
    double bound[] = {[EJECTION] = (double)n->nmems / n->ncores,
                      [PORT] = 1 / port,
                      [PLACES] = s->places * n->nmems * (double)s->flits /
                                 ((s->trip + 1.0 + s->flits) * all)};
    *binds = EJECTION;
    for (int i = PORT; i <= PLACES; i++)
        *binds = bound[i] < bound[*binds] ? i : *binds;
    return bound[*binds];
}

static struct point measure(struct config *cfg, double rate)
{
    struct point p;
    struct err e = {0};
    CHECK(point_run(cfg, rate, (struct lab_options){.check = true}, &p, NULL, &e));
    return p;
}

static void it_saturates_where_the_closed_form_says(void)
{
    static const struct setting settings[] = {
        {8, 8, 16, 1, 8, "dispersion", false, PORT}, {8, 8, 16, 5, 8, "diamond", false, PORT},
        {8, 8, 16, 5, 8, "dispersion", true, PORT},  {6, 8, 16, 5, 8, "diamond", false, PORT},
        {10, 8, 16, 5, 8, "diamond", false, PORT},   {8, 8, 1, 5, 8, "dispersion", false, PLACES},
        {8, 8, 2, 1, 8, "diagonal", false, PLACES},  {8, 8, 2, 5, 24, "diamond", false, PLACES},
        {8, 16, 16, 5, 8, "diamond", false, PORT}};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *s = &settings[i];
        struct arena *a = arena_new();
        struct err e = {0};
        int binds;
        struct config *cfg = lab_rig_config(
            a,
            arena_printf(a,
                         "noc.topology=intra noc.networks=two noc.width=16 mesh.width=%u "
                         "mesh.height=%u mesh.placement=%s mesh.mems=%u intra.arbiter=fair "
                         "intra.read_places=%u intra.send_places=16 intra.round_trip=%u "
                         "intra.port=%s intra.forwarding=store_and_forward router.vcs=8 "
                         "router.depth=8 traffic.pattern=many_to_few traffic.sizes=%u "
                         "measure.warmup=4000 measure.cycles=8000",
                         s->side, s->side, s->placement, s->mems, s->places, s->trip,
                         s->is_shared ? "shared" : "own", s->flits),
            &e);
        CHECK_STR(e.text, "");
        struct fabric f;
        CHECK(fabric_of(cfg, a, &f, &e));
        uint32_t *pinned = ARENA_ARRAY(a, uint32_t, f.nodes.total);
        memset(pinned, 0xff, sizeof *pinned * f.nodes.total);
        const uint32_t *host = clusters_of(
            &f.nodes, &(struct clusters_ask){.width = s->side, .seed = 1, .pinned = pinned}, a);
        double bound = closed_form(s, &f.nodes, host, &binds);
        struct point below = measure(cfg, (binds == PLACES ? 0.7 : 0.9) * bound),
                     above = measure(cfg, 1.15 * bound);
        printf("%ux%u %-10s %2u places %u flits: %.4f flits per core (%d): %.4f, %.4f accepted, "
               "%.0f and %.0f cycles\n",
               s->side, s->side, s->placement, s->places, s->flits, bound, binds, below.accepted,
               above.accepted, below.mean, above.mean);
        CHECK_EQ(binds, s->binds);
        if (binds == PLACES) /* a token that nobody wants goes round again: less well used */
            CHECK(above.accepted <= 1.01 * bound && above.accepted > 0.9 * bound);
        CHECK(below.settled);
        CHECK(!above.settled); /* the queue of one host grows, if no more */
        arena_free(a);
    }
}

CHECK_MAIN("intra", TEST(it_saturates_where_the_closed_form_says))
