/* study_page_assets.c - the table whose rows cmake/web.cmake writes.
 *
 * Tools that read sources without building them see it empty. */
#include "report/study_page_assets.h"

#include <stddef.h>

const struct study_page_asset study_page_assets[] = {
#if __has_include("study_page_assets.inc")
#include "study_page_assets.inc"
#endif
    {NULL, NULL},
};
