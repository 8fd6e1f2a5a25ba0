/* effect.h - settings without effect: said, or refused. */
#ifndef HEDDLE_CLI_EFFECT_H
#define HEDDLE_CLI_EFFECT_H

#include "sim/config.h"

#define EFFECT_HELP                                                                                \
    "  --strict              refuse settings that have no effect, rather than to say so\n"

/* One line about the settings of a configuration that change nothing in what has been built of it:
 * on standard error, or (strict) the error. */
bool effect_tell(const struct config *c, bool is_strict, struct err *e);
/* The same of several that have the same settings: what changes something in one of them has an
 * effect. */
bool effect_tell_all(const struct config *const *all, uint32_t n, bool is_strict, struct err *e);
/* The same of a text that is already there; nothing of an empty one. */
bool effect_tell_text(const char *idle, bool is_strict, struct err *e);

#endif
