// SPDX-License-Identifier: GPL-2.0-or-later
#include "summary.h"

#include <stdlib.h>

#include "cgroup/cgroup.h"
#include "groups.h"
#include "kernel/most_pages.h"
#include "verdict_words.h"
#include "zones/vmstat.h"

/* What is of RAM alone, and of one owner. Buffers of devices may be outside of it; sums of sites are shown as they are. */
static bool is_of_ram(const struct statement *row)
{
	static const enum section sections[] = { SECTION_OWNER, SECTION_HOLDER, SECTION_CACHE,
						 SECTION_FILE, SECTION_CANDIDATE };

	return ANY_OF(i, ARRAY_SIZE(sections), row->section == sections[i]) &&
	       !(row->by && !strcmp(row->by, "dma_buf"));
}

/* More than the machine can hold: damage, and no size. */
static bool is_beyond(const struct summary *s, const struct statement *row)
{
	struct most_pages most;

	if (!row->pages.known || !s->ram_pages || row->pages.n <= s->ram_pages ||
	    s->dump->log_file || !is_of_ram(row))
		return false;
	most_pages_read(s->dump, &most);
	return most_pages_exceeds(most.both, row->pages.n);
}

static void doubt_size(struct summary *s, struct statement *row)
{
	const uint64_t pages = row->pages.n;

	row->pages = row->bytes = (struct maybe_u64){ 0 };
	summary_unknown(s, row->by ?: "sizes", CORRUPT,
			"%s would have %ld pages, more than the machine can hold",
			summary_name(s, row) ?: "an owner", (int64_t)pages);
}

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
	if (is_beyond(s, copy))
		doubt_size(s, copy);
}

void summary_none(struct summary *s, const char *name, const char *text)
{
	SUMMARY_ADD(s, .section = SECTION_MISSING, .name = name,
		    .remark = dump_strdup(s->dump, text));
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
	s->last[SECTION_MISSING]->lacks = why;
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

const struct kept_pages *summary_kept_by(const struct summary *s, int32_t tgid)
{
	return s->kept.arena ? hash_u64_find(&s->kept, (uint64_t)tgid) : NULL;
}

struct kept_pages *summary_keep(struct summary *s, int32_t tgid, uint64_t files, uint64_t other)
{
	struct kept_pages *kept;

	if (!s->kept.arena)
		hash_u64_init(&s->kept, s->dump->arena, sizeof(struct kept_pages));
	kept = hash_u64_get(&s->kept, (uint64_t)tgid, NULL);
	kept->files += files;
	kept->other += other;
	return kept;
}

uint64_t summary_process_pages(const struct summary *s, const struct statement *row)
{
	const int64_t own = (int64_t)((uint64_t)row->rss + (uint64_t)row->swap);

	return (own > 0 ? (uint64_t)own : 0) +
	       (row->tables.known ? row->tables.n >> s->dump->page_shift : 0) + row->kept_files.n +
	       row->kept_other.n;
}

/* Whether a name begins there that systemd gave, of a service, a scope or a slice, and none stands behind it. */
static bool is_unit(const char *name)
{
	const char *dot = strpbrk(name, "./");

	return dot && *dot == '.';
}

/*
 * "report-builder.service" of "/system.slice/report-builder.service". What a unit itself divides has names that say nothing
 * alone, as those of containers do: "box.service/payload", "user@1000.service/init.scope".
 */
const char *summary_last_of(const char *path)
{
	const char *name = strrchr(path, '/'), *above = name;

	if (!name || !name[1])
		return path;
	while (above > path && above[-1] != '/')
		above--;
	return above > path && is_unit(above) &&
			       (!is_unit(name + 1) || !strcmp(name, "/init.scope"))
		       ? above
		       : name + 1;
}

const char *summary_size(const struct summary *s, uint64_t pages)
{
	return s->dump->page_shift ? dump_strdup(s->dump, SIZE_TEXT(pages << s->dump->page_shift))
				   : dump_text(s->dump, "%lu pages", pages);
}

bool summary_reaches(const struct summary *s, enum limit which, uint64_t pages)
{
	return units_tenths(pages, s->ram_pages) >= limit(which);
}

bool summary_needs_hoard(const struct summary *s)
{
	return s->verdict == VERDICT_NOT_SHORT ||
	       (s->verdict == VERDICT_UNKNOWN && !s->dump->log_file && !s->ran_out &&
		s->free.known);
}

bool summary_is_limited(const struct summary *s, const char *cgroup)
{
	return s->limit_path && !s->limit_is_over && cgroup &&
	       cgroup_is_below(cgroup, s->limit_path);
}

bool summary_lacks_processes(const struct summary *s)
{
	return (s->tasks_missing && !s->table.is_beside) ||
	       (summary_is_of_limit(s) && s->groups && s->groups->lacks_cgroups);
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

const char *summary_process_name(const struct summary *s, int32_t tgid)
{
	struct tasks tasks;
	struct task t;

	if (tasks_open(s->dump, &tasks) != ST_OK)
		return NULL;
	tasks.identity_only = true;
	return tasks_find(&tasks, tgid, &t) == ST_OK
		       ? dump_text(s->dump, "%s",
				   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)t.pid, true }),
						t.comm))
		       : NULL;
}

