/* study_page_fill.c - filling in of templates.  No loops or conditions: data decides what shows. */
#include "report/study_page_fill.h"

#include <string.h>

#include "base/err.h"
#include "report/study_page_assets.h"

static const struct study_page_slot *find(const struct study_page_slot *slots, const char *name,
                                          size_t length)
{
    for (; slots->name; slots++)
        if (strlen(slots->name) == length && memcmp(slots->name, name, length) == 0)
            return slots;
    return NULL;
}

static const char *lookup(const char *name)
{
    for (const struct study_page_asset *a = study_page_assets; a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a->text;
    return NULL;
}

void study_page_fill(FILE *out, const char *text, const struct study_page_slot *slots,
                     const void *context)
{
    for (const char *open; (open = strstr(text, "{{")) != NULL;) {
        const char *close = strstr(open, "}}");
        HD_ASSERT(close, "a slot that never ends: %.20s", open);
        size_t length = (size_t)(close - open) - 2;
        const struct study_page_slot *slot = find(slots, open + 2, length);
        HD_ASSERT(slot, "no slot {{%.*s}}", (int)length, open + 2);
        fwrite(text, 1, (size_t)(open - text), out);
        slot->write(out, context);
        text = close + 2;
    }
    fputs(text, out);
}

const char *study_page_fill_renderer(void)
{
    return lookup("renderer.js");
}

const char *study_page_fill_asset(const char *name)
{
    const char *text = lookup(name);
    HD_ASSERT(text, "%s was not built in (cmake/web.cmake)", name);
    return text;
}
