/* queue.c - see queue.h.  Work is done when transfers arrive and when rows open, never per
 * cycle: an arrival looks at the list of its bank only if a transfer of its line and the other kind
 * may be there, and opening a row walks the list of that bank. */
#include "dram/queue.h"

#include "dram/scheduler.h"

static const struct queue_list empty_list = {QUEUE_NONE, QUEUE_NONE};

void queue_init(struct queue *q, struct arena *a, const struct scheduler *s,
                const struct config *cfg, uint32_t capacity, uint32_t banks)
{
    uint32_t bits = 6;
    HD_ASSERT(banks <= QUEUE_BANKS && (banks & (banks - 1)) == 0, "%u banks", banks);
    while (1u << bits < 4 * capacity)
        bits++;
    *q = (struct queue){
        .scheduler = s,
        .state = s->begin ? s->begin(a, cfg, banks) : NULL,
        .at = ARENA_ARRAY(a, struct queue_entry, capacity),
        .bank = ARENA_ARRAY(a, struct queue_bank, banks),
        .rank = ARENA_ARRAY(a, uint64_t, QUEUE_CLASSES * banks),
        .who = ARENA_ARRAY(a, uint32_t, QUEUE_CLASSES * banks),
        .lines = {ARENA_ARRAY(a, uint16_t, 1u << bits), ARENA_ARRAY(a, uint16_t, 1u << bits)},
        .lines_shift = 64 - bits,
        .nbanks = banks,
        .bank_shift = (uint32_t)__builtin_ctz(banks),
        .nwords = (QUEUE_CLASSES * banks + 63) / 64,
        .capacity = capacity,
        .share = s->share ? s->share(capacity, banks) : capacity};
    for (uint32_t b = 0; b < banks; b++)
        q->bank[b] = (struct queue_bank){.hits = {empty_list, empty_list}, .others = empty_list};
    for (uint32_t i = 0; i < capacity; i++)
        q->at[i].next = i + 1 < capacity ? i + 1 : QUEUE_NONE;
}

/* ---- lists ---- */

static void append(struct queue *q, struct queue_list *l, uint32_t i)
{
    q->at[i].next = QUEUE_NONE;
    if (l->head == QUEUE_NONE)
        l->head = i;
    else
        q->at[l->tail].next = i;
    l->tail = i;
}

static uint32_t take_head(struct queue *q, struct queue_list *l)
{
    uint32_t i = l->head;
    l->head = q->at[i].next;
    if (l->head == QUEUE_NONE)
        l->tail = QUEUE_NONE;
    return i;
}

static struct queue_list merge(struct queue *q, struct queue_list x, struct queue_list y)
{
    struct queue_list out = empty_list;
    while (x.head != QUEUE_NONE || y.head != QUEUE_NONE) {
        bool from_x = y.head == QUEUE_NONE ||
                      (x.head != QUEUE_NONE && q->at[x.head].rank < q->at[y.head].rank);
        append(q, &out, take_head(q, from_x ? &x : &y));
    }
    return out;
}

/* ---- what the channel does ---- */

/* Counts by hash say "none of this line" for nearly all lines of which there are none. */
static uint16_t *lines_like(const struct queue *q, uint64_t line, bool is_write)
{
    return &q->lines[is_write][line * 0x9e3779b97f4a7c15u >> q->lines_shift];
}

/* Transfers of one line have one row, so they are all in hits[] or all in `others`. */
static uint64_t last_conflict(const struct queue *q, const struct queue_entry *e)
{
    const struct queue_bank *b = &q->bank[e->bank];
    if (*lines_like(q, e->line, !e->is_write) == 0)
        return 0;
    bool hits = b->is_open && b->row == e->row;
    uint64_t last = 0;
    uint32_t i = hits ? b->hits[!e->is_write].head : b->others.head;
    for (; i != QUEUE_NONE; i = q->at[i].next)
        if (q->at[i].line == e->line && q->at[i].is_write != e->is_write)
            last = q->at[i].rank;
    return last;
}

void queue_add(struct queue *q, const struct queue_entry *from)
{
    HD_ASSERT(queue_has_room(q, from->bank), "transfer for a full queue");
    uint32_t i = q->free;
    struct queue_entry *e = &q->at[i];
    struct queue_bank *b = &q->bank[from->bank];
    q->free = e->next;
    *e = *from;
    e->rank = ++q->arrivals;
    e->after = last_conflict(q, e);
    ++*lines_like(q, e->line, e->is_write);
    bool hits = b->is_open && b->row == e->row;
    struct queue_list *l = hits ? &b->hits[e->is_write] : &b->others;
    append(q, l, i);
    b->count++;
    q->count++;
    q->held[e->bank / 64] |= 1ull << (e->bank % 64);
    if (l->head == i)
        q->scheduler->elect(q, e->bank);
}

