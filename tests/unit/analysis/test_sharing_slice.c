#include "check.h"

#include "analysis/sharing_priv.h"
#include "base/rng.h"

enum { SMS = 70, WAYS = 4 };

static void use(struct sharing_slice *w, uint64_t line, uint32_t sm, uint32_t way)
{
    sharing_slice_use(w, &(struct sharing_use){.line = line,
                                               .wanted = 1,
                                               .brought = UINT32_MAX,
                                               .sm = sm,
                                               .way = way,
                                               .is_miss = true});
}

static void users_count_while_a_line_stays(void)
{
    struct arena *a = arena_new();
    struct sharing_slice *w = sharing_slice_new(a, 0, SMS, WAYS);
    use(w, 0, 0, 1);
    use(w, 0, 0, 1);
    use(w, 0, 69, 1);
    use(w, 0, 5, 1);
    use(w, 128, 5, 1); /* takes its place */
    use(w, 0, 5, 1);   /* and it comes back: nobody's yet */
    use(w, 0, 6, 1);
    use(w, 256, 7, UINT32_MAX); /* is kept nowhere */
    CHECK_EQ(w->sharers.sharers_1, 3);
    CHECK_EQ(w->sharers.sharers_2, 2);
    CHECK_EQ(w->sharers.sharers_3, 1);
    CHECK_EQ(w->sharers.sharers_4, 0);
    CHECK_EQ(w->sharers.sharers, 6);
    CHECK_EQ(w->stats.compulsory, 3);
    CHECK_EQ(w->stats.conflict, 5);
    sharing_slice_free(w);
    arena_free(a);
}

/* All uses, in order: a stay of a line in a way is a run of uses of that way by one line. */
static void sharers_are_those_of_all_uses(void)
{
    enum { USES = 5000, MOST = 64 };
    static struct {
        uint64_t line;
        uint32_t sm, way;
    } all[USES];
    struct arena *a = arena_new();
    struct sharing_slice *w = sharing_slice_new(a, 0, SMS, WAYS);
    uint64_t at_least[MOST + 1] = {0}, sum = 0;
    for (uint64_t i = 0; i < USES; i++) {
        uint64_t draw = rng_at(9, i);
        all[i].way = draw & 3;
        all[i].line = 128 * (i / 40 + (draw >> 2 & 15 ? 0 : 1));
        all[i].sm = rng_below(draw, all[i].way == 0 ? SMS : 3);
        use(w, all[i].line, all[i].sm, all[i].way);
    }
    for (uint32_t way = 0; way < WAYS; way++) {
        bool seen[SMS] = {false};
        uint32_t n = 0;
        uint64_t now = UINT64_MAX;
        for (uint32_t i = 0; i < USES; i++) {
            if (all[i].way != way)
                continue;
            if (all[i].line != now) {
                memset(seen, 0, sizeof seen);
                n = 0;
            }
            now = all[i].line;
            if (!seen[all[i].sm] && ++n <= MOST)
                at_least[n]++;
            sum += !seen[all[i].sm];
            seen[all[i].sm] = true;
        }
    }
    CHECK_EQ(w->sharers.sharers, sum);
    CHECK_EQ(w->sharers.sharers_1, at_least[1]);
    CHECK_EQ(w->sharers.sharers_2, at_least[2]);
    CHECK_EQ(w->sharers.sharers_3, at_least[3]);
    CHECK_EQ(w->sharers.sharers_5, at_least[5]);
    CHECK_EQ(w->sharers.sharers_8, at_least[8]);
    CHECK(at_least[8] > 0);
    sharing_slice_free(w);
    arena_free(a);
}

CHECK_MAIN("sharing_slice", TEST(users_count_while_a_line_stays),
           TEST(sharers_are_those_of_all_uses))
