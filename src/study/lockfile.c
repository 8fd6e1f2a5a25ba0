/* lockfile.c - see lockfile.h. */
#include "study/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Signing takes no time at all: who has not done it for that long was killed in between. */
enum { HOST = 256, STALE_S = 600, UNSIGNED_S = 10 };

static void host_name(char host[HOST])
{
    if (gethostname(host, HOST - 1) != 0 || !*host)
        snprintf(host, HOST, "unknown");
    host[HOST - 1] = '\0';
}

static bool make(const char *path)
{
    char text[HOST + 32], host[HOST] = "";
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (fd < 0)
        return false;
    host_name(host);
    int n = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    if (write(fd, text, (size_t)n) != n)
        errno = 0; /* a lock that nobody signed is one, too */
    close(fd);
    return true;
}

struct holder {
    long pid;
    char host[HOST];
};

static bool read_holder(const char *path, struct holder *h)
{
    FILE *f = fopen(path, "r");
    bool ok = f && fscanf(f, "%ld %255s", &h->pid, h->host) == 2;
    if (f)
        fclose(f);
    return ok;
}

static bool is_older(const char *path, int seconds)
{
    struct stat st;
    return stat(path, &st) == 0 && time(NULL) - st.st_mtime > seconds;
}

/* Here that can be asked; elsewhere it shows in a file that nobody touches any more. */
static bool is_gone(const char *path, const struct holder *h)
{
    char host[HOST] = "";
    host_name(host);
    if (strcmp(h->host, host) == 0)
        return kill((pid_t)h->pid, 0) != 0 && errno == ESRCH;
    return is_older(path, STALE_S);
}

bool lockfile_take(const char *path, const char *doing, unsigned wait_s, struct err *e)
{
    struct holder h = {0, "somebody"};
    for (unsigned waited = 0;;) {
        if (make(path))
            return true;
        if (errno != EEXIST)
            return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
        if (read_holder(path, &h) ? is_gone(path, &h) : is_older(path, UNSIGNED_S))
            unlink(path);
        else if (waited++ < wait_s)
            sleep(1);
        else
            break;
    }
    return err_set(e, STATUS_BAD_INPUT,
                   "%s: process %ld on %s %s; if it does not exist any more, remove the file", path,
                   h.pid, h.host, doing);
}

void lockfile_release(const char *path)
{
    unlink(path);
}

void lockfile_touch(const char *path)
{
    utime(path, NULL);
}
