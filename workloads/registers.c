/* registers.c - the table of the assembler's registers per thread (registers.def). */
#include "workload.h"

const struct workload_registers *workload_registers(uint32_t *n)
{
#define ASSEMBLED(module, kernel, registers, ptxas, target, clang, checksum)                       \
    {module, kernel, registers, checksum},
    static const struct workload_registers rows[] = {
#include "registers.def"
    };
#undef ASSEMBLED
    *n = sizeof rows / sizeof rows[0];
    return rows;
}
