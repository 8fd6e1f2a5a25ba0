#include "check.h"

#include "report/timeline.h"
#include "rig/capture.h"

/* ---- a strict reader of JSON that only says where the value ends, or NULL ---- */

static const char *value_end(const char *s);

static const char *blanks(const char *s)
{
    return s + strspn(s, " \n\t\r");
}

static const char *string_end(const char *s)
{
    for (s++; *s && *s != '"'; s++) {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s != '\\')
            continue;
        s++;
        if (*s == 'u') {
            if (strspn(s + 1, "0123456789abcdefABCDEF") < 4)
                return NULL;
            s += 4;
        } else if (!*s || !strchr("\"\\/bfnrt", *s)) {
            return NULL;
        }
    }
    return *s ? s + 1 : NULL;
}

static const char *key_end(const char *s)
{
    s = *s == '"' ? string_end(s) : NULL;
    if (!s || *(s = blanks(s)) != ':')
        return NULL;
    return blanks(s + 1);
}

static const char *list_end(const char *s)
{
    bool is_object = *s == '{';
    char close = is_object ? '}' : ']';
    s = blanks(s + 1);
    if (*s == close)
        return s + 1;
    for (;;) {
        if (is_object && !(s = key_end(s)))
            return NULL;
        if (!(s = value_end(s)))
            return NULL;
        s = blanks(s);
        if (*s == close)
            return s + 1;
        if (*s != ',')
            return NULL;
        s = blanks(s + 1);
    }
}

static const char *value_end(const char *s)
{
    if (*s == '{' || *s == '[')
        return list_end(s);
    if (*s == '"')
        return string_end(s);
    char *end;
    strtod(s, &end);
    return end == s || !strchr("-0123456789", *s) ? NULL : end;
}

static bool is_json(const char *s)
{
    s = value_end(blanks(s));
    return s && *blanks(s) == '\0';
}

static void the_reader_refuses_what_is_no_json(void)
{
    CHECK(is_json("{\"a\": [1, -2.5e3, \"x\\n\\u0041\"], \"b\": {}}\n"));
    static const char *const bad[] = {"",        "{",      "[1,]",  "{\"a\" 1}", "{a: 1}",
                                      "\"\\x\"", "\"\n\"", "[1 2]", "nan",       "[1] 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!is_json(bad[i]));
}

/* ---- timelines ---- */

struct world {
    struct arena *a;
    struct text x;
    struct timeline *t;
};

static void world_open(struct world *w, double clock)
{
    w->a = arena_new();
    text_open(&w->x);
    w->t = timeline_new(w->a, w->x.out, clock, 4, 3);
}

static const char *world_text(struct world *w)
{
    timeline_end(w->t, NULL);
    return text_close(&w->x);
}

static void world_free(struct world *w)
{
    text_free(&w->x);
    arena_free(w->a);
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)); s++)
        n++;
    return n;
}

static void an_empty_timeline_is_valid(void)
{
    struct world w;
    world_open(&w, 1e9);
    const char *s = world_text(&w);
    CHECK(is_json(s));
    CHECK_EQ(count_of(s, "\"ph\": \"M\""), 4);
    CHECK_EQ(count_of(s, "\"ph\""), 4);
    world_free(&w);
}

static void a_kernel_is_a_slice_in_microseconds(void)
{
    struct world w;
    world_open(&w, 2e9);
    timeline_add_kernel(
        w.t,
        &(struct timeline_kernel){
            .name = "bfs", .grid = {10, 2, 1}, .block = {256, 1, 1}, .begin = 1000, .end = 5000});
    const char *s = world_text(&w);
    CHECK(is_json(s));
    CHECK(strstr(s, "{\"ph\": \"X\", \"name\": \"bfs\", \"pid\": 1, \"tid\": 1, \"ts\": 0.5, "
                    "\"dur\": 2, \"args\": {\"begin_cycle\": 1000, \"cycles\": 4000, "
                    "\"grid\": \"10 x 2 x 1\", \"block\": \"256 x 1 x 1\"}}"));
    world_free(&w);
}

static void every_slot_of_an_sm_is_a_track_named_once(void)
{
    struct world w;
    world_open(&w, 1e9);
    struct timeline_cta c = {.kernel = "k", .sm = 2, .slot = 1, .cta = 7, .begin = 0, .end = 500};
    timeline_add_cta(w.t, &c);
    c = (struct timeline_cta){
        .kernel = "k", .sm = 2, .slot = 1, .cta = 9, .begin = 500, .end = 900};
    timeline_add_cta(w.t, &c);
    c = (struct timeline_cta){.kernel = "k", .sm = 3, .slot = 2, .cta = 8, .begin = 0, .end = 900};
    timeline_add_cta(w.t, &c);
    const char *s = world_text(&w);
    CHECK(is_json(s));
    CHECK_EQ(count_of(s, "\"name\": \"SM 2 #1\""), 1);
    CHECK_EQ(count_of(s, "\"name\": \"SM 3 #2\""), 1);
    CHECK(strstr(s, "{\"ph\": \"X\", \"name\": \"k/9\", \"pid\": 2, \"tid\": 8, \"ts\": 0.5, "
                    "\"dur\": 0.4, \"args\": {\"begin_cycle\": 500, \"cycles\": 400, "
                    "\"kernel\": \"k\", \"cta\": 9}}"));
    CHECK_EQ(count_of(s, "\"tid\": 12"), 3); /* name, order, slice */
    world_free(&w);
}

