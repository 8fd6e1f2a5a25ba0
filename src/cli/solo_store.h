/* solo_store.h - what is kept of runs of programs alone, so that they need not be run again.
 *
 * Nothing depends on it: where it cannot be read or written, programs are run again. */
#ifndef HEDDLE_CLI_SOLO_STORE_H
#define HEDDLE_CLI_SOLO_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct solo_store;
struct solo_store *solo_store_open(const char *path); /* a database; NULL: nothing is kept */
void solo_store_close(struct solo_store *s);
bool solo_store_get(struct solo_store *s, uint64_t key, uint64_t *cycles);
void solo_store_put(struct solo_store *s, uint64_t key, const char *program, uint64_t cycles);

#endif
