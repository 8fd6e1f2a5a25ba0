#include "rig/icc_rig.h"

#include "base/rng.h"
#include "check.h"
#include "rig/capture.h"
#include "stream/stream.h"

enum { NODE = 5, SLICES = 4, FLIT = 32 };
static const uint32_t mem_nodes[SLICES] = {40, 41, 42, 43};

double icc_rig_value(const struct cluster *c, const char *name, const char *field)
{
    struct arena *a = arena_new();
    struct stats *tree = stats_new(a);
    struct text t;
    struct json j;
    cluster_add_stats(c, tree);
    text_open(&t);
    json_begin(&j, t.out);
    stats_write_json(tree, &j);
    json_end(&j);
    text_close(&t);
    char key[96];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(t.s, key);
    double value = NAN;
    if (at && field) {
        char part[32];
        snprintf(part, sizeof part, "\"%s\": ", field);
        at = strstr(at, part);
        at = at ? at + strlen(part) : NULL;
    } else if (at) {
        at += strlen(key);
    }
    int found = at ? sscanf(at, "%lf", &value) : 0;
    if (found != 1)
        print_error("no statistic %s\n", name);
    text_free(&t);
    arena_free(a);
    CHECK_EQ(found, 1);
    return value;
}

/* ---- by hand ------------------------------------------------------------------------------ */

void icc_bench_open(struct icc_bench *b, const struct icc_spec *icc, uint32_t nsms)
{
    *b = (struct icc_bench){.arena = arena_new(),
                            .icc = *icc,
                            .spec = {.request_latency = 1,
                                     .reply_latency = 1,
                                     .request_queue = 8,
                                     .response_fifo = 32,
                                     .response_queue = 2},
                            .map = {.slices = SLICES, .slices_per_channel = 1, .chunk_shift = 8},
                            .net = toy_sleeper("net", 1)};
    request_pool_init(&b->pool, b->arena, 256);
    if (!b->icc.hit_queue)
        b->icc.hit_queue = 8;
    if (!b->icc.replacement)
        b->icc.replacement = "lru";
    struct cluster_options opt = {.path = "cluster[2]",
                                  .spec = &b->spec,
                                  .icc = &b->icc,
                                  .index = 2,
                                  .nsms = nsms,
                                  .first_sm = ICC_BENCH_FIRST,
                                  .pool = &b->pool,
                                  .map = &b->map,
                                  .node = NODE,
                                  .inject_vertex = 77,
                                  .mem_nodes = mem_nodes,
                                  .flit_bytes = FLIT,
                                  .check = true};
    b->cluster = cluster_new(b->arena, &opt);
    b->c = cluster_component(b->cluster);
    b->c->period = 1;
    for (uint32_t i = 0; i < nsms; i++) {
        b->sm[i] = toy_sleeper("sm", 1);
        cluster_connect_sm(b->cluster, b->arena, i, &b->sm[i].c, 9, &b->out[i], &b->in[i]);
    }
    port_init(&b->inject, b->arena, 4, 1, (struct port_end){b->c, CLUSTER_SLOT_INJECT},
              (struct port_end){&b->net.c, 0});
    port_init(&b->eject, b->arena, 32, 1, (struct port_end){&b->net.c, 0},
              (struct port_end){b->c, CLUSTER_SLOT_EJECT});
    cluster_connect_network(b->cluster, &b->inject, &b->eject);
}

void icc_bench_close(struct icc_bench *b)
{
    struct err e = {0};
    bool fine = b->c->ops->audit(b->c, &e);
    if (!fine)
        print_error("%s\n", e.text);
    cluster_free(b->cluster);
    arena_free(b->arena);
    CHECK(fine);
}

uint32_t icc_bench_ask(struct icc_bench *b, hd_cycle now, uint32_t sm, const struct request *like)
{
    uint32_t id = packet_alloc(&b->pool.packets);
    struct request *r = &b->pool.at[id];
    *r = *like;
    r->sm = (uint16_t)(ICC_BENCH_FIRST + sm);
    r->sectors = r->sectors ? r->sectors : 15;
    r->bytes = LINE_BYTES;
    r->stamp = now;
    port_push(b->out[sm], now, id);
    return id;
}

uint32_t icc_bench_read(struct icc_bench *b, hd_cycle now, uint32_t sm, uint64_t line)
{
    return icc_bench_ask(b, now, sm, &(struct request){.kind = REQUEST_READ, .line = line});
}

