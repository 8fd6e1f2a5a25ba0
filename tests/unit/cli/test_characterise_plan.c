#include "check.h"

#include <math.h>

#include "cli/characterise.h"
#include "machine/machine.h"
#include "study/inputs.h"

struct plan {
    struct arena *a;
    struct config *cfg;
    struct characterise c;
    struct err e;
};

static bool plan(struct plan *p, const char *machine, const struct characterise_options *o)
{
    *p = (struct plan){.a = arena_new()};
    p->cfg = machine_config(p->a);
    CHECK(config_load(p->cfg, arena_printf(p->a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, machine),
                      &p->e));
    machine_fit(p->cfg);
    return characterise_plan(p->a, p->cfg, o, &p->c, &p->e);
}

static const struct characterise_curve *curve(const struct plan *p, const char *name)
{
    for (uint32_t i = 0; i < p->c.ncurves; i++)
        if (strcmp(p->c.curves[i].name, name) == 0)
            return &p->c.curves[i];
    return NULL;
}

/* "a: 1, b: 2" of YAML as a command line has it. */
static const char *command_form(struct arena *a, const char *args)
{
    char *text = arena_strdup(a, args), *to = text;
    for (const char *from = text; *from; from++)
        if (*from == ':')
            *to++ = '=';
        else if (*from != ' ')
            *to++ = *from;
    *to = '\0';
    return text;
}

static void check_plan(const char *machine, const char *chip, bool quick)
{
    struct plan p;
    CHECK(plan(&p, machine, &(struct characterise_options){machine, chip, NULL, quick}));
    for (uint32_t i = 0; i < p.c.ncurves; i++) {
        const struct characterise_curve *k = &p.c.curves[i];
        CHECK(k->n > 0);
        for (uint32_t n = 0; n < k->n; n++) {
            struct err why = {0};
            CHECK(
                inputs_args(p.a, k->workload, "small", command_form(p.a, k->points[n].args), &why));
            CHECK_STR(why.text, "");
            for (uint32_t m = 0; m < n; m++)
                CHECK(strcmp(k->points[m].row, k->points[n].row) != 0);
            CHECK(n == 0 || k->points[n].x > k->points[n - 1].x);
        }
    }
    arena_free(p.a);
}

static void points_of_every_machine_are_in_the_benchmarks_ranges(void)
{
    static const char *const machines[] = {"volta", "icc60", "sharing15", "coalesce28", "kepler15"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        check_plan(machines[i], NULL, true);
        check_plan(machines[i], NULL, false);
        check_plan(machines[i], "v100", false);
    }
}

static void footprints_with_a_chip_are_its_own_and_have_its_values(void)
{
    struct plan p;
    CHECK(plan(&p, "volta", &(struct characterise_options){"volta", "v100", NULL, false}));
    const struct characterise_curve *latency = curve(&p, "latency");
    for (uint32_t i = 0; i < latency->n; i++)
        CHECK(latency->points[i].chip > 27 && latency->points[i].chip < 435);
    CHECK(latency->points[0].chip < 28.1);
    CHECK(latency->points[latency->n - 1].chip > 430);
    const struct characterise_curve *read = curve(&p, "stream_read");
    CHECK(read->points[read->n - 1].x == 2048);
    CHECK(read->points[read->n - 1].chip == 867);
    CHECK(isnan(curve(&p, "banks")->points[0].chip));
    arena_free(p.a);
}

static void only_names_parts(void)
{
    struct plan p;
    CHECK(plan(&p, "volta", &(struct characterise_options){"volta", NULL, "stream,banks", true}));
    CHECK_EQ(p.c.ncurves, 7);
    CHECK(curve(&p, "banks") && curve(&p, "stream_triad") && !curve(&p, "latency"));
    arena_free(p.a);
    CHECK(!plan(&p, "volta", &(struct characterise_options){"volta", NULL, "steam", true}));
    CHECK_STR(p.e.text, "characterise: --only: no part \"steam\"; did you mean stream?");
    arena_free(p.a);
}

static void a_chip_without_measurements_is_refused(void)
{
    struct plan p;
    CHECK(!plan(&p, "volta", &(struct characterise_options){"volta", "v101", NULL, true}));
    CHECK_EQ(p.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(p.e.text, "no measurements of a chip \"v101\"") != NULL);
    arena_free(p.a);
}

CHECK_MAIN("characterise_plan", TEST(points_of_every_machine_are_in_the_benchmarks_ranges),
           TEST(footprints_with_a_chip_are_its_own_and_have_its_values), TEST(only_names_parts),
           TEST(a_chip_without_measurements_is_refused))
