/* cfNoC and HRCnet under random traffic: no two flits meet, none is late, nobody starves.
 *
 * Where a flit is in which cycle follows from when its packet left, by docs/model/rivals.md: the tests
 * work it out from the numbers of the nodes and look for two flits in one place. */
#include "check.h"

#include <stdlib.h>

#include "base/rng.h"
#include "rig/net_rig.h"

#define PLACE " mesh.width=8 mesh.height=8 mesh.mem=0-7"
#define PACKETS 4000u

enum { WHERE = 4096 };

struct spot {
    uint32_t where;
    hd_cycle when;
};

struct spots {
    struct spot *all;
    size_t n;
};

static void add_spot(struct spots *s, uint32_t where, hd_cycle when)
{
    s->all[s->n++] = (struct spot){where, when};
}

static int by_place(const void *a, const void *b)
{
    const struct spot *p = a, *q = b;
    if (p->where != q->where)
        return p->where < q->where ? -1 : 1;
    return (p->when > q->when) - (p->when < q->when);
}

static uint64_t meetings(struct spots *s)
{
    uint64_t n = 0;
    qsort(s->all, s->n, sizeof *s->all, by_place);
    for (size_t i = 1; i < s->n; i++)
        n += by_place(&s->all[i - 1], &s->all[i]) == 0;
    return n;
}

/* Out of an SM in row r of its column, past every tile down to the first row, along it. */
static void follow_request(struct spots *s, const struct net_rig_arrival *p, uint32_t flit)
{
    uint32_t column = p->src % 8, base = column * 64, tile = column;
    hd_cycle t = p->entered + flit;
    add_spot(s, WHERE + p->src, t++);
    for (uint32_t row = p->src / 8; row > 0; row--)
        add_spot(s, base + row, t++);
    for (; tile != p->dst; tile += p->dst > tile ? 1 : -1u)
        add_spot(s, base + 16 + tile + (p->dst > tile ? 8 : 0), t++);
    add_spot(s, base + 40 + p->dst, t);
}

static void follow_reply(struct spots *s, const struct net_rig_arrival *p, uint32_t flit)
{
    uint32_t stop = p->src, column = p->dst % 8;
    hd_cycle t = p->entered + flit;
    add_spot(s, WHERE + p->src, t++);
    for (; stop != column; stop = (stop + 1) % 8)
        add_spot(s, stop, t++);
    for (uint32_t row = 1; row <= p->dst / 8; row++)
        add_spot(s, 64 + column * 8 + row, t++);
    add_spot(s, 256 + p->dst, t);
}

static uint32_t way(const struct net_rig_arrival *p, bool is_reply)
{
    uint32_t column = p->src % 8;
    if (is_reply)
        return (p->dst % 8 + 8 - p->src) % 8 + p->dst / 8 + 3;
    return p->src / 8 + (column > p->dst ? column - p->dst : p->dst - column) + 3;
}

/* Bursts at one destination, then at all; readers that stop and go on. */
static void load(struct net_rig *r, bool is_reply, uint64_t seed)
{
    static const uint16_t request[] = {1, 1, 1, 5, 9, 13, 17}, reply[] = {1, 2, 2, 2};
    for (uint32_t i = 0; i < PACKETS; i++) {
        uint64_t draw = rng_at(seed, i);
        uint32_t core = 8 + (uint32_t)(draw >> 8) % 56, mem = (uint32_t)(draw >> 24) % 8;
        bool is_burst = i / 200 % 2;
        uint16_t flits = is_reply ? reply[(draw >> 40) % 4] : request[(draw >> 40) % 7];
        if (is_burst && is_reply)
            core = 8 + i / 400 % 56;
        if (is_burst && !is_reply)
            mem = i / 400 % 8;
        net_rig_send(r, 10 + i / 4, is_reply ? mem : core, is_reply ? core : mem, flits);
    }
}

static void run(struct net_rig *r, bool is_reply, uint64_t seed, bool holds)
{
    net_rig_begin(r, is_reply ? "noc.topology=hrcnet" PLACE : "noc.topology=cfnoc" PLACE);
    r->engine_options.audit = 7;
    CHECK(net_rig_build(r, is_reply ? DIR_REPLY : DIR_REQUEST));
    net_rig_read_all(r, 2);
    load(r, is_reply, seed);
    for (hd_cycle t = 100; t < 4000; t += 50) {
        uint32_t node = (uint32_t)rng_at(seed + 1, t) % 8 + (is_reply ? 8 : 0);
        if (holds)
            net_rig_hold(r, node, rng_at(seed + 2, t) % 2);
        net_rig_run(r, t);
    }
    for (uint32_t node = 0; holds && node < 16; node++)
        net_rig_hold(r, node, false);
    CHECK_EQ(net_rig_run(r, 100000), ENGINE_IDLE);
    CHECK_EQ(r->nlog, PACKETS);
}

