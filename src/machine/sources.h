/* sources.h - hashes of the sources that results depend on: what a result is kept under.
 *
 * The build hashes the files (cmake/hash_sources.cmake).  A configuration depends on the model as a
 * whole, and of the registered parts (topologies, policies, schedulers) on those that it names: a
 * new one, or a change to one, leaves results of all others valid.  Nor do documents, reports and
 * the program's commands have a part in it. */
#ifndef HEDDLE_MACHINE_SOURCES_H
#define HEDDLE_MACHINE_SOURCES_H

#include "sim/config.h"

struct sources_part {
    const char *files;    /* "noc/topo_xbar", for people */
    const char *words;    /* values of parameters that choose it: "xbar|crossbar" */
    const char *sections; /* of parameters that nobody else reads: "xbar", "a|b", "" */
    uint64_t hash;
};

struct sources {
    uint64_t model, front_end;
    const struct sources_part *parts;   /* up to one without `files` */
    const struct sources_part *drivers; /* of workloads; their words are the workloads' names */
};
extern const struct sources sources_built; /* those that this program was built from */

/* Of the model as far as a machine of this configuration has it, and a run of this kind uses it. */
uint64_t sources_model(const struct sources *s, const struct config *cfg, const char *kind);
/* Of all values but those of parts that neither the configuration nor the kind names. */
uint64_t sources_config(const struct sources *s, const struct config *cfg, const char *kind);
/* Of what makes the stream of a workload, but for its kernels. */
uint64_t sources_stream(const struct sources *s, const char *workload);
/* Of everything, for documents: "3f5a...", the same for programs that give the same results. */
uint64_t sources_all(const struct sources *s);

#endif
