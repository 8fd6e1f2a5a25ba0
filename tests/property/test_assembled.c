/* The assembled view of all built-in kernels: against NVIDIA's assembler, and on a machine against PTX.
 *
 * tests/data/assembled_sm75.csv has what ptxas of CUDA 13.0 makes of the PTX for sm_75, by kind: without
 * padding, subroutines and the calls of these.  The checksum is that of the PTX: modules whose text is
 * another here are not judged. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "heddle/heddle.h"
#include "ptx/parse.h"
#include "rig/csv_rig.h"
#include "simt/simt.h"
#include "workload.h"

/* --- against ptxas ------------------------------------------------------------------------------ */

enum kind { INT, MULTIPLY_ADD, MOVE, FLOAT, DOUBLE, SPECIAL, MEMORY, CONTROL, KINDS };
static const char *const kind_names[KINDS] = {"int",    "multiply-add", "move",   "float",
                                              "double", "special",      "memory", "control"};

static enum kind kind_of(const struct stream_insn *i)
{
    switch (i->unit) {
    case UNIT_INT:
        return i->opclass == OPCLASS_MOVE                               ? MOVE
               : i->opclass == OPCLASS_SHUFFLE                          ? MEMORY
               : i->opclass == OPCLASS_MUL || i->opclass == OPCLASS_FMA ? MULTIPLY_ADD
                                                                        : INT;
    case UNIT_FP32:
    case UNIT_FP16:
        return FLOAT;
    case UNIT_FP64:
        return DOUBLE;
    case UNIT_SFU:
        return SPECIAL;
    case UNIT_MEM:
        return MEMORY;
    default:
        return CONTROL;
    }
}

static uint32_t checksum(const char *text, size_t length) /* as cksum's */
{
    uint32_t crc = 0;
    size_t rest = length;
    for (size_t i = 0; i < length || rest; i++) {
        uint8_t byte = i < length ? (uint8_t)text[i] : (uint8_t)rest;
        rest = i < length ? rest : rest >> 8;
        crc ^= (uint32_t)byte << 24;
        for (int b = 0; b < 8; b++)
            crc = crc << 1 ^ (crc >> 31 ? 0x04c11db7u : 0);
    }
    return ~crc;
}

static uint64_t some_address(void *context, const char *name)
{
    (void)context;
    (void)name;
    return 4096;
}

struct judged {
    double ptx[KINDS], assembled[KINDS], sass[KINDS];
};

static double sum(const double of[KINDS])
{
    double n = 0;
    for (int k = 0; k < KINDS; k++)
        n += of[k];
    return n;
}

/* The kernel of a row; NULL: this PTX is another one. */
static const struct code *lowered(struct arena *a, const struct csv_row *row)
{
    struct err e = {0};
    struct code_symbols symbols = {.address = some_address};
    const char *slash = strchr(row->name, '/');
    const char *module = arena_printf(a, "%.*s", (int)(slash - row->name), row->name);
    size_t length = 0;
    const char *ptx = workload_ptx(module, &length);
    if (!ptx || checksum(ptx, length) != (uint32_t)row->v[0])
        return NULL;
    const struct ast_module *m = parse_ptx(a, module, ptx, length, &e);
    const struct code *c = m ? code_lower(a, m, slash + 1, simt_ops(true), &symbols, &e) : NULL;
    CHECK_STR(e.text, "");
    CHECK(c->assembled.insns != NULL);
    return c;
}

/* False: this PTX is another one. */
static bool judge(const struct csv_row *row, struct judged *j)
{
    struct arena *a = arena_new();
    const struct code *c = lowered(a, row);
    *j = (struct judged){0};
    if (c) {
        for (uint32_t i = 0; i < c->ninsns; i++)
            j->ptx[kind_of(&c->stream_insns[i])]++;
        for (uint32_t i = 0; i < c->assembled.ninsns; i++)
            if (!(c->assembled.insns[i].flags & INSN_MEM) || c->assembled.insns[i].unit)
                j->assembled[kind_of(&c->assembled.insns[i])]++;
        for (int k = 0; k < KINDS; k++)
            j->sass[k] = row->v[1 + k];
    }
    arena_free(a);
    return c != NULL;
}

