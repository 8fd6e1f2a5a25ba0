/* codec.h - the bytes of a warp's stream.  Private to src/stream; docs/model/stream.md has the
 * same in words.
 *
 * Control, per block entered: one byte, bits 0-1 how the mask is told, bits 2-7 the folded
 * distance from the last block (CODEC_FAR: a varint with the block's number follows), then four
 * bytes of mask when it is given.
 *
 * Payload: a guard is one byte (and a mask); an address set is one byte, bits 0-1 the pattern,
 * bits 2-4 its form, bits 5-7 the length of the folded difference between its base and the one
 * expected, then that difference, then what the pattern needs. */
#ifndef HEDDLE_STREAM_CODEC_H
#define HEDDLE_STREAM_CODEC_H

#include <stdbool.h>
#include <stdint.h>

enum codec_mask {
    CODEC_MASK_SAME,
    CODEC_MASK_BEFORE, /* the one before the last change: the end of an if */
    CODEC_MASK_OTHER,  /* that one XOR the last: an else, and the end of an if with an else */
    CODEC_MASK_GIVEN,
};

enum { CODEC_FAR = 63 };

enum codec_guard { CODEC_GUARD_ALL, CODEC_GUARD_NONE, CODEC_GUARD_GIVEN };

/* Forms of a stride: 1 << form, or these. */
enum { CODEC_STRIDE_POWERS = 6, CODEC_STRIDE_LAST = 6, CODEC_STRIDE_GIVEN = 7 };

/* The fourth pattern, which only the bytes know (a reader gives lanes one by one): rows of 1 << form
 * lanes, one stride within a row and another from row to row, as the threads of a 16x16 or 8x8 CTA
 * access an image. */
enum { CODEC_ROWS = 3, CODEC_ROWS_MAX_FORM = 4 };

/* Form of single lanes: bits 0-1 how many zero bits all differences end in (at most 3), bit 2
 * which widths they have.  A two-bit tag per difference chooses one of the four. */
enum { CODEC_LANES_WIDE = 4, CODEC_LANES_MAX_SHIFT = 3 };

static inline unsigned codec_width(bool is_wide, unsigned tag)
{
    return is_wide ? 1u << tag : tag; /* 1 2 4 8 or 0 1 2 3 bytes */
}

/* The base expected is that of the same access when the block was last entered, as far as that is
 * known: accesses are told apart by a few slots, numbered through from one that depends on the
 * block.  In a loop the difference is then the same every time.  An empty slot (0) expects the
 * last base in this space. */
enum { CODEC_SLOTS = 32 };

static inline uint32_t codec_first_slot(uint32_t block)
{
    return block * 11;
}

static inline uint64_t *codec_slot(uint64_t slots[CODEC_SLOTS], uint32_t *next)
{
    return &slots[(*next)++ % CODEC_SLOTS];
}

/* Bytes of the difference of a base: the length code is three bits, so that 7 stands for 8. */
static inline unsigned codec_base_code(uint64_t folded)
{
    unsigned n = folded ? (71 - (unsigned)__builtin_clzll(folded)) / 8 : 0;
    return n < 7 ? n : 7;
}

static inline unsigned codec_base_bytes(unsigned code)
{
    return code + (code == 7);
}

enum { CODEC_SPACE_BITS = 3 }; /* of the byte before a set; the next bit: a mask follows */

#endif
