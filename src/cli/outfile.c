/* outfile.c - output files that appear whole or not at all, and small argument parsers. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/origin.h"

enum { MAX_RATES = 10000 };

bool outfile_open(struct outfile *o, const char *path, struct err *e)
{
    *o = (struct outfile){0};
    if (strcmp(path, "-") == 0) {
        o->f = stdout;
        return true;
    }
    if (snprintf(o->path, sizeof o->path, "%s", path) >= (int)sizeof o->path)
        return err_set(e, STATUS_BAD_INPUT, "%s: name too long", path);
    struct stat st;
    o->is_special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    if (o->is_special) /* a device or a pipe is written to, not replaced */
        snprintf(o->temp, sizeof o->temp, "%s", path);
    else
        snprintf(o->temp, sizeof o->temp, "%s.part%ld", path, (long)getpid());
    o->f = fopen(o->temp, "w");
    if (!o->f)
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
    return true;
}

bool outfile_commit(struct outfile *o, struct err *e)
{
    if (o->f == stdout)
        return fflush(stdout) == 0 ||
               err_set(e, STATUS_BAD_INPUT, "standard output: cannot write: %s", strerror(errno));
    bool ok = fflush(o->f) == 0 && !ferror(o->f);
    ok = fclose(o->f) == 0 && ok;
    o->f = NULL;
    if (ok && (o->is_special || rename(o->temp, o->path) == 0))
        return true;
    err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", o->path, strerror(errno));
    if (!o->is_special)
        unlink(o->temp);
    return false;
}

bool outfile_open_csv(struct outfile *o, const char *path, struct err *e)
{
    if (!outfile_open(o, path, e))
        return false;
    origin_csv(o->f);
    return true;
}

void outfile_csv_text(FILE *out, const char *text)
{
    bool is_plain = !text[strcspn(text, ",\"\r\n")];
    fputs(is_plain ? "" : "\"", out);
    for (const char *c = text; *c; c++)
        fputs(*c == '"' ? "\"\"" : (char[]){*c, '\0'}, out);
    fputs(is_plain ? "" : "\"", out);
}

bool outfile_open_json(struct outfile *o, struct json *j, const char *path, struct err *e)
{
    if (!outfile_open(o, path, e))
        return false;
    json_begin(j, o->f);
    json_open_object(j, false);
    json_key(j, "schema");
    json_int(j, 1);
    origin_json(j);
    return true;
}

bool outfile_commit_json(struct outfile *o, struct json *j, struct err *e)
{
    json_close_object(j);
    json_end(j);
    return outfile_commit(o, e);
}

void outfile_discard(struct outfile *o)
{
    if (!o->f || o->f == stdout)
        return;
    fclose(o->f);
    if (!o->is_special)
        unlink(o->temp);
    o->f = NULL;
}

bool outfile_probe(const char *path, struct err *e)
{
    struct stat st;
    struct outfile o;
    if (strcmp(path, "-") == 0 ||
        (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        return true;
    if (!outfile_open(&o, path, e))
        return false;
    outfile_discard(&o);
    return true;
}

bool parse_rates(struct arena *a, const char *text, double **rates, int *n, struct err *e)
{
    char part[3][64];
    double v[3];
    int parts = 0;
    const char *s = text;
    for (bool more = true; more && parts < 3; parts++) {
        size_t len = strcspn(s, ":");
        snprintf(part[parts], sizeof part[parts], "%.*s", (int)len, s);
        if (len >= sizeof part[0] || !str_to_real(part[parts], &v[parts]) || v[parts] < 0)
            return err_set(e, STATUS_BAD_INPUT, "--rate %s: expected A or A:B:STEP, got \"%s\"",
                           text, part[parts]);
        more = s[len] == ':';
        s += len + more;
    }
    bool whole = *s == '\0' && (s == text || s[-1] != ':');
    double count = parts == 3 && v[2] > 0 ? floor((v[1] - v[0]) / v[2] + 1e-9) + 1 : 1;
    if (!whole || parts == 2 || (parts == 3 && (v[2] <= 0 || v[1] < v[0] || count > MAX_RATES)))
        return err_set(e, STATUS_BAD_INPUT,
                       "--rate %s: expected A or A:B:STEP with A <= B and at most %d points", text,
                       MAX_RATES);
    *n = (int)count;
    *rates = ARENA_ARRAY(a, double, *n);
    for (int i = 0; i < *n; i++)
        (*rates)[i] = round((v[0] + (parts == 3 ? i * v[2] : 0)) * 1e12) / 1e12;
    return true;
}
