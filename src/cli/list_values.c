/* list_values.c - see list_values.h. */
#include "cli/list_values.h"

#include <stdio.h>

#include "libheddle_catalogue.h"
#include "libheddle_gpu.h"

bool list_values(const char *parameter, struct err *e)
{
    struct arena *a = arena_new();
    const char *value;
    const struct cfg_field *f = config_field(libheddle_any_config(a), parameter, e);
    for (int i = 0; f && (value = libheddle_value(a, parameter, f, i)); i++)
        puts(value);
    arena_free(a);
    return f != NULL;
}
