/* libheddle_workload.c - workloads by their names, sizes and arguments. */
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
                   str_hint_text(&hint, " (tiny, small, study, paper, few, chip)"));
}

static bool find(const char *name, const struct workload **w, struct err *e)
{
    *w = workload_find(name);
    if (*w)
        return true;
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    struct str_hint hint = str_hint(name);
    for (uint32_t i = 0; i < n; i++)
        str_hint_offer(&hint, all[i]->name);
    return err_set(e, STATUS_BAD_INPUT, "no workload \"%s\"%s", name,
                   str_hint_text(&hint, " (heddle list workloads shows them)"));
}

bool libheddle_parse_workload(const char *text, struct libheddle_workload *w, struct err *e)
{
    char name[64], size[64];
    const char *at = text + strcspn(text, "@:"), *colon = at + strcspn(at, ":");
    struct hd_error why = {0};
    *w = (struct libheddle_workload){.size = SIZE_SMALL};
    snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
    snprintf(size, sizeof size, "%.*s", at < colon ? (int)(colon - at - 1) : 0, at + 1);
    if (!find(name, &w->workload, e) || (*at == '@' && !libheddle_parse_size(size, &w->size, e)))
        return false;
    if (*colon && !colon[1])
        return err_set(e, STATUS_BAD_INPUT, "%s: expected ARGUMENT=VALUE after the colon", text);
    return (workload_has_input(w->workload, w->size, &why) &&
            workload_args_parse(w->workload, w->size, *colon ? colon + 1 : NULL, &w->args, &why)) ||
           err_set(e, STATUS_BAD_INPUT, "%s", why.text);
}

const char *libheddle_workload_title(const struct libheddle_workload *w, struct arena *a)
{
    const char *args = w->args.text;
    return arena_printf(a, "%s@%s%s%s", w->workload->name, workload_size_name(w->size),
                        *args ? ":" : "", args);
}
