/* ext_delay.c - every packet takes some cycles more in every router.
 *
 * As a line, a packet goes on `cycles` after its head came, and packets that come one behind the
 * other are delayed side by side.  As a stage, the time counts from when a packet is in front of its
 * VC, and the next one has to wait until it is there: a VC then passes a packet in no less than
 * `cycles`. */
#include <string.h>

#include "noc/extension.h"

#define DELAY_ROWS(F, id)                                                                          \
    F(id, INT, cycles, "5", 0, 1e6, "cycle", "added in every router")                              \
    F(id, CHOICE, as, "line", 0, 0, "line|stage",                                                  \
      "counted from a packet's arrival, or from when it is in front of its VC")
CFG_STRUCT(delay, DELAY_ROWS)
CFG_SECTION(delay, DELAY_ROWS, "router extension delay: more cycles in every router")

struct delay {
    hd_cycle cycles;
    bool is_stage;
};

static void *begin(const struct config *cfg, const struct extension_site *site, struct arena *a)
{
    const struct delay_spec *s = config_get(cfg, &delay_section);
    struct delay *d = ARENA_NEW(a, struct delay);
    (void)site;
    *d = (struct delay){(hd_cycle)s->cycles, strcmp(s->as, "stage") == 0};
    return d;
}

static struct extension_verdict arrive(void *state, const struct extension_at *at)
{
    const struct delay *d = state;
    return (struct extension_verdict){EXTENSION_HOLD,
                                      (d->is_stage ? at->now : at->came) + d->cycles};
}

const struct router_extension router_extension_delay = {
    .name = "delay",
    .help = "a packet takes some cycles more in every router",
    .section = &delay_section,
    .begin = begin,
    .arrive = arrive,
};
