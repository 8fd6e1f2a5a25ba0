/* config.c - the table of parameters: sections with their values and where each came from.
 *
 * A config holds one spec struct per section, filled with the defaults and then overwritten, last
 * writer wins, by files (config_yaml.c) and by --set.  Every field remembers who gave it its
 * value, so that a check made much later can still point at the line to mend. */
#include "sim/config.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "sim/config_priv.h"

void *config_member(const struct config *c, int section, int field)
{
    return (char *)c->values[section] + c->sections[section]->fields[field].offset;
}

static void set_defaults(struct config *c, int section)
{
    const struct cfg_section *s = c->sections[section];
    for (int i = 0; i < s->nfields; i++) {
        char why[CFG_WHY_N] = "";
        const struct cfg_text t = {CFG_SCALAR, &s->fields[i].def, 1};
        bool ok =
            config_value_parse(c->arena, &s->fields[i], &t, config_member(c, section, i), why);
        HD_ASSERT(ok, "default of %s.%s: %s", s->name, s->fields[i].name, why);
    }
}

/* Room for all values and origins, nothing filled in. */
static struct config *alloc_config(struct arena *a, const struct cfg_section *const *sections,
                                   int n)
{
    struct config *c = ARENA_NEW(a, struct config);
    *c = (struct config){.arena = a, .sections = sections, .nsections = n, .doc = ""};
    c->values = ARENA_ARRAY(a, void *, n);
    c->origins = ARENA_ARRAY(a, struct cfg_origin *, n);
    c->is_read = ARENA_ARRAY(a, atomic_bool, n);
    c->last_setting = &c->settings;
    for (int i = 0; i < n; i++) {
        c->values[i] = arena_alloc(a, sections[i]->size);
        c->origins[i] = ARENA_ARRAY(a, struct cfg_origin, sections[i]->nfields);
    }
    return c;
}

int config_add_section(const struct cfg_section **all, int n, int room, const struct cfg_section *s)
{
    for (int i = 0; i < n; i++)
        if (all[i] == s)
            return n;
    if (!s)
        return n;
    HD_ASSERT(n < room, "no room for section %s", s->name);
    all[n] = s;
    return n + 1;
}

struct config *config_new(struct arena *a, const struct cfg_section *const *sections, int n)
{
    struct config *c = alloc_config(a, sections, n);
    for (int i = 0; i < n; i++) {
        const char *name = sections[i]->name;
        HD_ASSERT(strcmp(name, "base") != 0 && strcmp(name, "doc") != 0,
                  "section %s: the name has a meaning of its own in files", name);
        for (int k = 0; k < i; k++)
            HD_ASSERT(strcmp(sections[k]->name, name) != 0, "two sections named %s", name);
        set_defaults(c, i);
    }
    return c;
}

static int find_section(const struct config *c, const char *name, size_t len)
{
    for (int i = 0; i < c->nsections; i++)
        if (strncmp(c->sections[i]->name, name, len) == 0 && c->sections[i]->name[len] == '\0')
            return i;
    return -1;
}

static int find_field(const struct cfg_section *s, const char *name)
{
    for (int i = 0; i < s->nfields; i++)
        if (strcmp(s->fields[i].name, name) == 0)
            return i;
    return -1;
}

bool config_find(const struct config *c, const char *key, int *section, int *field)
{
    const char *dot = strchr(key, '.');
    if (!dot)
        return false;
    *section = find_section(c, key, (size_t)(dot - key));
    if (*section < 0)
        return false;
    *field = find_field(c->sections[*section], dot + 1);
    return *field >= 0;
}

bool config_refuse(struct err *e, struct cfg_origin from, const char *key, const char *why)
{
    if (from.line > 0)
        return err_set(e, STATUS_BAD_INPUT, "%.300s:%d: %.120s: %s", from.name, from.line, key,
                       why);
    return err_set(e, STATUS_BAD_INPUT, "%.200s: %s", from.name, why);
}

void config_foreign(struct config *c, const struct cfg_foreign *rows, int n)
{
    c->foreign = rows;
    c->nforeign = n;
}

const char *config_why_foreign(const struct config *c, const char *key)
{
    size_t len = strcspn(key, ".");
    for (int i = 0; i < c->nforeign; i++)
        if (strlen(c->foreign[i].section) == len && strncmp(c->foreign[i].section, key, len) == 0)
            return c->foreign[i].why;
    return NULL;
}

/* A name without its section is completed by the first section that has such a field; one with
 * another section is moved to the only section that has it; anything else is taken for a
 * misspelling. */
static void suggest(const struct config *c, const char *key, char why[CFG_WHY_N])
{
    struct str_hint hint = str_hint(key);
    const char *dot = strchr(key, '.'), *name = dot ? dot + 1 : key;
    char found[CFG_WHY_N];
    int same = 0;
    for (int i = 0; i < c->nsections; i++)
        for (int k = 0; k < c->sections[i]->nfields; k++) {
            char whole[CFG_WHY_N];
            const char *field = c->sections[i]->fields[k].name;
            snprintf(whole, sizeof whole, "%s.%s", c->sections[i]->name, field);
            if (strcmp(field, name) == 0 && same++ == 0)
                memcpy(found, whole, sizeof found);
            str_hint_offer(&hint, whole);
        }
    if (same == 1 || (same && !dot))
        snprintf(why, CFG_WHY_N, "unknown parameter; did you mean %.200s?", found);
    else
        snprintf(why, CFG_WHY_N, "unknown parameter%s", str_hint_text(&hint, ""));
}

