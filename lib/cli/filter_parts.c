// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of what has parts, each of which may be meant: stacks, functions, flags, lists of processes. */

#include <ctype.h>

#include "cli/filter_seen.h"
#include "util/units.h"

/* What a glob may name a frame by. */
enum { BY_SYMBOL, BY_ADDRESS, BY_MODULE, BY_BRACKETS, FRAME_PARTS };

/* A part of a frame; whole: what a regular expression sees, once for each frame. */
static const char *frame_part(void *arg, size_t i, bool whole)
{
	static char text[640];
	const struct stack *stack = arg;
	const struct frame *f = stack->frames[i / FRAME_PARTS];
	const char *module = f->module ?: "";

	switch (i % FRAME_PARTS) {
	case BY_SYMBOL:
		if (whole)
			return frame_text(f, text, sizeof(text));
		return f->symbol ?: "";
	case BY_ADDRESS:
		snprintf(text, sizeof(text), "0x%lx", f->addr);
		return whole || !f->addr ? "" : text;
	case BY_MODULE:
		return whole ? "" : module;
	default:
		snprintf(text, sizeof(text), "[%s]", module);
		return whole || !*module ? "" : text;
	}
}

/* "leaky_rx_refill [leaky]" and its function alone. */
static const char *function_part(void *arg, size_t i NOT_USED, bool whole)
{
	static char text[640];

	snprintf(text, sizeof(text), "%.*s", whole ? -1 : (int)strcspn(arg, " "), (char *)arg);
	return text;
}

#define BETWEEN_FLAGS "|,"

struct flags {
	const struct flag_names *names;
	const char *text;
	size_t words;
	uint64_t mask;
	bool has_mask;
};

/* Of names without a table there are none. */
static bool has_flag(const struct flags *flags, size_t i)
{
	uint64_t bits = flags->names->flags[i].mask;

	return bits && (flags->mask & bits) == bits &&
	       !strncmp(flags->names->flags[i].name, "__", 2);
}

/*
 * The i-th of "GFP_KERNEL|__GFP_COMP", then their number, then each name of a flag that is set. Names
 * of several flags, as GFP_NOWAIT, are words alone.
 */
static const char *flag_part(void *arg, size_t i, bool whole)
{
	static char text[640];
	const struct flags *flags = arg;
	const char *p = flags->text;

	if (i > flags->words && has_flag(flags, i - flags->words - 1))
		return flags->names->flags[i - flags->words - 1].name;
	if (whole)
		return p;
	if (i >= flags->words) {
		snprintf(text, sizeof(text), "0x%lx", flags->mask);
		return i == flags->words && flags->has_mask ? text : "";
	}
	for (; i && *p; i--) {
		p += strcspn(p, BETWEEN_FLAGS);
		p += !!*p;
	}
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(p, BETWEEN_FLAGS), p);
	return text;
}

/* The number of the words; false: not each word is known. What is known is in it in any case. */
static bool mask_of(struct flags *flags)
{
	bool all = true;

	for (size_t i = 0; i < flags->words; i++) {
		const char *word = flag_part(flags, i, false);
		unsigned int at = 0;
		uint64_t number = 0;

		while (at < flags->names->n && strcmp(flags->names->flags[at].name, word))
			at++;
		if (at < flags->names->n)
			flags->mask |= flags->names->flags[at].mask;
		else
			all &= units_parse(word, &number);
		flags->mask |= number;
	}
	return all;
}

/* The number of a value, "GFP_KERNEL", "GFP_KERNEL|__GFP_ZERO" or "0xcc0"; 0: it is a pattern. */
static uint64_t value_mask(const struct filter *f, const struct alternative *a)
{
	struct flags flags = { .names = f->flags, .text = a->glob, .words = 1 };
	uint64_t number = 0;

	if (!a->glob || a->is_whole)
		return 0;
	if (isdigit((unsigned char)*a->glob))
		return units_parse(a->glob, &number) ? number : 0;
	for (const char *p = a->glob; *p; p++)
		flags.words += !!strchr(BETWEEN_FLAGS, *p);
	return mask_of(&flags) ? flags.mask : 0;
}