/* Of kernels that ptxas leaves as they are: with as many loads and stores. */
static void instruction_counts_are_near_the_assembler(void)
{
    struct arena *a = arena_new();
    struct csv t = csv_rig_read(a, "assembled_sm75.csv", true);
    double before = 0, after = 0, worst = 0;
    struct judged all = {0}, off = {0}; /* of all kernels; mean error of a kernel */
    int n = 0, others = 0;
    CHECK(t.rows > 90);
    for (int i = 0; i < t.rows; i++) {
        struct judged j;
        if (!judge(&t.row[i], &j))
            continue;
        double want = sum(j.sass), error = sum(j.assembled) / want - 1;
        bool is_same = j.assembled[MEMORY] == j.sass[MEMORY];
        printf("%-44s %s ptxas %5.0f  PTX %5.0f  assembled %5.0f  %+5.1f %%\n", t.row[i].name,
               is_same ? " " : "!", want, sum(j.ptx), sum(j.assembled), 100 * error);
        others += !is_same;
        if (!is_same)
            continue;
        n++;
        before += fabs(sum(j.ptx) / want - 1);
        after += fabs(error);
        worst = fmax(worst, fabs(error));
        for (int k = 0; k < KINDS; k++) {
            all.ptx[k] += j.ptx[k];
            all.assembled[k] += j.assembled[k];
            all.sass[k] += j.sass[k];
            off.ptx[k] += fabs(j.ptx[k] - j.sass[k]) / want;
            off.assembled[k] += fabs(j.assembled[k] - j.sass[k]) / want;
        }
    }
    arena_free(a);
    if (n == 0)
        return; /* another clang */
    printf("%d kernels (%d with other accesses): PTX %.1f %%, assembled %.1f %%, at most %.1f %%\n",
           n, others, 100 * before / n, 100 * after / n, 100 * worst);
    for (int k = 0; k < KINDS; k++)
        printf(
            "  %-12s ptxas %4.0f, PTX %4.0f, assembled %4.0f: off by %4.1f and %4.1f %% of all\n",
            kind_names[k], all.sass[k], all.ptx[k], all.assembled[k], 100 * off.ptx[k] / n,
            100 * off.assembled[k] / n);
    CHECK(after / n <= 0.055);
    CHECK(after < before / 4);
    CHECK(worst <= 0.25);
}

/* --- loads under way ---------------------------------------------------------------------------- */

static bool overlap(uint16_t x, uint16_t y)
{
    if (x == REG_NONE || y == REG_NONE)
        return false;
    bool is_pred = (x & (REG_WIDE | REG_PRED)) == REG_PRED;
    if (is_pred != ((y & (REG_WIDE | REG_PRED)) == REG_PRED))
        return false;
    uint32_t at = x & 0x3fff, other = y & 0x3fff;
    return at < other + (y & REG_WIDE ? 2 : 1) && other < at + (x & REG_WIDE ? 2 : 1);
}

static bool uses_result(const struct stream_insn *load, const struct stream_insn *i)
{
    for (int d = 0; d < 4; d++)
        for (int s = 0; s < 6; s++)
            if (overlap(load->dst[d], i->src[s]))
                return true;
    return false;
}

static bool is_load(const struct stream_insn *i, uint8_t space)
{
    return i->unit == UNIT_MEM && i->space == space && i->flags & INSN_LOAD &&
           !(i->flags & (INSN_ATOMIC | INSN_MULTI));
}

