/* analyse.c - see analyse.h. */
#include "cli/analyse.h"

#include <string.h>

#include "base/str.h"
#include "cli/analyse_meetings.h"
#include "cli/analyse_sharing.h"

static const struct {
    const char *name, *setting;
    const char *proof; /* a statistic that is there when it is on */
    void (*print)(const struct run_report *r, struct arena *a, FILE *out);
} analyses[] = {
    {"sharing", "sharing.enabled=true", "sharing.blocks", analyse_sharing_print},
    {"meetings", "meetings.windows=5,25,100,500", "meetings.reads", analyse_meetings_print}};

enum { ANALYSES = sizeof analyses / sizeof analyses[0] };

const char *analyse_setting(const char *name, struct err *e)
{
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < ANALYSES; i++) {
        if (strcmp(analyses[i].name, name) == 0)
            return analyses[i].setting;
        str_hint_offer(&hint, analyses[i].name);
    }
    err_set(e, STATUS_BAD_INPUT, "--analyse: no analysis \"%s\"%s", name,
            str_hint_text(&hint, " (heddle run --help)"));
    return NULL;
}

void analyse_print(const struct run_report *r, struct arena *a, FILE *out)
{
    for (int i = 0; i < ANALYSES; i++)
        if (stats_snapshot_has(r->sum->values, analyses[i].proof))
            analyses[i].print(r, a, out);
}
