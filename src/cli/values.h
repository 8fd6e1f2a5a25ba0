/* values.h - arrays of numbers as launch files describe them: a type, and where the values come
 * from.  Nothing is stored for what can be computed, so that large buffers cost nothing here. */
#ifndef HEDDLE_CLI_VALUES_H
#define HEDDLE_CLI_VALUES_H

#include <stdio.h>

#include "base/tree.h"

enum value_class { VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT };

struct value_type {
    const char *name; /* "f32" */
    uint32_t bytes;
    enum value_class class;
};

enum value_source { VALUES_SAME, VALUES_IOTA, VALUES_RANDOM, VALUES_LISTED };

union value {
    int64_t i; /* of signed and of unsigned ones, modulo 2^64 */
    double f;
};

struct values {
    const struct value_type *type;
    enum value_source source;
    union value start, step; /* SAME: start; IOTA: both; RANDOM: from start up to step */
    uint64_t key;            /* of the random draws */
    const uint8_t *listed;   /* VALUES_LISTED: nlisted values, then zeros */
    uint64_t nlisted;
};

/* The keys that values_read looks at: tree_knows wants them. */
#define VALUES_KEYS "zero|value|iota|random|data|file"

const struct value_type *values_type(const struct tree *t, struct err *e); /* its key "type" */
/* The values that one of VALUES_KEYS in `t` gives (zeros when none does).  Random draws are those
 * of the stream `index` of `seed`, unless the file gives a seed. */
bool values_read(struct arena *a, const struct tree *t, const struct value_type *type,
                 uint64_t seed, uint32_t index, struct values *v, struct err *e);
/* Values first .. first + n - 1 as bytes. */
void values_fill(const struct values *v, uint64_t first, uint64_t n, uint8_t *to);

bool values_parse(const struct value_type *t, const char *text, uint8_t *to);
void values_print(const struct value_type *t, const uint8_t *from, char *text, size_t size);
/* Equal bits, two NaNs, or no farther apart than the larger of the two bounds. */
bool values_near(const struct value_type *t, const uint8_t *got, const uint8_t *want,
                 double absolute, double relative);

#endif
