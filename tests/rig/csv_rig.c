/* csv_rig.c - no quoting, no empty fields. */
#include "rig/csv_rig.h"

#include "check.h"

static struct csv_row parse_row(struct arena *a, const char *line, bool named, int *columns)
{
    struct csv_row r = {.name = ""};
    *columns = 0;
    if (named) {
        size_t len = strcspn(line, ",");
        r.name = arena_printf(a, "%.*s", (int)len, line);
        line += len + (line[len] == ',');
    }
    while (*line && *line != '\n') {
        char *end;
        CHECK(*columns < CSV_RIG_COLUMNS);
        r.v[(*columns)++] = strtod(line, &end);
        CHECK(end != line && (*end == ',' || *end == '\n' || *end == 0));
        line = end + (*end == ',');
    }
    return r;
}

struct csv csv_rig_read(struct arena *a, const char *path, bool named)
{
    struct csv c = {.row = ARENA_ARRAY(a, struct csv_row, 1024)};
    char line[512];
    FILE *f = fopen(arena_printf(a, "%s/tests/data/%s", HEDDLE_SOURCE_DIR, path), "r");
    if (!f)
        return c;
    bool heading = fgets(line, sizeof line, f) != NULL;
    while (heading && fgets(line, sizeof line, f)) {
        int columns;
        CHECK(c.rows < 1024);
        c.row[c.rows++] = parse_row(a, line, named, &columns);
        CHECK(c.columns == 0 || c.columns == columns);
        c.columns = columns;
    }
    fclose(f);
    return c;
}
