/* job_key.c - see job_key.h. */
#include "study/job_key.h"

#include "base/bytes.h"
#include "machine/sources.h"
#include "study/kind.h"

struct config_hashes {
    const struct study_kind *kind; /* NULL: not made yet */
    uint64_t key, asked;
};

struct job_keys {
    const struct study *study;
    struct config_hashes *configs; /* [2 * number + whether it is priced] */
    uint64_t **programs;           /* [workload][program]; NULL: not made yet */
    struct arena *arena;
};

struct job_keys *job_keys_new(struct arena *a, const struct study *s, size_t nconfigs)
{
    struct job_keys *k = ARENA_NEW(a, struct job_keys);
    *k = (struct job_keys){.study = s, .arena = a};
    k->configs = ARENA_ARRAY(a, struct config_hashes, 2 * nconfigs + 1);
    k->programs = ARENA_ARRAY(a, uint64_t *, s->nworkloads + 1);
    return k;
}

/* All rows of a configuration are of one kind. */
static const struct config_hashes *hashes_of(struct job_keys *k, const struct config *c,
                                             size_t number, uint32_t workload,
                                             const struct study_kind *kind)
{
    bool is_priced = kind != k->study->workloads[workload].kind;
    struct config_hashes *h = &k->configs[2 * number + is_priced];
    if (h->kind == kind)
        return h;
    HD_ASSERT(!h->kind, "a configuration for two kinds of runs");
    h->kind = kind;
    h->key = bytes_hash_u64(1, sources_model(&sources_built, c, kind->name));
    h->key = bytes_hash_text(bytes_hash_u64(h->key, sources_config(&sources_built, c, kind->name)),
                             kind->name);
    h->asked = bytes_hash_text(bytes_hash_u64(1, config_hash_set(c)), kind->name);
    return h;
}

static const uint64_t *programs_of(struct job_keys *k, uint32_t workload)
{
    const struct study_workload *w = &k->study->workloads[workload];
    if (!k->programs[workload]) {
        k->programs[workload] = ARENA_ARRAY(k->arena, uint64_t, w->nprograms + 1);
        for (uint32_t i = 0; i < w->nprograms; i++)
            k->programs[workload][i] = study_program_hash(&w->programs[i], k->study->seed);
    }
    return k->programs[workload];
}

/* Programs are part of it, where the kind has some. */
uint64_t job_key(struct job_keys *k, const struct config *c, size_t number, uint32_t workload,
                 const struct study_kind *kind)
{
    const struct study_workload *w = &k->study->workloads[workload];
    uint64_t h = hashes_of(k, c, number, workload, kind)->key;
    const uint64_t *programs = programs_of(k, workload);
    for (uint32_t i = 0; kind->most_programs && i < w->nprograms; i++)
        h = bytes_hash_u64(h, programs[i]);
    if (kind->most_programs > 1)
        h = bytes_hash_u64(h, k->study->same_sms);
    return kind->most_programs && w->window ? bytes_hash_u64(h, w->window) : h;
}

uint64_t job_key_asked(struct job_keys *k, const struct config *c, size_t number, uint32_t workload,
                       const struct study_kind *kind)
{
    const struct study_workload *w = &k->study->workloads[workload];
    uint64_t h = hashes_of(k, c, number, workload, kind)->asked;
    for (uint32_t i = 0; kind->most_programs && i < w->nprograms; i++)
        h = study_program_asked(h, &w->programs[i], k->study->seed);
    return kind->most_programs && w->window ? bytes_hash_u64(h, w->window) : h;
}
