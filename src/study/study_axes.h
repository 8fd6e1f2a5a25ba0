/* study_axes.h - axes of a space of configurations, and the variant at a point of it.
 *
 * An axis is a parameter with a list of values, or `machine` with a list of machines, or any name with
 * named sets of parameters ({small: {l1.size: 16K, l1.ways: 4}, big: {...}}).  `cross:` of a study takes
 * all points, `space:` of an exploration is searched.  A parameter may also have a range ({from: 8, to: 64,
 * step: 8}, or times: 2). */
#ifndef HEDDLE_STUDY_STUDY_AXES_H
#define HEDDLE_STUDY_STUDY_AXES_H

#include "study/study_priv.h"

struct study_value {
    const char *name, *doc; /* "16K", "l1.size 16K" */
    const char *machine;    /* NULL: as it is */
    uint32_t nsets;
    const char **sets;
    int *lines;
};

struct study_axis {
    const char *key;    /* "l1.size" */
    const char *prefix; /* of its values in names; "": they speak for themselves */
    bool is_range;
    uint32_t n;
    struct study_value *values;
};

struct study_axes {
    const struct study_reader *reader;
    const struct tree *map;           /* for errors */
    const struct study_variant *base; /* where all points start from; NULL: as the study says */
    struct study_axis *all;
    uint32_t n;
};

/* Adds the axis that a key of the map is; there is room for all of the map's keys. */
bool study_axes_add(struct study_axes *x, const struct tree *t);
/* When all are there: what their values are called in names of variants. */
void study_axes_name(struct study_axes *x);
/* The value of an axis that a text names; -1: none. */
int32_t study_axis_find(const struct study_axis *axis, const char *value);

/* A value in names: "rr", "mshrs16", "size-16K". */
const char *study_axis_word(struct arena *a, const struct study_axis *axis, uint32_t value);

/* The variant with values[i] of axis i; its name, made of the values, is not checked.  A value of
 * UINT32_MAX leaves the axis out. */
bool study_axes_variant(const struct study_axes *x, const uint32_t *values,
                        struct study_variant *v);

#endif