bool config_refuse_unknown(const struct config *c, struct err *e, struct cfg_origin from,
                           const char *key)
{
    char why[CFG_WHY_N];
    const char *foreign = config_why_foreign(c, key);
    if (foreign)
        return config_refuse(e, from, key, foreign);
    suggest(c, key, why);
    return config_refuse(e, from, key, why);
}

bool config_assign(struct config *c, struct cfg_origin from, const char *key,
                   const struct cfg_text *t, struct err *e)
{
    int section, field;
    char why[CFG_WHY_N];
    if (!config_find(c, key, &section, &field))
        return config_refuse_unknown(c, e, from, key);
    if (!config_value_parse(c->arena, &c->sections[section]->fields[field], t,
                            config_member(c, section, field), why))
        return config_refuse(e, from, key, why);
    c->origins[section][field] = from;
    return true;
}

static bool set(struct config *c, const char *assignment, bool is_noted, struct err *e)
{
    struct cfg_origin from = {arena_printf(c->arena, "--set %s", assignment), 0};
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return config_refuse(e, from, "", "expected KEY=VALUE");
    char *key = arena_strdup(c->arena, assignment);
    key[equals - assignment] = '\0';
    const char *value = equals + 1;
    const struct cfg_text t = {CFG_SCALAR, &value, 1};
    int section, field;
    if (is_noted && config_find(c, key, &section, &field))
        config_note_setting(c, section, field);
    return config_assign(c, from, key, &t, e);
}

bool config_set(struct config *c, const char *assignment, struct err *e)
{
    return set(c, assignment, true, e);
}

bool config_set_option(struct config *c, const char *assignment, struct err *e)
{
    return set(c, assignment, false, e);
}

static int index_of(const struct config *c, const struct cfg_section *s)
{
    for (int i = 0; i < c->nsections; i++)
        if (c->sections[i] == s)
            return i;
    return -1;
}

const void *config_get(const struct config *c, const struct cfg_section *s)
{
    int i = index_of(c, s);
    HD_ASSERT(i >= 0, "section %s is not in this config", s->name);
    atomic_store_explicit(&c->is_read[i], true, memory_order_relaxed);
    return c->values[i];
}

static const struct cfg_origin *origin_of(const struct config *c, const struct cfg_section *s,
                                          const char *field)
{
    int i = index_of(c, s);
    HD_ASSERT(i >= 0, "section %s is not in this config", s->name);
    int k = find_field(s, field);
    HD_ASSERT(k >= 0, "no parameter %s.%s", s->name, field);
    return &c->origins[i][k];
}

bool config_blame(const struct config *c, struct err *e, const struct cfg_section *s,
                  const char *field, const char *fmt, ...)
{
    char why[CFG_WHY_N], key[128];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    const struct cfg_origin *from = origin_of(c, s, field);
    snprintf(key, sizeof key, "%s.%s", s->name, field);
    if (!from->name) /* a default that does not go with what was set: the key is all we have */
        return err_set(e, STATUS_BAD_INPUT, "%s: %s", key, why);
    return config_refuse(e, *from, key, why);
}

bool config_no_such(const struct config *c, struct err *e, const struct cfg_section *s,
                    const char *field, const char *value, const struct cfg_registry *r)
{
    char otherwise[64];
    struct str_hint hint = str_hint(value);
    for (int i = 0; i < r->n; i++)
        str_hint_offer(&hint, r->name(i));
    snprintf(otherwise, sizeof otherwise, " (heddle list %s)", r->list);
    return config_blame(c, e, s, field, "no %s \"%s\"%s", r->what, value,
                        str_hint_text(&hint, otherwise));
}

static bool is_given(const struct config *c, int section, const char *values)
{
    const struct cfg_section *s = c->sections[section];
    for (int i = 0; i < s->nfields; i++) {
        const char *at = strstr(values, s->fields[i].name);
        size_t n = strlen(s->fields[i].name);
        if (at && at[n] == '=' && (at == values || at[-1] == ' ') && c->origins[section][i].name)
            return true;
    }
    return false;
}

/* False: a value is one that its row does not take. */
static bool fit_values(struct config *c, int section, char *values)
{
    const struct cfg_section *s = c->sections[section];
    char why[CFG_WHY_N] = "", *rest = NULL;
    for (char *word = strtok_r(values, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        HD_ASSERT(equals, "\"%s\" gives no value", word);
        *equals = '\0';
        const char *value = equals + 1;
        int field = find_field(s, word);
        HD_ASSERT(field >= 0, "no parameter %s.%s", s->name, word);
        const struct cfg_text t = {CFG_SCALAR, &value, 1};
        if (!config_value_parse(c->arena, &s->fields[field], &t, config_member(c, section, field),
                                why))
            return false;
    }
    return true;
}

void config_fit(struct config *c, const struct cfg_section *s, const char *values)
{
    int section = index_of(c, s);
    HD_ASSERT(section >= 0, "section %s is not in this config", s->name);
    if (is_given(c, section, values))
        return;
    void *before = arena_alloc(c->arena, s->size);
    memcpy(before, c->values[section], s->size);
    if (!fit_values(c, section, arena_strdup(c->arena, values)))
        memcpy(c->values[section], before, s->size);
}

const struct cfg_field *config_field(const struct config *c, const char *key, struct err *e)
{
    int section, field;
    if (config_find(c, key, &section, &field))
        return &c->sections[section]->fields[field];
    config_refuse_unknown(c, e, (struct cfg_origin){key, 0}, key);
    return NULL;
}

const char *config_doc(const struct config *c)
{
    return c->doc;
}
