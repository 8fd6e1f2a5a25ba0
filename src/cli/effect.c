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

/* Why the i-th setting changes nothing in any of them; NULL: in one it may. */
static const char *why_idle(const struct config *const *all, uint32_t n, int i, struct arena *a)
{
    const char *why = NULL;
    for (uint32_t k = 0; k < n; k++) {
        bool is_same;
        const char *key = config_setting(all[k], i, &is_same);
        why = config_why_idle(all[k], a, key);
        if (!why && !is_same)
            return NULL;
    }
    return why ? why : "it had this value";
}

bool effect_tell_all(const struct config *const *all, uint32_t n, bool is_strict, struct err *e)
{
    struct arena *a = arena_new();
    const char *idle = "", *key;
    bool is_same;
    for (int i = 0; (key = config_setting(all[0], i, &is_same)); i++) {
        const char *why = why_idle(all, n, i, a);
        if (why)
            idle = arena_printf(a, "%s%s%s (%s)", idle, *idle ? ", " : "", key, why);
    }
    bool ok = effect_tell_text(idle, is_strict, e);
    arena_free(a);
    return ok;
}

bool effect_tell(const struct config *c, bool is_strict, struct err *e)
{
    return effect_tell_all(&c, 1, is_strict, e);
}
