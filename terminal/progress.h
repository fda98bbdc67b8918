/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a long scan is, on the terminal only: never in the output. */
#pragma once

#include <stdint.h>

void progress_start(void);
void progress_show(const char *name, uint64_t done, uint64_t total);
/* Takes the line away again. */
void progress_end(void);
/* The same, and shows nothing more of this command: its rows are on the terminal. */
void progress_stop(void);
