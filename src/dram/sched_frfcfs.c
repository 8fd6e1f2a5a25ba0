/* sched_frfcfs.c - first ready, first come first served (Rixner et al., ISCA 2000).
 *
 * The oldest command that is legal goes first, whatever transfer it is for.  A row stays open
 * as long as a queued transfer hits it; then it is closed for the oldest transfer of the bank.
 * Transfers of one line keep their order when one of them is a write.
 *
 * With frfcfs.cap, as in DRAMsim3 (whose limit is 4), a row that has served so many transfers may be
 * closed for the oldest of its bank even if others hit it; these go on until the precharge is legal.
 * Then a transfer of several bursts can be interrupted: its row is opened once more for the rest.
 * Not modelled: priorities of reads. */
#include "dram/scheduler.h"
#include "sim/config.h"

#define FRFCFS_ROWS(F, id)                                                                         \
    F(id, INT, cap, "0", 0, 1e6, "transfer",                                                       \
      "that an open row serves before the oldest of its bank may close it; 0: all that hit it")
CFG_STRUCT(frfcfs, FRFCFS_ROWS)
CFG_SECTION(frfcfs, FRFCFS_ROWS, "scheduler frfcfs of memory controllers")

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

/* ---- with a limit ---- */

struct visit { /* of a bank's open row */
    uint32_t served;
    uint64_t head[2]; /* ranks of the first hits when last looked at, 0: none */
};

struct capped {
    uint32_t cap;
    struct visit *bank;
};

static void *begin(struct arena *a, const struct config *cfg, uint32_t banks)
{
    const struct frfcfs_spec *s = config_get(cfg, &frfcfs_section);
    struct capped *c = ARENA_NEW(a, struct capped);
    c->cap = (uint32_t)s->cap;
    c->bank = ARENA_ARRAY(a, struct visit, banks);
    return c;
}

/* As long as a row is open, the first of its hits changes by being served. */
static bool is_served_out(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct capped *c = q->state;
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

static void elect_capped(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_entry *other = queue_head(q, b->others);
    elect(q, bank);
    if (is_served_out(q, bank) && b->is_open && other && other == queue_oldest(q, bank))
        queue_offer(q, bank, CLASS_CLOSE, other);
}

static const struct scheduler capped = {.name = "frfcfs", .begin = begin, .elect = elect_capped};

static const struct scheduler *variant(const struct config *cfg)
{
    const struct frfcfs_spec *s = config_get(cfg, &frfcfs_section);
    return s->cap ? &capped : NULL;
}

const struct scheduler scheduler_frfcfs = {
    .name = "frfcfs",
    .help = "oldest legal command first; rows stay open while transfers hit them",
    .section = &frfcfs_section,
    .variant = variant,
    .elect = elect,
};
