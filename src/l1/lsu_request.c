/* lsu_request.c - requests leave for the cluster, answers come back.
 *
 * A request is made when it is certain to leave: room in the out port (the miss queue) and in the
 * SM's share of the pool come first.  An answer always finds its place: an MSHR, a pending load, or
 * only the count of its warp.
 *
 * Not modelled: the width of the way between L1 and cluster (one message per cycle each way). */
#include "l1/lsu_priv.h"

enum lsu_stall lsu_request_room(struct lsu *l, hd_cycle now, uint32_t n)
{
    if (l->pool.packets.live + n > l->share)
        return STALL_REQUEST;
    return port_has_room(l->out, now, n) ? STALL_NONE : STALL_PORT;
}

static void send(struct lsu *l, hd_cycle now, hd_cycle birth, const struct request *r)
{
    uint32_t id = packet_alloc(&l->pool.packets);
    struct request *made = &l->pool.at[id];
    *made = *r;
    made->sm = (uint16_t)l->sm;
    made->stamp = birth * l->owner->period;
    l->pool.packets.at[id] = (struct packet){.tag = {0, made->stamp}};
    if (l->ready_warps)
        l->pool.packets.at[id].warps = (uint8_t)l->ready_warps(l->owner);
    if (l->of)
        l->of[program_of(r->line)].requests++;
    l->trip[r->kind].sent++;
    l->trip[r->kind].bytes += r->bytes;
    port_push(l->out, now, id);
}

void lsu_request_send(struct lsu *l, const struct lsu_look *k, enum request_kind kind,
                      uint8_t sectors)
{
    const struct coalesced *a = k->access;
    bool is_read = kind == REQUEST_READ;
    uint32_t bytes =
        is_read ? SECTOR_BYTES * lsu_count_words(sectors) : 4 * lsu_count_words(a->words);
    bool answers_load = is_read || kind == REQUEST_ATOMIC;
    if (!answers_load) {
        l->home[k->insn->warp].outstanding++;
        l->posted[k->insn->owner.program]++;
    }
    send(l, k->now, l->first,
         &(struct request){.line = a->line,
                           .words = a->words,
                           .cta = k->insn->owner.cta,
                           .kernel = k->insn->owner.kernel,
                           .slot = answers_load ? k->insn->load : k->insn->warp,
                           .bytes = (uint16_t)bytes,
                           .kind = (uint8_t)kind,
                           .space = k->set->space,
                           .sectors = sectors,
                           .flags = kind == REQUEST_WRITE ? 0 : REQUEST_BYPASS_L1});
    if (is_read)
        l->loads[k->set->loads].sectors += lsu_count_words(sectors);
}

/* Words of the access that are here, or on their way, are not asked for again. */
void lsu_request_line(struct lsu *l, const struct lsu_look *k, uint8_t sectors, uint32_t mshr)
{
    uint32_t n = lsu_count_words(sectors);
    send(l, k->now, l->first,
         &(struct request){.line = k->access->line,
                           .words = k->access->words & request_words_of(sectors),
                           .cta = k->insn->owner.cta,
                           .kernel = k->insn->owner.kernel,
                           .slot = (uint16_t)mshr,
                           .bytes = (uint16_t)(SECTOR_BYTES * n),
                           .kind = REQUEST_READ,
                           .space = k->set->space,
                           .sectors = sectors});
    l->loads[k->set->loads].sectors += n;
}

/* The line is that of the warp that wrote it last. */
void lsu_request_write_back(struct lsu *l, hd_cycle now, uint64_t line, uint32_t dirty,
                            uint32_t warp)
{
    const struct lsu_home *home = &l->home[warp];
    l->stats.write_backs++;
    send(l, now, now,
         &(struct request){.line = line,
                           .words = dirty,
                           .cta = home->owner.cta,
                           .kernel = home->owner.kernel,
                           .slot = LSU_NONE,
                           .bytes = (uint16_t)(4 * lsu_count_words(dirty)),
                           .kind = REQUEST_WRITE,
                           .space = STREAM_LOCAL,
                           .sectors = request_sectors_of(dirty)});
}

static void add_trip(struct lsu *l, struct request *r, uint64_t birth, uint64_t tick)
{
    struct trip_stats *t = &l->trip[r->kind];
    request_mark(r, PART_RETURN, tick);
    HD_ASSERT(request_latency(r) == tick - birth,
              "%s: the parts of a latency of %llu ticks sum to %llu", l->owner->path,
              (unsigned long long)(tick - birth), (unsigned long long)request_latency(r));
    t->answers++;
    t->time_sm += r->part[PART_SM];
    t->time_request += r->part[PART_REQUEST];
    t->time_l2 += r->part[PART_L2];
    t->time_dram += r->part[PART_DRAM];
    t->time_reply += r->part[PART_REPLY];
    t->time_return += r->part[PART_RETURN];
    if (l->of && r->kind == REQUEST_READ) {
        l->of[program_of(r->line)].reads++;
        l->of[program_of(r->line)].read_time += tick - birth;
    }
}

static void acknowledged(struct lsu *l, hd_cycle now, const struct request *r)
{
    l->posted[program_of(r->line)]--;
    lsu_finished(l, now, r->slot);
}

/* The request is given back first, so that a fill that must write a victim back has one. */
void lsu_request_take(struct lsu *l, hd_cycle now)
{
    uint32_t id = (uint32_t)port_pop(l->in, now);
    add_trip(l, &l->pool.at[id], l->pool.packets.at[id].tag[1], now * l->owner->period);
    struct request r = l->pool.at[id];
    packet_free(&l->pool.packets, id);
    if (l->watch)
        lsu_watch_answer(l, now, &r);
    if (r.kind == REQUEST_READ && !(r.flags & REQUEST_BYPASS_L1))
        lsu_cache_fill(l, now, &r);
    else if (r.kind == REQUEST_READ || r.kind == REQUEST_ATOMIC)
        lsu_arrived(l, now, r.slot, now + l->fill_latency);
    else if (r.slot != LSU_NONE)
        acknowledged(l, now, &r);
}
