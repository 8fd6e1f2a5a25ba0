/* Words, bars and members of documents of heddle cost. */
#include "check.h"
#include "cli/cost_options.h"
#include "rig/capture.h"

static void words_end_at_separators_and_none_is_lost(void)
{
    char text[] = "48K,,128B,";
    char *rest = text;
    CHECK_STR(cost_next_word(&rest, ','), "48K");
    CHECK_STR(cost_next_word(&rest, ','), "");
    CHECK_STR(cost_next_word(&rest, ','), "128B");
    CHECK_STR(cost_next_word(&rest, ','), "");
    CHECK(cost_next_word(&rest, ',') == NULL);
}

static void a_bar_is_as_long_as_its_share(void)
{
    struct arena *a = arena_new();
    CHECK_STR(cost_bar(a, 1, 4, 8), "##");
    CHECK_STR(cost_bar(a, 4, 4, 8), "########");
    CHECK_STR(cost_bar(a, 0, 4, 8), "");
    CHECK_STR(cost_bar(a, 9, 4, 8), "########");
    CHECK_STR(cost_bar(a, 1, 0, 8), "");
    arena_free(a);
}

static void parts_are_scaled_and_their_total_is_their_sum(void)
{
    const double part[NETCOST_PARTS] = {1, 2, 3, 4, 5};
    struct text t;
    struct json j;
    text_open(&t);
    json_begin(&j, t.out);
    json_open_object(&j, true);
    cost_json_parts(&j, "area", part, 2);
    json_close_object(&j);
    json_end(&j);
    const char *s = text_close(&t);
    CHECK(strstr(s, "\"buffer\": 2") || strstr(s, "\"buffer\":2"));
    CHECK(strstr(s, "\"total\": 30") || strstr(s, "\"total\":30"));
    text_free(&t);
}

CHECK_MAIN("cost_print", TEST(words_end_at_separators_and_none_is_lost),
           TEST(a_bar_is_as_long_as_its_share), TEST(parts_are_scaled_and_their_total_is_their_sum))
