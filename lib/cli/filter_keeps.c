// SPDX-License-Identifier: GPL-2.0-or-later
/* What a filter keeps, value by value; each of its values is asked, so that one that nothing has is told. */

#include "cli/filter_seen.h"

bool filter_names(const struct filter *f, const char *text)
{
	return ANY_NEXT(a, f->first, alternative_meets(a, text));
}

bool filter_lacks(const struct filter *f, const char *text)
{
	for (const struct alternative *a = f->first; a && !f->seen->whole_met; a = a->next)
		if (!a->met && !a->is_whole && (!text || alternative_meets(a, text)))
			return true;
	return false;
}

/* A range that nothing is in may be a gap between others. */
static void see_beside(struct alternative *a, uint64_t first, uint64_t last)
{
	if (last < a->low && (!a->below.known || last > a->below.n))
		a->below = (struct maybe_u64){ last, true };
	if (first > a->high && (!a->above.known || first < a->above.n))
		a->above = (struct maybe_u64){ first, true };
}

bool filter_keeps_span(const struct filter *f, uint64_t first, uint64_t last)
{
	bool met = false;

	for (struct alternative *a = f->first; a; a = a->next) {
		if (!a->unknown && last >= a->low && first <= a->high) {
			filter_seen_met(f, a);
			met = true;
		} else if (!a->unknown && !a->met) {
			see_beside(a, first, last);
		}
	}
	filter_seen_span(f->seen, first, last);
	return met != f->exclude;
}

bool filter_keeps_number(const struct filter *f, uint64_t v)
{
	return filter_keeps_span(f, v, v);
}

/* Whether some alternative is the text, which is remembered for filter_unmet(). */
static bool meets_any(const struct filter *f, const char *text)
{
	bool met = false;

	f->seen->has_paths |= *text == '/';
	for (struct alternative *a = f->first; a; a = a->next)
		if (!(met && a->met) && alternative_meets(a, text)) {
			filter_seen_met(f, a);
			filter_seen_path(f, a, text);
			met = true;
		}
	filter_seen_text(f, text);
	return met;
}

/* Whether "-" is one of the values. */
static bool meets_unknown(const struct filter *f)
{
	for (struct alternative *a = f->first; a; a = a->next)
		if (a->unknown) {
			filter_seen_met(f, a);
			return true;
		}
	return false;
}

bool filter_keeps_unknown(const struct filter *f)
{
	f->seen->has_unknown = true;
	return meets_unknown(f) != f->exclude;
}

bool filter_keeps_none(const struct filter *f)
{
	f->seen->has_none = true;
	return meets_unknown(f) != f->exclude;
}

bool filter_keeps_text(const struct filter *f, const char *text)
{
	if (!text)
		return filter_keeps_unknown(f);
	/* What is empty has no value. */
	return meets_any(f, text) || (!*text && meets_unknown(f)) ? !f->exclude : f->exclude;
}

bool filter_meets_any(const struct filter *f, const char *(*text)(void *arg, size_t i, bool whole),
		      void *arg, size_t n)
{
	bool met = false;

	for (struct alternative *a = f->first; a; a = a->next)
		for (size_t i = 0; i < n && !(met && a->met); i++)
			if ((a->glob && alternative_meets(a, text(arg, i, false))) ||
			    alternative_meets(a, text(arg, i, true))) {
				filter_seen_met(f, a);
				met = true;
			}
	f->seen->asked = true;
	return met;
}

bool filter_keeps_any(const struct filter *f, const char *(*text)(void *arg, size_t i, bool whole),
		      void *arg, size_t n)
{
	bool met = filter_meets_any(f, text, arg, n);

	for (size_t i = 0; i < n && filter_seen_open(f); i++)
		filter_seen_text(f, text(arg, i, false));
	return met != f->exclude;
}

bool filter_leaves_whole(const struct filter *f, const char *text, const char *one,
			 const char *many)
{
	struct filter_seen *seen = f->seen;
	const bool keeps = filter_keeps_text(f, text);

	if (seen->is_wider && !keeps) {
		seen->wider = seen->nwider_words;
		seen->wider_is_least = seen->nwider_words > FILTER_KNOWN;
		seen->one = one;
		seen->many = many;
	}
	seen->is_wider = false;
	return !keeps;
}
