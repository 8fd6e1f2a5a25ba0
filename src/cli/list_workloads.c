/* list_workloads.c - what workloads there are.  What they use is read from their PTX; what they do
 * is found by executing them here and now, so that the list is never out of date. */
#include "cli/list_workloads.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/list_workloads_out.h"
#include "libheddle_gpu.h"
#include "ptx/parse.h"
#include "ptx/uses.h"

/* ---- which ones ---------------------------------------------------------------------------- */

static bool is_suite(const struct workload *w, const char *wanted)
{
    return strcasecmp(w->suite, wanted) == 0;
}

static bool is_of_paper(const struct workload *w, const char *wanted)
{
    for (const char *p = w->papers; *p;) {
        size_t length = strcspn(p, " ");
        if (length == strlen(wanted) && strncasecmp(p, wanted, length) == 0)
            return true;
        p += length + (p[length] == ' ');
    }
    return false;
}

/* Leaves those for which `is` holds; no such thing when there are none. */
static bool keep(struct listing *l, const char *wanted, const char *what,
                 bool (*is)(const struct workload *w, const char *wanted), struct err *e)
{
    uint32_t kept = 0;
    if (!wanted)
        return true;
    for (uint32_t i = 0; i < l->n; i++)
        if (is(l->all[i].workload, wanted))
            l->all[kept++] = l->all[i];
    bool found = kept > 0;
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    for (uint32_t i = 0; i < n; i++)
        found = found || is(all[i], wanted);
    l->n = kept;
    return found || err_set(e, STATUS_BAD_INPUT, "list: no workload is of %s \"%s\"", what, wanted);
}

/* The bits of "texture,fp64". */
static bool parse_uses(struct arena *a, const char *text, uint32_t *bits, struct err *e)
{
    for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        const char *word = arena_printf(a, "%.*s", (int)strcspn(p, ","), p);
        struct str_hint hint = str_hint(word);
        uint32_t bit = 0;
        for (int i = 0; i < USES_ROWS; i++) {
            str_hint_offer(&hint, uses_rows[i].name);
            bit |= strcmp(uses_rows[i].name, word) == 0 ? uses_rows[i].bit : 0;
        }
        if (!bit)
            return err_set(e, STATUS_BAD_INPUT, "list: --with: no use \"%s\"%s", word,
                           str_hint_text(&hint, " (texture, constant, local, atomics, fp64)"));
        *bits |= bit;
    }
    return true;
}

static bool keep_with(struct listing *l, const char *with, struct err *e)
{
    uint32_t wanted = 0, kept = 0;
    if (with && !parse_uses(l->arena, with, &wanted, e))
        return false;
    for (uint32_t i = 0; i < l->n; i++)
        if ((l->all[i].uses & wanted) == wanted)
            l->all[kept++] = l->all[i];
    l->n = kept;
    return true;
}

static bool find_named(struct listing *l, const char *names, const struct workload **found,
                       uint32_t *n, struct err *e)
{
    for (const char *p = names; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        struct execute x = {0};
        const char *name = arena_printf(l->arena, "%.*s", (int)strcspn(p, ","), p);
        if (strchr(name, '@'))
            return err_set(e, STATUS_BAD_INPUT, "list: --details %s: --size gives the size", name);
        if (!execute_parse_workload(name, &x, e))
            return false;
        found[(*n)++] = x.workload;
    }
    return true;
}

/* Those of "HS,BFS"; every name must be there. */
static bool keep_named(struct listing *l, const char *names, struct err *e)
{
    if (!names || strcasecmp(names, "all") == 0)
        return true;
    const struct workload **found =
        ARENA_ARRAY(l->arena, const struct workload *, strlen(names) + 1);
    uint32_t n = 0, kept = 0;
    if (!find_named(l, names, found, &n, e))
        return false;
    for (uint32_t i = 0; i < l->n; i++) {
        bool is_named = false;
        for (uint32_t k = 0; k < n; k++)
            is_named |= found[k] == l->all[i].workload;
        if (is_named)
            l->all[kept++] = l->all[i];
    }
    l->n = kept;
    return true;
}

/* ---- what they use and do ------------------------------------------------------------------ */

