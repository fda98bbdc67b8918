/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a filter has met so far: so that a value that nothing has is told, with what there is
 * instead, and so is what is left out because it is unknown.
 */
#pragma once

#include "cli/filter.h"

#define FILTER_KNOWN 6 /* texts that are told where none is near */
#define FILTER_MEASURED 256

struct filter_seen {
	struct dump *dump;
	const char *column; /* name of what it is asked of */
	const char *values; /* all of them, as typed */
	const char *word;   /* the only value, if it is a text without wildcards; NULL */
	const char *glob;   /* the same of one with wildcards */
	bool asked;	    /* of a text */
	bool met;
	bool has_choices; /* a word that is one of the known may have none */
	void (*other_names)(struct dump *d, struct other_names *ret); /* of its key */
	bool has_below;	     /* asked of a path below the word */
	const char *nearest; /* of what was asked; NULL: none is near */
	unsigned int distance;
	const char *known[FILTER_KNOWN];
	unsigned int nknown;		    /* FILTER_KNOWN + 1: there are more */
	uint32_t measured[FILTER_MEASURED]; /* hashes of texts */
	bool has_unknown;		    /* asked of a value that is unknown */
	bool has_none;			    /* asked where there is none */
	uint64_t in_doubt;	/* left out, or kept by -X, for this alone: filter_in_doubt() */
	bool has_cut;		/* asked of lists that have more than they name */
	const char *one, *many; /* what these are */
	bool has_numbers;	/* asked of numbers from low to high */
	uint64_t low, high;
	enum range_kind quantity;
	bool is_hex;
};

/* A text, or numbers, that no value of the filter is. */
void filter_seen_text(struct filter_seen *seen, const char *text);
/* A text that may have been meant, and is not told unless it is near. */
void filter_seen_near(struct filter_seen *seen, const char *text);
void filter_seen_span(struct filter_seen *seen, uint64_t first, uint64_t last);
