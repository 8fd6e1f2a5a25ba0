/* cfd_mesh.h - an unstructured mesh of tetrahedra for CFD. */
#ifndef HEDDLE_WORKLOADS_CFD_MESH_H
#define HEDDLE_WORKLOADS_CFD_MESH_H

#include "workload.h"

enum {
    CFD_DIMENSIONS = 3,
    CFD_NEIGHBOURS = 4,
    CFD_THREADS = 192, /* elements are padded to whole CTAs */
    CFD_WING = -1,
    CFD_FAR_FIELD = -2,
};

/* Structures of arrays, each `padded` long: neighbour j of i is [i + j * padded], component k of
 * the normal of face j is [i + (j + k * CFD_NEIGHBOURS) * padded]. */
struct cfd_mesh {
    uint32_t elements, padded;
    int32_t *neighbours; /* numbers of elements, or what the face borders on */
    float *normals;      /* of the faces, inwards, as long as the face is large */
    float *areas;        /* the solver's name for an element's size */
};

/* The mesh of a box of so many cubes in x, y and z, six elements to a cube. */
struct cfd_mesh cfd_mesh_make(struct work *w, const uint32_t cubes[CFD_DIMENSIONS]);

#endif
