/* Machines that cannot work are refused with one line that names the key; those that can are wired
 * as they are described. */
#include "check.h"
#include "machine/machine_priv.h"
#include "rig/sm_rig.h"

static void refuses(const char *const *set, const char *text)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct machine *m = machine_new(machine_rig_config(a, set), &(struct machine_options){0}, &e);
    CHECK(m == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strchr(e.text, '\n') == NULL);
    if (!strstr(e.text, text))
        print_error("%s\n", e.text);
    CHECK(strstr(e.text, text) != NULL);
    arena_free(a);
}

#define REFUSES(text, ...) refuses((const char *const[]){__VA_ARGS__, NULL}, text)

static void what_cannot_work_is_refused_with_one_line(void)
{
    REFUSES("no CTA scheduler \"rt\"", "gpu.cta_scheduler=rt");
    REFUSES("did you mean gto?", "sm.scheduler=gtp");
    REFUSES("no CTA scheduler \"\" (heddle list policies)", "gpu.cta_scheduler=");
    REFUSES("did you mean frfcfs?", "mc.scheduler=frfcf");
    REFUSES("3 clusters on a network (xbar) with 2 nodes for cores", "gpu.clusters=3");
    REFUSES("4 L2 slices (channels x slices_per_channel) on a network (xbar) with 2 memory nodes",
            "mc.channels=4");
    REFUSES("SMs, at most 65535", "gpu.clusters=4096", "gpu.sms_per_cluster=1024");
    REFUSES("requests, at most 2^24", "gpu.sms_per_cluster=1024", "l1.requests=16384");
    REFUSES("of 4", "gpu.sm_first=3", "gpu.sm_count=2");
    REFUSES("of 4", "gpu.sm_first=4");
    REFUSES("1 SMs in 2 clusters: some would have none", "gpu.sms=1");
    REFUSES("l1.size", "l1.size=1000");
}

static void a_machine_has_what_it_is_described_with(void)
{
    static const char *const set[] = {"gpu.sms_per_cluster=3", "l2.slices_per_channel=2",
                                      "xbar.outputs=4", NULL};
    struct arena *a = arena_new();
    struct err e = {0};
    struct machine *m = machine_new(machine_rig_config(a, set), &(struct machine_options){0}, &e);
    CHECK_STR(e.text, "");
    CHECK(m->nclusters == 2 && m->nsms == 6 && m->nslices == 4 && m->nchannels == 2);
    CHECK_STR(sm_component(m->sm[5])->path, "sm[5]");
    CHECK_STR(cluster_component(m->cluster[1])->path, "cluster[1]");
    CHECK_STR(slice_component(m->slice[3])->path, "l2[3]");
    CHECK(m->net[0] != m->net[1]);
    CHECK(engine_live(m->engine) == 0 && engine_audit(m->engine, &e));
    CHECK(machine_config_of(m) != NULL);
    machine_free(m);
    arena_free(a);
}

static void clusters_can_be_of_unequal_size(void)
{
    static const char *const set[] = {"gpu.sms=7", NULL};
    struct arena *a = arena_new();
    struct err e = {0};
    struct machine *m = machine_new(machine_rig_config(a, set), &(struct machine_options){0}, &e);
    CHECK_STR(e.text, "");
    CHECK(m->nclusters == 2 && m->nsms == 7 && m->kernel_sms.n == 7);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(m->clusters.of[i], i < 4 ? 0 : 1);
    machine_free(m);
    arena_free(a);
}

static void clocks_become_periods(void)
{
    static const char *const set[] = {"noc.clock=500MHz", "l2.clock=2GHz", NULL};
    struct arena *a = arena_new();
    struct err e = {0};
    struct machine *m = machine_new(machine_rig_config(a, set), &(struct machine_options){0}, &e);
    CHECK_STR(e.text, "");
    CHECK_EQ(sm_component(m->sm[0])->period, 2);
    CHECK_EQ(cluster_component(m->cluster[0])->period, 2);
    CHECK_EQ(dispatch_component(m->dispatch)->period, 2);
    CHECK_EQ(noc_component(m->net[0])->period, 4);
    CHECK_EQ(slice_component(m->slice[0])->period, 1);
    CHECK_EQ(mc_component(m->mc[0])->period, 2);
    machine_free(m);
    arena_free(a);
}

static void details_name_every_part(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    char *names = NULL;
    size_t n = 0;
    struct machine *m =
        machine_new(machine_rig_config(a, NULL), &(struct machine_options){.details = true}, &e);
    FILE *f = open_memstream(&names, &n);
    stats_names(machine_stats(m), f);
    fclose(f);
    CHECK(strstr(names, "sm[3].issued\n") && strstr(names, "l2[1].fetches\n"));
    CHECK(strstr(names, "cluster[1].reads\n") && strstr(names, "noc.reply.flits_in\n"));
    free(names);
    machine_free(m);
    arena_free(a);
}

CHECK_MAIN("wire", TEST(what_cannot_work_is_refused_with_one_line),
           TEST(a_machine_has_what_it_is_described_with), TEST(clusters_can_be_of_unequal_size),
           TEST(clocks_become_periods), TEST(details_name_every_part))
