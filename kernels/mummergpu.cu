/* mummergpu.cu - longest matches of short strings of DNA in a reference (ISPASS-2009 MUM).
 *
 * The original (Schatz et al., 2007): a thread walks one query through the reference's suffix tree,
 * from the root, and from each further start of the query by a suffix link.  Nodes (16 bytes: the
 * edge's first and last letter in the reference, the link), children (16 bytes: four nodes) and the
 * reference's letters are read through 2D textures, in which 32 neighbouring nodes stand below one
 * another; queries are bytes in global memory.  256 threads a CTA; lanes diverge at every letter.
 * Where the match is long enough, its node and its length on the edge are written.
 *
 * Ours is the same for the forward direction. */
#include "heddle_cuda.h"

#define ROOT 1
#define COLUMN 32 /* nodes below one another in a texture */

struct tree {
    cudaTextureObject_t nodes, children, letters;
};

HD_DEVICE uint4 fetch(cudaTextureObject_t t, unsigned node)
{
    return tex2D<uint4>(t, (float)(node / COLUMN), (float)(node % COLUMN));
}

/* Letters stand four below one another. */
HD_DEVICE char letter_at(cudaTextureObject_t t, unsigned i)
{
    return (char)tex2D<unsigned>(t, (float)(i / 4), (float)(i % 4));
}

/* The child that begins with this letter; 0: there is none. */
HD_DEVICE unsigned child_of(const tree &t, unsigned node, char letter)
{
    uint4 c = fetch(t.children, node);
    return letter == 'A'   ? c.x
           : letter == 'C' ? c.y
           : letter == 'G' ? c.z
           : letter == 'T' ? c.w
                           : 0;
}

struct walk {
    unsigned node, depth; /* where it is, and how many letters that is from the root */
    unsigned known;       /* letters beyond that must match */
    uint2 match;          /* where it ended: a node, and how far on its edge */
    unsigned length;
};

/* Walks down from w->node as far as the query goes. */
HD_DEVICE void descend(const tree &t, const char *query, walk *w)
{
    for (;;) {
        unsigned child = child_of(t, w->node, query[w->depth]);
        w->match = {w->node, 0};
        w->length = w->depth;
        if (child == 0)
            return;
        uint4 edge = fetch(t.nodes, child);
        unsigned length = edge.y - edge.x + 1, at = min(max(w->known, 1u), length);
        w->known = w->known > length ? w->known - length : 0;
        while (at < length && letter_at(t.letters, edge.x + at) == query[w->depth + at])
            at++;
        if (at < length) {
            w->known = at;
            w->match = {child, at};
            w->length = w->depth + at;
            return;
        }
        w->node = child;
        w->depth += length;
    }
}

extern "C" __global__ void mummergpu(cudaTextureObject_t nodes, cudaTextureObject_t children,
                                     cudaTextureObject_t letters, const char *queries,
                                     const int *starts, const int *lengths, int nqueries,
                                     int shortest, uint2 *matches)
{
    const int q = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (q >= nqueries)
        return;
    const tree t = {nodes, children, letters};
    const char *query = queries + starts[q];
    uint2 *out = matches + starts[q];
    walk w = {ROOT, 0, 0, {0, 0}, 0};
    for (int i = 0, last = lengths[q] - shortest; i <= last; i++) {
        descend(t, query + i, &w);
        if (w.length >= (unsigned)shortest)
            out[i] = w.match;
        if (w.node != ROOT) {
            w.node = fetch(nodes, w.node).z;
            w.depth--;
        } else if (w.known > 0) {
            w.known--;
        }
    }
}