const char *summary_thread_of(const struct summary *s, int32_t pid, int32_t tgid)
{
	const char *process = pid != tgid ? summary_process_name(s, tgid) : NULL;

	return process ? dump_text(s->dump, ", a thread of %s,", process) : "";
}

const char *summary_name(const struct summary *s, const struct statement *row)
{
	if (row->name || row->command)
		return row->name ?: row->command;
	if (!row->pid.known && !row->comm)
		return NULL;
	return dump_strdup(s->dump, SUMMARY_TASK(row->pid, row->comm));
}

/* ", 112.3M of them reclaimable": caches of dentries and inodes, which the kernel frees where memory is asked for; "": few. */
static const char *reclaimable_text(const struct summary *s, const struct statement *row)
{
	struct counters *c = dump_alloc(s->dump, sizeof(*c));
	int64_t pages = 0;
	enum status st;

	/* Where memory was short they are there since something keeps them. */
	if (strcmp(row->name, page_class_name(CLASS_SLAB)) != 0 || s->verdict != VERDICT_NOT_SHORT)
		return "";
	st = counters_open(s->dump, c) ?: counter_read(c, "NR_SLAB_RECLAIMABLE", &pages);
	s->dump->error[0] = '\0';
	return st == ST_OK && pages > 0 && (uint64_t)pages > row->pages.n / 2 &&
			       (uint64_t)pages <= row->pages.n
		       ? dump_text(s->dump, ", %s of them reclaimable",
				   summary_size(s, (uint64_t)pages))
		       : "";
}

const char *summary_class_remark(const struct summary *s, const struct statement *row)
{
	const char *swap = s->swap.known && !s->swap.pages &&
					   !strcmp(row->name, page_class_name(CLASS_SHMEM))
				   ? ", for which there is no swap"
				   : "";

	if (!row->remark || !row->high.known)
		return row->remark ?: "";
	/* Where memory was not short much of it in processes is no alarm. */
	if (s->verdict == VERDICT_NOT_SHORT && (!strcmp(row->name, page_class_name(CLASS_ANON)) ||
						!strcmp(row->name, page_class_name(CLASS_SHMEM))))
		return row->remark;
	return dump_text(s->dump, "high, from %lu%% on: %s%s%s", row->high.n / 10, row->remark,
			 swap, reclaimable_text(s, row));
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

/* "hog (123)" of "123(hog)", "passed to hog (123) and not received" of "in flight to 123(hog)". */
static void add_user(const char *text, unsigned int n, struct strbuf *b)
{
	static const char flight[] = "in flight to ", queue[] = "accept queue of ";
	const bool in_flight = n > strlen(flight) && !strncmp(text, flight, strlen(flight));
	unsigned int at = in_flight ? (unsigned int)strlen(flight) : 0, digits;

	/* That it did not accept them is said of what it has. */
	if (n > strlen(queue) && !strncmp(text, queue, strlen(queue))) {
		text += strlen(queue);
		n -= (unsigned int)strlen(queue);
	}
	while (!in_flight && at < n && (text[at] < '0' || text[at] > '9'))
		at++;
	digits = (unsigned int)strspn(text + at, "0123456789");
	if (!digits || at + digits >= n || text[at + digits] != '(' || text[n - 1] != ')') {
		strbuf_add(b, "%.*s", (int)n, text);
		return;
	}
	strbuf_add(b, "%s%.*s%.*s (%.*s)%s", in_flight ? "passed to " : "", in_flight ? 0 : (int)at,
		   text, (int)(n - at - digits - 2), text + at + digits + 1, (int)digits, text + at,
		   in_flight ? " and not received" : "");
}

void summary_user_names(const struct text_list *l, struct strbuf *b)
{
	const unsigned int told = l->n < USERS_TOLD ? l->n : USERS_TOLD;
	const uint64_t more = l->n - told + l->more;

	for (unsigned int i = 0; i < told; i++) {
		strbuf_add(b, "%s", i ? ", " : "");
		add_user(l->text + l->starts[i], text_list_bytes(l, i), b);
	}
	if (more)
		strbuf_add(b, " and %s more", COUNT_TEXT(more));
	if (l->is_open)
		strbuf_add(b, "%sothers unknown", told ? ", " : "");
}

int32_t summary_only_user(const struct text_list *users)
{
	char *end;
	uint64_t tgid;

	if (!users || users->n != 1 || text_list_is_cut(users))
		return 0;
	tgid = strtoull(users->text, &end, 10);
	return *end == '(' && tgid <= INT32_MAX ? (int32_t)tgid : 0;
}

void summary_users(const struct statement *row, struct strbuf *b)
{
	if (row->beyond)
		strbuf_add(b, ", %s", row->beyond);
	if (!row->used_by)
		strbuf_add(b, ", users unknown");
	else if (row->used_by->n || text_list_is_cut(row->used_by))
		strbuf_add(b, ", used by ");
	if (row->used_by)
		summary_user_names(row->used_by, b);
}
