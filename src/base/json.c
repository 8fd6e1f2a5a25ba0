/* json.c - the JSON writer.
 *
 * A document is written as it is produced; nothing is buffered but the nesting.  A level that is
 * "compact" stands on one line with all its children; the others have one member per line, so
 * that results can be read and compared with line tools. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

#define MAX_DEPTH 32

void json_begin(struct json *j, FILE *out)
{
    memset(j, 0, sizeof *j);
    j->out = out;
    j->first[0] = true;
}

void json_end(struct json *j)
{
    HD_ASSERT(j->depth == 0, "%d levels are still open", j->depth);
    HD_ASSERT(!j->first[0], "an empty document");
    fputc('\n', j->out);
}

static void new_line(struct json *j)
{
    fputc('\n', j->out);
    for (int i = 0; i < j->depth; i++)
        fputs("  ", j->out);
}

/* Comma and layout before the next member or element of the current level. */
static void separate(struct json *j)
{
    bool first = j->first[j->depth];
    HD_ASSERT(first || j->depth > 0, "a document is one value");
    if (!first)
        fputc(',', j->out);
    if (j->depth > 0 && !j->compact[j->depth])
        new_line(j);
    else if (!first)
        fputc(' ', j->out);
    j->first[j->depth] = false;
}

static void before_value(struct json *j)
{
    if (!j->after_key) {
        HD_ASSERT(!j->object[j->depth], "a member needs a key");
        separate(j);
    }
    j->after_key = false;
}

/* Length of the well-formed UTF-8 sequence at s, or 0. */
static size_t utf8_length(const unsigned char *s)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (n <= 1)
        return n;
    uint32_t code = s[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* also stops at the final NUL */
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= least[n] && code <= 0x10ffff && !surrogate && s[0] < 0xf8 ? n : 0;
}

static void write_escape(FILE *out, unsigned char c)
{
    static const char named[][2] = {{'"', '"'},  {'\\', '\\'}, {'\n', 'n'}, {'\t', 't'},
                                    {'\r', 'r'}, {'\b', 'b'},  {'\f', 'f'}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (c == (unsigned char)named[i][0]) {
            fprintf(out, "\\%c", named[i][1]);
            return;
        }
    fprintf(out, "\\u%04x", c);
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = utf8_length(s);
        if (n == 0) {
            fputs("\xef\xbf\xbd", out); /* U+FFFD, one for each bad byte */
            n = 1;
        } else if (*s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7f) {
            write_escape(out, *s);
        } else {
            fwrite(s, 1, n, out);
        }
        s += n;
    }
    fputc('"', out);
}

void json_key(struct json *j, const char *key)
{
    HD_ASSERT(j->object[j->depth] && !j->after_key, "key \"%s\" out of place", key);
    separate(j);
    write_string(j->out, key);
    fputs(": ", j->out);
    j->after_key = true;
}

static void open_level(struct json *j, char bracket, bool object, bool compact)
{
    before_value(j);
    HD_ASSERT(j->depth + 1 < MAX_DEPTH, "nested too deeply");
    fputc(bracket, j->out);
    bool inherited = j->depth > 0 && j->compact[j->depth];
    j->depth++;
    j->first[j->depth] = true;
    j->object[j->depth] = object;
    j->compact[j->depth] = compact || inherited;
}

static void close_level(struct json *j, char bracket, bool object)
{
    HD_ASSERT(j->depth > 0 && j->object[j->depth] == object && !j->after_key, "unmatched %c",
              bracket);
    bool multi_line = !j->first[j->depth] && !j->compact[j->depth];
    j->depth--;
    if (multi_line)
        new_line(j);
    fputc(bracket, j->out);
}

void json_open_object(struct json *j, bool compact)
{
    open_level(j, '{', true, compact);
}

void json_close_object(struct json *j)
{
    close_level(j, '}', true);
}

void json_open_array(struct json *j, bool compact)
{
    open_level(j, '[', false, compact);
}

void json_close_array(struct json *j)
{
    close_level(j, ']', false);
}

void json_string(struct json *j, const char *s)
{
    before_value(j);
    write_string(j->out, s);
}

void json_int(struct json *j, int64_t v)
{
    before_value(j);
    fprintf(j->out, "%" PRId64, v);
}

void json_uint(struct json *j, uint64_t v)
{
    before_value(j);
    fprintf(j->out, "%" PRIu64, v);
}

void json_real(struct json *j, double v)
{
    char buf[STR_REAL_N];
    before_value(j);
    fputs(isfinite(v) ? str_from_real(buf, v) : "null", j->out);
}

void json_bool(struct json *j, bool v)
{
    before_value(j);
    fputs(v ? "true" : "false", j->out);
}
