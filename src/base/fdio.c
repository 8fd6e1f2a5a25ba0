/* fdio.c - whole reads and writes at a place in a file, and files that are gone when closed. */
#include "base/fdio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

bool fdio_write(int fd, uint64_t offset, const void *p, size_t n)
{
    const char *at = p;
    while (n) {
        ssize_t done = pwrite(fd, at, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        offset += (uint64_t)done;
        n -= (size_t)done;
    }
    return true;
}

bool fdio_read(int fd, uint64_t offset, void *p, size_t n)
{
    char *at = p;
    while (n) {
        ssize_t done = pread(fd, at, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = 0;
        if (done <= 0)
            return false;
        at += done;
        offset += (uint64_t)done;
        n -= (size_t)done;
    }
    return true;
}

int fdio_temp(struct err *e)
{
    const char *dir = getenv("TMPDIR");
    char path[4096];
    if (!dir || !*dir)
        dir = "/tmp";
    int fd = -1;
    if (snprintf(path, sizeof path, "%s/heddle.XXXXXX", dir) >= (int)sizeof path)
        errno = ENAMETOOLONG;
    else
        fd = mkstemp(path);
    if (fd < 0) {
        err_set(e, STATUS_BAD_INPUT, "%s: cannot write a temporary file: %s", dir, strerror(errno));
        return -1;
    }
    unlink(path);
    return fd;
}
