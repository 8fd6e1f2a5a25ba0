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

/* By the text of its PTX: ".entry NAME(". */
bool inputs_has_kernel(const char *workload, const char *size, const char *kernel)
{
    const char *at = NULL, *word = ".entry ";
    size_t length = 0, n = strlen(kernel);
    at = workload_ptx(workload_module(workload_find(workload), size_of(size)), &length);
    for (; at && (at = strstr(at, word)) != NULL; at += strlen(word)) {
        const char *name = at + strlen(word);
        if (strncmp(name, kernel, n) == 0 && name[n + strspn(name + n, " \t\n")] == '(')
            return true;
    }
    return false;
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

/* What a workload is asked for; the names were looked up before. */
static bool parse_args(const char *workload, const char *size, const char *text,
                       struct workload_args *args, struct hd_error *e)
{
    const struct workload *w = workload_find(workload);
    enum workload_size s = SIZE_TINY;
    HD_ASSERT(w && workload_size_parse(size, &s), "no workload %s@%s", workload, size);
    return workload_args_parse(w, s, text, args, e);
}

const char *inputs_args(struct arena *a, const char *workload, const char *size, const char *text,
                        struct err *e)
{
    struct workload_args args;
    struct hd_error he = {0};
    if (parse_args(workload, size, text, &args, &he))
        return arena_strdup(a, args.text);
    err_set(e, (enum status)he.status, "%s", he.text);
    return NULL;
}

const char *const *inputs_arg_names(struct arena *a, const char *workload, uint32_t *n)
{
    const struct workload *w = workload_find(workload);
    *n = w ? workload_nargs(w) : 0;
    const char **names = ARENA_ARRAY(a, const char *, *n + 1);
    for (uint32_t i = 0; i < *n; i++)
        names[i] = w->args[i].name;
    return names;
}

bool inputs_is_arg(const char *name)
{
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t w = 0; w < n; w++)
        for (uint32_t i = 0; i < workload_nargs(all[w]); i++)
            if (strcmp(all[w]->args[i].name, name) == 0)
                return true;
    return false;
}

double inputs_arg(const char *workload, const char *size, const char *text, uint32_t index)
{
    struct workload_args args;
    struct hd_error he = {0};
    bool ok = parse_args(workload, size, text, &args, &he);
    HD_ASSERT(ok && index < WORKLOAD_MOST_ARGS, "%s", he.text);
    return (double)args.value[index];
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
    h = *x->args ? bytes_hash_text(h, x->args) : h;
    return bytes_hash_u64(h, x->seed);
}

uint64_t inputs_stream_hash(const char *workload, const char *size, const char *args, uint64_t seed)
{
    const struct workload *w = workload_find(workload);
    HD_ASSERT(w, "no workload %s", workload);
    struct inputs_stream x = {.sources = sources_stream(&sources_built, w->name),
                              .workload = w->name,
                              .size = size,
                              .args = args,
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
