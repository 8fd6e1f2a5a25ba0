/* Who holds a lock, and when it is nobody any more. */
#include "study/lockfile.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "check.h"

struct world {
    char dir[64], path[96];
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.dir = "/tmp/heddle-lock-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    snprintf(w->path, sizeof w->path, "%s/lock", w->dir);
}

static void close_world(struct world *w)
{
    unlink(w->path);
    CHECK_EQ(rmdir(w->dir), 0);
}

static void sign(const struct world *w, long pid, const char *host)
{
    FILE *f = fopen(w->path, "w");
    CHECK(f);
    fprintf(f, "%ld %s\n", pid, host);
    CHECK_EQ(fclose(f), 0);
}

static long dead_process(void)
{
    pid_t p = fork();
    if (p == 0)
        _exit(0);
    CHECK_EQ(waitpid(p, NULL, 0), p);
    return p;
}

static void one_at_a_time_holds_it_and_others_are_told_who(void)
{
    struct world w;
    open_world(&w);
    CHECK(lockfile_take(w.path, "gathers", 0, &w.e));
    CHECK(!lockfile_take(w.path, "gathers", 0, &w.e));
    CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
    char who[64];
    snprintf(who, sizeof who, ": process %ld on ", (long)getpid());
    CHECK(strstr(w.e.text, who) && strstr(w.e.text, " gathers; "));
    lockfile_release(w.path);
    w.e = (struct err){0};
    CHECK(lockfile_take(w.path, "gathers", 0, &w.e));
    close_world(&w);
}

static void one_that_died_here_holds_it_no_longer(void)
{
    struct world w;
    char host[256] = "";
    open_world(&w);
    gethostname(host, sizeof host - 1);
    sign(&w, dead_process(), host);
    CHECK(lockfile_take(w.path, "gathers", 0, &w.e));
    close_world(&w);
}

static void one_elsewhere_holds_it_until_it_touches_it_no_more(void)
{
    struct world w;
    time_t long_ago = time(NULL) - 3600;
    open_world(&w);
    sign(&w, dead_process(), "elsewhere.invalid");
    CHECK(!lockfile_take(w.path, "gathers", 0, &w.e));
    CHECK(strstr(w.e.text, "elsewhere.invalid"));
    CHECK_EQ(utime(w.path, &(struct utimbuf){long_ago, long_ago}), 0);
    lockfile_touch(w.path);
    CHECK(!lockfile_take(w.path, "gathers", 0, &w.e));
    CHECK_EQ(utime(w.path, &(struct utimbuf){long_ago, long_ago}), 0);
    w.e = (struct err){0};
    CHECK(lockfile_take(w.path, "gathers", 0, &w.e));
    close_world(&w);
}

static void one_that_died_before_it_could_sign_holds_it_no_longer(void)
{
    struct world w;
    time_t a_while_ago = time(NULL) - 60;
    open_world(&w);
    FILE *f = fopen(w.path, "w");
    CHECK(f && fclose(f) == 0);
    CHECK(!lockfile_take(w.path, "gathers", 0, &w.e));
    CHECK_EQ(utime(w.path, &(struct utimbuf){a_while_ago, a_while_ago}), 0);
    w.e = (struct err){0};
    CHECK(lockfile_take(w.path, "gathers", 0, &w.e));
    close_world(&w);
}

static void where_nothing_can_be_written_nobody_holds_it(void)
{
    struct err e = {0};
    CHECK(!lockfile_take("/proc/heddle/lock", "gathers", 0, &e));
    CHECK(strstr(e.text, "cannot write"));
}

CHECK_MAIN("lockfile", TEST(one_at_a_time_holds_it_and_others_are_told_who),
           TEST(one_that_died_here_holds_it_no_longer),
           TEST(one_elsewhere_holds_it_until_it_touches_it_no_more),
           TEST(one_that_died_before_it_could_sign_holds_it_no_longer),
           TEST(where_nothing_can_be_written_nobody_holds_it))
