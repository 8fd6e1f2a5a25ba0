/* Partitions: every SM has one owner, every program SMs; shares are even where they should be. */
#include "check.h"
#include "cta/partition.h"
#include "rig/cta_rig.h"

struct dealt {
    struct arena *a;
    struct sm_clusters clusters;
    struct sm_set sms;
    uint8_t owner[CTA_RIG_SMS];
    uint32_t count[8];
};

/* SMs first .. first + n - 1 of `all` in 3 clusters, dealt out to `programs`. */
static void deal(struct dealt *d, const char *name, uint32_t all, uint32_t first, uint32_t n,
                 uint32_t programs)
{
    const struct partition *p = partition_find(name);
    struct cta_program idle[8] = {0};
    CHECK(p != NULL);
    *d = (struct dealt){.a = arena_new()};
    memset(d->owner, 0xff, sizeof d->owner);
    d->clusters = sm_clusters_deal(d->a, all, 3);
    d->sms = cta_rig_range(d->a, &d->clusters, first, n);
    struct partition_view v = {&d->clusters, &d->sms, programs, idle};
    void *state = p->begin ? p->begin(d->a, &v, NULL) : NULL;
    p->deal(state, &v, d->owner);
    for (uint32_t i = 0; i < all; i++) {
        CHECK_EQ(d->owner[i] < programs, sm_set_has(&d->sms, i)); /* nothing beside is touched */
        if (d->owner[i] < programs)
            d->count[d->owner[i]]++;
    }
}

static void neighbours_belong_together(void)
{
    struct dealt d;
    deal(&d, "contiguous", 10, 0, 10, 3);
    const uint8_t owner[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
    CHECK(memcmp(d.owner, owner, sizeof owner) == 0);
    arena_free(d.a);
}

static void turns_go_over_the_sms_that_there_are(void)
{
    struct dealt d;
    deal(&d, "interleaved", 10, 2, 7, 3);
    const uint8_t owner[] = {0, 1, 2, 0, 1, 2, 0};
    CHECK(memcmp(d.owner + 2, owner, sizeof owner) == 0);
    arena_free(d.a);
}

static void every_partition_gives_every_program_its_share(void)
{
    for (int i = 0; i < partition_count; i++)
        for (uint32_t n = 1; n <= 24; n++)
            for (uint32_t programs = 1; programs <= 8 && programs <= n; programs++) {
                struct dealt d;
                deal(&d, partition_all[i]->name, 30, 3, n, programs);
                for (uint32_t p = 0; p < programs; p++)
                    CHECK(d.count[p] == n / programs || d.count[p] == n / programs + 1);
                arena_free(d.a);
            }
}

/* CD-Xbar paper, Fig. 7b: two programs take turns within each local crossbar, here four of four SMs
 * each; of crossbars with an odd number of SMs the last ones are dealt out in turn. */
static void programs_share_every_local_crossbar(void)
{
    struct arena *a = arena_new();
    for (uint32_t sms = 3; sms <= 4; sms++) {
        uint32_t n = 4 * sms, router[16];
        uint8_t owner[16];
        struct sm_clusters c = sm_clusters_deal(a, n, n);
        struct cta_program idle[2] = {0};
        for (uint32_t i = 0; i < n; i++)
            router[i] = 7 * (i / sms);
        sm_clusters_group(a, &c, router);
        struct sm_set set = cta_rig_range(a, &c, 0, n);
        struct partition_view v = {&c, &set, 2, idle};
        const struct partition *p = partition_find("topology_aware");
        p->deal(p->begin(a, &v, NULL), &v, owner);
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(owner[i], i % sms == 2 && sms == 3 ? i / sms % 2 : i % sms % 2);
    }
    arena_free(a);
}

static void only_some_admit_guests(void)
{
    CHECK(!partition_find("contiguous")->admits && !partition_find("interleaved")->admits);
    CHECK(partition_find("room")->admits(NULL, NULL, 0, 0));
    CHECK(partition_find("topology_aware")->admits(NULL, NULL, 0, 0));
    CHECK(!partition_find("romm"));
}

CHECK_MAIN("partition", TEST(neighbours_belong_together),
           TEST(turns_go_over_the_sms_that_there_are),
           TEST(every_partition_gives_every_program_its_share),
           TEST(programs_share_every_local_crossbar), TEST(only_some_admit_guests))
