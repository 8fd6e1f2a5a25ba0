/* config_yaml.c - the text of one YAML file into a list of entries.
 *
 *     doc: 8x8 mesh of the paper            one line about the file
 *     base: [common.yaml, mesh.yaml]        loaded first, in this order; relative to this file
 *     mesh: {width: 8, mem: [0, 7]}         a section
 *     mesh.height: 4                        or a field by its full name
 *
 * libyaml gives events.  Unknown and repeated keys are refused as they are read, so that there are
 * never more entries than parameters; values are not looked at here.  A file may be anybody's:
 * nothing nests deeper than the table above, and aliases are refused, since a kilobyte of them can
 * mean a terabyte. */
#include <string.h>
#include <yaml.h>

#include "base/str.h"
#include "sim/config_priv.h"

struct reader {
    struct cfg_source *src;
    yaml_parser_t parser;
    struct cfg_entry **last;
};

/* A libyaml event, copied out so that nothing needs freeing on the way up from an error. */
struct token {
    yaml_event_type_t type;
    int line;
    const char *text; /* of a scalar */
    bool is_null;     /* a plain scalar that YAML takes for null */
};

static bool refuse(const struct reader *r, int line, const char *why)
{
    return err_set(r->src->e, STATUS_BAD_INPUT, "%.500s:%d: %s", r->src->name, line, why);
}

static bool refuse_key(const struct reader *r, int line, const char *key, const char *why)
{
    return config_refuse(r->src->e, (struct cfg_origin){r->src->name, line}, key, why);
}

/* ---- events -------------------------------------------------------------------------------- */

static int line_of_offset(const struct reader *r, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && i < r->src->len; i++)
        line += r->src->text[i] == '\n';
    return line;
}

static bool refuse_syntax(const struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "not YAML";
    if (p->error == YAML_MEMORY_ERROR)
        return err_set(r->src->e, STATUS_BUDGET, "%s: out of memory", r->src->name);
    if (p->error == YAML_READER_ERROR) /* the only kind that knows a byte but no line */
        return refuse(r, line_of_offset(r, p->problem_offset), problem);
    int line = (int)p->problem_mark.line + 1;
    if (!p->context)
        return refuse(r, line, problem);
    return err_set(r->src->e, STATUS_BAD_INPUT, "%.500s:%d: %s (%s)", r->src->name, line, problem,
                   p->context);
}

static bool is_null_word(const char *s)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(s, words[i]) == 0)
            return true;
    return false;
}

static bool take_scalar(struct reader *r, const yaml_event_t *ev, struct token *t)
{
    size_t len = ev->data.scalar.length;
    char *text = arena_alloc(r->src->scratch, len + 1);
    memcpy(text, ev->data.scalar.value, len);
    if (strlen(text) != len)
        return refuse(r, t->line, "a NUL character in a value");
    t->text = text;
    t->is_null = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && is_null_word(text);
    return true;
}

static bool take_event(struct reader *r, const yaml_event_t *ev, struct token *t)
{
    const yaml_char_t *tag = NULL;
    t->type = ev->type;
    t->line = (int)ev->start_mark.line + 1;
    if (ev->type == YAML_ALIAS_EVENT)
        return refuse(r, t->line, "aliases (*name) are not supported");
    if (ev->type == YAML_SCALAR_EVENT)
        tag = ev->data.scalar.tag;
    else if (ev->type == YAML_SEQUENCE_START_EVENT)
        tag = ev->data.sequence_start.tag;
    else if (ev->type == YAML_MAPPING_START_EVENT)
        tag = ev->data.mapping_start.tag;
    if (tag)
        return refuse(r, t->line, "tags (!name) are not supported");
    return ev->type != YAML_SCALAR_EVENT || take_scalar(r, ev, t);
}

