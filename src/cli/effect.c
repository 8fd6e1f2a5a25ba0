/* effect.c - see effect.h. */
#include "cli/effect.h"

bool effect_tell_text(const char *idle, bool is_strict, struct err *e)
{
    if (!*idle)
        return true;
    if (is_strict)
        return err_set(e, STATUS_BAD_INPUT, "--strict: no effect: %s", idle);
    fprintf(stderr, "heddle: no effect: %s\n", idle);
    return true;
}

bool effect_tell(const struct config *c, bool is_strict, struct err *e)
{
    struct arena *a = arena_new();
    const char *idle = "", *key;
    bool is_same;
    for (int i = 0; (key = config_setting(c, i, &is_same)); i++) {
        const char *why = config_why_idle(c, a, key);
        if (!why && is_same)
            why = "it had this value";
        if (why)
            idle = arena_printf(a, "%s%s%s (%s)", idle, *idle ? ", " : "", key, why);
    }
    bool ok = effect_tell_text(idle, is_strict, e);
    arena_free(a);
    return ok;
}
