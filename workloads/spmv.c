/* spmv.c - SPMV of Parboil: sparse matrix times vector, 50 times over; see kernels/spmv.cu.
 *
 * The original reads matrices of finite elements: 1138_bus, bcsstk18 and Dubcova3, of 1,138, 11,948
 * and 146,689 rows.  Ours have these rows (or fewer), but are drawn from the seed.  A row's length
 * is skewed, from 3 to 72 entries and 25 in the mean, as many as Dubcova3 has, and the same for
 * eight rows in succession, as for the unknowns of an element; columns lie around those of a mesh's
 * neighbours, one of sixteen anywhere.
 *
 * The original chooses its CTAs by the GPU: 32 threads as long as all rows find place at once,
 * above that 192.  Ours does as it would with 80 SMs. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum {
    WARP = 32,
    SHORTEST = 3,
    LONGEST = 72,
    ELEMENT = 8, /* rows of one length in succession */
    LENGTH_STREAM = 0,
    COLUMN_STREAM = 1,
    ENTRY_STREAM = 2,
    VECTOR_STREAM = 3,
};

struct system {
    uint32_t rows, times;
};

/* By jagged diagonals. */
struct matrix {
    uint32_t rows, padded_rows, entries;
    int32_t diagonal_at[LONGEST], *warp_entries;
    int32_t *row_was, *column;
    float *entry;
};

static uint32_t length_of(const struct work *w, uint32_t row)
{
    float u = work_random_f32(w, LENGTH_STREAM, row / ELEMENT, 0.0f, 1.0f);
    return SHORTEST + (uint32_t)((float)(LONGEST - SHORTEST + 1) * u * u * hm_fmaf(0.2f, u, 0.8f));
}

/* Counting sort: longest rows first, rows of a length in their order. */
static void sort_rows(const struct work *w, struct matrix *m)
{
    uint32_t first[LONGEST + 2] = {0}; /* where rows of a length begin, once it is summed up */
    for (uint32_t r = 0; r < m->rows; r++)
        first[LONGEST - length_of(w, r) + 1]++;
    for (uint32_t l = 1; l <= LONGEST; l++)
        first[l] += first[l - 1];
    for (uint32_t r = 0; r < m->rows; r++)
        m->row_was[first[LONGEST - length_of(w, r)]++] = (int32_t)r;
}

/* Where the diagonals begin; padding of a warp's rows counts as entries. */
static void place_diagonals(const struct work *w, struct matrix *m)
{
    for (uint32_t i = 0; i < m->padded_rows; i += WARP)
        m->warp_entries[i / WARP] = (int32_t)length_of(w, (uint32_t)m->row_was[i]);
    for (uint32_t k = 0; k < LONGEST; k++) {
        m->diagonal_at[k] = (int32_t)m->entries;
        for (uint32_t i = 0; i < m->padded_rows / WARP && m->warp_entries[i] > (int32_t)k; i++)
            m->entries += WARP;
    }
}

static int32_t column_of(const struct work *w, uint32_t rows, uint32_t row, uint32_t k)
{
    uint64_t r = work_random(w, COLUMN_STREAM, (uint64_t)row * LONGEST + k);
    if (r % 16 == 0)
        return (int32_t)((r >> 8) % rows);
    int64_t side = (int64_t)hm_sqrtf((float)rows);
    int64_t dx = (int64_t)((r >> 8) % 17) - 8, dy = (int64_t)((r >> 16) % 5) - 2;
    int64_t column = (int64_t)row + dy * side + dx;
    return (int32_t)(column < 0      ? -column
                     : column < rows ? column
                                     : 2 * (int64_t)rows - column - 1);
}

static void sort(int32_t *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        int32_t v = x[i];
        uint32_t at = i;
        for (; at > 0 && x[at - 1] > v; at--)
            x[at] = x[at - 1];
        x[at] = v;
    }
}

static void fill_row(const struct work *w, struct matrix *m, uint32_t i)
{
    uint32_t row = (uint32_t)m->row_was[i], n = length_of(w, row);
    int32_t columns[LONGEST];
    for (uint32_t k = 0; k < n; k++)
        columns[k] = column_of(w, m->rows, row, k);
    sort(columns, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = (uint32_t)m->diagonal_at[k] + i;
        m->column[at] = columns[k];
        m->entry[at] = work_random_f32(w, ENTRY_STREAM, (uint64_t)row * LONGEST + k, -1.0f, 1.0f);
    }
}

