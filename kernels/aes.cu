/* aes.cu - encryption by AES with a key of 128 bits (ISPASS-2009 AES).
 *
 * The original (by S. Manavski): a thread owns a column of a block of 16 bytes, a CTA of 256
 * threads 64 blocks.  The four tables of a round (4 KB) are in constant memory; each CTA copies
 * them to shared memory, where the look-ups of ten rounds go, and so do the columns, in two
 * buffers in turn.  The expanded key is read through a texture, which bytes a thread takes from
 * which column through a table in constant memory.
 *
 * Ours is the same; the rounds are a loop that the compiler unrolls. */
#include "heddle_cuda.h"

#define THREADS 256
#define ROUNDS 10

__constant__ unsigned tables[4][256];
/* [column][row]: the column from which a round takes this row's byte: rows are shifted. */
__constant__ unsigned shifted[4][4] = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}};

HD_DEVICE unsigned byte_of(unsigned word, unsigned i)
{
    return word >> (8 * i) & 0xff;
}

extern "C" __global__ void aes_encrypt128(unsigned *result, const unsigned *data,
                                          cudaTextureObject_t key)
{
    __shared__ unsigned columns[2][THREADS];
    __shared__ unsigned table[4][256];
    const unsigned t = threadIdx.x, column = t % 4, block = t - column;

    unsigned word = data[THREADS * blockIdx.x + t];
    for (int i = 0; i < 4; i++)
        table[i][t] = tables[i][t];
    columns[0][t] = word ^ tex1Dfetch<unsigned>(key, (int)column);
    __syncthreads();
#pragma unroll
    for (int round = 1; round <= ROUNDS; round++) {
        const unsigned *from = columns[(round - 1) % 2];
        unsigned next = tex1Dfetch<unsigned>(key, (int)(4 * round + column));
        for (unsigned row = 0; row < 4; row++) {
            unsigned byte = byte_of(from[block + shifted[column][row]], row);
            /* the last round does not mix: it needs the plain substitution, which is the last byte
             * of the second table */
            next ^= round < ROUNDS ? table[row][byte] : (table[1][byte] >> 24) << (8 * row);
        }
        columns[round % 2][t] = next;
        __syncthreads();
    }
    result[THREADS * blockIdx.x + t] = columns[ROUNDS % 2][t];
}
