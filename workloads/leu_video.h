/* leu_video.h - frames of a synthetic microscope for LEU: white blood cells roll along a vessel. */
#ifndef HEDDLE_WORKLOADS_LEU_VIDEO_H
#define HEDDLE_WORKLOADS_LEU_VIDEO_H

#include "workload.h"

enum { LEU_WINDOW_ROWS = 41, LEU_WINDOW_COLUMNS = 81 };

struct leu_cell {
    float x, y, radius, brightness; /* in the first frame */
    float speed;                    /* columns per frame */
};

struct leu_video {
    uint32_t rows, columns, cells;
    struct leu_cell *cell;
};

/* A part of a frame. */
struct leu_window {
    uint32_t top, left, rows, columns;
};

/* Cells stand near the nodes of a lattice of so many rows and columns. */
struct leu_video leu_video_make(struct work *w, uint32_t rows, uint32_t columns, uint32_t cell_rows,
                                uint32_t cell_columns);
/* Pixels of a frame, row by row: whole numbers from 0 to 255. */
void leu_video_frame(const struct work *w, const struct leu_video *v, uint32_t frame,
                     float *pixels);
/* 41x81 pixels around a cell in a frame; fewer at the frame's edge. */
struct leu_window leu_video_window(const struct leu_video *v, uint32_t cell, uint32_t frame);
/* Change of brightness per column and per row, row by row. */
void leu_gradient(const float *pixels, uint32_t rows, uint32_t columns, float *dx, float *dy);

#endif
