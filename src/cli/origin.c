/* origin.c - where a document comes from.
 *
 * The words are asked of the system: they belong to the process, as its environment does, and
 * nothing between main and the writers of documents has to carry them.  Where the system does not
 * tell, the command is "heddle" alone. */
#include "cli/origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "heddle/heddle.h"
#include "machine/sources.h"

enum { CHUNK = 1 << 12 };

const char *origin_quoted(struct arena *a, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_./,=@+:";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    char *to = ARENA_ARRAY(a, char, 4 * strlen(word) + 3), *at = to;
    *at++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *word;
    *at = '\'';
    return to;
}

/* All words, each with a NUL behind it. */
static const char *words(struct arena *a, const char **end)
{
    FILE *f = fopen("/proc/self/cmdline", "rb");
    size_t room = CHUNK, used = 0;
    char *text = arena_alloc(a, room + 1);
    for (size_t n; f && (n = fread(text + used, 1, room - used, f)) > 0;) {
        used += n;
        if (used < room)
            continue;
        char *larger = arena_alloc(a, 2 * room + 1);
        memcpy(larger, text, used);
        text = larger;
        room *= 2;
    }
    if (f)
        fclose(f);
    text[used] = '\0';
    *end = text + used;
    return text;
}

const char *origin_command(struct arena *a)
{
    const char *text = "heddle", *end, *word = words(a, &end);
    for (word += strlen(word) + 1; word < end; word += strlen(word) + 1)
        text = arena_printf(a, "%s %s", text, origin_quoted(a, word));
    return text;
}

const char *origin_model(struct arena *a)
{
    return arena_printf(a, "%016" PRIx64, sources_all(&sources_built));
}

const char *origin_date(struct arena *a)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    time_t now = fixed && str_to_int(fixed, &seconds) ? (time_t)seconds : time(NULL);
    struct tm utc;
    char text[64];
    if (!gmtime_r(&now, &utc) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc))
        return "unknown";
    return arena_strdup(a, text);
}

/* "" where the system does not tell. */
static const char *processor(struct arena *a)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    const char *name = "";
    while (f && !*name && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        name = arena_printf(a, "%s, ", colon + 1 + strspn(colon + 1, " "));
    }
    if (f)
        fclose(f);
    return name;
}

const char *origin_host(struct arena *a)
{
    char name[256] = "";
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (gethostname(name, sizeof name - 1) != 0 || !*name)
        snprintf(name, sizeof name, "a host without a name");
    return arena_printf(a, "%s (%s%ld processor%s)", name, processor(a), n, n == 1 ? "" : "s");
}

void origin_json(struct json *j)
{
    struct arena *a = arena_new();
    json_key(j, "version");
    json_string(j, hd_version());
    json_key(j, "command");
    json_string(j, origin_command(a));
    json_key(j, "model");
    json_string(j, origin_model(a));
    arena_free(a);
}

void origin_csv(FILE *out)
{
    struct arena *a = arena_new();
    fprintf(out, "# heddle %s\n# command: ", hd_version());
    for (const char *c = origin_command(a); *c; c++) /* a comment ends with its line */
        fputs(*c == '\n' ? "\\n" : *c == '\r' ? "\\r" : (char[]){*c, '\0'}, out);
    fprintf(out, "\n# model: %s\n", origin_model(a));
    arena_free(a);
}
