/* pattern.c - the table of traffic patterns, expanded from patterns.def. */
#include "traffic/pattern.h"

#include "base/str.h"

CFG_SECTION_WHEN(traffic, TRAFFIC_ROWS, "synthetic traffic: pattern, load, packet sizes, process",
                 {"burst_on|burst_off", "traffic.process=bursty"},
                 {"hotspots|weights|hotspot_share", "traffic.pattern=hotspot"},
                 {"mc_share", "traffic.pattern=mixed"},
                 {"row", "traffic.pattern=transpose|neighbour|neighbor|tornado"},
                 {"sizes|shares", "traffic.pattern!=request_reply|reqrep"})

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
    struct str_hint hint = str_hint(s->pattern);
    for (int i = 0; i < pattern_count; i++) {
        const struct pattern *p = pattern_all[i];
        if (str_is_word(s->pattern, p->name) || str_is_word(s->pattern, p->alias))
            return p;
        str_hint_offer(&hint, p->name);
    }
    config_blame(cfg, e, &traffic_section, "pattern", "no pattern \"%s\"%s", s->pattern,
                 str_hint_text(&hint, " (heddle list traffic shows them)"));
    return NULL;
}
