/* libheddle_gpu.h - what is behind public handles, for the library itself and the program. */
#ifndef HEDDLE_LIBHEDDLE_GPU_H
#define HEDDLE_LIBHEDDLE_GPU_H

#include <stdio.h>

#include "heddle/heddle.h"
#include "machine/machine.h"
#include "workload.h"

struct stream_driver;

/* A configuration that takes files of machines and of networks. */
struct config *libheddle_any_config(struct arena *a);
enum libheddle_kind { LIBHEDDLE_ANY, LIBHEDDLE_MACHINE, LIBHEDDLE_NETWORK };
enum libheddle_kind libheddle_kind(const struct hd_config *c);
const struct config *libheddle_config(const struct hd_config *c);
struct config *libheddle_fitted(const struct hd_config *c); /* machine_fit, of a machine */
const char *libheddle_name(const struct hd_config *c);      /* it was loaded by; "": by none */
const struct hd_watch *libheddle_watch(const struct hd_config *c);
struct machine *libheddle_machine(struct hd_gpu *g);
const int *libheddle_stop(const struct hd_gpu *g); /* of its hd_watch; may be NULL */
/* From now on the streams of the device's launches are offered to this driver. */
void libheddle_drive(struct hd_device *d, struct stream_driver *driver);

/* Which settings (those of the first) have no effect in any of the configurations, and why; "": none. */
const char *libheddle_idle(const struct config *const *all, uint32_t n, struct arena *a);
/* "MM@tiny", "CHASE@tiny:footprint=4K": a workload, a size (small where none is said) and arguments;
 * names are suggested where they are misspelt. */
struct libheddle_workload {
    const struct workload *workload;
    enum workload_size size;
    struct workload_args args;
};
bool libheddle_parse_workload(const char *text, struct libheddle_workload *w, struct err *e);
const char *libheddle_workload_title(const struct libheddle_workload *w, struct arena *a);
bool libheddle_parse_size(const char *text, enum workload_size *size, struct err *e);

/* A text that replaces the last one of the configuration, or (*last, which may be NULL) of another
 * object. */
const char *libheddle_document(struct hd_config *c, void (*write)(const void *context, FILE *out),
                               const void *context);
const char *libheddle_new_document(struct arena **last,
                                   void (*write)(const void *context, FILE *out),
                                   const void *context);
/* The object that a document is, with what all of them have. */
void libheddle_begin_json(struct json *j, FILE *out);
void libheddle_end_json(struct json *j);

/* A caller's struct, which begins with its size: see heddle.h. */
bool libheddle_take(void *to, size_t room, const void *from, const char *what, struct err *e);

#endif
