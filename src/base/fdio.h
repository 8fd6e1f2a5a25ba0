/* fdio.h - whole reads and writes at a place in a file, and files that are gone when closed. */
#ifndef HEDDLE_BASE_FDIO_H
#define HEDDLE_BASE_FDIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Both set errno when they fail; a file that ends too early fails with errno 0. */
bool fdio_write(int fd, uint64_t offset, const void *p, size_t n);
bool fdio_read(int fd, uint64_t offset, void *p, size_t n);

/* A file without a name in $TMPDIR, else /tmp; -1 with *e set when there can be none. */
int fdio_temp(struct err *e);

#endif
