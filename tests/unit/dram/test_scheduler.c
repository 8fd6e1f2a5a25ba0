#include "check.h"

#include "dram/scheduler.h"
#include "sim/config.h"

static void schedulers_are_found_by_name(void)
{
    CHECK_EQ(scheduler_count, 4);
    for (int i = 0; i < scheduler_count; i++)
        CHECK(scheduler_find(scheduler_all[i]->name) == scheduler_all[i]);
    CHECK(scheduler_find("banked-fifo") == scheduler_find("banked_fifo"));
    CHECK(scheduler_find("lifo") == NULL);
}

static void every_scheduler_is_complete(void)
{
    for (int i = 0; i < scheduler_count; i++) {
        CHECK(scheduler_all[i]->help[0] != 0);
        CHECK(scheduler_all[i]->elect != NULL);
        if (scheduler_all[i]->share) {
            CHECK(scheduler_all[i]->share(32, 16) > 0);
            CHECK(scheduler_all[i]->share(1, 16) > 0);
        }
    }
}

/* A scheduler with a parameter and a state: offers nobody, and counts how often it is asked. */

#define COUNTING_ROWS(F, id) F(id, INT, from, "100", 0, 1e9, "call", "where it begins to count")
CFG_STRUCT(counting, COUNTING_ROWS)
CFG_SECTION(counting, COUNTING_ROWS, "a scheduler that counts")

static void *begin_counting(struct arena *a, const struct config *cfg, uint32_t banks)
{
    const struct counting_spec *s = config_get(cfg, &counting_section);
    uint64_t *calls = ARENA_ARRAY(a, uint64_t, banks);
    for (uint32_t i = 0; i < banks; i++)
        calls[i] = (uint64_t)s->from;
    return calls;
}

static void count(struct queue *q, uint32_t bank)
{
    ((uint64_t *)q->state)[bank]++;
}

static const struct scheduler counting = {.name = "counting",
                                          .help = "-",
                                          .section = &counting_section,
                                          .begin = begin_counting,
                                          .elect = count};

static void a_scheduler_has_a_state_per_channel_and_reads_its_own_section(void)
{
    struct arena *a = arena_new();
    const struct cfg_section *const sections[] = {&counting_section};
    struct config *cfg = config_new(a, sections, 1);
    struct err e = {0};
    struct queue q[2];
    queue_init(&q[0], a, &counting, cfg, 8, 4);
    CHECK(config_set(cfg, "counting.from=7", &e));
    queue_init(&q[1], a, &counting, cfg, 8, 4);
    queue_add(&q[0], &(struct queue_entry){.bank = 2, .bursts = 1});
    queue_open(&q[0], 2, 0);
    const uint64_t *calls[] = {q[0].state, q[1].state};
    CHECK(calls[0][1] == 100 && calls[0][2] == 102 && calls[1][2] == 7);
    CHECK_EQ(q[0].share, 8); /* no share: the whole queue */
    arena_free(a);
}

CHECK_MAIN("scheduler", TEST(schedulers_are_found_by_name), TEST(every_scheduler_is_complete),
           TEST(a_scheduler_has_a_state_per_channel_and_reads_its_own_section))
