/* cost_print.c - words, bars and members of documents that the subjects of heddle cost share. */
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

void cost_json_number(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

void cost_json_parts(struct json *j, const char *key, const double part[NETCOST_PARTS],
                     double scale)
{
    double sum = 0;
    json_key(j, key);
    json_open_object(j, true);
    for (int i = 0; i < NETCOST_PARTS; i++) {
        cost_json_number(j, netcost_part_names[i], part[i] * scale);
        sum += part[i] * scale;
    }
    cost_json_number(j, "total", sum);
    json_close_object(j);
}
