/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "-f KEY=VALUE[,VALUE]" and "-X KEY=VALUE": which rows are kept.
 *
 * Values of text are globs, or /extended regular expressions/; "-" is the
 * unknown value.  An unknown value matches no other.  A comma of a value is
 * typed "\,", or as it is where all of them together are one.
 */
#pragma once

#include "cli/columns.h"
#include "cli/opts.h"
#include "kernel/flag_names.h"
#include "symbols/frame.h"
#include "util/number_range.h"
#include "util/text_list.h"

/* A name that nothing has, because something else has its place. */
struct other_name {
	struct other_name *next;
	const char *name, *holder; /* holder NULL: unknown */
	const char *text;	   /* instead of them; NULL: none */
};

struct other_names {
	struct other_name *first;
	const char *how;     /* "is merged into" */
	const char *unknown; /* what to say of a name that is not among them; NULL: all are known */
};

/* Names of kinds of one kind: "UNIX" and "UNIX-STREAM". */
struct filter_forms {
	bool (*is_form)(const char *word, const char *text); /* of another text than word */
	const char *which; /* these are told with it: "of ", "for this size: " */
};
/* A kind whose name others begin with. */
extern const struct filter_forms filter_forms_behind;
/* Caches of kmalloc() of one size: kmalloc-1k, kmalloc-cg-1k. */
extern const struct filter_forms filter_forms_kmalloc;

/* What can be filtered and grouped by: a column of the catalogue, whose names it has. */
struct key {
	enum column_id column;
	const char *help;
	unsigned int use;
	bool is_function; /* "leaky_rx_refill [leaky]", or its first word alone */
	bool any_case;	  /* of text: no two values differ in their case alone */
	const struct filter_forms
		*forms;		  /* of text: names of which who types one may mean others; NULL */
	bool is_any;		  /* of rows: a number where it can be read as one, else a text */
	enum range_kind quantity; /* unless it is text; 0: as the column is shown */
	const char *const *choices; /* of text: the only values there are; NULL: any */
	const char *elsewhere; /* what else finds a value that is none, or that nothing has; NULL */
	bool is_set;	       /* the dump tells which values there are: filters_check() */
	enum column_id also;   /* shows it in another form: its names are accepted too */
	enum column_id named_by; /* of a number: the key that a name in its place is a value of */
	/* Asked where nothing has a name; NULL: there are no others. */
	void (*other_names)(struct dump *d, struct other_names *ret);
};

/* Values of a key that is true or false; "true" and "false" are accepted as well. */
extern const char *const key_yes_no[];

static inline const char *key_name(const struct key *key)
{
	return column_catalogue[key->column].name;
}

static inline bool key_is_text(const struct key *key)
{
	return !key->quantity && column_is_text(&column_catalogue[key->column]);
}

enum {
	KEY_FILTERS = 1,
	KEY_GROUPS = 2,
	KEY_OF_GROUP = 4, /* filters groups, not what they consist of */
	KEY_IMPLIED = 8,  /* is a column: no list of keys has it */
};

struct alternative;
struct filter_seen;

/* What a view can be filtered and grouped by. */
struct key_set {
	const struct key *keys;
	size_t n;
	const struct view_column *columns; /* of its rows */
	size_t ncolumns;
	bool filters_rows;		  /* a column that is no key chooses rows: table_filter() */
	const char *call;		  /* view_call(); NULL: "" */
	const enum column_id *matched_by; /* what the column name of a comparison has; NULL: none */
	size_t nmatched;
	const struct key *others; /* of the command, where the view has its own */
	size_t nothers;
	const char *only; /* what alone the view has; NULL: all there is */
};

struct filter {
	size_t key;	  /* index; of rows the index of a column */
	const char *name; /* of the key, as typed */
	bool exclude;
	bool is_signed;			  /* its numbers are as range_balance() has them */
	bool is_function;		  /* of its key */
	const struct filter_forms *forms; /* of its key */
	bool is_flags;			  /* of its column */
	/* Their names, none if they are unknown; NULL: the kernel has no table. */
	const struct flag_names *flags;
	struct alternative *first;
	struct filter_seen *seen;
};

struct filters {
	struct filter filters[OPTS_FILTERS], rows[OPTS_FILTERS];
	unsigned int n, nrows;
};

/*
 * The index of the key that a user names, or n: by the names of its column, then by those of
 * the other column that shows it.
 */
size_t key_find(const struct key *keys, size_t n, unsigned int use, const char *name, size_t len);

/* ST_USAGE names the key or value that is wrong and what is accepted. */
enum status filters_parse(struct dump *d, const struct opts *o, const struct key_set *set,
			  struct filters *ret);

