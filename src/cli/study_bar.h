/* study_bar.h - how far a study is: one line on a terminal, nothing in a pipe. */
#ifndef HEDDLE_CLI_STUDY_BAR_H
#define HEDDLE_CLI_STUDY_BAR_H

#include <stdbool.h>

#include "study/pool.h"

struct study_bar {
    bool is_terminal, is_shown;
    double shown_s;
    uint32_t shown_over; /* runs that were over then */
};

void study_bar_init(struct study_bar *b);
void study_bar_show(struct study_bar *b, const struct pool_progress *p);
void study_bar_wipe(struct study_bar *b);
/* "4 s", "12 min", "3 h 20 min" */
void study_bar_time(char *text, size_t n, double s);

#endif
