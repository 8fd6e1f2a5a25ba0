/* study_page_runs.c - what was run: failed runs, the variants with their configurations, workloads.
 * Only what the figures at hand ask for is listed. */
#include <string.h>

#include "report/study_page_priv.h"
#include "study/pool.h"

void study_page_failures(FILE *out, const struct study_result *r)
{
    if (r->nfailures == 0)
        return;
    fputs("<section id=\"failures\">\n<h2>Failed runs</h2>\n<div class=\"scroll\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"Failed runs\">\n<table class=\"wide\"><caption "
          "class=\"unseen\">Runs that gave no result</caption>\n<thead><tr><th "
          "scope=\"col\">Run</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
          out);
    for (uint32_t i = 0; i < r->nfailures; i++) {
        study_page_cell(out, "<tr><th scope=\"row\"><code>", r->failures[i].label, "</code></th>");
        study_page_cell(out, "<td>", r->failures[i].why, "</td></tr>\n");
    }
    fputs("</tbody></table></div></section>\n", out);
}

/* --- what was asked for ---------------------------------------------------------------------- */

static uint32_t job_of(const struct study_result *r, uint32_t variant, uint32_t workload)
{
    return r->plan->of[variant * r->study->nworkloads + workload];
}

/* Any run of a variant has its configuration. */
static const struct config *config_of(const struct study_result *r, uint32_t variant)
{
    for (uint32_t w = 0; w < r->study->nworkloads; w++)
        if (job_of(r, variant, w) != UINT32_MAX)
            return r->plan->jobs[job_of(r, variant, w)].config;
    return NULL;
}

static bool holds(const uint32_t *list, uint32_t n, uint32_t index)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == index)
            return true;
    return false;
}

/* As a column or as the baseline of one. */
static bool figure_needs(const struct study *s, const struct study_figure *f, uint32_t variant)
{
    for (uint32_t i = 0; i < f->nvariants; i++)
        if (study_baseline(s, f, f->variants[i]) == (int32_t)variant)
            return true;
    return holds(f->variants, f->nvariants, variant);
}

static bool is_variant_run(const struct study_result *r, uint32_t variant)
{
    const struct study *s = r->study;
    for (uint32_t i = 0; i < s->nfigures; i++)
        if (figure_needs(s, &s->figures[i], variant))
            return true;
    return false;
}

static bool is_workload_run(const struct study_result *r, uint32_t workload)
{
    for (uint32_t i = 0; i < r->study->nfigures; i++)
        if (holds(r->study->figures[i].workloads, r->study->figures[i].nworkloads, workload))
            return true;
    return false;
}

/* --- variants -------------------------------------------------------------------------------- */

static size_t key_length(const char *set)
{
    return strcspn(set, "=");
}

/* A later setting of the same key is the one that counts. */
static bool is_overridden(const struct study_variant *v, uint32_t i)
{
    for (uint32_t k = i + 1; k < v->nsets; k++)
        if (key_length(v->sets[k]) == key_length(v->sets[i]) &&
            strncmp(v->sets[k], v->sets[i], key_length(v->sets[i])) == 0)
            return true;
    return false;
}

static bool has_set(const struct study_variant *v, const char *set)
{
    for (uint32_t i = 0; i < v->nsets; i++)
        if (strcmp(v->sets[i], set) == 0 && !is_overridden(v, i))
            return true;
    return false;
}

/* What all of several variants set is said once. */
static bool is_common(const struct study_result *r, const char *set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->study->nvariants; i++) {
        if (!is_variant_run(r, i))
            continue;
        if (!has_set(&r->study->variants[i], set))
            return false;
        n++;
    }
    return n > 1;
}

/* Returns how many there are of the kind asked for. */
static uint32_t write_sets(FILE *out, const struct study_result *r, const struct study_variant *v,
                           bool common)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->nsets; i++)
        if (!is_overridden(v, i) && is_common(r, v->sets[i]) == common)
            study_page_cell(out, n++ ? ", <code>" : "<code>", v->sets[i], "</code>");
    return n;
}

static void write_common(FILE *out, const struct study_result *r)
{
    uint32_t first = 0;
    while (first + 1 < r->study->nvariants && !is_variant_run(r, first))
        first++;
    const struct study_variant *v = &r->study->variants[first];
    for (uint32_t i = 0; i < v->nsets; i++)
        if (is_common(r, v->sets[i])) {
            fputs("<p>All variants have ", out);
            write_sets(out, r, v, true);
            fputs(".</p>\n", out);
            return;
        }
}

static void write_variant(FILE *out, const struct study_result *r, const struct study_variant *v)
{
    study_page_cell(out, "<tr><th scope=\"row\"><code>", v->name, "</code>");
    if (v->doc && *v->doc)
        study_page_cell(out, "<small class=\"note\">", v->doc, "</small>");
    study_page_cell(out, "</th><td><code>", v->machine, "</code></td><td>");
    fputs(write_sets(out, r, v, false) ? "</td></tr>\n" : "none</td></tr>\n", out);
}

static bool is_first_of_machine(const struct study_result *r, uint32_t variant)
{
    const struct study_variant *v = r->study->variants;
    if (!config_of(r, variant))
        return false;
    for (uint32_t i = 0; i < variant; i++)
        if (strcmp(v[i].machine, v[variant].machine) == 0 && config_of(r, i))
            return false;
    return true;
}

/* Every parameter; those of the machine's other variants differ by their changes. */
static void write_parameters(FILE *out, const struct study_result *r, uint32_t variant)
{
    const struct study_variant *v = &r->study->variants[variant];
    struct arena *a = arena_new();
    char *rest = NULL, *text = config_echo_text(config_of(r, variant), a);
    study_page_cell(out, "<details class=\"parameters\"><summary>Every parameter of <code>",
                    v->machine, "</code> as ");
    study_page_cell(out, "<code>", v->name, "</code></summary>\n<pre tabindex=\"0\"><code>");
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        study_page_cell(out, "", line, "\n");
    fputs("</code></pre></details>\n", out);
    arena_free(a);
}

void study_page_variants(FILE *out, const struct study_result *r)
{
    write_common(out, r);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Variants\">\n<table "
          "class=\"wide variants\"><caption class=\"unseen\">Variants</caption>\n<thead><tr><th "
          "scope=\"col\">Variant</th><th scope=\"col\">Machine</th><th scope=\"col\">Changes to "
          "it</th></tr></thead>\n<tbody>\n",
          out);
    for (uint32_t i = 0; i < r->study->nvariants; i++)
        if (is_variant_run(r, i))
            write_variant(out, r, &r->study->variants[i]);
    fputs("</tbody></table></div>\n", out);
    for (uint32_t i = 0; r->plan && i < r->study->nvariants; i++)
        if (is_first_of_machine(r, i))
            write_parameters(out, r, i);
}

void study_page_workloads(FILE *out, const struct study_result *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->study->nworkloads; i++) {
        const struct study_workload *w = &r->study->workloads[i];
        if (!is_workload_run(r, i))
            continue;
        study_page_cell(out, n++ ? ", <code>" : "<code>", w->name, *w->size ? "@" : "");
        study_page_cell(out, "", w->size, "</code>");
        for (uint32_t k = 0; k < w->nsets; k++)
            study_page_cell(out, k > 0 ? ", <code>" : " (<code>", w->sets[k], "</code>");
        fputs(w->nsets ? ")" : "", out);
    }
}