/* Loads from one (included) to the first use of its result, or the end of the block; of all loads. */
static void count_under_way(const struct stream_insn *insns, const struct stream_block *blocks,
                            uint32_t nblocks, uint8_t space, double *loads, double *under_way)
{
    for (uint32_t b = 0; b < nblocks; b++) {
        const struct stream_insn *i = insns + blocks[b].first, *end = i + blocks[b].count;
        for (; i < end; i++) {
            if (!is_load(i, space))
                continue;
            ++*loads;
            for (const struct stream_insn *j = i;
                 j < end && (j == i || (!uses_result(i, j) && j->unit != UNIT_CONTROL)); j++)
                *under_way += is_load(j, space);
        }
    }
}

struct under_way {
    double loads, ptx, assembled, sass;
};

static void add_under_way(const struct code *c, uint8_t space, const double sass[2],
                          struct under_way *sum)
{
    double ptx_loads = 0, ptx = 0, loads = 0, assembled = 0;
    count_under_way(c->stream_insns, c->stream_blocks, c->nblocks, space, &ptx_loads, &ptx);
    count_under_way(c->assembled.insns, c->assembled.blocks, c->nblocks, space, &loads, &assembled);
    if (loads != sass[0] || loads == 0)
        return; /* ptxas has unrolled a loop, or the like */
    sum->loads += loads;
    sum->ptx += ptx / ptx_loads * loads;
    sum->assembled += assembled;
    sum->sass += sass[1];
}

static void as_many_loads_are_under_way_as_from_the_assembler(void)
{
    static const uint8_t spaces[] = {STREAM_GLOBAL, STREAM_SHARED};
    struct arena *a = arena_new();
    struct csv t = csv_rig_read(a, "overlap_sm75.csv", true);
    struct under_way sum[2] = {0};
    CHECK(t.rows > 90);
    for (int i = 0; i < t.rows; i++) {
        struct arena *own = arena_new();
        const struct code *c = lowered(own, &t.row[i]);
        for (int s = 0; c && s < 2; s++)
            add_under_way(c, spaces[s], &t.row[i].v[1 + 2 * s], &sum[s]);
        arena_free(own);
    }
    arena_free(a);
    for (int s = 0; s < 2; s++) {
        double n = sum[s].loads;
        if (n == 0)
            return; /* another clang */
        printf(
            "%.0f loads of %s memory; under way at the first use of one: PTX %.2f, assembled %.2f, "
            "ptxas %.2f\n",
            n, s ? "shared" : "global", sum[s].ptx / n, sum[s].assembled / n, sum[s].sass / n);
        CHECK(sum[s].ptx < 0.6 * sum[s].sass);
        CHECK(sum[s].assembled > 0.8 * sum[s].sass && sum[s].assembled < 1.25 * sum[s].sass);
    }
}

/* --- on a machine ------------------------------------------------------------------------------- */

/* What a kernel does to memory, whoever times it. */
static const char *const traffic[] = {
    "sm.ctas",       "sm.warps",           "sm.barriers",    "l1.global.instructions",
    "l1.stores",     "l1.store_accesses",  "l1.store_words", "l1.atomics",
    "l1.reductions", "l1.global.accesses", "l1.global.words"};
enum { TRAFFIC = sizeof traffic / sizeof traffic[0] };

struct timed {
    double traffic[TRAFFIC], issued, accesses;
    uint64_t digest, cycles;
};

static struct timed time_on(const char *workload, const char *instructions,
                            const struct hd_gpu_options *how)
{
    struct hd_error e = {0};
    struct hd_config *c = hd_config_new();
    struct arena *a = arena_new();
    struct timed t = {0};
    CHECK(hd_config_load(c, HEDDLE_SOURCE_DIR "/machines/volta.yaml", &e));
    CHECK(hd_config_set(c, arena_printf(a, "sm.instructions=%s", instructions), &e));
    struct hd_gpu *g = hd_gpu_new(c, how, &e);
    CHECK_STR(e.text, "");
    struct hd_device *d = hd_device_new(&(struct hd_device_options){.gpu = g}, &e);
    const struct workload *w = workload_find(workload);
    const struct workload_request tiny = {.size = SIZE_TINY, .seed = 1, .verify = true};
    CHECK(w && workload_run(w, d, &tiny, &e)); /* which compares the results */
    CHECK(hd_gpu_finish(g, &e));
    CHECK_STR(e.text, "");
    for (int i = 0; i < TRAFFIC; i++)
        t.traffic[i] = hd_gpu_stat(g, traffic[i]);
    t.issued = hd_gpu_stat(g, "sm.issued");
    t.accesses = hd_gpu_stat(g, "sm.threads_mem");
    t.digest = hd_gpu_digest(g);
    t.cycles = hd_gpu_cycles(g);
    hd_device_free(d);
    hd_gpu_free(g);
    hd_config_free(c);
    arena_free(a);
    return t;
}

