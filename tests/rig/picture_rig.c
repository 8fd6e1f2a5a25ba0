/* picture_rig.c - a folder for pictures. */
#include "rig/picture_rig.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void picture_rig_enter(void)
{
    char folder[] = "/tmp/heddle-picture-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
}

static int each_file(bool remove_it)
{
    int n = 0;
    DIR *d = opendir(".");
    for (struct dirent *f = readdir(d); f; f = readdir(d)) {
        if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0)
            continue;
        n++;
        if (remove_it)
            remove(f->d_name);
    }
    closedir(d);
    return n;
}

int picture_rig_files(void)
{
    return each_file(false);
}

void picture_rig_leave(void)
{
    char folder[4096];
    each_file(true);
    if (!getcwd(folder, sizeof folder) || chdir("/") != 0 || rmdir(folder) != 0)
        abort();
}

char *picture_rig_read(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(n + 1, 1);
    n = fread(text, 1, n, f);
    fclose(f);
    return text;
}

int picture_rig_count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

bool picture_rig_is_well_formed(const char *text)
{
    enum { DEEP = 16 };
    const char *open[DEEP];
    size_t len[DEEP];
    int depth = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const char *end = strchr(at, '>');
        if (!end)
            return false;
        bool closing = at[1] == '/';
        const char *name = at + 1 + closing;
        size_t n = strcspn(name, " />");
        at = end;
        if (closing) {
            if (depth == 0 || len[--depth] != n || memcmp(open[depth], name, n) != 0)
                return false;
        } else if (end[-1] != '/') {
            if (depth == DEEP)
                return false;
            open[depth] = name;
            len[depth++] = n;
        }
    }
    return depth == 0;
}
