/* pool_stream.c - the folder of recorded workloads that a pool replays.
 *
 * A recording is written as NAME.hds.part<pid>.<host>... and gets its final name when it is whole, so
 * a file of that name can be used by any number of studies, on any number of computers, and two
 * that record the same one at once do no harm: the first stays, because somebody may be reading it.
 * Not done: removing files that no program asks for any more. */
#include "study/pool_stream.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "stream/store.h"

/* The folder can be shared with another computer, whose process ids are not ours. */
enum { STALE_S = 3600 };

uint64_t pool_stream_insns(const char *path)
{
    struct err e = {0};
    uint64_t insns = 0;
    struct stream_file *f = access(path, R_OK) == 0 ? stream_file_open(path, &e) : NULL;
    for (uint32_t i = 0; f && i < stream_file_kernels(f); i++) {
        struct stream_store *k = stream_file_kernel(f, i, &e);
        if (!k)
            break;
        insns += stream_store_totals(k).insns;
        stream_store_free(k);
    }
    if (f)
        stream_file_free(f);
    return e.status == STATUS_DONE ? insns : 0;
}

const char *pool_stream_part(struct arena *a, const char *path)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        snprintf(host, sizeof host, "unknown");
    return arena_printf(a, "%s.part%ld.%s", path, (long)getpid(), host);
}

/* A link is refused where the name is taken, and a rename is not; where there are no links (some
 * file systems of clusters), a rename has to do. */
bool pool_stream_publish(const char *part, const char *path, struct err *e)
{
    if (link(part, path) == 0 || (errno == EEXIST && pool_stream_insns(path))) {
        unlink(part);
        return true;
    }
    return rename(part, path) == 0 ||
           err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
}

void pool_stream_discard(const char *path, long pid)
{
    char folder[4096], start[64], part[8192];
    const char *slash = strrchr(path, '/');
    if (!slash ||
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) >= (int)sizeof folder)
        return;
    size_t stem = strlen(slash + 1);
    int n = snprintf(start, sizeof start, ".part%ld", pid);
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d)) != NULL;) {
        const char *end = strlen(f->d_name) > stem ? f->d_name + stem : "";
        bool is_its = strncmp(f->d_name, slash + 1, stem) == 0 &&
                      strncmp(end, start, (size_t)n) == 0 && (!end[n] || end[n] == '.');
        if (is_its && snprintf(part, sizeof part, "%s/%s", folder, f->d_name) < (int)sizeof part)
            unlink(part);
    }
    if (d)
        closedir(d);
}

static void remove_stale(const char *folder, const char *name)
{
    const char *part = strstr(name, ".hds.part");
    char path[4096];
    struct stat st;
    long pid = part ? strtol(part + 9, NULL, 10) : 0;
    if (pid <= 0 || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return;
    bool is_gone = kill((pid_t)pid, 0) != 0 && errno == ESRCH;
    if (is_gone && stat(path, &st) == 0 && time(NULL) - st.st_mtime > STALE_S)
        unlink(path);
}

bool pool_stream_folder(const char *path, struct err *e)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot make the folder: %s", path,
                       strerror(errno));
    DIR *d = opendir(path);
    if (!d)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot read the folder: %s", path,
                       strerror(errno));
    for (struct dirent *f; (f = readdir(d)) != NULL;)
        remove_stale(path, f->d_name);
    closedir(d);
    return access(path, W_OK) == 0 ||
           err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
}
