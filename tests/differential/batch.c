/* batch.c - see batch.h.
 *
 * A device of each kind (handlers for this host with a warp stream, portable handlers without, and
 * with checks) executes each module; what the host computed is computed once.  NaNs are made equal
 * by the generated code itself, so results are compared as bytes; approximate ones have a range,
 * and must be the same bits on all devices. */
#include "batch.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "compile.h"
#include "gen.h"
#include "heddle/device.h"
#include "job.h"

enum { GRID_THREADS = MAX_THREADS, SLACK = 2048, KINDS = 3 }; /* no launch has more threads */

static const struct hd_device_options kinds[KINDS] = {
    {.max_insns = UINT64_C(1) << 34},
    {.max_insns = UINT64_C(1) << 34, .portable = true, .no_stream = true},
    {.max_insns = UINT64_C(1) << 34, .check = true},
};
static const char *const kind_names[KINDS] = {"vector", "portable", "checked"};

/* What a launch leaves in memory. */
struct results {
    _Alignas(16) uint8_t out[GRID_THREADS * OUT_BYTES];
    uint64_t acc[ACC_WORDS];
    struct approx_range approx[GRID_THREADS * APPROX_SLOTS];
};

struct device {
    struct hd_device *d;
    struct hd_module *module;
    hd_ptr in, results;
};

struct batch {
    const struct batch_options *o;
    char dir[64], source[96], object[96], ptx[96];
    void *host; /* the shared object */
    const char *level;
    uint32_t failed;
    _Alignas(16) uint8_t in[GRID_THREADS * IN_BYTES + SLACK];
    struct job job;
    struct results expected, got, first; /* `first`: of the first kind of device */
};

/* --- inputs ---------------------------------------------------------------------------------- */

static uint64_t input_word(uint64_t draw)
{
    static const float edge[] = {0.0f, 1.0f, -1.5f, 0x1p-149f, 0x1p-126f, 0x1p127f, 100.25f, -3e9f};
    float pair[2] = {edge[draw >> 60 & 7], (float)(int32_t)(uint32_t)draw / 1000.0f};
    double number = (double)(int64_t)(draw << 8) / (double)(1 + (draw >> 40 & 0xfffff));
    uint64_t word = draw;
    switch (draw >> 56 & 7) {
    case 0:
        word = draw % 7 - 3;
        break;
    case 1:
        word = UINT64_C(1) << (draw & 63);
        break;
    case 2:
    case 3:
        memcpy(&word, pair, sizeof word);
        break;
    case 4:
    case 5:
        memcpy(&word, &number, sizeof word);
        break;
    default:
        break;
    }
    return word;
}

static void fill_inputs(struct batch *b, uint32_t index)
{
    uint64_t key = rng_key(~b->o->seed, index);
    for (uint32_t at = 0; at < sizeof b->in; at += 8) {
        uint64_t word = input_word(rng_at(key, at));
        memcpy(b->in + at, &word, 8);
    }
    struct gen_shape s = gen_shape(b->o->seed, index);
    memset(&b->job, 0, sizeof b->job);
    b->job.b = (signed char)rng_at(key, 1);
    b->job.i = (int)rng_at(key, 2);
    b->job.h = (short)rng_at(key, 3);
    b->job.d = rng_unit(rng_at(key, 4)) * 1000 - 500;
    b->job.ub = (unsigned char)rng_at(key, 5);
    b->job.u = (unsigned)rng_at(key, 6);
    b->job.f = (float)rng_unit(rng_at(key, 7)) * 10;
    b->job.uh = (unsigned short)rng_at(key, 9);
    b->job.l = (long long)rng_at(key, 10);
    b->job.grid = s.grid;
    memcpy(b->job.block, s.block, sizeof s.block);
}

/* --- both sides ------------------------------------------------------------------------------ */

static bool run_host(struct batch *b, uint32_t index)
{
    char name[32];
    void (*fn)(struct job) = NULL;
    snprintf(name, sizeof name, "case%u", index);
    void *symbol = dlsym(b->host, name);
    if (!symbol)
        return false;
    memcpy(&fn, &symbol, sizeof fn);
    struct job job = b->job;
    memset(&b->expected, 0, sizeof b->expected);
    job.in = (uint64_t)(uintptr_t)b->in;
    job.out = (uint64_t)(uintptr_t)b->expected.out;
    job.acc = (uint64_t)(uintptr_t)b->expected.acc;
    job.approx = (uint64_t)(uintptr_t)b->expected.approx;
    fn(job);
    return true;
}

