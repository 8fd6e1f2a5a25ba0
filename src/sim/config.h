/* config.h - the one table of parameters.
 *
 * A section is declared once, by its owner, as a list of rows: type, name, default, range, unit
 * and one line of documentation.  From those rows come the struct the owner reads, the YAML
 * loader, `--set`, the range errors, `heddle list params`, the docs and the echo in results.
 *
 *     #define MESH_ROWS(F, id)                                                            \
 *         F(id, INT, width, "8", 1, 4096, "routers", "routers per row")                      \
 *         F(id, LIST, mem, "", 0, 1e9, "node", "nodes that are memory nodes")
 *     CFG_STRUCT(mesh, MESH_ROWS)                          (in the .c or the header)
 *     CFG_SECTION(mesh, MESH_ROWS, "2D mesh topology")     (in the .c)
 *
 *     const struct mesh_spec *s = config_get(cfg, &mesh_section);
 *
 * In YAML:   mesh: {width: 4, mem: [3, 12]}      on the command line:   --set mesh.width=4
 * A file may start from another:   base: other.yaml   (path relative to the file). */
#ifndef HEDDLE_SIM_CONFIG_H
#define HEDDLE_SIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"

enum cfg_type { CFG_INT, CFG_REAL, CFG_BOOL, CFG_STR, CFG_CHOICE, CFG_LIST };

/* A list of integers, or of numbers where the row says so; owned by the config's arena. */
struct cfg_list {
    int n;
    const int64_t *v;
};

typedef int64_t cfg_t_INT;
typedef double cfg_t_REAL;
typedef bool cfg_t_BOOL;
typedef const char *cfg_t_STR;
typedef const char *cfg_t_CHOICE;   /* unit column: the allowed words, "a|b|c" */
typedef struct cfg_list cfg_t_LIST; /* range applies to each element */

struct cfg_field {
    const char *name;
    enum cfg_type type;
    size_t offset;
    const char *def; /* parsed by the same setter as user input */
    double lo, hi;   /* inclusive; for INT, REAL and LIST */
    const char *unit;
    const char *doc;
};

/* Rows that are of use only when another parameter has, or has not, a certain value. */
struct cfg_need {
    const char *rows; /* "entries|latency"; "*": all but the one that is looked at */
    const char *when; /* "icc.enabled=true", "noc.topology!=ideal|other", "dram.trefi!=0" */
};

struct cfg_section {
    const char *name;
    const char *doc;
    size_t size;
    const struct cfg_field *fields;
    int nfields;
    const struct cfg_need *needs;
    int nneeds;
};