static const char *const workloads[] = {"DCT", "HS", "BP", "BFS", "PF", "HIST"};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

static void what_memory_sees_does_not_depend_on_the_instructions(void)
{
    const struct hd_gpu_options checked = {.check = true};
    for (int w = 0; w < WORKLOADS; w++) {
        struct timed ptx = time_on(workloads[w], "ptx", &checked);
        struct timed assembled = time_on(workloads[w], "assembled", &checked);
        for (int i = 0; i < TRAFFIC; i++) {
            if (ptx.traffic[i] != assembled.traffic[i])
                printf("%s: %s is %g and %g\n", workloads[w], traffic[i], ptx.traffic[i],
                       assembled.traffic[i]);
            CHECK(ptx.traffic[i] == assembled.traffic[i]); /* not a number: there is none */
        }
        CHECK(ptx.issued != assembled.issued);
        CHECK(assembled.accesses <=
              ptx.accesses); /* of shared memory and constants, several at once */
        CHECK(assembled.accesses > ptx.accesses / 4);
    }
}

static void skipping_and_threads_make_no_difference(void)
{
    const struct hd_gpu_options ways[] = {{0}, {.no_skip = true}, {.threads = 2}};
    for (int w = 0; w < 2; w++) {
        struct timed first = time_on(workloads[w], "assembled", &ways[0]);
        for (int i = 1; i < 3; i++) {
            struct timed other = time_on(workloads[w], "assembled", &ways[i]);
            CHECK_EQ(other.digest, first.digest);
            CHECK_EQ(other.cycles, first.cycles);
        }
    }
}

static void a_recorded_stream_is_the_same(void)
{
    struct hd_error e = {0};
    struct arena *a = arena_new();
    const char *path = arena_printf(a, "assembled-%d.hds", (int)getpid());
    struct hd_device *d = hd_device_new(NULL, &e);
    CHECK(hd_record_begin(d, path, "DCT", &e));
    const struct workload_request tiny = {.size = SIZE_TINY, .seed = 1};
    CHECK(workload_run(workload_find("DCT"), d, &tiny, &e));
    CHECK(hd_record_end(d, &e));
    hd_device_free(d);
    struct hd_config *c = hd_config_new();
    CHECK(hd_config_load(c, HEDDLE_SOURCE_DIR "/machines/volta.yaml", &e));
    CHECK(hd_config_set(c, "sm.instructions=assembled", &e));
    struct hd_gpu *g = hd_gpu_new(c, NULL, &e);
    CHECK(hd_gpu_replay(g, path, &e) && hd_gpu_finish(g, &e));
    CHECK_STR(e.text, "");
    CHECK_EQ(hd_gpu_digest(g), time_on("DCT", "assembled", NULL).digest);
    hd_gpu_free(g);
    hd_config_free(c);
    remove(path);
    arena_free(a);
}

CHECK_MAIN("assembled", TEST(instruction_counts_are_near_the_assembler),
           TEST(as_many_loads_are_under_way_as_from_the_assembler),
           TEST(what_memory_sees_does_not_depend_on_the_instructions),
           TEST(skipping_and_threads_make_no_difference), TEST(a_recorded_stream_is_the_same))
