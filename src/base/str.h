/* str.h - number-with-unit parsing and nearest-name search, for messages that help. */
#ifndef HEDDLE_BASE_STR_H
#define HEDDLE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "48", "-3", "0x10", "32K", "2M", "1G" (powers of 1024).  The whole string must be used. */
bool str_to_int(const char *s, int64_t *out);
/* "0.25", "1.4GHz", "700MHz", "12.3mm": a number and an optional unit, scaled to the SI base
 * for Hz ("1.4GHz" -> 1.4e9); other known units (mm, nm, GB/s, B, %) are accepted unscaled.
 * NaN and infinities are refused. */
bool str_to_real(const char *s, double *out);
/* The same in a given unit: "700MHz" in "GHz" is 0.7, "12um" in "mm" is 0.012; a unit of another
 * kind is refused.  A unit that is not known here may be written only as it stands. */
bool str_to_real_in(const char *s, const char *unit, double *out);
bool str_to_bool(const char *s, bool *out); /* true/false, yes/no, on/off, 1/0 */

/* The shortest text that reads back as exactly `v`, in every locale.  Returns buf. */
#define STR_REAL_N 32
char *str_from_real(char buf[STR_REAL_N], double v);

/* Whether `s` is one of the words in "a|b|c"; '-' and '_' are the same. */
bool str_is_word(const char *s, const char *words);

/* Whether the first `length` characters of `name` are `symbol`, or the plain name of a C++ function
 * whose mangled one it is (_Z5saxpyifPKfPf: "saxpy"). */
bool str_names_kernel(const char *name, int length, const char *symbol);

/* The candidate nearest to `s` by edit distance, or NULL when none is near enough to suggest. */
const char *str_nearest(const char *s, const char *const *candidates, size_t n);

/* The end of a message about an unknown name: "; did you mean NEAR?", or `otherwise` when there is
 * none to suggest.  Returns buf. */
#define STR_HINT_N 128
char *str_did_you_mean(char buf[STR_HINT_N], const char *s, const char *const *candidates, size_t n,
                       const char *otherwise);

#endif
