/* The registry of router extensions, and what is refused. */
#include "check.h"

#include "noc/extension.h"
#include "rig/lab_rig.h"
#include "rig/net_rig.h"

static void names_are_found_and_only_they(void)
{
    CHECK(router_extension_count >= 3);
    for (int i = 0; i < router_extension_count; i++) {
        const struct router_extension *x = router_extension_all[i];
        CHECK(router_extension_find(x->name) == x);
        CHECK(x->begin != NULL && x->help != NULL);
        CHECK(!x->takes || (x->arrive && x->taken && x->each));
    }
    CHECK(router_extension_find("none") == NULL);
    CHECK(router_extension_find("") == NULL);
}

static void every_section_is_known_to_the_configuration(void)
{
    for (int i = 0; i < router_extension_count; i++) {
        struct net_rig r;
        if (!router_extension_all[i]->section)
            continue;
        net_rig_begin(&r, "");
        CHECK(config_get(r.cfg, router_extension_all[i]->section) != NULL);
        net_rig_close(&r);
    }
}

static const char *refusal(struct net_rig *r, const char *settings, uint32_t classes)
{
    net_rig_begin(r, settings);
    r->classes = classes;
    CHECK(!net_rig_build(r, DIR_ANY));
    CHECK_EQ(r->err.status, STATUS_BAD_INPUT);
    return r->err.text;
}

static void a_name_that_is_not_there_gets_the_nearest(void)
{
    struct net_rig r;
    CHECK(strstr(refusal(&r, "router.extension=cobmine", 1), "did you mean combine?") != NULL);
    net_rig_close(&r);
    CHECK(strstr(refusal(&r, "router.extension=nome", 1), "did you mean none?") != NULL);
    net_rig_close(&r);
    CHECK(strstr(refusal(&r, "router.extension=xyzzyxyzzy", 1), "heddle list policies") != NULL);
    net_rig_close(&r);
}

static void a_grant_to_the_end_is_refused_with_several_classes(void)
{
    struct net_rig r;
    const char *end = "router.extension=hold_grant hold_grant.until=end router.vcs=4";
    CHECK(strstr(refusal(&r, end, 2), "hold_grant.until") != NULL);
    net_rig_close(&r);
    net_rig_begin(&r, end);
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_close(&r);
}

/* Another input per router: what just fits without it no longer does. */
static void a_router_must_have_room_for_the_side_port(void)
{
    const char *xbar =
        "noc.topology=xbar xbar.inputs=512 xbar.outputs=512 router.vcs=8 router.depth=1";
    char settings[256];
    struct net_rig r;
    net_rig_begin(&r, xbar);
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_close(&r);
    snprintf(settings, sizeof settings, "%s router.extension=combine", xbar);
    CHECK(strstr(refusal(&r, settings, 1), "too large") != NULL);
    net_rig_close(&r);
}

CHECK_MAIN("extension", TEST(names_are_found_and_only_they),
           TEST(every_section_is_known_to_the_configuration),
           TEST(a_name_that_is_not_there_gets_the_nearest),
           TEST(a_grant_to_the_end_is_refused_with_several_classes),
           TEST(a_router_must_have_room_for_the_side_port))
