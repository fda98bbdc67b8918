// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of what has parts, each of which may be meant: stacks, functions, flags, lists of processes. */

#include <ctype.h>

#include "cli/filter_seen.h"

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
static const char *function_part(void *arg, size_t i, bool whole)
{
	static char text[640];

	(void)i;
	snprintf(text, sizeof(text), "%.*s", whole ? -1 : (int)strcspn(arg, " "), (char *)arg);
	return text;
}

#define BETWEEN_FLAGS "|,"

/* The i-th of "GFP_KERNEL|__GFP_COMP". */
static const char *flag_part(void *arg, size_t i, bool whole)
{
	static char text[640];
	const char *p = arg;

	for (; i && *p && !whole; i--) {
		p += strcspn(p, BETWEEN_FLAGS);
		p += !!*p;
	}
	snprintf(text, sizeof(text), "%.*s", whole ? -1 : (int)strcspn(p, BETWEEN_FLAGS), p);
	return text;
}

bool filter_keeps_flags(const struct filter *f, const char *text)
{
	size_t n = 1;

	for (const char *p = text; p && *p; p++)
		n += !!strchr(BETWEEN_FLAGS, *p);
	return text && *text ? filter_keeps_any(f, flag_part, (void *)text, n)
			     : filter_keeps_text(f, text);
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
