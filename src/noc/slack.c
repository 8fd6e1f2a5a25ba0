/* slack.c - see slack.h. */
#include "noc/slack.h"

#include "base/err.h"

struct slack slack_new(uint32_t budget, uint32_t hops)
{
    HD_ASSERT(hops > 0 && hops <= UINT16_MAX, "a way over %u routers", hops);
    return (struct slack){.budget = budget, .from = 1, .hop = 1, .hops = (uint16_t)hops};
}

uint32_t slack_left(const struct slack *s)
{
    return s->budget - s->spent;
}

/* first + ... + last */
static uint64_t sum(uint64_t first, uint64_t last)
{
    return last < first ? 0 : (first + last) * (last - first + 1) / 2;
}

/* Cycles due up to and with hop `last` of the plan. */
static uint32_t due(const struct slack *s, uint32_t last)
{
    return (uint32_t)(s->budget * sum(s->from, last) / sum(s->from, s->hops));
}

uint32_t slack_share(const struct slack *s)
{
    if (s->hop >= s->hops)
        return slack_left(s);
    return due(s, s->hop) - due(s, s->hop - 1u);
}

void slack_pass(struct slack *s, uint32_t spent)
{
    bool as_planned = spent == slack_share(s);
    s->spent += spent < slack_left(s) ? spent : slack_left(s);
    s->hop++;
    if (as_planned)
        return;
    s->budget -= s->spent;
    s->spent = 0;
    s->from = s->hop;
}
