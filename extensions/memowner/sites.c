// SPDX-License-Identifier: GPL-2.0-or-later
/* The allocation sites with the most memory. */
#include <stdio.h>

#include "alloctag/codetag.h"
#include "alloctag/site_index.h"
#include "alloctag/state.h"
#include "limits.h"
#include "summary.h"
#include "symbols/allocators.h"
#include "util/units.h"

#define ROWS 3

static const struct site *largest(const struct codetags *tags, const struct site *before)
{
	const struct site *best = NULL;

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		bool is_next = !before || s->bytes < before->bytes ||
			       (s->bytes == before->bytes && s > before);

		if (s->readable && s->bytes > 0 && is_next && (!best || s->bytes > best->bytes))
			best = s;
	}
	return best;
}

/* Whether a site has enough memory to look at it first; yes where RAM is not known. */
static bool is_large(const struct summary *s, const struct site *site)
{
	return !s->ram_pages ||
	       limit_has_site(
		       units_tenths((uint64_t)site->bytes >> s->dump->page_shift, s->ram_pages));
}

static enum status add_row(struct summary *s, const struct site *site)
{
	struct cell *row = summary_add(s, SECTION_SITE);
	char buf[640];

	if (!row)
		return ST_NOMEM;
	if (!site->file && !site->function)
		site_name(site, buf, sizeof(buf));
	else
		snprintf(buf, sizeof(buf), "%s:%u %s%s%s%s", site->file ? site->file : "?",
			 site->line, site->function ? site->function : "?",
			 site->in_module ? " [" : "",
			 site->in_module ? site->module ? site->module : "?" : "",
			 site->in_module ? "]" : "");
	row[COL_NAME] = cell_text(arena_strdup(s->dump->arena, buf));
	row[COL_BYTES] = cell_int(site->bytes);
	row[COL_ALLOCS] = cell_uint(site->calls);
	return ST_OK;
}

enum status summary_sites(struct summary *s)
{
	struct codetags *tags = dump_alloc(s->dump, sizeof(*tags));
	const struct site *site = NULL;
	struct codetag_state state;
	char n[UNITS_PLURAL];
	enum answer counted;
	enum status st;

	if (!tags)
		return ST_NOMEM;
	st = codetags_open(s->dump, tags, &s->why);
	if (st != ST_OK)
		return st;
	codetag_state_read(s->dump, &state);
	s->why = OFF_AT_BOOT;
	counted = codetags_counted(tags);
	if (!tags->on && counted == ANSWER_NO)
		return dump_fail(s->dump, ST_ABSENT, "%s", codetag_reason(&state));
	if (!tags->on)
		report_warn(s->report, "%s", codetag_off_text(counted));
	else if (codetag_off_at_boot(&state))
		report_warn(s->report, "profiling was turned on after boot: what was allocated "
				       "before has no site");
	if (tags->problem || tags->unreadable) {
		report_warn(s->report, "some allocation sites are missing: %s",
			    tags->problem ? tags->problem : "counters are not in this dump");
		s->complete = false;
	}
	if (tags->unnamed) {
		report_warn(s->report, "the names of %s are not in this dump",
			    units_plural(n, tags->unnamed, "site", "sites"));
		s->complete = false;
	}
	s->has_sites = true;
	for (unsigned int i = 0; i < ROWS && st == ST_OK && (site = largest(tags, site)); i++) {
		st = add_row(s, site);
		/* What an allocator asks for belongs to those who called it. */
		if (s->next_function || !site->function || allocators_has(site->function) ||
		    !is_large(s, site))
			continue;
		s->next_function = site->function;
		s->next_module = site->in_module ? site->module : NULL;
	}
	if (st == ST_OK && !largest(tags, NULL) && !s->complete)
		st = dump_fail(s->dump, ST_UNREADABLE, "the counters of %s are not in this dump",
			       units_plural(n, tags->unreadable, "site", "sites"));
	return st;
}
