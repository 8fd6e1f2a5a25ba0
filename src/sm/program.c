/* program.c - static instructions to pipelines and scoreboard masks.
 *
 * Latencies and intervals are per class and precision, from the section `pipe`; a machine with
 * fewer lanes than a warp sends it through in 32 / simd passes, which multiplies the interval and
 * delays the last lanes.
 *
 * With sm.barrel (GPGPU-Sim 2, ISPASS 2009: a pipeline without forwarding, in which a warp has one
 * instruction) every instruction waits for all registers, and those of arithmetic and branches write one
 * more than they say, so that those without a result take their latency, too.  Not modelled: stores,
 * which leave their warp free at once. */
#include "sm/program.h"

#include <string.h>

#include "sm/sm.h"
#include "stream/reader.h"

struct timing {
    int64_t latency, interval;
};

enum precision { OF_INT, OF_FP32, OF_FP64 };

static struct timing arithmetic(const struct pipe_spec *p, enum precision of, uint8_t opclass)
{
    const struct timing table[3][4] = {
        {{p->int_latency, p->int_interval},
         {p->int_mul_latency, p->int_mul_interval},
         {p->int_mad_latency, p->int_mad_interval},
         {p->int_div_latency, p->int_div_interval}},
        {{p->fp32_latency, p->fp32_interval},
         {p->fp32_mul_latency, p->fp32_mul_interval},
         {p->fp32_mad_latency, p->fp32_mad_interval},
         {p->fp32_div_latency, p->fp32_div_interval}},
        {{p->fp64_latency, p->fp64_interval},
         {p->fp64_mul_latency, p->fp64_mul_interval},
         {p->fp64_mad_latency, p->fp64_mad_interval},
         {p->fp64_div_latency, p->fp64_div_interval}},
    };
    switch (opclass) {
    case OPCLASS_MUL:
        return table[of][1];
    case OPCLASS_FMA:
        return table[of][2];
    case OPCLASS_DIV:
    case OPCLASS_FDIV:
        return table[of][3];
    default:
        return table[of][0];
    }
}

static struct timing timing_of(const struct pipe_spec *p, const struct stream_insn *in)
{
    switch (in->opclass) {
    case OPCLASS_SPECIAL:
        return (struct timing){p->special_latency, p->special_interval};
    case OPCLASS_SHUFFLE:
        return (struct timing){p->shuffle_latency, p->shuffle_interval};
    default:
        break;
    }
    if (in->unit == UNIT_SFU && in->opclass == OPCLASS_CVT)
        return (struct timing){p->special_latency, p->special_interval};
    switch (in->unit) {
    case UNIT_CONTROL:
        return (struct timing){1, p->control_interval}; /* it writes no register */
    case UNIT_MEM:
        return (struct timing){1, 1};
    case UNIT_FP64:
        return arithmetic(p, OF_FP64, in->opclass);
    case UNIT_FP32:
    case UNIT_FP16:
    case UNIT_SFU:
        return arithmetic(p, OF_FP32, in->opclass);
    default:
        return arithmetic(p, OF_INT, in->opclass);
    }
}

static bool multiplies(const struct stream_insn *in)
{
    return in->opclass == OPCLASS_MUL || in->opclass == OPCLASS_FMA;
}

static enum pipe pipe_of(const struct sm_spec *s, const struct stream_insn *in)
{
    if (in->flags & (INSN_BAR | INSN_FENCE | INSN_EXIT))
        return PIPE_NONE;
    bool divides = in->opclass == OPCLASS_DIV || in->opclass == OPCLASS_FDIV;
    bool has_dp = in->unit == UNIT_FP64 && s->dp_units;
    if (divides && !has_dp)
        return PIPE_SFU;
    switch (in->unit) {
    case UNIT_MEM:
        return PIPE_MEM;
    case UNIT_SFU:
        return PIPE_SFU;
    case UNIT_FP64:
        return s->dp_units ? PIPE_DP : PIPE_SP;
    case UNIT_INT:
        return s->int_units && !multiplies(in) ? PIPE_INT : PIPE_SP;
    case UNIT_FP32:
        return s->int_units && in->opclass == OPCLASS_COMPARE ? PIPE_INT : PIPE_SP;
    case UNIT_CONTROL:
        return s->int_units ? PIPE_NONE : PIPE_SP; /* a unit of its own */
    default:
        return PIPE_SP;
    }
}

/* --- registers -------------------------------------------------------------------------------- */

enum { UNITS = 0x4000, PREDICATES = UNITS };

