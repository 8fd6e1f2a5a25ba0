/* addrmap.c - see addrmap.h.
 *
 * Taking out the slice is a division with remainder, so that any number of slices is filled
 * evenly.  The hash permutes the slices within each round of chunks by a fold of the number of
 * the round (by xor where their number is a power of two, else by rotation): every slice still
 * gets one chunk of each round, and no two addresses fall together.
 *
 * Mixing puts each chunk of a page in another one's place before that (docs/model/silicon.md, "Channels at
 * random").  Not modelled: hashes of the bank, of vendors whose functions are not public. */
#include "mem/addrmap.h"

#include <string.h>

#include "mem/request.h"

enum { MIX_STEPS = 3 };
#define MIX_FACTOR 0x9e3779b97f4a7c15ull /* odd; the golden ratio's bits */

CFG_SECTION_WHEN(map, MAP_ROWS, "addresses: slices, channels, banks, rows",
                 {"page", "map.hash=mixed"})

/* ---- building ---- */

static bool parse_order(struct addrmap *m, const struct config *cfg, const char *order,
                        struct err *e)
{
    static const char letters[] = "SCBR";
    size_t n = strlen(order);
    uint8_t *const count[MAP_FIELDS] = {&m->burst_bits, &m->column_bits, &m->bank_bits,
                                        &m->row_bits};
    if (n == 0 || n > 48)
        return config_blame(cfg, e, &map_section, "order", "%zu letters, not 1 to 48", n);
    for (size_t i = 0; i < n; i++) {
        char c = order[n - 1 - i];
        const char *at = strchr(letters, c);
        if (!at)
            return config_blame(cfg, e, &map_section, "order", "'%c' is none of R, B, C, S", c);
        m->field[i] = (uint8_t)(at - letters);
        if (m->field[i] == MAP_S && m->burst_bits != i)
            return config_blame(cfg, e, &map_section, "order", "S must be the lowest bits");
        ++*count[m->field[i]];
    }
    m->nbits = (uint8_t)n;
    if (m->row_bits > 32 || m->column_bits > 32)
        return config_blame(cfg, e, &map_section, "order", "more than 32 letters of a kind");
    return true;
}

/* Neighbouring bits with the same letter move together. */
static void find_runs(struct addrmap *m)
{
    uint8_t used[MAP_FIELDS] = {0};
    for (uint8_t i = 0; i < m->nbits;) {
        uint8_t f = m->field[i], n = 1;
        while (i + n < m->nbits && m->field[i + n] == f)
            n++;
        if (f != MAP_S)
            m->run[m->nruns++] = (struct map_run){f, i, used[f], (uint32_t)((1ull << n) - 1)};
        used[f] = (uint8_t)(used[f] + n);
        i = (uint8_t)(i + n);
    }
}

static bool check_order(const struct addrmap *m, const struct config *cfg, uint32_t banks,
                        uint32_t burst_bytes, struct err *e)
{
    const uint32_t unit = burst_bytes > LINE_BYTES ? burst_bytes : LINE_BYTES;
    if (m->bank_bits > 31 || 1u << m->bank_bits != banks)
        return config_blame(cfg, e, &map_section, "order",
                            "%u letters B do not number the %u banks of dram.banks", m->bank_bits,
                            banks);
    if (m->burst_bits > 31 || 1u << m->burst_bits > burst_bytes)
        return config_blame(cfg, e, &map_section, "order",
                            "%u letters S are more than a burst of %u bytes", m->burst_bits,
                            burst_bytes);
    for (uint32_t i = 0; 1u << i < unit; i++)
        if (i >= m->nbits || (m->field[i] != MAP_S && m->field[i] != MAP_C))
            return config_blame(cfg, e, &map_section, "order",
                                "bit %u must be C or S: %u bytes are in one row", i, unit);
    return true;
}

