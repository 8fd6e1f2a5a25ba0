/* explore_priv.h - what the readers of an exploration's file share. */
#ifndef HEDDLE_EXPLORE_EXPLORE_PRIV_H
#define HEDDLE_EXPLORE_EXPLORE_PRIV_H

#include "explore/explore.h"

struct explore_reader {
    struct study_reader r;
    const struct tree *block; /* of the machine, under `machines:`; NULL: there are none */
    bool is_quick;
    struct exploration *out;
};

/* What the machine's part of the file has under a key, or else the file; NULL: neither. */
const struct tree *explore_part(const struct explore_reader *x, const char *key);

/* explore_values.c: the baseline and ideal machines as variants; objectives, constraints and gains of
 * ideal machines as figures. */
bool explore_read_variants(struct explore_reader *x);
bool explore_read_values(struct explore_reader *x);

#endif
