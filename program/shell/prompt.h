/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that somebody types, with history and completion where readline is built in. */
#pragma once

#include "shell/shell.h"

/* Up to "quit" or the end of the input. */
void prompt_run(struct shell *s);