uint32_t icc_bench_write(struct icc_bench *b, hd_cycle now, uint32_t sm, uint64_t line)
{
    return icc_bench_ask(b, now, sm, &(struct request){.kind = REQUEST_WRITE, .line = line});
}

void icc_bench_run(struct icc_bench *b, hd_cycle from, hd_cycle until)
{
    for (hd_cycle now = from; now < until; now++)
        b->wants = b->c->ops->tick(b->c, now);
}

uint32_t icc_bench_sent(struct icc_bench *b, hd_cycle now)
{
    return port_has(&b->inject, now) ? (uint32_t)port_pop(&b->inject, now) : PACKET_NONE;
}

void icc_bench_answer(struct icc_bench *b, hd_cycle now, uint32_t id, uint32_t version)
{
    b->pool.at[id].version = version;
    b->pool.packets.at[id].flits = request_flits(&b->pool.at[id], true, FLIT);
    port_push(&b->eject, now, id);
}

uint32_t icc_bench_got(struct icc_bench *b, hd_cycle now, uint32_t sm)
{
    if (!port_has(b->in[sm], now))
        return PACKET_NONE;
    uint32_t id = (uint32_t)port_pop(b->in[sm], now);
    packet_free(&b->pool.packets, id);
    return id;
}

uint64_t icc_bench_stat(struct icc_bench *b, const char *name)
{
    return (uint64_t)icc_rig_value(b->cluster, name, NULL);
}

/* ---- by itself ---------------------------------------------------------------------------- */

enum { MAX_SMS = 8, MAX_LINES = 64, SHARE = 64, MAX_WRITES = 1024, HELD = MAX_SMS * SHARE };
enum { FIRST_SM = 20 };

/* What all SMs of the cluster have been told of a line, before this cycle and at all. */
struct told {
    hd_cycle when;
    uint32_t before, all;
};

struct mock_sm {
    struct component c;
    struct icc_rig *rig;
    struct port *out, *in;
    struct request_pool pool;
    uint32_t index, made, answered;
    hd_cycle next_ask, next_take;
    uint64_t digest;
    uint8_t outstanding[MAX_LINES];          /* sectors on their way to the L1 */
    uint32_t writes[MAX_LINES];              /* sent */
    uint32_t version[MAX_LINES][MAX_WRITES]; /* that each of them made */
};

struct held {
    hd_cycle due;
    uint32_t id, serial;
    bool is_performed;
};

struct mock_memory {
    struct component c;
    struct icc_rig *rig;
    struct port inject, eject;
    struct held held[HELD];
    uint32_t n;
    hd_cycle last_due;
    struct versions *versions;
};

struct icc_rig {
    const struct icc_rig_options *opt;
    struct arena *arena;
    struct cluster *cluster;
    struct request_pool pool;
    struct mock_sm sm[MAX_SMS];
    struct mock_memory memory;
    struct told told[MAX_LINES];
    struct {                 /* per request */
        uint32_t floor, own; /* versions: told before it was sent; number of own writes */
        bool is_out;
    } sent[HELD];
};

static uint64_t line_address(uint32_t line)
{
    return (uint64_t)line * LINE_BYTES;
}

static uint32_t line_of(const struct request *r)
{
    return (uint32_t)(r->line / LINE_BYTES);
}

/* --- SMs --- */

static void draw_request(struct mock_sm *s, uint64_t draw, struct request *r)
{
    const struct icc_rig_options *o = s->rig->opt;
    uint32_t line = rng_below(draw, o->lines), kind = draw & 15;
    uint8_t sectors = o->is_sectored ? (uint8_t)(1 + (draw >> 4) % 15) : 15;
    *r = (struct request){.line = line_address(line),
                          .sm = (uint16_t)(FIRST_SM + s->index),
                          .cta = s->made,
                          .words = (uint32_t)(draw >> 8),
                          .sectors = sectors,
                          .bytes = LINE_BYTES,
                          .kind = REQUEST_READ};
    if (kind < 2)
        r->kind = REQUEST_WRITE;
    else if (kind == 2)
        r->kind = draw >> 9 & 1 ? REQUEST_ATOMIC : REQUEST_REDUCE;
    else if (kind == 3)
        r->space = STREAM_TEX;
    if (r->kind == REQUEST_READ && r->space == STREAM_GLOBAL) {
        r->sectors &= (uint8_t)~s->outstanding[line]; /* the rest waits in the L1's MSHR */
        if (!r->sectors || kind == 4) {
            r->sectors = sectors;
            r->flags = REQUEST_BYPASS_L1;
        }
    }
}

