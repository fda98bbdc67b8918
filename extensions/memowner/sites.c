// SPDX-License-Identifier: GPL-2.0-or-later
/* The allocation sites with the most memory. */
#include "alloctag/site_index.h"
#include "alloctag/state.h"
#include "summary.h"
#include "symbols/allocators.h"

#define ROWS 3

/* Whether a site has enough memory to look at it first; yes where RAM is not known. */
static bool is_large(const struct summary *s, const struct site *site)
{
	return !s->ram_pages ||
	       summary_reaches(s, LIMIT_SITE, (uint64_t)site->bytes >> s->dump->page_shift);
}

static void add_row(struct summary *s, const struct site *site)
{
	char buf[640];
	struct strbuf b = STRBUF(buf);

	if (!site->file && !site->function) {
		site_name(site, buf, sizeof(buf));
	} else {
		strbuf_add(&b, "%s:%u %s", site->file ?: "?", site->line, site->function ?: "?");
		if (site->in_module)
			strbuf_add(&b, " [%s]", site->module ?: "?");
	}
	SUMMARY_ADD(s, .section = SECTION_SITE, .name = dump_strdup(s->dump, buf),
		    .bytes = { (uint64_t)site->bytes, true }, .allocs = { site->calls, true });
}

static enum status no_counts(struct summary *s, const struct codetag_state *state)
{
	s->sites_why = OFF_AT_BOOT;
	return dump_absent(s->dump, "%s", codetag_reason(state));
}

enum status summary_sites(struct summary *s)
{
	struct codetags *tags = dump_alloc(s->dump, sizeof(*tags));
	struct largest largest = { .room = ROWS };
	struct codetag_state state;
	enum answer counted;
	enum status st;

	st = codetags_open(s->dump, tags, &s->why);
	s->sites_why = st == ST_ABSENT ? s->why : AVAILABLE;
	if (st != ST_OK)
		return st;
	codetag_state_read(s->dump, &state);
	s->why = OFF_AT_BOOT;
	counted = codetags_counted(tags);
	if (!tags->on && counted == ANSWER_NO)
		return no_counts(s, &state);
	if (!tags->on)
		report_warn(s->report, "%s", codetag_off_text(counted));
	else if (codetag_off_at_boot(&state))
		report_warn(s->report, "profiling was turned on after boot: what was allocated "
				       "before has no site");
	const struct gap gaps[] = {
		{ "some allocation sites are missing: %s", tags->problem || tags->unreadable,
		  .why = tags->problem ?: "counters are not in this dump" },
		{ "the names of %s are not in this dump", tags->unnamed, "site", "sites" },
	};
	REPORT_GAPS(s->report, gaps);
	s->has_sites = true;
	for (size_t i = 0; i < tags->n; i++)
		if (tags->sites[i].readable && tags->sites[i].bytes > 0)
			largest_add(&largest, (uint64_t)tags->sites[i].bytes, &tags->sites[i]);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct site *site = largest.of[i].item;

		add_row(s, site);
		/* What an allocator asks for belongs to those who called it. */
		if (s->next_function || !site->function || allocators_has(site->function) ||
		    !is_large(s, site))
			continue;
		s->next_function = site->function;
		s->next_module = site->in_module ? site->module : NULL;
	}
	if (!largest.n && (!s->complete || s->report->has_gaps))
		return dump_unreadable(s->dump, "the counters of %s are not in this dump",
				       COUNT_OF(tags->unreadable, "site"));
	return ST_OK;
}
