// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_seen.h"

#include <fnmatch.h>

#include "cli/filter_values.h"
#include "util/likeness.h"
#include "util/strbuf.h"
#include "util/units.h"

#define VALUES_TOLD 60 /* bytes of what was typed */

/* The first texts that differ, for a word that is near none. */
static void remember(struct filter_seen *seen, const char *text)
{
	for (unsigned int i = 0; i < seen->nknown && i < FILTER_KNOWN; i++)
		if (!strcmp(seen->known[i], text))
			return;
	if (seen->nknown < FILTER_KNOWN)
		seen->known[seen->nknown] = arena_strdup(seen->dump->arena, text);
	if (seen->nknown <= FILTER_KNOWN)
		seen->nknown++;
}

/* Whether a text was measured before: most come again, and to measure is slow. */
static bool is_measured(struct filter_seen *seen, const char *text)
{
	uint32_t hash = 2166136261U; /* as Fowler, Noll and Vo */

	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619U;
	if (seen->measured[hash % FILTER_MEASURED] == hash)
		return true;
	seen->measured[hash % FILTER_MEASURED] = hash;
	return false;
}

static void measure(struct filter_seen *seen, const char *text)
{
	unsigned int distance;

	if (seen->glob && !seen->nearest && !fnmatch(seen->glob, text, FNM_CASEFOLD))
		seen->nearest = arena_strdup(seen->dump->arena, text);
	if (!seen->word)
		return;
	distance = likeness_distance(seen->word, text);
	if (likeness_is_near(seen->word, distance) &&
	    (!seen->nearest || distance < seen->distance)) {
		seen->nearest = arena_strdup(seen->dump->arena, text);
		seen->distance = distance;
	}
}

void filter_seen_text(struct filter_seen *seen, const char *text)
{
	size_t n = seen->word ? strlen(seen->word) : 0;

	/* The root has all but itself below it. */
	if (n && *seen->word == '/' && !strncmp(seen->word, text, n) && text[n - (n == 1)] == '/' &&
	    text[1])
		seen->has_below = true;
	seen->asked = true;
	if (seen->met || !*text || is_measured(seen, text))
		return;
	if (seen->nknown <= FILTER_KNOWN)
		remember(seen, text);
	measure(seen, text);
}

void filter_seen_near(struct filter_seen *seen, const char *text)
{
	if (*text && !is_measured(seen, text))
		measure(seen, text);
}

void filter_seen_span(struct filter_seen *seen, uint64_t first, uint64_t last)
{
	if (!seen->has_numbers || first < seen->low)
		seen->low = first;
	if (!seen->has_numbers || last > seen->high)
		seen->high = last;
	seen->has_numbers = true;
}

/* What there is instead. */
static void add_known(const struct filter_seen *seen, struct strbuf *s)
{
	const char *names[FILTER_KNOWN];
	char low[UNITS_BYTES], high[UNITS_BYTES];

	if (seen->has_numbers) {
		number_range_text(seen->is_hex ? RANGE_HEX : seen->quantity, seen->low, low);
		number_range_text(seen->is_hex ? RANGE_HEX : seen->quantity, seen->high, high);
		strbuf_add(s, strcmp(low, high) ? "; it is from %s to %s" : "; it is %s", low,
			   high);
	} else if (seen->has_below) {
		strbuf_add(s, "; '%s/*' is what is below it", seen->word[1] ? seen->word : "");
	} else if (seen->nearest) {
		strbuf_add(s, "; the nearest is '%s'", seen->nearest);
	} else if (!seen->asked) {
		strbuf_add(s, "; of all there is none ('-')");
	} else if (seen->nknown && seen->nknown <= FILTER_KNOWN) {
		memcpy(names, seen->known, sizeof(names));
		likeness_order(seen->word, names, seen->nknown);
		for (unsigned int i = 0; i < seen->nknown; i++)
			strbuf_add(s, "%s%.*s%s", i ? ", " : "; known are: ", VALUES_TOLD, names[i],
				   strlen(names[i]) > VALUES_TOLD ? "..." : "");
	}
}

/* What is asked for may be a name that something else has taken the place of. False: none is. */
static bool add_others(const struct filter *f, struct strbuf *s)
{
	struct other_names others = { 0 };
	unsigned int n = 0;

	if (!f->seen->other_names)
		return false;
	f->seen->other_names(f->seen->dump, &others);
	for (const struct other_name *o = others.first; o; o = o->next) {
		const struct alternative *a = f->first;

		while (a && !alternative_meets(a, o->name))
			a = a->next;
		if (!a || n++ >= FILTER_KNOWN)
			continue;
		if (o->text)
			strbuf_add(s, "; %s", o->text);
		else if (o->holder)
			strbuf_add(s, "; '%s' %s '%s'", o->name, others.how, o->holder);
		else
			strbuf_add(s, "; '%s' %s an unknown one", o->name, others.how);
	}
	if (n > FILTER_KNOWN)
		strbuf_add(s, "; so are %u more", n - FILTER_KNOWN);
	else if (!n && others.unknown)
		strbuf_add(s, "; %s", others.unknown);
	return n > 0;
}

bool filter_unmet(const struct filter *f, bool first, char *buf, size_t size)
{
	const struct filter_seen *seen = f->seen;
	const char *sign = f->exclude ? "-X" : "-f",
		   *what = first ? "was read" : "the filters before it keep";
	bool has_known = seen->asked || seen->has_numbers;
	struct strbuf s;

	/* To leave out a range of numbers that has none is no mistake. */
	if (seen->met || seen->has_choices || (seen->has_numbers && f->exclude) ||
	    (!has_known && !seen->has_unknown && !seen->has_none))
		return false;
	strbuf_init(&s, buf, size);
	strbuf_add(&s, "%s %s=%.*s%s: ", sign, f->name, VALUES_TOLD, seen->values,
		   strlen(seen->values) > VALUES_TOLD ? "..." : "");
	if (!has_known && seen->has_unknown) {
		strbuf_add(&s, "it is unknown of all that %s", what);
		return true;
	}
	strbuf_add(&s, "nothing that %s has it", seen->in_doubt ? "is known" : what);
	if (!add_others(f, &s))
		add_known(seen, &s);
	return true;
}

bool filter_in_doubt(const struct filter *f, char *buf, size_t size)
{
	const struct filter_seen *seen = f->seen;
	char n[UNITS_PLURAL];

	if (!seen->in_doubt)
		return false;
	units_plural(n, seen->in_doubt, seen->one, seen->many);
	snprintf(buf, size, "%s is %s of %s, which %s", seen->column,
		 seen->has_cut ? "not known in full" : "unknown", n,
		 f->exclude ? "-X keeps" : "-f leaves out");
	return true;
}
