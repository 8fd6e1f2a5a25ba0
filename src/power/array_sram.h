/* array_sram.h - a store of six-transistor cells, cut into sub-arrays, and how it is best cut. */
#ifndef HEDDLE_POWER_ARRAY_SRAM_H
#define HEDDLE_POWER_ARRAY_SRAM_H

#include <stdbool.h>

#include "power/array_tech.h"

/* What is to be stored, seen as one tall array. */
struct sram_need {
    double rows;     /* addresses: sets, or lines when one way is read */
    double bits;     /* of an address */
    double out;      /* bits that leave at an access */
    double ways;     /* that are read together and of which one leaves; 1 when there is no choice */
    double tag_bits; /* of each comparator at the outputs; 0 for a store of data */
    bool is_beside;  /* read while the tags are, not after them */
};

struct sram {
    double read, write;   /* J */
    double leak;          /* W */
    double width, height; /* m */
    double area;          /* m2; of data beside tags, of both */
    double access;        /* s; of data beside tags, from the tags' start to the line's end */
    double cycle;         /* s from one access to the next of the same sub-array */
    double arrive;        /* s until bits are at the multiplexer of ways */
    double select;        /* s that the choice of a way takes to get there */
    double leave;         /* s from there to the port */
};

/* Data: least energy x delay^2, together with the tags beside them if there are any. */
struct sram sram_best(const struct array_tech *t, const struct sram_need *n,
                      const struct sram *tags);

/* Tags: the shortest cycle among those that are nearly as fast to access as the fastest. */
struct sram sram_best_tags(const struct array_tech *t, const struct sram_need *n);

#endif
