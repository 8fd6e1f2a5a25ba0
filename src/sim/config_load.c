/* config_load.c - YAML files over the parameter table, with the files they start from.
 *
 * A file is first read (config_yaml.c), then its `base:` files are loaded, then its own entries
 * applied, so that it overrides its bases wherever in it `base:` stands.  Size, number and depth of
 * files are bounded: a base may name a device, itself, or a hundred files that do the same. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/config_priv.h"

#define MAX_BYTES ((size_t)1 << 20)
#define MAX_DEPTH 16
#define MAX_FILES 256

/* One file being loaded, and the chain of files that asked for it. */
struct source {
    struct cfg_source y;
    const struct source *parent;
    int depth;
    int *files;   /* so far, in the whole config_load */
    bool on_disk; /* dev and ino are valid */
    dev_t dev;
    ino_t ino;
};

static bool load_source(struct source *s);

/* Reads up to one byte more than is allowed. */
static bool read_text(struct source *s, FILE *f, const char **why)
{
    struct stat st;
    if (fstat(fileno(f), &st) == 0) {
        s->on_disk = true;
        s->dev = st.st_dev;
        s->ino = st.st_ino;
    }
    char *text = arena_alloc(s->y.scratch, MAX_BYTES + 1);
    errno = 0;
    s->y.len = fread(text, 1, MAX_BYTES + 1, f);
    s->y.text = text;
    if (ferror(f))
        *why = arena_printf(s->y.scratch, "cannot read: %s", strerror(errno));
    else if (s->y.len > MAX_BYTES)
        *why = "larger than 1 MiB";
    return *why == NULL;
}

/* On failure *why is the reason. */
static bool read_file(struct source *s, const char **why)
{
    struct stat st;
    /* A pipe is welcome on the command line, but a base that blocks or never ends is not. */
    if (s->parent && stat(s->y.name, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        *why = "cannot read: not a regular file";
        return false;
    }
    FILE *f = fopen(s->y.name, "rb");
    if (!f) {
        *why = arena_printf(s->y.scratch, "cannot read: %s", strerror(errno));
        return false;
    }
    bool ok = read_text(s, f, why);
    fclose(f);
    return ok;
}

static bool is_inside_itself(const struct source *s)
{
    for (const struct source *p = s->parent; p; p = p->parent)
        if (p->on_disk && p->dev == s->dev && p->ino == s->ino)
            return true;
    return false;
}

static const char *beside(struct arena *a, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    if (!slash || name[0] == '/')
        return name;
    return arena_printf(a, "%.*s/%s", (int)(slash - file), file, name);
}

static bool load_base(const struct source *s, int line, const char *name)
{
    const char *why = NULL;
    struct source b = {.y = s->y, .parent = s, .depth = s->depth + 1, .files = s->files};
    b.y.name = arena_strdup(s->y.config->arena, beside(s->y.scratch, s->y.name, name));
    if (b.depth > MAX_DEPTH)
        why = "bases nested more than 16 deep";
    else if (++*s->files > MAX_FILES)
        why = "more than 256 files in all";
    else if (read_file(&b, &why) && is_inside_itself(&b))
        why = "is among its own bases";
    if (why)
        return err_set(s->y.e, STATUS_BAD_INPUT, "%.400s:%d: base: %.400s: %s", s->y.name, line,
                       b.y.name, why);
    return load_source(&b);
}

static bool load_bases(const struct source *s, const struct cfg_entry *n)
{
    bool ok = n->value.shape == CFG_SCALAR || n->value.shape == CFG_SEQUENCE;
    for (int i = 0; ok && i < n->value.n; i++)
        if (n->value.words[i][0] == '\0')
            ok = false;
    if (!ok)
        return config_yaml_refuse(&s->y, n);
    for (int i = 0; i < n->value.n; i++)
        if (!load_base(s, n->line, n->value.words[i]))
            return false;
    return true;
}

static bool set_doc(const struct source *s, const struct cfg_entry *n)
{
    if (n->value.shape != CFG_SCALAR)
        return config_yaml_refuse(&s->y, n);
    char *doc = arena_strdup(s->y.config->arena, n->value.words[0]);
    size_t len = strlen(doc);
    while (len > 0 && (doc[len - 1] == '\n' || doc[len - 1] == ' ')) /* of a `|` or `>` block */
        doc[--len] = '\0';
    for (const char *p = doc; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return config_yaml_refuse(&s->y, n);
    s->y.config->doc = doc;
    return true;
}

static bool apply(const struct source *s)
{
    for (const struct cfg_entry *n = s->y.entries; n; n = n->next)
        if (strcmp(n->key, "base") == 0 && !load_bases(s, n))
            return false;
    for (const struct cfg_entry *n = s->y.entries; n; n = n->next) {
        const struct cfg_origin from = {s->y.name, n->line};
        bool ok = true;
        if (strcmp(n->key, "doc") == 0)
            ok = set_doc(s, n);
        else if (strcmp(n->key, "base") != 0 && n->value.shape != CFG_MAP)
            ok = config_assign(s->y.config, from, n->key, &n->value, s->y.e);
        if (!ok)
            return false;
    }
    return true;
}

/* Reads and applies a source whose text is in memory. */
static bool load_source(struct source *s)
{
    return config_yaml_read(&s->y) && apply(s);
}

bool config_load(struct config *c, const char *path, struct err *e)
{
    int files = 1;
    const char *why = NULL;
    struct source s = {.y = {.config = c, .scratch = arena_new(), .e = e}, .files = &files};
    s.y.name = arena_strdup(c->arena, path);
    bool ok = read_file(&s, &why) ? load_source(&s)
                                  : err_set(e, STATUS_BAD_INPUT, "%.800s: %s", path, why);
    arena_free(s.y.scratch);
    return ok;
}

bool config_load_text(struct config *c, const char *name, const char *text, size_t len,
                      struct err *e)
{
    int files = 1;
    struct source s = {.y = {.config = c, .scratch = arena_new(), .e = e}, .files = &files};
    s.y.name = arena_strdup(c->arena, name);
    s.y.text = text;
    s.y.len = len;
    bool ok = len <= MAX_BYTES ? load_source(&s)
                               : err_set(e, STATUS_BAD_INPUT, "%.800s: larger than 1 MiB", name);
    arena_free(s.y.scratch);
    return ok;
}
