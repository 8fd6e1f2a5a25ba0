/* job.h - what a generated function is given, on the host and on the device (C and C++). */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_JOB_H
#define HEDDLE_TESTS_DIFFERENTIAL_JOB_H

enum {
    MAX_THREADS = 128,   /* of a CTA */
    IN_BYTES = 128,      /* per thread */
    OUT_BYTES = 128,     /* per thread */
    ACC_WORDS = 32,      /* 64-bit words that atomics of all threads go to */
    APPROX_SLOTS = 4,    /* per thread */
    DYNAMIC_BYTES = 2048 /* of shared memory */
};

/* The kernel's only parameter, by value: all widths and kinds, in an order that needs padding. */
struct job {
    unsigned long long in, out, acc, approx; /* addresses */
    signed char b;
    int i;
    short h;
    double d;
    unsigned char ub;
    unsigned u;
    float f;
    unsigned short uh;
    long long l;
    unsigned grid, block[3];
};

/* What the host expects of an approximate operation: lo <= result <= hi, or NaN.  The device
 * stores a double in its place. */
struct approx_range {
    double lo, hi;
};

#endif
