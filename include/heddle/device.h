/* device.h - the host side of a CUDA-like device: memory, modules of PTX, kernel launches.
 *
 * Semantics are CUDA's: device pointers are 64-bit addresses, kernel parameters are one block of
 * bytes in the order and with the alignment of the kernel's signature, a stream is a queue whose
 * entries complete in order.  Work is executed when it is queued, so everything is complete when
 * the call returns; that is one of the orders that CUDA allows.
 *
 * A device is used by one thread at a time; several devices can be used at once. */
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#ifndef HEDDLE_HEDDLE_H
#include "heddle/heddle.h"
#endif

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t hd_ptr; /* a device address; 0 is no address */

struct hd_dim {
    uint32_t x, y, z;
};

/* Registers per thread belong to a kernel, and there may be several counts of them: heddle's own
 * from the liveness of values in the PTX, an assembler's (built-in kernels have NVIDIA's), and one
 * that was given.  What was given goes before the assembler's, which goes before liveness; a
 * machine may choose otherwise (sm.register_count, sm.registers_of). */
enum hd_register_count { HD_BY_LIVENESS, HD_BY_ASSEMBLER, HD_GIVEN };

/* What one launch did; valid during the callback only. */
struct hd_launch_info {
    const char *kernel; /* name in the PTX */
    struct hd_dim grid, block;
    uint32_t regs_per_thread, shared_bytes, local_bytes;
    enum hd_register_count regs_from; /* whose count regs_per_thread is */
    uint64_t warp_insns, thread_insns;
    uint64_t global_loads, global_stores, shared_accesses, atomics; /* warp instructions */
    uint64_t stream_bytes; /* of the spooled stream; 0 when there is none */
    bool has_grid_spin;    /* CTAs waited for one another */
    double wall_s;         /* that executing it took here; nothing depends on it */
    /* The kernel's text: instructions of its PTX, and of what an assembler makes of it, to first
     * order; warp instructions of the latter.  0 where there is no such view. */
    uint32_t insns, assembled;
    uint64_t assembled_insns;
};

struct hd_device_options {    /* all zero: the defaults */
    bool check;               /* uninitialised shared memory, barrier misuse */
    uint64_t max_insns;       /* warp instructions in all; 0: no limit.  HD_BUDGET when used up */
    uint64_t memory_bytes;    /* size of the device's memory; 0: 64 GiB */
    uint64_t spool_bytes;     /* of a kernel's stream in memory before it spills; 0: 1 GiB */
    bool no_stream;           /* execute only: no warp stream is made */
    bool portable;            /* use no instructions that only some hosts have */
    uint32_t regs_per_thread; /* given for every kernel; 0: do not */
    void (*print)(void *context, const char *text, size_t n); /* device printf; NULL: stdout */
    void (*launched)(void *context, const struct hd_launch_info *info);
    void (*progress)(void *context, uint64_t ctas_done, uint64_t ctas); /* within a launch */
    void *context;
    struct hd_gpu *gpu; /* NULL, or the machine on which every launch is timed (heddle/gpu.h) */
};

struct hd_device;
HD_API struct hd_device *hd_device_new(const struct hd_device_options *o, struct hd_error *e);
HD_API void hd_device_free(struct hd_device *d); /* with its modules, streams and memory */
/* From now on launches end with HD_STOPPED soon after *stop was made other than 0 (struct hd_watch);
 * NULL: they do not.  A device with a machine has its machine's without that. */
HD_API void hd_device_watch(struct hd_device *d, const int *stop);

/* --- memory --------------------------------------------------------------------------------- */
HD_API bool hd_malloc(struct hd_device *d, hd_ptr *p, uint64_t bytes, struct hd_error *e);
HD_API bool hd_free(struct hd_device *d, hd_ptr p, struct hd_error *e); /* 0 is allowed */
HD_API bool hd_upload(struct hd_device *d, hd_ptr to, const void *from, uint64_t bytes,
                      struct hd_error *e);
HD_API bool hd_download(struct hd_device *d, void *to, hd_ptr from, uint64_t bytes,
                        struct hd_error *e);
HD_API bool hd_copy(struct hd_device *d, hd_ptr to, hd_ptr from, uint64_t bytes,
                    struct hd_error *e);
HD_API bool hd_memset(struct hd_device *d, hd_ptr to, uint8_t value, uint64_t bytes,
                      struct hd_error *e);
HD_API uint64_t hd_memory_used(const struct hd_device *d); /* bytes in live allocations */

/* --- modules -------------------------------------------------------------------------------- */
struct hd_module;
struct hd_function;
/* `name` is what errors call the text.  The text is copied. */
HD_API struct hd_module *hd_module_load(struct hd_device *d, const char *name, const char *text,
                                        size_t length, struct hd_error *e);
HD_API struct hd_module *hd_module_load_file(struct hd_device *d, const char *path,
                                             struct hd_error *e);
/* A kernel, by its name in the PTX, or by its plain C++ name where that is unambiguous
 * ("saxpy" finds _Z5saxpyifPfS_). */
HD_API const struct hd_function *hd_module_function(struct hd_module *m, const char *name,
                                                    struct hd_error *e);
/* Gives a kernel's registers per thread, or an assembler's count of them; 0 takes it back.  Before
 * the launches that it is for. */
