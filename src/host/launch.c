/* launch.c - a launch: its limits are CUDA's, its stream goes to the spool or to a recorded file. */
#include <string.h>

#include "base/wall.h"
#include "host/host_priv.h"
#include "simt/simt.h"

enum { MAX_THREADS = 1024, MAX_SHARED_BYTES = 227 * 1024 };
#define DEFAULT_SPOOL (1ull << 30)

static bool check_shape(const struct host_launch *l, const struct code *c, struct err *e)
{
    static const uint32_t most_grid[3] = {0x7fffffff, 65535, 65535},
                          most_block[3] = {1024, 1024, 64};
    uint64_t ctas = 1, threads = 1;
    for (int d = 0; d < 3; d++) {
        if (l->grid[d] == 0 || l->grid[d] > most_grid[d])
            return err_set(e, STATUS_BAD_INPUT, "kernel %s: grid size %u in %c, expected 1 to %u",
                           c->name, l->grid[d], "xyz"[d], most_grid[d]);
        if (l->block[d] == 0 || l->block[d] > most_block[d])
            return err_set(e, STATUS_BAD_INPUT, "kernel %s: block size %u in %c, expected 1 to %u",
                           c->name, l->block[d], "xyz"[d], most_block[d]);
        if (c->reqntid[0] && l->block[d] != (c->reqntid[d] ? c->reqntid[d] : 1))
            return err_set(e, STATUS_BAD_INPUT, "kernel %s: block size %u in %c, it requires %u",
                           c->name, l->block[d], "xyz"[d], c -> reqntid[d] ? c -> reqntid[d] : 1);
        ctas *= l->grid[d];
        threads *= l->block[d];
        if (ctas > UINT32_MAX)
            return err_set(e, STATUS_BAD_INPUT, "kernel %s: more than 2^32 CTAs", c->name);
    }
    uint64_t most = MAX_THREADS, allowed = 1;
    for (int d = 0; d < 3 && c->maxntid[0]; d++)
        allowed *= c->maxntid[d] ? c->maxntid[d] : 1;
    if (c->maxntid[0] && allowed < most)
        most = allowed;
    if (threads > most)
        return err_set(e, STATUS_BAD_INPUT, "kernel %s: %llu threads per block, at most %llu",
                       c->name, (unsigned long long)threads, (unsigned long long)most);
    return true;
}

static bool check_launch(const struct host_launch *l, const struct code *c, struct err *e)
{
    if (!check_shape(l, c, e))
        return false;
    uint64_t shared = (uint64_t)c->shared_bytes + l->dynamic_shared_bytes;
    if (shared > MAX_SHARED_BYTES)
        return err_set(e, STATUS_BAD_INPUT, "kernel %s: %llu bytes of shared memory, at most %d",
                       c->name, (unsigned long long)shared, MAX_SHARED_BYTES);
    if (l->param_bytes != c->param_bytes)
        return err_set(e, STATUS_BAD_INPUT, "kernel %s: %u bytes of parameters given, it has %u",
                       c->name, l->param_bytes, c->param_bytes);
    return true;
}

/* --- where the stream goes -------------------------------------------------------------------- */

struct sink {
    const struct host_options *options;
    struct stream_kernel kernel;
    struct stream_store *store;
    struct stream_file_writer *file;
    uint64_t bytes;
};

static bool take_cta(void *context, uint32_t cta, const struct stream_writer *warps, uint32_t n,
                     struct err *e)
{
    struct sink *s = context;
    if (s->options->is_stopped && s->options->is_stopped(s->options->context))
        return err_set(e, STATUS_BUDGET, "kernel %s: nobody wants to know", s->kernel.name);
    return (!s->file || stream_file_add(s->file, cta, warps, n, e)) &&
           (!s->store || stream_store_add(s->store, cta, warps, n, e));
}

static void describe(struct sink *s, const struct host_launch *l, const struct code *c)
{
    uint32_t shared = c->shared_bytes;
    if (l->dynamic_shared_bytes)
        shared = (shared + 15) / 16 * 16 + l->dynamic_shared_bytes;
    s->kernel = (struct stream_kernel){.name = c->name,
                                       .shared_bytes = shared,
                                       .local_bytes = c->local_bytes,
                                       .insns = c->stream_insns,
                                       .ninsns = c->ninsns,
                                       .blocks = c->stream_blocks,
                                       .nblocks = c->nblocks,
                                       .assembled = c->assembled};
    host_function_registers(l->function, s->kernel.registers);
    memcpy(s->kernel.grid, l->grid, sizeof s->kernel.grid);
    memcpy(s->kernel.block, l->block, sizeof s->kernel.block);
}

static bool open_sink(struct host *h, struct sink *s, bool is_wanted, struct err *e)
{
    s->file = h->recorder;
    if (s->file && !stream_file_begin(s->file, &s->kernel, e))
        return false;
    if (!is_wanted && (s->file || h->options.no_stream))
        return true;
    uint64_t limit = h->options.spool_bytes ? h->options.spool_bytes : DEFAULT_SPOOL;
    s->store = stream_store_new(&s->kernel, limit, e);
    return s->store != NULL;
}

static bool close_sink(struct sink *s, bool has_grid_spin, struct err *e)
{
    if (s->file && !stream_file_end(s->file, has_grid_spin, e))
        return false;
    if (!s->store)
        return true;
    s->kernel.has_grid_spin = has_grid_spin; /* the store reads it again at the end */
    bool ok = stream_store_finish(s->store, e);
    s->bytes = stream_store_totals(s->store).stored_bytes;
    return ok;
}

