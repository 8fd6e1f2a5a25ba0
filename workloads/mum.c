/* mum.c - MUM of the ISPASS-2009 suite: MUMmerGPU; see kernels/mummergpu.cu.
 *
 * The original reads 20,000 letters of the genome of Bacillus anthracis and 50,000 queries of 25
 * letters sampled from it, and reports matches of 20 letters and more.  Ours makes the reference of
 * random letters with repeats, and queries from it with one letter of fifty changed.  The tree is
 * Ukkonen's; results are checked against a sorted list of suffixes, which shares nothing with
 * it. */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 256,
    QUERY = 25,
    SHORTEST = 20,
    ROOT = 1,
    COLUMN = 32,
    LETTERS = 5, /* with the end */
    LETTER_STREAM = 0,
    QUERY_STREAM = 1,
    CHANGE_STREAM = 2,
};

struct shape {
    uint32_t letters, queries;
};

struct node {
    uint32_t first, end; /* of its edge in the reference; end is behind the last */
    uint32_t link, depth, child[LETTERS];
};

struct genome {
    uint32_t n; /* letters, with the end */
    char *letters;
    struct node *nodes;
    uint32_t nnodes;
    uint32_t active, edge, length; /* Ukkonen's active point: node, letter of the edge, how far */
};

static const char alphabet[LETTERS + 1] = "ACGT$";

static uint32_t code(char letter)
{
    return (uint32_t)(strchr(alphabet, letter) - alphabet);
}

/* ---- the tree --------------------------------------------------------------------------------- */

static uint32_t add_node(struct genome *g, uint32_t first, uint32_t end)
{
    g->nodes[g->nnodes] = (struct node){.first = first, .end = end, .link = ROOT};
    return g->nnodes++;
}

static uint32_t edge_length(const struct genome *g, uint32_t node, uint32_t so_far)
{
    uint32_t end = g->nodes[node].end < so_far ? g->nodes[node].end : so_far;
    return end - g->nodes[node].first;
}

/* Puts a node into the edge to `child` at the active point, with a leaf for letter i. */
static uint32_t split(struct genome *g, uint32_t child, uint32_t i)
{
    uint32_t first = g->nodes[child].first, middle = add_node(g, first, first + g->length);
    g->nodes[g->active].child[g->edge] = middle;
    g->nodes[middle].child[code(g->letters[i])] = add_node(g, i, g->n);
    g->nodes[child].first = first + g->length;
    g->nodes[middle].child[code(g->letters[first + g->length])] = child;
    return middle;
}

/* To the next shorter suffix; `remaining` are to be done. */
static void shorten(struct genome *g, uint32_t i, uint32_t remaining)
{
    if (g->active == ROOT && g->length > 0) {
        g->length--;
        g->edge = code(g->letters[i - remaining + 1]);
    } else if (g->active != ROOT) {
        g->active = g->nodes[g->active].link;
    }
}

/* Adds letter i to all suffixes; `remaining` of them are not leaves yet. */
static uint32_t extend(struct genome *g, uint32_t i, uint32_t remaining)
{
    uint32_t linkless = 0; /* the node made last, whose link is the next one */
    while (remaining > 0) {
        if (g->length == 0)
            g->edge = code(g->letters[i]);
        uint32_t child = g->nodes[g->active].child[g->edge], made = g->active;
        if (child) {
            uint32_t length = edge_length(g, child, i + 1);
            if (g->length >= length) {
                g->edge = code(g->letters[i - g->length + length]);
                g->length -= length;
                g->active = child;
                continue;
            }
            if (g->letters[g->nodes[child].first + g->length] == g->letters[i]) {
                if (linkless)
                    g->nodes[linkless].link = g->active;
                g->length++;
                return remaining;
            }
            made = split(g, child, i);
        } else {
            g->nodes[g->active].child[g->edge] = add_node(g, i, g->n);
        }
        if (linkless)
            g->nodes[linkless].link = made;
        linkless = made == g->active ? 0 : made;
        remaining--;
        shorten(g, i, remaining);
    }
    return 0;
}

static void make_tree(struct work *w, struct genome *g)
{
    uint32_t remaining = 0, top = 0;
    g->nodes = work_alloc(w, (2 * (size_t)g->n + 2) * sizeof *g->nodes);
    uint32_t *stack = work_alloc(w, (2 * (size_t)g->n + 2) * sizeof *stack);
    g->nnodes = ROOT;
    g->active = add_node(g, 0, 0);
    for (uint32_t i = 0; i < g->n; i++)
        remaining = extend(g, i, remaining + 1);
    for (stack[top++] = ROOT; top > 0;) {
        const struct node *parent = &g->nodes[stack[--top]];
        for (int c = 0; c < LETTERS; c++) {
            if (!parent->child[c])
                continue;
            struct node *child = &g->nodes[parent->child[c]];
            child->depth = parent->depth + child->end - child->first;
            stack[top++] = parent->child[c];
        }
    }
}

