/* libheddle.c - the public interface, in terms of the library's own types. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data.h"
#include "heddle/heddle.h"
#include "lab/lab.h"
#include "libheddle_error.h"
#include "libheddle_gpu.h"
#include "machine/sources.h"

struct hd_config {
    struct arena *arena;
    struct config *config;
    enum libheddle_kind kind;
    const char *name; /* it was loaded by; NULL: it was not */
    struct hd_watch watch;
    struct arena *document; /* the last one that was asked for; NULL: none was */
};

const char *hd_version(void)
{
    return HEDDLE_VERSION;
}

/* --- configurations --------------------------------------------------------------------------- */

struct config *libheddle_any_config(struct arena *a)
{
    enum { MOST = 64 };
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, MOST);
    int n = machine_sections(all, MOST - LAB_SECTIONS);
    return config_new(a, all, n + lab_sections(all + n));
}

static struct hd_config *new_config(enum libheddle_kind kind, struct config *make(struct arena *a))
{
    struct arena *a = arena_new();
    struct hd_config *c = ARENA_NEW(a, struct hd_config);
    *c = (struct hd_config){.arena = a, .config = make(a), .kind = kind};
    return c;
}

struct hd_config *hd_config_new(void)
{
    return new_config(LIBHEDDLE_ANY, libheddle_any_config);
}

static struct hd_config *named(struct hd_config *c, const char *name, struct hd_error *e)
{
    struct err err = {0};
    const char *path = c->kind == LIBHEDDLE_MACHINE ? data_machine(c->arena, name, &err)
                                                    : data_network(c->arena, name, &err);
    c->name = arena_strdup(c->arena, name);
    if (path)
        config_load(c->config, path, &err);
    if (pass(&err, e))
        return c;
    hd_config_free(c);
    return NULL;
}

struct hd_config *hd_config_machine(const char *name, struct hd_error *e)
{
    return named(new_config(LIBHEDDLE_MACHINE, machine_config), name, e);
}

struct hd_config *hd_config_network(const char *name, struct hd_error *e)
{
    return named(new_config(LIBHEDDLE_NETWORK, lab_config), name, e);
}

const struct config *libheddle_config(const struct hd_config *c)
{
    return c->config;
}

struct config *libheddle_fitted(const struct hd_config *c)
{
    if (c->kind == LIBHEDDLE_MACHINE) /* what was set since may have changed the network */
        machine_fit(c->config);
    return c->config;
}

enum libheddle_kind libheddle_kind(const struct hd_config *c)
{
    return c->kind;
}

const char *libheddle_name(const struct hd_config *c)
{
    return c->name ? c->name : "";
}

const struct hd_watch *libheddle_watch(const struct hd_config *c)
{
    return &c->watch;
}

const char *libheddle_document(struct hd_config *c, void (*write)(const void *context, FILE *out),
                               const void *context)
{
    return libheddle_new_document(&c->document, write, context);
}

void hd_config_free(struct hd_config *c)
{
    if (!c)
        return;
    if (c->document)
        arena_free(c->document);
    arena_free(c->arena);
}

bool hd_config_load(struct hd_config *c, const char *yaml_file, struct hd_error *e)
{
    struct err err = {0};
    config_load(c->config, yaml_file, &err);
    return pass(&err, e);
}

bool hd_config_set(struct hd_config *c, const char *key_equals_value, struct hd_error *e)
{
    struct err err = {0};
    config_set(c->config, key_equals_value, &err);
    return pass(&err, e);
}

bool hd_config_watch(struct hd_config *c, const struct hd_watch *w, struct hd_error *e)
{
    struct err err = {0};
    c->watch = (struct hd_watch){0};
    if (w)
        libheddle_take(&c->watch, sizeof c->watch, w, "hd_watch", &err);
    return pass(&err, e);
}

/* --- settings without effect ------------------------------------------------------------------ */

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

const char *libheddle_idle(const struct config *const *all, uint32_t n, struct arena *a)
{
    const char *idle = "", *key;
    bool is_same;
    for (int i = 0; (key = config_setting(all[0], i, &is_same)); i++) {
        const char *why = why_idle(all, n, i, a);
        if (why)
            idle = arena_printf(a, "%s%s%s (%s)", idle, *idle ? ", " : "", key, why);
    }
    return idle;
}

static void write_text(const void *text, FILE *out)
{
    fputs(text, out);
}

const char *hd_config_idle(struct hd_config *c)
{
    struct arena *a = arena_new();
    const struct config *one = c->config;
    const char *text = libheddle_document(c, write_text, libheddle_idle(&one, 1, a));
    arena_free(a);
    return text;
}

/* --- documents, structs ----------------------------------------------------------------------- */

const char *libheddle_new_document(struct arena **last,
                                   void (*write)(const void *context, FILE *out),
                                   const void *context)
{
    if (*last)
        arena_free(*last);
    *last = arena_new();
    return text_of(*last, write, context);
}

void libheddle_begin_json(struct json *j, FILE *out)
{
    char model[32];
    snprintf(model, sizeof model, "%016" PRIx64, sources_all(&sources_built));
    json_begin(j, out);
    json_open_object(j, false);
    json_key(j, "schema");
    json_int(j, 1);
    json_key(j, "version");
    json_string(j, hd_version());
    json_key(j, "model");
    json_string(j, model);
}

void libheddle_end_json(struct json *j)
{
    json_close_object(j);
    json_end(j);
}

bool libheddle_take(void *to, size_t room, const void *from, const char *what, struct err *e)
{
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size < sizeof size)
        return err_set(e, STATUS_BAD_INPUT, "struct %s: its size is missing (.size = sizeof o)",
                       what);
    for (size_t i = room; i < size; i++)
        if (((const unsigned char *)from)[i])
            return err_set(e, STATUS_BAD_INPUT,
                           "struct %s: of a later heddle, which can more than %s", what,
                           hd_version());
    memset(to, 0, room);
    memcpy(to, from, size < room ? size : room);
    return true;
}
