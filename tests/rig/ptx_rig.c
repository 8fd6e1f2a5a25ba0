#include "rig/ptx_rig.h"

#include <string.h>

static void print(void *context, const char *text, size_t n)
{
    struct ptx_result *r = context;
    for (size_t i = 0; i < n && r->nprinted + 1 < sizeof r->printed; i++)
        r->printed[r->nprinted++] = text[i];
}

static void launched(void *context, const struct host_launch_info *info)
{
    ((struct ptx_result *)context)->info = *info;
}

struct ptx_result ptx_run(struct ptx_case c, uint32_t *data, uint32_t n)
{
    struct ptx_result r = {0};
    struct host_options o = {.check = c.check,
                             .portable = c.portable,
                             .no_stream = c.no_stream,
                             .max_insns = c.max_insns,
                             .print = print,
                             .launched = launched,
                             .context = &r};
    struct host *h = host_new(&o, &r.e);
    if (!h)
        return r;
    uint64_t buffer = devmem_alloc(host_memory(h), (uint64_t)n * 4, &r.e);
    devmem_write(host_memory(h), buffer, data, (uint64_t)n * 4, &r.e);
    struct host_module *m = host_module_load(h, "test.ptx", c.text, strlen(c.text), &r.e);
    const struct host_function *f = m ? host_module_function(m, "k", &r.e) : NULL;
    if (f) {
        const struct code *code = host_function_code(f);
        r.regs_per_thread = code->regs_per_thread;
        r.shared_bytes = code->shared_bytes;
        r.local_bytes = code->local_bytes;
        r.ninsns = code->ninsns;
        r.nblocks = code->nblocks;
        struct host_launch l = {.function = f,
                                .grid = {c.grid ? c.grid : 1, 1, 1},
                                .block = {c.block ? c.block : 32, 1, 1},
                                .dynamic_shared_bytes = c.shared,
                                .params = (const uint8_t *)&buffer,
                                .param_bytes = 8};
        r.ok = host_launch(h, &l, NULL, &r.e);
        struct err ignored = {0};
        devmem_read(host_memory(h), data, buffer, (uint64_t)n * 4, &ignored);
    }
    r.info.code = NULL; /* gone with the device */
    host_free(h);
    return r;
}