/* ---- inputs ----------------------------------------------------------------------------------- */

/* One stretch of 64 letters in eight is a copy of an earlier one. */
static void make_letters(struct work *w, struct genome *g, uint32_t n)
{
    g->n = n + 1;
    g->letters = work_alloc(w, (size_t)n + 2);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t stretch = work_random(w, LETTER_STREAM, (uint64_t)n + i / 64);
        bool is_copy = i >= 64 && stretch % 8 == 0;
        g->letters[i] = is_copy ? g->letters[(stretch >> 8) % (i / 64) * 64 + i % 64]
                                : alphabet[work_random(w, LETTER_STREAM, i) % 4];
    }
    g->letters[n] = '$';
}

/* Queries with a zero behind each. */
static char *make_queries(struct work *w, const struct genome *g, uint32_t n)
{
    char *queries = work_alloc(w, (size_t)n * (QUERY + 1));
    for (uint32_t q = 0; q < n; q++) {
        uint32_t at = work_random_u32(w, QUERY_STREAM, q, g->n - QUERY - 1);
        for (uint32_t i = 0; i < QUERY; i++) {
            uint64_t change = work_random(w, CHANGE_STREAM, (uint64_t)q * QUERY + i);
            queries[(size_t)q * (QUERY + 1) + i] =
                change % 50 == 0 ? alphabet[change / 50 % 4] : g->letters[at + i];
        }
    }
    return queries;
}

/* Texel i of a texture whose texels stand `column` below one another. */
static size_t place(size_t i, size_t column, size_t width)
{
    return i % column * width + i / column;
}

struct textures {
    hd_texture nodes, children, letters;
};

static hd_texture upload_texture(struct work *w, const void *data, uint32_t width, uint32_t height,
                                 uint32_t channels, uint32_t bits, struct hd_error *e)
{
    hd_ptr at = work_upload(w, data, (uint64_t)width * height * channels * bits / 8, e);
    struct hd_texture_desc d = {.address = at,
                                .width = width,
                                .height = height,
                                .channels = channels,
                                .bits = bits,
                                .kind = HD_UNSIGNED};
    return at ? work_texture(w, &d, e) : 0;
}

static bool upload_tree(struct work *w, const struct genome *g, struct textures *t,
                        struct hd_error *e)
{
    uint32_t width = (g->nnodes + COLUMN - 1) / COLUMN, letters = (g->n + 3) / 4;
    uint32_t(*nodes)[4] = work_alloc(w, (size_t)width * COLUMN * sizeof *nodes);
    uint32_t(*children)[4] = work_alloc(w, (size_t)width * COLUMN * sizeof *children);
    char *columns = work_alloc(w, (size_t)letters * 4);
    for (uint32_t i = ROOT; i < g->nnodes; i++) {
        const struct node *n = &g->nodes[i];
        uint32_t *node = nodes[place(i, COLUMN, width)];
        node[0] = n->first;
        node[1] = n->end - 1;
        node[2] = n->link;
        memcpy(children[place(i, COLUMN, width)], n->child, 4 * sizeof *n->child);
    }
    for (uint32_t i = 0; i < g->n; i++)
        columns[place(i, 4, letters)] = g->letters[i];
    t->nodes = upload_texture(w, nodes, width, COLUMN, 4, 32, e);
    t->children = upload_texture(w, children, width, COLUMN, 4, 32, e);
    t->letters = upload_texture(w, columns, letters, 4, 1, 8, e);
    return t->nodes && t->children && t->letters;
}

/* ---- check ------------------------------------------------------------------------------------ */

static int compare_suffixes(const void *a, const void *b)
{
    return strncmp(*(char *const *)a, *(char *const *)b, QUERY + 1);
}