static bool run_device(struct batch *b, struct device *d, uint32_t index, struct hd_error *e)
{
    char name[32];
    snprintf(name, sizeof name, "case%u", index);
    const struct hd_function *f = hd_module_function(d->module, name, e);
    if (!f)
        return false;
    struct job job = b->job;
    job.in = d->in;
    job.out = d->results + offsetof(struct results, out);
    job.acc = d->results + offsetof(struct results, acc);
    job.approx = d->results + offsetof(struct results, approx);
    struct hd_args args = {0};
    hd_arg(&args, &job, sizeof job, 8);
    struct hd_dim grid = {job.grid, 1, 1}, block = {job.block[0], job.block[1], job.block[2]};
    memset(&b->got, 0, sizeof b->got);
    return hd_upload(d->d, d->in, b->in, sizeof b->in, e) &&
           hd_memset(d->d, d->results, 0, sizeof b->got, e) &&
           hd_launch(d->d, f, grid, block, DYNAMIC_BYTES, &args, NULL, e) &&
           hd_download(d->d, &b->got, d->results, sizeof b->got, e);
}

static bool open_device(struct device *d, const char *ptx, uint32_t kind, struct hd_error *e)
{
    memset(d, 0, sizeof *d);
    d->d = hd_device_new(&kinds[kind], e);
    return d->d && (d->module = hd_module_load_file(d->d, ptx, e)) &&
           hd_malloc(d->d, &d->in, GRID_THREADS * IN_BYTES + SLACK, e) &&
           hd_malloc(d->d, &d->results, sizeof(struct results), e);
}

/* --- comparison ------------------------------------------------------------------------------ */

static bool same_out(const struct batch *b, char *text, size_t n)
{
    for (uint32_t at = 0; at < sizeof b->got.out; at += 8) {
        uint64_t expected, got;
        memcpy(&expected, b->expected.out + at, 8);
        memcpy(&got, b->got.out + at, 8);
        if (expected != got) {
            snprintf(text, n,
                     "thread %u, output byte %u: expected 0x%016" PRIx64 ", got 0x%016" PRIx64,
                     at / OUT_BYTES, at % OUT_BYTES, expected, got);
            return false;
        }
    }
    return true;
}

static bool same_acc(const struct batch *b, char *text, size_t n)
{
    for (uint32_t k = 0; k < ACC_WORDS; k++) {
        if (b->expected.acc[k] != b->got.acc[k]) {
            snprintf(text, n,
                     "atomics of all threads, word %u: expected 0x%016" PRIx64
                     ", got 0x%016" PRIx64,
                     k, b->expected.acc[k], b->got.acc[k]);
            return false;
        }
    }
    return true;
}

static bool within(const struct approx_range *r, double got)
{
    if (r->lo != r->lo || r->hi != r->hi)
        return got != got;
    return r->lo <= got && got <= r->hi;
}

static bool near_approx(const struct batch *b, char *text, size_t n)
{
    for (uint32_t k = 0; k < GRID_THREADS * APPROX_SLOTS; k++) {
        const struct approx_range *r = &b->expected.approx[k];
        double got = b->got.approx[k].lo;
        if (!within(r, got)) {
            snprintf(text, n, "thread %u, approximation %u: expected %a to %a, got %a",
                     k / APPROX_SLOTS, k % APPROX_SLOTS, r->lo, r->hi, got);
            return false;
        }
    }
    return true;
}

static bool same_on_all_devices(struct batch *b, uint32_t kind, char *text, size_t n)
{
    if (kind == 0)
        b->first = b->got;
    else if (memcmp(&b->first, &b->got, sizeof b->got) != 0) {
        snprintf(text, n, "approximations are not those of the first device");
        return false;
    }
    return true;
}

