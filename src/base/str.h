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

/* What a name that does not exist was probably meant to be.  Every name there is, however many, is
 * offered in turn (and copied when it is the nearest so far); the text then goes behind "no such
 * thing":
 *     struct str_hint hint = str_hint(name);
 *     for (int i = 0; i < count; i++)
 *         str_hint_offer(&hint, all[i]->name);
 *     err_set(e, ..., "no thing \"%s\"%s", name, str_hint_text(&hint, " (heddle list things)")); */
#define STR_HINT_NAME 64 /* longer names are not compared */
struct str_hint {
    const char *wanted;
    int limit;                       /* edits that a candidate may be away */
    char nearest[STR_HINT_NAME + 1]; /* "" when none was near enough to suggest */
    char text[STR_HINT_NAME + 32];
};
struct str_hint str_hint(const char *wanted);
void str_hint_offer(struct str_hint *h, const char *candidate);
/* "; did you mean NAME?" of the nearest by edit distance, or `otherwise` when none is near. */
const char *str_hint_text(struct str_hint *h, const char *otherwise);

#endif
