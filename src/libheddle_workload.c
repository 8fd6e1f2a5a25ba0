/* libheddle_workload.c - workloads by their names. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "libheddle_gpu.h"

bool libheddle_parse_size(const char *text, enum workload_size *size, struct err *e)
{
    if (workload_size_parse(text, size))
        return true;
    struct str_hint hint = str_hint(text);
    for (int i = 0; i < SIZES; i++)
        str_hint_offer(&hint, workload_size_name((enum workload_size)i));
    return err_set(e, STATUS_BAD_INPUT, "no size \"%s\"%s", text,
                   str_hint_text(&hint, " (tiny, small, study, paper, few)"));
}

bool libheddle_parse_workload(const char *text, const struct workload **w, enum workload_size *size,
                              struct err *e)
{
    char name[64];
    const char *at = strchr(text, '@');
    snprintf(name, sizeof name, "%.*s", (int)(at ? at - text : (long)strlen(text)), text);
    *size = SIZE_SMALL;
    *w = workload_find(name);
    if (*w)
        return !at || libheddle_parse_size(at + 1, size, e);
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    struct str_hint hint = str_hint(name);
    for (uint32_t i = 0; i < n; i++)
        str_hint_offer(&hint, all[i]->name);
    return err_set(e, STATUS_BAD_INPUT, "no workload \"%s\"%s", name,
                   str_hint_text(&hint, " (heddle list workloads shows them)"));
}
