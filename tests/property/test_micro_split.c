/* The parts of the latency sum to the whole, on real workloads: what requests carry with them
 * against what other components count for themselves, none of which knows of the marks. */
#include "check.h"

#include "../../workloads/workload.h"
#include "dram/mc.h"
#include "l2/slice.h"
#include "lab/lab.h"
#include "libheddle_gpu.h"
#include "machine/machine.h"
#include "sim/clock.h"

struct run {
    struct hd_config *cfg;
    struct hd_gpu *gpu;
};

static void run_workload(struct run *r, const char *machine, const char *settings,
                         const char *workload)
{
    struct hd_error e = {0};
    char path[512], one[128];
    snprintf(path, sizeof path, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, machine);
    r->cfg = hd_config_new();
    hd_config_load(r->cfg, path, &e);
    for (int used; sscanf(settings, "%127s%n", one, &used) == 1; settings += used)
        hd_config_set(r->cfg, one, &e);
    CHECK_STR(e.text, "");
    r->gpu = hd_gpu_new(r->cfg, NULL, &e);
    CHECK_STR(e.text, "");
    struct hd_device *d = hd_device_new(&(struct hd_device_options){.gpu = r->gpu}, &e);
    workload_run(workload_find(workload), d,
                 &(struct workload_request){.size = SIZE_TINY, .seed = 1}, &e);
    hd_gpu_finish(r->gpu, &e);
    CHECK_STR(e.text, "");
    hd_device_free(d);
}

static void end_run(struct run *r)
{
    hd_gpu_free(r->gpu);
    hd_config_free(r->cfg);
}

static double stat(const struct run *r, const char *name)
{
    double v = hd_gpu_stat(r->gpu, name);
    if (isnan(v))
        print_error("no statistic %s\n", name);
    CHECK(!isnan(v));
    return v;
}

static const char *const kinds[] = {"read", "write", "atomic", "reduce"};
static const char *const parts[] = {"sm", "request", "l2", "dram", "reply", "return"};

/* Ticks that all requests of the kinds spent in a part. */
static double time_in(const struct run *r, const char *part)
{
    double sum = 0;
    char name[64];
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "l1.%s.time_%s", kinds[k], part);
        sum += stat(r, name);
    }
    return sum;
}

static struct clock_plan clocks_of(const struct run *r)
{
    const struct config *cfg = machine_config_of(libheddle_machine(r->gpu));
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct dram_spec *dram = config_get(cfg, &dram_section);
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (double[]){gpu->clock, noc->clock, l2->clock, dram->clock}, 4, &e));
    return p;
}

/* A slice times every request from its port in to its port out. */
static void what_slices_time_is_the_l2_and_the_dram_part(void)
{
    static const char *const on[][2] = {
        {"icc60", "HS"}, {"icc60", "BFS"}, {"sharing15", "MM"}, {"coalesce28", "BP"}};
    for (int i = 0; i < 4; i++) {
        struct run r;
        run_workload(&r, on[i][0], "", on[i][1]);
        struct clock_plan p = clocks_of(&r);
        CHECK(stat(&r, "l2.time.sum") > 0);
        CHECK_NEAR(time_in(&r, "l2") + time_in(&r, "dram"),
                   stat(&r, "l2.time.sum") * (double)p.period[2], 0);
        end_run(&r);
    }
}

/* Where no load ever waits for an MSHR or for its cluster, a miss is under way exactly while it has
 * an MSHR: the unit's own integral over MSHRs in use is the sum of all parts of all reads. */
static void the_parts_of_all_reads_sum_to_the_time_of_mshrs(void)
{
    static const char *const on[] = {"HS", "MM", "2DCONV"};
    static const char *const stalls[] = {"mshr", "merge", "way", "request", "port"};
    for (int i = 0; i < 3; i++) {
        struct run r;
        double sum = 0;
        char name[64];
        run_workload(&r, "icc60",
                     "l1.mshrs=512 l1.merges=512 l1.ways=384 l1.requests=4096 "
                     "constant.mshrs=64 constant.ways=128 constant.merges=1024 "
                     "cluster.request_queue=4096",
                     on[i]);
        for (int k = 0; k < 5; k++) {
            snprintf(name, sizeof name, "l1.stall_%s", stalls[k]);
            CHECK_NEAR(stat(&r, name), 0, 0);
        }
        CHECK_NEAR(stat(&r, "l1.global.passes"), 0, 0);
        for (int k = 0; k < 6; k++) {
            snprintf(name, sizeof name, "l1.read.time_%s", parts[k]);
            sum += stat(&r, name);
        }
        CHECK(sum > 0);
        CHECK_NEAR(sum, stat(&r, "l1.mshr_cycles") + stat(&r, "const.mshr_cycles"), 0);
        end_run(&r);
    }
}

/* A network times packets from birth to their last flit; a request is in it from the push into
 * its port to the pop at the other end, which is a cycle of the port later, or more if it waits
 * there. */
static void network_parts_hold_what_the_networks_time(void)
{
    struct run r;
    run_workload(&r, "icc60", "", "HS");
    static const char *const way[] = {"request", "reply"};
    for (int i = 0; i < 2; i++) {
        char sum[64], n[64];
        snprintf(sum, sizeof sum, "noc.%s.latency.sum", way[i]);
        snprintf(n, sizeof n, "noc.%s.latency.n", way[i]);
        double least = stat(&r, sum) + stat(&r, n);
        CHECK(least > 0);
        CHECK(time_in(&r, way[i]) >= least);
        CHECK(time_in(&r, way[i]) <= 1.1 * least);
    }
    end_run(&r);
}

CHECK_MAIN("micro_split", TEST(what_slices_time_is_the_l2_and_the_dram_part),
           TEST(the_parts_of_all_reads_sum_to_the_time_of_mshrs),
           TEST(network_parts_hold_what_the_networks_time))
