/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that somebody types.  With readline: editing, completion by the tables of the commands, and a
 * history that is kept in $XDG_STATE_HOME/memowner (~/.local/state/memowner); else the lines alone.
 */
#pragma once

#include "dump/commands.h"

void line_reader_open(const struct command *const *commands);

/* To be freed; NULL: the end of the input.  Ctrl-C begins another line. */
char *line_reader_next(const char *prompt);

void line_reader_close(void);