/* Reads the number behind `key` after s. */
static double number_after(const char *s, const char *key)
{
    s = strstr(s, key);
    return s ? strtod(s + strlen(key), NULL) : -1;
}

static void slices_that_touch_in_cycles_touch_in_time(void)
{
    struct world w;
    world_open(&w, 1.4e9); /* a cycle is no whole number of nanoseconds */
    uint64_t at = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t end = at + 1 + i % 13;
        struct timeline_cta c = {.kernel = "k", .cta = i, .begin = at, .end = end};
        timeline_add_cta(w.t, &c);
        at = end;
    }
    const char *s = world_text(&w);
    double over = 0;
    int slices = 0;
    while ((s = strstr(s, "\"ph\": \"X\""))) {
        double ts = number_after(s, "\"ts\": "), dur = number_after(s, "\"dur\": ");
        CHECK_EQ(llround(ts * 1000), llround(over * 1000));
        over = ts + dur;
        slices++;
        s++;
    }
    CHECK_EQ(slices, 1000);
    CHECK_EQ(llround(over * 1000), (long long)((double)at / 1.4));
    world_free(&w);
}

static void times_do_not_overflow(void)
{
    struct world w;
    world_open(&w, 1e9);
    uint64_t day = 86400ull * 1000000000; /* 10^9 cycles a second */
    timeline_add_kernel(w.t, &(struct timeline_kernel){.name = "k", .begin = day, .end = 2 * day});
    const char *s = strstr(world_text(&w), "\"ph\": \"X\"");
    CHECK(number_after(s, "\"ts\": ") == 86400e6);
    CHECK(number_after(s, "\"dur\": ") == 86400e6);
    world_free(&w);
}

static void counters_can_be_stacked_and_have_no_holes(void)
{
    struct world w;
    world_open(&w, 1e9);
    timeline_add_counter(w.t, 3000, "latency",
                         (struct timeline_value[]){{"l2", 120.5}, {"dram", NAN}}, 2);
    const char *s = world_text(&w);
    CHECK(is_json(s));
    CHECK(strstr(s, "{\"ph\": \"C\", \"name\": \"latency\", \"pid\": 1, \"tid\": 0, \"ts\": 3, "
                    "\"args\": {\"l2\": 120.5, \"dram\": 0}}"));
    world_free(&w);
}

static void names_are_escaped_and_long_ones_cut(void)
{
    struct world w;
    char name[400];
    memset(name, 'x', sizeof name);
    memcpy(name, "a\"b\\c\n\xff", 7);
    name[399] = '\0';
    world_open(&w, 1e9);
    timeline_add_cta(w.t, &(struct timeline_cta){.kernel = name, .end = 1});
    timeline_add_kernel(w.t, &(struct timeline_kernel){.name = name, .track = 63, .end = 1});
    timeline_add_counter(w.t, 0, name, &(struct timeline_value){name, INFINITY}, 1);
    const char *s = world_text(&w);
    CHECK(is_json(s));
    CHECK(strstr(s, "\"a\\\"b\\\\c\\n\xef\xbf\xbdxx"));
    CHECK(strstr(s, "xx/0\""));
    world_free(&w);
}

static struct timeline *fresh(void)
{
    return timeline_new(arena_new(), stdout, 1e9, 2, 2);
}

static void go_on_after_the_end(void)
{
    struct timeline *t = fresh();
    timeline_end(t, NULL);
    timeline_add_counter(t, 0, "x", NULL, 0);
}

static void run_backwards(void)
{
    timeline_add_kernel(fresh(), &(struct timeline_kernel){.name = "k", .begin = 2, .end = 1});
}

static void use_a_slot_that_is_not_there(void)
{
    timeline_add_cta(fresh(), &(struct timeline_cta){.kernel = "k", .slot = 2});
}

static void misuse_is_asserted(void)
{
    CHECK(strstr(death_of(go_on_after_the_end).text, "an event after the end"));
    CHECK(strstr(death_of(run_backwards).text, "ends before it begins"));
    CHECK(strstr(death_of(use_a_slot_that_is_not_there).text, "no slot 2 of SM 0"));
}

CHECK_MAIN("timeline", TEST(the_reader_refuses_what_is_no_json), TEST(an_empty_timeline_is_valid),
           TEST(a_kernel_is_a_slice_in_microseconds),
           TEST(every_slot_of_an_sm_is_a_track_named_once),
           TEST(slices_that_touch_in_cycles_touch_in_time), TEST(times_do_not_overflow),
           TEST(counters_can_be_stacked_and_have_no_holes),
           TEST(names_are_escaped_and_long_ones_cut), TEST(misuse_is_asserted))