/* --- launch ----------------------------------------------------------------------------------- */

static void count_accesses(struct host_launch_info *info, const struct code *c,
                           const uint64_t *block_count)
{
    for (uint32_t b = 0; b < c->nblocks; b++)
        for (uint32_t i = c->blocks[b].first; i < c->blocks[b].first + c->blocks[b].count; i++) {
            const struct stream_insn *s = &c->stream_insns[i];
            if (!(s->flags & INSN_MEM))
                continue;
            uint64_t n = block_count[b];
            bool is_global = s->flags & INSN_MULTI || s->space == STREAM_GLOBAL;
            if (s->flags & INSN_ATOMIC)
                info->atomics += n;
            else if (s->space == STREAM_SHARED && !(s->flags & INSN_MULTI))
                info->shared_accesses += n;
            else if (is_global && s->flags & INSN_LOAD)
                info->global_loads += n;
            else if (is_global)
                info->global_stores += n;
        }
}

static void count_assembled(struct host_launch_info *info, const struct code *c,
                            const uint64_t *block_count)
{
    for (uint32_t b = 0; c->assembled.insns && b < c->nblocks; b++)
        info->assembled_insns += stream_assembled_count(&c->assembled, b) * block_count[b];
}

/* Every grid can be a cooperative one: what its CTAs meet in is there when the kernel asks for it
 * (a size, and the word they count arrivals in). */
static bool make_workspace(struct host *h, const struct code *c, uint64_t *address, struct err *e)
{
    static const uint32_t content[2] = {sizeof content, 0};
    *address = 0;
    for (uint32_t i = 0; i < c->nconsts; i++)
        if (c->consts[i].kind == CONST_WORKSPACE_LOW) {
            *address = devmem_alloc(h->mem, sizeof content, e);
            return *address && devmem_write(h->mem, *address, content, sizeof content, e);
        }
    return true;
}

static bool execute(struct host *h, const struct host_launch *l, struct sink *s,
                    struct host_launch_info *info, struct err *e)
{
    const struct code *c = l->function->code;
    uint64_t workspace;
    if (!make_workspace(h, c, &workspace, e))
        return false;
    struct arena *a = arena_new();
    struct simt_launch launch = {.code = c,
                                 .mem = h->mem,
                                 .textures = h->textures,
                                 .params = l->params,
                                 .dynamic_shared_bytes = l->dynamic_shared_bytes,
                                 .workspace = workspace,
                                 .check = h->options.check,
                                 .max_insns = h->insns_left,
                                 .print = h->options.print,
                                 .print_context = h->options.context,
                                 .is_stopped = h->options.is_stopped,
                                 .stop_context = h->options.context,
                                 .progress = h->options.progress,
                                 .progress_context = h->options.context,
                                 .cta_done = s->file || s->store ? take_cta : NULL,
                                 .cta_context = s};
    launch.block_count = ARENA_ARRAY(a, uint64_t, c->nblocks);
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    struct simt_result r;
    bool ok = simt_run(&launch, &r, e);
    if (h->insns_left != UINT64_MAX)
        h->insns_left -= r.warp_insns < h->insns_left ? r.warp_insns : h->insns_left;
    info->warp_insns = r.warp_insns;
    info->thread_insns = r.thread_insns;
    info->has_grid_spin = r.has_grid_spin;
    count_accesses(info, c, launch.block_count);
    count_assembled(info, c, launch.block_count);
    arena_free(a);
    struct err ignored = {0};
    if (workspace)
        devmem_release(h->mem, workspace, &ignored);
    return ok;
}

bool host_launch(struct host *h, const struct host_launch *l, struct stream_store **stream,
                 struct err *e)
{
    const struct code *c = l->function->code;
    if (!check_launch(l, c, e))
        return false;
    struct sink s = {.options = &h->options};
    describe(&s, l, c);
    if (!open_sink(h, &s, stream != NULL, e))
        return false;
    struct host_launch_info info = {.code = c, .shared_bytes = s.kernel.shared_bytes};
    memcpy(info.registers, s.kernel.registers, sizeof info.registers);
    memcpy(info.grid, l->grid, sizeof info.grid);
    memcpy(info.block, l->block, sizeof info.block);
    double start = wall_s();
    bool ok = execute(h, l, &s, &info, e) && close_sink(&s, info.has_grid_spin, e);
    info.wall_s = wall_s() - start;
    info.stream_bytes = s.bytes;
    if (ok && h->options.launched)
        h->options.launched(h->options.context, &info);
    if (ok && stream)
        *stream = s.store;
    else
        stream_store_free(s.store);
    if (!ok && h->recorder) { /* a file without its last kernel's end is of no use */
        stream_file_abandon(h->recorder);
        h->recorder = NULL;
    }
    return ok;
}

bool host_record_begin(struct host *h, const char *path, const char *workload, struct err *e)
{
    if (h->recorder)
        return err_set(e, STATUS_BAD_INPUT, "%s: another file is being recorded", path);
    h->recorder = stream_file_create(path, workload, e);
    return h->recorder != NULL;
}

bool host_record_end(struct host *h, struct err *e)
{
    struct stream_file_writer *f = h->recorder;
    h->recorder = NULL;
    return f ? stream_file_close(f, e) : err_set(e, STATUS_BAD_INPUT, "no file is being recorded");
}
