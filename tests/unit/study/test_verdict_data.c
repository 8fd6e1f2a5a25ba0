#include "check.h"

#include "rig/capture.h"
#include "rig/study_rig.h"
#include "study/pool.h"

static const char text[] =
    "title: T\n" STUDY_RIG_HEAD "  hits: hits\nfigures:\n"
    "  f:\n"
    "    metric: speedup\n"
    "    baseline: rr\n"
    "    variants: [icc]\n"
    "    workloads: [HS, BP]\n"
    "    paper: [{variant: icc, workload: HS, value: 1.5, source: 'Fig. 1, left', note: n}]\n"
    "    claims: [{text: 'a \"b\"', expr: \"value(f, icc, BP) > 1\", source: s}]\n"
    "  g:\n"
    "    parts: [hits]\n"
    "    variants: [rr]\n"
    "    workloads: [HS]\n"
    "    paper: [{workload: HS, part: hits, value: 7, source: s}]\n";

static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    (void)context;
    (void)name;
    return workload == 2 ? (double)NAN : 4. + variant;
}

static void open_result(struct study_rig *rig, struct study_result *r)
{
    static const struct pool_failure failure = {"icc/BP@tiny", "killed"};
    study_rig_open(rig, text, NULL);
    if (!rig->study)
        print_error("%s\n", rig->err.text);
    CHECK(rig->study != NULL);
    *r = (struct study_result){.command = "heddle study", .nfailures = 1, .failures = &failure};
    verdict_judge(rig->arena, rig->study, &(struct verdict_source){made_up, NULL}, r);
}

static void csv_has_all_values_and_verdicts(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(&rig, &r);
    text_open(&t);
    study_csv(&r, t.out);
    CHECK_STR(text_close(&t), "kind,figure,variant,workload,part,value,paper,verdict,source,text\n"
                              "value,f,icc,HS,,1.25,,,,\n"
                              "value,f,icc,BP,,,,,,\n"
                              "value,f,icc,mean,,1.25,,,,\n"
                              "value,g,rr,HS,hits,4,,,,\n"
                              "value,g,rr,mean,hits,4,,,,\n"
                              "paper,f,icc,HS,,1.25,1.5,direction only,\"Fig. 1, left\",n\n"
                              "claim,f,,,,,,no data,s,\"a \"\"b\"\"\"\n"
                              "paper,g,rr,HS,hits,4,7,direction only,s,\n");
    text_free(&t);
    study_rig_close(&rig);
}

static void json_has_the_same(void)
{
    static const char *const parts[] = {
        "\"schema\": 1",
        "\"title\": \"T\"",
        "\"command\": \"heddle study\"",
        "\"counts\": {\"reproduced\": 0, \"direction only\": 2, \"not reproduced\": 0, "
        "\"no data\": 1, \"holds\": 0, \"fails\": 0}",
        "{\"figure\": \"f\", \"variant\": \"icc\", \"workload\": \"HS\", \"paper\": 1.5, "
        "\"measured\": 1.25, \"verdict\": \"direction only\", \"source\": \"Fig. 1, left\", "
        "\"note\": \"n\"}",
        "\"claim\": \"a \\\"b\\\"\", \"holds\": null, \"verdict\": \"no data\"",
        "\"baseline\": \"rr\"",
        "\"variants\": [\"icc\"]",
        "\"counted\": [1]",
        "{\"workload\": \"BP\", \"values\": [null]}",
        "{\"workload\": \"mean\", \"values\": [1.25]}",
        "\"parts\": [\"hits\"]",
        "{\"workload\": \"HS\", \"values\": [[4]]}",
        "\"part\": \"hits\"",
        "{\"run\": \"icc/BP@tiny\", \"why\": \"killed\"}"};
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(&rig, &r);
    text_open(&t);
    study_json(&r, t.out);
    const char *got = text_close(&t);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!strstr(got, parts[i]))
            print_error("no %s in\n%s\n", parts[i], got);
        CHECK(strstr(got, parts[i]) != NULL);
    }
    text_free(&t);
    study_rig_close(&rig);
}

CHECK_MAIN("verdict_data", TEST(csv_has_all_values_and_verdicts), TEST(json_has_the_same))
