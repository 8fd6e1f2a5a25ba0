/* words.c - see words.h. */
#include "cache/words.h"

#include <string.h>

#include "base/str.h"
#include "mem/request.h"
#include "stream/stream.h"

static const char *const kinds[REQUEST_KINDS] = {[REQUEST_READ] = "read",
                                                 [REQUEST_WRITE] = "write",
                                                 [REQUEST_ATOMIC] = "atomic",
                                                 [REQUEST_REDUCE] = "reduce"};
static const char *const spaces[STREAM_SPACES] = {
    [STREAM_GLOBAL] = "global", [STREAM_SHARED] = "shared", [STREAM_LOCAL] = "local",
    [STREAM_CONST] = "const",   [STREAM_TEX] = "texture",   [STREAM_PARAM] = "param"};

/* Bits of the words "a|b" in `text`; 0 with the first unknown one in `unknown`. */
static uint32_t bits_of(const char *text, const char *const *words, uint32_t n, char unknown[32])
{
    uint32_t bits = 0;
    if (strcmp(text, "all") == 0)
        return (1u << n) - 1;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, "|");
        uint32_t i = 0;
        while (i < n && (strlen(words[i]) != length || strncmp(words[i], at, length) != 0))
            i++;
        if (i == n) {
            size_t shown = length < 31 ? length : 31;
            memcpy(unknown, at, shown);
            unknown[shown] = '\0';
            return 0;
        }
        bits |= 1u << i;
        at += length;
        if (!*at)
            return bits;
    }
}

uint32_t words_kinds(const char *text)
{
    char unknown[32];
    return bits_of(text, kinds, REQUEST_KINDS, unknown);
}

uint32_t words_spaces(const char *text)
{
    char unknown[32];
    return bits_of(text, spaces, STREAM_SPACES, unknown);
}

struct field {
    const struct cfg_section *section;
    const char *name, *text;
    const char *const *words;
    uint32_t n;
};

static bool check_field(const struct config *cfg, struct err *e, const struct field *f)
{
    char unknown[32];
    if (bits_of(f->text, f->words, f->n, unknown))
        return true;
    struct str_hint hint = str_hint(unknown);
    for (uint32_t i = 0; i < f->n; i++)
        str_hint_offer(&hint, f->words[i]);
    return config_blame(cfg, e, f->section, f->name, "no such word \"%s\"%s", unknown,
                        str_hint_text(&hint, ""));
}

bool words_check(const struct config *cfg, struct err *e, const struct cfg_section *section,
                 const char *kinds_text, const char *spaces_text)
{
    const struct field of_kinds = {section, "kinds", kinds_text, kinds, REQUEST_KINDS},
                       of_spaces = {section, "spaces", spaces_text, spaces, STREAM_SPACES};
    return check_field(cfg, e, &of_kinds) && check_field(cfg, e, &of_spaces);
}
