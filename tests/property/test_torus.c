/* Claims about whole tori: how far, how much, and that nothing is left behind. */
#include "check.h"

#include "lab/point.h"
#include "rig/lab_rig.h"
#include "rig/net_rig.h"

static uint32_t links(uint32_t k, uint32_t a, uint32_t b)
{
    uint32_t apart = a > b ? a - b : b - a;
    return apart < k - apart ? apart : k - apart;
}

/* 1 + LT to the first router, RC + VA + SA + ST = 4 in each of H routers, LT = 2 between them,
 * 1 to the node, L - 1 for the rest of the packet. */
static void check_every_pair(uint32_t width, uint32_t height, uint16_t flits)
{
    uint32_t n = width * height;
    char settings[96];
    snprintf(settings, sizeof settings, "noc.topology=torus torus.width=%u torus.height=%u", width,
             height);
    for (uint32_t src = 0; src < n; src++) {
        struct net_rig r;
        net_rig_begin(&r, settings);
        CHECK(net_rig_build(&r, DIR_ANY));
        for (uint32_t dst = 0; dst < n; dst++) {
            uint32_t h = 1 + links(width, src % width, dst % width) +
                         links(height, src / width, dst / width);
            CHECK_EQ(net_rig_latency(&r, src, dst, flits), 3 + 4 * h + 2 * (h - 1) + flits - 1u);
        }
        net_rig_close(&r);
    }
}

static void every_pair_takes_the_hop_formula_in_an_empty_torus(void)
{
    check_every_pair(8, 8, 1);
    check_every_pair(8, 8, 5);
    check_every_pair(7, 4, 5);
    check_every_pair(2, 5, 1);
    check_every_pair(2, 2, 9);
    check_every_pair(1, 6, 1);
}

/* Under uniform traffic a quarter of all flits goes from one half of the longer rings to the
 * other, over two channels per ring: N r / 4 <= 2 (N / k), so r <= 8 / k. */
static void no_torus_accepts_more_than_its_bisection_lets_through(void)
{
    static const struct {
        uint32_t width, height;
        const char *more;
    } torus[] = {{16, 2, "traffic.sizes=1"},
                 {4, 16, "traffic.sizes=5"},
                 {16, 4, "torus.classes=balanced"},
                 {8, 8, "router.vcs=8 torus.classes=balanced"}};
    for (int i = 0; i < 4; i++) {
        uint32_t k = torus[i].width > torus[i].height ? torus[i].width : torus[i].height;
        struct arena *a = arena_new();
        struct err e = {0};
        const struct config *c = lab_rig_config(
            a,
            arena_printf(a,
                         "noc.topology=torus torus.width=%u torus.height=%u %s measure.warmup=2000 "
                         "measure.cycles=4000",
                         torus[i].width, torus[i].height, torus[i].more),
            &e);
        for (int load = 2; load <= 10; load += 4) {
            struct point p = {0};
            CHECK(point_run(c, load / 10.0, (struct lab_options){.check = true}, &p, NULL, &e));
            CHECK(p.accepted <= 8.0 / k * 1.01);
            CHECK(p.accepted >= fmin(0.97 * load / 10.0, 0.25 * 8.0 / k));
            CHECK(p.busiest <= 1);
        }
        arena_free(a);
    }
}

static void every_packet_of_a_full_torus_is_delivered(void)
{
    static const char *const settings[] = {
        "torus.width=6 torus.height=5 router.vcs=2 router.depth=2 traffic.sizes=9",
        "torus.width=8 torus.height=2 router.vcs=3 router.depth=1 torus.classes=balanced "
        "traffic.sizes=1,5",
    };
    for (int i = 0; i < 2; i++) {
        struct arena *a = arena_new();
        struct err e = {0};
        const struct config *c = lab_rig_config(
            a, arena_printf(a, "noc.topology=torus sim.watchdog=10 %s", settings[i]), &e);
        CHECK_STR(e.text, "");
        const char *wrong = lab_rig_disagreement(c, 1, 1000);
        CHECK_STR(wrong ? wrong : "", "");
        arena_free(a);
    }
}

CHECK_MAIN("torus", TEST(every_pair_takes_the_hop_formula_in_an_empty_torus),
           TEST(no_torus_accepts_more_than_its_bisection_lets_through),
           TEST(every_packet_of_a_full_torus_is_delivered))
