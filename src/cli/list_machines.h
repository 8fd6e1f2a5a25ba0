/* list_machines.h - heddle list machines. */
#ifndef HEDDLE_CLI_LIST_MACHINES_H
#define HEDDLE_CLI_LIST_MACHINES_H

#include <stdbool.h>

/* Name, description and a line of figures that follow from the file, of each machine there is. */
void list_machines(bool names_only);

#endif
