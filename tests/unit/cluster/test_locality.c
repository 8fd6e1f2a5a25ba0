#include "check.h"

#include "base/rng.h"
#include "cluster/locality.h"
#include "rig/capture.h"
#include "stream/stream.h"

enum { MOST = 4000 };

struct observer {
    struct arena *arena;
    struct locality *l;
    int64_t window[LOCALITY_WINDOWS];
};

static void open_observer(struct observer *o, int n, const int64_t *windows)
{
    *o = (struct observer){.arena = arena_new()};
    for (int i = 0; i < n; i++)
        o->window[i] = windows[i];
    struct locality_spec spec = {.windows = {n, o->window}};
    o->l = locality_new(o->arena, &spec);
}

static uint64_t value(const struct observer *o, const char *name)
{
    struct stats *tree = stats_new(o->arena);
    struct text t;
    struct json j;
    char key[64];
    unsigned long long v = 0;
    locality_add_stats(o->l, "cluster[0]", tree);
    text_open(&t);
    json_begin(&j, t.out);
    stats_write_json(tree, &j);
    json_end(&j);
    text_close(&t);
    snprintf(key, sizeof key, "\"locality.%s\": ", name);
    const char *at = strstr(t.s, key);
    int found = at ? sscanf(at + strlen(key), "%llu", &v) : 0;
    text_free(&t);
    CHECK_EQ(found, 1);
    return v;
}

static uint64_t of_window(const struct observer *o, const char *name, int k)
{
    char full[32];
    snprintf(full, sizeof full, "%s_%d", name, k);
    return value(o, full);
}

static void add(struct observer *o, hd_cycle now, uint16_t sm, uint32_t cta, uint32_t words)
{
    locality_add(o->l, &(struct request){.line = 0x80, .sm = sm, .cta = cta, .words = words}, now);
}

static void a_request_is_redundant_up_to_the_length_of_the_window(void)
{
    struct observer o;
    open_observer(&o, 2, (int64_t[]){10, 20});
    add(&o, 100, 0, 0, 1);
    add(&o, 110, 0, 0, 1); /* 10: both */
    add(&o, 121, 0, 0, 1); /* 11: the second */
    add(&o, 142, 0, 0, 1); /* 21: none */
    CHECK_EQ(value(&o, "requests"), 4);
    CHECK_EQ(value(&o, "redundant_1"), 1);
    CHECK_EQ(value(&o, "redundant_2"), 2);
    arena_free(o.arena);
}

static void another_sm_counts_also_behind_the_same(void)
{
    struct observer o;
    open_observer(&o, 2, (int64_t[]){10, 20});
    add(&o, 100, 1, 0, 1);
    add(&o, 108, 0, 0, 1); /* after SM 1, 8 */
    add(&o, 115, 0, 0, 1); /* after itself, 7, and after SM 1, 15 */
    CHECK_EQ(value(&o, "other_sm_1"), 1);
    CHECK_EQ(value(&o, "same_sm_1"), 1);
    CHECK_EQ(value(&o, "other_sm_2"), 2);
    CHECK_EQ(value(&o, "same_sm_2"), 0);
    arena_free(o.arena);
}

static void data_are_shared_by_words_and_with_other_ctas_only(void)
{
    struct observer o;
    open_observer(&o, 1, (int64_t[]){1000});
    add(&o, 1, 0, 7, 0x00f);
    add(&o, 2, 1, 7, 0x001); /* the same CTA: line */
    add(&o, 3, 1, 8, 0x0f0); /* other words: line */
    add(&o, 4, 1, 9, 0x010); /* a word of CTA 8: data */
    locality_add(o.l, &(struct request){.line = 0x80, .sm = 0, .cta = 7, .kernel = 1, .words = 8},
                 5);         /* CTA 7 of another kernel is another CTA: data */
    add(&o, 6, 0, 7, 0x100); /* nobody's words: line */
    CHECK_EQ(value(&o, "redundant_1"), 5);
    CHECK_EQ(value(&o, "line_1"), 3);
    CHECK_EQ(value(&o, "data_1"), 2);
    arena_free(o.arena);
}

static void stores_count_when_asked_for_and_other_spaces_never(void)
{
    for (int stores = 0; stores < 2; stores++) {
        struct arena *a = arena_new();
        struct locality_spec spec = {.windows = {1, (int64_t[]){1000}}, .stores = stores};
        struct observer o = {.arena = a, .l = locality_new(a, &spec)};
        add(&o, 1, 0, 1, 1);
        locality_add(o.l, &(struct request){.line = 0x80, .words = 1, .kind = REQUEST_WRITE}, 2);
        locality_add(o.l, &(struct request){.line = 0x80, .words = 1, .kind = REQUEST_ATOMIC}, 3);
        locality_add(o.l, &(struct request){.line = 0x80, .words = 1, .space = STREAM_LOCAL}, 4);
        CHECK_EQ(value(&o, "requests"), 1 + stores);
        CHECK_EQ(value(&o, "redundant_1"), stores);
        arena_free(a);
    }
}

