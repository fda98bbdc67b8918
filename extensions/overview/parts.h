/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the summary in one table.  Each is a function that adds its rows and ends with a status;
 * what it could not read is an entry of "unknown" in JSON, a row of SECTION_MISSING, and a line of the
 * screen: parts_run() writes it, so that no part is left out without a word.
 */
#pragma once

#include "memowner/summary.h"

/*
 * Opens what the parts draw from: s->view, and its report tells what is unknown in lines of its own. Nothing is
 * required: what cannot be opened is told where it is missing.
 */
enum status parts_open(struct summary *s, enum availability *why);

/* Runs all parts.  ST_STOPPED: those that are left out are not told, the end is. */
enum status parts_run(struct summary *s);
