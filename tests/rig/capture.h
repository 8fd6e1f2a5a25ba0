/* capture.h - what code prints, and how it dies, as values a test can check.
 *
 *     struct text t;
 *     text_open(&t);
 *     config_names(c, t.out);
 *     CHECK_STR(text_close(&t), "mesh.width\n");
 *     text_free(&t);
 *
 *     struct death d = death_of(alloc_everything);
 *     CHECK_EQ(d.status, 4); */
#ifndef HEDDLE_TESTS_RIG_CAPTURE_H
#define HEDDLE_TESTS_RIG_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct text {
    FILE *out;
    char *s;
    size_t len;
};

/* No address of a local may escape before it has its final place, hence two steps. */
static inline void text_open(struct text *t)
{
    t->s = NULL;
    t->len = 0;
    t->out = open_memstream(&t->s, &t->len);
}

static inline const char *text_close(struct text *t)
{
    fclose(t->out);
    return t->s;
}

static inline void text_free(struct text *t)
{
    free(t->s);
}

struct death {
    int status; /* exit status, or -1 */
    int signal; /* or 0 */
    char text[2048];
};

/* Runs fn in a child process and tells how it ended and what it wrote to standard error. */
static inline struct death death_of(void (*fn)(void))
{
    struct death d = {.status = -1};
    int pipe_fd[2], how = 0;
    if (pipe(pipe_fd) != 0)
        return d;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_fd[1], STDERR_FILENO);
        close(pipe_fd[0]);
        fn();
        _exit(0);
    }
    close(pipe_fd[1]);
    size_t at = 0;
    for (ssize_t n; at < sizeof d.text - 1; at += (size_t)n)
        if ((n = read(pipe_fd[0], d.text + at, sizeof d.text - 1 - at)) <= 0)
            break;
    close(pipe_fd[0]);
    waitpid(child, &how, 0);
    d.status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    d.signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return d;
}

#endif
