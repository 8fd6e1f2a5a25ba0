/* dram_judge.c - slow and obvious: every pair of commands against the datasheet. */
#include <string.h>

#include "check.h"
#include "rig/dram_rig.h"

struct judge {
    const struct dram_spec *s;
    const struct dram_log *log;
    struct arena *a; /* of messages; NULL: no details */
    bool is_open[256];
    uint32_t row[256];
};

static bool is_column(enum channel_command c)
{
    return c == COMMAND_READ || c == COMMAND_WRITE;
}

static bool is_of_all(enum channel_command c)
{
    return c == COMMAND_PRECHARGE_ALL || c == COMMAND_REFRESH;
}

static int64_t most(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

/* Between activates of two banks, between column commands of one direction. */
static int64_t spaced(const struct dram_spec *s, bool same_group, int64_t any, int64_t group)
{
    return s->groups > 1 && same_group ? most(any, group) : any;
}

/* Column command to column command. */
static int64_t column_gap(const struct dram_spec *s, bool first_writes, bool second_writes,
                          bool same_group)
{
    int64_t burst = (s->burst + s->beats_per_cycle - 1) / s->beats_per_cycle;
    int64_t gap = spaced(s, same_group, s->tccd, s->tccdl);
    if (first_writes && !second_writes)
        return most(gap, s->twl + burst + s->twtr);
    if (!first_writes && second_writes)
        return most(gap, s->tcl + burst + s->trtrs - s->twl);
    return most(gap, burst);
}

/* Groups of neighbouring banks, or of every groups-th bank. */
static bool have_one_group(const struct dram_spec *s, uint32_t x, uint32_t y)
{
    if (strcmp(s->group_bits, "high") == 0)
        return x * s->groups / s->banks == y * s->groups / s->banks;
    return x % s->groups == y % s->groups;
}

/* The least gap between two commands: 0 when they have nothing to do with each other. */
static int64_t gap_of(const struct dram_spec *s, const struct channel_event *x,
                      const struct channel_event *y)
{
    int64_t burst = (s->burst + s->beats_per_cycle - 1) / s->beats_per_cycle;
    bool same_bank = x->bank == y->bank || is_of_all(x->command) || is_of_all(y->command);
    bool same_group = have_one_group(s, x->bank, y->bank);
    bool y_closes = y->command == COMMAND_PRECHARGE || y->command == COMMAND_PRECHARGE_ALL;
    if (is_column(x->command) && is_column(y->command))
        return column_gap(s, x->command == COMMAND_WRITE, y->command == COMMAND_WRITE, same_group);
    if (x->command == COMMAND_REFRESH)
        return s->trfc;
    if (x->command == COMMAND_ACTIVATE && y->command == COMMAND_ACTIVATE)
        return same_bank ? s->trc : spaced(s, same_group, s->trrd, s->trrdl);
    if (!same_bank)
        return 0;
    if (x->command == COMMAND_ACTIVATE)
        return is_column(y->command) ? s->trcd : y_closes ? s->tras : s->trc;
    if (x->command == COMMAND_READ)
        return y_closes ? s->trtp : 0;
    if (x->command == COMMAND_WRITE)
        return y_closes ? s->twl + burst + s->twr : 0;
    bool opens = y->command == COMMAND_ACTIVATE || y->command == COMMAND_REFRESH;
    return opens ? s->trp : 0; /* x is a precharge */
}

static const char *judge_row(struct judge *j, const struct channel_event *ev)
{
    uint32_t b = ev->bank;
    switch (ev->command) {
    case COMMAND_READ:
    case COMMAND_WRITE:
        return j->is_open[b] && j->row[b] == ev->row ? NULL : "column command to a closed row";
    case COMMAND_ACTIVATE:
        if (j->is_open[b])
            return "activate of an open bank";
        j->is_open[b] = true;
        j->row[b] = ev->row;
        return NULL;
    case COMMAND_PRECHARGE:
        if (!j->is_open[b])
            return "precharge of a closed bank";
        j->is_open[b] = false;
        return NULL;
    case COMMAND_PRECHARGE_ALL:
        memset(j->is_open, 0, sizeof j->is_open);
        return NULL;
    default:
        for (int i = 0; i < 256; i++)
            if (j->is_open[i])
                return "refresh with an open row";
        return NULL;
    }
}

static const char *judge_slots(const struct judge *j, const struct channel_event *x,
                               const struct channel_event *y)
{
    if (x->at != y->at)
        return NULL;
    if (!j->s->dual_command)
        return "two commands in one cycle";
    return is_column(x->command) == is_column(y->command) ? "two commands in one slot" : NULL;
}

static const char *judge_window(const struct judge *j, uint32_t n)
{
    const struct channel_event *ev = j->log->at;
    int acts = 0;
    if (ev[n].command != COMMAND_ACTIVATE)
        return NULL;
    for (uint32_t i = n + 1; i-- > 0 && (int64_t)(ev[n].at - ev[i].at) < j->s->tfaw;)
        acts += ev[i].command == COMMAND_ACTIVATE;
    return acts > 4 ? "five activates in the window of four" : NULL;
}

static const char *judge_pair(const struct judge *j, const struct channel_event *x,
                              const struct channel_event *y)
{
    int64_t gap = gap_of(j->s, x, y);
    const char *slot = judge_slots(j, x, y);
    if (y->at < x->at)
        return "commands out of order";
    if (slot || (int64_t)(y->at - x->at) >= gap)
        return slot;
    if (!j->a)
        return "too small a gap";
    return arena_printf(j->a, "command %d after command %d: a gap of %lld, not %lld", y->command,
                        x->command, (long long)(y->at - x->at), (long long)gap);
}

static const char *judge_pairs(const struct judge *j, uint32_t n)
{
    const struct channel_event *ev = j->log->at, *y = &ev[n];
    const int64_t horizon = 3000;
    const char *wrong = NULL;
    for (uint32_t i = n; i-- > 0 && !wrong && (int64_t)(y->at - ev[i].at) < horizon && n - i < 200;)
        wrong = judge_pair(j, &ev[i], y);
    return wrong;
}

/* Refreshes are due at multiples of tREFI; from then on nothing goes before them but what closes
 * the rows. */
static const char *judge_refreshes(const struct judge *j)
{
    hd_cycle due = (hd_cycle)j->s->trefi;
    for (uint32_t i = 0; i < j->log->n && due; i++) {
        const struct channel_event *ev = &j->log->at[i];
        if (ev->command == COMMAND_REFRESH && ev->at < due)
            return "a refresh that is not due";
        if (ev->command == COMMAND_REFRESH)
            due += (hd_cycle)j->s->trefi;
        else if (ev->command != COMMAND_PRECHARGE_ALL && ev->at >= due)
            return "a refresh is due and something else is done";
    }
    return NULL;
}

bool dram_rig_is_late_enough(const struct dram_log *log, const struct dram_spec *s)
{
    const struct judge j = {.s = s, .log = log};
    return !judge_pairs(&j, log->n - 1) && !judge_window(&j, log->n - 1);
}

const char *dram_rig_judge(struct arena *a, const struct dram_log *log, const struct dram_spec *s)
{
    struct judge j = {.s = s, .log = log, .a = a};
    const char *wrong = judge_refreshes(&j);
    for (uint32_t n = 0; n < log->n && !wrong; n++) {
        wrong = judge_row(&j, &log->at[n]);
        wrong = wrong ? wrong : judge_pairs(&j, n);
        wrong = wrong ? wrong : judge_window(&j, n);
        if (wrong)
            wrong = arena_printf(a, "command %u at %llu: %s", n, (unsigned long long)log->at[n].at,
                                 wrong);
    }
    return wrong;
}
