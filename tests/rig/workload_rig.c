/* workload_rig.c - a workload driven for a test. */
#include "rig/workload_rig.h"

#include "libheddle_gpu.h"

static bool drive(void *workload, struct stream_driver *driver, struct err *e)
{
    struct hd_error he = {0};
    struct hd_device *d = hd_device_new(NULL, &he);
    if (d) {
        libheddle_drive(d, driver);
        workload_run(workload, d, &(struct workload_request){.size = SIZE_TINY, .seed = 1}, &he);
    }
    hd_device_free(d);
    return he.status == HD_DONE || err_set(e, (enum status)he.status, "%s", he.text);
}

struct stream_source *workload_rig_source(const char *name, bool keeps)
{
    const struct workload *w = workload_find(name);
    HD_ASSERT(w, "no workload %s", name);
    struct stream_driver_options o = {drive, (void *)(uintptr_t)w, keeps};
    return stream_source_of_driver(&o);
}
