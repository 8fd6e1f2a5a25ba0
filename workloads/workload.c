/* workload.c - the registry of workloads, and what happens around a driver's run: its module is
 * loaded before, its memory is freed after. */
#include "workload.h"

#include <stdio.h>
#include <strings.h>

#include "kernels.h"
#include "memory.h"

#define WORKLOAD(x) extern const struct workload workload_##x;
#include "workloads.def"
#undef WORKLOAD

const struct workload *const *workload_all(uint32_t *n)
{
#define WORKLOAD(x) &workload_##x,
    static const struct workload *const all[] = {
#include "workloads.def"
    };
#undef WORKLOAD
    *n = sizeof all / sizeof all[0];
    return all;
}

const struct workload *workload_find(const char *name)
{
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t i = 0; i < n; i++)
        if (strcasecmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

const char *workload_size_name(enum workload_size s)
{
    static const char *const names[SIZES] = {"tiny", "small", "study", "paper"};
    return names[s];
}

bool workload_size_parse(const char *text, enum workload_size *s)
{
    for (int i = 0; i < SIZES; i++) {
        if (strcmp(workload_size_name((enum workload_size)i), text) == 0) {
            *s = (enum workload_size)i;
            return true;
        }
    }
    return false;
}

const char *workload_ptx(const char *kernels, size_t *length)
{
    for (const struct workload_kernels *k = workload_kernels; k->name; k++) {
        if (strcmp(k->name, kernels) == 0) {
            *length = k->length;
            return k->ptx;
        }
    }
    return NULL;
}

static struct hd_module *load_module(const struct workload *wl, struct arena *a,
                                     struct hd_device *d, const char *kernel_dir,
                                     struct hd_error *e)
{
    if (kernel_dir)
        return hd_module_load_file(d, arena_printf(a, "%s/%s.ptx", kernel_dir, wl->kernels), e);
    size_t length = 0;
    const char *ptx = workload_ptx(wl->kernels, &length);
    if (!ptx) {
        e->status = HD_BAD_INPUT;
        snprintf(e->text, sizeof e->text, "%s: kernels/%s.cu is not built in", wl->name,
                 wl->kernels);
        return NULL;
    }
    return hd_module_load(d, arena_printf(a, "%s.ptx", wl->kernels), ptx, length, e);
}

/* After a failed run the device's own error is not worth more than the run's. */
static void free_memory(struct hd_device *d, struct work_memory *m)
{
    struct hd_error ignored = {0};
    for (struct work_buffer *b = m->device; b; b = b->next)
        hd_free(d, b->address, &ignored);
    arena_free(m->host);
}

bool workload_run(const struct workload *wl, struct hd_device *d, enum workload_size size,
                  uint64_t seed, bool verify, const char *kernel_dir, struct hd_error *e)
{
    struct work_memory memory = {.host = arena_new()};
    struct work w = {.device = d, .size = size, .seed = seed, .verify = verify, .memory = &memory};
    w.module = load_module(wl, memory.host, d, kernel_dir, e);
    bool ok = w.module && wl->run(&w, e);
    free_memory(d, &memory);
    return ok;
}
