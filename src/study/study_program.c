/* study_program.c - see study_program.h. */
#include "study/study_program.h"

#include <string.h>

#include "base/bytes.h"
#include "machine/sources.h"
#include "study/inputs.h"

/* "dir/my.ptx": "my". */
static const char *stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_printf(a, "%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)),
                        name);
}

static const char *args_of(const struct study_program *p)
{
    return p->args ? p->args : "";
}

const char *study_program_title(struct arena *a, const struct study_program *p)
{
    if (p->workload)
        return arena_printf(a, "%s@%s%s%s", p->workload, p->size, *args_of(p) ? ":" : "",
                            args_of(p));
    return stem(a, p->trace ? p->trace : p->ptx);
}

uint64_t study_program_hash(const struct study_program *p, uint64_t seed)
{
    if (p->workload)
        return inputs_stream_hash(p->workload, p->size, args_of(p), seed);
    if (p->trace)
        return p->contents;
    return bytes_hash_u64(bytes_hash_u64(p->contents, seed), sources_built.front_end);
}

uint64_t study_program_asked(uint64_t h, const struct study_program *p, uint64_t seed)
{
    if (p->workload) {
        h = bytes_hash_text(bytes_hash_text(h, p->workload), p->size);
        return bytes_hash_u64(*args_of(p) ? bytes_hash_text(h, p->args) : h, seed);
    }
    h = bytes_hash_u64(h, p->contents);
    return p->trace ? h : bytes_hash_u64(h, seed);
}

const char *study_program_stream(struct arena *a, const char *folder, const struct study_program *p,
                                 uint64_t seed)
{
    if (p->trace)
        return p->trace;
    return arena_printf(a, "%s/%s-%llu-%016llx.hds", folder, study_program_title(a, p),
                        (unsigned long long)seed, (unsigned long long)study_program_hash(p, seed));
}

double study_program_cost(const struct study_program *p)
{
    return inputs_cost(p->workload ? p->size : "small");
}
