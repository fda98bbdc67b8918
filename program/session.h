/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the commands of the program on an open dump, one at a time. */
#pragma once

#include "door.h"
#include "dump/commands.h"
#include "shell/exit_status.h"
#include "shell/output.h"

/* What commands ask of their user, for door_open(). */
extern const struct door_user session_user;

/*
 * door NULL: the command has -L, which needs no dump.
 * Between interrupt_hold() and interrupt_release().  argv[0] is a name of port_commands, one of their nouns, or an argument that one takes.  Rows go to the output, what is wrong to standard error; what
 * could not be written is told by who closes the output.  behind: see struct dump.  place: "FILE:LINE" where the
 * command stands, for what is wrong with its words; NULL: it was typed.
 */
enum exit_status session_run(struct door *door, struct output *o, const char *behind,
			     const char *place, int argc, char **argv);
