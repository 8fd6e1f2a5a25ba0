/* picture_rig.h - a folder to write pictures into, and a look at what was written. */
#ifndef HEDDLE_TESTS_RIG_PICTURE_RIG_H
#define HEDDLE_TESTS_RIG_PICTURE_RIG_H

#include "report/svg.h"

/* Works in a new empty folder until left; leaving removes it and the files in it. */
void picture_rig_enter(void);
void picture_rig_leave(void);
int picture_rig_files(void);

/* The whole file, to be freed; NULL when there is none. */
char *picture_rig_read(const char *path);
int picture_rig_count(const char *text, const char *part);
/* Every element that is opened is closed, in order. */
bool picture_rig_is_well_formed(const char *text);

#endif
