#include "rig/cuda_rig.h"

#include <unistd.h>

#include "check.h"

uint32_t cuda_rig_compilers(const char *name, const char *folders[3])
{
    static const char *const all[3] = {"O0", "O3", "nvcc"};
    uint32_t n = 0;
    for (int i = 0; i < 3; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/%s.ptx", HEDDLE_TEST_KERNELS, all[i], name);
        if (access(path, R_OK) == 0)
            folders[n++] = all[i];
    }
    CHECK(n >= 2);
    return n;
}

static void must(bool ok, const struct hd_error *e)
{
    if (!ok)
        print_error("%s\n", e->text);
    CHECK(ok);
}

struct cuda_rig cuda_rig_new(const char *folder, const char *name)
{
    struct cuda_rig r = {0};
    struct hd_error e = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s.ptx", HEDDLE_TEST_KERNELS, folder, name);
    r.device = hd_device_new(&(struct hd_device_options){.check = true, .no_stream = true}, &e);
    must(r.device, &e);
    r.module = hd_module_load_file(r.device, path, &e);
    must(r.module, &e);
    return r;
}

void cuda_rig_free(struct cuda_rig *r)
{
    hd_device_free(r->device);
}

hd_ptr cuda_rig_buffer(struct cuda_rig *r, const void *data, uint64_t bytes)
{
    struct hd_error e = {0};
    hd_ptr p = 0;
    must(hd_malloc(r->device, &p, bytes, &e), &e);
    must(!data || hd_upload(r->device, p, data, bytes, &e), &e);
    hd_arg_ptr(&r->args, p);
    return p;
}

void cuda_rig_download(struct cuda_rig *r, void *to, hd_ptr from, uint64_t bytes)
{
    struct hd_error e = {0};
    must(hd_download(r->device, to, from, bytes, &e), &e);
}

void cuda_rig_launch(struct cuda_rig *r, const char *kernel, struct hd_dim grid,
                     struct hd_dim block, uint32_t shared)
{
    struct hd_error e = {0};
    const struct hd_function *f = hd_module_function(r->module, kernel, &e);
    must(f, &e);
    must(hd_launch(r->device, f, grid, block, shared, &r->args, NULL, &e), &e);
    r->args = (struct hd_args){0};
}
