/* process.c - one child process and the last words it said.
 *
 * The pipe does two things: it brings the words, and its end says that the child has ended,
 * however it did, so that no signal handler is needed.  Errors are lines on it, the last of which
 * counts: a failed assertion and the complaint of a sanitizer are reasons like any other.
 * Children are not held to limits of time or memory. */
#include "study/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* ---- in the child ----------------------------------------------------------------------------- */

/* Whether the parent is still there to be told. */
static bool die_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    return getppid() == parent; /* it may have died before the call */
}

/* An interrupt from the keyboard reaches the whole group: the parent decides what it means.  A
 * limit on the size of files is a full disk, not a crash.  A hangup that the parent ignores (nohup)
 * is ignored here, too. */
static void set_signals(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    if (signal(SIGHUP, SIG_DFL) == SIG_IGN)
        signal(SIGHUP, SIG_IGN);
}

static void be_child(int words, pid_t parent, const struct process_body *b)
{
    struct err e = {0};
    set_signals();
    if (dup2(words, STDOUT_FILENO) < 0 || dup2(words, STDERR_FILENO) < 0 ||
        !die_with_parent(parent))
        b->leave(STATUS_FAILED);
    if (!b->run(b->context, &e))
        fprintf(stderr, "\n%s\n", e.text);
    b->leave((int)e.status);
}

/* ---- in the parent ---------------------------------------------------------------------------- */

bool process_start(struct process *p, const struct process_body *b, struct err *e)
{
    int ends[2];
    pid_t parent = getpid();
    *p = (struct process){0};
    if (pipe(ends) != 0)
        return err_set(e, STATUS_FAILED, "no pipe to a new process: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL); /* or the child has it in its buffers, too */
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_child(ends[1], parent, b);
    }
    int why = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return err_set(e, STATUS_FAILED, "no new process: %s", strerror(why));
    }
    p->pid = pid;
    p->words = ends[0];
    return true;
}

bool process_listen(struct process *p)
{
    for (;;) {
        if (p->n == sizeof p->said - 1) { /* the older half is forgotten */
            memmove(p->said, p->said + p->n / 2, p->n - p->n / 2);
            p->n -= p->n / 2;
        }
        ssize_t n = read(p->words, p->said + p->n, sizeof p->said - 1 - p->n);
        if (n > 0)
            p->n += (size_t)n;
        else
            return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
}

static const char *last_line(struct process *p)
{
    size_t n = p->n;
    while (n && p->said[n - 1] == '\n')
        n--;
    p->said[n] = '\0';
    const char *line = strrchr(p->said, '\n');
    return line ? line + 1 : p->said;
}

static int wait_for(struct process *p)
{
    int status = 0;
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(p->words);
    p->pid = 0;
    return status;
}

const char *process_reap(struct process *p, struct arena *a)
{
    int status = wait_for(p);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    const char *line = last_line(p), *colon = *line ? ": " : "";
    if (WIFSIGNALED(status))
        return arena_printf(a, "killed by signal %d (%s)%s%s", WTERMSIG(status),
                            strsignal(WTERMSIG(status)), colon, line);
    return arena_printf(a, "status %d%s%s", WEXITSTATUS(status), colon, line);
}

/* Nothing gentler: a child that has just been forked still has its parent's signal handlers.  The
 * store and the recordings stand it. */
void process_kill(struct process *p)
{
    kill(p->pid, SIGKILL);
    wait_for(p);
}
