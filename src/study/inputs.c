/* inputs.c - the registry of workloads as studies see it.
 *
 * Workloads are written against the public interface and are the only thing above this layer that
 * a study must know of; nothing else here looks at them. */
#include "study/inputs.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "machine/sources.h"
#include "workload.h"

const char *inputs_workload(const char *name)
{
    const struct workload *w = workload_find(name);
    return w ? w->name : NULL;
}

const char *inputs_size(const char *name)
{
    enum workload_size s;
    return workload_size_parse(name, &s) ? workload_size_name(s) : NULL;
}

static enum workload_size size_of(const char *name)
{
    enum workload_size s = SIZE_TINY;
    HD_ASSERT(workload_size_parse(name, &s), "no size %s", name);
    return s;
}

bool inputs_has(const char *workload, const char *size)
{
    return workload_find(workload)->inputs[size_of(size)] != NULL;
}

const char *const *inputs_workloads(struct arena *a, uint32_t *n)
{
    const struct workload *const *all = workload_all(n);
    const char **names = ARENA_ARRAY(a, const char *, *n);
    for (uint32_t i = 0; i < *n; i++)
        names[i] = all[i]->name;
    return names;
}

const char *const *inputs_sizes(struct arena *a, uint32_t *n)
{
    const char **names = ARENA_ARRAY(a, const char *, SIZES);
    for (int i = 0; i < SIZES; i++)
        names[i] = workload_size_name((enum workload_size)i);
    *n = SIZES;
    return names;
}

static uint64_t hash_registers(uint64_t h, const char *module)
{
    uint32_t n;
    const struct workload_registers *rows = workload_registers(&n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(rows[i].module, module) == 0) {
            h = bytes_hash(h, rows[i].kernel, strlen(rows[i].kernel));
            h = bytes_hash(h, &rows[i].registers, sizeof rows[i].registers);
        }
    return h;
}

uint64_t inputs_hash(const struct inputs_stream *x)
{
    uint64_t h = bytes_hash(x->sources, x->ptx, x->length);
    h = bytes_hash_text(bytes_hash_text(h, x->workload), x->size);
    return bytes_hash_u64(h, x->seed);
}

uint64_t inputs_stream_hash(const char *workload, const char *size, uint64_t seed)
{
    const struct workload *w = workload_find(workload);
    HD_ASSERT(w, "no workload %s", workload);
    struct inputs_stream x = {.sources = sources_stream(&sources_built, w->name),
                              .workload = w->name,
                              .size = size,
                              .seed = seed};
    const char *module = workload_module(w, size_of(size));
    x.ptx = workload_ptx(module, &x.length);
    x.length = x.ptx ? x.length : 0;
    x.ptx = x.ptx ? x.ptx : "";
    return hash_registers(inputs_hash(&x), module);
}

double inputs_cost(const char *size)
{
    /* The most warp instructions of each size, at two million a second. */
    static const double seconds[SIZES] = {[SIZE_TINY] = 0.1,  [SIZE_SMALL] = 2.5, [SIZE_STUDY] = 10,
                                          [SIZE_PAPER] = 100, [SIZE_FEW] = 2.5,   [SIZE_CHIP] = 30};
    return seconds[size_of(size)];
}

const char *inputs_version(void)
{
    return hd_version();
}
