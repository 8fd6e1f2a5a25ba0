/* pattern.c - the table of traffic patterns, expanded from patterns.def. */
#include "traffic/pattern.h"

#include "base/str.h"

CFG_SECTION(traffic, TRAFFIC_ROWS, "synthetic traffic: pattern, load, packet sizes, process")

#define PATTERN(id) extern const struct pattern pattern_##id;
#include "traffic/patterns.def"
#undef PATTERN

const struct pattern *const pattern_all[] = {
#define PATTERN(id) &pattern_##id,
#include "traffic/patterns.def"
#undef PATTERN
};

const int pattern_count = (int)(sizeof pattern_all / sizeof pattern_all[0]);

const struct pattern *pattern_find(const struct config *cfg, struct err *e)
{
    const struct traffic_spec *s = config_get(cfg, &traffic_section);
    const char *names[sizeof pattern_all / sizeof pattern_all[0]];
    for (int i = 0; i < pattern_count; i++) {
        names[i] = pattern_all[i]->name;
        if (str_is_word(s->pattern, names[i]) || str_is_word(s->pattern, pattern_all[i]->alias))
            return pattern_all[i];
    }
    const char *near = str_nearest(s->pattern, names, (size_t)pattern_count);
    config_blame(cfg, e, &traffic_section, "pattern", "no pattern \"%s\"%s%s%s", s->pattern,
                 near ? "; did you mean " : " (heddle list traffic shows them)", near ? near : "",
                 near ? "?" : "");
    return NULL;
}
