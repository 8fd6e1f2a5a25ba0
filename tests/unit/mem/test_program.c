/* Whose memory an address is. */
#include "check.h"
#include "mem/program.h"

static void every_address_of_a_program_is_its_own(void)
{
    static const uint64_t own[] = {
        0, 128, 0x1000000000u, (1ull << PROGRAM_SHIFT) - 128, 1ull << 48, 1ull << 50};
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            CHECK_EQ(program_of(program_base(p) + own[i]), p);
}

CHECK_MAIN("program", TEST(every_address_of_a_program_is_its_own))