#define CFG_MEMBER_(id, type, name, def, lo, hi, unit, doc) cfg_t_##type name;
#define CFG_ROW_(id, type, name, def, lo, hi, unit, doc)                                           \
    {#name, CFG_##type, offsetof(struct id, name), def, lo, hi, unit, doc},

/* ROWS takes (F, id) and calls F(id, type, name, ...) per row. */
#define CFG_STRUCT(id, ROWS)                                                                       \
    struct id##_spec {                                                                             \
        ROWS(CFG_MEMBER_, id##_spec)                                                               \
    };
#define CFG_SECTION(id, ROWS, docline)                                                             \
    CFG_FIELDS_(id, ROWS)                                                                          \
    const struct cfg_section id##_section = {CFG_TABLE_(id, docline), NULL, 0};
/* The same with struct cfg_needs after the line of documentation. */
#define CFG_SECTION_WHEN(id, ROWS, docline, ...)                                                   \
    CFG_FIELDS_(id, ROWS)                                                                          \
    static const struct cfg_need id##_needs_[] = {__VA_ARGS__};                                    \
    const struct cfg_section id##_section = {CFG_TABLE_(id, docline), id##_needs_,                 \
                                             (int)(sizeof id##_needs_ / sizeof id##_needs_[0])};
#define CFG_FIELDS_(id, ROWS)                                                                      \
    static const struct cfg_field id##_fields_[] = {ROWS(CFG_ROW_, id##_spec)};
#define CFG_TABLE_(id, docline)                                                                    \
#id, docline, sizeof(struct id##_spec), id##_fields_,                                          \
        (int)(sizeof id##_fields_ / sizeof id##_fields_[0])

struct config;

/* For lists of sections that come from registries: adds one unless it is NULL or there already.
 * Returns the new length. */
int config_add_section(const struct cfg_section **all, int n, int room,
                       const struct cfg_section *s);

/* All fields get their defaults.  `sections` must outlive the config. */
struct config *config_new(struct arena *a, const struct cfg_section *const *sections, int n);

/* Sections that a configuration of another kind has, and why this one has not: said to who uses
 * them.  `rows` must outlive the config. */
struct cfg_foreign {
    const char *section, *why;
};
void config_foreign(struct config *c, const struct cfg_foreign *rows, int n);

/* Loads a YAML file over what is there.  On an error *e names file:line, key and what was
 * expected; the config is then unusable. */
bool config_load(struct config *c, const char *path, struct err *e);

/* The same from memory; `name` stands for the file in errors and, by its folder, for `base:`. */
bool config_load_text(struct config *c, const char *name, const char *text, size_t len,
                      struct err *e);

/* "mesh.width=4".  Errors are blamed on "--set mesh.width=4". */
bool config_set(struct config *c, const char *assignment, struct err *e);
/* The same for an option that stands for a parameter: it is not among the settings that are asked for
 * their effect. */
bool config_set_option(struct config *c, const char *assignment, struct err *e);

/* Remembers that the section was asked for: see config_why_idle. */
const void *config_get(const struct config *c, const struct cfg_section *s);

/* Other defaults for rows that belong together: "width=4 height=4", of a section.  If anybody gave one
 * of them a value, or if one is outside its range, all stay as they are. */
void config_fit(struct config *c, const struct cfg_section *s, const char *values);

/* ---- settings without effect ---- */

/* The i-th parameter that was set by config_set; NULL: there are no more.  *is_same: its value is
 * what it was before. */
const char *config_setting(const struct config *c, int i, bool *is_same);
/* Why "section.field" changes nothing in what has been built of this configuration: nobody asked for
 * its section, or what it needs is not so.  NULL: it may well change something. */
const char *config_why_idle(const struct config *c, struct arena *a, const char *key);

/* For checks that need two fields or a registry: "mesh.yaml:7: mesh.width: <message>". */
bool config_blame(const struct config *c, struct err *e, const struct cfg_section *s,
                  const char *field, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* For a value that names nothing in a registry: `gpu.cta_scheduler: no CTA scheduler "rt"; did you
 * mean rr?`, or, when no name is near, what lists them. */
struct cfg_registry {
    const char *what, *list; /* "CTA scheduler", "policies": heddle list policies */
    int n;
    const char *(*name)(int i);
};
bool config_no_such(const struct config *c, struct err *e, const struct cfg_section *s,
                    const char *field, const char *value, const struct cfg_registry *r);

/* The row of "section.field"; NULL with *e set if there is none. */
const struct cfg_field *config_field(const struct config *c, const char *key, struct err *e);

/* `heddle list params`. */
void config_describe(const struct config *c, FILE *out);
void config_names(const struct config *c, FILE *out); /* one key per line, for completion */

/* Every value as resolved, for results: a JSON object of sections. */
void config_echo_json(const struct config *c, struct json *j);
char *config_echo_text(const struct config *c, struct arena *a);
/* 64-bit hash of all values, or of those of sections that `wants`, unless NULL, says yes to. */
uint64_t config_hash(const struct config *c,
                     bool (*wants)(const void *context, const char *section), const void *context);
/* The hash of the values that a file or --set gave: what was asked for, whatever defaults are. */
uint64_t config_hash_set(const struct config *c);
/* Whether a word ("a|b": one of several) is the value of some parameter, or one of a list in it. */
bool config_names_any(const struct config *c, const char *words);

/* The one-line description (`doc: ...` key at the top of a YAML file), or "". */
const char *config_doc(const struct config *c);

#endif
