/* parse.h - PTX text to ast.h.  The lexer is lexer.re (re2c), the grammar grammar.y (lemon). */
#ifndef HEDDLE_PTX_PARSE_H
#define HEDDLE_PTX_PARSE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "ptx/ast.h"

/* Parses `length` bytes of `text` (need not be NUL-terminated), called `name` in errors.  NULL with
 * *e set ("name:line: what was expected", STATUS_BAD_INPUT) when it is not PTX. */
struct ast_module *parse_ptx(struct arena *a, const char *name, const char *text, size_t length,
                             struct err *e);

#endif
