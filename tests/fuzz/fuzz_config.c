/* fuzz_config.c - bytes as a configuration file, then as --set arguments.
 *
 * The input up to its first NUL is a YAML document; what stands between later NULs is given to
 * --set.  Besides not crashing, what loads must load again to the same hash, survive a copy and
 * be written as JSON; what does not must leave one line of text and status 2. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"

#define NET_ROWS(F, id)                                                                            \
    F(id, CHOICE, topology, "mesh", 0, 0, "mesh|xbar|clos|ideal", "shape of the network")          \
    F(id, INT, vcs, "4", 1, 64, "VC", "virtual channels per port")                                 \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e10, "Hz", "network clock")                                 \
    F(id, BOOL, lookahead, "no", 0, 0, "", "routing one hop ahead")                                \
    F(id, STR, label, "", 0, 0, "", "name in reports")
#define MESH_ROWS(F, id)                                                                           \
    F(id, INT, width, "8", 1, 4096, "routers", "routers per row")                                  \
    F(id, INT, height, "8", 1, 4096, "routers", "rows")                                            \
    F(id, LIST, mem, "", 0, 1e9, "node", "nodes that are memory nodes")                            \
    F(id, REAL, hop, "1.5mm", 0, 100, "mm", "length of a link")
#define TRAFFIC_ROWS(F, id)                                                                        \
    F(id, REAL, rate, "0.1", 0, 1, "flits/node/cycle", "offered load")                             \
    F(id, LIST, sizes, "1,5", 1, 1024, "flit", "packet sizes")                                     \
    F(id, INT, seed, "-1", -1e18, 1e18, "", "seed")

CFG_STRUCT(net, NET_ROWS)
CFG_SECTION(net, NET_ROWS, "network")
CFG_STRUCT(mesh, MESH_ROWS)
CFG_SECTION(mesh, MESH_ROWS, "2D mesh topology")
CFG_STRUCT(traffic, TRAFFIC_ROWS)
CFG_SECTION(traffic, TRAFFIC_ROWS, "traffic")

static const struct cfg_section *const sections[] = {&net_section, &mesh_section, &traffic_section};

static void check(bool ok)
{
    if (!ok)
        abort();
}

static bool load(struct config *c, const char *text, size_t len, struct err *e)
{
    size_t doc = strnlen(text, len);
    if (!config_load_text(c, "/no/such/folder/fuzz.yaml", text, doc, e))
        return false;
    for (size_t at = doc + 1; at < len; at += strlen(text + at) + 1)
        if (!config_set(c, text + at, e))
            return false;
    return true;
}

static void check_values(const struct config *c)
{
    const struct mesh_spec *m = config_get(c, &mesh_section);
    check(m->width >= 1 && m->width <= 4096 && m->mem.n >= 0 && m->mem.n <= 65536);
    for (int i = 0; i < m->mem.n; i++)
        check(m->mem.v[i] >= 0 && m->mem.v[i] <= 1000000000);
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    struct json j;
    json_begin(&j, f);
    config_echo_json(c, &j);
    json_end(&j);
    fclose(f);
    check(len > 2 && text[0] == '{');
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    char *text = arena_alloc(a, size + 1); /* ends in NUL, as the arguments of a program do */
    if (size)
        memcpy(text, data, size);
    struct err e = {0}, again = {0};
    struct config *c = config_new(a, sections, 3), *d = config_new(a, sections, 3);
    bool ok = load(c, text, size, &e);
    check(ok == load(d, text, size, &again) && strcmp(e.text, again.text) == 0);
    if (ok) {
        check(e.status == STATUS_DONE && config_hash(c, NULL, NULL) == config_hash(d, NULL, NULL));
        check_values(c);
    } else {
        check(e.status == STATUS_BAD_INPUT && e.text[0] != '\0' && !strchr(e.text, '\n'));
    }
    arena_free(a);
    return 0;
}
