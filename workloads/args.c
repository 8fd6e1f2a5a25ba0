/* args.c - what can be asked of a workload beyond its size: "footprint=48K,steps=100". */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "workload.h"

uint32_t workload_nargs(const struct workload *wl)
{
    uint32_t n = 0;
    while (wl->args && wl->args[n].name)
        n++;
    return n;
}

/* --- values ------------------------------------------------------------------------------------ */

/* Sets *word to the place-th of "a|b|c"; false: there are fewer. */
static bool choice_at(const char *choices, int64_t place, const char **word, size_t *length)
{
    for (const char *p = choices; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
        if (place-- == 0) {
            *word = p;
            *length = strcspn(p, "|");
            return true;
        }
    return false;
}

char *workload_value_text(char buf[WORKLOAD_VALUE_N], const struct workload_arg *a, int64_t value)
{
    static const struct {
        int64_t bytes;
        const char *unit;
    } units[] = {{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}, {1, ""}};
    const char *word = "";
    size_t length = 0, u = 0;
    if (a->choices && choice_at(a->choices, value, &word, &length)) {
        snprintf(buf, WORKLOAD_VALUE_N, "%.*s", (int)length, word);
        return buf;
    }
    if (strcmp(a->unit, "B") != 0 || value == 0)
        u = sizeof units / sizeof units[0] - 1;
    while (value % units[u].bytes != 0)
        u++;
    snprintf(buf, WORKLOAD_VALUE_N, "%lld%s", (long long)(value / units[u].bytes), units[u].unit);
    return buf;
}

static bool parse_choice(const char *wl, const struct workload_arg *a, const char *text,
                         int64_t *value, struct hd_error *e)
{
    struct str_hint hint = str_hint(text);
    char all[96], name[STR_HINT_NAME];
    const char *word = "";
    size_t length = 0;
    for (*value = 0; choice_at(a->choices, *value, &word, &length); ++*value) {
        if (strlen(text) == length && strncmp(text, word, length) == 0)
            return true;
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        str_hint_offer(&hint, name);
    }
    snprintf(all, sizeof all, " (%s)", a->choices);
    return work_refuse(e, "%s: %s=%.40s: no such %s%s", wl, a->name, text, a->name,
                       str_hint_text(&hint, all));
}

static bool parse_number(const char *wl, const struct workload_arg *a, const char *text,
                         int64_t *value, struct hd_error *e)
{
    char least[WORKLOAD_VALUE_N], most[WORKLOAD_VALUE_N], step[WORKLOAD_VALUE_N + 16] = "";
    char multiple[WORKLOAD_VALUE_N];
    if (str_to_int(text, value) && *value >= a->least && *value <= a->most && *value % a->step == 0)
        return true;
    if (a->step > 1)
        snprintf(step, sizeof step, "a multiple of %s ", workload_value_text(multiple, a, a->step));
    return work_refuse(e, "%s: %s=%.40s: expected %sfrom %s to %s%s%s", wl, a->name, text,
                       *step ? step : "a whole number ", workload_value_text(least, a, a->least),
                       workload_value_text(most, a, a->most), *a->unit ? " " : "", a->unit);
}

/* --- lists of them ------------------------------------------------------------------------------ */

static bool refuse_name(const struct workload *wl, const char *name, struct hd_error *e)
{
    struct str_hint hint = str_hint(name);
    uint32_t n = workload_nargs(wl);
    char all[160] = " (there are:";
    if (n == 0)
        return work_refuse(e, "%s takes no arguments, so no \"%.40s\"", wl->name, name);
    for (uint32_t i = 0; i < n; i++) {
        size_t used = strlen(all);
        str_hint_offer(&hint, wl->args[i].name);
        snprintf(all + used, sizeof all - used, "%s %s%s", i ? "," : "", wl->args[i].name,
                 i + 1 < n ? "" : ")");
    }
    return work_refuse(e, "%s: no argument \"%.40s\"%s", wl->name, name, str_hint_text(&hint, all));
}

/* "footprint=48K", one of a list. */
static bool take(const struct workload *wl, const char *item, struct workload_args *args,
                 bool *is_given, struct hd_error *e)
{
    char name[64];
    const char *equals = strchr(item, '=');
    uint32_t i = 0, n = workload_nargs(wl);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(item, "="), item);
    while (i < n && strcmp(wl->args[i].name, name) != 0)
        i++;
    if (i == n)
        return refuse_name(wl, name, e);
    if (!equals)
        return work_refuse(e, "%s: %s: expected %s=VALUE", wl->name, name, name);
    if (is_given[i])
        return work_refuse(e, "%s: %s is there twice", wl->name, name);
    is_given[i] = true;
    const struct workload_arg *a = &wl->args[i];
    return (a->choices ? parse_choice : parse_number)(wl->name, a, equals + 1, &args->value[i], e);
}

static bool write_text(const struct workload *wl, struct workload_args *args, const bool *is_given,
                       struct hd_error *e)
{
    char value[WORKLOAD_VALUE_N];
    size_t used = 0;
    for (uint32_t i = 0; i < workload_nargs(wl) && used < sizeof args->text; i++)
        if (is_given[i])
            used += (size_t)snprintf(args->text + used, sizeof args->text - used, "%s%s=%s",
                                     used ? "," : "", wl->args[i].name,
                                     workload_value_text(value, &wl->args[i], args->value[i]));
    return used < sizeof args->text || work_refuse(e, "%s: too many arguments", wl->name);
}

bool workload_args_parse(const struct workload *wl, enum workload_size size, const char *text,
                         struct workload_args *args, struct hd_error *e)
{
    bool is_given[WORKLOAD_MOST_ARGS] = {false};
    char item[128];
    *args = (struct workload_args){0};
    for (uint32_t i = 0; i < workload_nargs(wl); i++)
        args->value[i] = wl->args[i].defaults[size];
    for (const char *p = text && *text ? text : NULL; p;
         p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        snprintf(item, sizeof item, "%.*s", (int)strcspn(p, ","), p);
        if (!take(wl, item, args, is_given, e))
            return false;
    }
    return write_text(wl, args, is_given, e);
}
