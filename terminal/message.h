/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong, for the user: "COMMAND: TEXT", on a terminal in as many lines as it needs. */
#pragma once

#define MESSAGE_BYTES 1536 /* a reason, and what led to it */

/* columns: 0: one line.  buf has MESSAGE_BYTES; no newline at the end. */
void message_wrap(char *buf, unsigned int columns, const char *name, const char *text);
