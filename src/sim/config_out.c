/* config_out.c - the parameter table as others see it: lists for people, completion and the docs;
 * the echo and the hash of all values for results. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"
#include "sim/config_priv.h"

/* Columns wider than this are left to stick out rather than push everybody else's to the right. */
#define WIDEST 32

struct row {
    char key[128], def[128], range[256];
};

static bool has_range(const struct cfg_field *f)
{
    return f->type == CFG_INT || f->type == CFG_REAL || f->type == CFG_LIST;
}

static struct row make_row(const struct cfg_section *s, const struct cfg_field *f)
{
    struct row r = {0};
    char lo[32], hi[32];
    snprintf(r.key, sizeof r.key, "%s.%s", s->name, f->name);
    snprintf(r.def, sizeof r.def, "%s", *f->def ? f->def : "\"\"");
    if (has_range(f))
        snprintf(r.range, sizeof r.range, "%s..%s%s%s", config_value_bound(lo, f->lo),
                 config_value_bound(hi, f->hi), *f->unit ? " " : "", f->unit);
    else
        snprintf(r.range, sizeof r.range, "%s", *f->unit ? f->unit : "-");
    return r;
}

static int wider(int width, const char *s)
{
    int n = (int)strlen(s);
    return n > width && n <= WIDEST ? n : width;
}

static void describe_section(const struct cfg_section *s, FILE *out)
{
    int key = 0, def = 0, range = 0;
    for (int i = 0; i < s->nfields; i++) {
        struct row r = make_row(s, &s->fields[i]);
        key = wider(key, r.key);
        def = wider(def, r.def);
        range = wider(range, r.range);
    }
    fprintf(out, "# %s: %s\n", s->name, s->doc);
    for (int i = 0; i < s->nfields; i++) {
        struct row r = make_row(s, &s->fields[i]);
        fprintf(out, "%-*s  %-6s  %-*s  %-*s  %s\n", key, r.key, config_value_type(&s->fields[i]),
                def, r.def, range, r.range, s->fields[i].doc);
    }
}

void config_describe(const struct config *c, FILE *out)
{
    for (int i = 0; i < c->nsections; i++) {
        if (i)
            fputc('\n', out);
        describe_section(c->sections[i], out);
    }
}

void config_names(const struct config *c, FILE *out)
{
    for (int i = 0; i < c->nsections; i++)
        for (int k = 0; k < c->sections[i]->nfields; k++)
            fprintf(out, "%s.%s\n", c->sections[i]->name, c->sections[i]->fields[k].name);
}

void config_echo_json(const struct config *c, struct json *j)
{
    json_open_object(j, false);
    for (int i = 0; i < c->nsections; i++) {
        const struct cfg_section *s = c->sections[i];
        json_key(j, s->name);
        json_open_object(j, false);
        for (int k = 0; k < s->nfields; k++) {
            json_key(j, s->fields[k].name);
            config_value_json(&s->fields[k], config_member(c, i, k), j);
        }
        json_close_object(j);
    }
    json_close_object(j);
}

char *config_echo_text(const struct config *c, struct arena *a)
{
    for (size_t size = 1 << 16;; size *= 2) { /* until it fits */
        struct json j;
        char *text = arena_alloc(a, size);
        FILE *out = fmemopen(text, size, "w");
        HD_ASSERT(out, "no stream in memory");
        json_begin(&j, out);
        config_echo_json(c, &j);
        json_end(&j);
        bool fits = fflush(out) == 0 && !ferror(out) && ftell(out) < (long)size - 1;
        fclose(out);
        if (fits)
            return text;
    }
}

static uint64_t fnv(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    return h;
}

static uint64_t hash_field(const struct config *c, struct arena *scratch, int section, int field)
{
    const struct cfg_field *f = &c->sections[section]->fields[field];
    uint64_t h = fnv(0xcbf29ce484222325u, c->sections[section]->name);
    h = fnv(fnv(fnv(h, "."), f->name), "=");
    return rng_mix(fnv(h, config_value_text(scratch, f, config_member(c, section, field))));
}

/* FNV-1a of each "section.field=value", mixed and added up: a sum, so that neither the order of
 * assignments nor that of the sections matters. */
uint64_t config_hash(const struct config *c,
                     bool (*wants)(const void *context, const char *section), const void *context)
{
    struct arena *scratch = arena_new();
    uint64_t sum = 0;
    for (int i = 0; i < c->nsections; i++)
        if (!wants || wants(context, c->sections[i]->name))
            for (int k = 0; k < c->sections[i]->nfields; k++)
                sum += hash_field(c, scratch, i, k);
    arena_free(scratch);
    return rng_mix(sum);
}

uint64_t config_hash_set(const struct config *c)
{
    struct arena *scratch = arena_new();
    uint64_t sum = 0;
    for (int i = 0; i < c->nsections; i++)
        for (int k = 0; k < c->sections[i]->nfields; k++)
            sum += c->origins[i][k].name ? hash_field(c, scratch, i, k) : 0;
    arena_free(scratch);
    return rng_mix(sum);
}

/* Words are what is between signs that no name has. */
static bool text_names(const char *text, const char *words)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    char word[128];
    while (*(text += strcspn(text, letters))) {
        size_t n = strspn(text, letters);
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : 0), text);
        if (*word && str_is_word(word, words))
            return true;
        text += n;
    }
    return false;
}

bool config_names_any(const struct config *c, const char *words)
{
    for (int i = 0; i < c->nsections; i++)
        for (int k = 0; k < c->sections[i]->nfields; k++) {
            enum cfg_type type = c->sections[i]->fields[k].type;
            const char *const *text = config_member(c, i, k);
            if ((type == CFG_STR || type == CFG_CHOICE) && text_names(*text, words))
                return true;
        }
    return false;
}
