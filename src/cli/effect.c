/* effect.c - see effect.h. */
#include "cli/effect.h"

#include "libheddle_gpu.h"

bool effect_tell_text(const char *idle, bool is_strict, struct err *e)
{
    if (!*idle)
        return true;
    if (is_strict)
        return err_set(e, STATUS_BAD_INPUT, "--strict: no effect: %s", idle);
    fprintf(stderr, "heddle: no effect: %s\n", idle);
    return true;
}

bool effect_tell_all(const struct config *const *all, uint32_t n, bool is_strict, struct err *e)
{
    struct arena *a = arena_new();
    bool ok = effect_tell_text(libheddle_idle(all, n, a), is_strict, e);
    arena_free(a);
    return ok;
}

bool effect_tell(const struct config *c, bool is_strict, struct err *e)
{
    return effect_tell_all(&c, 1, is_strict, e);
}
