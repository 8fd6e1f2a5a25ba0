/* channel.c - see channel.h.  Commands and what they forbid, planning, refresh.
 *
 * The state of a channel is a set of "not before" times: per bank, and for all banks.  Gaps
 * within a bank group are written to the banks of the group.  A plan is the competitor with the
 * smallest (legal cycle, rank): at that cycle exactly those with the same time are legal, so it is
 * also the first by rank among all that are.
 *
 * Refresh is of all banks: when due, no further command is issued but the precharge of all open
 * banks as soon as each of them allows it, and the refresh.  While nothing is queued refreshes
 * need nobody awake: they are caught up with before the next transfer is looked at.
 * Not modelled: postponed or per-bank refresh, ECC, command-bus training, temperature. */
#include "dram/channel.h"

#include "dram/scheduler.h"

enum { ROW_PLAN, COLUMN_PLAN };

static hd_cycle later(hd_cycle a, hd_cycle b)
{
    return a > b ? a : b;
}

static void postpone(hd_cycle *t, hd_cycle to)
{
    *t = later(*t, to);
}

static void tell_scheduler(void *ctx, const struct channel_event *ev)
{
    struct channel *ch = ctx;
    if (ev->command <= COMMAND_PRECHARGE)
        ch->q.scheduler->issued(&ch->q, ev->bank);
}

void channel_init(struct channel *ch, struct arena *a, const struct channel_options *opt)
{
    const struct dram_timing *t = &opt->timing;
    uint32_t in_flight = 2; /* at most one transfer per cycle gets its last command */
    while (in_flight < later(t->read_done, t->write_done) + 2)
        in_flight *= 2;
    *ch = (struct channel){.t = *t,
                           .ready = ARENA_ARRAY(a, hd_cycle, QUEUE_CLASSES * t->banks),
                           .plan = {{.at = HD_NEVER}, {.at = HD_NEVER}},
                           .refresh_due = t->refresh_every ? t->refresh_every : HD_NEVER,
                           .done = ARENA_ARRAY(a, struct channel_done, in_flight),
                           .done_mask = in_flight - 1,
                           .was_closed_on_demand = ARENA_ARRAY(a, bool, t->banks),
                           .busy_since = ARENA_ARRAY(a, hd_cycle, t->banks),
                           .busy_until = ARENA_ARRAY(a, hd_cycle, t->banks)};
    const uint32_t capacity = opt->bank_queue ? opt->bank_queue * t->banks : opt->queue;
    const struct scheduler *scheduler = scheduler_variant(opt->scheduler, opt->cfg);
    queue_init(&ch->q, a, scheduler, opt->cfg, capacity, t->banks);
    if (scheduler->issued)
        ch->watcher = (struct channel_watcher){tell_scheduler, ch};
    ch->q.share = opt->bank_queue ? opt->bank_queue : ch->q.share;
    for (uint32_t i = 0; i < QUEUE_CLASSES * t->banks; i++) {
        bool is_column = i < CLASS_OPEN * t->banks;
        uint64_t *mask = ch->plan_mask[t->has_two_slots && is_column ? COLUMN_PLAN : ROW_PLAN];
        mask[i / 64] |= 1ull << (i % 64);
    }
}

static void tell(const struct channel *ch, hd_cycle at, enum channel_command command, uint32_t bank)
{
    struct channel_event ev = {at, command, bank, ch->q.bank[bank].row};
    if (__builtin_expect(ch->watcher.fn != NULL, 0))
        ch->watcher.fn(ch->watcher.ctx, &ev);
}

static hd_cycle *ready_at(struct channel *ch, enum queue_class cls)
{
    return ch->ready + ((uint32_t)cls << ch->q.bank_shift);
}

/* ---- commands ---- */

/* Gaps to the other banks of a group; all classes from `first` to `last`. */
static void postpone_group(struct channel *ch, uint32_t bank, enum queue_class first,
                           enum queue_class last, hd_cycle to)
{
    const uint32_t from = bank & ch->t.group_mask, step = ch->t.group_step;
    const uint32_t end = from + ch->t.banks / ch->t.groups * step;
    for (uint32_t c = first; c <= last; c++)
        for (uint32_t b = from; b < end; b += step)
            postpone(&ready_at(ch, (enum queue_class)c)[b], to);
}

