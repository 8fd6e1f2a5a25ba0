/* queue.h - the transfers that a channel's scheduler chooses from, by bank.
 *
 * Lists are in order of arrival.  Whoever hits the open row of its bank is in hits[] (reads and
 * writes apart), all others in `others`; opening a row parts the two, closing it joins them.
 * Competitors are one bit per class and bank (class * banks + bank) beside an array of ranks, so
 * that the channel looks at nothing but those. */
#ifndef HEDDLE_DRAM_QUEUE_H
#define HEDDLE_DRAM_QUEUE_H

#include "base/arena.h"
#include "base/err.h"
#include "sim/component.h"

#define QUEUE_NONE UINT32_MAX

/* What a transfer needs next. */
enum queue_class {
    CLASS_READ,  /* a read of the open row */
    CLASS_WRITE, /* a write to it */
    CLASS_OPEN,  /* its row opened: the bank is closed */
    CLASS_CLOSE, /* another row closed */
    QUEUE_CLASSES,
};

enum { QUEUE_BANKS = 256, QUEUE_WORDS = QUEUE_CLASSES * QUEUE_BANKS / 64 };

struct queue_entry {
    uint64_t rank;     /* number of its arrival, from 1 */
    uint64_t after;    /* rank of the last older one of its line and the other kind; 0: none */
    uint64_t line;     /* transfers of one line share bank and row */
    uint64_t item;     /* the owner's own */
    hd_cycle accepted; /* the owner's own */
    uint32_t row;
    uint32_t next; /* in its list */
    uint16_t bank;
    uint8_t bursts; /* column commands still to come */
    bool is_write, is_begun;
    bool has_opened; /* a row was opened on its behalf */
};

struct queue_list {
    uint32_t head, tail; /* QUEUE_NONE: empty */
};

struct queue_bank {
    struct queue_list hits[2]; /* CLASS_READ, CLASS_WRITE */
    struct queue_list others;
    uint32_t row; /* if open */
    uint32_t count;
    bool is_open;
};

struct config;
struct scheduler;

struct queue {
    const struct scheduler *scheduler;
    void *state; /* the scheduler's own */
    struct queue_entry *at;
    struct queue_bank *bank;
    uint64_t offered[QUEUE_WORDS];
    uint64_t *rank; /* of who is offered */
    uint32_t *who;
    uint64_t held[QUEUE_BANKS / 64]; /* banks with transfers */
    uint16_t *lines[2];              /* reads and writes queued, by hash of the line */
    uint32_t lines_shift;
    uint32_t nbanks, bank_shift, nwords; /* nwords: of offered */
    uint32_t count, capacity, share;     /* share: of one bank */
    uint32_t free;
    uint64_t arrivals;
    bool is_changed; /* somebody was offered or withdrawn; the channel resets it */
    bool is_checked; /* assert that nothing overtakes a write of its line, nor a write others */
};

/* `banks` is a power of two; `cfg` is for the scheduler. */
void queue_init(struct queue *q, struct arena *a, const struct scheduler *s,
                const struct config *cfg, uint32_t capacity, uint32_t banks);

static inline bool queue_has_room(const struct queue *q, uint32_t bank)
{
    return q->count < q->capacity && q->bank[bank].count < q->share;
}

/* Needs room.  Fields of `e` that are the queue's business are filled in. */
void queue_add(struct queue *q, const struct queue_entry *e);
/* The row of a bank has been opened for, or closed. */
void queue_open(struct queue *q, uint32_t bank, uint32_t row);
void queue_close(struct queue *q, uint32_t bank);
/* The first hit of its class in `bank` has had its last command. */
void queue_remove(struct queue *q, uint32_t bank, enum queue_class cls);

/* ---- for schedulers ---- */

static inline const struct queue_entry *queue_head(const struct queue *q, struct queue_list l)
{
    return l.head == QUEUE_NONE ? NULL : &q->at[l.head];
}

/* The oldest transfer of a bank, or NULL. */
const struct queue_entry *queue_oldest(const struct queue *q, uint32_t bank);
/* The class in which `e` competes as things are. */
enum queue_class queue_class_of(const struct queue *q, const struct queue_entry *e);
/* Only the head of a list can be offered.  NULL withdraws. */
static inline void queue_offer(struct queue *q, uint32_t bank, enum queue_class cls,
                               const struct queue_entry *e)
{
    const uint32_t i = (uint32_t)cls << q->bank_shift | bank;
    uint64_t *word = &q->offered[i / 64];
    const uint64_t bit = 1ull << (i % 64);
    if (!e) {
        q->is_changed |= (*word & bit) != 0;
        *word &= ~bit;
        return;
    }
    /* A rank belongs to one transfer for ever. */
    q->is_changed |= !(*word & bit) || q->rank[i] != e->rank;
    *word |= bit;
    q->rank[i] = e->rank;
    q->who[i] = (uint32_t)(e - q->at);
}
/* `e` alone, in the class that it is in; NULL: nobody of this bank. */
void queue_offer_only(struct queue *q, uint32_t bank, const struct queue_entry *e);
/* Each list holds what belongs there, in order; all entries are accounted for. */
bool queue_audit(const struct queue *q, struct err *e);

#endif
