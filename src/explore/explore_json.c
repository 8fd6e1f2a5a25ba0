/* explore_json.c - an exploration for programs: the report's page reads the same. */
#include <math.h>

#include "explore/explore_out.h"

const char *explore_command(struct arena *a, const struct explore_point *p)
{
    const char *text = arena_printf(a, "-m %s", p->variant->machine);
    for (uint32_t i = 0; i < p->variant->nsets; i++)
        text = arena_printf(a, "%s --set %s", text, p->variant->sets[i]);
    return text;
}

static void text(struct json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void real(struct json *j, const char *key, double value)
{
    json_key(j, key);
    json_real(j, value);
}

static void count(struct json *j, const char *key, uint32_t value)
{
    json_key(j, key);
    json_uint(j, value);
}

/* ---- what was asked ------------------------------------------------------------------------- */

static void write_axes(const struct exploration *x, struct json *j)
{
    json_key(j, "axes");
    json_open_array(j, false);
    for (uint32_t i = 0; i < x->axes.n; i++) {
        const struct study_axis *axis = &x->axes.all[i];
        json_open_object(j, true);
        text(j, "name", axis->key);
        json_key(j, "choices");
        json_open_array(j, true);
        for (uint32_t k = 0; k < axis->n; k++)
            json_string(j, axis->values[k].name);
        json_close_array(j);
        text(j, "baseline", axis->values[x->start[i]].name);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_values(const struct exploration *x, struct json *j)
{
    json_key(j, "values");
    json_open_array(j, false);
    for (uint32_t i = 0; i < x->nvalues; i++) {
        const struct explore_value *v = &x->values[i];
        json_open_object(j, true);
        text(j, "name", v->name);
        text(j, "doc", v->doc);
        text(j, "unit", v->unit);
        text(j, "goal", !v->is_objective ? "" : v->wants_most ? "most" : "least");
        text(j, "over", explore_over_name[v->over]);
        real(j, "at_least", v->at_least);
        real(j, "at_most", v->at_most);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_search(const struct explore_result *r, struct json *j)
{
    const struct exploration *x = r->x;
    json_key(j, "methods");
    json_open_array(j, true);
    for (uint32_t i = 0; i < x->nmethods; i++)
        json_string(j, x->methods[i]->name);
    json_close_array(j);
    json_key(j, "sizes");
    json_open_array(j, true);
    for (uint32_t i = 0; i < x->nsizes; i++)
        json_string(j, x->sizes[i]);
    json_close_array(j);
    json_key(j, "budget");
    json_open_object(j, true);
    real(j, "runs", x->most_runs == UINT64_MAX ? NAN : (double)x->most_runs);
    real(j, "hours", x->most_hours);
    json_close_object(j);
    count(j, "runs", r->runs);
    real(j, "wall_s", r->wall_s);
    json_key(j, "is_spent");
    json_bool(j, r->is_spent);
}

static void write_classes(const struct explore_result *r, struct json *j)
{
    const struct explore_classes *c = &r->x->classes;
    if (!c->n)
        return;
    json_key(j, "classes");
    json_open_object(j, false);
    for (uint32_t i = 0; i < r->nrows; i++) {
        json_key(j, r->x->study->workloads[i].name);
        json_open_object(j, true);
        text(j, "class", c->names[r->class_of[i]]);
        for (uint32_t k = 0; k < c->n; k++)
            real(j, c->names[k], r->gains[i * c->n + k]);
        json_close_object(j);
    }
    json_close_object(j);
}

/* ---- what was found ------------------------------------------------------------------------- */

static bool is_on_front(const struct explore_result *r, uint32_t point)
{
    return study_place(r->front, r->nfront, point) >= 0;
}

static void write_point(const struct explore_result *r, uint32_t i, struct arena *a, struct json *j)
{
    const struct exploration *x = r->x;
    const struct explore_point *p = &r->points[i];
    json_open_object(j, true);
    text(j, "label", p->label);
    json_key(j, "choices");
    json_open_object(j, true);
    for (uint32_t k = 0; k < x->axes.n; k++)
        text(j, x->axes.all[k].key,
             p->values[k] == UINT32_MAX ? "" : x->axes.all[k].values[p->values[k]].name);
    json_close_object(j);
    text(j, "size", x->sizes[p->fidelity]);
    json_key(j, "values");
    json_open_object(j, true);
    for (uint32_t k = 0; k < x->nvalues; k++)
        real(j, x->values[k].name, p->value[k]);
    json_close_object(j);
    real(j, "violation", p->violation);
    text(j, "why", p->why ? p->why : "");
    count(j, "runs", p->runs);
    json_key(j, "front");
    json_bool(j, is_on_front(r, i));
    text(j, "command", explore_command(a, p));
    json_close_object(j);
}

static void write_growth(const struct explore_result *r, struct json *j)
{
    const struct explore_growth *g = r->growth;
    json_key(j, "growth");
    json_open_array(j, false);
    for (uint32_t i = 0; i < r->npoints; i++) {
        json_open_object(j, true);
        count(j, "runs", g[i].runs);
        count(j, "front", g[i].front);
        real(j, "volume", g[i].volume);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_interval(const struct explore_interval *x, struct json *j)
{
    json_open_object(j, true);
    count(j, "n", x->n);
    real(j, "mean", x->mean);
    real(j, "low", x->low);
    real(j, "high", x->high);
    json_close_object(j);
}

static void write_effect(const struct explore_result *r, const struct explore_effect *x,
                         struct arena *a, struct json *j)
{
    static const char *const kinds[] = {"alone", "pair", "given"};
    const struct explore_classes *c = &r->x->classes;
    json_open_object(j, true);
    text(j, "kind", kinds[x->kind]);
    text(j, "name", explore_effect_name(a, r, x));
    json_key(j, "all");
    write_interval(&x->all, j);
    json_key(j, "classes");
    json_open_object(j, true);
    for (uint32_t i = 0; x->by_class && i <= c->n; i++) {
        json_key(j, c->names[i]);
        write_interval(&x->by_class[i], j);
    }
    json_close_object(j);
    json_key(j, "workloads");
    json_open_object(j, true);
    for (uint32_t i = 0; i < r->nrows; i++)
        if (!isnan(x->ratios[i]))
            real(j, r->x->study->workloads[i].name, x->ratios[i]);
    json_close_object(j);
    json_close_object(j);
}

static void write_effects(const struct explore_result *r, struct arena *a, struct json *j)
{
    json_key(j, "effects");
    json_open_object(j, false);
    for (uint32_t v = 0; v < r->x->nobjectives; v++) {
        const struct explore_effect *all;
        uint32_t n = explore_has_effects(r, v) ? explore_effects(a, r, v, &all) : 0;
        if (!n)
            continue;
        json_key(j, r->x->values[v].name);
        json_open_array(j, false);
        for (uint32_t i = 0; i < n; i++)
            write_effect(r, &all[i], a, j);
        json_close_array(j);
    }
    json_close_object(j);
}

void explore_json(const struct explore_result *r, struct arena *a, struct json *j)
{
    text(j, "machine", r->x->machine);
    write_axes(r->x, j);
    write_values(r->x, j);
    write_search(r, j);
    write_classes(r, j);
    json_key(j, "points");
    json_open_array(j, false);
    for (uint32_t i = 0; i < r->npoints; i++)
        write_point(r, i, a, j);
    json_close_array(j);
    json_key(j, "front");
    json_open_array(j, true);
    for (uint32_t i = 0; i < r->nfront; i++)
        json_uint(j, r->front[i]);
    json_close_array(j);
    write_growth(r, j);
    write_effects(r, a, j);
}
