/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream that swallows crash's own messages and counts them. */
#pragma once

#include <stdio.h>

/* Always the same stream; stderr if there is no memory for it. */
FILE *mute_stream(void);
unsigned long mute_lines(void);
void mute_reset(void);
void mute_close(void);
