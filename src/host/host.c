/* host.c - a device's life. */
#include "host/host_priv.h"

struct host *host_new(const struct host_options *o, struct err *e)
{
    struct arena *a = arena_new();
    struct host *h = ARENA_NEW(a, struct host);
    h->arena = a;
    h->options = *o;
    h->insns_left = o->max_insns ? o->max_insns : UINT64_MAX;
    h->mem = devmem_new(o->memory_bytes, e);
    if (!h->mem) {
        arena_free(a);
        return NULL;
    }
    h->textures = texture_table_new();
    return h;
}

void host_free(struct host *h)
{
    if (!h)
        return;
    if (h->recorder)
        stream_file_abandon(h->recorder);
    for (struct host_module *m = h->modules, *next; m; m = next) {
        next = m->next;
        host_module_free(m);
    }
    texture_table_free(h->textures);
    devmem_free_all(h->mem);
    arena_free(h->arena);
}

struct devmem *host_memory(const struct host *h)
{
    return h->mem;
}

struct texture_table *host_textures(const struct host *h)
{
    return h->textures;
}

const struct host_options *host_options(const struct host *h)
{
    return &h->options;
}
