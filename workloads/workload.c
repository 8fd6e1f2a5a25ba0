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
    static const char *const names[SIZES] = {"tiny", "small", "study", "paper", "few", "chip"};
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

const char *workload_module(const struct workload *wl, enum workload_size size)
{
    return size == SIZE_CHIP && wl->chip_kernels ? wl->chip_kernels : wl->kernels;
}

bool workload_has_input(const struct workload *wl, enum workload_size size, struct hd_error *e)
{
    if (size != SIZE_CHIP || wl->inputs[size])
        return true;
    e->status = HD_BAD_INPUT;
    snprintf(e->text, sizeof e->text,
             "%s has no input of size \"%s\" (tiny, small, study, paper, few)", wl->name,
             workload_size_name(size));
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

/* Whether a file is byte for byte this text. */
static bool has_text(const char *path, const char *text, size_t length)
{
    char part[4096];
    size_t n, at = 0;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    while ((n = fread(part, 1, sizeof part, f)) > 0 && n <= length - at &&
           memcmp(part, text + at, n) == 0)
        at += n;
    fclose(f);
    return n == 0 && at == length;
}

/* The assembler's counts are of the kernels that are built in, and of no others.  A row whose kernel
 * is gone does no harm here; a test tells of it. */
static void set_registers(struct hd_module *m, const char *module)
{
    struct hd_error ignored = {0};
    uint32_t n;
    const struct workload_registers *rows = workload_registers(&n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(rows[i].module, module) == 0)
            hd_module_set_registers(m, rows[i].kernel, HD_BY_ASSEMBLER, rows[i].registers,
                                    &ignored);
}

static struct hd_module *load_module(const struct workload *wl, const char *module,
                                     const struct work *w, const char *kernel_dir,
                                     struct hd_error *e)
{
    struct arena *a = w->memory->host;
    struct hd_device *d = w->device;
    size_t length = 0;
    const char *ptx = workload_ptx(module, &length);
    if (kernel_dir) {
        const char *path = arena_printf(a, "%s/%s.ptx", kernel_dir, module);
        struct hd_module *m = hd_module_load_file(d, path, e);
        if (m && ptx && has_text(path, ptx, length))
            set_registers(m, module);
        return m;
    }
    if (!ptx) {
        e->status = HD_BAD_INPUT;
        snprintf(e->text, sizeof e->text, "%s: kernels/%s.cu is not built in", wl->name, module);
        return NULL;
    }
    struct hd_module *m = hd_module_load(d, arena_printf(a, "%s.ptx", module), ptx, length, e);
    if (m)
        set_registers(m, module);
    return m;
}

/* After a failed run the device's own error is not worth more than the run's. */
static void free_memory(struct hd_device *d, struct work_memory *m)
{
    struct hd_error ignored = {0};
    for (struct work_texture *t = m->textures; t; t = t->next)
        hd_texture_free(d, t->handle, &ignored);
    for (struct work_buffer *b = m->device; b; b = b->next)
        hd_free(d, b->address, &ignored);
    arena_free(m->host);
}

bool workload_run(const struct workload *wl, struct hd_device *d, const struct workload_request *r,
                  struct hd_error *e)
{
    struct workload_args args;
    if (!workload_has_input(wl, r->size, e) || !workload_args_parse(wl, r->size, r->args, &args, e))
        return false;
    struct work_memory memory = {.host = arena_new()};
    struct work w = {.device = d,
                     .size = r->size,
                     .args = args.value,
                     .seed = r->seed,
                     .verify = r->verify,
                     .memory = &memory};
    w.module = load_module(wl, workload_module(wl, r->size), &w, r->kernel_dir, e);
    bool ok = w.module && wl->run(&w, e);
    free_memory(d, &memory);
    return ok;
}
