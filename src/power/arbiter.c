/* arbiter.c - a matrix arbiter: least recently served first.
 *
 * A flip-flop per pair (i, j) says whether i goes before j.  A request is disabled by those that
 * are made and go before it (an AND per order of a pair, a tree of ORs per request); what is left
 * is granted, and a grant puts its requester behind all others (an OR, an AND, an inverter per
 * pair).  From Dally and Towles, "Principles and Practices of Interconnection Networks" (2004),
 * section 18.5; the cells are those of DSENT's arbiter.
 *
 * All requests, pairs and trees are taken to behave alike, so that one of each is followed.  The
 * order starts out at rest and is followed for as many arbitrations as DSENT follows it.
 *
 * Not modelled: wires between the cells; the registers that hold the requests (the caller's). */
#include "power/arbiter.h"

enum { ROUNDS = 9 };

/* What the nets do in one arbitration. */
struct nets {
    struct cell_net order;         /* out of the flip-flop of a pair */
    struct cell_net before, after; /* disabled by the first of the pair, by the second */
    struct cell_net disabled, grant;
    struct cell_net set, next; /* behind the OR, into the flip-flop */
};

/* Of a tree of ORs that all have inputs like `in`. */
struct tree {
    struct cell_net out;
    double switched, leak;
};

static struct tree or_tree(const struct cell_set *set, struct cell_net in, uint32_t n, double load)
{
    if (n == 1)
        return (struct tree){.out = in};
    const struct cell *or2 = &set->cell[CELL_OR2];
    struct tree a = or_tree(set, in, n - n / 2, or2->data);
    struct tree b = n % 2 == 0 ? a : or_tree(set, in, n / 2, or2->data);
    struct cell_net out = cell_net_or(a.out, b.out);
    return (struct tree){out, a.switched + b.switched + cell_switched(or2, out, load),
                         a.leak + b.leak + cell_leak(set->tech, CELL_OR2, a.out.high, b.out.high)};
}

static struct tree disable_tree(const struct cell_set *set, const struct nets *w, uint32_t n)
{
    struct cell_net in = {(w->before.high + w->after.high) / 2,
                          (w->before.rise + w->after.rise) / 2};
    return or_tree(set, in, n - 1, set->cell[CELL_INV].data);
}

static struct nets arbitrate(const struct cell_set *set, struct cell_net order, uint32_t n)
{
    struct nets w = {.order = order};
    w.before = cell_net_and(cell_net_random, order);
    w.after = cell_net_and(cell_net_random, cell_net_not(order));
    w.disabled = disable_tree(set, &w, n).out;
    w.grant = cell_net_and(cell_net_random, cell_net_not(w.disabled));
    w.set = cell_net_or(order, w.grant);
    w.next = cell_net_and(w.set, cell_net_not(w.grant));
    return w;
}

/* F switched by the cells of one request, but for its tree. */
static double request_switched(const struct cell_set *set, const struct nets *w, uint32_t n)
{
    const struct cell *c = set->cell;
    double fan_out = (n - 1) * 0.5 * (c[CELL_INV].data + c[CELL_OR2].data); /* one side per pair */
    return cell_switched(&c[CELL_INV], w->disabled, c[CELL_AND2].data) +
           cell_switched(&c[CELL_AND2], w->grant, fan_out);
}

static double pair_switched(const struct cell_set *set, const struct nets *w, uint32_t n)
{
    const struct cell *c = set->cell;
    double and2 = c[CELL_AND2].data, inv = c[CELL_INV].data, or2 = c[CELL_OR2].data;
    double tree = n > 2 ? or2 : inv; /* with two requests there is no OR to drive */
    return cell_switched(&c[CELL_OR2], w->set, and2) +
           cell_switched(&c[CELL_AND2], w->next, c[CELL_DFF].data) +
           cell_switched(&c[CELL_INV], w->grant, and2) +
           cell_flop_switched(&c[CELL_DFF], w->next, w->next, or2 + and2 + inv, 1) +
           cell_switched(&c[CELL_AND2], w->before, tree) +
           cell_switched(&c[CELL_AND2], w->after, tree) +
           cell_switched(&c[CELL_INV], w->order, and2);
}

static double request_leak(const struct tech *t, const struct nets *w)
{
    return cell_leak(t, CELL_INV, w->disabled.high, 0) +
           cell_leak(t, CELL_AND2, cell_net_random.high, 1 - w->disabled.high);
}

static double pair_leak(const struct cell_set *set, const struct nets *w)
{
    const struct tech *t = set->tech;
    double request = cell_net_random.high;
    return set->cell[CELL_DFF].leak + cell_leak(t, CELL_OR2, w->order.high, w->grant.high) +
           cell_leak(t, CELL_AND2, w->set.high, 1 - w->grant.high) +
           cell_leak(t, CELL_INV, w->grant.high, 0) +
           cell_leak(t, CELL_AND2, request, w->order.high) +
           cell_leak(t, CELL_AND2, request, 1 - w->order.high) +
           cell_leak(t, CELL_INV, w->order.high, 0);
}

static double area(const struct cell_set *set, uint32_t n, double pairs)
{
    const struct cell *c = set->cell;
    double pair =
        c[CELL_DFF].area + 3 * c[CELL_AND2].area + c[CELL_OR2].area + 2 * c[CELL_INV].area;
    double request = c[CELL_INV].area + c[CELL_AND2].area + (n - 2) * c[CELL_OR2].area;
    return pairs * pair + n * request;
}

struct arbiter arbiter_of(const struct cell_set *set, uint32_t n)
{
    if (n < 2)
        return (struct arbiter){0};
    struct nets w = arbitrate(set, cell_net_still, n);
    for (int i = 1; i < ROUNDS; i++)
        w = arbitrate(set, w.next, n);
    double pairs = 0.5 * n * (n - 1), vdd = set->tech->vdd;
    struct tree tree = disable_tree(set, &w, n);
    double switched =
        n * (tree.switched + request_switched(set, &w, n)) + pairs * pair_switched(set, &w, n);
    return (struct arbiter){
        .area = area(set, n, pairs),
        .leak = n * (tree.leak + request_leak(set->tech, &w)) + pairs * pair_leak(set, &w),
        .energy = switched * vdd * vdd,
    };
}
