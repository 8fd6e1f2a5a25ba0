/* cost_print.c - words and bars that the subjects of heddle cost share. */
#include <string.h>

#include "cli/cost_options.h"

char *cost_next_word(char **rest, char separator)
{
    char *word = *rest, *end = word ? strchr(word, separator) : NULL;
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return word;
}

const char *cost_bar(struct arena *a, double v, double all, int width)
{
    int n = all > 0 ? (int)(v / all * width + 0.5) : 0;
    char *bar = arena_alloc(a, (size_t)width + 1);
    memset(bar, '#', (size_t)(n < 0 ? 0 : n > width ? width : n));
    return bar;
}
