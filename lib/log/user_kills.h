/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs logged of processes that were killed for lack of memory, where a log has their lines beside the kernel's:
 * systemd of units (src/core/cgroup.c), systemd-oomd, earlyoom, lmkd of Android and the driver that it came of. It is what
 * they said, no report of the kernel: the text of a log alone has it. Text only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define USER_KILL_TEXT 256

enum user_kill_kind {
	USER_KILL_UNIT, /* "web.service: A process of this unit has been killed by the OOM killer." */
	USER_KILL_OOMD, /* "Killed /a/b.scope due to memory pressure for ..." */
	USER_KILL_EARLYOOM,
	USER_KILL_LMKD, /* "lowmemorykiller: Kill 'a' (5), uid ..." */
	USER_KILL_KINDS
};

#define USER_KILL_WORDS "by a line that is no report of the kernel's, "

struct user_kill {
	unsigned int n;		   /* lines; 0: none */
	char text[USER_KILL_TEXT]; /* of the last: "earlyoom sent SIGTERM to a (5)" */
	uint64_t date_s;	   /* as in struct log_line; 0: none stands there */
};

struct user_kills {
	struct user_kill of[USER_KILL_KINDS];
};

/* Takes a whole line of a log, with what stands before its words; false: it tells of none. */
bool user_kills_line(struct user_kills *all, const char *line);
