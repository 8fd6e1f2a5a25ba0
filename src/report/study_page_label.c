/* study_page_label.c - names for people.  A `doc` may be a line long; what stands before its first
 * comma, semicolon, colon or bracket is usually the thing itself. */
#include "report/study_page_label.h"

#include <ctype.h>
#include <string.h>

static bool is_inside_letter(char c) /* of UTF-8 */
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t letters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += !is_inside_letter(*text);
    return n;
}

const char *label_cut(struct arena *a, const char *text, size_t most)
{
    size_t at = 0, n = 0;
    if (letters(text) <= most)
        return text;
    while (n < most - 1 || is_inside_letter(text[at]))
        n += !is_inside_letter(text[++at]);
    size_t word = at;
    while (word > 0 && text[word] != ' ')
        word--;
    at = word > at / 2 ? word : at; /* a long last word is cut in two */
    return arena_printf(a, "%.*s\u2026", (int)at, text);
}

/* Up to the first mark that is followed by a blank, or to a bracket that follows one. */
static const char *head_of(struct arena *a, const char *text)
{
    for (size_t i = 1; text[i]; i++) {
        bool ends = strchr(",;:", text[i]) && text[i + 1] == ' ';
        if (ends || (text[i] == ' ' && text[i + 1] == '('))
            return arena_printf(a, "%.*s", (int)i, text);
    }
    return text;
}

static const char *by_doc(struct arena *a, const char *doc, const char *name)
{
    if (!doc || !*doc)
        return name;
    if (letters(doc) <= LABEL_MOST)
        return doc;
    return label_cut(a, head_of(a, doc), LABEL_MOST);
}

const char *label_coordinate(struct arena *a, const struct study_coordinate *c)
{
    const char *dot = strrchr(c->axis, '.');
    bool is_bare = strcmp(c->value, "true") == 0 || strcmp(c->value, "false") == 0 ||
                   !c->value[strspn(c->value, "0123456789.-")];
    return is_bare ? arena_printf(a, "%s %s", dot ? dot + 1 : c->axis, c->value) : c->value;
}

/* Of a sweep over several axes the settings would be too long. */
static const char *by_coordinates(struct arena *a, const struct study_variant *v)
{
    const char *text = "";
    for (uint32_t i = 0; i < v->ncoordinates; i++)
        text =
            arena_printf(a, "%s%s%s", text, i ? ", " : "", label_coordinate(a, &v->coordinates[i]));
    return label_cut(a, text, LABEL_MOST);
}

const char *label_variant(struct arena *a, const struct study_variant *v)
{
    if (v->ncoordinates > 1)
        return by_coordinates(a, v);
    return by_doc(a, v->doc, v->name);
}

const char *label_metric(struct arena *a, const struct study_metric *m)
{
    return strcmp(m->label, m->name) != 0 ? m->label : by_doc(a, m->doc, m->name);
}

/* Whether `label`, of the variant `me`, could be taken for another's: it is the same, or what was
 * left out is what tells them apart. */
static bool is_ambiguous(struct arena *a, const char *label, const struct study_variant *me,
                         const struct study_variant *other)
{
    HD_ASSERT(label, "variant %s has no label", me->name);
    bool is_part = label != me->doc && label != me->name;
    return strcmp(label_variant(a, other), label) == 0 ||
           (is_part && other->doc && strncmp(other->doc, label, strlen(label)) == 0);
}

const char *label_column(struct arena *a, const struct study *s, const struct study_figure *f,
                         uint32_t column)
{
    const struct study_variant *me = &s->variants[f->variants[column]];
    const char *label = label_variant(a, me);
    for (uint32_t i = 0; i < f->nvariants; i++)
        if (i != column && is_ambiguous(a, label, me, &s->variants[f->variants[i]]))
            return me->name;
    return label;
}

const char *label_workload(struct arena *a, const struct study *s, uint32_t workload)
{
    const struct study_workload *me = &s->workloads[workload];
    for (uint32_t i = 0; i < s->nworkloads; i++)
        if (i != workload && strcmp(s->workloads[i].name, me->name) == 0)
            return study_row_text(a, me);
    return me->name;
}

const char *label_source(struct arena *a, const struct study_figure *f, const char *source)
{
    const char *end = source && f->model && *f->model ? strstr(source, "; judged by ") : NULL;
    return end ? arena_printf(a, "%.*s", (int)(end - source), source) : source ? source : "";
}

const char *label_sentence(struct arena *a, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    if (n == 0)
        return "";
    char *out = arena_printf(a, "%s%s", text, strchr(".!?", text[n - 1]) ? "" : ".");
    if (!isupper((unsigned char)out[1])) /* else an abbreviation */
        out[0] = (char)toupper((unsigned char)out[0]);
    return out;
}

bool label_are_numbered(const char *const *names, uint32_t n)
{
    size_t before = n > 0 ? strcspn(names[0], "0123456789") : 0;
    const char *after = n > 0 ? names[0] + before + strspn(names[0] + before, "0123456789.") : "";
    for (uint32_t i = 0; i < n; i++) {
        const char *digits = names[i] + before;
        if (strncmp(names[i], names[0], before) != 0 || !isdigit((unsigned char)*digits) ||
            strcmp(digits + strspn(digits, "0123456789."), after) != 0)
            return false;
    }
    return n > 1;
}
