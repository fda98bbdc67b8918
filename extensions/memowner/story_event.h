/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event of a story: what all of them have. */
#pragma once

#include "story.h"

#define STORY_TEXT 2048

/* A copy becomes an event, with its time of day. */
struct story_event *story_add(struct story *st, const struct story_event *event);

/* Of a text of the log: the summary of it, or memowner log. */
const char *story_command(const struct story *st, const char *command);

/* The end, on the clock of the log, and a time by its age then. */
struct maybe_u64 story_end(const struct summary *s);
struct maybe_u64 story_before_end(const struct summary *s, struct maybe_u64 age);

/* A command as it is typed: of a text of the log with -L FILE. */
const char *story_typed(const struct summary *s, const char *command);

/* "memowner processes -g comm -f comm=NAME", and -n 0 where a filter does not take the name as it is. */
const char *story_filtered(const struct summary *s, const char *command, const char *filter,
			   const char *name);