static void note_sent(struct mock_sm *s, hd_cycle now, uint32_t id)
{
    const struct request *r = &s->pool.at[id];
    const struct told *t = &s->rig->told[line_of(r)];
    CHECK(!s->rig->sent[id].is_out);
    s->rig->sent[id].is_out = true;
    s->rig->sent[id].floor = t->when < now ? t->all : t->before;
    s->rig->sent[id].own = s->writes[line_of(r)];
    if (r->kind != REQUEST_READ)
        s->pool.packets.at[id].tag[1] = s->writes[line_of(r)]++;
    else if (r->space == STREAM_GLOBAL && !(r->flags & REQUEST_BYPASS_L1))
        s->outstanding[line_of(r)] |= r->sectors;
}

static hd_cycle sm_ask(struct mock_sm *s, hd_cycle now)
{
    const struct icc_rig_options *o = s->rig->opt;
    if (s->made == o->requests)
        return HD_NEVER;
    if (s->next_ask > now)
        return s->next_ask;
    if (s->pool.packets.live == SHARE || !port_can_push(s->out, now))
        return HD_NEVER; /* an answer, or the cluster, comes first */
    uint64_t draw = rng_at(rng_key(o->seed, s->index), s->made++);
    uint32_t id = packet_alloc(&s->pool.packets);
    s->pool.packets.at[id] = (struct packet){0};
    draw_request(s, draw, &s->pool.at[id]);
    s->pool.at[id].stamp = now * s->c.period;
    note_sent(s, now, id);
    port_push(s->out, now, id);
    return s->next_ask = now + 1 + (draw >> 56) % o->gap;
}

static void tell(struct told *t, hd_cycle now, uint32_t version)
{
    if (t->when < now) {
        t->before = t->all;
        t->when = now;
    }
    t->all = version > t->all ? version : t->all;
}

static void check_answer(struct mock_sm *s, hd_cycle now, uint32_t id)
{
    struct icc_rig *rig = s->rig;
    const struct request *r = &s->pool.at[id];
    uint32_t line = line_of(r), own = rig->sent[id].own;
    CHECK(rig->sent[id].is_out);
    CHECK_EQ(r->sm, FIRST_SM + s->index);
    CHECK(!(r->flags & REQUEST_TRACKED));
    rig->sent[id].is_out = false;
    if (r->kind != REQUEST_READ) {
        tell(&rig->told[line], now, r->version);
        return;
    }
    CHECK(r->version >= rig->sent[id].floor);
    if (rig->opt->in_order && own > 0)
        CHECK(r->version >= s->version[line][own - 1]);
    if (r->space == STREAM_GLOBAL && !(r->flags & REQUEST_BYPASS_L1)) {
        CHECK_EQ(s->outstanding[line] & r->sectors, r->sectors);
        s->outstanding[line] &= (uint8_t)~r->sectors;
    }
}

static hd_cycle sm_take(struct mock_sm *s, hd_cycle now)
{
    if (!port_has(s->in, now))
        return HD_NEVER;
    if (s->next_take > now)
        return s->next_take;
    uint32_t id = (uint32_t)port_pop(s->in, now);
    struct request *r = &s->pool.at[id];
    check_answer(s, now, id);
    request_mark(r, PART_RETURN, now * s->c.period);
    s->digest =
        rng_mix(s->digest + r->line + now * 1024 + r->version + 77 * r->kind + request_latency(r));
    packet_free(&s->pool.packets, id);
    uint64_t draw = rng_at(rng_key(s->rig->opt->seed, 100 + s->index), s->answered++);
    s->next_take = now + 1 + (draw % 8 == 0 ? (draw >> 8) % 12 : 0);
    return s->next_take;
}

static hd_cycle sm_tick(struct component *base, hd_cycle now)
{
    struct mock_sm *s = (struct mock_sm *)base;
    hd_cycle a = sm_take(s, now), b = sm_ask(s, now);
    return a < b ? a : b;
}

static uint64_t sm_live(const struct component *base)
{
    return port_held(((const struct mock_sm *)base)->in);
}

/* --- memory --- */

