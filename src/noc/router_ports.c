/* router_ports.c - round-robin choice between equivalent outputs (CD-Xbar paper, section 3.4).
 *
 * A packet whose route says "any of these outputs" queues, first come first served, at the unit
 * of that group of outputs.  In each step the unit takes up to as many packets as there are
 * outputs and gives them different ones in turn, passing over outputs whose VCs are all taken:
 * such a packet could not go on anyway, and one that waits here takes the first output that
 * frees.  The paper folds the unit into the allocator, so it costs no cycle of its own. */
#include "noc/net_priv.h"

void port_unit_init(struct noc *n, struct arena *a)
{
    n->group = ARENA_ARRAY(a, struct port_group, n->nouts + 1);
    n->groups = ARENA_ARRAY(a, uint32_t, n->nouts + 1);
}

/* Those that come in the same step queue by their numbers, so that the order in which they are
 * found cannot matter. */
static void enqueue(struct noc *n, struct port_group *g, uint32_t i)
{
    if (g->step != n->step) {
        g->step = n->step;
        g->before = g->tail; /* last of those that came earlier */
    }
    uint32_t at = g->before, next = at == NO_OWNER ? g->head : n->ivc[at].next;
    while (next != NO_OWNER && next < i) {
        at = next;
        next = n->ivc[next].next;
    }
    n->ivc[i].next = next;
    if (at == NO_OWNER)
        g->head = i;
    else
        n->ivc[at].next = i;
    if (next == NO_OWNER)
        g->tail = i;
}

void port_unit_add(struct noc *n, struct ivc *iv)
{
    uint32_t first = (uint32_t)(iv->op - n->oport);
    struct port_group *g = &n->group[first];
    HD_ASSERT(iv->span <= 32, "a round-robin unit of %u outputs", iv->span);
    g->span = iv->span;
    if (!g->listed) {
        g->listed = true;
        g->head = g->tail = NO_OWNER;
        g->step = HD_NEVER;
        n->groups[n->ngroups++] = first;
    }
    enqueue(n, g, ivc_number(n, iv));
}

/* The next output in turn that is not in `used` and has a free VC of the class, or -1. */
static int choose(const struct noc *n, const struct port_group *g, uint32_t first, uint32_t cls,
                  uint32_t used)
{
    for (uint32_t k = 0; k < g->span; k++) {
        uint32_t out = (g->turn + k) % g->span;
        if (!(used >> out & 1) && (n->oport[first + out].free & n->class_vcs[cls]))
            return (int)out;
    }
    return -1;
}

/* Removes an input VC from its queue; `before` is the one before it. */
static void take_out(struct noc *n, struct port_group *g, uint32_t before, const struct ivc *iv)
{
    if (before == NO_OWNER)
        g->head = iv->next;
    else
        n->ivc[before].next = iv->next;
    if (g->tail == ivc_number(n, iv))
        g->tail = before;
    g->step = HD_NEVER; /* `before` of the group may be gone */
}

/* Gives an output to whoever is next, first come first served; one for whose class no output has
 * a free VC does not hold up those of other classes. */
static void serve(struct noc *n, uint32_t first)
{
    struct port_group *g = &n->group[first];
    uint32_t used = 0, before = NO_OWNER, i = g->head;
    while (i != NO_OWNER) {
        struct ivc *iv = &n->ivc[i];
        uint32_t next = iv->next;
        int out = choose(n, g, first, iv->vclass, used);
        if (out < 0 && n->vclasses == 1)
            return;
        if (out < 0) {
            before = i;
        } else {
            used |= 1u << out;
            g->turn = (uint16_t)((uint32_t)(out + 1) % g->span);
            take_out(n, g, before, iv);
            iv->span = 1;
            iv->op += out;
            iv->out = (uint16_t)(iv->out + out);
            iv->request = (uint16_t)(iv->out * n->vclasses + iv->vclass);
            bid_vc(iv);
        }
        i = next;
    }
}

void port_unit_step(struct noc *n)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->ngroups; k++) {
        uint32_t first = n->groups[k];
        serve(n, first);
        n->group[first].listed = n->group[first].head != NO_OWNER;
        if (n->group[first].listed)
            n->groups[kept++] = first;
    }
    n->ngroups = kept;
}