bool addrmap_init(struct addrmap *m, const struct config *cfg, uint32_t slices,
                  uint32_t slices_per_channel, uint32_t banks, uint32_t burst_bytes, struct err *e)
{
    const struct map_spec *s = config_get(cfg, &map_section);
    HD_ASSERT(slices > 0 && slices_per_channel > 0 && slices % slices_per_channel == 0,
              "%u slices, %u per channel", slices, slices_per_channel);
    *m = (struct addrmap){.slices = slices,
                          .slices_per_channel = slices_per_channel,
                          .is_hashed = strcmp(s->hash, "xor") == 0};
    const bool is_mixed = strcmp(s->hash, "mixed") == 0;
    if (s->interleave & (s->interleave - 1))
        return config_blame(cfg, e, &map_section, "interleave", "%lld is not a power of two",
                            (long long)s->interleave);
    if (s->interleave < LINE_BYTES)
        return config_blame(cfg, e, &map_section, "interleave",
                            "%lld would spread a line of %d bytes over slices",
                            (long long)s->interleave, LINE_BYTES);
    m->chunk_shift = (uint32_t)__builtin_ctzll((uint64_t)s->interleave);
    if (s->page & (s->page - 1) || s->page <= s->interleave)
        return config_blame(cfg, e, &map_section, "page",
                            "%lld is not a power of two above map.interleave, %lld",
                            (long long)s->page, (long long)s->interleave);
    m->page_bits =
        is_mixed ? (uint8_t)((uint32_t)__builtin_ctzll((uint64_t)s->page) - m->chunk_shift) : 0;
    while (1u << m->fold_bits < slices)
        m->fold_bits++;
    if (!parse_order(m, cfg, s->order, e) || !check_order(m, cfg, banks, burst_bytes, e))
        return false;
    find_runs(m);
    return true;
}

/* ---- asking ---- */

static uint32_t fold(const struct addrmap *m, uint64_t round)
{
    uint64_t h = 0;
    for (uint64_t rest = round; rest && m->fold_bits; rest >>= m->fold_bits)
        h ^= rest;
    return (uint32_t)(h & ((1ull << m->fold_bits) - 1));
}

static uint32_t slice_of(const struct addrmap *m, uint64_t round, uint32_t in_round)
{
    if (!m->is_hashed)
        return in_round;
    if ((m->slices & (m->slices - 1)) == 0)
        return in_round ^ fold(m, round);
    return (in_round + fold(m, round)) % m->slices;
}

/* Each step can be undone, so no two chunks of a page come to one place. */
static uint64_t mix(const struct addrmap *m, uint64_t chunk)
{
    const uint64_t mask = (1ull << m->page_bits) - 1, page = chunk >> m->page_bits;
    uint64_t x = chunk;
    for (int i = 0; i < MIX_STEPS; i++) {
        x = ((x + page) * MIX_FACTOR) & mask;
        x ^= x >> (m->page_bits + 1) / 2;
    }
    return page << m->page_bits | x;
}

static uint64_t chunk_of(const struct addrmap *m, uint64_t address)
{
    const uint64_t chunk = address >> m->chunk_shift;
    return addrmap_mixes(m) ? mix(m, chunk) : chunk;
}

uint64_t addrmap_mixed(const struct addrmap *m, uint64_t address)
{
    return chunk_of(m, address) << m->chunk_shift | (address & ((1ull << m->chunk_shift) - 1));
}

uint32_t addrmap_slice(const struct addrmap *m, uint64_t address)
{
    uint64_t chunk = chunk_of(m, address), round = chunk / m->slices;
    return slice_of(m, round, (uint32_t)(chunk - round * m->slices));
}

uint64_t addrmap_local(const struct addrmap *m, uint64_t address)
{
    uint64_t chunk = chunk_of(m, address), round = chunk / m->slices;
    uint32_t slice = slice_of(m, round, (uint32_t)(chunk - round * m->slices));
    uint64_t local = round * m->slices_per_channel + slice % m->slices_per_channel;
    return local << m->chunk_shift | (address & ((1ull << m->chunk_shift) - 1));
}

struct dram_place addrmap_place(const struct addrmap *m, uint64_t address)
{
    const uint64_t local = addrmap_local(m, address);
    uint32_t part[MAP_FIELDS] = {0};
    for (uint32_t i = 0; i < m->nruns; i++) {
        const struct map_run *r = &m->run[i];
        part[r->field] |= ((uint32_t)(local >> r->from) & r->mask) << r->to;
    }
    if (m->row_bits < 32)
        part[MAP_R] |= (uint32_t)(local >> m->nbits << m->row_bits);
    return (struct dram_place){part[MAP_B], part[MAP_R], part[MAP_C]};
}
