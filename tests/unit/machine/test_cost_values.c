/* What a machine costs, by name: the same numbers as those of cost.h. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "machine/cost_values.h"
#include "machine/machine.h"

struct world {
    struct arena *a;
    struct config *c;
    struct cost_values v;
};

static void open_world(struct world *w, const char *machine, const char *set)
{
    struct err e = {0};
    *w = (struct world){.a = arena_new()};
    w->c = machine_config(w->a);
    CHECK(
        config_load(w->c, arena_printf(w->a, HEDDLE_SOURCE_DIR "/machines/%s.yaml", machine), &e));
    CHECK(!set || config_set(w->c, set, &e));
    CHECK(cost_values_of(w->c, w->a, &w->v, &e));
}

static double value(const struct world *w, const char *name)
{
    double found = NAN;
    int n = 0;
    for (uint32_t i = 0; i < w->v.n; i++)
        if (strcmp(w->v.all[i].name, name) == 0) {
            found = w->v.all[i].value;
            n++;
        }
    if (n != 1)
        print_error("%s: %d of it\n", name, n);
    CHECK_EQ(n, 1);
    return found;
}

static void sums_are_of_their_parts(void)
{
    static const char *const sums[] = {"cost.noc.area", "cost.noc.power",    "cost.noc.leak",
                                       "cost.noc.idle", "cost.request.flit", "cost.reply.flit"};
    struct world w;
    open_world(&w, "cdxbar80", NULL);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        double sum = 0;
        for (int k = 0; k < NETCOST_PARTS; k++)
            sum += value(&w, arena_printf(w.a, "%s.%s", sums[i], netcost_part_names[k]));
        CHECK(sum > 0);
        CHECK_NEAR(value(&w, sums[i]), sum, 1e-9);
    }
    CHECK(value(&w, "cost.noc.leak") < value(&w, "cost.noc.idle"));
    CHECK(value(&w, "cost.noc.idle") < value(&w, "cost.noc.power"));
    arena_free(w.a);
}

/* 8 local crossbars and a global one each way; 80 + 24 + 16 links each way (Table 2's counting). */
static void parts_of_networks_are_counted(void)
{
    struct world w;
    open_world(&w, "cdxbar80", NULL);
    CHECK_NEAR(value(&w, "cost.noc.routers"), 18, 0);
    CHECK_NEAR(value(&w, "cost.noc.links"), 240, 0);
    CHECK_NEAR(value(&w, "cost.noc.vc_buffers"), 4 * (80 + 24 + 16 + 24), 0);
    CHECK_NEAR(value(&w, "cost.noc.flit_bytes"), 32, 0);
    CHECK_NEAR(value(&w, "cost.request.bisection"), 16 * 32, 0);
    CHECK_NEAR(value(&w, "cost.reply.bisection_one_way"), 16 * 32, 0);
    CHECK_NEAR(value(&w, "cost.noc.clock"), 1.4e9, 0);
    CHECK_NEAR(value(&w, "cost.noc.links_met"), 1, 0);
    arena_free(w.a);
}

/* Eight channels each way; light takes no active silicon but where it ends. */
static void waveguides_and_rings_have_an_area_of_their_own(void)
{
    struct world ring, mesh;
    open_world(&ring, "intra56_ring", NULL);
    open_world(&mesh, "intra56", NULL);
    struct cost c;
    struct err e = {0};
    CHECK(cost_of(ring.c, ring.a, &c, &e));
    double mm2 = value(&ring, "cost.noc.photonic_area");
    CHECK(mm2 > 0);
    CHECK_NEAR(mm2, (c.network[0].cost.photonic_area + c.network[1].cost.photonic_area) * 1e6,
               1e-9);
    CHECK_NEAR(value(&mesh, "cost.noc.photonic_area"), 0, 0);
    CHECK_NEAR(value(&mesh, "cost.noc.wire_area"), value(&ring, "cost.noc.wire_area"), 1e-9);
    CHECK_STR(cost_value_unit("cost.noc.photonic_area"), "mm2");
    arena_free(ring.a);
    arena_free(mesh.a);
}

static void the_whole_is_networks_and_memories(void)
{
    struct world w;
    struct cost c;
    struct err e = {0};
    double area = 0, leak = 0, bytes = 0;
    open_world(&w, "icc60", NULL);
    CHECK(cost_of(w.c, w.a, &c, &e));
    for (int i = 0; i < c.nrows; i++) {
        const struct cost_row *r = &c.row[i];
        bytes += value(&w, arena_printf(w.a, "cost.%s.bytes", r->name));
        CHECK_NEAR(value(&w, arena_printf(w.a, "cost.%s.units", r->name)), (double)r->units, 0);
        if (!r->is_array)
            continue;
        double mm2 = value(&w, arena_printf(w.a, "cost.%s.area", r->name));
        CHECK_NEAR(mm2, (double)r->units * r->array.area * 1e6, 1e-9);
        area += mm2;
        leak += value(&w, arena_printf(w.a, "cost.%s.leak", r->name));
    }
    double all = value(&w, "cost.area"), power = value(&w, "cost.power");
    CHECK_NEAR(all, area + value(&w, "cost.noc.area"), 1e-9);
    CHECK_NEAR(power, leak + value(&w, "cost.noc.power"), 1e-9);
    CHECK_NEAR(value(&w, "cost.bytes"), bytes, 0);
    CHECK_NEAR(bytes, (double)c.total, 0);
    arena_free(w.a);
}

static void what_cannot_be_built_is_refused(void)
{
    struct arena *a = arena_new();
    struct config *c = machine_config(a);
    struct cost_values v;
    struct err e = {0};
    CHECK(config_set(c, "gpu.clusters=3", &e));
    CHECK(!cost_values_of(c, a, &v, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
}

CHECK_MAIN("cost_values", TEST(sums_are_of_their_parts), TEST(parts_of_networks_are_counted),
           TEST(waveguides_and_rings_have_an_area_of_their_own),
           TEST(the_whole_is_networks_and_memories), TEST(what_cannot_be_built_is_refused))
