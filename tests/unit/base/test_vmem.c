/* Reserved address space. */
#include "base/vmem.h"
#include "check.h"

#define MIB ((size_t)1 << 20)

static void reserved_space_is_usable_where_it_is_committed(void)
{
    size_t bytes = (size_t)32 << 30; /* far more than is ever touched */
    char *p = vmem_reserve(bytes);
    CHECK(p != NULL);
    CHECK(vmem_commit(p, 2 * MIB));
    CHECK_EQ(p[2 * MIB - 1], 0);
    p[2 * MIB - 1] = 7;
    CHECK(vmem_commit(p + bytes - MIB, MIB));
    p[bytes - 1] = 9;
    CHECK_EQ(p[2 * MIB - 1], 7);
    CHECK_EQ(p[bytes - 1], 9);
    vmem_release(p, bytes);
    vmem_release(NULL, 0);
}

static void cleared_bytes_read_as_zero_and_neighbours_stay(void)
{
    static const size_t cases[][2] = {/* start, bytes */
                                      {0, MIB},
                                      {100, 50},
                                      {4000, 200},
                                      {4095, 100000},
                                      {8192, 4096}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        unsigned char *p = vmem_reserve(MIB);
        CHECK(p && vmem_commit(p, MIB));
        memset(p, 0xff, MIB);
        size_t start = cases[c][0], end = start + cases[c][1];
        vmem_clear(p + start, end - start);
        for (size_t k = 0; k < MIB; k++)
            if (p[k] != (k >= start && k < end ? 0 : 0xff))
                CHECK_EQ(k, MIB);
        vmem_release(p, MIB);
    }
}

static void space_that_prefers_large_pages_is_used_as_any_other(void)
{
    const size_t bytes = 3 * VMEM_LARGE_PAGE;
    unsigned char *p = vmem_reserve(bytes);
    CHECK(p && vmem_commit(p, bytes));
    uintptr_t large = ((uintptr_t)p + VMEM_LARGE_PAGE - 1) / VMEM_LARGE_PAGE * VMEM_LARGE_PAGE;
    vmem_prefer_large_pages((void *)large, VMEM_LARGE_PAGE);
    for (size_t k = 0; k < bytes; k += 4096)
        CHECK_EQ(p[k]++, 0);
    vmem_release(p, bytes);
}

static void an_absurd_size_is_refused(void)
{
    CHECK(vmem_reserve((size_t)1 << 62) == NULL);
}

CHECK_MAIN("vmem", TEST(reserved_space_is_usable_where_it_is_committed),
           TEST(cleared_bytes_read_as_zero_and_neighbours_stay),
           TEST(space_that_prefers_large_pages_is_used_as_any_other),
           TEST(an_absurd_size_is_refused))
