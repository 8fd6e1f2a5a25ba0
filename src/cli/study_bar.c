/* study_bar.c - how far a study is: one line on a terminal, nothing in a pipe. */
#include "cli/study_bar.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 24, LABEL = 30 };

void study_bar_init(struct study_bar *b)
{
    *b = (struct study_bar){.is_terminal = isatty(STDERR_FILENO)};
}

void study_bar_time(char *text, size_t n, double s)
{
    long minutes = (long)(s / 60 + 0.5);
    if (s < 90)
        snprintf(text, n, "%.0f s", s);
    else if (minutes < 90)
        snprintf(text, n, "%ld min", minutes);
    else
        snprintf(text, n, "%ld h %02ld min", minutes / 60, minutes % 60);
}

void study_bar_show(struct study_bar *b, const struct pool_progress *p)
{
    uint32_t over = p->done + p->failed + p->cached;
    bool is_due = over != b->shown_over || p->elapsed_s - b->shown_s > 0.5;
    if (!b->is_terminal || !p->total || (b->is_shown && !is_due))
        return;
    char bar[WIDTH + 1], left[32] = "";
    uint32_t full = (uint32_t)((uint64_t)over * WIDTH / p->total);
    memset(bar, '.', WIDTH);
    memset(bar, '#', full);
    bar[WIDTH] = '\0';
    if (p->left_s >= 0)
        study_bar_time(left, sizeof left, p->left_s);
    fprintf(stderr, "\r[%s] %u of %u runs", bar, over, p->total);
    if (p->failed)
        fprintf(stderr, ", %u failed", p->failed);
    if (*left && p->running)
        fprintf(stderr, ", about %s left", left);
    if (p->last)
        fprintf(stderr, "; %.*s", LABEL, p->last);
    fputs("\033[K", stderr);
    fflush(stderr);
    b->is_shown = true;
    b->shown_s = p->elapsed_s;
    b->shown_over = over;
}

void study_bar_wipe(struct study_bar *b)
{
    if (b->is_shown)
        fputs("\r\033[K", stderr);
    b->is_shown = false;
}