static void only_windows_that_were_asked_for_are_listed(void)
{
    struct arena *a = arena_new();
    struct observer o;
    CHECK(locality_new(a, &(struct locality_spec){0}) == NULL);
    open_observer(&o, 3, (int64_t[]){1, 2, 3});
    struct stats *tree = stats_new(a);
    struct text t;
    locality_add_stats(o.l, "cluster[0]", tree);
    text_open(&t);
    stats_names(tree, t.out);
    text_close(&t);
    CHECK(strstr(t.s, "locality.data_3") != NULL);
    CHECK(strstr(t.s, "_4") == NULL);
    text_free(&t);
    arena_free(o.arena);
    arena_free(a);
}

static bool check_windows(const char *setting, struct err *e)
{
    struct arena *a = arena_new();
    const struct cfg_section *section = &locality_section;
    struct config *cfg = config_new(a, &section, 1);
    bool ok = config_set(cfg, setting, e) && locality_check(cfg, e);
    arena_free(a);
    return ok;
}

static void windows_are_few_and_ascending(void)
{
    struct err e = {0};
    CHECK(check_windows("locality.windows=[500,1000,1500,2000]", &e));
    CHECK(check_windows("locality.windows=[]", &e));
    CHECK(!check_windows("locality.windows=[1,2,3,4,5]", &e));
    CHECK(strstr(e.text, "5 windows, at most 4") != NULL);
    e = (struct err){0};
    CHECK(!check_windows("locality.windows=[500,500]", &e));
    CHECK(strstr(e.text, "500 after 500, expected ascending windows") != NULL);
    CHECK(!check_windows("locality.windows=[0]", &e));
}

/* ---- against the definition ---- */

struct seen {
    struct request r;
    hd_cycle when;
};

struct counts {
    uint64_t redundant, other_sm, data;
};

/* Looks at all earlier requests. */
static void count_slowly(const struct seen *all, uint32_t n, int64_t window, struct counts *c)
{
    bool any = false, other = false, data = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct request *a = &all[i].r, *b = &all[n].r;
        if (a->line != b->line || all[n].when - all[i].when > (hd_cycle)window)
            continue;
        any = true;
        other |= a->sm != b->sm;
        data |= (a->cta != b->cta || a->kernel != b->kernel) && (a->words & b->words);
    }
    c->redundant += any;
    c->other_sm += other;
    c->data += data;
}

static void compare_with_the_definition(uint64_t seed, uint32_t lines, uint32_t gap)
{
    static struct seen all[MOST];
    static const int64_t windows[LOCALITY_WINDOWS] = {1, 30, 127, 128};
    struct counts want[LOCALITY_WINDOWS] = {0};
    struct observer o;
    hd_cycle now = 5;
    open_observer(&o, LOCALITY_WINDOWS, windows);
    for (uint32_t i = 0; i < MOST; i++) {
        uint64_t draw = rng_at(seed, i);
        now += 1 + (draw >> 40) % gap;
        all[i] = (struct seen){{.line = (uint64_t)rng_below(draw, lines) * LINE_BYTES,
                                .sm = draw & 3,
                                .cta = draw >> 2 & 7,
                                .kernel = draw >> 5 & 1,
                                .words = (uint32_t)(draw >> 6) & (uint32_t)(draw >> 12) & 0x3f},
                               now};
        locality_add(o.l, &all[i].r, now);
        for (int k = 0; k < LOCALITY_WINDOWS; k++)
            count_slowly(all, i, windows[k], &want[k]);
    }
    for (int k = 0; k < LOCALITY_WINDOWS; k++) {
        CHECK(want[k].redundant > 0);
        CHECK_EQ(of_window(&o, "redundant", k + 1), want[k].redundant);
        CHECK_EQ(of_window(&o, "other_sm", k + 1), want[k].other_sm);
        CHECK_EQ(of_window(&o, "same_sm", k + 1), want[k].redundant - want[k].other_sm);
        CHECK_EQ(of_window(&o, "data", k + 1), want[k].data);
        CHECK_EQ(of_window(&o, "line", k + 1), want[k].redundant - want[k].data);
    }
    arena_free(o.arena);
}

static void counts_are_those_of_the_definition(void)
{
    compare_with_the_definition(1, 8, 1); /* every cycle: the ring is as full as it can be */
    compare_with_the_definition(2, 200, 1);
    compare_with_the_definition(3, 50, 4);
}

static void add_twice_in_a_cycle(void)
{
    struct observer o;
    open_observer(&o, 1, (int64_t[]){10});
    add(&o, 3, 0, 0, 1);
    add(&o, 3, 1, 0, 1);
}

static void two_requests_in_one_cycle_are_our_own_fault(void)
{
    struct death d = death_of(add_twice_in_a_cycle);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "two requests of a cluster in cycle 3") != NULL);
}

CHECK_MAIN("locality", TEST(a_request_is_redundant_up_to_the_length_of_the_window),
           TEST(another_sm_counts_also_behind_the_same),
           TEST(data_are_shared_by_words_and_with_other_ctas_only),
           TEST(stores_count_when_asked_for_and_other_spaces_never),
           TEST(only_windows_that_were_asked_for_are_listed), TEST(windows_are_few_and_ascending),
           TEST(counts_are_those_of_the_definition),
           TEST(two_requests_in_one_cycle_are_our_own_fault))
