/* timing.h - the parameters of section `dram` as gaps between pairs of commands.
 *
 * A gap is the least number of cycles between two commands; data times count from the command. */
#ifndef HEDDLE_DRAM_TIMING_H
#define HEDDLE_DRAM_TIMING_H

#include "dram/mc.h"

struct dram_timing {
    uint32_t banks, groups; /* both powers of two */
    uint32_t group_mask;    /* of a bank's number: the first bank of its group, */
    uint32_t group_step;    /* from which the others follow at this distance */
    uint32_t burst;         /* cycles of the data bus */
    uint32_t burst_bytes;
    uint32_t read_done, write_done; /* command to the end of its last beat */
    uint32_t column, column_group;  /* read to read, write to write: any bank, same group */
    uint32_t read_to_write, write_to_read;
    uint32_t read_to_pre, write_to_pre;
    uint32_t act_to_column, act_to_pre, pre_to_act;
    uint32_t act_to_act, act_to_other, act_to_group; /* same bank, any bank, same group */
    uint32_t four_acts;                              /* 0: no window */
    uint32_t refresh_every, refresh_takes;           /* 0: never */
    bool has_two_slots; /* row and column commands do not compete for the command bus */
};

/* Refuses sizes that are no powers of two and refreshes that leave no time for work. */
bool timing_check(const struct config *cfg, struct err *e);
struct dram_timing timing_of(const struct dram_spec *s);

#endif
