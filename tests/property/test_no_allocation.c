/* The cycle loop allocates nothing: memory in use does not change while a network runs. */
#include "check.h"

#include <malloc.h>

#include "base/arena.h"
#include "lab/lab.h"

#if defined(__SANITIZE_ADDRESS__)
#define CAN_COUNT 0 /* the sanitizer's allocator does not fill mallinfo in */
#else
#define CAN_COUNT 1
#endif

static void run(const char *const *settings, double rate)
{
    struct arena *a = arena_new();
    struct config *cfg = lab_config(a);
    struct err e = {0};
    for (; *settings; settings++)
        CHECK(config_set(cfg, *settings, &e));
    CHECK(config_set(cfg, "sim.watchdog=0", &e));
    struct lab *l = lab_new(cfg, rate, (struct lab_options){0}, &e);
    CHECK_STR(e.text, "");
    size_t before = mallinfo2().uordblks;
    CHECK(lab_run(l, 5000, &e));
    if (CAN_COUNT)
        CHECK_EQ(mallinfo2().uordblks, before);
    CHECK(lab_totals(l).packets_out > 1000);
    lab_free(l);
    arena_free(a);
}

static void an_open_loop_allocates_nothing(void)
{
    static const char *const mesh[] = {"noc.topology=mesh", NULL};
    static const char *const slow[] = {"router.speculative=true", "router.arbiter=matrix", NULL};
    static const char *const clos[] = {"noc.topology=clos", "traffic.sizes=1,5", NULL};
    run(mesh, 0.3);
    run(mesh, 0.9);
    run(slow, 0.3);
    run(clos, 0.3);
}

static void a_closed_loop_allocates_nothing(void)
{
    static const char *const cdxbar[] = {"noc.topology=cdxbar", "noc.networks=two",
                                         "traffic.pattern=request_reply", NULL};
    static const char *const ideal[] = {"noc.topology=ideal", "noc.networks=two",
                                        "traffic.pattern=request_reply", NULL};
    run(cdxbar, 0.2);
    run(cdxbar, 0.9);
    run(ideal, 0.9);
}

static void the_count_would_notice_an_allocation(void)
{
    size_t before = mallinfo2().uordblks;
    struct arena *a = arena_new();
    arena_alloc(a, 100000);
    if (CAN_COUNT)
        CHECK(mallinfo2().uordblks + mallinfo2().hblkhd > before);
    arena_free(a);
}

CHECK_MAIN("no_allocation", TEST(an_open_loop_allocates_nothing),
           TEST(a_closed_loop_allocates_nothing), TEST(the_count_would_notice_an_allocation))
