/* energy.c - the bills of energy models: counts times energies, by part, in all, by name.
 *
 * A part is the sum of its items and the total the sum of the parts, in this order, so that a stack
 * adds up to the last bit.  What the items are is the models' business (energy_models.def).  Not
 * here: temperature, voltage and clock changes during a run; power is an average over the view. */
#include "machine/energy.h"

#include <math.h>

#include "machine/energy_build.h"

_Static_assert((int)ENERGY_VALUE_other == (int)ENERGY_OTHER, "values begin with the parts");
_Static_assert(ENERGY_VALUE_noc_control - ENERGY_VALUE_noc_buffer ==
                   (int)ENERGY_CONTROL - (int)ENERGY_BUFFER,
               "then what networks spend it on");

const char *const energy_part_names[ENERGY_PARTS] = {
    [ENERGY_SM] = "sm", [ENERGY_L1] = "l1",     [ENERGY_NOC] = "noc",
    [ENERGY_L2] = "l2", [ENERGY_DRAM] = "dram", [ENERGY_OTHER] = "other",
};

static const struct {
    const char *name, *doc;
    bool (*add)(struct energy_builder *b, struct err *e);
} model_rows[ENERGY_MODELS] = {
#define MODEL(name, doc) {#name, doc, energy_##name##_add},
#include "machine/energy_models.def"
#undef MODEL
};

/* ---- building -------------------------------------------------------------------------------- */

const struct energy_models *energy_models_new(const struct config *cfg, const struct fabric *g,
                                              struct arena *a, struct err *e)
{
    struct energy_models *all = ARENA_NEW(a, struct energy_models);
    struct energy_model *models = ARENA_ARRAY(a, struct energy_model, ENERGY_MODELS);
    for (int i = 0; i < ENERGY_MODELS; i++) {
        struct energy_builder b = {.cfg = cfg, .graphs = g, .arena = a};
        if (!model_rows[i].add(&b, e))
            return NULL;
        models[i] = (struct energy_model){
            .name = model_rows[i].name, .doc = model_rows[i].doc, .nitems = b.n, .item = b.item};
    }
    *all = (struct energy_models){.n = ENERGY_MODELS, .model = models};
    return all;
}

/* ---- evaluating ------------------------------------------------------------------------------ */

void energy_of(const struct energy_model *m, const struct results_view *v, struct energy *out)
{
    *out = (struct energy){0};
    for (int i = 0; i < m->nitems; i++) {
        const struct energy_item *item = &m->item[i];
        double joules = item->each * item->count(v, item->context);
        out->part[item->part] += joules;
        out->network[item->network] += joules;
        out->fixed += item->is_static ? joules : 0;
    }
    for (int i = 0; i < ENERGY_PARTS; i++)
        out->total += out->part[i];
}

double energy_value(const struct results_view *v, int model, enum energy_value which)
{
    struct energy x;
    double seconds = results_seconds(v);
    if (!v->scale->energy)
        return NAN;
    energy_of(&v->scale->energy->model[model], v, &x);
    if ((int)which < ENERGY_PARTS)
        return x.part[which];
    if (which <= ENERGY_VALUE_noc_control) {
        double joules = x.network[which - ENERGY_VALUE_noc_buffer + ENERGY_BUFFER];
        return joules > 0 ? joules : NAN; /* this model does not tell */
    }
    if (which == ENERGY_VALUE_total)
        return x.total;
    if (which == ENERGY_VALUE_static)
        return x.fixed;
    if (which == ENERGY_VALUE_edp)
        return x.total * seconds;
    if (which == ENERGY_VALUE_power)
        return seconds > 0 ? x.total / seconds : NAN;
    return x.total > 0 ? results_get(v, "sm.thread_insns") / x.total : NAN;
}

/* ---- documents ------------------------------------------------------------------------------- */

static void member_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_string(j, text);
}

static void member_real(struct json *j, const char *key, double value)
{
    json_key(j, key);
    json_real(j, value);
}

static void item_json(const struct energy_item *item, const struct results_view *v, struct json *j)
{
    double count = item->count(v, item->context);
    json_open_object(j, true);
    member_text(j, "name", item->name);
    member_text(j, "part", energy_part_names[item->part]);
    member_real(j, "count", count);
    member_text(j, "unit", item->unit);
    member_real(j, "each_j", item->each);
    member_real(j, "joules", item->each * count);
    json_key(j, "static");
    json_bool(j, item->is_static);
    member_text(j, "counts", item->counts);
    member_text(j, "source", item->source);
    json_close_object(j);
}

static void model_json(const struct energy_model *m, const struct results_view *v, struct json *j)
{
    struct energy x;
    energy_of(m, v, &x);
    json_open_object(j, false);
    member_text(j, "doc", m->doc);
    member_real(j, "total_j", x.total);
    member_real(j, "static_j", x.fixed);
    json_key(j, "parts");
    json_open_object(j, true);
    for (int i = 0; i < ENERGY_PARTS; i++)
        member_real(j, energy_part_names[i], x.part[i]);
    json_close_object(j);
    json_key(j, "items");
    json_open_array(j, false);
    for (int i = 0; i < m->nitems; i++)
        item_json(&m->item[i], v, j);
    json_close_array(j);
    json_close_object(j);
}

void energy_bill_json(const struct energy_models *all, const struct results_view *v, struct json *j)
{
    json_open_object(j, false);
    for (int m = 0; m < all->n; m++) {
        json_key(j, all->model[m].name);
        model_json(&all->model[m], v, j);
    }
    json_close_object(j);
}
