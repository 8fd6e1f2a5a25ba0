/* study_out.c - the files of a study's folder, shared by heddle study and heddle report. */
#include "cli/study_out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/origin.h"
#include "heddle/heddle.h"
#include "report/study_page.h"

/* ---- folders ---------------------------------------------------------------------------------- */

bool study_out_folder(const char *dir, struct err *e)
{
    char path[PATH_MAX];
    struct stat st;
    if (!*dir || snprintf(path, sizeof path, "%s", dir) >= (int)sizeof path)
        return err_set(e, STATUS_BAD_INPUT, "\"%s\": no name for a folder", dir);
    for (char *at = path + 1;; at++) {
        char c = *at;
        if (c != '/' && c != '\0')
            continue;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return err_set(e, STATUS_BAD_INPUT, "%s: cannot make the folder: %s", path,
                           strerror(errno));
        *at = c;
        if (c == '\0')
            break;
    }
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(e, STATUS_BAD_INPUT, "%s: not a folder", dir);
    return access(dir, W_OK) == 0 ||
           err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", dir, strerror(errno));
}

bool study_out_probe(const struct study_out *o, struct arena *a, struct err *e)
{
    return outfile_probe(arena_printf(a, "%s/report.html", o->dir), e) &&
           study_out_folder(arena_printf(a, "%s/figures", o->dir), e) &&
           (!o->csv || outfile_probe(o->csv, e)) && (!o->json || outfile_probe(o->json, e));
}

/* Of which nothing should be concluded about a paper. */
static const char *quick_words(const struct study *s)
{
    for (uint32_t i = 0; i < s->nfigures; i++)
        if (study_is_small_form(&s->figures[i]))
            return "Small forms of other studies: verdicts are provisional, only the full studies "
                   "decide.";
    return "A quick run: verdicts are provisional, only the full study decides.";
}

extern char **environ; /* POSIX has it in no header */

/* ---- documents -------------------------------------------------------------------------------- */

static bool write_page(const struct study_out *o, const struct study_result *r, struct arena *a,
                       struct err *e)
{
    struct outfile f;
    if (!outfile_open(&f, arena_printf(a, "%s/report.html", o->dir), e))
        return false;
    if (study_page_write(r, f.f, e))
        return outfile_commit(&f, e);
    outfile_discard(&f);
    return false;
}

/* Beside the SVG a PNG of twice its size, where there is a program that makes one. */
static void convert(const char *svg, const char *png, struct arena *a)
{
    const char *part = arena_printf(a, "%s.part", png);
    char *const argv[] = {"rsvg-convert", "-z", "2", "-o", (char *)part, (char *)svg, NULL};
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, argv[0], &quiet, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (failed)
        return;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status != 0 || rename(part, png) != 0)
        unlink(part);
}

/* Signals wait until the picture is whole: nothing is left behind. */
static void make_png(const char *svg, const char *png, struct arena *a)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    convert(svg, png, a);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool write_figures(const struct study_out *o, const struct study_result *r, struct arena *a,
                          struct err *e)
{
    struct outfile f;
    for (uint32_t i = 0; i < r->study->nfigures; i++) {
        const char *name = r->study->figures[i].name;
        if (!outfile_open(&f, arena_printf(a, "%s/figures/%s.svg", o->dir, name), e))
            return false;
        study_page_svg(r, i, f.f);
        if (!outfile_commit(&f, e))
            return false;
        make_png(f.path, arena_printf(a, "%s/figures/%s.png", o->dir, name), a);
    }
    return true;
}

/* One that does not belong to this result is not left behind. */
static bool write_overview(const struct study_out *o, const struct study_result *r, struct arena *a,
                           struct err *e)
{
    const char *svg = arena_printf(a, "%s/overview.svg", o->dir);
    const char *png = arena_printf(a, "%s/overview.png", o->dir);
    struct outfile f;
    if (!study_page_has_overview(r)) {
        unlink(svg);
        unlink(png);
        return true;
    }
    if (!outfile_open(&f, svg, e))
        return false;
    study_page_overview_svg(r, f.f);
    if (!outfile_commit(&f, e))
        return false;
    make_png(svg, png, a);
    return true;
}

static bool write_csv(const char *path, const struct study_result *r, struct err *e)
{
    struct outfile f;
    if (!outfile_open_csv(&f, path, e))
        return false;
    study_csv(r, f.f);
    return outfile_commit(&f, e);
}

/* Its origin is that of the runs: the command that made them. */
static bool write_json(const char *path, const struct study_result *r, struct err *e)
{
    struct outfile f;
    if (!outfile_open(&f, path, e))
        return false;
    study_json(r, f.f);
    return outfile_commit(&f, e);
}

static bool write_verdicts(const struct study_out *o, const struct study_result *r, struct arena *a,
                           struct err *e)
{
    struct outfile f;
    if (!outfile_open(&f, arena_printf(a, "%s/verdicts.md", o->dir), e))
        return false;
    if (r->study->is_quick)
        fprintf(f.f, "%s\n\n", quick_words(r->study));
    study_markdown(r, a, f.f);
    return outfile_commit(&f, e);
}

