/* program.h - which of the programs that run at once an address belongs to.
 *
 * Each has an address space of its own, a range of the machine's memory: what one of them writes
 * no other can read, and a cache never takes a line of one for a line of another.  A program that
 * runs alone is program 0, whose addresses are as its driver sees them. */
#ifndef HEDDLE_MEM_PROGRAM_H
#define HEDDLE_MEM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_PROGRAMS = 8, PROGRAM_SHIFT = 44 };
enum { PROGRAM_ANY = MAX_PROGRAMS }; /* where it does not matter whose: only one runs */

static inline uint64_t program_base(uint32_t program)
{
    return (uint64_t)program << PROGRAM_SHIFT;
}

static inline uint32_t program_of(uint64_t address)
{
    return (uint32_t)(address >> PROGRAM_SHIFT) & (MAX_PROGRAMS - 1);
}

static inline bool program_has(uint32_t program, uint64_t address) /* PROGRAM_ANY has them all */
{
    return program == PROGRAM_ANY || program_of(address) == program;
}

#endif