static uint32_t uses_of_workload(const struct workload *w, enum workload_size size)
{
    struct arena *a = arena_new();
    struct err ignored = {0}; /* executing it tells */
    size_t length = 0;
    const char *module = workload_module(w, size), *ptx = workload_ptx(module, &length);
    const struct ast_module *m = ptx ? parse_ptx(a, module, ptx, length, &ignored) : NULL;
    uint32_t uses = m ? uses_of(m) : 0;
    arena_free(a);
    return uses;
}

static void show_progress(uint32_t done, uint32_t total, double start_s)
{
    if (!isatty(STDERR_FILENO))
        return;
    double spent = tally_clock() - start_s;
    if (done == total)
        fputs("\r\033[K", stderr);
    else if (done > 0)
        fprintf(stderr, "\r%u/%u workloads, about %.0f s left \033[K", done, total,
                spent * (total - done) / done);
}

static void measure(struct listing *l)
{
    double start = tally_clock();
    for (uint32_t i = 0; i < l->n; i++) {
        struct execute x = {.workload = l->all[i].workload,
                            .size = l->size,
                            .seed = 1,
                            .no_verify = true,
                            .no_stream = true,
                            .prints_to_stderr = true};
        execute_run(&x, l->arena, &l->all[i].done, &l->all[i].failed);
        show_progress(i + 1, l->n, start);
    }
}

/* -------------------------------------------------------------------------------------------- */

/* Those named must have one. */
static bool keep_with_input(struct listing *l, bool is_named, struct err *e)
{
    struct hd_error why = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        if (workload_has_input(l->all[i].workload, l->size, &why))
            l->all[kept++] = l->all[i];
        else if (is_named)
            return err_set(e, STATUS_BAD_INPUT, "list: %s", why.text);
    }
    l->n = kept;
    return true;
}

static bool choose(struct listing *l, const struct list_workloads_options *o, struct err *e)
{
    const struct workload *const *all = workload_all(&l->n);
    l->all = ARENA_ARRAY(l->arena, struct listed, l->n);
    for (uint32_t i = 0; i < l->n; i++)
        l->all[i] = (struct listed){.workload = all[i]};
    if ((o->size && !libheddle_parse_size(o->size, &l->size, e)) || !keep_named(l, o->details, e) ||
        !keep_with_input(l, o->details && strcasecmp(o->details, "all") != 0, e) ||
        !keep(l, o->suite, "suite", is_suite, e) || !keep(l, o->paper, "paper", is_of_paper, e))
        return false;
    for (uint32_t i = 0; i < l->n; i++)
        l->all[i].uses = uses_of_workload(l->all[i].workload, l->size);
    return keep_with(l, o->with, e);
}

static void print(const struct listing *l, const struct list_workloads_options *o)
{
    if (o->details)
        listing_print_details(l);
    else if (o->size)
        listing_print_figures(l);
    else
        listing_print_all(l);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static bool execute_and_show(struct listing *l, const struct list_workloads_options *o,
                             struct err *e)
{
    if ((o->json && !outfile_probe(o->json, e)) || (o->csv && !outfile_probe(o->csv, e)))
        return false;
    measure(l);
    if ((o->json && !listing_write_json(l, o->json, e)) ||
        (o->csv && !listing_write_csv(l, o->csv, e)))
        return false;
    if (!is_stdout(o->json) && !is_stdout(o->csv))
        print(l, o);
    for (uint32_t i = 0; i < l->n; i++)
        if (l->all[i].failed.status != STATUS_DONE)
            err_set(e, l->all[i].failed.status, "%s: %s", l->all[i].workload->name,
                    l->all[i].failed.text);
    return e->status == STATUS_DONE;
}

bool list_workloads(const struct list_workloads_options *o, struct err *e)
{
    struct arena *a = arena_new();
    struct listing l = {.size = SIZE_TINY, .arena = a};
    bool ok = choose(&l, o, e);
    if (ok && o->names_only)
        for (uint32_t i = 0; i < l.n; i++)
            puts(l.all[i].workload->name);
    else if (ok && (o->size || o->details || o->json || o->csv))
        ok = execute_and_show(&l, o, e);
    else if (ok)
        listing_print_all(&l);
    arena_free(a);
    return ok;
}
