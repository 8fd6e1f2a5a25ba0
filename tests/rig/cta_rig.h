/* cta_rig.h - a CTA scheduler between a dispatcher and SMs that are nothing but counters.
 *
 *     struct cta_rig r;
 *     cta_rig_open(&r, "greedy", &(struct cta_rig_shape){.clusters = 2, .sms = 2, ...});
 *     cta_rig_settle(&r);                cycles, until nothing is started any more
 *     cta_rig_end(&r, 0);                CTA 0 ends
 *     CHECK_EQ(r.cta[8].sm, 0);
 *     cta_rig_lend(&r);                  a CTA goes to an SM of another program, and ends there
 *     cta_rig_close(&r);
 *
 * Like the dispatcher, it asks only in cycles in which a CTA has ended or one was started in the
 * cycle before. */
#ifndef HEDDLE_TESTS_RIG_CTA_RIG_H
#define HEDDLE_TESTS_RIG_CTA_RIG_H

#include "cta/policy.h"

enum { CTA_RIG_SMS = 64, CTA_RIG_CTAS = 512, CTA_RIG_NOWHERE = 0xffff, CTA_RIG_ABROAD = 0xfffe };

struct cta_rig_shape {
    uint32_t clusters, sms; /* sms: of a cluster */
    uint32_t all;           /* SMs in all clusters; 0: clusters * sms */
    uint32_t group;         /* clusters at one router; 0: 1 */
    uint32_t first, count;  /* SMs of the kernel; count 0: all */
    uint64_t only;          /* of those, SMs by bit; 0: all */
    uint32_t contexts, ctas;
    uint32_t grid[3]; /* x 0: all CTAs in a row; else `ctas` is not looked at */
    uint32_t rate;    /* 0: no limit */
    const char *set;  /* "section.key=value", several with blanks between, or NULL */
};

struct cta_rig {
    const struct cta_policy *policy;
    struct arena *arena;
    struct sm_clusters clusters;
    struct sm_set sms;
    struct cta_view v;
    void *state;
    uint8_t room[CTA_RIG_SMS]; /* a test may take some away, as guests do, and give it back */
    uint32_t served[CTA_RIG_SMS];
    uint32_t served_others[CTA_RIG_SMS]; /* in each cycle, before this kernel: by other programs */
    struct {
        uint32_t sm, at; /* CTA_RIG_NOWHERE: not started; CTA_RIG_ABROAD: lent */
        bool has_ended;
    } cta[CTA_RIG_CTAS];
    uint32_t now, nstarted, nended;
};

/* With the sections of all policies. */
struct config *cta_rig_config(struct arena *a);
/* SMs first .. first + count - 1. */
struct sm_set cta_rig_range(struct arena *a, const struct sm_clusters *c, uint32_t first,
                            uint32_t count);

void cta_rig_open(struct cta_rig *r, const char *policy, const struct cta_rig_shape *s);
void cta_rig_close(struct cta_rig *r);
/* One cycle; returns how many CTAs it started.  What may not be started fails the test. */
uint32_t cta_rig_cycle(struct cta_rig *r);
uint32_t cta_rig_settle(struct cta_rig *r);
void cta_rig_end(struct cta_rig *r, uint32_t cta);
/* The CTA that was lent; CTA_RIG_NOWHERE: none. */
uint32_t cta_rig_lend(struct cta_rig *r);

/* An example, step by step: CTAs that end, "3 4", and which are then started, by SM: "0:5 2:6,7". */
struct cta_rig_step {
    const char *ends, *starts;
};
enum { CTA_RIG_STEPS = 12 };
struct cta_rig_example {
    const char *policy;
    struct cta_rig_shape shape;
    struct cta_rig_step steps[CTA_RIG_STEPS]; /* up to one without `starts` */
};
void cta_rig_follow(const struct cta_rig_example *x, size_t n);
#define CTA_RIG_FOLLOW(table) cta_rig_follow(table, sizeof(table) / sizeof(table)[0])

#endif
