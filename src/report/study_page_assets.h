/* study_page_assets.h - the files of web/, and the chart renderer, built into the library. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_ASSETS_H
#define HEDDLE_REPORT_STUDY_PAGE_ASSETS_H

struct study_page_asset {
    const char *name, *text;
};

extern const struct study_page_asset study_page_assets[]; /* ends with a NULL name */

#endif