static bool next_token(struct reader *r, struct token *t)
{
    yaml_event_t ev;
    *t = (struct token){.type = YAML_NO_EVENT, .text = ""};
    if (!yaml_parser_parse(&r->parser, &ev))
        return refuse_syntax(r);
    bool ok = take_event(r, &ev, t);
    yaml_event_delete(&ev);
    return ok;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* Appends an entry; a key stands once in a file.  There are never more entries than parameters,
 * so that looking through all of them is cheap. */
static struct cfg_entry *add_entry(struct reader *r, const char *key, int line)
{
    for (const struct cfg_entry *n = r->src->entries; n; n = n->next)
        if (strcmp(n->key, key) == 0) {
            char why[64];
            snprintf(why, sizeof why, "given twice, first on line %d", n->line);
            refuse_key(r, line, key, why);
            return NULL;
        }
    struct cfg_entry *n = ARENA_NEW(r->src->scratch, struct cfg_entry);
    n->key = key;
    n->line = line;
    *r->last = n;
    r->last = &n->next;
    return n;
}

struct word {
    struct word *next;
    const char *text;
};

/* The elements of a sequence whose start has been read. */
static bool read_sequence(struct reader *r, struct cfg_entry *n)
{
    struct word *first = NULL, **last = &first;
    struct token t;
    int count = 0;
    for (;;) {
        if (!next_token(r, &t))
            return false;
        if (t.type == YAML_SEQUENCE_END_EVENT)
            break;
        if (t.type != YAML_SCALAR_EVENT || t.is_null)
            return refuse_key(r, t.line, n->key, "expected only plain values in the list");
        if (++count > CFG_MAX_LIST)
            return refuse_key(r, t.line, n->key, "more than 65536 elements");
        *last = ARENA_NEW(r->src->scratch, struct word);
        (*last)->text = t.text;
        last = &(*last)->next;
    }
    const char **words = ARENA_ARRAY(r->src->scratch, const char *, count);
    int i = 0;
    for (const struct word *w = first; w; w = w->next)
        words[i++] = w->text;
    n->value = (struct cfg_text){CFG_SEQUENCE, words, count};
    return true;
}

/* The value of an entry, whose first token is t.  Maps are not read: no field takes one. */
static bool read_value(struct reader *r, struct cfg_entry *n, const struct token *t)
{
    if (t->type == YAML_SEQUENCE_START_EVENT)
        return read_sequence(r, n);
    const char **word = ARENA_NEW(r->src->scratch, const char *);
    *word = t->text;
    enum cfg_shape shape = t->type != YAML_SCALAR_EVENT ? CFG_MAP : CFG_SCALAR;
    n->value = (struct cfg_text){t->is_null ? CFG_NULL : shape, word, 1};
    return true;
}

static bool read_field(struct reader *r, const char *key, int line, const struct token *t)
{
    struct cfg_source *src = r->src;
    int section, field;
    const struct cfg_origin here = {src->name, line};
    if (!config_find(src->config, key, &section, &field))
        return config_refuse_unknown(src->config, src->e, here, key);
    struct cfg_entry *n = add_entry(r, key, line);
    if (!n || !read_value(r, n, t))
        return false;
    if (n->value.shape == CFG_MAP) /* fails, and says what was expected instead */
        return config_assign(src->config, here, key, &n->value, src->e);
    return true;
}

static bool read_key(struct reader *r, struct token *key, bool *end)
{
    if (!next_token(r, key))
        return false;
    *end = key->type == YAML_MAPPING_END_EVENT;
    if (!*end && (key->type != YAML_SCALAR_EVENT || *key->text == '\0'))
        return refuse(r, key->line, "expected a name before the ':'");
    return true;
}

static bool is_section(const struct config *c, const char *name)
{
    for (int i = 0; i < c->nsections; i++)
        if (strcmp(c->sections[i]->name, name) == 0)
            return true;
    return false;
}

static bool refuse_section(const struct reader *r, const char *name, int line)
{
    const struct config *c = r->src->config;
    const char *foreign = config_why_foreign(c, name);
    if (foreign)
        return refuse_key(r, line, name, foreign);
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < c->nsections; i++)
        str_hint_offer(&hint, c->sections[i]->name);
    return refuse_key(r, line, name,
                      arena_printf(r->src->scratch, "unknown section%s", str_hint_text(&hint, "")));
}

/* The fields of a section whose map has been opened. */
static bool read_section(struct reader *r, const char *name, int line)
{
    struct token key, value;
    struct cfg_entry *n = add_entry(r, name, line);
    if (!n)
        return false;
    n->value.shape = CFG_MAP;
    for (bool end = false;;) {
        if (!read_key(r, &key, &end))
            return false;
        if (end)
            break;
        const char *full = arena_printf(r->src->scratch, "%s.%s", name, key.text);
        if (!next_token(r, &value) || !read_field(r, full, key.line, &value))
            return false;
    }
    /* Only an empty one gets here unknown; the others had a field that was refused. */
    return is_section(r->src->config, name) || refuse_section(r, name, line);
}

bool config_yaml_refuse(const struct cfg_source *s, const struct cfg_entry *n)
{
    bool is_base = strcmp(n->key, "base") == 0;
    return config_refuse(s->e, (struct cfg_origin){s->name, n->line}, n->key,
                         is_base ? "expected a file name or a list of them"
                                 : "expected one line of text");
}

/* One key at the top of the file and all that belongs to it. */
static bool read_top(struct reader *r, const struct token *key)
{
    struct token t;
    if (!next_token(r, &t))
        return false;
    if (strcmp(key->text, "base") == 0 || strcmp(key->text, "doc") == 0) {
        struct cfg_entry *n = add_entry(r, key->text, key->line);
        if (n && t.type == YAML_MAPPING_START_EVENT)
            return config_yaml_refuse(r->src, n);
        return n && read_value(r, n, &t);
    }
    if (t.type == YAML_MAPPING_START_EVENT && !strchr(key->text, '.'))
        return read_section(r, key->text, key->line);
    if (is_section(r->src->config, key->text))
        return refuse_key(r, key->line, key->text, "expected a map of parameters");
    return read_field(r, key->text, key->line, &t);
}

static bool read_document(struct reader *r)
{
    struct token t;
    if (!next_token(r, &t))
        return false;
    if (t.type == YAML_SCALAR_EVENT && *t.text == '\0' && t.is_null)
        return next_token(r, &t); /* "---" and nothing after it; t is the document's end */
    if (t.type != YAML_MAPPING_START_EVENT)
        return refuse(r, t.line, "expected a map of sections");
    for (bool end = false;;) {
        if (!read_key(r, &t, &end))
            return false;
        if (end)
            return next_token(r, &t);
        if (!read_top(r, &t))
            return false;
    }
}

static bool read_stream(struct reader *r)
{
    struct token t;
    if (!next_token(r, &t) || !next_token(r, &t)) /* start of stream; of document, if any */
        return false;
    if (t.type == YAML_STREAM_END_EVENT)
        return true;
    if (!read_document(r) || !next_token(r, &t))
        return false;
    return t.type == YAML_STREAM_END_EVENT || refuse(r, t.line, "more than one document");
}

bool config_yaml_read(struct cfg_source *s)
{
    struct reader r = {.src = s, .last = &s->entries};
    s->entries = NULL;
    if (!yaml_parser_initialize(&r.parser))
        return err_set(s->e, STATUS_BUDGET, "%s: out of memory", s->name);
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)s->text, s->len);
    bool ok = read_stream(&r);
    yaml_parser_delete(&r.parser);
    return ok;
}
