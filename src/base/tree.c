/* tree.c - libyaml's events into a tree.  A file may be anybody's: depth and size are bounded, and
 * nothing in it is expanded. */
#include "base/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "base/str.h"

enum { MAX_BYTES = 1 << 30 }; /* a device may have no end */
enum { MAX_DEPTH = 8, MAX_NODES = 1 << 22, MAX_KEYS = 1024, MAX_WORDS = 32 };

struct reader {
    struct arena *arena;
    const char *file;
    yaml_parser_t parser;
    FILE *in;
    size_t bytes;
    uint32_t nodes;
    struct err *e;
};

bool tree_refuse(const struct tree *t, struct err *e, const char *fmt, ...)
{
    char why[768];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return err_set(e, STATUS_BAD_INPUT, "%.200s:%d: %.100s%s%s", t->file, t->line, t->key,
                   *t->key ? ": " : "", why);
}

const struct tree *tree_get(const struct tree *t, const char *key)
{
    for (const struct tree *c = t && t->kind == TREE_MAP ? t->first : NULL; c; c = c->next)
        if (strcmp(c->key, key) == 0)
            return c;
    return NULL;
}

bool tree_knows(const struct tree *t, const char *keys, struct err *e)
{
    char copy[512];
    const char *words[MAX_WORDS];
    size_t n = 0;
    int length = snprintf(copy, sizeof copy, "%s", keys);
    HD_ASSERT(length < (int)sizeof copy, "%s", keys);
    for (char *save = NULL, *w = strtok_r(copy, "|", &save); w; w = strtok_r(NULL, "|", &save)) {
        HD_ASSERT(n < MAX_WORDS, "%s", keys);
        words[n++] = w;
    }
    for (const struct tree *c = t->first; c; c = c->next) {
        char known[sizeof copy + 16];
        bool found = false;
        for (size_t i = 0; i < n; i++)
            found |= strcmp(c->key, words[i]) == 0;
        if (found)
            continue;
        struct str_hint hint = str_hint(c->key);
        for (size_t i = 0; i < n; i++)
            str_hint_offer(&hint, words[i]);
        snprintf(known, sizeof known, " (known: %s)", keys);
        return tree_refuse(c, e, "unknown key%s", str_hint_text(&hint, known));
    }
    return true;
}

/* ---- events -------------------------------------------------------------------------------- */

static bool refuse_at(const struct reader *r, const yaml_mark_t *at, const char *why)
{
    return err_set(r->e, STATUS_BAD_INPUT, "%.500s:%d: %s", r->file, (int)at->line + 1, why);
}

/* For libyaml: 0 is an error, of which *e then knows. */
static int take_bytes(void *reader, unsigned char *to, size_t size, size_t *got)
{
    struct reader *r = reader;
    *got = fread(to, 1, size, r->in);
    r->bytes += *got;
    if (ferror(r->in))
        return err_set(r->e, STATUS_BAD_INPUT, "%s: cannot read: %s", r->file, strerror(errno));
    return r->bytes <= MAX_BYTES ||
           err_set(r->e, STATUS_BAD_INPUT, "%s: larger than 1 GiB", r->file);
}

static bool refuse_syntax(const struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "not YAML";
    if (p->error == YAML_MEMORY_ERROR)
        return err_set(r->e, STATUS_BUDGET, "%s: out of memory", r->file);
    if (p->error == YAML_READER_ERROR) /* knows a byte but no line */
        return err_set(r->e, STATUS_BAD_INPUT, "%.500s: byte %zu: %s", r->file, p->problem_offset,
                       problem);
    return refuse_at(r, &p->problem_mark, problem);
}

static bool has_tag(const yaml_event_t *ev)
{
    if (ev->type == YAML_SCALAR_EVENT)
        return ev->data.scalar.tag != NULL;
    if (ev->type == YAML_SEQUENCE_START_EVENT)
        return ev->data.sequence_start.tag != NULL;
    return ev->type == YAML_MAPPING_START_EVENT && ev->data.mapping_start.tag != NULL;
}

static bool take_text(struct reader *r, const yaml_event_t *ev, struct tree *t)
{
    size_t length = ev->data.scalar.length;
    char *text = arena_alloc(r->arena, length + 1);
    memcpy(text, ev->data.scalar.value, length);
    t->text = text;
    return strlen(text) == length || refuse_at(r, &ev->start_mark, "a NUL character in a value");
}

