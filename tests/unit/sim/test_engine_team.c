#include "check.h"

#include <time.h>

#include "sim/engine_team.h"

enum { THREADS = 4, ROUNDS = 300 };

struct tally {
    uint32_t round;              /* written by the caller between pieces of work */
    uint64_t seen[THREADS][16];  /* a cache line each: sums of the rounds seen */
    uint64_t times[THREADS][16]; /* how often each has worked */
};

static void work(void *context, uint32_t thread)
{
    struct tally *t = context;
    t->seen[thread][0] += t->round;
    t->times[thread][0]++;
}

static void every_thread_does_its_share_of_every_piece_once(void)
{
    struct arena *a = arena_new();
    struct tally t = {0};
    struct engine_team *team = engine_team_new(a, THREADS, work, &t);
    uint32_t n = engine_team_start(team);
    CHECK(n >= 1 && n <= THREADS);
    uint64_t sum = 0;
    for (uint32_t k = 1; k <= ROUNDS; k++) {
        t.round = k;
        sum += k;
        engine_team_run(team);
        for (uint32_t i = 0; i < n; i++) /* all are done when run returns */
            CHECK_EQ(t.seen[i][0], sum);
    }
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(t.times[i][0], ROUNDS);
    engine_team_stop(team);
    arena_free(a);
}

static void a_team_that_was_stopped_can_start_again(void)
{
    struct arena *a = arena_new();
    struct tally t = {.round = 1};
    struct engine_team *team = engine_team_new(a, 3, work, &t);
    for (uint64_t k = 1; k <= 3; k++) {
        uint32_t n = engine_team_start(team);
        CHECK_EQ(engine_team_start(team), n); /* runs already */
        engine_team_run(team);
        engine_team_stop(team);
        engine_team_stop(team);
        CHECK_EQ(t.times[n - 1][0], k);
    }
    arena_free(a);
}

/* Nobody calls for long enough that all the others have gone to sleep. */
static void sleepers_hear_the_call(void)
{
    struct arena *a = arena_new();
    struct tally t = {.round = 1};
    struct engine_team *team = engine_team_new(a, 3, work, &t);
    uint32_t n = engine_team_start(team);
    for (uint64_t k = 1; k <= 4; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        engine_team_run(team);
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(t.times[i][0], k);
    }
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    engine_team_stop(team); /* wakes them to end */
    arena_free(a);
}

static void a_team_of_one_is_the_caller(void)
{
    struct arena *a = arena_new();
    struct tally t = {.round = 1};
    struct engine_team *team = engine_team_new(a, 1, work, &t);
    CHECK_EQ(engine_team_start(team), 1);
    engine_team_run(team);
    CHECK_EQ(t.times[0][0], 1);
    engine_team_stop(team);
    arena_free(a);
}

static void a_team_starts_no_more_than_its_limit(void)
{
    for (uint32_t limit = 1; limit < 6; limit++) {
        struct arena *a = arena_new();
        struct engine_team *team = engine_team_new(a, 4, work, NULL);
        engine_team_limit(team, limit);
        CHECK(engine_team_start(team) <= (limit < 4 ? limit : 4));
        engine_team_stop(team);
        arena_free(a);
    }
}

CHECK_MAIN("engine_team", TEST(every_thread_does_its_share_of_every_piece_once),
           TEST(a_team_that_was_stopped_can_start_again), TEST(sleepers_hear_the_call),
           TEST(a_team_of_one_is_the_caller), TEST(a_team_starts_no_more_than_its_limit))
