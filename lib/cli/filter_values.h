/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a filter, as they were typed. */
#pragma once

#include <regex.h>

#include "cli/filter.h"

struct alternative {
	struct alternative *next;
	bool unknown;  /* "-" */
	bool any_case; /* of a text: upper and lower case are the same */
	bool is_whole; /* all that was typed, commas too, as it is */
	const char *typed;
	uint64_t low, high; /* of a number */
	const char *glob;
	regex_t *regex;

	/* For filter_unmet(): */
	bool met;
	bool has_below;	     /* asked of a path below it */
	const char *nearest; /* of what was asked; NULL: none is near */
	unsigned int distance;
};

/* Whether a text is what was asked for; false of a number. */
bool alternative_meets(const struct alternative *a, const char *text);
