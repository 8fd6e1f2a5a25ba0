/* catalogue.h - what there is to choose from: machines, networks, workloads, parameters, statistics.
 *
 *     static void show(void *context, const struct hd_machine_entry *m)
 *     {
 *         printf("%s: %s\n", m->name, m->doc);
 *     }
 *     hd_each_machine(show, NULL);
 *
 * Each function calls `each` for one after the other; a struct and its texts are the library's and
 * valid during the call. */
#ifndef HEDDLE_CATALOGUE_H
#define HEDDLE_CATALOGUE_H

#ifndef HEDDLE_HEDDLE_H
#include "heddle/heddle.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A folder of data files ("machines", "networks", "studies", "kernels"): of $HEDDLE_DATA, else of where
 * the library is installed, else of its sources.  Returns the length of the name, which is cut off
 * where `room` bytes do not hold it. */
HD_API size_t hd_data_folder(const char *kind, char *path, size_t room);

struct hd_machine_entry {
    const char *name; /* as hd_config_machine or hd_config_network takes it */
    const char *path;
    const char *doc;     /* one line; "": none */
    const char *trouble; /* NULL, or why its file cannot be used */
};
HD_API void hd_each_machine(void (*each)(void *context, const struct hd_machine_entry *m),
                            void *context);
HD_API void hd_each_network(void (*each)(void *context, const struct hd_machine_entry *n),
                            void *context);

struct hd_workload_entry {
    const char *name, *suite;
    const char *doc;    /* "hotspot: thermal simulation, ..." */
    const char *papers; /* those that name it: "icc cdxbar" */
    const char *kernels;
    uint32_t nsizes;
    const char *const *sizes;  /* [nsizes] "tiny", "small", ... */
    const char *const *inputs; /* [nsizes] "64x64 grid, 2 steps"; NULL: it has none of this size */
    /* [nargs]: "footprint", "B", "of the list", in `NAME:footprint=48K` */
    uint32_t nargs;
    const char *const *arg_names, *const *arg_units, *const *arg_docs;
};
HD_API void hd_each_workload(void (*each)(void *context, const struct hd_workload_entry *w),
                             void *context);

struct hd_parameter {
    const char *key;           /* "l1.size" */
    const char *type;          /* "int", "real", "bool", "string", "choice", "list" */
    const char *default_value; /* as one would write it */
    double least, most;        /* of an int, a real, or each element of a list; else NaN */
    const char *unit;
    const char *doc;
    const char *section_doc;
    uint32_t nvalues;
    const char *const *values; /* [nvalues]: names that it can be set to; none: any value */
    bool is_of_machines;       /* false: of networks under synthetic traffic only */
};
HD_API void hd_each_parameter(void (*each)(void *context, const struct hd_parameter *p),
                              void *context);

struct hd_statistic {
    const char *name; /* "l1.hits" */
    const char *unit;
    const char *doc;
    const char *kind; /* "derived", "counter", "mean", "histogram", "series"; of prices "cost" */
    const char *from; /* "run", "noc", "cost": what has it */
};
/* Those of a machine that has one of everything.  Routers by inputs x outputs, and links by length, are
 * as a network has them. */
HD_API void hd_each_statistic(void (*each)(void *context, const struct hd_statistic *s),
                              void *context);

#ifdef __cplusplus
}
#endif

#endif
