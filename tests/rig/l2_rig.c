#include "rig/l2_rig.h"

#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "check.h"
#include "stream/stream.h"

/* ---- the network: pushes what is to be sent, takes replies ---- */

static void take_reply(struct l2_rig *r, hd_cycle now)
{
    if (!port_has(&r->out, now) || now % r->opt.reply_every != 0)
        return;
    uint32_t id = (uint32_t)port_pop(&r->out, now);
    struct request *q = &r->pool.at[id];
    r->answers[r->nanswered++] = id;
    r->sent[id].answered = now;
    l2_oracle_answered(&r->oracle, id);
    if (!r->opt.check)
        return;
    r->stale += q->version < r->sent[id].expected;
    versions_raise(r->acknowledged, q->line, q->version);
}

static hd_cycle push_request(struct l2_rig *r, hd_cycle now)
{
    if (r->npushed == r->nsent)
        return HD_NEVER;
    struct l2_rig_request *s = &r->sent[r->npushed];
    if (s->at > now)
        return s->at;
    struct request *q = &r->pool.at[r->npushed];
    q->stamp = now * r->network.c.period;
    if (!port_try_push(&r->in, now, r->npushed))
        return HD_NEVER;
    s->asked = now;
    s->expected = r->opt.check ? versions_get(r->acknowledged, q->line) : 0;
    r->npushed++;
    return now + 1;
}

static hd_cycle network_tick(struct component *c, hd_cycle now)
{
    struct l2_rig *r = ((struct l2_rig_network *)c)->rig;
    take_reply(r, now);
    hd_cycle next = push_request(r, now), reply = port_ready(&r->out);
    if (reply != HD_NEVER) {
        uint64_t every = r->opt.reply_every, from = reply > now ? reply : now + 1;
        reply = (from + every - 1) / every * every;
    }
    return next < reply ? next : reply;
}

static uint64_t network_live(const struct component *c)
{
    const struct l2_rig *r = ((const struct l2_rig_network *)c)->rig;
    return r->npushed - r->nanswered;
}

static const struct component_ops network_ops = {
    .kind = "network", .tick = network_tick, .live = network_live};

/* ---- the memory: a bag of transfers, each with a time; those of a line stay in order ---- */

static void take_transfer(struct l2_rig *r, hd_cycle now)
{
    struct l2_rig_memory *m = &r->memory;
    if (!port_has(&r->to, now) || now % r->opt.memory_every != 0)
        return;
    uint32_t index = (uint32_t)port_pop(&r->to, now);
    const struct transfer *t = &slice_transfers(r->slice)[index];
    uint64_t jitter = rng_mix(t->line) % (r->opt.memory_jitter + 1);
    r->seen[r->nseen] = (struct l2_rig_transfer){.t = *t, .index = index, .seen = now};
    m->pending[m->n++] =
        (struct l2_rig_pending){now + r->opt.memory_latency + jitter, index, r->nseen++};
}

static uint32_t first_pending(const struct l2_rig_memory *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->n; i++)
        if (m->pending[i].ready < m->pending[best].ready)
            best = i;
    return best;
}

static void return_transfer(struct l2_rig *r, hd_cycle now)
{
    struct l2_rig_memory *m = &r->memory;
    uint32_t at = first_pending(m);
    if (m->n == 0 || m->pending[at].ready > now || !port_can_push(&r->from, now))
        return;
    struct l2_rig_pending p = m->pending[at];
    struct transfer *t = &slice_transfers(r->slice)[p.index];
    if (t->is_write)
        versions_set(m->versions, t->line, t->version);
    else
        t->version = versions_get(m->versions, t->line);
    r->seen[p.log].returned = now;
    if (!t->is_write)
        r->fetched[r->nfetched++] = p.log;
    l2_oracle_returned(&r->oracle, &r->seen[p.log].t);
    memmove(m->pending + at, m->pending + at + 1, (m->n - at - 1) * sizeof *m->pending);
    m->n--;
    port_push(&r->from, now, p.index);
}

static hd_cycle memory_tick(struct component *c, hd_cycle now)
{
    struct l2_rig_memory *m = (struct l2_rig_memory *)c;
    struct l2_rig *r = m->rig;
    return_transfer(r, now);
    take_transfer(r, now);
    hd_cycle next = HD_NEVER, in = port_ready(&r->to);
    if (m->n > 0 && !port_is_awaited(&r->from))
        next = m->pending[first_pending(m)].ready;
    if (in != HD_NEVER) {
        uint64_t every = r->opt.memory_every, from = in > now ? in : now + 1;
        in = (from + every - 1) / every * every;
    }
    next = next < in ? next : in;
    return next > now ? next : now + 1;
}

