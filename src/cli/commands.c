/* commands.c - all commands, in the order in which they are shown. */
#include "cli/cli.h"

const struct command *const command_all[] = {
    &command_noc,          &command_run,    &command_record, &command_study, &command_explore,
    &command_characterise, &command_report, &command_cost,   &command_list,  &command_complete};
const int command_count = sizeof command_all / sizeof command_all[0];
