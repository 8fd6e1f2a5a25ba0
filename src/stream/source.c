/* source.c - a source of kernels, of whatever kind. */
#include "stream/source.h"

#include "stream/source_priv.h"

const struct stream_store *stream_source_next(struct stream_source *s, struct err *e)
{
    return s->next(s, e);
}

void stream_source_restart(struct stream_source *s)
{
    s->restart(s);
}

void stream_source_free(struct stream_source *s)
{
    if (s)
        s->free(s);
}