static uint64_t memory_live(const struct component *c)
{
    return ((const struct l2_rig_memory *)c)->n;
}

static const struct component_ops memory_ops = {
    .kind = "memory", .tick = memory_tick, .live = memory_live};

/* ---- the rig ---- */

static hd_cycle watched_tick(struct component *c, hd_cycle now)
{
    const char *ops = (const char *)c->ops;
    struct l2_rig *r = (struct l2_rig *)(uintptr_t)(ops - offsetof(struct l2_rig, watched));
    hd_cycle next = r->unwatched->tick(c, now);
    l2_oracle_ticked(&r->oracle);
    return next;
}

static void watch(struct l2_rig *r)
{
    struct component *s = slice_component(r->slice);
    const struct l2_spec *spec = config_get(r->cfg, &l2_section);
    l2_oracle_init(&r->oracle, r->arena, r->slice, r->pool.at, L2_RIG_REQUESTS);
    r->oracle.is_bypassed = !spec->enabled;
    r->unwatched = s->ops;
    r->watched = *s->ops;
    r->watched.tick = watched_tick;
    s->ops = &r->watched;
}

static struct config *configured(struct arena *a, const char *settings, struct err *e)
{
    enum { SECTIONS = 16 };
    const struct cfg_section **sections = ARENA_ARRAY(a, const struct cfg_section *, SECTIONS);
    sections[0] = &l2_section;
    struct config *cfg =
        config_new(a, sections, 1 + cache_policy_sections(sections + 1, SECTIONS - 1));
    char *text = arena_strdup(a, settings), *rest = NULL;
    for (char *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        if (!config_set(cfg, one, e))
            return NULL;
    return slice_check(cfg, 1, 1, e) ? cfg : NULL;
}

static void add_words(char *text, size_t size, uint32_t bits, const char *const *words)
{
    bool is_first = true;
    for (; bits; bits >>= 1, words++)
        if (bits & 1) {
            size_t at = strlen(text);
            snprintf(text + at, size - at, "%s%s", is_first ? "" : "|", *words);
            is_first = false;
        }
}

/* The policy that refuses lines to some, as an option says it. */
static void set_refusals(struct l2_rig *r)
{
    static const char *const modes[] = {"keep", "no_line", "no_mshr"},
                             *const kinds[] = {"read", "write", "atomic", "reduce"},
                             *const spaces[] = {"global", "shared",  "local",
                                                "const",  "texture", "param"};
    char kind[64] = "pass.kinds=", space[80] = "pass.spaces=";
    if (!r->opt.mode)
        return;
    add_words(kind, sizeof kind, r->opt.kinds, kinds);
    add_words(space, sizeof space, r->opt.spaces, spaces);
    CHECK(config_set(r->cfg, "l2.replacement=pass", &r->err));
    CHECK(config_set(r->cfg, arena_printf(r->arena, "pass.mode=%s", modes[r->opt.mode]), &r->err));
    CHECK(config_set(r->cfg, kind, &r->err) && config_set(r->cfg, space, &r->err));
    CHECK(slice_check(r->cfg, 1, 1, &r->err));
}

static void fill_in(struct l2_rig_options *o)
{
    o->memory_latency = o->memory_latency ? o->memory_latency : 20;
    o->return_latency = o->return_latency ? o->return_latency : 1;
    o->memory_every = o->memory_every ? o->memory_every : 1;
    o->reply_every = o->reply_every ? o->reply_every : 1;
    o->port_depth = o->port_depth ? o->port_depth : 4;
    o->slice_period = o->slice_period ? o->slice_period : 1;
    o->network_period = o->network_period ? o->network_period : 1;
    o->sm_period = o->sm_period ? o->sm_period : o->slice_period;
}

static void connect(struct l2_rig *r, const struct l2_spec *spec)
{
    struct component *s = slice_component(r->slice), *n = &r->network.c, *m = &r->memory.c;
    uint32_t depth = r->opt.port_depth;
    port_init(&r->in, r->arena, depth, 1, (struct port_end){n, 0}, (struct port_end){s, 0});
    port_init(&r->out, r->arena, depth, 1, (struct port_end){s, 1}, (struct port_end){n, 1});
    port_init(&r->to, r->arena,
              (uint32_t)(spec->memory_queue ? spec->memory_queue : spec->miss_queue), 1,
              (struct port_end){s, 2}, (struct port_end){m, 0});
    port_init(&r->from, r->arena, depth, r->opt.return_latency, (struct port_end){m, 1},
              (struct port_end){s, 2});
    slice_connect_network(r->slice, &r->in, &r->out);
    slice_connect_memory(r->slice, &r->to, &r->from);
    engine_add(r->engine, n, r->opt.network_period);
    engine_add(r->engine, s, r->opt.slice_period);
    engine_add(r->engine, m, r->opt.slice_period);
}

struct l2_rig *l2_rig_new(const char *settings, const struct l2_rig_options *opt)
{
    struct arena *a = arena_new();
    struct l2_rig *r = ARENA_NEW(a, struct l2_rig);
    r->arena = a;
    r->opt = *opt;
    fill_in(&r->opt);
    r->cfg = configured(a, settings, &r->err);
    if (!r->cfg)
        print_error("%s\n", r->err.text);
    CHECK(r->cfg != NULL);
    set_refusals(r);
    const struct l2_spec *spec = config_get(r->cfg, &l2_section);
    request_pool_init(&r->pool, a, L2_RIG_REQUESTS);
    r->sent = ARENA_ARRAY(a, struct l2_rig_request, L2_RIG_REQUESTS);
    r->answers = ARENA_ARRAY(a, uint32_t, L2_RIG_REQUESTS);
    r->seen = ARENA_ARRAY(a, struct l2_rig_transfer, 3 * L2_RIG_REQUESTS);
    r->fetched = ARENA_ARRAY(a, uint32_t, 2 * L2_RIG_REQUESTS);
    r->engine = engine_new(a, (struct engine_options){.no_skip = r->opt.no_skip,
                                                      .reversed = r->opt.reversed,
                                                      .watchdog = 1000,
                                                      .audit = r->opt.audit});
    r->slice = slice_new(a, &(struct slice_options){.path = "l2[0]",
                                                    .spec = spec,
                                                    .cfg = r->cfg,
                                                    .pool = &r->pool,
                                                    .map = r->opt.map,
                                                    .flit_bytes = 32,
                                                    .period = r->opt.slice_period,
                                                    .sm_period = r->opt.sm_period,
                                                    .sms = L2_RIG_CORES,
                                                    .reply_class = 1,
                                                    .check = r->opt.check,
                                                    .in_slot = 0,
                                                    .reply_slot = 1,
                                                    .memory_slot = 2});
    r->network = (struct l2_rig_network){.c = {.ops = &network_ops, .path = "network"}, .rig = r};
    r->memory = (struct l2_rig_memory){
        .c = {.ops = &memory_ops, .path = "memory"},
        .rig = r,
        .pending = ARENA_ARRAY(a, struct l2_rig_pending, slice_ntransfers(r->slice)),
        .versions = versions_new()};
    r->acknowledged = versions_new();
    watch(r);
    connect(r, spec);
    return r;
}

void l2_rig_free(struct l2_rig *r)
{
    versions_free(r->memory.versions);
    versions_free(r->acknowledged);
    l2_oracle_free(&r->oracle);
    slice_free(r->slice);
    arena_free(r->arena);
}

uint32_t l2_rig_ask(struct l2_rig *r, const struct l2_rig_ask *ask, hd_cycle at)
{
    uint32_t id = packet_alloc(&r->pool.packets);
    uint8_t sectors = ask->sectors ? ask->sectors : request_sectors_of(ask->words);
    int data = ask->kind == REQUEST_READ ? SECTOR_BYTES * __builtin_popcount(sectors)
                                         : 4 * __builtin_popcount(ask->words);
    CHECK_EQ(id, r->nsent);
    CHECK(ask->words != 0 && (request_sectors_of(ask->words) & ~sectors) == 0);
    r->sent[r->nsent++] = (struct l2_rig_request){.at = at, .answered = HD_NEVER};
    r->pool.at[id] = (struct request){.line = ask->line,
                                      .words = ask->words,
                                      .kind = (uint8_t)ask->kind,
                                      .space = ask->space,
                                      .flags = ask->flags,
                                      .sectors = sectors,
                                      .sm = (uint16_t)(id % L2_RIG_CORES),
                                      .slot = (uint16_t)(id * 7),
                                      .bytes = (uint16_t)data};
    r->pool.packets.at[id] = (struct packet){.src = id % L2_RIG_CORES, .dst = 77};
    return id;
}

uint32_t l2_rig_send(struct l2_rig *r, enum request_kind kind, uint64_t line, uint32_t words,
                     hd_cycle at)
{
    return l2_rig_ask(
        r, &(struct l2_rig_ask){.kind = kind, .line = line, .words = words, .space = STREAM_GLOBAL},
        at);
}

/* A word, a sector, a run of words or any; `bits` are random. */
static uint32_t random_words(uint64_t bits)
{
    uint32_t any = (uint32_t)(bits >> 32), at = bits >> 8 & 31;
    switch (bits & 7) {
    case 0:
    case 1:
    case 2:
        return 1u << at;
    case 3:
        return 0xffu << (at & 24);
    case 4:
        return 3u << (at & 30);
    case 5:
        return UINT32_MAX;
    default:
        return any ? any : 1;
    }
}

struct l2_rig_ask l2_rig_random(uint64_t seed, uint64_t n, uint32_t lines)
{
    uint64_t key = rng_key(seed, n), bits = rng_at(key, 0), kind = rng_below(rng_at(key, 1), 10);
    struct l2_rig_ask ask = {.kind = kind < 5   ? REQUEST_READ
                                     : kind < 8 ? REQUEST_WRITE
                                                : (enum request_kind)(kind - 6),
                             .line = rng_below(rng_at(key, 2), lines) * LINE_BYTES,
                             .words = random_words(rng_at(key, 3)),
                             .space = bits & 1 ? STREAM_GLOBAL : STREAM_LOCAL,
                             .flags = bits >> 1 & 1 ? REQUEST_BYPASS_L1 : 0};
    if (ask.kind != REQUEST_READ)
        return ask;
    ask.space = (uint8_t)rng_below(rng_at(key, 4), STREAM_SPACES);
    if (bits >> 2 & 1) /* caches without sectors want all of them, for whatever word */
        ask.sectors = bits >> 3 & 1 ? 15 : request_sectors_of(ask.words) | (bits >> 4 & 15);
    return ask;
}

bool l2_rig_run(struct l2_rig *r, uint64_t until)
{
    enum engine_stop stop = engine_run(r->engine, until, &r->err);
    return stop == ENGINE_REACHED || stop == ENGINE_IDLE;
}

bool l2_rig_finish(struct l2_rig *r)
{
    enum engine_stop stop = engine_run(r->engine, HD_NEVER - 1, &r->err);
    hd_cycle end = 0;
    for (uint32_t i = 0; i < r->nseen; i++)
        end = r->seen[i].returned > end ? r->seen[i].returned : end;
    for (uint32_t i = 0; i < r->nsent; i++) {
        uint64_t at = r->sent[i].answered * r->opt.network_period / r->opt.slice_period;
        end = at > end ? at : end;
    }
    r->slice->c.ops->settle(&r->slice->c, end + 2);
    if (stop == ENGINE_IDLE && engine_audit(r->engine, &r->err) && r->nanswered == r->nsent)
        return true;
    print_error("%s (%u of %u answered)\n", r->err.text, r->nanswered, r->nsent);
    return false;
}

const struct l2_stats *l2_rig_stats(const struct l2_rig *r)
{
    return &r->slice->stats;
}

uint64_t l2_rig_digest(const struct l2_rig *r)
{
    uint64_t h = bytes_hash(1, &r->slice->stats, sizeof r->slice->stats);
    h = bytes_hash(h, &r->slice->refused, sizeof r->slice->refused);
    h = bytes_hash(h, r->answers, r->nanswered * sizeof *r->answers);
    for (uint32_t i = 0; i < r->nsent; i++) {
        const struct packet *p = &r->pool.packets.at[i];
        uint64_t packet[] = {p->born, p->src, p->dst, p->serial, p->flits};
        h = bytes_hash(h, packet, sizeof packet);
    }
    h = bytes_hash(h, r->pool.at, r->nsent * sizeof *r->pool.at);
    return bytes_hash(h, r->sent, r->nsent * sizeof *r->sent);
}