static void perform(struct mock_memory *m, hd_cycle now, struct held *h)
{
    struct icc_rig *rig = m->rig;
    struct request *r = &rig->pool.at[h->id];
    uint64_t draw = rng_at(rng_key(rig->opt->seed, 300), h->serial);
    if (draw % 4 == 0)
        versions_bump(m->versions, r->line); /* somebody else writes it */
    if (r->kind == REQUEST_READ) {
        r->version = versions_get(m->versions, r->line);
    } else {
        uint64_t number = rig->pool.packets.at[h->id].tag[1];
        CHECK(number < MAX_WRITES);
        r->version = versions_bump(m->versions, r->line);
        rig->sm[r->sm - FIRST_SM].version[line_of(r)][number] = r->version;
    }
    h->is_performed = true;
    h->due = now + 1 + (draw >> 8) % ((draw >> 20) % 4 == 0 ? 200 : 20);
}

static void take_request(struct mock_memory *m, hd_cycle now)
{
    uint32_t id = (uint32_t)port_pop(&m->inject, now);
    uint32_t serial = m->rig->pool.packets.at[id].serial;
    uint64_t draw = rng_at(rng_key(m->rig->opt->seed, 400), serial);
    hd_cycle due = now + 1 + draw % 40;
    if (m->rig->opt->in_order)
        due = due > m->last_due ? due : m->last_due + 1;
    m->last_due = due;
    CHECK(m->n < HELD);
    m->held[m->n++] = (struct held){due, id, serial, false};
}

/* The one that comes next: soonest, then first sent. */
static struct held *first_of(struct mock_memory *m)
{
    struct held *f = NULL;
    for (uint32_t i = 0; i < m->n; i++) {
        struct held *h = &m->held[i];
        if (!f || h->due < f->due || (h->due == f->due && h->serial < f->serial))
            f = h;
    }
    return f;
}

static hd_cycle memory_tick(struct component *base, hd_cycle now)
{
    struct mock_memory *m = (struct mock_memory *)base;
    bool is_blocked = false;
    while (m->n > 0 && first_of(m)->due <= now && !is_blocked) {
        struct held *h = first_of(m);
        if (!h->is_performed) {
            perform(m, now, h);
        } else if (port_try_push(&m->eject, now, h->id)) {
            *h = m->held[--m->n];
        } else {
            h->due = now + 1; /* behind whatever is due by then */
            is_blocked = true;
        }
    }
    /* Every third cycle the network takes nothing. */
    if (port_has(&m->inject, now) && now % 3)
        take_request(m, now);
    hd_cycle next = m->n ? first_of(m)->due : HD_NEVER;
    next = next > now ? next : now + 1;
    return port_has(&m->inject, now) ? now + 1 : next;
}

static uint64_t memory_live(const struct component *base)
{
    const struct mock_memory *m = (const struct mock_memory *)base;
    return m->n + port_held(&m->inject);
}

/* --- all --- */

static const struct component_ops sm_ops = {.kind = "sm", .tick = sm_tick, .live = sm_live};
static const struct component_ops memory_ops = {
    .kind = "memory", .tick = memory_tick, .live = memory_live};

static void build_cluster(struct icc_rig *r, struct engine *e)
{
    const struct icc_rig_options *o = r->opt;
    static const struct cfg_section *const own[] = {&cluster_section, &icc_section,
                                                    &locality_section};
    enum { OWN = 3, SECTIONS = 20 };
    const struct cfg_section **all = ARENA_ARRAY(r->arena, const struct cfg_section *, SECTIONS);
    memcpy(all, own, sizeof own);
    static const struct addrmap map = {.slices = SLICES, .slices_per_channel = 1, .chunk_shift = 8};
    int n = OWN + cache_policy_sections(all + OWN, SECTIONS - OWN);
    struct config *cfg = config_new(r->arena, all, n);
    struct err err = {0};
    CHECK(config_set(cfg, "cluster.response_queue=2", &err));
    CHECK(config_set(cfg, "locality.windows=[10,50,200]", &err));
    char *text = arena_strdup(r->arena, o->icc ? o->icc : ""), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        CHECK(
            config_set(cfg, arena_printf(r->arena, "%s%s", strchr(w, '.') ? "" : "icc.", w), &err));
    CHECK(cluster_check(cfg, &err));
    struct cluster_options opt = {.path = "cluster[0]",
                                  .spec = config_get(cfg, &cluster_section),
                                  .icc = config_get(cfg, &icc_section),
                                  .cfg = cfg,
                                  .locality = config_get(cfg, &locality_section),
                                  .nsms = o->nsms,
                                  .first_sm = FIRST_SM,
                                  .pool = &r->pool,
                                  .map = &map,
                                  .node = NODE,
                                  .mem_nodes = mem_nodes,
                                  .flit_bytes = FLIT,
                                  .check = true};
    r->cluster = cluster_new(r->arena, &opt);
    engine_add(e, cluster_component(r->cluster), 2);
}

