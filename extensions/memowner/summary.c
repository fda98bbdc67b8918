// SPDX-License-Identifier: GPL-2.0-or-later
#include "summary.h"

#include "cgroup/cgroup.h"

void summary_add(struct summary *s, const struct statement *statement)
{
	struct statement *copy = dump_alloc(s->dump, sizeof(*copy));
	enum section section = statement->section;

	*copy = *statement;
	if (copy->pages.known && !copy->bytes.known && s->dump->page_shift)
		copy->bytes = (struct maybe_u64){ copy->pages.n << s->dump->page_shift, true };
	if (s->last[section])
		s->last[section]->next = copy;
	else
		s->first[section] = copy;
	s->last[section] = copy;
}

void summary_none(struct summary *s, const char *name, const char *text)
{
	SUMMARY_ADD(s, .section = SECTION_MISSING, .name = name,
		    .remark = arena_strdup(s->dump->arena, text));
}

void summary_unknown(struct summary *s, const char *name, enum availability why, const char *fmt,
		     ...)
{
	char buf[DUMP_ERROR];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	summary_none(s, name, buf);
	report_unknown(s->report, name, why, "%s", buf);
}

void summary_gaps(struct summary *s)
{
	char text[REPORT_LACKS_PANIC];

	if (report_lacks_panic(s->report, text))
		summary_unknown(s, PART_PANIC_TIME, NOT_IN_DUMP, "%s", text);
	for (const struct dump_gap *g = s->dump->gaps; g; g = g->next)
		if (!report_has_unknown(s->report, g->part))
			summary_unknown(s, g->part, availability_of(g->why), "%s", g->reason);
}

enum status summary_failed(struct summary *s, const char *name, enum status st)
{
	const char *error = s->dump->error;

	if (st == ST_OK || st == ST_STOPPED)
		return st;
	if (st != ST_ABSENT)
		summary_unknown(s, name, availability_of(st), "%s",
				*error ? error : "no reason is known");
	return ST_OK;
}

/* "report-builder.service" of "/system.slice/report-builder.service" */
const char *summary_last_of(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && name[1] ? name + 1 : path;
}

const char *summary_size(const struct summary *s, uint64_t pages)
{
	return s->dump->page_shift
		       ? arena_strdup(s->dump->arena, SIZE_TEXT(pages << s->dump->page_shift))
		       : arena_text(s->dump->arena, "%lu pages", pages);
}

bool summary_reaches(const struct summary *s, enum limit which, uint64_t pages)
{
	return units_tenths(pages, s->ram_pages) >= limit(which);
}

bool summary_is_limited(const struct summary *s, const char *cgroup)
{
	return s->limit_path && !s->limit_is_over && cgroup &&
	       cgroup_is_below(cgroup, s->limit_path);
}

bool summary_reaches_of(const struct summary *s, enum limit which, uint64_t pages,
			const char *cgroup)
{
	return summary_is_limited(s, cgroup) && s->limit_pages
		       ? units_tenths(pages, s->limit_pages) >= limit(which)
		       : summary_reaches(s, which, pages);
}

uint64_t summary_rank(const struct summary *s, uint64_t pages, const char *cgroup)
{
	return pages + (summary_is_limited(s, cgroup) ? 1ULL << 63 : 0);
}

const char *summary_task(struct maybe_u64 pid, const char *comm, char buf[SUMMARY_TASK_BYTES])
{
	if (!pid.known)
		return !comm ? "an unknown task" : *comm ? comm : "a task without a name";
	if (!comm)
		snprintf(buf, SUMMARY_TASK_BYTES, "process %ld", pid.n);
	else
		snprintf(buf, SUMMARY_TASK_BYTES, "%s (%ld)", comm, pid.n);
	return buf;
}

const char *summary_name(const struct summary *s, const struct statement *row)
{
	if (row->name || row->command)
		return row->name ?: row->command;
	if (!row->pid.known && !row->comm)
		return NULL;
	return arena_strdup(s->dump->arena, SUMMARY_TASK(row->pid, row->comm));
}

void summary_fill(struct summary *s)
{
	for (unsigned int section = 0; section < SECTIONS; section++)
		for (const struct statement *row = s->first[section]; row; row = row->next)
			row_add(&s->in->table, row, s);
}

bool summary_tells(const struct summary *s)
{
	return ANY_OF(section, SECTIONS,
		      s->first[section] && section != SECTION_MISSING && section != SECTION_NEXT &&
			      section != SECTION_VERDICT);
}
