/* method.c - the table of methods of search, expanded from methods.def. */
#include "search/search.h"

#include "base/str.h"

#define METHOD(id) extern const struct search_method search_method_##id;
#include "search/methods.def"
#undef METHOD

const struct search_method *const search_method_all[] = {
#define METHOD(id) &search_method_##id,
#include "search/methods.def"
#undef METHOD
};

const int search_method_count = (int)(sizeof search_method_all / sizeof search_method_all[0]);

const struct search_method *search_method_find(const char *name)
{
    for (int i = 0; i < search_method_count; i++)
        if (str_is_word(name, search_method_all[i]->name))
            return search_method_all[i];
    return NULL;
}

int search_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < search_method_count; i++)
        n = config_add_section(all, n, room, search_method_all[i]->section);
    return n;
}