/* Whether a column that is no key can be one of -f and -X. */
bool filter_takes_column(const struct view_column *c);
/* The key that it is then; name is what the user calls it. */
struct key key_of_column(const struct view_column *c, const char *name, size_t len);
/* "columns of -o help but rank" */
void filter_add_columns(struct strbuf *s, const char *columns, const struct key_set *set);

/*
 * Refuses values of a key that are not among known, for sets that only the dump tells: texts
 * (NULL behind the last), of a number key its numbers.  An empty set is unknown: nothing is
 * refused.  ST_USAGE names the value and the set.
 */
enum status filters_check(struct dump *d, const struct filters *f, const struct key *keys,
			  size_t key, const char *const *known);

/* Whether one of the values is, or matches, a text; nothing is asked of what was read. */
bool filter_names(const struct filter *f, const char *text);
/* Whether nothing that was read has met one of its values; of those that a text meets, unless it is NULL. */
bool filter_lacks(const struct filter *f, const char *text);

/* Whether a value is kept by one filter. */
bool filter_keeps_number(const struct filter *f, uint64_t v);
/* The same for what spans more than one number, both ends included. */
bool filter_keeps_span(const struct filter *f, uint64_t first, uint64_t last);
bool filter_keeps_unknown(const struct filter *f);
/* The same where there is none: "-" as well, but not unknown. */
bool filter_keeps_none(const struct filter *f);
/* text may be NULL: unknown */
bool filter_keeps_text(const struct filter *f, const char *text);
/* The same of a text whose first word may be meant. */
bool filter_keeps_function(const struct filter *f, const char *text);
/*
 * The same of flags, "GFP_KERNEL|__GFP_COMP", of which one may be meant: one of the words, or, where the
 * kernel's names are known, a flag that a word has in it ("__GFP_IO") or all of them as a number
 * ("0x40cc0").  mask: that number; NULL: it is that of the words.  Names of several flags are compared as
 * words: GFP_KERNEL_ACCOUNT is no GFP_KERNEL, and filter_wider() tells it.
 */
bool filter_keeps_flags(const struct filter *f, const char *text, const uint64_t *mask);
/*
 * The same of a list, of which one may be meant: of "active_mm of 55(hog)" that, "55(hog)", "55" or "hog".
 * NULL: unknown; of an empty one "-".
 */
bool filter_keeps_list(const struct filter *f, const struct text_list *list);
/* Whether one of n texts meets it; each by its short form or its long one. */
bool filter_keeps_any(const struct filter *f, const char *(*text)(void *arg, size_t i, bool whole),
		      void *arg, size_t n);
/* Whether one does; none is proposed instead. */
bool filter_meets_any(const struct filter *f, const char *(*text)(void *arg, size_t i, bool whole),
		      void *arg, size_t n);

/*
 * Whether a filter keeps a call stack: one of its frames has the function "leaky_rx", is
 * "leaky_rx+0x1f [leaky]", is of the module "leaky" or "[leaky]", or has the address
 * "0xffffffffc0201234".  NULL: unknown.
 */
bool filter_keeps_stack(const struct filter *f, const struct stack *stack);

/*
 * The n-th value of a filter that nothing of what was read met, and what to say of it: "-f module=nosuch:
 * nothing that was read has it; the nearest is 'noise'", of a number "; it is from 0 to 9", of another name
 * "; 'fs_cache' is merged into 'vma_lock'". What filters before this one left out was not asked. False: no
 * more is to be said.
 */
#define FILTER_UNMET 640 /* bytes of such a text */
bool filter_unmet(const struct filter *f, unsigned int n, bool first, char *buf, size_t size);

/* n more were found and not kept: what filters ask of these is unknown. */
void filters_not_kept(const struct filters *f, uint64_t n, const char *one, const char *many);

/* "class is unknown of 6 pages, which -f leaves out", or which -X keeps; false: there are none. */
bool filter_in_doubt(const struct filter *f, char *buf, size_t size);

/*
 * "-f gfp=GFP_KERNEL leaves out 6 pages that have all flags of that word in another:
 * GFP_KERNEL_ACCOUNT"; "-f file=/dev/: between slashes it is a regular expression, which '/run/udev/c1'
 * meets too; '/dev' is the path, with a star behind the slash what is below it"; false: there are none.
 */
bool filter_wider(const struct filter *f, char *buf, size_t size);

/* Whether a text is not kept, and all that it stands for, as a cache with its objects: what is wider counts by its words. */
bool filter_leaves_whole(const struct filter *f, const char *text, const char *one,
			 const char *many);

/* Indexes of "-g KEY,KEY"; at most room.  ST_USAGE as above. */
enum status keys_parse(struct dump *d, const char *text, const struct key_set *set, size_t *ret,
		       size_t room, size_t *count);
