/* Every byte that a kernel gets to see was read from DRAM or written before: one kernel writes one
 * word of each line, the next reads that word and then another one of the line.  Whatever caches are
 * between, DRAM must read what nobody wrote, and the bytes are counted to the last. */
#include "check.h"

#include "mem/request.h"
#include "rig/machine_rig.h"

/* DRAM in bursts of one sector; an L2 of 256 lines. */
#define SECTOR_BURSTS                                                                              \
    "dram.bus_bits=32 map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS l2.size=32K l2.ways=8 "
enum { FEW_LINES = 128, MANY_LINES = 1024, WRITTEN = 2 }; /* word of each line */

struct words {
    uint32_t of[2]; /* word that an instruction of the block accesses */
};

static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    const struct words *w = context;
    a->base = (uint64_t)at->loop * WARP_LANES * LINE_BYTES + 4 * w->of[at->insn];
    a->pattern = PATTERN_STRIDE;
    a->stride = LINE_BYTES;
}

static void write_words(struct machine_rig *r, uint32_t lines)
{
    struct stream_insn in = machine_rig_load(STREAM_GLOBAL, REG_NONE, REG_NONE);
    in.flags = INSN_MEM | INSN_STORE;
    in.opclass = OPCLASS_STORE;
    const struct words w = {.of = {WRITTEN}};
    machine_rig_run(r, &(struct machine_rig_kernel){.insn = &in,
                                                    .ninsns = 1,
                                                    .loops = lines / WARP_LANES,
                                                    .address = address,
                                                    .context = &w});
}

static void read_words(struct machine_rig *r, enum stream_space space, uint32_t lines,
                       uint32_t other)
{
    const struct stream_insn in[] = {machine_rig_load(space, 1, 2), machine_rig_load(space, 2, 1)};
    const struct words w = {.of = {WRITTEN, other}};
    machine_rig_run(r, &(struct machine_rig_kernel){.insn = in,
                                                    .ninsns = 2,
                                                    .loops = lines / WARP_LANES,
                                                    .address = address,
                                                    .context = &w});
}

struct machine_case {
    bool write_fetch, write_through, l2_sectored;
    bool without;         /* an L2 */
    uint32_t asked_bytes; /* what the SM's cache asks of the L2 at a time */
    bool fits;            /* the L2 has the lines of the first kernel when the second begins */
};

static uint8_t sectors_at(uint32_t word, uint32_t bytes)
{
    uint32_t n = bytes / SECTOR_BYTES, first = word * 4 / bytes * n;
    return (uint8_t)(((1u << n) - 1) << first);
}

static uint32_t bytes_of(uint32_t sectors)
{
    return SECTOR_BYTES * (uint32_t)__builtin_popcount(sectors);
}

/* Bytes of a line that DRAM reads: by the writing kernel in [0], by the reading one in [1]. */
static void expect(const struct machine_case *c, uint32_t other, uint32_t bytes[2])
{
    uint8_t fetched = !c->write_fetch ? 0 : c->l2_sectored ? sectors_at(WRITTEN, SECTOR_BYTES) : 15;
    fetched = c->without ? 0 : fetched;
    uint8_t have = c->fits ? fetched : 0, in_l1 = 0;
    const uint32_t word[2] = {WRITTEN, other};
    bytes[0] = bytes_of(fetched);
    bytes[1] = 0;
    for (int i = 0; i < 2; i++) {
        uint8_t asked = sectors_at(word[i], c->asked_bytes) & (uint8_t)~in_l1;
        uint8_t lacks = asked & (uint8_t)~have;
        uint8_t more = !lacks ? 0 : c->l2_sectored || c->without ? lacks : 15;
        bytes[1] += bytes_of(more);
        in_l1 |= asked;
        have |= c->without ? 0 : more;
    }
}

static void check_case(const struct machine_case *c, enum stream_space space, const char *more)
{
    static const uint32_t others[] = {3, 9, 31}; /* in the sector that was written, in others */
    static const char *const truth[] = {"false", "true"};
    const uint32_t lines = c->fits ? FEW_LINES : MANY_LINES;
    for (int i = 0; i < 3; i++) {
        char settings[512];
        struct machine_rig r;
        uint32_t bytes[2];
        snprintf(settings, sizeof settings,
                 SECTOR_BURSTS
                 "l2.write_fetch=%s l2.write_through=%s l2.sectored=%s l2.enabled=%s %s",
                 truth[c->write_fetch], truth[c->write_through], truth[c->l2_sectored],
                 truth[!c->without], more);
        expect(c, others[i], bytes);
        machine_rig_open(&r, machine_rig_small, settings);
        write_words(&r, lines);
        double first = machine_rig_stat(&r, "dram.read_bytes");
        if (!c->write_through) /* else a write is acknowledged before its line has come */
            CHECK_NEAR(first, bytes[0] * lines, 0);
        if (c->write_through || c->without) /* all is in memory when it is acknowledged */
            CHECK_NEAR(machine_rig_stat(&r, "dram.write_bytes"), SECTOR_BYTES * lines, 0);
        read_words(&r, space, lines, others[i]);
        double second = machine_rig_stat(&r, "dram.read_bytes");
        CHECK_NEAR(first + second, (bytes[0] + bytes[1]) * lines, 0);
        machine_rig_close(&r);
    }
}

static void check_all(uint32_t asked_bytes, enum stream_space space, const char *more)
{
    for (uint32_t i = 0; i < 24; i++) {
        const struct machine_case c = {.write_fetch = i & 1,
                                       .l2_sectored = i & 2,
                                       .fits = i & 4,
                                       .write_through = i / 8 == 1,
                                       .without = i / 8 == 2,
                                       .asked_bytes = asked_bytes};
        check_case(&c, space, more);
    }
}

static void what_a_kernel_did_not_write_comes_from_dram_through_whole_lines(void)
{
    check_all(LINE_BYTES, STREAM_GLOBAL, "");
}

static void what_a_kernel_did_not_write_comes_from_dram_through_sectors(void)
{
    check_all(SECTOR_BYTES, STREAM_GLOBAL, "l1.sectored=true");
}

static void what_a_kernel_did_not_write_comes_from_dram_through_the_texture_cache(void)
{
    check_all(LINE_BYTES, STREAM_TEX, "");
    check_all(LINE_BYTES, STREAM_TEX, "l1.sectored=true");
}

static void what_a_kernel_did_not_write_comes_from_dram_through_the_constant_cache(void)
{
    check_all(64, STREAM_CONST, "");
    check_all(LINE_BYTES, STREAM_CONST, "constant.line=128");
    check_all(SECTOR_BYTES, STREAM_CONST, "constant.line=32");
}

CHECK_MAIN("l2_words", TEST(what_a_kernel_did_not_write_comes_from_dram_through_whole_lines),
           TEST(what_a_kernel_did_not_write_comes_from_dram_through_sectors),
           TEST(what_a_kernel_did_not_write_comes_from_dram_through_the_texture_cache),
           TEST(what_a_kernel_did_not_write_comes_from_dram_through_the_constant_cache))
