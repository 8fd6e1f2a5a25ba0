/* workload.h - what a workload driver is given and gives.
 *
 * A driver makes inputs from a seed, launches its kernels through heddle's public interface, and
 * checks every output against a reference computed here, on the CPU.  Its kernels are
 * kernels/<kernels>.cu.  Adding one: workloads/<name>.c, kernels/<name>.cu, a line in
 * workloads.def. */
#ifndef HEDDLE_WORKLOADS_WORKLOAD_H
#define HEDDLE_WORKLOADS_WORKLOAD_H

#include "heddle/heddle.h"

enum workload_size {
    SIZE_TINY,  /* at most 0.2 M warp instructions: tests */
    SIZE_SMALL, /* at most 5 M */
    SIZE_STUDY, /* at most 25 M; working set against the caches as in the papers */
    SIZE_PAPER, /* the papers' inputs */
    SIZE_FEW,   /* at most 5 M; 24 to 72 CTAs a launch: part of an 80-SM machine has none */
    SIZE_CHIP,  /* inputs whose counters a chip has measured; few workloads have one */
    SIZES,
};

/* What can be asked of a workload beyond its size: `-w CHASE:footprint=48K`.  A number, or one of the
 * words of `choices`, whose value is the word's place among them. */
struct workload_arg {
    const char *name;        /* of the last of a table: NULL */
    int64_t defaults[SIZES]; /* by size */
    int64_t least, most;     /* of numbers */
    int64_t step;            /* numbers are multiples of this */
    const char *choices;     /* "read|scale"; NULL: a number */
    const char *unit;        /* "B", "step"; "": none */
    const char *doc;
};

enum { WORKLOAD_MOST_ARGS = 8 };

struct workload_args {
    int64_t value[WORKLOAD_MOST_ARGS]; /* in the order of the table */
    char text
        [192]; /* those that were given, in this order, each value in one way: "footprint=48K" */
};

/* One run.  Memory from work_* belongs to the run and is freed after it. */
struct work {
    struct hd_device *device;
    struct hd_module *module;
    enum workload_size size;
    const int64_t *args; /* in the order of the workload's table */
    uint64_t seed;
    bool verify; /* false: the driver may skip its CPU reference */
    struct work_memory *memory;
};

struct workload {
    const char *name;          /* "HS" */
    const char *suite;         /* "Rodinia" */
    const char *stands_for;    /* "hotspot: thermal simulation, pyramid of 16x16 tiles" */
    const char *papers;        /* those that name it, by studies' names: "icc cdxbar"; "": none */
    const char *kernels;       /* "hotspot": kernels/hotspot.cu */
    const char *chip_kernels;  /* those of size chip, if they are others */
    const char *inputs[SIZES]; /* "64x64 grid, 2 steps", for `heddle list workloads`; NULL: none */
    const struct workload_arg *args; /* NULL: it has none */
    bool (*run)(struct work *w, struct hd_error *e);
};

/* The registry, in the order of workloads.def. */
const struct workload *const *workload_all(uint32_t *n);
const struct workload *workload_find(const char *name); /* case does not matter; NULL */
const char *workload_size_name(enum workload_size s);
bool workload_size_parse(const char *text, enum workload_size *s);
/* Its kernels at a size: kernels/<this>.cu. */
const char *workload_module(const struct workload *wl, enum workload_size size);
/* Every size has an input but chip; false with a message that names it. */
bool workload_has_input(const struct workload *wl, enum workload_size size, struct hd_error *e);

/* PTX of kernels/<name>.cu, compiled when heddle was built; NULL when there is none. */
const char *workload_ptx(const char *kernels, size_t *length);

/* NVIDIA's count of a built-in kernel's registers per thread; the rows of registers.def. */
struct workload_registers {
    const char *module, *kernel; /* kernels/<module>.cu */
    uint32_t registers;
    uint32_t checksum; /* cksum of the module's PTX */
};
const struct workload_registers *workload_registers(uint32_t *n);

