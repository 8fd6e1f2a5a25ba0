/* array_cam.h - a fully associative store: tags that are all compared at once, data beside them. */
#ifndef HEDDLE_POWER_ARRAY_CAM_H
#define HEDDLE_POWER_ARRAY_CAM_H

#include "power/array_tech.h"

struct cam_need {
    double entries;
    double tag_bits;
    double data_bits; /* of an entry; 0 when there are only tags */
};

struct cam {
    double read, write; /* J, by address */
    double search;      /* J, and of the data that a hit reads */
    double match;       /* J, of the comparison alone */
    double leak;        /* W */
    double area;        /* m2 */
    double access;      /* s, of a search and the data */
    double addressed;   /* s, of a read by address */
};

struct cam cam_cost(const struct array_tech *t, const struct cam_need *n);

#endif
