// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/baseline_doubts.h"

#define SIZE_DIFFERS 2 /* tenths of a percent of MemTotal */

/* What the view lacks is lacking here, but where rows of one part alone are compared, and all are there. */
void baseline_tell_side(struct report *r, const struct baseline_side *s)
{
	if (s->baseline->record && s->sizes_complete)
		return;
	for (const struct baseline_word *w = s->words; w; w = w->next) {
		if (s->path && w->part)
			report_warn(r, "in %s: %s unknown: %s", s->path, w->part, w->text);
		else if (!s->path && w->part && !report_has_unknown(r, w->part))
			report_unknown(r, w->part, w->why, "%s", w->text);
		else if (!s->path && !w->part)
			report_warn(r, "%s", w->text);
	}
}

/*
 * MemTotal has not what the kernel took before there were zones: by that machines of one size, and boots of one, differ
 * by some pages, and kernels by more.
 */
static void tell_size(struct report *r, const struct baseline_side *b,
		      const struct baseline_side *n)
{
	const uint64_t before = b->mem_total_bytes, now = n->mem_total_bytes;
	const uint64_t most = before > now ? before : now;
	const uint64_t differ = before > now ? before - now : now - before;
	char size[UNITS_BYTES], other[UNITS_BYTES];

	if (!b->has_mem_total || !n->has_mem_total || units_tenths(differ, most) < SIZE_DIFFERS)
		return;
	units_size(size, now);
	units_size(other, before);
	if (!strcmp(size, other))
		report_warn(r, "MemTotal is %s kB now, %s kB in %s", COUNT_TEXT(now >> 10),
			    COUNT_TEXT(before >> 10), b->path);
	else
		report_warn(r, "MemTotal is %s now, %s in %s", size, other, b->path);
}

/* A name that is nowhere in the rows would be missed. */
static void tell_merged(struct report *r, const struct baseline_diff *d)
{
	const struct baseline_pair *first = NULL;
	size_t n = 0;

	hash_bytes_for_each(const struct baseline_pair, p, &d->pairs) {
		if (p->merged && p->name && p->merged->name) {
			first = first ?: p;
			n++;
		}
	}
	if (first)
		report_warn(
			r,
			"%s merged with another on one side, and counted in its row: %.100s in that of %.100s%s",
			PLURAL_TEXT(n, "name is", "names are"), first->name, first->merged->name,
			n > 1 ? dump_text(r->dump, ", %zu more", n - 1) : "");
}

/* It would be there, and the file does not have it: of a machine without huge pages nothing is missing. */
static bool lacks_beside(const struct baseline_diff *d)
{
	enum column_id beside = d->baseline->beside.column;

	return beside && !d->beside.column &&
	       (d->baseline->asks_beside || d->now.knows[baseline_index(&d->now, beside)]);
}

/* What "new" rests on, of a text that does not tell whether it is whole; NULL: it does, or nothing is new. */
static const char *new_rests(const struct baseline_diff *d)
{
	const struct baseline_side *b = &d->before;
	const char *change;

	if (!b->text || !b->text->rests || d->lacks)
		return NULL;
	hash_bytes_for_each(const struct baseline_pair, p, &d->pairs) {
		change = p->merged ? NULL : baseline_change(p);
		if (change && !strcmp(change, "new"))
			return dump_text(b->dump, "what is new rests on %s having %s", b->path,
					 b->text->rests);
	}
	return NULL;
}

/* What is on one side alone is new or gone only if the other has all that there was. */
void baseline_tell_doubts(struct report *r, const struct baseline_diff *d)
{
	const struct baseline_side *b = &d->before, *n = &d->now;
	const struct gap gaps[] = {
		{ "%s is not complete: what is not in it may have been there, and of what is there may "
		  "have been more",
		  !d->before_whole && !b->text, NULL, NULL, b->path },
		{ "this view is not complete: what is not in it may be there%s", !d->now_whole,
		  NULL, NULL, d->amount.is_counter ? "" : ", and of what is in it may be more" },
	};

	REPORT_GAPS(r, gaps);
	if (d->lacks)
		report_unknown(r, "what else was there before", NOT_IN_DUMP,
			       "%s is not all of %s: %s", b->path, b->text->name, d->lacks);
	if (b->rounded)
		report_warn(r, "%s in %s (m, g): a growth may be what was rounded",
			    PLURAL_TEXT(b->rounded, "size is rounded", "sizes are rounded"),
			    b->path);
	if (b->text && b->text->note)
		report_warn(r, "%s", b->text->note);
	if (new_rests(d))
		report_warn(r, "%s", new_rests(d));
	if (d->amount.note)
		report_warn(r, "%s", d->amount.note);
	if (lacks_beside(d))
		report_warn(r, "%s is not compared: %s has none%s",
			    column_catalogue[d->baseline->beside.column].name, b->path,
			    d->baseline->beside.note ?: "");
	if (baseline_other_kernel(d))
		report_warn(r, "the kernel is %s now, %s in %s", n->kernel, b->kernel, b->path);
	tell_size(r, b, n);
	tell_merged(r, d);
}
