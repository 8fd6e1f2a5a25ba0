/* sources.c - see sources.h. */
#include "machine/sources.h"

#include <string.h>

#include "base/bytes.h"
#include "base/str.h"

struct chosen {
    const struct sources *sources;
    const struct config *cfg;
    const char *kind;
};

static bool is_chosen(const struct chosen *c, const struct sources_part *p)
{
    return config_names_any(c->cfg, p->words) || str_is_word(c->kind, p->words);
}

uint64_t sources_model(const struct sources *s, const struct config *cfg, const char *kind)
{
    struct chosen c = {s, cfg, kind};
    uint64_t h = bytes_hash_u64(1, s->model);
    for (const struct sources_part *p = s->parts; p->files; p++)
        if (is_chosen(&c, p))
            h = bytes_hash_u64(h, p->hash);
    return h;
}

/* A section that no part has is everybody's; that of parts is read when one of them is there. */
static bool is_read(const void *context, const char *section)
{
    const struct chosen *c = context;
    bool is_owned = false;
    for (const struct sources_part *p = c->sources->parts; p->files; p++) {
        if (!*p->sections || !str_is_word(section, p->sections))
            continue;
        if (is_chosen(c, p))
            return true;
        is_owned = true;
    }
    return !is_owned;
}

uint64_t sources_config(const struct sources *s, const struct config *cfg, const char *kind)
{
    struct chosen c = {s, cfg, kind};
    return config_hash(cfg, is_read, &c);
}

uint64_t sources_stream(const struct sources *s, const char *workload)
{
    for (const struct sources_part *p = s->drivers; p->files; p++)
        if (str_is_word(workload, p->words))
            return bytes_hash_u64(bytes_hash_u64(2, s->front_end), p->hash);
    HD_ASSERT(false, "no driver of %s", workload);
    return 0;
}

uint64_t sources_all(const struct sources *s)
{
    uint64_t h = bytes_hash_u64(bytes_hash_u64(3, s->model), s->front_end);
    for (const struct sources_part *p = s->parts; p->files; p++)
        h = bytes_hash_u64(h, p->hash);
    for (const struct sources_part *p = s->drivers; p->files; p++)
        h = bytes_hash_u64(h, p->hash);
    return h;
}
