/* shard.c - see shard.h. */
#include "study/shard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store.h"

enum { MOST_TRIES = 100000, PATH_BYTES = 4096 };

static bool make_folder(const char *folder, struct err *e)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST ||
           err_set(e, STATUS_BAD_INPUT, "%s: cannot make the folder: %s", folder, strerror(errno));
}

/* Exclusive creation is the one thing that all network file systems agree about. */
static const char *make_file(struct arena *a, const char *folder, const char *label, struct err *e)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        const char *path = arena_printf(a, "%s/%s.%d.db", folder, label, i);
        int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
        if (fd >= 0) {
            close(fd);
            return path;
        }
        if (errno == ENOENT && make_folder(folder, e)) /* somebody who gathers removed it */
            continue;
        if (errno != EEXIST) {
            err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
            return NULL;
        }
    }
    err_set(e, STATUS_BAD_INPUT, "%s: too many shards called %s", folder, label);
    return NULL;
}

const char *shard_make(struct arena *a, const char *folder, const char *label, struct err *e)
{
    const char *path = make_folder(folder, e) ? make_file(a, folder, label, e) : NULL;
    if (path && !store_share(path, e)) {
        unlink(path);
        return NULL;
    }
    return path;
}

bool shard_close(const char *path, struct err *e)
{
    struct store *s = store_open(path, e);
    bool ok = s && store_put_note(s, SHARD_CLOSED, "yes", e);
    store_close(s);
    return ok;
}

/* Whether NAME is LABEL.N.db, of this label or of any. */
static bool is_shard(const char *name, const char *label)
{
    size_t n = strlen(name);
    const char *end = name + n - 3;
    if (n < 6 || strcmp(end, ".db") != 0)
        return false;
    const char *digits = end;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (digits == end || digits <= name + 1 || digits[-1] != '.')
        return false;
    size_t stem = (size_t)(digits - 1 - name);
    return !label || (strlen(label) == stem && strncmp(name, label, stem) == 0);
}

static bool is_begun(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void add(struct arena *a, struct shard_list *l, uint32_t *room, const char *path)
{
    if (l->n == *room) {
        const char **more = ARENA_ARRAY(a, const char *, 2 * *room + 64);
        if (l->n)
            memcpy(more, l->paths, l->n * sizeof *more);
        l->paths = more;
        *room = 2 * *room + 64;
    }
    l->paths[l->n++] = path;
}

/* That of a shard which was removed by somebody who was killed before it was his journal's turn. */
static bool is_left_journal(struct arena *a, const char *name)
{
    static const char end[] = "-journal";
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0 &&
           is_shard(arena_printf(a, "%.*s", (int)(n - m), name), NULL);
}

static bool find(struct arena *a, const char *folder, const char *label, bool takes_all,
                 struct shard_list *l, struct err *e)
{
    uint32_t room = 0;
    *l = (struct shard_list){0};
    DIR *d = opendir(folder);
    if (!d)
        return errno == ENOENT || err_set(e, STATUS_BAD_INPUT, "%s: cannot read the folder: %s",
                                          folder, strerror(errno));
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        const char *path = arena_printf(a, "%s/%s", folder, f->d_name);
        if ((is_shard(f->d_name, label) && (takes_all || is_begun(path))) ||
            (takes_all && is_left_journal(a, f->d_name)))
            add(a, l, &room, path);
    }
    closedir(d);
    if (l->n)
        qsort(l->paths, l->n, sizeof *l->paths, by_name);
    return true;
}

bool shard_find(struct arena *a, const char *folder, const char *label, struct shard_list *l,
                struct err *e)
{
    return find(a, folder, label, false, l, e);
}

bool shard_remove(const char *path, struct err *e)
{
    char journal[PATH_BYTES];
    if (unlink(path) != 0 && errno != ENOENT)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot remove: %s", path, strerror(errno));
    if (snprintf(journal, sizeof journal, "%s-journal", path) < (int)sizeof journal)
        unlink(journal);
    return true;
}

bool shard_clear(struct arena *a, const char *folder, struct err *e)
{
    struct shard_list all;
    bool ok = find(a, folder, NULL, true, &all, e);
    for (uint32_t i = 0; ok && i < all.n; i++)
        ok = shard_remove(all.paths[i], e);
    rmdir(folder); /* stays where something else is in it */
    return ok;
}
