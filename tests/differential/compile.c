/* compile.c - see compile.h.  Both sides get the same text and the same rules for floats: no
 * contraction, no fast mathematics.  The host is compiled without optimisation, which is quick and
 * as far as can be from what the device executes. */
#include "compile.h"

#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>

#define FOLDER HEDDLE_SOURCE_DIR "/tests/differential"
#define COMMON                                                                                     \
    "-std=c++17", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-math-errno", "-I",      \
        FOLDER, "-I", FOLDER "/both"

extern char **environ;

static struct compile start(const char *const *arguments)
{
    struct compile c = {0};
    if (posix_spawnp(&c.pid, arguments[0], NULL, NULL, (char *const *)(size_t)arguments, environ) !=
        0)
        c.pid = -1;
    return c;
}

struct compile compile_host(const char *source, const char *object, bool checked)
{
    const char *const arguments[] = {
        HEDDLE_CLANG,
        COMMON,
        "-x",
        "c++",
        "-shared",
        "-fPIC",
        source,
        "-o",
        object,
        "-lm",
        checked ? "-O1" : "-O0",
        checked
            ? "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,alignment,"
              "float-cast-overflow,null,return,unreachable,bool,builtin,enum"
            : "-g0",
        checked ? "-fsanitize-trap=all" : "-g0",
        NULL};
    return start(arguments);
}

/* sm_75 and PTX 7.0: tanh.approx needs them.  The folder given as CUDA's has none in it. */
struct compile compile_device(const char *source, const char *ptx, const char *level, bool calls)
{
    const char *const arguments[] = {HEDDLE_CLANG,
                                     COMMON,
                                     "-I",
                                     HEDDLE_SOURCE_DIR "/kernels",
                                     "-x",
                                     "cuda",
                                     "--cuda-device-only",
                                     "--cuda-gpu-arch=sm_75",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "--cuda-path=" FOLDER,
                                     "-Xclang",
                                     "-target-feature",
                                     "-Xclang",
                                     "+ptx70",
                                     level,
                                     calls ? "-DOPS_ARE_CALLS" : "-g0",
                                     "-S",
                                     source,
                                     "-o",
                                     ptx,
                                     NULL};
    return start(arguments);
}

bool compile_wait(struct compile c)
{
    int status = 0;
    if (c.pid <= 0 || waitpid(c.pid, &status, 0) != c.pid)
        return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
