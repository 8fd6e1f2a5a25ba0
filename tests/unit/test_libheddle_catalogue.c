/* What there is to choose from, as a stranger sees it. */
#include <heddle/heddle.h>

#include "check.h"

struct seen {
    uint32_t n;
    bool found;
};

static void see_machine(void *context, const struct hd_machine_entry *m)
{
    struct seen *s = context;
    struct hd_error e;
    CHECK(!m->trouble && *m->doc);
    struct hd_config *c = hd_config_machine(m->name, &e);
    CHECK(c);
    hd_config_free(c);
    c = hd_config_machine(m->path, &e);
    CHECK(c);
    hd_config_free(c);
    s->n++;
    s->found |= strcmp(m->name, "icc60") == 0;
}

static void machines_can_be_loaded_by_name_and_by_file(void)
{
    struct seen s = {0};
    setenv("HEDDLE_DATA", HEDDLE_SOURCE_DIR, 1);
    hd_each_machine(see_machine, &s);
    CHECK(s.found && s.n > 10);
}

static void see_network(void *context, const struct hd_machine_entry *m)
{
    struct seen *s = context;
    struct hd_error e;
    struct hd_config *c = hd_config_network(m->name, &e);
    CHECK(c && !m->trouble);
    hd_config_free(c);
    s->n++;
}

static void networks_can_be_loaded_by_name(void)
{
    struct seen s = {0};
    hd_each_network(see_network, &s);
    CHECK(s.n > 10);
}

static void a_name_that_is_none_is_refused_with_a_better_one(void)
{
    struct hd_error e;
    CHECK(!hd_config_machine("icc6", &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    CHECK_STR(e.text, "no machine \"icc6\"; did you mean icc60?");
    CHECK(!hd_config_network("icc60", &e));
    CHECK(strstr(e.text, "no network \"icc60\""));
    CHECK(!hd_config_machine("/nonexistent.yaml", &e));
    CHECK_STR(e.text, "/nonexistent.yaml: cannot read: No such file or directory");
}

static void parameters_of_the_other_kind_are_refused(void)
{
    struct hd_error e;
    struct hd_config *c = hd_config_machine("icc60", &e);
    CHECK(!hd_config_set(c, "traffic.rate=0.1", &e));
    CHECK_EQ(e.status, HD_BAD_INPUT);
    hd_config_free(c);
}

static void see_trouble(void *context, const struct hd_machine_entry *m)
{
    struct seen *s = context;
    s->n++;
    s->found = m->trouble && strstr(m->trouble, "bad.yaml:1");
}

static void a_file_that_cannot_be_used_is_listed_with_its_trouble(void)
{
    char folder[] = "/tmp/heddle-catalogue-XXXXXX", path[128];
    struct seen s = {0};
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path,
             "mkdir %s/machines && echo 'gpu: {clusters: -1}' >%s/machines/bad.yaml", folder,
             folder);
    CHECK_EQ(system(path), 0);
    setenv("HEDDLE_DATA", folder, 1);
    hd_each_machine(see_trouble, &s);
    setenv("HEDDLE_DATA", HEDDLE_SOURCE_DIR, 1);
    snprintf(path, sizeof path, "rm -r %s", folder);
    CHECK_EQ(system(path), 0);
    CHECK(s.found && s.n == 1);
}

static void the_data_folder_is_told_as_far_as_there_is_room(void)
{
    char path[256], little[5];
    size_t n = hd_data_folder("machines", path, sizeof path);
    CHECK_STR(path, HEDDLE_SOURCE_DIR "/machines");
    CHECK_EQ(n, strlen(path));
    CHECK_EQ(hd_data_folder("machines", little, sizeof little), n);
    CHECK_EQ(strlen(little), 4);
}

static void see_workload(void *context, const struct hd_workload_entry *w)
{
    struct seen *s = context;
    CHECK_EQ(w->nsizes, 6);
    CHECK_STR(w->sizes[0], "tiny");
    CHECK(*w->name && *w->suite && *w->doc && *w->kernels && *w->inputs[0]);
    s->n++;
    for (uint32_t i = 0; i < w->nargs; i++)
        CHECK(*w->arg_names[i] && *w->arg_docs[i] && w->arg_units[i]);
    s->found |= strcmp(w->name, "HS") == 0 && strstr(w->papers, "icc");
}

static void workloads_say_what_they_work_on(void)
{
    struct seen s = {0};
    hd_each_workload(see_workload, &s);
    CHECK(s.found && s.n > 30);
}

/* Every default is a value that the parameter takes, and every name that it is said to take is one. */
static void see_parameter(void *context, const struct hd_parameter *p)
{
    struct seen *s = context;
    struct hd_error e;
    char text[512];
    struct hd_config *c = hd_config_new();
    snprintf(text, sizeof text, "%s=%s", p->key, p->default_value);
    bool is_ok = hd_config_set(c, text, &e);
    if (!is_ok)
        print_error("%s\n", e.text);
    CHECK(is_ok && *p->section_doc); /* intervals of pipelines share one meaning */
    CHECK(p->least <= p->most || (isnan(p->least) && isnan(p->most)));
    for (uint32_t i = 0; i < p->nvalues; i++) {
        snprintf(text, sizeof text, "%s=%s", p->key, p->values[i]);
        CHECK(hd_config_set(c, text, &e));
    }
    hd_config_free(c);
    s->n++;
    if (strcmp(p->key, "gpu.cta_scheduler") == 0)
        s->found = p->is_of_machines && p->nvalues > 5 && strcmp(p->values[0], "rr") == 0;
    if (strcmp(p->key, "traffic.rate") == 0)
        CHECK(!p->is_of_machines);
}

static void parameters_have_types_defaults_and_ranges(void)
{
    struct seen s = {0};
    hd_each_parameter(see_parameter, &s);
    CHECK(s.found && s.n > 300);
}

static void see_statistic(void *context, const struct hd_statistic *stat)
{
    struct seen *s = context;
    bool is_cost = strcmp(stat->from, "cost") == 0;
    CHECK(*stat->name && *stat->kind && (is_cost || *stat->doc));
    s->n++;
    s->found |= strcmp(stat->name, "ipc") == 0 && strcmp(stat->kind, "derived") == 0;
}

static void statistics_have_units_and_meanings(void)
{
    struct seen s = {0};
    hd_each_statistic(see_statistic, &s);
    CHECK(s.found && s.n > 500);
}

CHECK_MAIN("libheddle_catalogue", TEST(machines_can_be_loaded_by_name_and_by_file),
           TEST(networks_can_be_loaded_by_name),
           TEST(a_name_that_is_none_is_refused_with_a_better_one),
           TEST(parameters_of_the_other_kind_are_refused),
           TEST(a_file_that_cannot_be_used_is_listed_with_its_trouble),
           TEST(the_data_folder_is_told_as_far_as_there_is_room),
           TEST(workloads_say_what_they_work_on), TEST(parameters_have_types_defaults_and_ranges),
           TEST(statistics_have_units_and_meanings))
