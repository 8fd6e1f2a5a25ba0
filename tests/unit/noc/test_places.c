#include "check.h"

#include "noc/places.h"
#include "rig/topo_rig.h"

static void expect(const char *settings, const uint32_t *mems, uint32_t n)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "mesh", settings));
    CHECK_EQ(r.nodes.nmems, n);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(r.nodes.mems[i], mems[i]);
    topo_rig_close(&r);
}

static void eight_on_eight_by_eight_stand_where_the_page_says(void)
{
    expect("mesh.placement=dispersion", (const uint32_t[]){3, 15, 17, 29, 36, 47, 49, 61}, 8);
    expect("mesh.placement=diagonal", (const uint32_t[]){1, 11, 21, 31, 32, 42, 52, 62}, 8);
    expect("mesh.placement=diamond", (const uint32_t[]){3, 13, 17, 31, 32, 46, 50, 60}, 8);
    expect("mesh.placement=row0_7", (const uint32_t[]){1, 3, 5, 7, 57, 59, 61, 63}, 8);
    expect("mesh.mem=4,7", (const uint32_t[]){4, 7}, 2);
}

static void every_size_from_six_to_thirty_two_has_room_for_them(void)
{
    static const char *const names[] = {"dispersion", "diagonal", "diamond", "row0_7"};
    for (int side = 6; side <= 32; side++) {
        for (size_t k = 0; k < 4; k++) {
            char settings[128];
            struct topo_rig r;
            snprintf(settings, sizeof settings, "mesh.width=%d mesh.height=%d mesh.placement=%s",
                     side, side, names[k]);
            CHECK(topo_rig_open(&r, "mesh", settings)); /* none is placed twice */
            CHECK_EQ(r.nodes.nmems, 8);
            topo_rig_close(&r);
        }
    }
}

static void other_numbers_are_spread_over_rows(void)
{
    expect("mesh.placement=row0_7 mesh.mems=4 mesh.width=6 mesh.height=6",
           (const uint32_t[]){2, 5, 32, 35}, 4);
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "mesh.placement=dispersion mesh.mems=4", DIR_ANY),
                 "mesh.mems") != NULL);
}

CHECK_MAIN("places", TEST(eight_on_eight_by_eight_stand_where_the_page_says),
           TEST(every_size_from_six_to_thirty_two_has_room_for_them),
           TEST(other_numbers_are_spread_over_rows))
