/* explore_page.h - what an exploration found as one self-contained page. */
#ifndef HEDDLE_REPORT_EXPLORE_PAGE_H
#define HEDDLE_REPORT_EXPLORE_PAGE_H

#include <stdio.h>

#include "explore/explore_out.h"

/* Members of the object that is open: what the page is drawn from, and what results.json has. */
void explore_page_data(const struct explore_result *all, uint32_t n, struct arena *a,
                       struct json *j);
struct explore_page_origin {
    const char *version, *command; /* the program's, and what made this */
    const char *reasons;           /* address of the page that explains it; NULL: none */
};
/* Of one machine or several of one file. */
bool explore_page_write(const struct explore_result *all, uint32_t n,
                        const struct explore_page_origin *origin, struct arena *a, FILE *out,
                        struct err *e);

#endif
