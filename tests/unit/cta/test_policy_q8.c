/* The sharing-aware CTA schedulers by name: how large their groups are. */
#include "check.h"
#include "rig/cta_rig.h"

static void groups_are_as_large_as_the_name_says_or_its_parameter(void)
{
    static const struct {
        const char *policy, *set;
        uint32_t group;
    } rows[] = {{"q8", NULL, 8},        {"q8", "q8.ctas=5", 5},
                {"q8_adpt", NULL, 8},   {"q8_adpt", "q8_adpt.ctas=5", 5},
                {"q16", NULL, 16},      {"q16", "q16.ctas=3", 3},
                {"q16_adpt", NULL, 16}, {"q16_adpt", "q16_adpt.ctas=3", 3},
                {"qx", NULL, 10},       {"qx_adpt", NULL, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cta_rig r;
        cta_rig_open(
            &r, rows[i].policy,
            &(struct cta_rig_shape){
                .clusters = 4, .sms = 1, .contexts = 16, .grid = {10, 8, 1}, .set = rows[i].set});
        cta_rig_settle(&r);
        for (uint32_t sm = 0; sm < 4; sm++) {
            for (uint32_t k = 0; k < rows[i].group; k++)
                CHECK_EQ(r.cta[sm * rows[i].group + k].sm, sm);
        }
        CHECK_EQ(r.cta[4 * rows[i].group].sm, rows[i].group < 16 ? 0 : CTA_RIG_NOWHERE);
        cta_rig_close(&r);
    }
}

CHECK_MAIN("policy_q8", TEST(groups_are_as_large_as_the_name_says_or_its_parameter))
