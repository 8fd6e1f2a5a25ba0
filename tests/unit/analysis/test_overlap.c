#include "check.h"

#include "analysis/overlap.h"
#include "base/rng.h"

enum { SMS = 5 };

struct rig {
    struct footprint f[SMS];
    const struct footprint *of[SMS];
    uint64_t by_sms[SMS + 1];
    struct overlap o;
};

static void open_rig(struct rig *r)
{
    *r = (struct rig){0};
    for (int i = 0; i < SMS; i++) {
        r->f[i] = footprint_new();
        r->of[i] = &r->f[i];
    }
    r->o.by_sms = r->by_sms;
}

static void close_rig(struct rig *r)
{
    for (int i = 0; i < SMS; i++)
        footprint_clear(&r->f[i]);
}

static void touch(struct rig *r, uint32_t sm, uint64_t block, uint32_t cta)
{
    footprint_touch(&r->f[sm], block * 128, cta, LOAD_NONE, 0);
}

static void distances_of_a_known_kernel(void)
{
    struct rig r;
    open_rig(&r);
    touch(&r, 0, 1, 3); /* private */
    touch(&r, 0, 2, 3); /* of CTAs 3 and 4 of one SM */
    touch(&r, 0, 2, 4);
    touch(&r, 3, 3, 30); /* of CTAs 10, 20, 22, 30 of three SMs */
    touch(&r, 1, 3, 20);
    touch(&r, 2, 3, 10);
    touch(&r, 2, 3, 22);
    touch(&r, 4, 4, 1000); /* far apart */
    touch(&r, 0, 4, 900);
    overlap_add(&r.o, r.of, SMS);
    CHECK_EQ(r.o.blocks, 4);
    CHECK_EQ(r.o.shared_by_ctas, 3);
    CHECK_EQ(r.o.nearest[0], 1); /* 3, 4 */
    CHECK_EQ(r.o.nearest[1], 1); /* 20, 22 */
    CHECK_EQ(r.o.nearest[11], 1);
    CHECK_EQ(r.o.step[0], 1);
    CHECK_EQ(r.o.step[1], 1); /* 20 to 22 */
    CHECK_EQ(r.o.step[7], 1); /* 22 to 30 */
    CHECK_EQ(r.o.step[8], 1); /* 10 to 20 */
    CHECK_EQ(r.o.step[11], 1);
    CHECK_EQ(r.o.pair[0], 1);
    CHECK_EQ(r.o.pair[1], 1);
    CHECK_EQ(r.o.pair[7], 1);
    CHECK_EQ(r.o.pair[8], 3); /* 10-20, 10-22, 20-30 */
    CHECK_EQ(r.o.pair[9], 1); /* 10-30 */
    CHECK_EQ(r.o.pair[11], 1);
    CHECK_EQ(r.by_sms[1], 2);
    CHECK_EQ(r.by_sms[2], 1);
    CHECK_EQ(r.by_sms[3], 1);
    close_rig(&r);
}

static void loads_count_on_blocks_of_several_sms_only(void)
{
    struct rig r;
    open_rig(&r);
    for (uint32_t sm = 0; sm < 2; sm++) {
        footprint_touch(&r.f[sm], 0, sm, LOAD_MISS, 0);
        footprint_touch(&r.f[sm], 0, sm, LOAD_MERGE, 0);
        footprint_fill(&r.f[sm], 0, 100);
        footprint_touch(&r.f[sm], 0, sm, LOAD_HIT, 1100);
        footprint_touch(&r.f[sm], 0, sm, LOAD_HIT, 1099);
    }
    footprint_touch(&r.f[2], 128, 7, LOAD_MISS, 0); /* two CTAs, one SM */
    footprint_touch(&r.f[2], 128, 8, LOAD_MERGE, 0);
    overlap_add(&r.o, r.of, SMS);
    CHECK_EQ(r.o.load[LOAD_MISS], 2);
    CHECK_EQ(r.o.load[LOAD_MERGE], 2);
    CHECK_EQ(r.o.load[LOAD_HIT], 4);
    CHECK_EQ(r.o.reuse[2], 2);
    CHECK_EQ(r.o.reuse[3], 2);
    CHECK_EQ(r.o.shared_by_ctas, 2);
    overlap_add(&r.o, r.of, SMS); /* another kernel just like it */
    CHECK_EQ(r.o.load[LOAD_HIT], 8);
    CHECK_EQ(r.by_sms[2], 2);
    close_rig(&r);
}

/* ---- against the definition ---- */

enum { BLOCKS = 40, CTAS = 300 };

static uint32_t slow_bin(uint32_t distance)
{
    return distance <= 8    ? distance - 1
           : distance <= 16 ? 8
           : distance <= 32 ? 9
           : distance <= 64 ? 10
                            : 11;
}

/* Every two CTAs that touched it. */
static void slow_block(const bool *touched, struct overlap *o)
{
    uint32_t nearest = CTAS, n = 0;
    for (uint32_t i = 0; i < CTAS; i++) {
        bool is_next = true;
        n += touched[i];
        for (uint32_t k = i + 1; touched[i] && k < CTAS; k++) {
            if (!touched[k])
                continue;
            o->pair[slow_bin(k - i)]++;
            o->step[slow_bin(k - i)] += is_next;
            is_next = false;
            nearest = k - i < nearest ? k - i : nearest;
        }
    }
    o->shared_by_ctas += n > 1;
    if (n > 1)
        o->nearest[slow_bin(nearest)]++;
}

static void compare(uint64_t seed, uint32_t touches)
{
    static bool touched[BLOCKS][CTAS], on[BLOCKS][SMS];
    struct overlap want = {0};
    uint64_t by_sms[SMS + 1] = {0};
    struct rig r;
    open_rig(&r);
    memset(touched, 0, sizeof touched);
    memset(on, 0, sizeof on);
    for (uint32_t i = 0; i < touches; i++) {
        uint64_t draw = rng_at(seed, i);
        uint32_t block = rng_below(draw, BLOCKS);
        uint32_t cta = (uint32_t)(draw & 255) % (1 + block * CTAS / BLOCKS), sm = cta * 7 % SMS;
        touch(&r, sm, block, cta);
        touched[block][cta] = on[block][sm] = true;
    }
    for (int b = 0; b < BLOCKS; b++) {
        int sms = 0;
        for (int i = 0; i < SMS; i++)
            sms += on[b][i];
        by_sms[sms]++;
        slow_block(touched[b], &want);
    }
    overlap_add(&r.o, r.of, SMS);
    CHECK_EQ(r.o.blocks, BLOCKS - by_sms[0]);
    CHECK_EQ(r.o.shared_by_ctas, want.shared_by_ctas);
    for (int i = 0; i < DISTANCE_BINS; i++) {
        CHECK_EQ(r.o.nearest[i], want.nearest[i]);
        CHECK_EQ(r.o.step[i], want.step[i]);
        CHECK_EQ(r.o.pair[i], want.pair[i]);
    }
    for (int i = 1; i <= SMS; i++)
        CHECK_EQ(r.by_sms[i], by_sms[i]);
    close_rig(&r);
}

static void counts_are_those_of_the_definition(void)
{
    compare(1, 50);
    compare(2, 300);
    compare(3, 20000);
}

CHECK_MAIN("overlap", TEST(distances_of_a_known_kernel),
           TEST(loads_count_on_blocks_of_several_sms_only),
           TEST(counts_are_those_of_the_definition))
