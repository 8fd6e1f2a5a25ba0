/* list_studies.h - heddle list studies. */
#ifndef HEDDLE_CLI_LIST_STUDIES_H
#define HEDDLE_CLI_LIST_STUDIES_H

#include <stdbool.h>

/* Name, title and what there is to run, of each study there is. */
void list_studies(bool names_only);

#endif
