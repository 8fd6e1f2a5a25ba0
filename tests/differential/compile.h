/* compile.h - generated source through clang: a shared object for the host, PTX for the device. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_COMPILE_H
#define HEDDLE_TESTS_DIFFERENTIAL_COMPILE_H

#include <stdbool.h>
#include <sys/types.h>

/* A clang at work; finished by compile_wait, which says whether it succeeded. */
struct compile {
    pid_t pid;
};

/* `checked`: undefined behaviour traps. */
struct compile compile_host(const char *source, const char *object, bool checked);
/* `calls`: nothing is inlined, every operation is a call. */
struct compile compile_device(const char *source, const char *ptx, const char *level, bool calls);
bool compile_wait(struct compile c);

#endif
