/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame of a call trace, as each machine and kernel writes it. */
#pragma once

#include <stddef.h>

#define LOG_FRAME 256

/*
 * " symbol+0x1f/0x30 [module]" as x86 writes it, a line that is none as it is: without the addresses before it of
 * other machines and of kernels up to 4.9; of arm, whose line has two functions, the one that called. A '?' stays.
 */
const char *log_frame(const char *line, char to[LOG_FRAME]);

/* Behind the addresses of a frame: "[<c0103000>] ", of powerpc two in plain brackets; NULL: none is there. */
const char *log_frame_addresses(const char *text);