static void postpone_columns(struct channel *ch, uint32_t bank, hd_cycle to)
{
    postpone(&ready_at(ch, CLASS_READ)[bank], to);
    postpone(&ready_at(ch, CLASS_WRITE)[bank], to);
}

static void activate(struct channel *ch, hd_cycle now, uint32_t bank, struct queue_entry *e)
{
    const struct dram_timing *t = &ch->t;
    ch->four[ch->four_at] = now + t->four_acts;
    ch->four_at = (ch->four_at + 1) & 3;
    ch->any[CLASS_OPEN] = later(now + t->act_to_other, ch->four[ch->four_at]);
    if (t->groups > 1)
        postpone_group(ch, bank, CLASS_OPEN, CLASS_OPEN, now + t->act_to_group);
    postpone(&ready_at(ch, CLASS_OPEN)[bank], now + t->act_to_act);
    postpone_columns(ch, bank, now + t->act_to_column);
    ready_at(ch, CLASS_CLOSE)[bank] = now + t->act_to_pre;
    ch->open_since = ch->nopen++ == 0 ? now : ch->open_since;
    ch->stats.activates++;
    if (!e->has_opened && !e->is_begun) { /* not again when a refresh came in between */
        ch->stats.row_conflicts += ch->was_closed_on_demand[bank];
        ch->stats.row_misses += !ch->was_closed_on_demand[bank];
        e->has_opened = true;
    }
    queue_open(&ch->q, bank, e->row);
    tell(ch, now, COMMAND_ACTIVATE, bank);
}

static void close_row(struct channel *ch, hd_cycle now, uint32_t bank, bool on_demand)
{
    postpone(&ready_at(ch, CLASS_OPEN)[bank], now + ch->t.pre_to_act);
    ch->stats.row_open += --ch->nopen == 0 ? now - ch->open_since : 0;
    ch->stats.precharges++;
    ch->was_closed_on_demand[bank] = on_demand;
    queue_close(&ch->q, bank);
}

/* Sums over time up to `now`, before the queue's length changes. */
static void account(struct channel *ch, hd_cycle now)
{
    ch->stats.queued += (now - ch->settled) * ch->q.count;
    ch->stats.pending += ch->q.count ? now - ch->settled : 0;
    ch->settled = now;
}

static void finish(struct channel *ch, hd_cycle now, enum queue_class cls,
                   const struct queue_entry *e)
{
    const uint32_t bank = e->bank;
    const bool is_write = cls == CLASS_WRITE;
    struct channel_done d = {now + (is_write ? ch->t.write_done : ch->t.read_done), e->accepted,
                             e->item, is_write};
    ch->done[ch->done_tail++ & ch->done_mask] = d;
    ch->stats.reads += !is_write;
    ch->stats.writes += is_write;
    account(ch, now);
    queue_remove(&ch->q, bank, cls);
    if (ch->q.bank[bank].count == 0) {
        ch->busy_until[bank] = d.at;
        ch->busy_closed += d.at - ch->busy_since[bank];
    }
}

/* What a column command forbids to others. */
static void occupy(struct channel *ch, hd_cycle now, uint32_t bank, bool is_write)
{
    const struct dram_timing *t = &ch->t;
    ch->any[CLASS_READ] = now + (is_write ? t->write_to_read : t->column);
    ch->any[CLASS_WRITE] = now + (is_write ? t->column : t->read_to_write);
    if (t->groups > 1)
        postpone_group(ch, bank, CLASS_READ, CLASS_WRITE, now + t->column_group);
    postpone(&ready_at(ch, CLASS_CLOSE)[bank], now + (is_write ? t->write_to_pre : t->read_to_pre));
}

