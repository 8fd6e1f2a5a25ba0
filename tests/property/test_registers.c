/* The liveness analysis against NVIDIA's assembler, on all built-in kernels: workloads/registers.def.
 *
 * The table is of the PTX that one version of clang wrote; modules whose text is another here are
 * not judged. */
#include "check.h"

#include <stdlib.h>

#include "heddle/heddle.h"
#include "workload.h"

/* Half of the kernels are within the first bound, 85 of 100 within the second. */
enum { MAX_KERNELS = 1024, MEDIAN_BOUND = 4, BOUND = 8, WITHIN_BOUND = 85 };

/* As cksum computes it: the CRC of POSIX over the text and its length. */
static uint32_t crc_byte(uint32_t crc, uint8_t byte)
{
    crc ^= (uint32_t)byte << 24;
    for (int i = 0; i < 8; i++)
        crc = crc << 1 ^ (crc >> 31 ? 0x04c11db7u : 0);
    return crc;
}

static uint32_t checksum(const char *text, size_t length)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < length; i++)
        crc = crc_byte(crc, (uint8_t)text[i]);
    for (size_t n = length; n; n >>= 8)
        crc = crc_byte(crc, (uint8_t)n);
    return ~crc;
}

static int liveness_of(const struct workload_registers *row, const char *ptx, size_t length)
{
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(NULL, &e);
    struct hd_module *m = hd_module_load(d, row->module, ptx, length, &e);
    const struct hd_function *f = m ? hd_module_function(m, row->kernel, &e) : NULL;
    CHECK_STR(e.text, "");
    struct hd_function_info info = hd_function_info(f);
    CHECK_EQ(info.regs_from, HD_BY_LIVENESS);
    hd_device_free(d);
    return (int)info.regs_per_thread;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void liveness_is_near_the_assembler(void)
{
    static int off[MAX_KERNELS];
    uint32_t n, judged = 0;
    double sum = 0;
    const struct workload_registers *rows = workload_registers(&n);
    CHECK(n > 0 && n <= MAX_KERNELS);
    for (uint32_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *ptx = workload_ptx(rows[i].module, &length);
        if (!ptx || checksum(ptx, length) != rows[i].checksum)
            continue;
        int found = liveness_of(&rows[i], ptx, length), error = found - (int)rows[i].registers;
        printf("%-28s ptxas %3u  liveness %3d  %+d\n", rows[i].kernel, rows[i].registers, found,
               error);
        off[judged++] = abs(error);
        sum += abs(error);
    }
    if (judged == 0)
        return; /* another clang */
    qsort(off, judged, sizeof off[0], by_value);
    printf("%u of %u kernels: median error %d, mean %.2f, most %d\n", judged, n, off[judged / 2],
           sum / judged, off[judged - 1]);
    CHECK(off[judged / 2] <= MEDIAN_BOUND);
    CHECK(off[(judged * WITHIN_BOUND + 99) / 100 - 1] <= BOUND);
}

static void checksums_are_those_of_cksum(void)
{
    CHECK_EQ(checksum("", 0), 4294967295u);
    CHECK_EQ(checksum("123456789", 9), 930766865u);
}

CHECK_MAIN("registers", TEST(checksums_are_those_of_cksum), TEST(liveness_is_near_the_assembler))
