/* footprint.c - see footprint.h.
 *
 * A CTA stays on its SM, so what several SMs noted of a kernel are different CTAs. */
#include "analysis/footprint.h"

struct footprint footprint_new(void)
{
    return (struct footprint){.blocks.bytes = sizeof(struct footprint_block)};
}

void footprint_clear(struct footprint *f)
{
    lines_clear(&f->blocks);
    lines_clear(&f->ctas);
}

static uint32_t reuse_bin(hd_cycle time)
{
    uint32_t bin = 0;
    for (hd_cycle end = 10; bin < REUSE_BINS - 1 && time >= end; end *= 10)
        bin++;
    return bin;
}

void footprint_touch(struct footprint *f, uint64_t line, uint32_t cta, enum footprint_load load,
                     hd_cycle now)
{
    uint32_t before = f->blocks.n, i = lines_add(&f->blocks, line);
    struct footprint_block *b = lines_at(&f->blocks, i);
    if (i == before || b->last_cta != cta)
        lines_add(&f->ctas, (uint64_t)i << 32 | cta);
    b->last_cta = cta;
    if (load == LOAD_NONE)
        return;
    b->load[load]++;
    if (b->is_filled && load != LOAD_MERGE)
        b->reuse[reuse_bin(now - b->filled)]++;
}

void footprint_fill(struct footprint *f, uint64_t line, hd_cycle now)
{
    uint32_t i = lines_find(&f->blocks, line);
    if (i == LINES_NONE)
        return;
    struct footprint_block *b = lines_at(&f->blocks, i);
    b->is_filled = true;
    b->filled = now;
}