static void transfer(struct channel *ch, hd_cycle now, enum queue_class cls, struct queue_entry *e)
{
    const uint32_t bank = e->bank;
    const bool is_write = cls == CLASS_WRITE;
    occupy(ch, now, bank, is_write);
    tell(ch, now, is_write ? COMMAND_WRITE : COMMAND_READ, bank);
    ch->stats.turnarounds += ch->has_transferred && is_write != ch->was_write;
    ch->has_transferred = true;
    ch->was_write = is_write;
    ch->stats.bus_busy += ch->t.burst;
    ch->stats.read_bursts += !is_write;
    ch->stats.write_bursts += is_write;
    ch->stats.read_bytes += is_write ? 0 : ch->t.burst_bytes;
    ch->stats.write_bytes += is_write ? ch->t.burst_bytes : 0;
    if (ch->of) {
        ch->of[program_of(e->line)].read_bytes += is_write ? 0 : ch->t.burst_bytes;
        ch->of[program_of(e->line)].write_bytes += is_write ? ch->t.burst_bytes : 0;
    }
    ch->stats.row_hits += !e->is_begun && !e->has_opened;
    e->is_begun = true;
    if (--e->bursts == 0)
        finish(ch, now, cls, e);
}

/* ---- refresh ---- */

/* The cycle of the next step of a refresh (precharge of all, or the refresh itself), if nothing
 * else is issued before. */
static hd_cycle refresh_at(struct channel *ch)
{
    hd_cycle at = ch->refresh_due;
    const hd_cycle *ready = ready_at(ch, ch->nopen ? CLASS_CLOSE : CLASS_OPEN);
    for (uint32_t b = 0; b < ch->t.banks; b++)
        if (ch->nopen == 0 || ch->q.bank[b].is_open)
            at = later(at, ready[b]);
    return at;
}

static void refresh_step(struct channel *ch, hd_cycle now)
{
    if (ch->nopen) {
        for (uint32_t b = 0; b < ch->t.banks; b++)
            if (ch->q.bank[b].is_open)
                close_row(ch, now, b, false);
        tell(ch, now, COMMAND_PRECHARGE_ALL, 0);
        return;
    }
    for (uint32_t b = 0; b < ch->t.banks; b++)
        ready_at(ch, CLASS_OPEN)[b] = now + ch->t.refresh_takes;
    ch->refresh_due += ch->t.refresh_every;
    ch->stats.refreshes++;
    tell(ch, now, COMMAND_REFRESH, 0);
}

/* All steps up to and including `last` that nobody was woken for. */
static void catch_up(struct channel *ch, hd_cycle last)
{
    while (ch->refresh_due <= last && ch->q.count == 0) {
        hd_cycle at = refresh_at(ch);
        if (at > last)
            return;
        refresh_step(ch, at);
    }
}

/* ---- planning ---- */

/* The cycle and the rank in one number, so that the least is found without a branch: 24 bits are
 * more than any gap has cycles, 40 more than there will be transfers. */
enum { RANK_BITS = 40 };

static struct channel_plan soonest(const struct channel *ch, const uint64_t *mask, hd_cycle from)
{
    const uint32_t shift = ch->q.bank_shift;
    hd_cycle floor[QUEUE_CLASSES];
    uint64_t best = UINT64_MAX;
    uint32_t what = 0;
    for (int c = 0; c < QUEUE_CLASSES; c++)
        floor[c] = later(ch->any[c], from);
    for (uint32_t w = 0; w < ch->q.nwords; w++) {
        for (uint64_t bits = ch->q.offered[w] & mask[w]; bits; bits &= bits - 1) {
            uint32_t i = 64 * w + (uint32_t)__builtin_ctzll(bits);
            hd_cycle at = later(floor[i >> shift], ch->ready[i]);
            uint64_t key = (at - from) << RANK_BITS | ch->q.rank[i];
            what = key < best ? i : what;
            best = key < best ? key : best;
        }
    }
    hd_cycle at = best == UINT64_MAX ? HD_NEVER : from + (best >> RANK_BITS);
    return (struct channel_plan){at, what};
}

/* From the moment a refresh is due, its steps are all there is. */
static void plan_refresh(struct channel *ch, hd_cycle from)
{
    if (ch->plan[ROW_PLAN].at >= ch->refresh_due)
        ch->plan[ROW_PLAN] = (struct channel_plan){later(from, refresh_at(ch)),
                                                   (uint32_t)QUEUE_CLASSES << ch->q.bank_shift};
    if (ch->plan[COLUMN_PLAN].at >= ch->refresh_due)
        ch->plan[COLUMN_PLAN].at = HD_NEVER;
}

