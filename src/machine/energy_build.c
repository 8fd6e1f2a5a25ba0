/* energy_build.c - lines of energy bills: reading what they count, once, and counting it.
 *
 * Only sums with constant weights can be written, which is what keeps bills linear.  A line that
 * cannot be read is our own fault and asserted: nobody else writes any. */
#include "machine/energy_build.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NETWORKS "noc.*."

struct term {
    double times;
    const char *name; /* of a statistic; NULL: time */
    bool is_seconds;  /* else SM cycles */
};

struct sum {
    int n;
    struct term term[];
};

static double count_sum(const struct results_view *v, const void *context)
{
    const struct sum *s = context;
    double x = 0;
    for (int i = 0; i < s->n; i++) {
        const struct term *t = &s->term[i];
        double value = t->name         ? results_get(v, t->name)
                       : t->is_seconds ? results_seconds(v)
                                       : (double)v->cycles;
        x += t->times * value;
    }
    return x;
}

static struct term term_of(double times, const char *name)
{
    bool is_seconds = strcmp(name, "seconds") == 0, is_cycles = strcmp(name, "cycles") == 0;
    return (struct term){times, is_seconds || is_cycles ? NULL : name, is_seconds};
}

/* Of one word; of a statistic of networks, one for each of them. */
static void add_terms(const struct energy_builder *b, struct sum *s, double times, char *word)
{
    if (strncmp(word, NETWORKS, strlen(NETWORKS)) != 0) {
        s->term[s->n++] = term_of(times, word);
        return;
    }
    for (int i = 0; i < b->graphs->n; i++)
        s->term[s->n++] = term_of(
            times, arena_printf(b->arena, "%s.%s", b->graphs->name[i], word + strlen(NETWORKS)));
}

static size_t count_words(const char *text)
{
    size_t n = 1;
    for (; *text; text++)
        n += *text == ' ';
    return n;
}

/* "- 0.5 name" and the like: an optional sign, an optional number, a word. */
static struct sum *sum_read(const struct energy_builder *b, const char *counts)
{
    size_t most = count_words(counts) * (size_t)(b->graphs->n > 1 ? b->graphs->n : 1);
    struct sum *s = arena_alloc(b->arena, sizeof *s + most * sizeof s->term[0]);
    char *rest, *text = arena_strdup(b->arena, counts);
    double times = 1;
    bool has_word = false;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        if (strcmp(w, "+") == 0 || strcmp(w, "-") == 0) {
            HD_ASSERT(has_word, "nothing before a sign in \"%s\"", counts);
            times = *w == '-' ? -1 : 1;
            has_word = false;
        } else if (isdigit((unsigned char)*w)) {
            times *= strtod(w, NULL);
        } else {
            HD_ASSERT(!has_word, "no sign between two words of \"%s\"", counts);
            add_terms(b, s, times, w);
            has_word = true;
        }
    }
    HD_ASSERT(has_word, "nothing at the end of \"%s\"", counts);
    return s;
}

void energy_add_counted(struct energy_builder *b, const struct energy_item *line)
{
    enum { ROOM_AT_FIRST = 32 };
    HD_ASSERT(line->each >= 0 && line->count && line->unit && line->counts && line->source,
              "half a line: %s", line->name);
    if (b->n == b->room) {
        int room = b->room ? 2 * b->room : ROOM_AT_FIRST;
        struct energy_item *more = ARENA_ARRAY(b->arena, struct energy_item, room);
        if (b->n)
            memcpy(more, b->item, (size_t)b->n * sizeof *more);
        b->item = more;
        b->room = room;
    }
    b->item[b->n++] = *line;
}

void energy_add(struct energy_builder *b, const struct energy_item *line)
{
    struct energy_item x = *line;
    x.count = count_sum;
    x.context = sum_read(b, line->counts);
    energy_add_counted(b, &x);
}
