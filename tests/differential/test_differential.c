/* test_differential.c - random functions give on the simulated device what they give on the host.
 *
 * HEDDLE_CHECK_FULL=1 runs four times as many (HEDDLE_DIFFERENTIAL_SEEDS=20: twenty), with the host
 * side trapping on undefined behaviour.
 * HEDDLE_DIFFERENTIAL="SEED INDEX" runs one function only, at all levels of optimisation. */
#include "batch.h"
#include "check.h"

static const char *const all_levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os", NULL};
enum { LEVELS = 5, BATCH = 100 };

static bool is_full(void)
{
    const char *full = getenv("HEDDLE_CHECK_FULL");
    return full && strcmp(full, "0") != 0 && *full;
}

/* Three minutes each on two cores. */
static uint64_t rounds(void)
{
    const char *seeds = getenv("HEDDLE_DIFFERENTIAL_SEEDS");
    if (!is_full())
        return 1;
    return seeds ? strtoull(seeds, NULL, 10) : 4;
}

/* 15 batches are more than 3000 functions: a kernel calls about two. */
static void random_functions_give_what_they_give_on_the_host(void)
{
    uint64_t seeds = rounds();
    uint32_t batches = 15;
    uint32_t failed = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        for (uint32_t k = 0; k < batches; k++) {
            const char *const level[] = {all_levels[(k + seed) % LEVELS], NULL};
            failed += batch_run(&(struct batch_options){.seed = seed,
                                                        .first = k * BATCH,
                                                        .count = BATCH,
                                                        .levels = level,
                                                        .calls = k % 2 == 1,
                                                        .checked = seed > 1});
        }
    }
    CHECK_EQ(failed, 0);
}

static void all_levels_of_optimisation_give_the_same(void)
{
    uint32_t failed = 0;
    for (uint64_t seed = 1000; seed < 1000 + rounds(); seed++)
        failed += batch_run(&(struct batch_options){
            .seed = seed, .count = 24, .levels = all_levels, .checked = is_full()});
    CHECK_EQ(failed, 0);
}

/* The comparison can fail: with other inputs, most results are others. */
static void other_inputs_are_noticed(void)
{
    const char *const level[] = {"-O1", NULL};
    uint32_t failed = batch_run(
        &(struct batch_options){.seed = 2000, .count = 20, .levels = level, .disturbed = true});
    CHECK(failed >= 10);
}

static void the_function_asked_for_is_right(void)
{
    const char *wanted = getenv("HEDDLE_DIFFERENTIAL");
    unsigned long long seed = 1;
    unsigned index = 0;
    if (!wanted)
        return;
    CHECK_EQ(sscanf(wanted, "%llu %u", &seed, &index), 2);
    CHECK_EQ(batch_run(&(struct batch_options){
                 .seed = seed, .first = index, .count = 1, .levels = all_levels, .checked = true}),
             0);
}

CHECK_MAIN("differential", TEST(random_functions_give_what_they_give_on_the_host),
           TEST(all_levels_of_optimisation_give_the_same), TEST(other_inputs_are_noticed),
           TEST(the_function_asked_for_is_right))
