/* lane_rig.h - one instruction on one warp, without a kernel.
 *
 *     struct lane_rig r = {0};
 *     uint64_t src[4][32] = {...};
 *     lane_rig_run(&r, "add.s32", src, UINT32_MAX);
 *     CHECK_EQ(r.dst[0][5], ...);
 *
 * Every run is made with all sets of handlers that this host can execute, with destinations apart
 * from the sources and then in place of each source of the same size; the test fails when two of
 * them differ in a bit, or when a lane outside `exec` changes.
 *
 * src[k] is the k-th source as PTX writes them: registers of 16 and 32 bits get the low 32 bits as
 * they are (so put garbage above 16 bits to see that it is not read), a predicate bit 0 of each
 * lane, an 'i' literal lane 0. */
#ifndef HEDDLE_TESTS_LANE_RIG_H
#define HEDDLE_TESTS_LANE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/code.h"

enum { LANE_RIG_SOURCES = 6, LANE_RIG_RESULTS = 4 };

struct lane_rig {
    /* given; zero is fine */
    bool omit_optional; /* leave out the operands after '?' */
    uint32_t carry_in;
    uint64_t executed;
    /* results; lanes outside exec are 0 here, having been seen unchanged */
    uint64_t dst[LANE_RIG_RESULTS][WARP_LANES]; /* H: 16 bits, W: 32, D: 64 */
    uint64_t raw[LANE_RIG_RESULTS][WARP_LANES]; /* H: all 32 bits of the lane */
    uint32_t pred[2];                           /* predicate destinations */
    uint32_t carry;
    struct op_desc desc;
};

/* Looks `opcode` up in all sets, which must agree about it.  On false *e says why. */
bool lane_rig_find(const char *opcode, struct op_desc *d, struct err *e);

void lane_rig_run(struct lane_rig *r, const char *opcode, const uint64_t src[][WARP_LANES],
                  uint32_t exec);

/* One lane's worth: the same value in all lanes of each source; returns lane 0 of dst[0]. */
uint64_t lane_rig_1(const char *opcode, uint64_t a);
uint64_t lane_rig_2(const char *opcode, uint64_t a, uint64_t b);
uint64_t lane_rig_3(const char *opcode, uint64_t a, uint64_t b, uint64_t c);
uint64_t lane_rig_4(const char *opcode, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Fills n sources with numbers drawn from `seed`: random bits, and among them zeros, ones, small
 * numbers, and the smallest and largest of each integer and floating-point size. */
void lane_rig_random(uint64_t src[][WARP_LANES], int n, uint64_t seed);

/* `rounds` runs on random sources with all kinds of masks: see what lane_rig_run checks. */
void lane_rig_sweep(const char *opcode, int rounds);

/* LANE_RIG_EXPECT(opcode, expression in a, b, c, d): on random sources and masks the first
 * destination has the bits of the expression, as many as the destination has.  a to d are the
 * sources as given: the expression takes the bits that count. */
#define LANE_RIG_EXPECT(opcode, ...)                                                               \
    for (int round_ = 0; round_ < LANE_RIG_ROUNDS; round_++) {                                     \
        struct lane_rig_round at_;                                                                 \
        lane_rig_begin(&at_, opcode, round_);                                                      \
        for (int lane_ = 0; lane_ < WARP_LANES; lane_++) {                                         \
            uint64_t a = at_.src[0][lane_], b = at_.src[1][lane_];                                 \
            uint64_t c = at_.src[2][lane_], d = at_.src[3][lane_];                                 \
            (void)a, (void)b, (void)c, (void)d;                                                    \
            lane_rig_lane(&at_, opcode, lane_, (uint64_t)(__VA_ARGS__));                           \
        }                                                                                          \
    }

/* ---- behind the macro ---- */

enum { LANE_RIG_ROUNDS = 12 };
struct lane_rig_round {
    struct lane_rig rig;
    uint64_t src[LANE_RIG_SOURCES][WARP_LANES];
    uint32_t exec;
};
void lane_rig_begin(struct lane_rig_round *r, const char *opcode, int round);
void lane_rig_lane(const struct lane_rig_round *r, const char *opcode, int lane, uint64_t expected);

#endif
