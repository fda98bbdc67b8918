/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of a log alone: what programs said that they, or the kernel, killed. A row of what the log tells for each program. */
#pragma once

#include "log/log_file.h"
#include "summary.h"

void summary_add_user_kills(struct summary *s);

/*
 * "by systemd-oomd: Killed /a.scope ..., 2026-11-30 10:00:00, in whatever boot, and 3 such lines before it": date NULL: not told.
 * No line of a program tells of which boot of the text it is.
 */
void user_kill_words(const struct log_file *f, const struct user_kill *kill, const char *date,
		     struct strbuf *b);