void queue_open(struct queue *q, uint32_t bank, uint32_t row)
{
    struct queue_bank *b = &q->bank[bank];
    uint32_t i = b->others.head;
    b->is_open = true;
    b->row = row;
    b->others = empty_list;
    while (i != QUEUE_NONE) {
        uint32_t next = q->at[i].next;
        bool hits = q->at[i].row == row;
        append(q, hits ? &b->hits[q->at[i].is_write] : &b->others, i);
        i = next;
    }
    q->scheduler->elect(q, bank);
}

void queue_close(struct queue *q, uint32_t bank)
{
    struct queue_bank *b = &q->bank[bank];
    b->is_open = false;
    for (int k = CLASS_READ; k <= CLASS_WRITE; k++) {
        if (b->hits[k].head != QUEUE_NONE)
            b->others = merge(q, b->others, b->hits[k]);
        b->hits[k] = empty_list;
    }
    q->scheduler->elect(q, bank);
}

static void check_order(const struct queue *q, const struct queue_entry *e)
{
    for (uint32_t i = q->bank[e->bank].hits[!e->is_write].head; i != QUEUE_NONE; i = q->at[i].next)
        HD_ASSERT(q->at[i].line != e->line || q->at[i].rank > e->rank,
                  "line %llx: a transfer has overtaken another", (unsigned long long)e->line);
}

void queue_remove(struct queue *q, uint32_t bank, enum queue_class cls)
{
    struct queue_bank *b = &q->bank[bank];
    uint32_t i = take_head(q, &b->hits[cls]);
    if (q->is_checked)
        check_order(q, &q->at[i]);
    q->at[i].next = q->free;
    q->free = i;
    q->count--;
    b->count--;
    --*lines_like(q, q->at[i].line, cls == CLASS_WRITE);
    if (b->count == 0)
        q->held[bank / 64] &= ~(1ull << (bank % 64));
    q->scheduler->elect(q, bank);
}

/* ---- what schedulers do ---- */

const struct queue_entry *queue_oldest(const struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_entry *best = queue_head(q, b->others);
    for (int k = CLASS_READ; k <= CLASS_WRITE; k++) {
        const struct queue_entry *e = queue_head(q, b->hits[k]);
        if (e && (!best || e->rank < best->rank))
            best = e;
    }
    return best;
}

enum queue_class queue_class_of(const struct queue *q, const struct queue_entry *e)
{
    const struct queue_bank *b = &q->bank[e->bank];
    if (!b->is_open || b->row != e->row)
        return b->is_open ? CLASS_CLOSE : CLASS_OPEN;
    return e->is_write ? CLASS_WRITE : CLASS_READ;
}

void queue_offer_only(struct queue *q, uint32_t bank, const struct queue_entry *e)
{
    const int cls = e ? (int)queue_class_of(q, e) : QUEUE_CLASSES;
    for (int c = 0; c < QUEUE_CLASSES; c++)
        queue_offer(q, bank, (enum queue_class)c, c == cls ? e : NULL);
}

/* ---- audit ---- */

/* Entries of a list; UINT32_MAX when one does not belong there. */
static uint32_t count_list(const struct queue *q, uint32_t bank, enum queue_class cls,
                           struct queue_list l)
{
    uint32_t n = 0;
    uint64_t rank = 0;
    for (uint32_t i = l.head; i != QUEUE_NONE; i = q->at[i].next, n++) {
        const struct queue_entry *e = &q->at[i];
        if (n >= q->capacity || e->bank != bank || e->rank <= rank || e->bursts == 0 ||
            queue_class_of(q, e) != cls)
            return UINT32_MAX;
        rank = e->rank;
    }
    return n;
}

bool queue_audit(const struct queue *q, struct err *e)
{
    uint32_t total = 0;
    for (uint32_t b = 0; b < q->nbanks; b++) {
        const struct queue_bank *x = &q->bank[b];
        uint64_t n = (uint64_t)count_list(q, b, CLASS_READ, x->hits[CLASS_READ]) +
                     count_list(q, b, CLASS_WRITE, x->hits[CLASS_WRITE]) +
                     count_list(q, b, x->is_open ? CLASS_CLOSE : CLASS_OPEN, x->others);
        if (n != x->count)
            return err_set(e, STATUS_FAILED, "bank %u: its lists and its count of %u differ", b,
                           q->bank[b].count);
        if ((n > 0) != (q->held[b / 64] >> (b % 64) & 1))
            return err_set(e, STATUS_FAILED, "bank %u: its bit is wrong", b);
        total += q->bank[b].count;
    }
    if (total != q->count)
        return err_set(e, STATUS_FAILED, "banks hold %u transfers, the queue %u", total, q->count);
    return true;
}
