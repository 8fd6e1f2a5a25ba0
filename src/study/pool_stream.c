/* pool_stream.c - the folder of recorded workloads that a pool replays.
 *
 * A recording is written as NAME.hds.part<pid> and renamed when it is whole, so a file with its
 * final name can be used by any number of studies, and two that record the same one at once do
 * no harm.  Not done: removing files that no program asks for any more. */
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

void pool_stream_discard(const char *path, long pid)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part%ld", path, pid) < (int)sizeof part)
        unlink(part);
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
