/* count.c - component counts of a network. */
#include "noc/count.h"

#include <inttypes.h>
#include <stdbool.h>

static void add_xbar(struct count *c, uint32_t a, uint32_t b)
{
    uint32_t in = a > b ? a : b, out = a > b ? b : a;
    for (int i = 0; i < c->nxbars; i++) {
        if (c->xbar[i].in == in && c->xbar[i].out == out) {
            c->xbar[i].n++;
            return;
        }
    }
    if (c->nxbars == COUNT_MAX_SIZES) {
        c->other++;
        return;
    }
    c->xbar[c->nxbars++] = (struct count_xbar){in, out, 1};
}

static bool goes_before(const struct count_xbar *a, const struct count_xbar *b)
{
    if (a->n != b->n)
        return a->n > b->n;
    if (a->in != b->in)
        return a->in > b->in;
    return a->out > b->out;
}

static void sort_xbars(struct count *c)
{
    for (int i = 1; i < c->nxbars; i++) {
        for (int j = i; j > 0 && goes_before(&c->xbar[j], &c->xbar[j - 1]); j--) {
            struct count_xbar x = c->xbar[j];
            c->xbar[j] = c->xbar[j - 1];
            c->xbar[j - 1] = x;
        }
    }
}

static void add_router(struct count *c, const struct graph_router *r, uint32_t vcs)
{
    uint32_t in = r->count_in ? r->count_in : r->nin;
    uint32_t out = r->count_out ? r->count_out : r->nout;
    if (in == GRAPH_NONE || out == GRAPH_NONE)
        return;
    c->routers++;
    c->buffers += r->store == STORE_BUFFERS ? (uint64_t)in * vcs : 0;
    c->ends += r->store == STORE_AT_END ? in : 0;
    add_xbar(c, in, out);
}

void count_add(struct count *c, const struct graph *g, uint32_t vcs)
{
    for (uint32_t r = 0; r < g->nrouters; r++)
        add_router(c, &g->router[r], vcs);
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        bool is_link = out->bus == GRAPH_NONE
                           ? out->dst_router != GRAPH_NONE || out->dst_node != GRAPH_NONE
                           : g->bus[out->bus].first == o;
        c->links += is_link;
        c->optical += is_link && out->medium == MEDIUM_OPTICAL;
        c->writers += out->bus != GRAPH_NONE;
    }
    if (g->ring) {
        c->links += g->ring->nstations;
        c->optical += g->ring->medium == MEDIUM_OPTICAL ? g->ring->nstations : 0;
        c->writers += (uint64_t)g->ring->nstations * (g->ring->nstations - 1);
    }
    for (uint32_t i = 0; i < g->nins; i++)
        c->links += g->in[i].src_node != GRAPH_NONE;
    sort_xbars(c);
}

void count_print(const struct count *c, FILE *out)
{
    fprintf(out, "routers     %8" PRIu64 "\n", c->routers);
    fprintf(out, "VC buffers  %8" PRIu64 "\n", c->buffers);
    if (c->ends > 0)
        fprintf(out, "  ejection  %8" PRIu64 " buffers\n", c->ends);
    fprintf(out, "links       %8" PRIu64 "\n", c->links);
    if (c->optical > 0)
        fprintf(out, "  optical   %8" PRIu64 "\n", c->optical);
    if (c->writers > 0)
        fprintf(out, "  writers   %8" PRIu64 " of shared ones\n", c->writers);
    for (int i = 0; i < c->nxbars; i++)
        fprintf(out, "%-10s  %8" PRIu64 " (%ux%u)\n", i == 0 ? "crossbars" : "", c->xbar[i].n,
                c->xbar[i].in, c->xbar[i].out);
    if (c->other > 0)
        fprintf(out, "%-10s  %8" PRIu64 " of other sizes\n", "", c->other);
}

void count_json(const struct count *c, struct json *j)
{
    json_open_object(j, false);
    json_key(j, "routers");
    json_uint(j, c->routers);
    json_key(j, "vc_buffers");
    json_uint(j, c->buffers);
    if (c->ends > 0) {
        json_key(j, "ejection_buffers");
        json_uint(j, c->ends);
    }
    json_key(j, "links");
    json_uint(j, c->links);
    if (c->optical > 0) {
        json_key(j, "optical_links");
        json_uint(j, c->optical);
    }
    if (c->writers > 0) {
        json_key(j, "writers_of_shared_links");
        json_uint(j, c->writers);
    }
    json_key(j, "crossbars");
    json_open_array(j, false);
    for (int i = 0; i < c->nxbars; i++) {
        json_open_object(j, true);
        json_key(j, "in");
        json_uint(j, c->xbar[i].in);
        json_key(j, "out");
        json_uint(j, c->xbar[i].out);
        json_key(j, "count");
        json_uint(j, c->xbar[i].n);
        json_close_object(j);
    }
    json_close_array(j);
    if (c->other > 0) {
        json_key(j, "crossbars_of_other_sizes");
        json_uint(j, c->other);
    }
    json_close_object(j);
}
