// SPDX-License-Identifier: GPL-2.0-or-later
/* One shared object with every command. */
#include <stddef.h>

#include "crash/port.h"

extern const struct command pageowner_command, allocprof_command, depot_command, faults_command;

const struct command *const port_commands[] = { &pageowner_command, &allocprof_command,
						&depot_command, &faults_command, NULL };
