/* words.h - sets of kinds of requests, or of spaces, in parameters of cache policies: "all", or words
 * with bars between them.  Private to src/cache. */
#ifndef HEDDLE_CACHE_WORDS_H
#define HEDDLE_CACHE_WORDS_H

#include "sim/config.h"

/* Bits by enum request_kind, or enum stream_space.  The text was checked. */
uint32_t words_kinds(const char *text);
uint32_t words_spaces(const char *text);
/* Blames fields `kinds` and `spaces` of the section for words that are none. */
bool words_check(const struct config *cfg, struct err *e, const struct cfg_section *section,
                 const char *kinds, const char *spaces);

#endif