/* --- arguments (args.c) ----------------------------------------------------------------------- */
/* "footprint=48K,steps=100", or NULL: all at the defaults of the size.  HD_BAD_INPUT with the name,
 * the value and what was expected. */
bool workload_args_parse(const struct workload *wl, enum workload_size size, const char *text,
                         struct workload_args *args, struct hd_error *e);
uint32_t workload_nargs(const struct workload *wl);
/* As it is written: "48K", "triad".  Returns buf. */
#define WORKLOAD_VALUE_N 48
char *workload_value_text(char buf[WORKLOAD_VALUE_N], const struct workload_arg *a, int64_t value);

struct workload_request {
    enum workload_size size;
    const char *args; /* as above */
    uint64_t seed;
    bool verify;
    const char *kernel_dir;
};
/* Loads the module (from `kernel_dir`/<kernels>.ptx, or the built-in PTX when NULL) and runs. */
bool workload_run(const struct workload *wl, struct hd_device *d, const struct workload_request *r,
                  struct hd_error *e);

/* --- helpers for drivers (common.c) ---------------------------------------------------------- */
void *work_alloc(struct work *w, size_t bytes); /* host memory, zeroed; never NULL */
hd_ptr work_device(struct work *w, uint64_t bytes, struct hd_error *e); /* zeroed; 0 on error */
/* The same, from the start of a page of 2 MB on, where CUDA's large allocations are on a chip. */
hd_ptr work_device_pages(struct work *w, uint64_t bytes, struct hd_error *e);
hd_ptr work_upload(struct work *w, const void *data, uint64_t bytes, struct hd_error *e);
bool work_download(struct work *w, void *to, hd_ptr from, uint64_t bytes, struct hd_error *e);
/* Writes a __constant__ or __device__ variable of the module, from its beginning. */
bool work_symbol(struct work *w, const char *name, const void *data, uint64_t bytes,
                 struct hd_error *e);
/* Textures; 0 on error.  The second is memory for tex1Dfetch: n texels of 1, 2 or 4 channels. */
hd_texture work_texture(struct work *w, const struct hd_texture_desc *t, struct hd_error *e);
hd_texture work_texture_linear(struct work *w, hd_ptr address, uint32_t n, uint32_t channels,
                               uint32_t bits, enum hd_channel_kind kind, struct hd_error *e);
bool work_launch(struct work *w, const char *kernel, struct hd_dim grid, struct hd_dim block,
                 uint32_t shared, const struct hd_args *args, struct hd_error *e);
/* Random inputs: a function of (w->seed, stream, index). */
uint64_t work_random(const struct work *w, uint32_t stream, uint64_t index);
float work_random_f32(const struct work *w, uint32_t stream, uint64_t index, float lo, float hi);
uint32_t work_random_u32(const struct work *w, uint32_t stream, uint64_t index,
                         uint32_t below); /* 0 to below - 1 */
/* Arguments that do not go together, with what was expected; false. */
bool work_refuse(struct hd_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A failed check, with what is wrong; false. */
bool work_fail(struct hd_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Compare bit for bit (NaNs equal); on the first difference HD_FAILED with `what`, index, both. */
bool work_same_f64(const char *what, const double *got, const double *want, size_t n,
                   struct hd_error *e);
bool work_same_f32(const char *what, const float *got, const float *want, size_t n,
                   struct hd_error *e);
bool work_same_i32(const char *what, const int32_t *got, const int32_t *want, size_t n,
                   struct hd_error *e);
bool work_same_u32(const char *what, const uint32_t *got, const uint32_t *want, size_t n,
                   struct hd_error *e);
bool work_same_u64(const char *what, const uint64_t *got, const uint64_t *want, size_t n,
                   struct hd_error *e);
bool work_same_u8(const char *what, const uint8_t *got, const uint8_t *want, size_t n,
                  struct hd_error *e);

#endif
