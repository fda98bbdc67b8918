/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the commands of the program on an open dump, one line at a time. */
#ifndef MEMOWNER_SESSION_H
#define MEMOWNER_SESSION_H

#include "door.h"
#include "dump/commands.h"

/* Exit status of a command: what the program ends with. */
enum { SESSION_OK, SESSION_FAILED, SESSION_USAGE };

/* NULL: there is no command of that name. */
const struct command *session_command(const char *name);

/* Its output goes to standard output, what is wrong to standard error. */
int session_run(struct door *door, int argc, char **argv);

#endif
