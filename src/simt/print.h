/* print.h - what the device runtime provides: printf, and the end of a failed assertion. */
#ifndef HEDDLE_SIMT_PRINT_H
#define HEDDLE_SIMT_PRINT_H

#include "simt/exec.h"

/* The functions vprintf and __assertfail, as opcodes.  True when the opcode is one of them. */
bool print_find(const struct opcode *o, struct op_desc *d);

#endif