/* The word that has all of these flags; NULL: several have them together. */
static const char *word_with(const struct flags *flags, uint64_t mask)
{
	static char word[640];

	for (size_t i = 0; i < flags->words; i++) {
		struct flags one = { .names = flags->names, .text = word, .words = 1 };

		snprintf(word, sizeof(word), "%s", flag_part((void *)flags, i, false));
		mask_of(&one);
		if ((one.mask & mask) == mask)
			return word;
	}
	return NULL;
}

/* Flags that no value meets, but that have all of one of them. */
static void see_wider(const struct filter *f, const struct flags *flags)
{
	for (const struct alternative *a = f->first; a && f->flags; a = a->next) {
		uint64_t mask = value_mask(f, a);

		if (!mask || (flags->mask & mask) != mask)
			continue;
		f->seen->is_wider = true;
		/* The word may be the one whose number was typed: others beside it make another number. */
		filter_seen_wider(f,
				  (isdigit((unsigned char)*a->glob) ? NULL : word_with(flags, mask))
					  ?: flags->text);
		return;
	}
}

bool filter_keeps_flags(const struct filter *f, const char *text, const uint64_t *mask)
{
	struct flags flags = { .names = f->flags, .text = text, .words = 1 };
	bool keeps;

	f->seen->is_wider = false;
	if (!text || !*text)
		return filter_keeps_text(f, text);
	for (const char *p = text; *p; p++)
		flags.words += !!strchr(BETWEEN_FLAGS, *p);
	if (f->flags)
		flags.has_mask = mask_of(&flags);
	if (mask) {
		flags.mask = *mask;
		flags.has_mask = true;
	}
	keeps = filter_keeps_any(f, flag_part, &flags,
				 flags.words + 1 + (f->flags ? f->flags->n : 0));
	if (keeps == f->exclude)
		see_wider(f, &flags);
	return keeps;
}

/* What is no single name may match a text of several. */
static bool may_be_flag(const struct flag_names *names, const char *value)
{
	if (strpbrk(value, "*?[|\\") || *value == '0')
		return true;
	return ANY_OF(i, names->n, !strcmp(names->flags[i].name, value));
}