static void check_meetings(const struct net_rig *r, bool is_reply)
{
    struct spots s = {.all = calloc((size_t)PACKETS * 17 * 20, sizeof(struct spot))};
    for (uint32_t i = 0; i < r->nlog; i++)
        for (uint32_t f = 0; f < r->log[i].flits; f++)
            is_reply ? follow_reply(&s, &r->log[i], f) : follow_request(&s, &r->log[i], f);
    CHECK(s.n > PACKETS * 5);
    CHECK_EQ(meetings(&s), 0);
    free(s.all);
}

static void no_two_flits_are_ever_in_one_place(void)
{
    struct net_rig *r = malloc(sizeof *r);
    for (uint64_t seed = 0; seed < 12; seed++) {
        bool is_reply = seed % 2;
        run(r, is_reply, seed * 7919, seed / 2 % 2);
        check_meetings(r, is_reply);
        for (uint32_t i = 0; i < r->nlog; i++) {
            const struct net_rig_arrival *p = &r->log[i];
            CHECK(p->at >= p->entered + way(p, is_reply) + p->flits - 1);
        }
        net_rig_close(r);
    }
    free(r);
}

/* The chain is the only way into an SM, so nothing keeps a reply from its reader. */
static void a_reply_that_left_is_on_time_to_the_cycle(void)
{
    struct net_rig *r = malloc(sizeof *r);
    run(r, true, 4711, false);
    for (uint32_t i = 0; i < r->nlog; i++)
        CHECK_EQ(r->log[i].at, r->log[i].entered + way(&r->log[i], true) + r->log[i].flits - 1);
    net_rig_close(r);
    free(r);
}

/* Whole packets come to the reader of a memory node, one flit per cycle and no cycle lost while one
 * of its buffers has a packet: the time of the last is what a queue of that service gives. */
static void a_request_waits_only_for_others_at_its_memory_node(void)
{
    struct net_rig *r = malloc(sizeof *r);
    run(r, false, 99, false);
    for (uint32_t mem = 0; mem < 8; mem++) {
        hd_cycle free_at = 0;
        for (uint32_t i = 0; i < r->nlog; i++) { /* the log is in the order of delivery */
            const struct net_rig_arrival *p = &r->log[i];
            if (p->dst != mem)
                continue;
            hd_cycle here = p->entered + way(p, false);
            hd_cycle begin = here > free_at ? here : free_at;
            CHECK_EQ(p->at, begin + p->flits - 1);
            free_at = p->at + 1;
        }
    }
    net_rig_close(r);
    free(r);
}

/* Six SMs of a column have more reads for a memory node that reads nothing than it has room for; then
 * the seventh wants to send a write.  When reading goes on, room comes flit by flit, enough for a read
 * and never for a write; still each of the six may go before it only once. */
static void nobody_waits_for_more_than_one_packet_of_each_other(void)
{
    struct net_rig *r = malloc(sizeof *r);
    uint32_t before = 0;
    hd_cycle released = 2000, entered = 0;
    net_rig_begin(r, "noc.topology=cfnoc" PLACE);
    CHECK(net_rig_build(r, DIR_REQUEST));
    net_rig_read_all(r, 2);
    net_rig_hold(r, 0, true);
    for (uint32_t i = 0; i < 500; i++)
        for (uint32_t row = 1; row < 7; row++)
            net_rig_send(r, 10 + i, row * 8, 0, 1);
    net_rig_send(r, 1000, 7 * 8, 0, 17);
    net_rig_run(r, released);
    CHECK_EQ(r->nlog, 0);
    net_rig_hold(r, 0, false);
    net_rig_run(r, 100000);
    CHECK_EQ(r->nlog, 3001);
    for (uint32_t i = 0; i < r->nlog; i++)
        entered = r->log[i].src == 56 ? r->log[i].entered : entered;
    for (uint32_t i = 0; i < r->nlog; i++)
        before += r->log[i].entered > released && r->log[i].entered < entered;
    CHECK(entered > released);
    CHECK(before <= 6);
    net_rig_close(r);
    free(r);
}

/* All of a column want to send all the time: in any time they send alike. */
static void turns_are_shared_alike(void)
{
    struct net_rig *r = malloc(sizeof *r);
    uint32_t sent[8] = {0};
    net_rig_begin(r, "noc.topology=cfnoc" PLACE);
    CHECK(net_rig_build(r, DIR_REQUEST));
    net_rig_read_all(r, 4);
    for (uint32_t i = 0; i < 100; i++)
        for (uint32_t row = 1; row <= 7; row++)
            net_rig_send(r, 10, row * 8 + 3, (i + row) % 8, 1);
    net_rig_run(r, 320);
    for (uint32_t i = 0; i < r->nlog; i++)
        sent[r->log[i].src / 8]++;
    for (uint32_t row = 2; row <= 7; row++)
        CHECK(sent[row] + 2 >= sent[1] && sent[row] <= sent[1] + 2);
    CHECK(r->nlog > 280); /* nearly every cycle of the column is used */
    net_rig_close(r);
    free(r);
}

CHECK_MAIN("tokens", TEST(no_two_flits_are_ever_in_one_place),
           TEST(a_reply_that_left_is_on_time_to_the_cycle),
           TEST(a_request_waits_only_for_others_at_its_memory_node),
           TEST(nobody_waits_for_more_than_one_packet_of_each_other), TEST(turns_are_shared_alike))
