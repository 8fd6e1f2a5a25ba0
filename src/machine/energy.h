/* energy.h - joules of a run: events of the statistics tree times energy per event, plus static
 * power times time.
 *
 * Two models, never mixed in one stack.  `gpuwattch40`: the papers' method, effective energies of
 * a GTX480 at 40 nm (GPUWattch).  `structural`: the models of src/power at one node.  A model is a
 * row of energy_models.def and what it adds to a bill (energy_build.h); docs/model/energy.md says
 * where every number comes from.
 *
 * What comes of it has names like other derived statistics (results.h): "energy.structural.noc". */
#ifndef HEDDLE_MACHINE_ENERGY_H
#define HEDDLE_MACHINE_ENERGY_H

#include "fabric/fabric.h"
#include "machine/results.h"

enum energy_part {
    ENERGY_SM,
    ENERGY_L1, /* with constant and texture caches and shared memory */
    ENERGY_NOC,
    ENERGY_L2,
    ENERGY_DRAM, /* with memory controllers */
    ENERGY_OTHER,
    ENERGY_PARTS
};
extern const char *const energy_part_names[ENERGY_PARTS]; /* "sm", "l1", ... */

/* What a line of the networks is for, where a model can tell. */
enum energy_network {
    ENERGY_UNKNOWN,
    ENERGY_BUFFER,
    ENERGY_CROSSBAR,
    ENERGY_LINK,
    ENERGY_CONTROL, /* allocators and clocks */
    ENERGY_NETWORKS
};

/* One line of a bill: `count` times `each` joules.  Static power: seconds times watts. */
struct energy_item {
    const char *name; /* "l1_read_hit" */
    enum energy_part part;
    enum energy_network network;
    const char *unit;   /* of the count: "access", "flit", "s" */
    const char *counts; /* statistics that make the count, for people */
    const char *source; /* of the energy */
    double each;        /* J per count; W for seconds */
    double (*count)(const struct results_view *v, const void *context);
    const void *context;
    bool is_static;
};

struct energy_model {
    const char *name, *doc;
    int nitems;
    const struct energy_item *item;
};

enum {
#define MODEL(name, doc) ENERGY_MODEL_##name,
#include "machine/energy_models.def"
#undef MODEL
    ENERGY_MODELS
};

/* All models of a machine, in the order of energy_models.def. */
struct energy_models {
    int n;
    const struct energy_model *model;
};
/* NULL with *e set when a part cannot be priced. */
const struct energy_models *energy_models_new(const struct config *cfg, const struct fabric *g,
                                              struct arena *a, struct err *e);

struct energy {
    double part[ENERGY_PARTS];       /* J */
    double network[ENERGY_NETWORKS]; /* J of the networks, by what it is for */
    double fixed;                    /* J of these that are static */
    double total;                    /* sum over parts */
};
void energy_of(const struct energy_model *m, const struct results_view *v, struct energy *out);

/* What results_rows has of each model: V(model, name, unit, help).  First the parts, in order. */
#define ENERGY_VALUE_ROWS(V, model)                                                                \
    V(model, sm, "J", "SMs: fetch, issue, registers, arithmetic")                                  \
    V(model, l1, "J", "L1, constant and texture caches, shared memory")                            \
    V(model, noc, "J", "networks")                                                                 \
    V(model, l2, "J", "L2")                                                                        \
    V(model, dram, "J", "memory controllers and DRAM")                                             \
    V(model, other, "J", "intra-cluster coalescing, constant power")                               \
    V(model, noc_buffer, "J", "of the networks: buffers")                                          \
    V(model, noc_crossbar, "J", "... crossbars")                                                   \
    V(model, noc_link, "J", "... links")                                                           \
    V(model, noc_control, "J", "... allocators and clocks")                                        \
    V(model, total, "J", "sum of the parts")                                                       \
    V(model, static, "J", "of the total, what time alone costs")                                   \
    V(model, edp, "J s", "energy-delay product")                                                   \
    V(model, power, "W", "average power")                                                          \
    V(model, insns_per_joule, "instruction/J",                                                     \
      "thread instructions per joule: performance per watt")

enum energy_value {
#define V(model, name, unit, help) ENERGY_VALUE_##name,
    ENERGY_VALUE_ROWS(V, )
#undef V
        ENERGY_VALUES
};
/* Of a model by its number; NaN when the view's scale has no energy models. */
double energy_value(const struct results_view *v, int model, enum energy_value which);

/* One object, the bill: {model: {"total_j", "static_j", "parts": {}, "items": [...]}}. */
void energy_bill_json(const struct energy_models *all, const struct results_view *v,
                      struct json *j);

#endif
