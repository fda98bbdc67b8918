// SPDX-License-Identifier: GPL-2.0-or-later
/* What the class of free pages says, as the verdict has it. */
#include "memowner/limits.h"
#include "memowner/summary.h"
#include "memowner/verdict.h"
#include "memowner/verdict_words.h"

bool zone_sum_is_kept(const struct zone_sum *z)
{
	return z->known && z->zones && z->free && !z->other_free && !z->cma &&
	       z->above <= z->free / 1000 * limit(LIMIT_ABOVE_MARKS);
}

/* "low: min watermarks and reserves keep all but 736.0K"; NULL: they do not, or it is unknown. */
static const char *kept(struct summary *s, const struct oom_report *r)
{
	struct zone_sum z;

	if (!zone_sum_read(s->view, r, &z) || !zone_sum_is_kept(&z))
		return NULL;
	return !z.above ? "low: min watermarks and reserves keep all of it"
			: dump_text(s->dump, "low: min watermarks and reserves keep all but %s",
				    summary_size(s, z.above));
}

/* What is few pages on any machine needs no reason; what was not too little is no alarm. */
void verdict_mark_free(struct summary *s, const struct oom_report *r, enum verdict verdict)
{
	const char *why;

	for (struct statement *row = s->first[SECTION_CLASS]; row; row = row->next) {
		if (strcmp(row->name, page_class_name(CLASS_BUDDY)) != 0)
			continue;
		if (verdict == VERDICT_NOT_SHORT && row->remark && !strcmp(row->remark, "low"))
			row->remark = "little is free, more can be reclaimed";
		if (!verdict_is_out(verdict) || row->remark || !row->pages.known)
			continue;
		why = s->dump->log_file ? NULL : kept(s, r);
		if (why)
			row->remark = why;
		else if (!summary_reaches(s, LIMIT_OTHER_FREE, row->pages.n))
			row->remark = "low";
	}
}
