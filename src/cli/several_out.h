/* several_out.h - programs that ran at once, for people and for programs. */
#ifndef HEDDLE_CLI_SEVERAL_OUT_H
#define HEDDLE_CLI_SEVERAL_OUT_H

#include "base/json.h"
#include "machine/results.h"
#include "machine/several.h"

void several_json(const struct several *s, struct json *j); /* members of the object that is open */
void several_csv(const struct several *s, FILE *out);
void several_print(const struct several *s, const struct results_view *v, struct arena *a,
                   FILE *out);

#endif
