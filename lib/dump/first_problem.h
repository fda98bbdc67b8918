/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk goes on behind what it cannot read, and ends with the first of these problems. */
#pragma once

#include "dump/dump.h"

/* Starts as zero. */
struct first_problem {
	enum status status;
	const char *text; /* in the arena of the dump */
};

/* What ends the walk: ST_STOPPED; ST_OK for all else, which is kept with the dump's error. */
enum status first_problem_keep(struct dump *d, struct first_problem *p, enum status st);

/* The problem that was kept, as the dump's error, or ST_OK. */
enum status first_problem_end(struct dump *d, const struct first_problem *p);