/* "0xCC0" as it is printed, "0xcc0"; any other text as it is. */
static const char *lower_number(struct dump *d, const char *glob)
{
	uint64_t number;
	char *copy;

	if (!glob || !isdigit((unsigned char)*glob) || !units_parse(glob, &number))
		return glob;
	copy = dump_strdup(d, glob);
	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* The kernel's names of the flags of a column; of a file it may be another kernel. */
enum status filter_open_flags(struct dump *d, const struct column *column, bool of_file,
			      struct filter *f)
{
	struct flag_names *names;

	f->is_flags = column->is_flags;
	for (struct alternative *a = f->first; a && f->is_flags; a = a->next)
		a->glob = lower_number(d, a->glob);
	if (!column->flags)
		return ST_OK;
	names = dump_alloc(d, sizeof(*names));
	/* What writes the documents has no dump, nor has a text of the log. */
	if (!d->ops || !d->ops->member || flag_names_open(d, column->flags, names) != ST_OK)
		decoder_trace(d, "decide that flags are words alone: %s", d->error);
	f->flags = names;
	for (const struct alternative *a = f->first; a && names->n && !of_file; a = a->next)
		if (a->glob && !may_be_flag(names, a->glob))
			return dump_usage(d,
					  "unknown %s '%s': a flag is written as in GFP_KERNEL or "
					  "__GFP_COMP",
					  f->name, a->typed);
	return ST_OK;
}

bool filter_keeps_function(const struct filter *f, const char *text)
{
	return text ? filter_keeps_any(f, function_part, (void *)text, 1) : filter_keeps_unknown(f);
}

bool filter_keeps_stack(const struct filter *f, const struct stack *stack)
{
	if (!stack)
		return filter_keeps_unknown(f);
	return filter_keeps_any(f, frame_part, (void *)stack, FRAME_PARTS * stack->n);
}

/* What a text of a list may be named by: "/proc/PID/mem open in 55(hog)" by "55(hog)", "55" and "hog". */
enum { BY_TEXT, BY_USER, BY_TGID, BY_COMM, LIST_PARTS };

/* Where "55(hog)" begins in a text of a list; n: it has none. */
static size_t user_at(const char *text, size_t n)
{
	for (size_t at = 0; at < n; at++) {
		size_t end = at;

		while (end < n && isdigit((unsigned char)text[end]))
			end++;
		if (end > at && end < n && text[end] == '(' && (!at || text[at - 1] == ' ') &&
		    text[n - 1] == ')')
			return at;
	}
	return n;
}

/* A part of one text; behind the last of them all. A regular expression sees each text once. */
static const char *list_part(void *arg, size_t i, bool whole)
{
	static char part[256];
	const struct text_list *l = arg;
	size_t n, at, open;
	const char *text;

	if (i / LIST_PARTS >= l->n)
		return whole ? l->text : "";
	text = l->text + l->starts[i / LIST_PARTS];
	n = text_list_bytes(l, i / LIST_PARTS);
	at = whole || i % LIST_PARTS == BY_TEXT ? 0 : user_at(text, n);
	if (at < n && !whole && i % LIST_PARTS >= BY_TGID) {
		open = at + strcspn(text + at, "(");
		n = i % LIST_PARTS == BY_TGID ? open : n - 1;
		at = i % LIST_PARTS == BY_TGID ? at : open + 1;
	}
	snprintf(part, sizeof(part), "%.*s", (int)(n - at), text + at);
	return part;
}

bool filter_keeps_list(const struct filter *f, const struct text_list *list)
{
	bool met;

	if (!list)
		return filter_keeps_unknown(f);
	if (text_list_is_cut(list))
		f->seen->has_cut = true;
	if (!list->n)
		return filter_keeps_none(f);
	met = filter_meets_any(f, list_part, (void *)list, LIST_PARTS * (size_t)list->n + 1);
	for (size_t i = 0; i < list->n && filter_seen_open(f); i++) {
		filter_seen_text(f, list_part((void *)list, LIST_PARTS * i + BY_TEXT, false));
		filter_seen_near(f, list_part((void *)list, LIST_PARTS * i + BY_COMM, false));
	}
	return met != f->exclude;
}

/* A value as it is printed may have commas, as "[tmpfs, not mounted]". */
struct alternative *filter_whole_value(struct dump *d, const struct key *key, const char *text)
{
	struct alternative *a = dump_alloc(d, sizeof(*a));

	a->low = 1; /* no number */
	a->is_whole = true;
	a->typed = dump_strdup(d, text + (*text == '~' && text[1]));
	return key_is_text(key) && !key->choices && !key->is_set ? a : NULL;
}

#define DIGITS "0123456789"

/* "000.." of "1,000..", as numbers are printed: who types that means one. A thread ID is no quantity. */
enum status filter_check_comma(struct dump *d, const struct filter *f, const char *value,
			       size_t len)
{
	const size_t digits = strspn(value, DIGITS);
	const bool is_range = digits < len && value[digits] == '.';

	if (digits != 3 || (digits < len && !is_range) || f->seen->is_hex ||
	    f->seen->type == JSON_PID || !(*value == '0' || is_range) ||
	    strspn(f->first->typed, DIGITS) != strlen(f->first->typed) ||
	    strlen(f->first->typed) > 3)
		return ST_OK;
	return dump_usage(d,
			  "key %s: '%s' is %s and %.*s, for a comma is between values: a number is "
			  "written without one",
			  f->name, f->seen->values, f->first->typed, (int)len, value);
}
