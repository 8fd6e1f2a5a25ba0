/* study_gather.h - what tasks have done: put into the one database and reported, or counted. */
#ifndef HEDDLE_CLI_STUDY_GATHER_H
#define HEDDLE_CLI_STUDY_GATHER_H

#include "cli/study_ask.h"

study_act study_gather; /* --gather */
study_act study_status; /* --status */

#endif
