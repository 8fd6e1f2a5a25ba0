/* config_priv.h - what the config_*.c files share; everybody else includes config.h. */
#ifndef HEDDLE_SIM_CONFIG_PRIV_H
#define HEDDLE_SIM_CONFIG_PRIV_H

#include <stdatomic.h>

#include "sim/config.h"

#define CFG_MAX_LIST 65536

/* Who gave a field its value: a file and line, or (line 0) the text of the --set.
 * name is NULL as long as the default stands. */
struct cfg_origin {
    const char *name;
    int line;
};

/* A parameter that config_set has changed. */
struct cfg_setting {
    struct cfg_setting *next;
    int section, field;
    const char *before; /* its value then, as text */
};

struct config {
    struct arena *arena;
    const struct cfg_section *const *sections;
    int nsections;
    void **values;               /* per section: its spec struct */
    struct cfg_origin **origins; /* per section: one for each field */
    atomic_bool *is_read; /* per section; machines of several threads may be built of one config */
    struct cfg_setting *settings, **last_setting; /* in the order in which they came */
    const char *doc;
    const struct cfg_foreign *foreign;
    int nforeign;
};

/* One value as it was written, before anyone looked at the type of its field. */
enum cfg_shape { CFG_SCALAR, CFG_SEQUENCE, CFG_MAP, CFG_NULL };

struct cfg_text {
    enum cfg_shape shape;
    const char *const *words; /* the scalar, or the elements of the sequence */
    int n;
};

#define CFG_WHY_N 640

/* Parses `t` into the member of field f at `member`; what must outlive the call goes to `a`.
 * On failure `why` says what was expected and what was found. */
bool config_value_parse(struct arena *a, const struct cfg_field *f, const struct cfg_text *t,
                        void *member, char why[CFG_WHY_N]);
void config_value_json(const struct cfg_field *f, const void *member, struct json *j);
/* The value as text, the same for equal values: what the hash is taken of. */
const char *config_value_text(struct arena *a, const struct cfg_field *f, const void *member);
const char *config_value_type(const struct cfg_field *f);
/* A bound of a range as people write it: 4096, 0.5, 1e+18. */
const char *config_value_bound(char buf[32], double v);

/* One key of a file and its value. */
struct cfg_entry {
    struct cfg_entry *next;
    const char *key; /* "section.field", "base" or "doc" */
    int line;
    struct cfg_text value; /* CFG_MAP: a whole section, whose fields have entries of their own */
};

/* The text of one file, and where to put what is in it. */
struct cfg_source {
    struct config *config; /* for the names of parameters; its values are not touched */
    struct arena *scratch;
    struct err *e;
    const char *name;
    const char *text;
    size_t len;
    struct cfg_entry *entries; /* result, in the order of the file */
};

bool config_yaml_read(struct cfg_source *s);
/* "file:1: base: expected ...": base and doc have no row that could say what they take. */
bool config_yaml_refuse(const struct cfg_source *s, const struct cfg_entry *n);

/* "section.field" -> indices. */
bool config_find(const struct config *c, const char *key, int *section, int *field);
void *config_member(const struct config *c, int section, int field);
bool config_assign(struct config *c, struct cfg_origin from, const char *key,
                   const struct cfg_text *t, struct err *e);
/* "file:7: mesh.width: why" or "--set mesh.width=x: why". */
bool config_refuse(struct err *e, struct cfg_origin from, const char *key, const char *why);
bool config_refuse_unknown(const struct config *c, struct err *e, struct cfg_origin from,
                           const char *key);
/* To be told before a value changes. */
void config_note_setting(struct config *c, int section, int field);
/* Why a key (section, or section.field) is not for this kind of configuration, or NULL. */
const char *config_why_foreign(const struct config *c, const char *key);

#endif
