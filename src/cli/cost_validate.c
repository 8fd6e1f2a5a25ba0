/* cost_validate.c - the errors of the power models for people, as JSON and as CSV. */
#include "cli/cost_validate.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "power/validate.h"

struct result {
    const char *folder;
    const struct validate_row *row;
    int n;
};

static const char *percent(struct arena *a, double v)
{
    return isfinite(v) ? arena_printf(a, "%.1f", 100 * v) : "inf";
}

/* Where the errors are too small to be shown, the worst of them is no news. */
static const char *where(const struct validate_row *r)
{
    return r->worst < 0.0005 ? "-" : r->worst_at;
}

static const char *verdict(const struct validate_row *r)
{
    if (r->limit_worst <= 0)
        return "shown";
    return validate_is_ok(r) ? "ok" : "EXCEEDED";
}

static bool is_shown(const struct validate_row *r, const char *group)
{
    return !r->node && !r->remark && strcmp(r->group, group) == 0;
}

/* One table per group: names of quantities and of points differ in length from group to group. */
static void print_group(const struct result *v, const char *group, struct arena *a)
{
    const char *const heads[] = {
        arena_printf(a, "<%s", group), "rows", "median", "p90", "worst", "<", "<worst at"};
    struct table *t = table_new(a, heads, 7);
    for (int i = 0; i < v->n; i++) {
        const struct validate_row *r = &v->row[i];
        if (!is_shown(r, group))
            continue;
        table_cell(t, "%s", r->quantity);
        table_cell(t, "%u", r->n);
        table_cell(t, "%s", percent(a, r->median));
        table_cell(t, "%s", percent(a, r->p90));
        table_cell(t, "%s", percent(a, r->worst));
        table_cell(t, "%s", verdict(r));
        table_cell(t, "%s", where(r));
    }
    putchar('\n');
    table_print(t, stdout);
}

static void print_all(const struct result *v, struct arena *a)
{
    const char *last = "";
    for (int i = 0; i < v->n; i++) {
        const char *group = v->row[i].group;
        if (!is_shown(&v->row[i], group) || strcmp(group, last) == 0)
            continue;
        print_group(v, group, a);
        last = group;
    }
}

/* The largest of the medians and of the worst errors that a group has at a node. */
struct extreme {
    const struct validate_row *median, *worst;
};

static struct extreme extreme_of(const struct result *v, int from)
{
    struct extreme x = {&v->row[from], &v->row[from]};
    for (int i = from; i < v->n; i++) {
        const struct validate_row *r = &v->row[i];
        if (r->node != v->row[from].node || strcmp(r->group, v->row[from].group) != 0)
            continue;
        x.median = r->median > x.median->median ? r : x.median;
        x.worst = r->worst > x.worst->worst ? r : x.worst;
    }
    return x;
}

static void print_by_node(const struct result *v, struct arena *a)
{
    static const char *const heads[] = {"<group", "nm", "highest median", "<of", "worst", "<of"};
    struct table *t = table_new(a, heads, 6);
    for (int i = 0; i < v->n; i++) {
        const struct validate_row *r = &v->row[i];
        bool is_first =
            i > 0 && r->node && (r[-1].node != r->node || strcmp(r[-1].group, r->group) != 0);
        if (!is_first)
            continue;
        struct extreme x = extreme_of(v, i);
        table_cell(t, "%s", r->group);
        table_cell(t, "%u", r->node);
        table_cell(t, "%s", percent(a, x.median->median));
        table_cell(t, "%s", x.median->quantity);
        table_cell(t, "%s", percent(a, x.worst->worst));
        table_cell(t, "%s", x.worst->quantity);
    }
    fputs("\nBy node, % (all quantities: --json)\n\n", stdout);
    table_print(t, stdout);
}

static void print(const struct result *v, struct arena *a)
{
    printf("Errors of the power models against %s\n", v->folder);
    printf("|model / reference - 1| in %%; ok: median up to %.0f, worst up to %.0f; shown: no "
           "limits\n",
           100 * VALIDATE_LIMIT_MEDIAN, 100 * VALIDATE_LIMIT_WORST);
    print_all(v, a);
    print_by_node(v, a);
    bool is_first = true;
    for (int i = 0; i < v->n; i++) {
        if (!v->row[i].remark)
            continue;
        printf("%s%s: %s\n", is_first ? "\n" : "", v->row[i].group, v->row[i].remark);
        is_first = false;
    }
}