HD_API bool hd_module_set_registers(struct hd_module *m, const char *kernel,
                                    enum hd_register_count count, uint32_t registers,
                                    struct hd_error *e);
/* Address and size of a __device__ or __constant__ variable. */
HD_API bool hd_module_symbol(struct hd_module *m, const char *name, hd_ptr *address,
                             uint64_t *bytes, struct hd_error *e);

struct hd_function_info {
    const char *name;
    uint32_t regs_per_thread, shared_bytes, local_bytes, param_bytes, max_threads;
    uint32_t insns; /* static */
    enum hd_register_count regs_from;
};
HD_API struct hd_function_info hd_function_info(const struct hd_function *f);

/* A parameter of a kernel, as its PTX declares it. */
struct hd_parameter_info {
    const char *type;      /* "u64", "f32", "b8" */
    uint64_t count;        /* elements: 1, or those of a struct passed as an array of bytes */
    uint32_t bytes, align; /* of all of it */
};
/* False: there are no more. */
HD_API bool hd_function_parameter(const struct hd_function *f, uint32_t i,
                                  struct hd_parameter_info *p);

/* --- streams and launches ------------------------------------------------------------------- */
struct hd_stream;
HD_API struct hd_stream *hd_stream_new(struct hd_device *d, struct hd_error *e);
HD_API void hd_stream_free(struct hd_stream *s);

/* Kernel parameters: appended one after another, each at its natural alignment. */
#define HD_PARAMETER_BYTES 32764 /* the most that a kernel can have, as in CUDA since 12.1 */
struct hd_args {
    uint32_t bytes;
    unsigned char data[HD_PARAMETER_BYTES];
};

static inline void hd_arg(struct hd_args *a, const void *value, uint32_t bytes, uint32_t align)
{
    uint32_t at = (a->bytes + align - 1) / align * align;
    bool fits = at <= HD_PARAMETER_BYTES && bytes <= HD_PARAMETER_BYTES - at;
    if (fits)
        memcpy(a->data + at, value, bytes);
    a->bytes = fits ? at + bytes : HD_PARAMETER_BYTES + 1; /* too many: the launch refuses */
}
static inline void hd_arg_ptr(struct hd_args *a, hd_ptr v)
{
    hd_arg(a, &v, 8, 8);
}
static inline void hd_arg_i32(struct hd_args *a, int32_t v)
{
    hd_arg(a, &v, 4, 4);
}
static inline void hd_arg_u32(struct hd_args *a, uint32_t v)
{
    hd_arg(a, &v, 4, 4);
}
static inline void hd_arg_i64(struct hd_args *a, int64_t v)
{
    hd_arg(a, &v, 8, 8);
}
static inline void hd_arg_f32(struct hd_args *a, float v)
{
    hd_arg(a, &v, 4, 4);
}
static inline void hd_arg_f64(struct hd_args *a, double v)
{
    hd_arg(a, &v, 8, 8);
}

/* `stream` may be NULL.  A fault in the kernel is HD_FAILED with kernel, PTX line, CTA, thread
 * and address; the device can be used further, memory is as the fault left it. */
HD_API bool hd_launch(struct hd_device *d, const struct hd_function *f, struct hd_dim grid,
                      struct hd_dim block, uint32_t dynamic_shared_bytes,
                      const struct hd_args *args, struct hd_stream *stream, struct hd_error *e);
HD_API bool hd_stream_sync(struct hd_stream *s, struct hd_error *e);
HD_API bool hd_device_sync(struct hd_device *d, struct hd_error *e);

/* --- textures ------------------------------------------------------------------------------- */
enum hd_address_mode { HD_WRAP, HD_CLAMP, HD_MIRROR, HD_BORDER };
enum hd_filter_mode { HD_POINT, HD_LINEAR };
enum hd_channel_kind { HD_UNSIGNED, HD_SIGNED, HD_FLOAT };

struct hd_texture_desc {
    hd_ptr address;                /* linear memory, row by row */
    uint32_t width, height, depth; /* texels; height 0: 1D, depth 0: not 3D */
    uint32_t layers;               /* of a layered texture, 6 for a cube map; else 0 */
    uint64_t pitch_bytes;          /* from row to row; 0: rows without gaps */
    uint32_t channels, bits;       /* 1, 2 or 4 of 8, 16 or 32 bits */
    enum hd_channel_kind kind;
    enum hd_address_mode addressing[3];
    enum hd_filter_mode filter;
    bool normalized_coords, normalized_float;
    bool is_linear_memory; /* cudaResourceTypeLinear: indexed by integers, 0 outside */
    float border[4];
};
typedef uint64_t hd_texture;
HD_API bool hd_texture_new(struct hd_device *d, const struct hd_texture_desc *t, hd_texture *handle,
                           struct hd_error *e);
HD_API bool hd_texture_free(struct hd_device *d, hd_texture handle, struct hd_error *e);

/* --- recording ------------------------------------------------------------------------------ */
/* From now on every launch's warp stream goes to `path` (see docs/model/stream.md). */
HD_API bool hd_record_begin(struct hd_device *d, const char *path, const char *workload,
                            struct hd_error *e);
HD_API bool hd_record_end(struct hd_device *d, struct hd_error *e); /* the file appears whole */

#ifdef __cplusplus
}
#endif

#endif
