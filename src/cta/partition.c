/* partition.c - the registry of partitions. */
#include "cta/partition.h"

#include <string.h>

#include "sim/config.h"

#define PARTITION(id) extern const struct partition partition_##id;
#include "cta/partitions.def"
#undef PARTITION

const struct partition *const partition_all[] = {
#define PARTITION(id) &partition_##id,
#include "cta/partitions.def"
#undef PARTITION
};
const int partition_count = (int)(sizeof partition_all / sizeof partition_all[0]);

bool partition_admits_all(void *state, const struct partition_view *v, uint32_t guest, uint32_t sm)
{
    (void)state;
    (void)v;
    (void)guest;
    (void)sm;
    return true;
}

const struct partition *partition_find(const char *name)
{
    for (int i = 0; i < partition_count; i++)
        if (strcmp(partition_all[i]->name, name) == 0)
            return partition_all[i];
    return NULL;
}

int partition_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < partition_count; i++)
        n = config_add_section(all, n, room, partition_all[i]->section);
    return n;
}