static void build(struct icc_rig *r, struct engine *e)
{
    const struct icc_rig_options *o = r->opt;
    struct mock_memory *m = &r->memory;
    HD_ASSERT(o->nsms <= MAX_SMS && o->lines <= MAX_LINES, "%u SMs, %u lines", o->nsms, o->lines);
    request_pool_init(&r->pool, r->arena, HELD);
    build_cluster(r, e);
    struct component *c = cluster_component(r->cluster);
    m->c = (struct component){.ops = &memory_ops, .path = "memory"};
    m->rig = r;
    m->versions = versions_new();
    engine_add(e, &m->c, o->memory_period ? o->memory_period : 2);
    port_init(&m->inject, r->arena, 3, 1, (struct port_end){c, CLUSTER_SLOT_INJECT},
              (struct port_end){&m->c, 0});
    port_init(&m->eject, r->arena, 4, 1, (struct port_end){&m->c, 1},
              (struct port_end){c, CLUSTER_SLOT_EJECT});
    cluster_connect_network(r->cluster, &m->inject, &m->eject);
    for (uint32_t i = 0; i < o->nsms; i++) {
        struct mock_sm *s = &r->sm[i];
        s->c = (struct component){.ops = &sm_ops, .path = "sm"};
        s->rig = r;
        s->index = i;
        s->pool = request_pool_part(&r->pool, i * SHARE, SHARE);
        engine_add(e, &s->c, 2);
        cluster_connect_sm(r->cluster, r->arena, i, &s->c, 0, &s->out, &s->in);
    }
}

static void collect(struct icc_rig *r, struct icc_rig_result *out)
{
    struct stats *tree = stats_new(r->arena);
    cluster_add_stats(r->cluster, tree);
    out->digest = stats_digest(tree);
    for (uint32_t i = 0; i < r->opt->nsms; i++) {
        CHECK_EQ(r->sm[i].pool.packets.live, 0);
        CHECK_EQ(r->sm[i].answered, r->opt->requests);
        out->digest = rng_mix(out->digest + r->sm[i].digest);
        out->answered += r->sm[i].answered;
    }
    out->sent = (uint64_t)icc_rig_value(r->cluster, "cluster.reads", NULL);
    out->reads = (uint64_t)icc_rig_value(r->cluster, "locality.requests", NULL);
    if (!r->opt->icc)
        return;
    out->merged = (uint64_t)icc_rig_value(r->cluster, "icc.merges", NULL);
    out->hit = (uint64_t)icc_rig_value(r->cluster, "icc.cc_hits", NULL);
    out->stale = (uint64_t)icc_rig_value(r->cluster, "icc.pass_stale", NULL);
    out->partial = (uint64_t)icc_rig_value(r->cluster, "icc.pass_partial", NULL);
    out->full = (uint64_t)icc_rig_value(r->cluster, "icc.pass_full", NULL);
    out->invalidated = (uint64_t)icc_rig_value(r->cluster, "icc.cc_invalidations", NULL);
}

struct icc_rig_result icc_rig_run(const struct icc_rig_options *opt)
{
    struct arena *a = arena_new();
    struct icc_rig *r = ARENA_NEW(a, struct icc_rig);
    struct engine_options eo = {.no_skip = !opt->skip,
                                .reversed = opt->reversed,
                                .watchdog = 5000,
                                .audit = 100,
                                .idle_stays = true};
    struct engine *e = engine_new(a, eo);
    struct err err = {0};
    struct icc_rig_result out = {0};
    r->opt = opt;
    r->arena = a;
    build(r, e);
    enum engine_stop stop = engine_run(e, 10000000, &err);
    if (stop != ENGINE_IDLE)
        print_error("stop %d: %s\n", stop, err.text);
    CHECK_EQ(stop, ENGINE_IDLE);
    engine_settle(e);
    CHECK(engine_audit(e, &err));
    collect(r, &out);
    versions_free(r->memory.versions);
    cluster_free(r->cluster);
    arena_free(a);
    return out;
}
