/* files.c - see files.h. */
#include "study/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/tree.h"

const char *files_beside(struct arena *a, const char *beside, const char *name)
{
    const char *slash = strrchr(beside, '/');
    if (name[0] == '/' || !slash)
        return name;
    return arena_printf(a, "%.*s/%s", (int)(slash - beside), beside, name);
}

/* The length, too: two files are not the same as one with the contents of both. */
bool files_hash(const char *path, uint64_t *hash, struct err *e)
{
    unsigned char part[1 << 14];
    uint64_t length = 0;
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0; length += n)
        *hash = bytes_hash(*hash, part, n);
    bool ok = f && !ferror(f);
    int why = errno;
    if (f)
        fclose(f);
    bytes_store64(part, length);
    *hash = bytes_hash(*hash, part, sizeof length);
    return ok || err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", path, strerror(why));
}

/* What is under a key "file" is read, but for dumps, which are written. */
static bool hash_named(struct arena *a, const struct tree *t, uint64_t *hash, struct err *e)
{
    for (const struct tree *c = t->first; c; c = c->next) {
        bool is_file = c->kind == TREE_SCALAR && strcmp(c->key, "file") == 0;
        struct err why = {0};
        if (is_file && !files_hash(files_beside(a, c->file, c->text), hash, &why))
            return tree_refuse(c, e, "%s", why.text);
        if (strcmp(c->key, "dumps") != 0 && !hash_named(a, c, hash, e))
            return false;
    }
    return true;
}

bool files_hash_launch(const char *path, uint64_t *hash, struct err *e)
{
    struct arena *a = arena_new();
    const struct tree *top = tree_read(a, path, e);
    bool ok = top && files_hash(path, hash, e) && hash_named(a, top, hash, e);
    arena_free(a);
    return ok;
}
