#include "check.h"

#include "analysis/shadow.h"
#include "base/rng.h"
#include "mem/program.h"

#define ALL UINT32_MAX

static enum shadow_class use(struct shadow *s, uint64_t line)
{
    return shadow_access(s, line, 1, ALL);
}

static void the_first_use_of_a_line_is_compulsory_and_no_other(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 2);
    CHECK_EQ(use(s, 0), SHADOW_COMPULSORY);
    CHECK_EQ(use(s, 0), SHADOW_CONFLICT); /* the shadow has it */
    CHECK_EQ(use(s, 128), SHADOW_COMPULSORY);
    CHECK_EQ(use(s, 256), SHADOW_COMPULSORY); /* line 0 leaves */
    CHECK_EQ(use(s, 128), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 0), SHADOW_CAPACITY); /* 256 leaves: 128 was used after it */
    CHECK_EQ(use(s, 128), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 256), SHADOW_CAPACITY);
    shadow_free(s);
    arena_free(a);
}

static void one_line_more_than_fits_in_a_circle_misses_for_ever(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 8);
    for (uint64_t i = 0; i < 90; i++)
        CHECK_EQ(use(s, i % 9 * 128), i < 9 ? SHADOW_COMPULSORY : SHADOW_CAPACITY);
    for (uint64_t i = 0; i < 40; i++) /* the last eight of them */
        CHECK_EQ(use(s, (1 + i % 8) * 128), SHADOW_CONFLICT);
    shadow_free(s);
    arena_free(a);
}

static void what_was_dropped_is_called_invalidated_once(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 4);
    use(s, 0);
    use(s, 128);
    shadow_drop(s, 0);
    shadow_drop(s, 512); /* was never there */
    CHECK_EQ(use(s, 0), SHADOW_INVALIDATED);
    CHECK_EQ(use(s, 0), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 512), SHADOW_COMPULSORY);
    shadow_forget(s, PROGRAM_ANY);
    CHECK_EQ(use(s, 128), SHADOW_INVALIDATED);
    CHECK_EQ(use(s, 512), SHADOW_INVALIDATED);
    shadow_free(s);
    arena_free(a);
}

static void a_program_forgets_its_own_lines_only(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 4);
    const uint64_t other = program_base(1);
    use(s, 0);
    use(s, other);
    use(s, 128);
    shadow_forget(s, 1);
    CHECK_EQ(use(s, 0), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 128), SHADOW_CONFLICT);
    CHECK_EQ(use(s, other), SHADOW_INVALIDATED);
    shadow_free(s);
    arena_free(a);
}

static void words_are_known_one_by_one(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 1);
    CHECK_EQ(shadow_access(s, 0, 0x1, 0xff), SHADOW_COMPULSORY);
    CHECK_EQ(shadow_access(s, 0, 0x80, 0xff), SHADOW_CONFLICT);
    CHECK_EQ(shadow_access(s, 0, 0x100, 0xff00), SHADOW_COMPULSORY); /* another sector */
    CHECK_EQ(shadow_access(s, 0, 0x101, 0xffff), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 128), SHADOW_COMPULSORY);
    CHECK_EQ(shadow_access(s, 0, 0x1, 0xff), SHADOW_CAPACITY);
    CHECK_EQ(shadow_access(s, 0, 0x100, 0xff00), SHADOW_CAPACITY); /* lost with the line */
    CHECK_EQ(shadow_access(s, 0, 0x10000, 0xff0000), SHADOW_COMPULSORY);
    shadow_drop(s, 0);
    CHECK_EQ(shadow_access(s, 0, 0x1, 0xff), SHADOW_INVALIDATED);
    CHECK_EQ(shadow_access(s, 0, 0x100, 0xff00), SHADOW_INVALIDATED);
    shadow_free(s);
    arena_free(a);
}

static void who_wants_no_words_asks_for_the_line(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 1);
    CHECK_EQ(shadow_access(s, 0, 0, 0x3), SHADOW_COMPULSORY);
    CHECK_EQ(shadow_access(s, 0, 0, 0xc), SHADOW_CONFLICT);
    CHECK_EQ(shadow_access(s, 0, 0xf, 0), SHADOW_CONFLICT); /* both have left their words */
    CHECK_EQ(shadow_access(s, 0, 0x10, 0), SHADOW_COMPULSORY);
    use(s, 128);
    CHECK_EQ(shadow_access(s, 0, 0, 0x3), SHADOW_CAPACITY);
    shadow_free(s);
    arena_free(a);
}

static void a_write_needs_a_line_and_makes_it_recent(void)
{
    struct arena *a = arena_new();
    struct shadow *s = shadow_new(a, 2);
    shadow_write(s, 0, 0x1); /* not there: takes none */
    CHECK_EQ(shadow_access(s, 0, 0x2, 0x2), SHADOW_COMPULSORY);
    use(s, 128);
    shadow_write(s, 0, 0x4);
    use(s, 256); /* 128 leaves */
    CHECK_EQ(shadow_access(s, 0, 0x6, 0), SHADOW_CONFLICT);
    CHECK_EQ(use(s, 128), SHADOW_CAPACITY);
    shadow_free(s);
    arena_free(a);
}

