#include "check.h"
#include "rig/l2_rig.h"
#include "sim/waitgraph.h"

#define SMALL "l2.size=384 l2.ways=3 l2.latency=2"

/* A slice with a dirty line, a clean one and one on its way. */
static struct l2_rig *in_the_middle(void)
{
    struct l2_rig *r = l2_rig_new(SMALL, &(struct l2_rig_options){.check = true});
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    l2_rig_send(r, REQUEST_READ, 256, 1, 100);
    CHECK(l2_rig_run(r, 110));
    CHECK(slice_audit(&r->slice->c, &r->err));
    CHECK_EQ(r->slice->mshr.live, 1);
    return r;
}

static void is_found(struct l2_rig *r, const char *what)
{
    CHECK(!slice_audit(&r->slice->c, &r->err));
    if (!strstr(r->err.text, what))
        print_error("%s\n", r->err.text);
    CHECK(strstr(r->err.text, what) != NULL);
    l2_rig_free(r);
}

static struct tags_line *line_of(struct l2_rig *r, uint64_t address)
{
    return &r->slice->tags.line[tags_find(&r->slice->tags, address)];
}

static void a_request_that_vanished_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    r->slice->mshr.at[r->slice->mshr_of[tags_find(&r->slice->tags, 256)]].count--;
    is_found(r, "held");
}

static void an_access_that_was_not_counted_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    r->slice->stats.read_misses--;
    is_found(r, "by outcome");
    r = in_the_middle();
    r->slice->stats.global_misses--;
    is_found(r, "by space");
}

static void a_lost_transfer_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    r->slice->stats.fills++;
    is_found(r, "fetches");
    r = in_the_middle();
    r->slice->nfree--;
    is_found(r, "writes under way");
}

static void a_reserved_line_without_an_mshr_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    line_of(r, 128)->state = TAG_RESERVED;
    is_found(r, "reserved by no MSHR");
    r = in_the_middle();
    line_of(r, 256)->state = TAG_VALID;
    is_found(r, "reserved lines and MSHRs");
}

static void words_that_are_dirty_but_not_valid_are_found(void)
{
    struct l2_rig *r = in_the_middle();
    line_of(r, 0)->valid = 0;
    is_found(r, "dirty words");
}

static void an_old_version_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    line_of(r, 0)->version--;
    is_found(r, "newest version");
}

static void a_line_in_two_places_is_found(void)
{
    struct l2_rig *r = in_the_middle();
    struct tags *t = &r->slice->tags;
    t->tag[tags_find(t, 128)] = t->tag[tags_find(t, 0)];
    is_found(r, "two places");
}

/* A memory that takes nothing, because it waits for the requests to move. */
static void the_memory_waits(const struct component *c, struct waitgraph *g)
{
    waitgraph_vertex(g, c, 0, false, "queue");
    waitgraph_edge(g, c, 0, slice_component(((const struct l2_rig_memory *)c)->rig->slice), 0);
}

static void a_circle_of_waiting_is_named(void)
{
    struct l2_rig *r =
        l2_rig_new(SMALL " l2.mshrs=1", &(struct l2_rig_options){.memory_latency = 1u << 30});
    struct component_ops ops = *r->memory.c.ops;
    ops.waits = the_memory_waits;
    r->memory.c.ops = &ops;
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_run(r, 50));
    CHECK(!engine_diagnose(r->engine, &r->err)); /* nobody waits for the MSHR yet */
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    component_wake(&r->network.c, 50);
    CHECK(l2_rig_run(r, 100));
    CHECK(engine_diagnose(r->engine, &r->err));
    CHECK(strstr(r->err.text, "l2[0] requests -> l2[0] transfers -> memory queue") != NULL ||
          strstr(r->err.text, "l2[0] transfers -> memory queue -> l2[0] requests") != NULL ||
          strstr(r->err.text, "memory queue -> l2[0] requests -> l2[0] transfers") != NULL);
    l2_rig_free(r);
}

static void a_slice_whose_replies_wait_is_not_stuck_while_the_network_takes_them(void)
{
    struct l2_rig *r = l2_rig_new(SMALL " l2.reply_queue=1",
                                  &(struct l2_rig_options){.reply_every = 200, .port_depth = 1});
    for (int i = 0; i < 20; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_run(r, 190));
    CHECK(!engine_diagnose(r->engine, &r->err));
    CHECK(slice_component(r->slice)->ops->live(slice_component(r->slice)) > 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(slice_component(r->slice)->ops->live(slice_component(r->slice)), 0);
    l2_rig_free(r);
}

/* An atomic on its way to a line that is kept nowhere, and a read that passes by. */
static struct l2_rig *with_refusals(uint32_t mode, enum request_kind kind)
{
    struct l2_rig *r =
        l2_rig_new("l2.size=1K l2.latency=2",
                   &(struct l2_rig_options){.mode = mode, .kinds = 15, .spaces = 63});
    l2_rig_send(r, kind, 0, 1, 0);
    CHECK(l2_rig_run(r, 10));
    CHECK(slice_audit(&r->slice->c, &r->err));
    return r;
}

static void what_gets_no_line_is_not_lost_unseen(void)
{
    struct l2_rig *r = with_refusals(1, REQUEST_ATOMIC);
    r->slice->nunkept--;
    is_found(r, "without a line");
    r = with_refusals(1, REQUEST_ATOMIC);
    r->slice->nheld--;
    is_found(r, "writes under way");
    r = with_refusals(1, REQUEST_READ);
    r->slice->unkept[0].line.valid = r->slice->unkept[0].line.dirty = 1;
    is_found(r, "would lose words");
    r = with_refusals(2, REQUEST_READ);
    r->slice->npassing--;
    is_found(r, "held");
}

CHECK_MAIN("l2/slice_audit", TEST(a_request_that_vanished_is_found),
           TEST(an_access_that_was_not_counted_is_found), TEST(a_lost_transfer_is_found),
           TEST(a_reserved_line_without_an_mshr_is_found),
           TEST(words_that_are_dirty_but_not_valid_are_found), TEST(an_old_version_is_found),
           TEST(a_line_in_two_places_is_found), TEST(a_circle_of_waiting_is_named),
           TEST(a_slice_whose_replies_wait_is_not_stuck_while_the_network_takes_them),
           TEST(what_gets_no_line_is_not_lost_unseen))
