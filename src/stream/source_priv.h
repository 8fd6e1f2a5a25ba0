/* source_priv.h - what the kinds of sources have in common. */
#ifndef HEDDLE_STREAM_SOURCE_PRIV_H
#define HEDDLE_STREAM_SOURCE_PRIV_H

#include "base/arena.h"
#include "stream/source.h"

struct stream_source {
    const struct stream_store *(*next)(struct stream_source *s, struct err *e);
    void (*restart)(struct stream_source *s);
    void (*free)(struct stream_source *s);
};

#endif
