/* A driver in a thread of its own: one kernel ahead, stopped when nobody asks any more. */
#include "check.h"

#include <stdatomic.h>
#include <time.h>

#include "rig/stream_rig.h"
#include "stream/source.h"

enum { LENGTH = 10 };

struct drive {
    uint32_t kernels;   /* to launch */
    const char *fails;  /* what the driver says after them; NULL: all is well */
    atomic_uint made;   /* kernels that were executed */
    atomic_bool is_out; /* the driver has returned */
};

static struct stream_store *kernel(uint32_t seed)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct stream_kernel k = stream_rig_kernel(a, seed, 5, 3, 32);
    struct stream_store *s = stream_store_new(&k, 1 << 20, &e);
    CHECK(s && stream_rig_fill(s, NULL, &k, seed, LENGTH, false, &e) && stream_store_finish(s, &e));
    arena_free(a);
    return s;
}

static bool drive(void *context, struct stream_driver *d, struct err *e)
{
    struct drive *x = context;
    bool ok = true;
    for (uint32_t i = 0; ok && i < x->kernels; i++) {
        struct stream_store *s = kernel(i);
        x->made++;
        ok = stream_driver_offer(d, s, e);
    }
    if (ok && x->fails)
        ok = err_set(e, STATUS_FAILED, "%s", x->fails);
    x->is_out = true;
    return ok;
}

static struct stream_source *source(struct drive *x, bool keeps)
{
    return stream_source_of_driver(&(struct stream_driver_options){drive, x, keeps});
}

static void check_kernels(struct stream_source *s, uint32_t n)
{
    struct err e = {0};
    for (uint32_t i = 0; i < n; i++) {
        const struct stream_store *k = stream_source_next(s, &e);
        CHECK(k && stream_rig_store_agrees(k, i, LENGTH, &e));
    }
}

static void kernels_come_in_the_order_of_their_launches(void)
{
    struct drive x = {.kernels = 20};
    struct err e = {0};
    struct stream_source *s = source(&x, false);
    check_kernels(s, 20);
    CHECK(!stream_source_next(s, &e) && e.status == STATUS_DONE);
    CHECK(x.is_out);
    stream_source_free(s);
}

static void a_kept_source_begins_anew(void)
{
    struct drive x = {.kernels = 5};
    struct err e = {0};
    struct stream_source *s = source(&x, true);
    for (int round = 0; round < 3; round++) {
        check_kernels(s, 5);
        CHECK(!stream_source_next(s, &e) && e.status == STATUS_DONE);
        stream_source_restart(s);
    }
    check_kernels(s, 2); /* and can be left at any kernel */
    CHECK_EQ(x.made, 5);
    stream_source_free(s);
}

static void a_driver_is_not_more_than_two_kernels_ahead(void)
{
    struct drive x = {.kernels = 100};
    struct stream_source *s = source(&x, false);
    check_kernels(s, 1);
    for (int i = 0; i < 200; i++) /* whatever time it is given */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK(x.made <= 3); /* taken, offered, and in its hands */
    stream_source_free(s);
    CHECK(x.is_out && x.made <= 4);
}

static void what_went_wrong_is_told_after_the_last_kernel(void)
{
    struct drive x = {.kernels = 2, .fails = "outputs are wrong"};
    struct err e = {0};
    struct stream_source *s = source(&x, false);
    check_kernels(s, 2);
    CHECK(!stream_source_next(s, &e));
    CHECK_STR(e.text, "outputs are wrong");
    stream_source_free(s);
}

static void a_source_can_be_freed_before_anything_was_asked_for(void)
{
    struct drive x = {.kernels = 100};
    stream_source_free(source(&x, false));
    CHECK(x.is_out);
}

CHECK_MAIN("source_driver", TEST(kernels_come_in_the_order_of_their_launches),
           TEST(a_kept_source_begins_anew), TEST(a_driver_is_not_more_than_two_kernels_ahead),
           TEST(what_went_wrong_is_told_after_the_last_kernel),
           TEST(a_source_can_be_freed_before_anything_was_asked_for))
