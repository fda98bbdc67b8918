/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the events of a story come from. */
#pragma once

#include "story_event.h"

/* The boot, and processes that have much. */
void story_add_start(struct story *st);
/* Owners by the time stamps of page_owner. */
void story_add_growth(struct story *st);
/* Files by the last change of their data. */
void story_add_files(struct story *st);
/* Whether one is an event: its data have not been as they are since before the boot. */
bool story_tells_file(const struct story *st, const struct statement *row);
/* Reports of the log. */
void story_add_reports(struct story *st);
/* Threads by what they wait for. */
void story_add_waits(struct story *st);
/* The exception, the panic. */
void story_add_end(struct story *st);
/* The verdict, and who has the memory then. */
void story_add_state(struct story *st);
