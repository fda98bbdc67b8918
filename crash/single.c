// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command table of a shared object with one command, -DCOMMAND=its struct; -DALSO=that of the one
 * that its answers lead to.
 */

#include "dump/commands.h"

#ifdef ALSO
#define ALSO_TABLE &ALSO,
extern const struct command ALSO;
#else
#define ALSO_TABLE
#endif

extern const struct command COMMAND;

const struct command *const port_commands[] = { &COMMAND, ALSO_TABLE NULL };
