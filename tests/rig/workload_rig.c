/* workload_rig.c - a workload driven for a test. */
#include "rig/workload_rig.h"

#include "libheddle_gpu.h"

static bool drive_as(const struct workload *w, const struct workload_request *as,
                     struct stream_driver *driver, struct err *e)
{
    struct hd_error he = {0};
    struct hd_device *d = hd_device_new(NULL, &he);
    if (d) {
        libheddle_drive(d, driver);
        workload_run(w, d, as, &he);
    }
    hd_device_free(d);
    return he.status == HD_DONE || err_set(e, (enum status)he.status, "%s", he.text);
}

static bool drive(void *workload, struct stream_driver *driver, struct err *e)
{
    return drive_as(workload, &(struct workload_request){.size = SIZE_TINY, .seed = 1}, driver, e);
}

static bool drive_with(void *rig, struct stream_driver *driver, struct err *e)
{
    const struct workload_rig *r = rig;
    struct workload_request as = {.size = SIZE_TINY, .args = r->args, .seed = 1, .verify = true};
    return drive_as(workload_find(r->workload), &as, driver, e);
}

struct stream_source *workload_rig_source(const char *name, bool keeps)
{
    const struct workload *w = workload_find(name);
    HD_ASSERT(w, "no workload %s", name);
    struct stream_driver_options o = {drive, (void *)(uintptr_t)w, keeps};
    return stream_source_of_driver(&o);
}

struct stream_source *workload_rig_source_with(const struct workload_rig *w)
{
    HD_ASSERT(workload_find(w->workload), "no workload %s", w->workload);
    struct stream_driver_options o = {drive_with, (void *)(uintptr_t)w, false};
    return stream_source_of_driver(&o);
}
