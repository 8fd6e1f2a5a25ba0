/* config_effect.c - settings that change nothing.
 *
 * A section that nobody asked for while a machine was built is of a part that this machine has not:
 * that needs no list.  Rows that are of no use for another reason say so themselves (cfg_need). */
#include <string.h>

#include "base/str.h"
#include "sim/config_priv.h"

void config_note_setting(struct config *c, int section, int field)
{
    for (const struct cfg_setting *s = c->settings; s; s = s->next)
        if (s->section == section && s->field == field)
            return;
    struct cfg_setting *s = ARENA_NEW(c->arena, struct cfg_setting);
    const char *now = config_value_text(c->arena, &c->sections[section]->fields[field],
                                        config_member(c, section, field));
    *s = (struct cfg_setting){.section = section, .field = field, .before = now};
    *c->last_setting = s;
    c->last_setting = &s->next;
}

const char *config_setting(const struct config *c, int i, bool *is_same)
{
    const struct cfg_setting *s = c->settings;
    while (s && i-- > 0)
        s = s->next;
    if (!s)
        return NULL;
    const struct cfg_section *in = c->sections[s->section];
    const struct cfg_field *f = &in->fields[s->field];
    const char *now = config_value_text(c->arena, f, config_member(c, s->section, s->field));
    *is_same = strcmp(now, s->before) == 0;
    return arena_printf(c->arena, "%s.%s", in->name, f->name);
}

/* "icc.enabled is false" when `when` is not so, else NULL. */
static const char *why_unmet(const struct config *c, struct arena *a, const char *when)
{
    size_t n = strcspn(when, "!=");
    bool is_not = when[n] == '!';
    const char *key = arena_printf(a, "%.*s", (int)n, when), *values = when + n + (is_not ? 2 : 1);
    int section, field;
    bool found = config_find(c, key, &section, &field);
    if (!found) /* networks alone have not all sections */
        return NULL;
    const char *now = config_value_text(a, &c->sections[section]->fields[field],
                                        config_member(c, section, field));
    bool is_one = str_is_word(now, values);
    if (is_one != is_not)
        return NULL;
    return arena_printf(a, *now ? "%s is %s" : "%s is empty%s", key, now);
}

static bool concerns(const struct cfg_need *n, const char *key, const char *field)
{
    size_t len = strcspn(n->when, "!=");
    bool is_looked_at = strncmp(n->when, key, len) == 0 && !key[len];
    return strcmp(n->rows, "*") == 0 ? !is_looked_at : str_is_word(field, n->rows);
}

const char *config_why_idle(const struct config *c, struct arena *a, const char *key)
{
    int section, field;
    if (!config_find(c, key, &section, &field))
        return NULL;
    const struct cfg_section *s = c->sections[section];
    if (!atomic_load_explicit(&c->is_read[section], memory_order_relaxed))
        return arena_printf(a, "nothing here reads section %s", s->name);
    for (int i = 0; i < s->nneeds; i++) {
        const char *why = concerns(&s->needs[i], key, s->fields[field].name)
                              ? why_unmet(c, a, s->needs[i].when)
                              : NULL;
        if (why)
            return why;
    }
    return NULL;
}
