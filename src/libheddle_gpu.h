/* libheddle_gpu.h - the machine behind a public handle, for the library itself and the program. */
#ifndef HEDDLE_LIBHEDDLE_GPU_H
#define HEDDLE_LIBHEDDLE_GPU_H

#include "heddle/heddle.h"
#include "machine/machine.h"

/* A configuration that takes files of machines and of networks. */
struct config *libheddle_any_config(struct arena *a);
const struct config *libheddle_config(const struct hd_config *c);
struct machine *libheddle_machine(struct hd_gpu *g);
/* A handle for a machine that the caller keeps; freed with hd_gpu_free, which leaves it alone. */
struct hd_gpu *libheddle_gpu_of(struct machine *m);
/* Times all kernels of a recorded file. */
bool libheddle_replay(struct machine *m, const char *path, struct err *e);

#endif
