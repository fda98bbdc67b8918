/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a filter has met so far: so that a value that nothing has is told, with what there is
 * instead, and so is what is left out because it is unknown.
 */
#pragma once

#include <regex.h>

#include "cli/filter.h"
#include "util/maybe.h"

#define FILTER_KNOWN 6 /* texts that are told where none is near */
#define FILTER_MEASURED 256

#define PART_BYTES 3 /* shorter words stand in many texts */

struct filter_seen {
	struct dump *dump;
	const char *column; /* name of what it is asked of */
	const char *values; /* all of them, as typed */
	bool asked;	    /* of a text */
	bool met;	    /* by one of its values at least */
	bool whole_met;	    /* by all of them as one */
	bool has_choices; /* a word that is one of the known may have none, but for the filters before it */
	void (*other_names)(struct dump *d, struct other_names *ret); /* of its key */
	const char *hint;    /* what else finds a value that nothing has; NULL */
	const char *refused; /* a value that is none of the known: ST_USAGE; NULL */
	const char *only;    /* what alone its view has; NULL: all there is */
	const char *member;  /* with -g: what it is asked of, and groups are not; NULL: of rows */
	const char *why;     /* view_column_why() of its column; NULL: nothing that says more */
	const char *
		before; /* values of an earlier filter of the same key, which must hold too; NULL: none */
	enum json_type type;
	struct filter_seen *elsewhere; /* what other columns were asked by */
	const char *known[FILTER_KNOWN];
	unsigned int nknown;		    /* FILTER_KNOWN + 1: there are more */
	uint32_t measured[FILTER_MEASURED]; /* hashes of texts */
	bool has_unknown;		    /* asked of a value that is unknown */
	bool has_none;			    /* asked where there is none */
	uint64_t in_doubt; /* left out, or kept by -X, for this alone: filter_in_doubt() */
	uint64_t doubt_bytes,
		kept_bytes; /* of these, and of what it keeps, by their column bytes */
	bool has_cut; /* asked of lists that have more than they name, or of stacks of which frames are lost */
	bool is_wider; /* the flags asked last have all of one of its words in another: filter_wider() */
	bool has_below;	     /* or it is a path below one that was asked for */
	bool has_paths;	     /* asked of a text that begins with a slash */
	uint64_t wider;	     /* the same as in_doubt of these */
	bool wider_is_least; /* there may be more: those that differ are no longer told apart */
	const char *wider_words[FILTER_KNOWN];
	unsigned int nwider_words; /* FILTER_KNOWN + 1: there are more */
	const char *one, *many;	   /* what these are */
	bool has_numbers;	   /* asked of numbers from low to high */
	uint64_t low, high;
	enum range_kind quantity;
	bool is_hex;
};

/* A word that has the flags of one of its values, and more. */
/* Adds one of the first FILTER_KNOWN words that differ; *n is FILTER_KNOWN + 1 where there are more. (filter_wider.c) */
void filter_add_word(const struct filter_seen *seen, const char **words, unsigned int *n,
		     const char *word);
void filter_seen_wider(const struct filter *f, const char *word);
/* The same of a text that one of the words is the beginning of, or the path above. (filter_wider.c) */
void filter_see_wider(const struct filter *f, const char *text);
/* A value of the filter that what was asked has met. */
void filter_seen_met(const struct filter *f, struct alternative *a);
/* The text that has met it: "/dev/" is a regular expression, and may have been meant as a folder. */
void filter_seen_path(const struct filter *f, struct alternative *a, const char *text);
/* Whether one that nothing has met yet is left, for which other texts are remembered. */
bool filter_seen_open(const struct filter *f);
/* What was asked, whether or not one value is it: a text, or numbers. */
void filter_seen_text(const struct filter *f, const char *text);
/* A text that may have been meant, and is not told unless it is near. */
void filter_seen_near(const struct filter *f, const char *text);
void filter_seen_span(struct filter_seen *seen, uint64_t first, uint64_t last);

