/* infile.c - whole input files. */
#include "cli/infile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

enum { CHUNK = 65536, MAX_BYTES = 1 << 30 }; /* a device may have no end */

char *infile_read(struct arena *a, const char *path, size_t *length, struct err *e)
{
    FILE *f = fopen(path, "rb");
    struct bytes b = {0};
    struct stat st;
    bool is_large = f && fstat(fileno(f), &st) == 0 && st.st_size > MAX_BYTES;
    size_t n = 1;
    while (f && n > 0 && !is_large) {
        n = fread(bytes_room(&b, CHUNK), 1, CHUNK, f);
        b.used += n;
        is_large = b.used > MAX_BYTES;
    }
    bool ok = f && !ferror(f);
    if (!ok)
        err_set(e, STATUS_BAD_INPUT, "%s: cannot read: %s", path, strerror(errno));
    else if (is_large)
        ok = err_set(e, STATUS_BAD_INPUT, "%s: larger than 1 GiB", path);
    if (f)
        fclose(f);
    char *text = ok ? arena_alloc(a, b.used + 1) : NULL;
    if (text && b.used) /* of an empty file there are no bytes */
        memcpy(text, b.at, b.used);
    *length = b.used;
    bytes_free(&b);
    return text;
}

const char *infile_beside(struct arena *a, const char *beside, const char *name)
{
    const char *slash = strrchr(beside, '/');
    if (name[0] == '/' || !slash)
        return name;
    return arena_printf(a, "%.*s/%s", (int)(slash - beside), beside, name);
}

bool infile_has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}