static void report(struct batch *b, uint32_t index, uint32_t kind, const char *what)
{
    b->failed++;
    if (b->o->disturbed)
        return;
    char name[64];
    snprintf(name, sizeof name, "differential_%" PRIu64 "_%u.cu", b->o->seed, index);
    fprintf(stderr, "seed %" PRIu64 ", function %u, %s, %s handlers: %s; see %s\n", b->o->seed,
            index, b->level, kind_names[kind], what, name);
    FILE *f = fopen(name, "w");
    if (f) {
        gen_head(f);
        gen_case(f, b->o->seed, index);
        fclose(f);
    }
}

static void compare(struct batch *b, struct device *devices, uint32_t index)
{
    char text[256];
    struct hd_error e = {0};
    fill_inputs(b, index);
    if (!run_host(b, index)) {
        report(b, index, 0, "not in the host's object");
        return;
    }
    for (uint32_t at = 0; b->o->disturbed && at < sizeof b->in; at += 4)
        b->in[at] ^= 1;
    for (uint32_t kind = 0; kind < KINDS && devices[kind].d; kind++) {
        if (!run_device(b, &devices[kind], index, &e)) {
            report(b, index, kind, e.text);
            return;
        }
        if (!same_out(b, text, sizeof text) || !same_acc(b, text, sizeof text) ||
            !near_approx(b, text, sizeof text) ||
            !same_on_all_devices(b, kind, text, sizeof text)) {
            report(b, index, kind, text);
            return;
        }
    }
}

/* --- files ----------------------------------------------------------------------------------- */

static bool write_source(struct batch *b)
{
    FILE *f = fopen(b->source, "w");
    if (!f)
        return false;
    gen_head(f);
    for (uint32_t k = 0; k < b->o->count; k++)
        gen_case(f, b->o->seed, b->o->first + k);
    return fclose(f) == 0;
}

static void run_module(struct batch *b)
{
    struct device devices[KINDS];
    struct hd_error e = {0};
    bool is_open = true;
    memset(devices, 0, sizeof devices);
    uint32_t used = b->o->calls ? KINDS - 1 : KINDS; /* calls take long enough without checks */
    for (uint32_t k = 0; k < used && is_open; k++) {
        is_open = open_device(&devices[k], b->ptx, k, &e);
        if (!is_open)
            report(b, b->o->first, k, e.text);
    }
    for (uint32_t k = 0; k < b->o->count && is_open; k++)
        compare(b, devices, b->o->first + k);
    for (uint32_t k = 0; k < KINDS; k++) {
        if (devices[k].d)
            hd_device_free(devices[k].d);
    }
}

static bool compile_level(struct batch *b, const char *level)
{
    b->level = level;
    struct compile device = compile_device(b->source, b->ptx, level, b->o->calls);
    if (!b->host) {
        bool done = compile_wait(compile_host(b->source, b->object, b->o->checked));
        b->host = done ? dlopen(b->object, RTLD_NOW | RTLD_LOCAL) : NULL;
    }
    return compile_wait(device) && b->host;
}

static void run_in_folder(struct batch *b)
{
    snprintf(b->source, sizeof b->source, "%s/batch.cu", b->dir);
    snprintf(b->object, sizeof b->object, "%s/batch.so", b->dir);
    snprintf(b->ptx, sizeof b->ptx, "%s/batch.ptx", b->dir);
    bool is_written = write_source(b);
    for (const char *const *level = b->o->levels; *level; level++) {
        if (is_written && compile_level(b, *level)) {
            run_module(b);
        } else {
            b->failed++;
            fprintf(stderr, "seed %" PRIu64 ", functions from %u: clang failed\n", b->o->seed,
                    b->o->first);
        }
    }
    if (b->host)
        dlclose(b->host);
    unlink(b->source);
    unlink(b->object);
    unlink(b->ptx);
}

uint32_t batch_run(const struct batch_options *o)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        return o->count;
    b->o = o;
    snprintf(b->dir, sizeof b->dir, "/tmp/heddle-differential-XXXXXX");
    if (mkdtemp(b->dir)) {
        run_in_folder(b);
        rmdir(b->dir);
    } else {
        b->failed = o->count;
    }
    uint32_t failed = b->failed;
    free(b);
    return failed;
}
