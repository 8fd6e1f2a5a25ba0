/* data.h - where data files are: machines, networks, studies, kernels. */
#ifndef HEDDLE_DATA_H
#define HEDDLE_DATA_H

#include "base/arena.h"
#include "base/err.h"

/* A folder of data: "networks", "machines", "kernels". */
const char *data_folder(struct arena *a, const char *kind);

/* The file of a network: a path, or the name of one that `heddle list networks` shows. */
const char *data_network(struct arena *a, const char *name, struct err *e);
/* Names (without .yaml) and paths of all networks, sorted. */
int data_networks(struct arena *a, const char *const **names, const char *const **paths);
/* The same of machines. */
const char *data_machine(struct arena *a, const char *name, struct err *e);
int data_machines(struct arena *a, const char *const **names, const char *const **paths);

#endif
