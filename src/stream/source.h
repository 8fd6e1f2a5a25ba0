/* source.h - where the kernels of a program come from, in the order of their launches.
 *
 * Who times kernels asks for one after the other and knows nothing of devices, drivers or files.
 * What a kernel does never depends on time, so a source may be ahead of who asks. */
#ifndef HEDDLE_STREAM_SOURCE_H
#define HEDDLE_STREAM_SOURCE_H

#include "stream/store.h"

struct stream_source;

/* The next kernel, which belongs to the source and is gone with the next call; NULL: there is none
 * left, or (with *e set) it could not be had. */
const struct stream_store *stream_source_next(struct stream_source *s, struct err *e);
/* After the last kernel the first one follows again. */
void stream_source_restart(struct stream_source *s);
void stream_source_free(struct stream_source *s);

/* --- one kernel of somebody else's (source.c) ------------------------------------------------- */
struct stream_source *stream_source_of_kernel(const struct stream_store *kernel);

/* --- a recorded file (source_file.c) ---------------------------------------------------------- */
struct stream_source *stream_source_of_file(const char *path, struct err *e);

/* --- a driver (source_driver.c) ---------------------------------------------------------------
 * A function that launches kernels, in a thread of its own: it is executed one kernel ahead of who
 * times them.  When nobody wants more, its launches fail. */
struct stream_driver;
struct stream_driver_options {
    bool (*drive)(void *context, struct stream_driver *d, struct err *e);
    void *context;
    bool keeps; /* kernels are kept, so that the source can restart */
};
struct stream_source *stream_source_of_driver(const struct stream_driver_options *o);

/* For the thread of the driver.  Hands over a kernel, which belongs to the source from now on, and
 * waits until there is a place for it; false with *e set: nobody wants it. */
bool stream_driver_offer(struct stream_driver *d, struct stream_store *kernel, struct err *e);
/* Whether nobody wants what is being executed, and whether somebody waits for it. */
bool stream_driver_is_stopped(const struct stream_driver *d);
bool stream_driver_is_awaited(const struct stream_driver *d);

#endif
