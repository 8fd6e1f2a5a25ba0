/* study_page_head.c - the top of the page: when, by what and from how many runs it was made, and
 * what a reader must know before believing it. */
#include <math.h>
#include <string.h>

#include "report/study_page_priv.h"
#include "study/pool.h"

static void fact(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    study_page_cell(out, "", text, "</dd></div>\n");
}

/* "4 min 12 s" */
static const char *duration(struct arena *a, double s)
{
    unsigned long long n = (unsigned long long)llround(s);
    if (s < 1)
        return "less than a second";
    if (n < 60)
        return arena_printf(a, "%llu s", n);
    if (n < 3600)
        return arena_printf(a, "%llu min %llu s", n / 60, n % 60);
    return arena_printf(a, "%llu h %llu min", n / 3600, n % 3600 / 60);
}

void study_page_facts(FILE *out, const struct study_result *r, struct arena *a)
{
    const struct verdict_origin *o = &r->origin;
    fputs("<dl class=\"facts\">\n", out);
    fact(out, "Made", o->made);
    fact(out, "By", arena_printf(a, "heddle %s", o->version ? o->version : r->version));
    if (o->runs) {
        fact(out, "Runs",
             o->done == o->runs ? arena_printf(a, "%u", o->runs)
                                : arena_printf(a, "%u of %u", o->done, o->runs));
        fact(out, "Wall time of all runs", duration(a, o->wall_s));
        fact(out, "Last run", o->ran ? o->ran : "not recorded");
        fact(out, "Host", o->host ? o->host : "not recorded");
    }
    fputs("</dl>\n", out);
}

/* --- notices --------------------------------------------------------------------------------- */

/* The command without --quick. */
static const char *full_command(struct arena *a, const struct study_result *r)
{
    static const char word[] = " --quick";
    const char *at = r->command ? strstr(r->command, word) : NULL;
    if (!at)
        return arena_printf(a, "heddle study %s", r->study->name);
    return arena_printf(a, "%.*s%s", (int)(at - r->command), r->command, at + sizeof word - 1);
}

/* Of figures that are small forms of other studies, those. */
static uint32_t full_studies(FILE *out, const struct study *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nfigures; i++)
        if (study_is_small_form(&s->figures[i]))
            study_page_cell(out, n++ ? ", <code>heddle study " : "<code>heddle study ",
                            s->figures[i].full, "</code>");
    return n;
}

static void quick_notice(FILE *out, const struct study_result *r, struct arena *a)
{
    const struct study *s = r->study;
    fputs("<aside class=\"notice quick\" role=\"note\">\n<strong>Quick run: a first look, not the "
          "study.</strong>\n<p>",
          out);
    if (s->part && *s->part)
        study_page_cell(out, "It has ", s->part, ". ");
    fputs("Everything below is provisional: what agrees with a paper here need not do so at full "
          "size, nor the other way round. Only full studies decide: ",
          out);
    if (!full_studies(out, s))
        study_page_cell(out, "<code>", full_command(a, r), "</code>");
    fputs("</p>\n</aside>\n", out);
}

static void part_notice(FILE *out, const struct study *s)
{
    fputs("<aside class=\"notice\" role=\"note\">\n<strong>A part of the study.</strong>\n", out);
    study_page_cell(out, "<p>It has ", s->part,
                    "; means are over the workloads that are there, and what speaks of others is "
                    "left out.</p>\n</aside>\n");
}

static void missing_notice(FILE *out, const struct study_result *r)
{
    const struct verdict_origin *o = &r->origin;
    uint32_t missing = o->runs - o->done;
    fprintf(out,
            "<aside class=\"notice\" role=\"note\">\n<strong>%u of %u runs %s missing.</strong>\n"
            "<p>What needs them has no data, and means are over the others.",
            missing, o->runs, missing == 1 ? "is" : "are");
    if (r->nfailures)
        fprintf(out, " %u failed: <a href=\"#failures\">why</a>.", r->nfailures);
    fputs("</p>\n</aside>\n", out);
}

static void others_notice(FILE *out, const char *others)
{
    fputs("<aside class=\"notice\" role=\"note\">\n<strong>Runs of other versions.</strong>\n",
          out);
    study_page_cell(out, "<p>The model has changed since some runs were done (", others,
                    "): this one may give other numbers.</p>\n</aside>\n");
}

void study_page_notices(FILE *out, const struct study_result *r, struct arena *a)
{
    const struct study *s = r->study;
    if (s->is_quick)
        quick_notice(out, r, a);
    else if (s->part && *s->part)
        part_notice(out, s);
    if (r->origin.done < r->origin.runs)
        missing_notice(out, r);
    if (r->origin.others)
        others_notice(out, r->origin.others);
}
