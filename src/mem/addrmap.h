/* addrmap.h - which slice, channel, bank, row and column an address belongs to.
 *
 * Chunks of `interleave` bytes go round the slices; slices 0 .. slices_per_channel - 1 are those
 * of channel 0, and so on.  The chunks of a channel, numbered without gaps, are the addresses
 * within it, whose bits go to row, bank and column by the letters of `order`, from the highest
 * bit to the lowest: R row, B bank, C column, S within a column.  A burst covers one or more
 * columns.  GPGPU-Sim's GTX480 file has the default. */
#ifndef HEDDLE_MEM_ADDRMAP_H
#define HEDDLE_MEM_ADDRMAP_H

#include "sim/config.h"

#define MAP_ROWS(F, id)                                                                            \
    F(id, INT, interleave, "256", 32, 65536, "byte",                                               \
      "consecutive bytes in one L2 slice; a power of two")                                         \
    F(id, CHOICE, hash, "none", 0, 0, "none|xor|mixed",                                            \
      "xor: higher address bits are folded into the choice of the slice; mixed: the chunks of a "  \
      "page are shuffled first")                                                                   \
    F(id, INT, page, "2M", 4096, 1 << 30, "byte",                                                  \
      "in which chunks are shuffled (hash mixed); a power of two")                                 \
    F(id, STR, order, "RRRRRRRRRRRRBBBCCCCBCCSSSSSS", 0, 0, "",                                    \
      "bits of the address within a channel, highest first: R row, B bank, C column, S in burst")
CFG_STRUCT(map, MAP_ROWS)
extern const struct cfg_section map_section;

enum map_field { MAP_S, MAP_C, MAP_B, MAP_R, MAP_FIELDS };

struct addrmap {
    uint32_t slices, slices_per_channel;
    uint32_t chunk_shift;
    bool is_hashed;
    uint8_t page_bits; /* of a chunk's number, that are mixed; 0: none */
    uint8_t nbits;     /* letters in order */
    uint8_t field[64]; /* per bit, lowest first: enum map_field */
    uint8_t row_bits, bank_bits, column_bits, burst_bits;
    uint8_t fold_bits, nruns; /* fold_bits: the least that number all slices */
    struct map_run {          /* bits with the same letter: `mask` of local >> from, << to */
        uint8_t field, from, to;
        uint32_t mask;
    } run[64];
};

struct dram_place {
    uint32_t bank, row, column; /* rows beyond the letters go on counting: rows never run out */
};

/* Blames map.order, map.interleave when they make no sense; `banks` and `burst_bytes` are the
 * DRAM's: there must be as many banks as the letters B number, and a burst, like a line, must lie
 * in one row (only C and S below). */
bool addrmap_init(struct addrmap *m, const struct config *cfg, uint32_t slices,
                  uint32_t slices_per_channel, uint32_t banks, uint32_t burst_bytes, struct err *e);

/* Where mixing puts it: the address of the same bytes in the chunk that its own takes the place of. */
uint64_t addrmap_mixed(const struct addrmap *m, uint64_t address);
static inline bool addrmap_mixes(const struct addrmap *m)
{
    return m->page_bits > 0;
}
uint32_t addrmap_slice(const struct addrmap *m, uint64_t address);
uint64_t addrmap_local(const struct addrmap *m, uint64_t address); /* within the channel */
struct dram_place addrmap_place(const struct addrmap *m, uint64_t address);

#endif
