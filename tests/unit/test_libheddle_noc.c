/* Documents of networks and of prices, and how a measurement is stopped. */
#include <heddle/heddle.h>

#include "check.h"

static struct hd_config *mesh(void)
{
    struct hd_error e;
    setenv("HEDDLE_DATA", HEDDLE_SOURCE_DIR, 1);
    struct hd_config *c = hd_config_network("mesh8_uniform_p1_v4b8", &e);
    CHECK(c && hd_config_set(c, "measure.cycles=500", &e) &&
          hd_config_set(c, "measure.warmup=100", &e));
    return c;
}

static const char *after(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    return at ? at + strlen(key) : "";
}

static void a_document_has_a_point_for_each_load(void)
{
    struct hd_error e;
    struct hd_config *c = mesh();
    const double rates[] = {0.05, 0.1};
    struct hd_noc_options o = {.size = sizeof o, .rates = rates, .nrates = 2, .threads = 2};
    const char *text = hd_noc_json(c, &o, &e);
    CHECK_EQ(strncmp(after(text, "\"network\": "), "\"mesh8_uniform_p1_v4b8\"", 23), 0);
    CHECK_NEAR(atof(after(text, "\"offered\": ")), 0.05, 0);
    CHECK_NEAR(atof(after(after(text, "\"offered\": "), "\"offered\": ")), 0.1, 0);
    struct hd_point p;
    char digest[32];
    CHECK(hd_noc_run(c, 0.05, &p, &e));
    snprintf(digest, sizeof digest, "\"%016llx\"", (unsigned long long)p.digest);
    CHECK_EQ(strncmp(after(text, "\"digest\": "), digest, 18), 0);
    hd_config_free(c);
}

static void without_options_the_load_is_the_configurations(void)
{
    struct hd_error e;
    struct hd_config *c = mesh();
    CHECK(hd_config_set(c, "traffic.rate=0.07", &e));
    CHECK_NEAR(atof(after(hd_noc_json(c, NULL, &e), "\"offered\": ")), 0.07, 0);
    hd_config_free(c);
}

static void a_search_finds_the_knee(void)
{
    struct hd_error e;
    struct hd_config *c = mesh();
    CHECK(hd_config_set(c, "measure.step=0.1", &e));
    struct hd_noc_options o = {.size = sizeof o, .saturation = true};
    double most = atof(after(hd_noc_json(c, &o, &e), "\"highest_accepted\": "));
    CHECK(most > 0.2 && most < 1);
    hd_config_free(c);
}

/* What a struct of a later version has behind its end is of no matter as long as it is zero. */
static void sizes_of_structs_are_checked(void)
{
    struct hd_error e;
    struct hd_config *c = mesh();
    struct {
        struct hd_noc_options now;
        uint64_t later;
    } o = {{.size = sizeof o}, 0};
    CHECK(hd_noc_json(c, &o.now, &e));
    o.later = 1;
    CHECK(!hd_noc_json(c, &o.now, &e));
    CHECK(strstr(e.text, "hd_noc_options: of a later heddle"));
    o.now.size = 0;
    CHECK(!hd_noc_json(c, &o.now, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    o.now.size = offsetof(struct hd_noc_options, threads); /* an earlier one had no threads */
    CHECK(hd_noc_json(c, &o.now, &e));
    CHECK(!hd_config_watch(c, &(struct hd_watch){0}, &e));
    hd_config_free(c);
}

static void a_measurement_is_stopped(void)
{
    struct hd_error e;
    struct hd_point p;
    struct hd_config *c = mesh();
    int stop = 0;
    struct hd_watch w = {.size = sizeof w, .stop = &stop};
    uint64_t digest;
    CHECK(hd_noc_run(c, 0.1, &p, &e));
    digest = p.digest;
    CHECK(hd_config_watch(c, &w, &e));
    CHECK(hd_noc_run(c, 0.1, &p, &e));
    CHECK_EQ(p.digest, digest); /* who may stop it changes nothing */
    stop = 1;
    CHECK(hd_config_set(c, "measure.warmup=1000000000", &e)); /* a day, were it not stopped */
    CHECK(!hd_noc_run(c, 0.1, &p, &e));
    CHECK_EQ(e.status, HD_STOPPED);
    CHECK(!hd_noc_json(c, NULL, &e));
    CHECK_EQ(e.status, HD_STOPPED);
    CHECK(hd_config_watch(c, NULL, &e) && hd_config_set(c, "measure.warmup=100", &e));
    CHECK(hd_noc_run(c, 0.1, &p, &e));
    hd_config_free(c);
}

static void note_area(void *context, const char *name, const char *unit, double value)
{
    if (strcmp(name, "cost.area") != 0)
        return;
    CHECK_STR(unit, "mm2");
    *(double *)context = value;
}

static void a_machine_and_a_network_are_priced(void)
{
    struct hd_error e;
    double area = 0;
    struct hd_config *c = hd_config_machine("icc60", &e), *n = mesh();
    CHECK(hd_cost(c, note_area, &area, &e));
    const char *text = hd_cost_json(c, &e);
    CHECK_EQ(strncmp(after(text, "\"machine\": "), "\"icc60\"", 7), 0);
    CHECK_NEAR(atof(after(after(text, "\"area_mm2\": "), "\"total\": ")), area, 1e-9);
    CHECK_EQ(strncmp(after(hd_cost_json(n, &e), "\"network\": "), "\"mesh8", 6), 0);
    CHECK(hd_cost(n, note_area, &area, &e));
    CHECK(hd_config_set(c, "noc.topology=nothing", &e));
    CHECK(!hd_cost_json(c, &e) && !hd_cost(c, note_area, &area, &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    hd_config_free(c);
    hd_config_free(n);
}

static void settings_without_effect_are_told(void)
{
    struct hd_error e;
    struct hd_config *c = hd_config_machine("icc60", &e);
    CHECK(hd_config_set(c, "icc.entries=8", &e) && hd_config_set(c, "l1.ways=8", &e));
    struct hd_gpu *g = hd_gpu_new(c, NULL, &e);
    CHECK_STR(hd_config_idle(c), "icc.entries (icc.enabled is false)");
    hd_gpu_free(g);
    hd_config_free(c);
}

CHECK_MAIN("libheddle_noc", TEST(a_document_has_a_point_for_each_load),
           TEST(without_options_the_load_is_the_configurations), TEST(a_search_finds_the_knee),
           TEST(sizes_of_structs_are_checked), TEST(a_measurement_is_stopped),
           TEST(a_machine_and_a_network_are_priced), TEST(settings_without_effect_are_told))
