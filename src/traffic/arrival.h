/* arrival.h - when a source wants to send next, and how much: drawn per packet, never per tick.
 *
 * Bernoulli: in each cycle with probability p, so the gap is geometric.  Bursty: a two-state
 * process with geometric bursts and pauses, Bernoulli within a burst at the rate that keeps the
 * mean load as asked for. */
#ifndef HEDDLE_TRAFFIC_ARRIVAL_H
#define HEDDLE_TRAFFIC_ARRIVAL_H

#include "sim/component.h"
#include "traffic/pattern.h"

struct arrival_model {
    double skip; /* 1 / log(1 - p); 0: every cycle */
    bool never;
    bool bursty;
    double on, off; /* likewise for the end of a burst and of a pause */
    double mean_size;
    uint32_t nsizes;
    const uint16_t *size;
    const uint64_t *size_cumulative;
};

/* One source's place in its process. */
struct arrival {
    uint64_t key;
    uint64_t draws;
    hd_cycle next; /* HD_NEVER: no more */
    hd_cycle burst_end;
    uint32_t serial;
};

/* The highest load that the process can offer, with `mean_flits` as below. */
double arrival_max_rate(const struct config *cfg, double mean_flits);

/* `mean_flits`: flits that one packet of the process stands for (its own size, or with its
 * answer); refuses a load that the process cannot reach. */
bool arrival_model_init(struct arrival_model *m, const struct config *cfg, double rate,
                        double mean_flits, struct arena *a, struct err *e);
void arrival_start(struct arrival *s, const struct arrival_model *m, uint64_t key);
/* Draws the time after `next`. */
void arrival_advance(struct arrival *s, const struct arrival_model *m);
/* The source stood still for so long. */
static inline void arrival_delay(struct arrival *s, hd_cycle cycles)
{
    s->next += cycles;
    s->burst_end += cycles;
}
/* A size, by a draw of its own made from `key`. */
uint16_t arrival_size(const struct arrival_model *m, uint64_t key);

#endif
