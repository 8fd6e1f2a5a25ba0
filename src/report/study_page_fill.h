/* study_page_fill.h - texts with {{slots}} in them. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_FILL_H
#define HEDDLE_REPORT_STUDY_PAGE_FILL_H

#include <stddef.h>
#include <stdio.h>

struct study_page_slot {
    const char *name;
    void (*write)(FILE *out, const void *context);
};

/* Copies `text`; each {{name}} becomes what its slot writes.  `slots` ends with a NULL name; a
 * name that is not there is our own fault. */
void study_page_fill(FILE *out, const char *text, const struct study_page_slot *slots,
                     const void *context);

/* The text of a file of web/. */
const char *study_page_fill_asset(const char *name);
/* The chart renderer's script; NULL in a build without npm. */
const char *study_page_fill_renderer(void);

#endif
