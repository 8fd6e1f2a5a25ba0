/* sched_frfcfs.c - first ready, first come first served (Rixner et al., ISCA 2000).
 *
 * The oldest command that is legal goes first, whatever transfer it is for.  A row stays open
 * as long as a queued transfer hits it; then it is closed for the oldest transfer of the bank.
 * Transfers of one line keep their order when one of them is a write.
 *
 * With frfcfs.cap, as in DRAMsim3 (whose limit is 4), a row that has served so many transfers may be
 * closed for the oldest of its bank even if others hit it; these go on until the precharge is legal.
 * Then a transfer of several bursts can be interrupted: its row is opened once more for the rest.
 * With frfcfs.in_turn banks take turns, as with a queue for each in DRAMsim3 (mc.bank_queue; mc.staging
 * has its batches of writes). */
#include "dram/scheduler.h"
#include "sim/config.h"

#define FRFCFS_ROWS(F, id)                                                                         \
    F(id, INT, cap, "0", 0, 1e6, "transfer",                                                       \
      "that an open row serves before the oldest of its bank may close it; 0: all that hit it")    \
    F(id, BOOL, in_turn, "false", 0, 0, "",                                                        \
      "of legal commands that of the next bank in turn goes first, in a bank the oldest's")
CFG_STRUCT(frfcfs, FRFCFS_ROWS)
CFG_SECTION_WHEN(frfcfs, FRFCFS_ROWS, "scheduler frfcfs of memory controllers",
                 {"cap|in_turn", "l2.perfect=false"})

/* Whether the transfer that `e` must follow has gone: hits of one kind leave in order. */
static const struct queue_entry *if_free(const struct queue_entry *e,
                                         const struct queue_entry *other)
{
    return e && other && other->rank <= e->after ? NULL : e;
}

static void elect(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_entry *read = queue_head(q, b->hits[CLASS_READ]);
    const struct queue_entry *write = queue_head(q, b->hits[CLASS_WRITE]);
    queue_offer(q, bank, CLASS_READ, if_free(read, write));
    queue_offer(q, bank, CLASS_WRITE, if_free(write, read));
    const struct queue_entry *other = read || write ? NULL : queue_head(q, b->others);
    queue_offer(q, bank, CLASS_OPEN, b->is_open ? NULL : other);
    queue_offer(q, bank, CLASS_CLOSE, b->is_open ? other : NULL);
}

/* ---- with a limit, or with banks in turn ---- */

struct visit { /* of a bank's open row */
    uint32_t served;
    uint64_t head[2]; /* ranks of the first hits when last looked at, 0: none */
};

struct tuned {
    uint32_t cap; /* UINT32_MAX: none */
    bool in_turn;
    uint32_t last; /* bank of the last command */
    struct visit *bank;
};

static void *begin(struct arena *a, const struct config *cfg, uint32_t banks)
{
    const struct frfcfs_spec *s = config_get(cfg, &frfcfs_section);
    struct tuned *c = ARENA_NEW(a, struct tuned);
    c->cap = s->cap ? (uint32_t)s->cap : UINT32_MAX;
    c->in_turn = s->in_turn;
    c->bank = ARENA_ARRAY(a, struct visit, banks);
    return c;
}

/* As long as a row is open, the first of its hits changes by being served. */
static bool is_served_out(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct tuned *c = q->state;
    struct visit *v = &c->bank[bank];
    for (int k = CLASS_READ; k <= CLASS_WRITE; k++) {
        const struct queue_entry *e = queue_head(q, b->hits[k]);
        const uint64_t rank = e ? e->rank : 0;
        v->served += v->head[k] && v->head[k] != rank;
        v->head[k] = rank;
    }
    if (!b->is_open)
        *v = (struct visit){0};
    return v->served >= c->cap;
}

/* Of several that are legal the channel takes the least number: first the banks after the last one,
 * in a bank the oldest (the low half of a rank tells them apart). */
static void number(struct queue *q, uint32_t i)
{
    const struct tuned *c = q->state;
    const uint64_t turn = ((i & (q->nbanks - 1)) - c->last - 1) & (q->nbanks - 1);
    q->rank[i] = turn << 32 | (uint32_t)q->at[q->who[i]].rank;
}

static void issued(struct queue *q, uint32_t bank)
{
    ((struct tuned *)q->state)->last = bank;
    for (uint32_t w = 0; w < q->nwords; w++)
        for (uint64_t bits = q->offered[w]; bits; bits &= bits - 1)
            number(q, 64 * w + (uint32_t)__builtin_ctzll(bits));
}

static void elect_tuned(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_entry *other = queue_head(q, b->others);
    const struct tuned *c = q->state;
    elect(q, bank);
    if (is_served_out(q, bank) && b->is_open && other && other == queue_oldest(q, bank))
        queue_offer(q, bank, CLASS_CLOSE, other);
    for (uint32_t k = 0; c->in_turn && k < QUEUE_CLASSES; k++) {
        const uint32_t i = k << q->bank_shift | bank;
        if (q->offered[i / 64] >> (i % 64) & 1)
            number(q, i);
    }
}

static const struct scheduler capped = {.name = "frfcfs", .begin = begin, .elect = elect_tuned};
static const struct scheduler in_turn = {
    .name = "frfcfs", .begin = begin, .elect = elect_tuned, .issued = issued};

static const struct scheduler *variant(const struct config *cfg)
{
    const struct frfcfs_spec *s = config_get(cfg, &frfcfs_section);
    return s->in_turn ? &in_turn : s->cap ? &capped : NULL;
}

const struct scheduler scheduler_frfcfs = {
    .name = "frfcfs",
    .help = "oldest legal command first; rows stay open while transfers hit them",
    .section = &frfcfs_section,
    .variant = variant,
    .elect = elect,
};