static void replan(struct channel *ch, hd_cycle from)
{
    ch->is_stale = ch->q.is_changed = false;
    ch->plan[ROW_PLAN] = soonest(ch, ch->plan_mask[ROW_PLAN], from);
    if (ch->t.has_two_slots)
        ch->plan[COLUMN_PLAN] = soonest(ch, ch->plan_mask[COLUMN_PLAN], from);
    if (ch->refresh_due != HD_NEVER && ch->q.count)
        plan_refresh(ch, from);
}

static void execute(struct channel *ch, hd_cycle now, struct channel_plan p)
{
    const enum queue_class cls = (enum queue_class)(p.what >> ch->q.bank_shift);
    const uint32_t bank = p.what & (ch->t.banks - 1);
    HD_ASSERT(p.at == now, "a command was planned for an earlier cycle");
    ch->is_stale = true;
    switch (cls) {
    case CLASS_READ:
    case CLASS_WRITE:
        transfer(ch, now, cls, &ch->q.at[ch->q.who[p.what]]);
        break;
    case CLASS_OPEN:
        activate(ch, now, bank, &ch->q.at[ch->q.who[p.what]]);
        break;
    case CLASS_CLOSE:
        close_row(ch, now, bank, true);
        tell(ch, now, COMMAND_PRECHARGE, bank);
        break;
    default:
        refresh_step(ch, now);
    }
}

void channel_tick(struct channel *ch, hd_cycle now)
{
    if (ch->refresh_due <= now)
        catch_up(ch, now);
    if (ch->plan[COLUMN_PLAN].at <= now) {
        execute(ch, now, ch->plan[COLUMN_PLAN]);
        if (ch->plan[ROW_PLAN].at <= now) /* it may be for a transfer that has just gone */
            replan(ch, now);
    }
    if (ch->plan[ROW_PLAN].at <= now)
        execute(ch, now, ch->plan[ROW_PLAN]);
}

hd_cycle channel_next(struct channel *ch, hd_cycle now)
{
    if (ch->is_stale || ch->q.is_changed)
        replan(ch, now + 1);
    hd_cycle row = ch->plan[ROW_PLAN].at, column = ch->plan[COLUMN_PLAN].at;
    return row < column ? row : column;
}

void channel_add(struct channel *ch, hd_cycle now, const struct queue_entry *e)
{
    account(ch, now);
    if (ch->q.bank[e->bank].count == 0)
        ch->busy_since[e->bank] = later(now, ch->busy_until[e->bank]);
    queue_add(&ch->q, e);
}

/* ---- statistics, invariants ---- */

void channel_settle(struct channel *ch, hd_cycle now)
{
    if (now > 0 && ch->refresh_due < now)
        catch_up(ch, now - 1);
    account(ch, now);
    if (ch->nopen) {
        ch->stats.row_open += now - ch->open_since;
        ch->open_since = now;
    }
    uint64_t busy = ch->busy_closed; /* includes what is still to come of the last access */
    for (uint32_t b = 0; b < ch->t.banks; b++) {
        if (ch->q.bank[b].count) /* modulo 2^64: `since` can be the end of the last access */
            busy += now - ch->busy_since[b];
        else if (ch->busy_until[b] > now)
            busy -= ch->busy_until[b] - now;
    }
    ch->stats.bank_busy = busy;
    ch->stats.bank_idle = ch->t.banks * now - busy;
    ch->stats.cycles = now;
}

bool channel_audit(const struct channel *ch, struct err *e)
{
    uint32_t open = 0;
    for (uint32_t b = 0; b < ch->t.banks; b++)
        open += ch->q.bank[b].is_open;
    if (open != ch->nopen)
        return err_set(e, STATUS_FAILED, "%u banks are open, not %u", open, ch->nopen);
    for (uint32_t i = ch->done_head + 1; (int32_t)(ch->done_tail - i) > 0; i++)
        if (ch->done[(i - 1) & ch->done_mask].at >= ch->done[i & ch->done_mask].at)
            return err_set(e, STATUS_FAILED, "data bus: beats out of order");
    return queue_audit(&ch->q, e);
}
