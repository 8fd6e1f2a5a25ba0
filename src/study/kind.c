/* kind.c - the table of kinds.def. */
#include "study/kind.h"

#include <string.h>

const struct study_kind *const kind_all[] = {
#define KIND(id) &kind_##id,
#include "study/kinds.def"
#undef KIND
};
const int kind_count = (int)(sizeof kind_all / sizeof kind_all[0]);

const struct study_kind *kind_find(const char *name)
{
    for (int i = 0; i < kind_count; i++)
        if (strcmp(kind_all[i]->name, name) == 0)
            return kind_all[i];
    return NULL;
}
