/* text.h - what a writer of files writes, as a string. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdio.h>

#include "base/arena.h"

const char *text_of(struct arena *a, void (*write)(const void *context, FILE *out),
                    const void *context);

#endif
