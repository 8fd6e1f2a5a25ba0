/* uses.h - what a module's kernels use beyond global and shared memory and single precision, told
 * from their instructions. */
#ifndef HEDDLE_PTX_USES_H
#define HEDDLE_PTX_USES_H

#include "ptx/ast.h"

enum {
    USES_TEXTURE = 1,
    USES_CONSTANT = 2, /* variables in constant memory; parameters and compilers' tables are none */
    USES_LOCAL = 4,
    USES_ATOMICS = 8, /* of global or shared memory */
    USES_FP64 = 16,
};

struct uses_row {
    const char *name, *help; /* "texture" */
    uint32_t bit;
};
extern const struct uses_row uses_rows[];
enum { USES_ROWS = 5 };

/* The bits of all functions of the module, whether or not they are ever executed. */
uint32_t uses_of(const struct ast_module *m);

#endif