bool study_out_write(const struct study_out *o, const struct study_result *r, struct arena *a,
                     struct err *e)
{
    const char *dir = o->dir;
    return study_out_folder(arena_printf(a, "%s/figures", dir), e) && write_figures(o, r, a, e) &&
           write_overview(o, r, a, e) && write_csv(arena_printf(a, "%s/results.csv", dir), r, e) &&
           write_json(arena_printf(a, "%s/results.json", dir), r, e) &&
           write_verdicts(o, r, a, e) && write_page(o, r, a, e) &&
           (!o->csv || write_csv(o->csv, r, e)) && (!o->json || write_json(o->json, r, e));
}

bool study_out_takes_stdout(const struct study_out *o)
{
    return (o->csv && strcmp(o->csv, "-") == 0) || (o->json && strcmp(o->json, "-") == 0);
}

void study_out_print(const struct study_out *o, const struct study_result *r, struct arena *a)
{
    if (study_out_takes_stdout(o))
        return;
    study_print(r, a, stdout);
    if (r->study->is_quick)
        printf("\n%s\n", quick_words(r->study));
    printf("\nreport: %s/report.html; tables: results.csv, results.json, verdicts.md; "
           "pictures: figures/\n",
           o->dir);
}

/* ---- notes ------------------------------------------------------------------------------------ */

/* A folder's own database can be moved with it, so there its name says nothing. */
static const char *key(struct arena *a, const char *what, const char *dir)
{
    char full[PATH_MAX];
    return dir ? arena_printf(a, "%s of %s", what, realpath(dir, full) ? full : dir) : what;
}

bool study_out_put_note(struct store *s, const char *dir, bool is_shared,
                        const struct study_note *n, struct err *e)
{
    struct arena *a = arena_new();
    const char *of = is_shared ? dir : NULL;
    bool ok = store_put_note(s, key(a, "study", of), n->study, e) &&
              store_put_note(s, key(a, "quick", of), n->options.quick ? "yes" : "no", e) &&
              store_put_note(s, key(a, "only", of), n->options.only ? n->options.only : "", e) &&
              store_put_note(s, key(a, "command", of), n->command, e) &&
              (!n->ran || store_put_note(s, key(a, "ran", of), n->ran, e)) &&
              (!n->host || store_put_note(s, key(a, "host", of), n->host, e));
    arena_free(a);
    return ok;
}

bool study_out_get_note(struct store *s, struct arena *a, const char *dir, struct study_note *n)
{
    const char *of = dir;
    n->study = store_note(s, a, key(a, "study", of));
    if (!n->study) {
        of = NULL;
        n->study = store_note(s, a, "study");
    }
    if (!n->study)
        return false;
    const char *quick = store_note(s, a, key(a, "quick", of));
    const char *only = store_note(s, a, key(a, "only", of));
    n->command = store_note(s, a, key(a, "command", of));
    n->ran = store_note(s, a, key(a, "ran", of));
    n->host = store_note(s, a, key(a, "host", of));
    n->options = (struct study_options){.quick = quick && strcmp(quick, "yes") == 0,
                                        .only = only && *only ? only : NULL};
    return true;
}

/* ---- origin ----------------------------------------------------------------------------------- */

static bool is_address(const char *reasons)
{
    return strncmp(reasons, "https://", 8) == 0 || strncmp(reasons, "http://", 7) == 0;
}

/* A path as it stands in a link. */
static const char *encoded(struct arena *a, const char *path)
{
    char *to = ARENA_ARRAY(a, char, 3 * strlen(path) + 1), *at = to;
    for (; *path; path++)
        if (strchr(" %#?:\\", *path) || (unsigned char)*path < 0x20)
            at += sprintf(at, "%%%02X", (unsigned)*path);
        else
            *at++ = *path;
    return to;
}

/* How a page in the folder `from` links to the file `to`; both are full paths. */
static const char *relative(struct arena *a, const char *from, const char *to)
{
    size_t common = 0;
    for (size_t i = 0;; i++) {
        bool ends = (from[i] == '/' || !from[i]) && (to[i] == '/' || !to[i]);
        common = ends ? i : common;
        if (!from[i] || from[i] != to[i])
            break;
    }
    const char *up = "";
    for (const char *s = from + common; *s; s++)
        if (*s == '/' && s[1])
            up = arena_printf(a, "../%s", up);
    return encoded(a, arena_printf(a, "%s%s", up, to + common + (to[common] == '/')));
}

const char *study_out_reasons(struct arena *a, const char *dir, const struct study *s)
{
    char from[PATH_MAX], to[PATH_MAX];
    const char *slash = strrchr(s->path, '/'), *file = s->reasons;
    if (!*s->reasons || is_address(s->reasons))
        return *s->reasons ? s->reasons : NULL;
    if (s->reasons[0] != '/' && slash)
        file = arena_printf(a, "%.*s/%s", (int)(slash - s->path), s->path, s->reasons);
    return realpath(dir, from) && realpath(file, to) ? relative(a, from, to) : NULL;
}

void study_out_origin(struct arena *a, const char *dir, const struct study_note *n,
                      struct study_result *r)
{
    r->command = n->command;
    r->origin.made = origin_date(a);
    r->origin.version = hd_version();
    r->origin.ran = n->ran;
    r->origin.host = n->host;
    r->origin.reasons = study_out_reasons(a, dir, r->study);
}
