/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ctrl-C.  While commands run the first one asks them to stop, so that they show what they have; one
 * that comes a second later ends the program: the command is where it does not ask.
 */
#pragma once

#include <stdbool.h>

void interrupt_hold(void);
bool interrupt_asked(void);
/* From here on Ctrl-C ends the program again. */
void interrupt_release(void);

/* Ends the program as Ctrl-C does, so that a loop of a shell ends too. */
void interrupt_end(void);