static uint32_t common(const char *a, const char *b)
{
    uint32_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* Letters of `query` that stand somewhere in the reference. */
static uint32_t longest(char *const *suffixes, uint32_t n, const char *query)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (strncmp(suffixes[middle], query, QUERY + 1) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t above = low < n ? common(suffixes[low], query) : 0;
    uint32_t below = low > 0 ? common(suffixes[low - 1], query) : 0;
    return above > below ? above : below;
}

/* Whether a match is where the query's letters stand, and as long as can be. */
static bool is_right(const struct genome *g, const uint32_t match[2], const char *query,
                     uint32_t want)
{
    if (want < SHORTEST)
        return match[0] == 0 && match[1] == 0;
    if (match[0] < ROOT || match[0] >= g->nnodes)
        return false;
    const struct node *n = &g->nodes[match[0]];
    uint32_t above = n->depth - (n->end - n->first);
    uint32_t length = match[1] ? above + match[1] : n->depth;
    return length == want && memcmp(g->letters + n->first - above, query, length) == 0;
}

static bool check(struct work *w, const struct genome *g, const char *queries, uint32_t n,
                  uint32_t (*matches)[2], struct hd_error *e)
{
    char **suffixes = work_alloc(w, g->n * sizeof *suffixes);
    for (uint32_t i = 0; i < g->n; i++)
        suffixes[i] = g->letters + i;
    qsort(suffixes, g->n, sizeof *suffixes, compare_suffixes);
    for (uint32_t q = 0; q < n; q++) {
        for (uint32_t i = 0; i <= QUERY; i++) {
            size_t at = (size_t)q * (QUERY + 1) + i;
            uint32_t want = i <= QUERY - SHORTEST ? longest(suffixes, g->n, queries + at) : 0;
            if (!is_right(g, matches[at], queries + at, want))
                return work_fail(e,
                                 "match of query %u from letter %u: node %u, %u on its edge; %u "
                                 "letters match",
                                 q, i, matches[at][0], matches[at][1], want);
        }
    }
    return true;
}

/* ---- run -------------------------------------------------------------------------------------- */

static bool launch(struct work *w, const struct textures *t, hd_ptr queries, uint32_t n,
                   hd_ptr matches, struct hd_error *e)
{
    int32_t *starts = work_alloc(w, n * sizeof *starts),
            *lengths = work_alloc(w, n * sizeof *starts);
    for (uint32_t q = 0; q < n; q++) {
        starts[q] = (int32_t)(q * (QUERY + 1));
        lengths[q] = QUERY;
    }
    hd_ptr starts_d = work_upload(w, starts, n * sizeof *starts, e);
    hd_ptr lengths_d = work_upload(w, lengths, n * sizeof *lengths, e);
    struct hd_args a = {0};
    hd_arg_i64(&a, (int64_t)t->nodes);
    hd_arg_i64(&a, (int64_t)t->children);
    hd_arg_i64(&a, (int64_t)t->letters);
    hd_arg_ptr(&a, queries);
    hd_arg_ptr(&a, starts_d);
    hd_arg_ptr(&a, lengths_d);
    hd_arg_u32(&a, n);
    hd_arg_i32(&a, SHORTEST);
    hd_arg_ptr(&a, matches);
    return starts_d && lengths_d &&
           work_launch(w, "mummergpu", (struct hd_dim){(n + THREADS - 1) / THREADS, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {[SIZE_TINY] = {2000, 1024},
                                               [SIZE_SMALL] = {20000, 16384},
                                               [SIZE_STUDY] = {20000, 50000},
                                               [SIZE_PAPER] = {20000, 50000},
                                               [SIZE_FEW] = {20000, 48 * THREADS}};
    const struct shape *s = &shapes[w->size];
    size_t bytes = (size_t)s->queries * (QUERY + 1);
    struct genome g = {0};
    struct textures t;
    make_letters(w, &g, s->letters);
    make_tree(w, &g);
    char *queries = make_queries(w, &g, s->queries);
    uint32_t(*got)[2] = work_alloc(w, bytes * sizeof *got);
    hd_ptr queries_d = work_upload(w, queries, bytes, e);
    hd_ptr matches = work_device(w, bytes * sizeof *got, e);
    return queries_d && matches && upload_tree(w, &g, &t, e) &&
           launch(w, &t, queries_d, s->queries, matches, e) &&
           work_download(w, got, matches, bytes * sizeof *got, e) &&
           (!w->verify || check(w, &g, queries, s->queries, got, e));
}

const struct workload workload_mum = {
    .name = "MUM",
    .suite = "ISPASS-2009",
    .papers = "coalesce intra",
    .stands_for = "MUM: queries of DNA walked through a suffix tree in textures",
    .kernels = "mummergpu",
    .inputs =
        {
            [SIZE_TINY] = "2,000 letters, 1,024 queries of 25",
            [SIZE_SMALL] = "20,000 letters, 16,384 queries of 25",
            [SIZE_STUDY] = "20,000 letters, 50,000 queries of 25",
            [SIZE_PAPER] = "20,000 letters, 50,000 queries of 25",
            [SIZE_FEW] = "20,000 letters, 12,288 queries of 25: 48 CTAs",
        },
    .run = run,
};