struct numbering {
    uint16_t *of; /* [UNITS + PREDICATES]: 1 + number; 0: never written */
    uint32_t n;
};

/* The one or two places of a register in the table. */
static uint32_t places(uint16_t reg, uint32_t at[2])
{
    if (reg == REG_NONE)
        return 0;
    uint32_t index = reg & 0x3fff;
    at[0] = reg & REG_PRED ? UNITS + index : index;
    at[1] = index + 1;
    return reg & REG_WIDE && index + 1 < UNITS ? 2 : 1;
}

static void number_written(struct numbering *nb, const struct stream_kernel *k)
{
    uint32_t at[2];
    for (uint32_t i = 0; i < k->ninsns; i++)
        for (int d = 0; d < 4; d++)
            for (uint32_t n = places(k->insns[i].dst[d], at), j = 0; j < n; j++)
                if (!nb->of[at[j]])
                    nb->of[at[j]] = (uint16_t)(1 + nb->n++ % SCOREBOARD_BITS);
}

static void set_bits(const struct numbering *nb, const uint16_t *regs, uint32_t n, scoreboard *mask)
{
    uint32_t at[2];
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t np = places(regs[r], at), j = 0; j < np; j++)
            if (nb->of[at[j]]) {
                uint32_t bit = nb->of[at[j]] - 1u;
                (*mask)[bit / 64] |= 1ull << bit % 64;
            }
}

static uint8_t registers_of(const uint16_t *regs, uint32_t n)
{
    uint32_t at[2], sum = 0;
    for (uint32_t r = 0; r < n; r++)
        if (!(regs[r] & REG_PRED))
            sum += places(regs[r], at);
    return (uint8_t)sum;
}

/* All registers, and the highest number as one that everybody writes. */
static void make_barrel(struct sm_insn *in, scoreboard *defs, const struct pipe_spec *pipe)
{
    if (in->is_nothing || in->pipe == PIPE_NONE)
        return;
    in->uses = ~(scoreboard){0};
    if (in->pipe == PIPE_MEM)
        return;
    (*defs)[SCOREBOARD_WORDS - 1] |= 1ull << 63;
    in->writes = true;
    if (in->unit == UNIT_CONTROL)
        in->latency = (uint16_t)pipe->int_latency;
}

/* The kernel with the instructions that this machine issues: the same stream is read with both. */
static const struct stream_kernel *issued_view(struct arena *a, const struct sm_spec *spec,
                                               const struct stream_kernel *k)
{
    if (strcmp(spec->instructions, "assembled") != 0 || !k->assembled.insns)
        return k;
    struct stream_kernel *view = ARENA_NEW(a, struct stream_kernel);
    *view = stream_kernel_assembled(k);
    return view;
}

struct sm_program *sm_program_new(struct arena *a, const struct config *cfg,
                                  const struct stream_kernel *k)
{
    const struct sm_spec *spec = config_get(cfg, &sm_section);
    const struct pipe_spec *pipe = config_get(cfg, &pipe_section);
    const int64_t passes = (WARP_LANES + spec->simd - 1) / spec->simd;
    struct sm_program *p = ARENA_NEW(a, struct sm_program);
    k = issued_view(a, spec, k);
    struct numbering nb = {.of = ARENA_ARRAY(a, uint16_t, UNITS + PREDICATES)};
    number_written(&nb, k);
    p->kernel = k;
    p->has_windows = stream_kernel_has_windows(k);
    p->insn = ARENA_ARRAY(a, struct sm_insn, k->ninsns + 1);
    p->defs = ARENA_ARRAY(a, scoreboard, k->ninsns + 1);
    for (uint32_t i = 0; i < k->ninsns; i++) {
        const struct stream_insn *in = &k->insns[i];
        struct timing t = timing_of(pipe, in);
        struct sm_insn *out = &p->insn[i];
        *out = (struct sm_insn){
            .latency = (uint16_t)(t.latency + passes - 1),
            .interval = (uint16_t)(t.interval * passes),
            .flags = in->flags,
            .pipe = (uint8_t)pipe_of(spec, in),
            .unit = in->unit,
            .operands = {1, registers_of(in->src, 6), registers_of(in->dst, 4), in->others},
            .is_nothing = in->unit == UNIT_NONE};
        set_bits(&nb, in->dst, 4, &p->defs[i]);
        out->uses = p->defs[i];
        set_bits(&nb, in->src, 6, &out->uses);
        out->writes = scoreboard_meets(&p->defs[i], &p->defs[i]);
        if (spec->barrel)
            make_barrel(out, &p->defs[i], pipe);
    }
    return p;
}