/* ---- against a list ---- */

enum { LINES = 24, STEPS = 20000 };

struct slow {
    uint32_t most, n;
    uint32_t order[LINES]; /* the most recent first */
    uint32_t seen[LINES], valid[LINES];
    bool was_here[LINES], was_dropped[LINES];
};

static int place_of(const struct slow *s, uint32_t line)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->order[i] == line)
            return (int)i;
    return -1;
}

static void slow_leave(struct slow *s, int place, bool is_dropped)
{
    uint32_t line = s->order[place];
    memmove(s->order + place, s->order + place + 1,
            (s->n - (uint32_t)place - 1) * sizeof *s->order);
    s->n--;
    s->valid[line] = 0;
    s->was_dropped[line] = is_dropped;
}

static void slow_to_front(struct slow *s, uint32_t line)
{
    int place = place_of(s, line);
    if (place < 0 && s->n == s->most)
        slow_leave(s, (int)s->n - 1, false);
    int last = place < 0 ? (int)s->n++ : place;
    memmove(s->order + 1, s->order, (size_t)last * sizeof *s->order);
    s->order[0] = line;
    s->was_here[line] = true;
}

static enum shadow_class slow_access(struct slow *s, uint32_t line, uint32_t wanted,
                                     uint32_t brought)
{
    bool is_hit = place_of(s, line) >= 0 && (s->valid[line] & wanted) == wanted;
    bool is_first = !s->was_here[line] || (s->seen[line] & wanted) != wanted;
    enum shadow_class class = is_first               ? SHADOW_COMPULSORY
                              : is_hit               ? SHADOW_CONFLICT
                              : s->was_dropped[line] ? SHADOW_INVALIDATED
                                                     : SHADOW_CAPACITY;
    slow_to_front(s, line);
    s->valid[line] |= brought;
    s->seen[line] |= brought;
    return class;
}

static uint32_t words_of(uint64_t draw)
{
    return 0xffu << 8 * (draw % 4) | (draw >> 2 & 1 ? 0xff : 0);
}

static void step(struct slow *slow, struct shadow *s, uint64_t draw, uint64_t *counts)
{
    uint32_t line = rng_below(draw, LINES), program = line % 3;
    uint64_t address = program_base(program) + line * 128, what = draw & 63;
    uint32_t brought = words_of(draw >> 6), wanted = draw >> 12 & 1 ? brought & 0x11111111 : 0;
    if (what == 63) {
        slow->most = 1 + rng_below(rng_mix(draw), LINES);
        while (slow->n > slow->most)
            slow_leave(slow, (int)slow->n - 1, false);
        shadow_resize(s, slow->most);
    } else if (what == 0) {
        for (int i = (int)slow->n - 1; i >= 0; i--)
            if (slow->order[i] % 3 == program)
                slow_leave(slow, i, true);
        shadow_forget(s, program);
    } else if (what < 6) {
        if (place_of(slow, line) >= 0)
            slow_leave(slow, place_of(slow, line), true);
        shadow_drop(s, address);
    } else if (what < 12) {
        if (place_of(slow, line) >= 0) {
            slow_to_front(slow, line);
            slow->valid[line] |= brought;
            slow->seen[line] |= brought;
        }
        shadow_write(s, address, brought);
    } else {
        enum shadow_class class = slow_access(slow, line, wanted, brought);
        CHECK_EQ(shadow_access(s, address, wanted, brought), class);
        counts[class]++;
    }
}

static void classes_are_those_of_a_list(void)
{
    for (uint32_t most = 1; most <= LINES; most = 3 * most - 1) {
        struct arena *a = arena_new();
        struct slow slow = {.most = most};
        struct shadow *s = shadow_new(a, most);
        uint64_t counts[SHADOW_CLASSES] = {0};
        for (uint64_t i = 0; i < STEPS; i++)
            step(&slow, s, rng_at(most, i), counts);
        for (int k = 0; k < SHADOW_CLASSES; k++)
            CHECK(counts[k] > 0);
        shadow_free(s);
        arena_free(a);
    }
}

CHECK_MAIN("shadow", TEST(the_first_use_of_a_line_is_compulsory_and_no_other),
           TEST(one_line_more_than_fits_in_a_circle_misses_for_ever),
           TEST(what_was_dropped_is_called_invalidated_once),
           TEST(a_program_forgets_its_own_lines_only), TEST(words_are_known_one_by_one),
           TEST(who_wants_no_words_asks_for_the_line),
           TEST(a_write_needs_a_line_and_makes_it_recent), TEST(classes_are_those_of_a_list))
