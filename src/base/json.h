/* json.h - a streaming JSON writer: commas, quoting and nesting are its business.
 *
 * Numbers are printed so that they read back exactly (shortest form); NaN and infinities,
 * which JSON has not, become null.  Nesting depth is at most 32; misuse is asserted. */
#ifndef HEDDLE_BASE_JSON_H
#define HEDDLE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool first[32];
    bool object[32]; /* this level takes keys */
    bool after_key;
    bool compact[32]; /* this level is written on one line */
};

void json_begin(struct json *j, FILE *out);
void json_end(struct json *j); /* asserts that everything is closed; writes a newline */
void json_key(struct json *j, const char *key);
void json_open_object(struct json *j, bool compact);
void json_close_object(struct json *j);
void json_open_array(struct json *j, bool compact);
void json_close_array(struct json *j);
void json_string(struct json *j, const char *s); /* invalid UTF-8 is replaced, not copied */
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_real(struct json *j, double v);
void json_bool(struct json *j, bool v);

#endif
