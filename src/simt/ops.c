/* ops.c - which handlers this host can run. */
#include "simt/lanes/ops.h"
#include "simt/print.h"
#include "simt/simt.h"

extern const struct op_set op_set_base;

static bool find_base(const struct opcode *o, struct op_desc *d, struct err *e)
{
    return print_find(o, d) || op_set_base.find(o, d, e);
}

static const struct op_set base = {.name = "portable", .find = find_base};

#ifdef HEDDLE_LANES_V3
extern const struct op_set op_set_v3;

static bool find_v3(const struct opcode *o, struct op_desc *d, struct err *e)
{
    return print_find(o, d) || op_set_v3.find(o, d, e);
}

static const struct op_set v3 = {.name = "x86-64-v3", .find = find_v3};

static bool has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#endif

const struct op_set *simt_ops(bool portable)
{
#ifdef HEDDLE_LANES_V3
    if (!portable && has_v3())
        return &v3;
#endif
    (void)portable;
    return &base;
}
