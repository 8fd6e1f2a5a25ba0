#include "check.h"

#include "base/rng.h"
#include "explore/keyset.h"

static void a_key_is_there_once_it_was_added_and_no_other_is(void)
{
    struct arena *a = arena_new();
    struct keyset k = {0};
    CHECK(!keyset_has(&k, 7));
    for (uint64_t i = 0; i < 5000; i++)
        keyset_add(a, &k, rng_mix(i + 1));
    for (uint64_t i = 0; i < 5000; i++)
        keyset_add(a, &k, rng_mix(i + 1));
    CHECK_EQ(k.n, 5000);
    for (uint64_t i = 0; i < 5000; i++) {
        CHECK(keyset_has(&k, rng_mix(i + 1)));
        CHECK(!keyset_has(&k, rng_mix(i + 10001)));
    }
    arena_free(a);
}

CHECK_MAIN("keyset", TEST(a_key_is_there_once_it_was_added_and_no_other_is))
