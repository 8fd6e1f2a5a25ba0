/* program.h - a kernel as SMs see it: per static instruction its pipeline, latency and interval,
 * and the registers it needs as bit masks.  Built once per kernel, read by all SMs. */
#ifndef HEDDLE_SM_PROGRAM_H
#define HEDDLE_SM_PROGRAM_H

#include "base/arena.h"
#include "sim/config.h"
#include "stream/stream.h"

enum pipe { PIPE_SP, PIPE_INT, PIPE_DP, PIPE_SFU, PIPE_MEM, PIPE_NONE, PIPES };

/* One bit per register that the kernel writes, numbered densely.  Numbers begin again at 0 when
 * there are more, which can only make an instruction wait for more than it needs. */
enum { SCOREBOARD_WORDS = 4, SCOREBOARD_BITS = 64 * SCOREBOARD_WORDS };
typedef uint64_t scoreboard __attribute__((vector_size(8 * SCOREBOARD_WORDS)));

static inline bool scoreboard_meets(const scoreboard *a, const scoreboard *b)
{
    const uint64_t *x = (const uint64_t *)a, *y = (const uint64_t *)b;
    return ((x[0] & y[0]) | (x[1] & y[1]) | (x[2] & y[2]) | (x[3] & y[3])) != 0;
}

/* Of a lane, for counting: 1, 32-bit registers that it reads and writes, operands that are no registers. */
typedef uint32_t insn_operands __attribute__((vector_size(16)));

/* A line of the host's cache. */
struct sm_insn {
    _Alignas(64) scoreboard uses; /* read or written: must not be pending */
    insn_operands operands;
    uint16_t latency, interval;
    uint16_t flags; /* INSN_ of stream.h */
    uint8_t pipe;
    uint8_t unit;    /* enum stream_unit */
    bool writes;     /* has destinations */
    bool is_nothing; /* UNIT_NONE: takes no place in the machine */
};

struct sm_program {
    const struct stream_kernel *kernel;
    struct sm_insn *insn;
    scoreboard *defs; /* by instruction: registers that it writes */
    bool has_windows; /* its payloads are not all in their order: stream.h */
};

struct sm_program *sm_program_new(struct arena *a, const struct config *cfg,
                                  const struct stream_kernel *k);

#endif
