#include "check.h"

#include "base/csv.h"
#include "power/gpuwattch.h"

/* Events that are not carried over: power per sample, operands that nobody counts. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"IDLE_CORE_N", "CONST_DYNAMICN"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const struct gpuwattch_row *find(const char *name)
{
    for (int i = 0; i < GPUWATTCH_N; i++)
        if (strcmp(gpuwattch_rows[i].name, name) == 0)
            return &gpuwattch_rows[i];
    return NULL;
}

static void every_event_of_the_reference_has_its_energies(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct csv *t = csv_read(a, HEDDLE_SOURCE_DIR "/reference/power/gpuwattch_gtx480.csv", &e);
    CHECK(t != NULL);
    int event = csv_column(t, "event", &e), base = csv_column(t, "mcpat_base_nJ", &e);
    int effective = csv_column(t, "effective_nJ", &e), found = 0;
    for (int i = 0; i < t->nrows; i++) {
        double physical, price;
        if (is_left_out(csv_text(t, i, event)))
            continue;
        const struct gpuwattch_row *r = find(csv_text(t, i, event));
        CHECK(r != NULL);
        CHECK(csv_real(t, i, base, &physical, &e) && csv_real(t, i, effective, &price, &e));
        CHECK_NEAR(r->base, physical * 1e-9, 1e-9);
        CHECK_NEAR(r->effective, price * 1e-9, 1e-4); /* printed with six digits */
        found++;
    }
    CHECK_EQ(found, GPUWATTCH_N);
    arena_free(a);
}

static void a_flit_costs_by_its_width(void)
{
    CHECK_NEAR(gpuwattch_flit(32), 1.94e-9, 1e-3);
    CHECK_NEAR(gpuwattch_flit(64), 3.88e-9, 1e-3);
    CHECK_NEAR(gpuwattch_flit(16), gpuwattch_flit(32) / 2, 1e-12);
}

static void a_dram_command_costs_by_its_bytes(void)
{
    CHECK_NEAR(gpuwattch_burst(GPUWATTCH_MEM_RD, 64), 26.9484e-9, 1e-4);
    CHECK_NEAR(gpuwattch_burst(GPUWATTCH_MEM_WR, 128), 2 * 15.8649e-9, 1e-4);
    CHECK_NEAR(gpuwattch_precharge(128), 2 * 4.23225e-9, 1e-4);
}

/* The sample of GPUWattch: 500 cycles of 15 SMs that finish 64 thread instructions in each. */
static void full_pipelines_cost_what_the_sample_says(void)
{
    CHECK_NEAR(gpuwattch_pipeline() * 500 * 15 * 64, 18186.9e-9, 1e-4);
    CHECK_NEAR(gpuwattch_pipeline_base() * 500 * 16 * 64, 7076.63e-9, 1e-9);
}

static void what_runs_always_is_power_at_the_card_s_clock(void)
{
    CHECK_NEAR(gpuwattch_idle() * 500 / 700e6, 1135.71e-9, 1e-5);
    CHECK_NEAR(gpuwattch_constant() * 15, 11, 1e-12);
}

CHECK_MAIN("gpuwattch", TEST(every_event_of_the_reference_has_its_energies),
           TEST(a_flit_costs_by_its_width), TEST(a_dram_command_costs_by_its_bytes),
           TEST(full_pipelines_cost_what_the_sample_says),
           TEST(what_runs_always_is_power_at_the_card_s_clock))