static struct matrix make_matrix(struct work *w, uint32_t rows)
{
    struct matrix m = {.rows = rows, .padded_rows = (rows + WARP - 1) / WARP * WARP};
    m.warp_entries = work_alloc(w, m.padded_rows / WARP * sizeof *m.warp_entries);
    m.row_was = work_alloc(w, m.padded_rows * sizeof *m.row_was);
    sort_rows(w, &m);
    place_diagonals(w, &m);
    m.column = work_alloc(w, m.entries * sizeof *m.column);
    m.entry = work_alloc(w, m.entries * sizeof *m.entry);
    for (uint32_t i = 0; i < rows; i++)
        fill_row(w, &m, i);
    return m;
}

static float *make_vector(struct work *w, uint32_t n)
{
    float *v = work_alloc(w, n * sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        v[i] = work_random_f32(w, VECTOR_STREAM, i, -1.0f, 1.0f);
    return v;
}

/* Row by row; padding would add nothing. */
static void reference(const struct work *w, const struct matrix *m, const float *vector,
                      float *result)
{
    for (uint32_t i = 0; i < m->rows; i++) {
        uint32_t row = (uint32_t)m->row_was[i], n = length_of(w, row);
        float sum = 0.0f;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = (uint32_t)m->diagonal_at[k] + i;
            sum = hm_fmaf(m->entry[at], vector[m->column[at]], sum);
        }
        result[row] = sum;
    }
}

struct device_matrix {
    hd_ptr entries, columns, row_was;
};

static bool upload(struct work *w, const struct matrix *m, struct device_matrix *d,
                   struct hd_error *e)
{
    *d = (struct device_matrix){
        .entries = work_upload(w, m->entry, m->entries * sizeof *m->entry, e),
        .columns = work_upload(w, m->column, m->entries * sizeof *m->column, e),
        .row_was = work_upload(w, m->row_was, m->rows * sizeof *m->row_was, e),
    };
    return d->entries && d->columns && d->row_was &&
           work_symbol(w, "diagonal_at", m->diagonal_at, sizeof m->diagonal_at, e) &&
           work_symbol(w, "warp_entries", m->warp_entries,
                       m->padded_rows / WARP * sizeof *m->warp_entries, e);
}

static bool multiply(struct work *w, const struct matrix *m, const struct device_matrix *d,
                     hd_ptr vector, hd_ptr result, struct hd_error *e)
{
    const uint32_t at_once = 80 * 1536, ctas_of_sm = 8; /* threads of 80 SMs; CTAs of an SM */
    uint32_t threads = m->padded_rows > at_once ? 1536 / ctas_of_sm : WARP;
    struct hd_args a = {0};
    hd_arg_ptr(&a, result);
    hd_arg_ptr(&a, d->entries);
    hd_arg_ptr(&a, d->columns);
    hd_arg_ptr(&a, d->row_was);
    hd_arg_ptr(&a, vector);
    hd_arg_u32(&a, m->rows);
    return work_launch(w, "spmv_jds",
                       (struct hd_dim){(m->padded_rows + threads - 1) / threads, 1, 1},
                       (struct hd_dim){threads, 1, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct system sizes[SIZES] = {
        [SIZE_TINY] = {1138, 4},     [SIZE_SMALL] = {11948, 20}, [SIZE_STUDY] = {73344, 8},
        [SIZE_PAPER] = {146689, 50}, [SIZE_FEW] = {1138, 50},
    };
    const struct system *s = &sizes[w->size];
    struct matrix m = make_matrix(w, s->rows);
    size_t bytes = s->rows * sizeof(float);
    float *vector = make_vector(w, s->rows), *got = work_alloc(w, bytes);
    struct device_matrix d;
    hd_ptr from = work_upload(w, vector, bytes, e), result = work_device(w, bytes, e);
    if (!from || !result || !upload(w, &m, &d, e))
        return false;
    for (uint32_t i = 0; i < s->times; i++)
        if (!multiply(w, &m, &d, from, result, e))
            return false;
    if (!work_download(w, got, result, bytes, e))
        return false;
    if (!w->verify)
        return true;
    float *want = work_alloc(w, bytes);
    reference(w, &m, vector, want);
    return work_same_f32("result", got, want, s->rows, e);
}

const struct workload workload_spmv = {
    .name = "SPMV",
    .suite = "Parboil",
    .stands_for = "spmv: sparse matrix by jagged diagonals, bounds in constant memory",
    .papers = "",
    .kernels = "spmv",
    .inputs =
        {
            [SIZE_TINY] = "1,138 rows, 28 k entries, 4 times",
            [SIZE_SMALL] = "11,948 rows, 300 k entries, 20 times",
            [SIZE_STUDY] = "73,344 rows, 1.8 M entries, 8 times",
            [SIZE_PAPER] = "146,689 rows, 3.6 M entries, 50 times",
            [SIZE_FEW] = "1,138 rows, 28 k entries, 50 times",
        },
    .run = run,
};