/* One event as a node, or as the end of one (NULL in *node). */
static bool take_event(struct reader *r, const yaml_event_t *ev, struct tree **node)
{
    *node = NULL;
    if (ev->type == YAML_ALIAS_EVENT)
        return refuse_at(r, &ev->start_mark, "aliases (*name) are not supported");
    if (has_tag(ev))
        return refuse_at(r, &ev->start_mark, "tags (!name) are not supported");
    bool is_list = ev->type == YAML_SEQUENCE_START_EVENT,
         is_map = ev->type == YAML_MAPPING_START_EVENT;
    if (!is_list && !is_map && ev->type != YAML_SCALAR_EVENT)
        return true;
    if (++r->nodes > MAX_NODES)
        return refuse_at(r, &ev->start_mark, "too many values; put them into a file");
    struct tree *t = ARENA_NEW(r->arena, struct tree);
    *t = (struct tree){.kind = is_list  ? TREE_LIST
                               : is_map ? TREE_MAP
                                        : TREE_SCALAR,
                       .line = (int)ev->start_mark.line + 1,
                       .file = r->file,
                       .key = ""};
    *node = t;
    return t->kind != TREE_SCALAR || take_text(r, ev, t);
}

static bool next_node(struct reader *r, struct tree **node, yaml_event_type_t *type)
{
    yaml_event_t ev;
    *type = YAML_NO_EVENT;
    if (!yaml_parser_parse(&r->parser, &ev))
        return refuse_syntax(r);
    *type = ev.type;
    bool ok = take_event(r, &ev, node);
    yaml_event_delete(&ev);
    return ok;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* A key stands once in a map, and is a word. */
static bool take_key(const struct reader *r, const struct tree *map, const struct tree *key)
{
    if (key->kind != TREE_SCALAR || *key->text == '\0')
        return err_set(r->e, STATUS_BAD_INPUT, "%.500s:%d: expected a name before the ':'", r->file,
                       key->line);
    const struct tree *before = tree_get(map, key->text);
    if (before)
        return err_set(r->e, STATUS_BAD_INPUT, "%.500s:%d: %.100s: given twice, first on line %d",
                       r->file, key->line, key->text, before->line);
    return map->n < MAX_KEYS || tree_refuse(map, r->e, "more than %d keys", MAX_KEYS);
}

static bool read_children(struct reader *r, struct tree *parent, int depth)
{
    struct tree **last = &parent->first, *key = NULL, *child = NULL;
    yaml_event_type_t type;
    if (depth > MAX_DEPTH)
        return tree_refuse(parent, r->e, "nested too deeply");
    for (;;) {
        if (parent->kind == TREE_MAP) {
            if (!next_node(r, &key, &type))
                return false;
            if (!key)
                return true;
            if (!take_key(r, parent, key))
                return false;
        }
        if (!next_node(r, &child, &type))
            return false;
        if (!child)
            return true;
        if (key) {
            child->key = key->text;
            child->line = key->line;
        }
        *last = child;
        last = &child->next;
        parent->n++;
        if (child->kind != TREE_SCALAR && !read_children(r, child, depth + 1))
            return false;
    }
}

static struct tree *read_document(struct reader *r)
{
    struct tree *top = NULL, *none;
    yaml_event_type_t type = YAML_NO_EVENT;
    for (int i = 0; i < 3 && !top && type != YAML_STREAM_END_EVENT; i++) /* stream, document */
        if (!next_node(r, &top, &type))
            return NULL;
    if (!top || top->kind != TREE_MAP) {
        err_set(r->e, STATUS_BAD_INPUT, "%.500s:%d: expected a map (name: value, ...)", r->file,
                top ? top->line : 1);
        return NULL;
    }
    if (!read_children(r, top, 1) || !next_node(r, &none, &type) || !next_node(r, &none, &type))
        return NULL;
    if (type != YAML_STREAM_END_EVENT) {
        err_set(r->e, STATUS_BAD_INPUT, "%.500s: more than one document", r->file);
        return NULL;
    }
    return top;
}

/* A file whose size says it already is refused before it is read. */
static FILE *open_file(const char *path, struct err *e)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f)
        err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", path, strerror(errno));
    if (!f || fstat(fileno(f), &st) != 0 || st.st_size <= MAX_BYTES)
        return f;
    err_set(e, STATUS_BAD_INPUT, "%s: larger than 1 GiB", path);
    fclose(f);
    return NULL;
}

struct tree *tree_read(struct arena *a, const char *path, struct err *e)
{
    struct reader r = {.arena = a, .file = path, .e = e, .in = open_file(path, e)};
    struct tree *top = NULL;
    if (!r.in)
        return NULL;
    if (yaml_parser_initialize(&r.parser)) {
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input(&r.parser, take_bytes, &r);
        top = read_document(&r);
        yaml_parser_delete(&r.parser);
    } else {
        err_set(e, STATUS_BUDGET, "%s: out of memory", path);
    }
    fclose(r.in);
    return top;
}
