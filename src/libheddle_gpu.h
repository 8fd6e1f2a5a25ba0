/* libheddle_gpu.h - the machine behind a public handle, for the library itself and the program. */
#ifndef HEDDLE_LIBHEDDLE_GPU_H
#define HEDDLE_LIBHEDDLE_GPU_H

#include "heddle/heddle.h"
#include "machine/machine.h"

struct stream_driver;

/* A configuration that takes files of machines and of networks. */
struct config *libheddle_any_config(struct arena *a);
const struct config *libheddle_config(const struct hd_config *c);
struct machine *libheddle_machine(struct hd_gpu *g);
/* From now on the streams of the device's launches are offered to this driver. */
void libheddle_drive(struct hd_device *d, struct stream_driver *driver);

#endif