/* The values of a filter, as they were typed. */

struct alternative {
	struct alternative *next;
	bool unknown;  /* "-" */
	bool any_case; /* of a text: upper and lower case are the same */
	bool is_whole; /* all that was typed, commas too, as it is */
	const char *typed;
	uint64_t low, high; /* of a number */
	const char *glob;
	regex_t *regex, *folded; /* folded: the same in any case; NULL: it is of any case itself */

	/* For filter_unmet(): */
	bool met;
	bool has_below;		 /* asked of a path below it */
	bool has_inside;	 /* a pattern: it is asked of a text that has it behind others */
	bool has_port, has_host; /* of "192.0.2.1:22" it is one of the two */
	const char *elsewhere; /* a text that met it as a regular expression, not below it; NULL */
	unsigned int
		parts; /* texts that were asked and have it as a part, the same one for each row */
	const char *other[2]; /* columns whose cells met it; NULL: none, or no more */
	struct maybe_u64 below,
		above;	     /* of a number: the nearest of what was asked on either side */
	const char *nearest; /* of what was asked; NULL: none is near */
	unsigned int distance;
};

/* Whether a text is what was asked for; false of a number. */
bool alternative_meets(const struct alternative *a, const char *text);

/*
 * Whether all filters keep a page or a row. One that a filter leaves out because its value is unknown
 * could have the value that was asked for: where no other filter refuses it, this is counted and told.
 */

struct filter_verdict {
	const struct filter *open;  /* the first that leaves it out as unknown */
	const struct filter *kept;  /* the first of -X that keeps it as unknown */
	const struct filter *wider; /* leaves it out, or of -X keeps it, as a word has more flags */
	bool refused;
};

/* What one filter says; false: no other needs to be asked. */
bool filter_verdict_add(struct filter_verdict *v, const struct filter *f, bool keeps, bool unknown);

/* Whether one of them does not keep it. */
bool filter_verdict_leaves_out(const struct filter_verdict *v);

/* Whether all of them keep it; if not because it is unknown, it counts as n of unit one or many. */
bool filter_verdict_keeps(const struct filter_verdict *v, uint64_t n, const char *one,
			  const char *many);
/* The bytes that it has: where what is in doubt has more than what is kept, its size is told. */
void filter_verdict_size(const struct filters *f, const struct filter_verdict *v, uint64_t bytes);

/* What names a column of flags has; of a file it may be another kernel. ST_USAGE: a value is none of them. */
enum status filter_open_flags(struct dump *d, const struct column *column, bool of_file,
			      struct filter *f);
/* Of values that are separated by commas all of them as one text; NULL: the key is none of text. */
struct alternative *filter_whole_value(struct dump *d, const struct key *key, const char *text);

/* Behind the first value of a number another one, which may be the rest of it: "1,000..". ST_USAGE. */
enum status filter_check_comma(struct dump *d, const struct filter *f, const char *value,
			       size_t len);

/* "[kswapd0]": a name as ps has it of a kernel thread. As a set of signs it would be one sign. */
static inline bool is_in_brackets(const char *glob)
{
	size_t n = glob && *glob == '[' ? strlen(glob) : 0;

	return n > 3 && strchr(glob, ']') == glob + n - 1 && !strpbrk(glob + 1, "*?[");
}

/*
 * A value of text without wildcards, or with a module behind a name, "leaky_rx_refill [leaky]", or all in brackets;
 * NULL.
 */
static inline const char *word_of(const struct alternative *a)
{
	const char *wild = a->glob ? strpbrk(a->glob, "*?[") : NULL;

	if (wild && *wild == '[' && wild > a->glob && wild[-1] == ' ' && !strpbrk(wild, "*?"))
		return a->glob;
	return wild && !is_in_brackets(a->glob) ? NULL : a->glob;
}