static void json_member(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void json_text(struct json *j, const char *key, const char *v)
{
    json_key(j, key);
    json_string(j, v);
}

static void write_row(struct json *j, const struct validate_row *r)
{
    json_open_object(j, true);
    json_text(j, "group", r->group);
    json_text(j, "quantity", r->quantity);
    if (r->node) {
        json_key(j, "node");
        json_uint(j, r->node);
    }
    json_key(j, "rows");
    json_uint(j, r->n);
    json_member(j, "median", r->median);
    json_member(j, "p90", r->p90);
    json_member(j, "worst", r->worst);
    json_text(j, "worst_at", r->worst_at);
    if (r->limit_worst > 0) {
        json_member(j, "limit_median", r->limit_median);
        json_member(j, "limit_worst", r->limit_worst);
        json_key(j, "ok");
        json_bool(j, validate_is_ok(r));
    }
    json_close_object(j);
}

static void write_rows(struct json *j, const char *key, const struct result *v, bool by_node)
{
    json_key(j, key);
    json_open_array(j, false);
    for (int i = 0; i < v->n; i++)
        if (!v->row[i].remark && (v->row[i].node != 0) == by_node)
            write_row(j, &v->row[i]);
    json_close_array(j);
}

static int exceeded(const struct result *v)
{
    int n = 0;
    for (int i = 0; i < v->n; i++)
        n += !validate_is_ok(&v->row[i]);
    return n;
}

static bool write_json(const struct result *v, const char *path, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    json_text(&j, "reference", v->folder);
    json_key(&j, "ok");
    json_bool(&j, exceeded(v) == 0);
    write_rows(&j, "rows", v, false);
    write_rows(&j, "by_node", v, true);
    json_key(&j, "remarks");
    json_open_array(&j, false);
    for (int i = 0; i < v->n; i++) {
        if (!v->row[i].remark)
            continue;
        json_open_object(&j, true);
        json_text(&j, "group", v->row[i].group);
        json_text(&j, "remark", v->row[i].remark);
        json_close_object(&j);
    }
    json_close_array(&j);
    return outfile_commit_json(&out, &j, e);
}

/* A name out of a user's file may have commas and quotes in it. */
static void csv_quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', f);
        fputc(*s, f);
    }
    fputc('"', f);
}

static void csv_number(FILE *f, double v)
{
    char buf[STR_REAL_N];
    fprintf(f, ",%s", str_from_real(buf, v));
}

static bool write_csv(const struct result *v, const char *path, struct err *e)
{
    struct outfile out;
    if (!outfile_open_csv(&out, path, e))
        return false;
    fputs("group,quantity,node,rows,median,p90,worst,limit_median,limit_worst,verdict,worst_at\n",
          out.f);
    for (int i = 0; i < v->n; i++) {
        const struct validate_row *r = &v->row[i];
        if (r->remark)
            continue;
        fprintf(out.f, "%s,", r->group);
        csv_quoted(out.f, r->quantity);
        fprintf(out.f, ",%u,%u", r->node, r->n);
        csv_number(out.f, r->median);
        csv_number(out.f, r->p90);
        csv_number(out.f, r->worst);
        csv_number(out.f, r->limit_median);
        csv_number(out.f, r->limit_worst);
        fprintf(out.f, ",%s,", verdict(r));
        csv_quoted(out.f, r->worst_at);
        fputc('\n', out.f);
    }
    return outfile_commit(&out, e);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool cost_validate(const char *folder, const char *json, const char *csv, struct arena *a,
                   struct err *e)
{
    struct result v = {.folder = folder};
    if (is_stdout(json) && is_stdout(csv))
        return err_set(e, STATUS_BAD_INPUT, "cost: --json - and --csv - both want standard output");
    if (!folder)
        v.folder = arena_printf(a, "%s/power", data_folder(a, "reference"));
    if ((json && !outfile_probe(json, e)) || (csv && !outfile_probe(csv, e)) ||
        !validate_power(v.folder, a, &v.row, &v.n, e) || (json && !write_json(&v, json, e)) ||
        (csv && !write_csv(&v, csv, e)))
        return false;
    if (!is_stdout(json) && !is_stdout(csv))
        print(&v, a);
    int n = exceeded(&v);
    return n == 0 || err_set(e, STATUS_FAILED, "cost: %d quantit%s beyond the limits of error", n,
                             n == 1 ? "y is" : "ies are");
}
