#include "check.h"

#include "dram/scheduler.h"

struct box {
    struct arena *a;
    struct queue q;
};

static struct box box_open(const char *scheduler, uint32_t capacity, uint32_t banks)
{
    struct box x = {.a = arena_new()};
    queue_init(&x.q, x.a, scheduler_find(scheduler), NULL, capacity, banks);
    x.q.is_checked = true;
    return x;
}

static void put(struct queue *q, uint32_t bank, uint32_t row, uint64_t line, bool is_write)
{
    struct queue_entry e = {
        .bank = (uint16_t)bank, .row = row, .line = line, .bursts = 1, .is_write = is_write};
    struct err why = {.text = ""};
    queue_add(q, &e);
    CHECK(queue_audit(q, &why));
}

static uint64_t line_of(const struct queue *q, struct queue_list l)
{
    const struct queue_entry *e = queue_head(q, l);
    return e ? e->line : 0;
}

static void opening_a_row_parts_hits_from_others_in_order(void)
{
    struct box x = box_open("frfcfs", 16, 4);
    struct queue *q = &x.q;
    struct err why = {.text = ""};
    put(q, 1, 7, 10, false);
    put(q, 1, 8, 11, false);
    put(q, 1, 7, 12, true);
    put(q, 1, 7, 13, false);
    queue_open(q, 1, 7);
    CHECK(queue_audit(q, &why));
    CHECK_EQ(line_of(q, q->bank[1].hits[CLASS_READ]), 10);
    CHECK_EQ(line_of(q, q->bank[1].hits[CLASS_WRITE]), 12);
    CHECK_EQ(line_of(q, q->bank[1].others), 11);
    queue_remove(q, 1, CLASS_READ);
    CHECK_EQ(line_of(q, q->bank[1].hits[CLASS_READ]), 13);
    queue_close(q, 1);
    CHECK(queue_audit(q, &why));
    CHECK_EQ(line_of(q, q->bank[1].others), 11);
    queue_open(q, 1, 8);
    queue_remove(q, 1, CLASS_READ);
    CHECK_EQ(line_of(q, q->bank[1].others), 12);
    arena_free(x.a);
}

static void entries_are_used_again_and_again(void)
{
    struct box x = box_open("frfcfs", 3, 1);
    for (uint32_t i = 0; i < 100; i++) {
        while (queue_has_room(&x.q, 0))
            put(&x.q, 0, i, i, false);
        CHECK_EQ(x.q.count, 3);
        queue_open(&x.q, 0, i);
        while (x.q.count)
            queue_remove(&x.q, 0, CLASS_READ);
        queue_close(&x.q, 0);
    }
    CHECK_EQ(x.q.arrivals, 300);
    arena_free(x.a);
}

static void a_later_arrival_that_changes_nobody_is_not_a_change(void)
{
    struct box x = box_open("frfcfs", 8, 4);
    put(&x.q, 0, 1, 1, false);
    CHECK(x.q.is_changed);
    x.q.is_changed = false;
    put(&x.q, 0, 1, 2, false);
    put(&x.q, 0, 2, 3, true);
    CHECK(!x.q.is_changed);
    put(&x.q, 1, 2, 3, true);
    CHECK(x.q.is_changed);
    arena_free(x.a);
}

static void the_audit_finds_a_transfer_in_the_wrong_list(void)
{
    struct box x = box_open("frfcfs", 8, 4);
    struct err why = {.text = ""};
    put(&x.q, 2, 1, 1, false);
    x.q.bank[2].is_open = true;
    x.q.bank[2].row = 1;
    CHECK(!queue_audit(&x.q, &why));
    CHECK(strstr(why.text, "bank 2") != NULL);
    arena_free(x.a);
}

static void many_banks_have_many_words(void)
{
    struct box x = box_open("frfcfs", 300, 256);
    for (uint32_t b = 0; b < 256; b++)
        put(&x.q, b, b, b, b & 1);
    const uint32_t opens = CLASS_OPEN * 4, writes = CLASS_WRITE * 4; /* words per class: 4 */
    for (uint32_t w = 0; w < 16; w++)
        CHECK_EQ(x.q.offered[w], w / 4 == CLASS_OPEN ? ~0ull : 0);
    queue_open(&x.q, 255, 255);
    CHECK_EQ(x.q.offered[writes + 3], 1ull << 63);
    CHECK_EQ(x.q.offered[opens + 3], ~(1ull << 63));
    arena_free(x.a);
}

CHECK_MAIN("queue", TEST(opening_a_row_parts_hits_from_others_in_order),
           TEST(entries_are_used_again_and_again),
           TEST(a_later_arrival_that_changes_nobody_is_not_a_change),
           TEST(the_audit_finds_a_transfer_in_the_wrong_list), TEST(many_banks_have_many_words))
