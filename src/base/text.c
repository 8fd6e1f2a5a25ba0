/* text.c - see text.h. */
#include "base/text.h"

#include <stdlib.h>

#include "base/err.h"

const char *text_of(struct arena *a, void (*write)(const void *context, FILE *out),
                    const void *context)
{
    char *buffer = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&buffer, &length);
    HD_ASSERT(out, "no memory for a text");
    write(context, out);
    HD_ASSERT(fclose(out) == 0, "no memory for a text");
    const char *text = arena_strdup(a, buffer);
    free(buffer);
    return text;
}
